//! The final lines on standard error: where the archive is, the next steps, and missing data.

use std::path::Path;

use kymo_launch::is_launcher;
use kymo_symbols::Executable;

use super::content::Content;
use super::environment::has_kymo;
use super::experiment::{CutOff, Outcome};
use super::hints::{Abilities, HOW, NO_REGIONS, images, unseen_locks};
use super::program::Program;
use super::{Arguments, RecordModule};
use crate::output::{complain, inform, quoted};

/// The program that was run, and how.
#[derive(Clone, Copy)]
pub(super) struct Measured<'a> {
    pub(super) program: &'a Program,
    pub(super) arguments: &'a Arguments,
    /// Whether this process prints remarks about the program. In a job, one rank does.
    pub(super) speaks: bool,
}

/// How the program ended.
#[derive(Debug, Default, Clone)]
pub(super) struct ExitSummary {
    /// The signal that ended it and, in a job, the rank.
    pub(super) signal: Option<(Option<u32>, i32)>,
    /// Whether some processes are still running.
    pub(super) is_early: bool,
}

fn why_nothing(program: &str) -> String {
    if is_launcher(program.as_bytes()) {
        return format!("{program} only launches programs, and these had nothing to record");
    }
    "the runtime did not start to measure".to_owned()
}

/// Reports the result of a measurement in this folder. Returns whether anything was recorded.
pub(super) fn report_result(
    folder: &Path,
    outcome: &Outcome,
    end: &ExitSummary,
    measured: &Measured<'_>,
) -> bool {
    if let Some(archive) = &outcome.archive {
        report_archive(archive, outcome, end, measured);
        if measured.speaks && outcome.cut_off.processes == 0 {
            report_no_openmp(archive, measured);
        }
    }
    report_no_archive(
        outcome.empty,
        if outcome.cut_off.processes == 0 { signal(end) } else { String::new() },
    );
    let folder = quoted(folder);
    if end.is_early {
        complain("some processes are still running; they are not in the archive");
        complain(&format!("to add them after they have ended: kymo recover {folder}"));
    }
    if outcome.is_full {
        let where_to =
            if outcome.archive.is_some() { "not all of it is in the archive" } else { "there is no archive" };
        complain(&format!(
            "the disk is full: what was recorded is kept, but {where_to}; make room, then run: kymo recover {folder}"
        ));
    } else if outcome.is_partial {
        complain("some recorded data is not in the archive; to recover it:");
        complain(&format!("  kymo recover {folder}"));
    }
    if outcome.archive.is_none() && outcome.parts == outcome.empty {
        if outcome.parts == 0 {
            complain(&format!("nothing was recorded: {}", why_nothing(&measured.program.short_name())));
        }
        return false;
    }
    if !has_kymo() {
        complain(&format!("the output of the plugins is in {folder}"));
    }
    true
}

/// Returns the signal that ended the program, in parentheses.
fn signal(end: &ExitSummary) -> String {
    match end.signal {
        None => String::new(),
        Some((None, signal)) => format!(" (signal {signal} ended the program)"),
        Some((Some(rank), signal)) => format!(" (signal {signal} ended rank {rank})"),
    }
}

fn report_no_archive(processes: usize, why: String) {
    match processes {
        0 => {}
        1 => complain(&format!("1 process recorded nothing{why}")),
        count => complain(&format!("{count} processes recorded nothing{why}")),
    }
}

/// Describes processes that were cut off; it follows the counts.
fn cut_off(cut: &CutOff, end: &ExitSummary) -> String {
    let why = signal(end);
    let mut text = match cut.processes {
        0 => return String::new(),
        1 => format!("; 1 process was cut off before its end{why}"),
        count => format!("; {count} processes were cut off before their end{why}"),
    };
    if cut.closed > 0 {
        text += &format!(", {} closed", many(cut.closed, "open region"));
    }
    if cut.lost > 0 {
        text += &format!(", {} lost", many(cut.lost, "event"));
    }
    text
}

/// Describes ranks without data; it follows the counts.
fn absent(outcome: &Outcome) -> String {
    match &outcome.absent[..] {
        [] => String::new(),
        [rank] => format!("; rank {rank} of {} has not started", outcome.size),
        ranks => format!("; {} of {} ranks have not started", ranks.len(), outcome.size),
    }
}

pub(super) fn many(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Reports that a program uses OpenMP, but that no parallel region was recorded.
fn report_no_openmp(archive: &Path, measured: &Measured<'_>) {
    let arguments = measured.arguments;
    let runtime =
        arguments.records(RecordModule::Openmp).then(|| arguments.openmp(measured.program)).flatten();
    let Some(runtime) = runtime else { return };
    if Content::read(archive).is_some_and(|content| !content.has_regions()) {
        inform(&format!("{runtime}; no parallel region was recorded"));
    }
}

fn report_archive(archive: &Path, outcome: &Outcome, end: &ExitSummary, measured: &Measured<'_>) {
    let (path, cut) = (archive.display(), &outcome.cut_off);
    let counts = Content::read(archive);
    let what = counts.as_ref().map(|counts| format!(": {counts}")).unwrap_or_default();
    inform(&format!("recorded {path}{what}{}{}", cut_off(cut, end), absent(outcome)));
    let lost = counts.as_ref().map_or(0, |counts| counts.lost);
    if lost > 0 {
        complain(&format!("{} lost; for details: kymo check {}", many(lost, "event"), quoted(archive)));
    }
    if counts.as_ref().is_some_and(Content::is_bare) && cut.processes == 0 {
        return report_nothing_recorded(measured);
    }
    let has_threads = counts.as_ref().is_some_and(Content::has_threads);
    let records = |what| measured.arguments.records(what);
    if has_threads
        && records(RecordModule::Threads)
        && let Some(line) = unseen_locks(measured.program, records(RecordModule::Waiting))
    {
        inform(&line);
    }
    let quoted = quoted(archive);
    if counts.as_ref().is_some_and(|counts| counts.has_samples) {
        inform(&format!("to see where the time goes, by samples: kymo profile {quoted}"));
    }
    inform(&format!(
        "to print it: kymo print {quoted} (or otf2-print); to view it: kymo view {quoted}; to explain it: \
         kymo explain {quoted}"
    ));
    let abilities = Abilities::of(&images(measured.program));
    if abilities.lacks_names {
        inform(
            "functions without names: the program was stripped; link it without -s, or install its debug \
             symbols",
        );
    } else if abilities.lacks_lines {
        inform("functions without source lines: compile with -g");
    }
}

/// Reports that the program ran, but that hardly anything was recorded.
fn report_nothing_recorded(measured: &Measured<'_>) {
    if measured.arguments.records_no_regions() {
        return inform(NO_REGIONS);
    }
    let abilities = Abilities::of(&images(measured.program));
    let is_go = Executable::read(&measured.program.image)
        .is_ok_and(|image| image.language_with_own_locks() == Some("Go"));
    let is_sampled = measured.arguments.is_default() && !abilities.has_functions && !is_go;
    let what = match (abilities.are_none(), abilities.has_own_hook) {
        (true, _) if is_sampled => {
            "no samples were taken (they are every millisecond of CPU time), and the program has no \
             instrumented functions, no user regions, no threads and no MPI"
        }
        (_, true) => "the program defines __cyg_profile_func_enter itself, so functions are not recorded",
        (true, false) => "the program has no instrumented functions, no user regions, no threads and no MPI",
        (false, false) => "none of the events to record occurred",
    };
    inform(&format!("there is little to see: {what}. To get more:"));
    HOW.iter().for_each(|how| inform(&format!("  {how}")));
}
