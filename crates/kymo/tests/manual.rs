//! The manual pages in the repository are those that the command prints, and completions contain
//! all verbs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn kymo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kymo")).args(arguments).output().expect("running kymo");
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/man").join(name)
}

/// Returns the verbs that the help lists.
fn verbs() -> Vec<String> {
    let help = kymo(&["--help"]);
    let (_, list) = help.split_once("Commands:\n").expect("a list of verbs");
    let list = list.split("\n\n").next().unwrap_or_default();
    let verbs = list.lines().filter_map(|line| line.split_whitespace().next());
    verbs.filter(|&verb| verb != "help").map(str::to_owned).collect()
}

/// With the variable `KYMO_UPDATE_MANUAL`, this writes the pages instead.
#[test]
fn manual_pages_are_up_to_date() {
    let verbs = verbs();
    assert!(verbs.iter().any(|verb| verb == "print"), "{verbs:?}");
    let mut pages = vec![("kymo.1".to_owned(), kymo(&["man"]))];
    pages.extend(verbs.iter().map(|verb| (format!("kymo-{verb}.1"), kymo(&["man", verb]))));
    for (name, text) in &pages {
        let path = page(name);
        if env::var_os("KYMO_UPDATE_MANUAL").is_some() {
            fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(found == *text, "{} is out of date; KYMO_UPDATE_MANUAL=1 rewrites it", path.display());
    }
    let files = fs::read_dir(page("")).expect("the folder of the pages").count();
    assert_eq!(files, pages.len(), "docs/man has pages of verbs that do not exist");
}

/// The command accepts the examples of the pages.
#[test]
fn examples_are_valid_command_lines() {
    for verb in verbs() {
        let page = kymo(&["man", &verb]).replace(r"\-", "-");
        let (_, examples) = page.split_once(".SH EXAMPLES\n").expect("examples");
        let lines = examples.lines().filter_map(|line| line.strip_prefix(r"\fBkymo ")?.strip_suffix(r"\fR"));
        for line in lines {
            let words: Vec<&str> =
                line.split(['|', '<']).next().unwrap_or_default().trim_end().split(' ').collect();
            let folder = tempfile::tempdir().expect("a folder");
            let mut command = Command::new(env!("CARGO_BIN_EXE_kymo"));
            let output = command.args(&words).current_dir(&folder).output().expect("running kymo");
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(!stderr.contains("Try 'kymo"), "{line}: {stderr}");
        }
    }
}

#[test]
fn every_page_has_its_sections() {
    for verb in verbs() {
        let page = kymo(&["man", &verb]);
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "VERSION"] {
            assert_eq!(page.matches(&format!("\n.SH {section}\n")).count(), 1, "{verb}: {section}");
        }
        let (_, synopsis) = page.split_once(".SH SYNOPSIS\n").expect("a synopsis");
        assert!(synopsis.starts_with(&format!("kymo {verb} ")), "{synopsis}");
    }
}

#[test]
fn manual_of_an_unknown_verb() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_kymo")).args(["man", "nothing"]).output().expect("running kymo");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "kymo: unrecognized verb 'nothing'\n");
}

#[test]
fn completions_contain_all_verbs_and_their_options() {
    for shell in ["bash", "zsh", "fish"] {
        let script = kymo(&["completions", shell]);
        for expected in verbs().iter().map(String::as_str).chain(["show-all", "explain"]) {
            assert!(script.contains(expected), "{shell}: no `{expected}`");
        }
    }
}
