//! The pages in `docs/questions`: every command prints the output on the page.
//!
//! A block of code with a line `$ COMMAND` is a shell script whose output follows each command.
//! `KYMO_UPDATE_QUESTIONS=1` writes the output to the pages.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use kymo_analysis::findings::Findings;
use serde_json::Value;
use tempfile::TempDir;

use crate::check_common::kymo;
use crate::{judges, python_package};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns a folder in which the commands of a page run, with the traces and nothing else.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    symlink(root().join("testing"), folder.path().join("testing")).unwrap();
    folder
}

/// Returns the search path of commands, with `kymo` first.
fn search_path() -> String {
    let kymo = Path::new(env!("CARGO_BIN_EXE_kymo")).parent().unwrap();
    format!("{}:{}", kymo.display(), env::var("PATH").unwrap())
}

/// Returns the output of a command, as lines of a block.
fn run(command: &str, folder: &Path) -> Vec<String> {
    let output =
        Command::new("sh").arg("-c").arg(command).current_dir(folder).env("PATH", search_path()).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).unwrap();
    let line = |line: &str| if line.is_empty() { String::new() } else { format!("    {line}") };
    let mut lines: Vec<_> = text.lines().map(line).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// Returns a page with the output of its commands.
fn printed(page: &str) -> String {
    let folder = folder();
    let (mut text, mut is_output) = (String::new(), false);
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(command) = line.strip_prefix("    $ ") {
            text += &format!("{line}\n");
            for line in run(command, folder.path()) {
                text += &format!("{line}\n");
            }
            is_output = true;
            continue;
        }
        // Output has indented and empty lines; it ends where text follows an empty line.
        let is_inside = line.starts_with("    ")
            || (line.is_empty()
                && lines
                    .clone()
                    .find(|it| !it.is_empty())
                    .is_some_and(|it| it.starts_with("    ") && !it.starts_with("    $ ")));
        if !(is_output && is_inside) {
            is_output = false;
            text += &format!("{line}\n");
        }
    }
    text
}

/// Returns the pages in a folder.
fn pages(folder: &str) -> impl Iterator<Item = PathBuf> {
    let files = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|it| it == "md"))
}

#[test]
fn each_finding_has_a_page_and_a_trace_that_shows_it() {
    for rule in Findings::RULES {
        let page = fs::read_to_string(root().join(page_of(rule))).unwrap();
        assert!(page.lines().next().unwrap().ends_with(&format!(": `{rule}`")), "{rule}");
        let trace = root().join(format!("testing/data/findings/{rule}"));
        let output = kymo().args(["explain", "--format", "json"]).arg(&trace).output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut rules = answer["findings"].as_array().unwrap().iter().map(|it| &it["rule"]);
        assert!(rules.any(|it| it == rule), "{rule}");
    }
    assert_eq!(pages("docs/questions/findings").count(), Findings::RULES.len());
}

/// Returns the page of a rule.
fn page_of(rule: &str) -> String {
    format!("docs/questions/findings/{}.md", rule.replace('_', "-"))
}

#[test]
fn the_commands_of_the_pages_print_what_the_pages_state() {
    let mut number = 0;
    for entry in pages("docs/questions").chain(pages("docs/questions/findings")) {
        let page = fs::read_to_string(&entry).unwrap();
        if page.contains("| python3 ") && !kymo_testdata::is_installed("python3") {
            continue;
        }
        let printed = printed(&page);
        number += printed.matches("    $ kymo").count();
        if env::var_os("KYMO_UPDATE_QUESTIONS").is_some() {
            fs::write(&entry, &printed).unwrap();
        } else {
            assert!(
                page == printed,
                "{}: run the tests with KYMO_UPDATE_QUESTIONS=1\n{printed}",
                entry.display()
            );
        }
    }
    assert!(number > 30, "{number}");
}

/// Returns the notebooks.
fn notebooks() -> Vec<PathBuf> {
    let folders = ["docs/questions", "docs/questions/python"];
    let files = folders.iter().flat_map(|folder| fs::read_dir(root().join(folder)).unwrap());
    let paths = files.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|it| it == "ipynb")).collect()
}

/// Runs the cells of each notebook in one Python, and compares their output.
#[test]
fn the_cells_of_the_notebooks_print_what_they_state() {
    let Some(python) = judges::python() else { return };
    let package = TempDir::new().unwrap();
    python_package::install(package.path());
    let notebooks = notebooks();
    assert!(notebooks.len() > 5);
    for path in notebooks {
        let folder = folder();
        let mut judge = python_package::python_with_package(python, package.path());
        let script = judges::script("notebook.py");
        let output = judge.arg(script).arg(&path).current_dir(folder.path()).output().unwrap();
        let name = path.display();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let printed: Vec<String> = serde_json::from_slice(&output.stdout).unwrap();
        let notebook = fs::read_to_string(&path).unwrap();
        let mut notebook: Value = serde_json::from_str(&notebook).unwrap();
        let cells = notebook["cells"].as_array_mut().unwrap().iter_mut();
        let mut cells: Vec<_> = cells.filter(|cell| cell["cell_type"] == "code").collect();
        assert!(printed.len() == cells.len() && cells.len() > 1, "{name}");
        let is_update = env::var_os("KYMO_UPDATE_QUESTIONS").is_some();
        for (cell, text) in cells.iter_mut().zip(printed) {
            let stream =
                serde_json::json!({ "name": "stdout", "output_type": "stream", "text": lines(&text) });
            let outputs: Value = if text.is_empty() { vec![] } else { vec![stream] }.into();
            match is_update {
                true => cell["outputs"] = outputs,
                false => {
                    assert_eq!(cell["outputs"], outputs, "{name}: run the tests with KYMO_UPDATE_QUESTIONS=1")
                }
            }
        }
        if is_update {
            fs::write(&path, serde_json::to_string_pretty(&notebook).unwrap() + "\n").unwrap();
        }
    }
}

/// Returns a text as notebooks store it.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}
