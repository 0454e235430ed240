//! Pairs traces with their event files.
//!
//! TAU writes `tautrace.<node>.<context>.<thread>.trc` for every thread and `events.<node>.edf` for
//! every node.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use kymo_tau::convert::Input;

use crate::problem::Problem;
use crate::status::Status;
use crate::tree;

/// Returns the only trace with its event file.
pub(super) fn pair(files: &[PathBuf]) -> Result<Vec<Input>, Problem> {
    match files {
        [trace, event_file] => Ok(vec![Input { trace: trace.clone(), event_file: event_file.clone() }]),
        _ => Err(Problem::usage(
            "expected a trace, its event file and the name of the archive; use --merge for more than one \
             trace",
        )),
    }
}

/// Returns traces with their event files. The paths are files or folders, in any order.
pub(super) fn of_threads(paths: &[PathBuf]) -> Result<Vec<Input>, Problem> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => files.extend(in_folder(path)?),
            false => files.push(path.clone()),
        }
    }
    let (event_files, traces): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|path| has_extension(path, "edf"));
    if traces.is_empty() {
        return Err(Problem::usage("expected traces (*.trc), or a folder that contains tautrace.*.trc"));
    }
    let of_trace = |(number, trace): (usize, &PathBuf)| {
        let event_file = event_file(trace, number, traces.len(), &event_files)?;
        Ok(Input { trace: trace.clone(), event_file })
    };
    traces.iter().enumerate().map(of_trace).collect()
}

/// Returns the files of a run, in the order of the numbers in their names.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let problem = |error| Problem::of(folder, error, Status::Environment);
    let mut files = Vec::new();
    for name in tree::names(folder).map_err(problem)? {
        let path = folder.join(name);
        let is_trace = has_extension(&path, "trc") && first_part(&path) == Some("tautrace");
        if is_trace || has_extension(&path, "edf") && first_part(&path) == Some("events") {
            files.push(path);
        }
    }
    files.sort_by_cached_key(|path| (numbers(path), path.clone()));
    match files.iter().any(|path| has_extension(path, "trc")) {
        true => Ok(files),
        false => Err(Problem::of(folder, "expected files named tautrace.*.trc", Status::Usage)),
    }
}

/// Returns the event file of a trace: that of its node; else the only one, unless it is another
/// node's; else the one at the same position, if there are as many event files as traces; else that
/// of its node in the folder of the trace.
fn event_file(
    trace: &Path,
    number: usize,
    traces: usize,
    event_files: &[PathBuf],
) -> Result<PathBuf, Problem> {
    let of_node = name_of_event_file(trace);
    let folder = trace.parent().unwrap_or(Path::new(""));
    let is_of_node =
        |path: &&PathBuf| of_node.is_some() && path.file_name() == of_node.as_deref().map(OsStr::new);
    let is_of_run = |path: &PathBuf| of_node.is_some() && first_part(path) == Some("events");
    let candidates = || event_files.iter().filter(is_of_node);
    let found = candidates().find(|path| path.parent() == Some(folder)).or_else(|| candidates().next());
    match (found, event_files) {
        (Some(found), _) => return Ok(found.clone()),
        (None, [only]) if traces == 1 || !is_of_run(only) => return Ok(only.clone()),
        _ => {}
    }
    match event_files.get(number) {
        Some(found) if event_files.len() == traces && !is_of_run(found) => return Ok(found.clone()),
        _ => {}
    }
    let event_file = of_node.map(|name| folder.join(name)).filter(|path| path.is_file());
    event_file.ok_or_else(|| Problem::of(trace, "found no event file (*.edf) for this trace", Status::Usage))
}

/// Returns `events.<node>.edf` for `tautrace.<node>.<context>.<thread>.trc`.
fn name_of_event_file(trace: &Path) -> Option<String> {
    match (first_part(trace)?, numbers(trace).first()) {
        ("tautrace", Some(node)) => Some(format!("events.{node}.edf")),
        _ => None,
    }
}

fn first_part(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()?.split('.').next()
}

fn numbers(path: &Path) -> Vec<u64> {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    name.split('.').filter_map(|part| part.parse().ok()).collect()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}
