//! The outcome of a run, as a user sees it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::process::{output, program};
use crate::{Problem, of};

/// The parts of a result. A part that is absent differs between runs of the program.
#[derive(Debug)]
pub(super) struct Outcome(BTreeMap<&'static str, Option<String>>);

impl Outcome {
    /// Runs a command whose files are in a folder. Messages of `kymo` are not the program's.
    pub(super) fn of(command: &mut Command, folder: &Path) -> Result<Self, Problem> {
        let name = command.get_program().to_owned();
        let run = command.stdin(Stdio::null()).output();
        let run = run.map_err(|error| of(name.as_ref(), error))?;
        let messages = String::from_utf8_lossy(&run.stderr).into_owned();
        let messages: String = messages
            .lines()
            .filter(|line| !line.starts_with("kymo: "))
            .map(|line| format!("{line}\n"))
            .collect();
        Ok(Self(BTreeMap::from([
            ("exit status", Some(run.status.to_string())),
            ("output", Some(String::from_utf8_lossy(&run.stdout).into_owned())),
            ("messages", Some(messages)),
            ("files", Some(files(folder)?)),
        ])))
    }

    /// Keeps the parts in which another run of the same command agrees.
    pub(super) fn keep_common(&mut self, other: &Self) {
        for (name, part) in &mut self.0 {
            if *part != other.0[name] {
                *part = None;
            }
        }
    }

    /// Returns the names of the parts that differ between runs.
    pub(super) fn varying(&self) -> Option<String> {
        let names: Vec<_> = self.0.iter().filter(|(_, part)| part.is_none()).map(|(name, _)| *name).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// Returns the differences of another run.
    pub(super) fn differences(&self, other: &Self) -> Vec<String> {
        let parts = self.0.iter().filter_map(|(name, part)| Some((name, part.as_deref()?)));
        let pairs = parts.map(|(name, part)| (name, part, other.0[name].as_deref().unwrap_or_default()));
        let different = pairs.filter(|(_, expected, found)| expected != found);
        different
            .map(|(name, expected, found)| format!("{name}: {}", first_difference(expected, found)))
            .collect()
    }
}

/// Returns the first lines that differ.
fn first_difference(expected: &str, found: &str) -> String {
    let (mut expected, mut found) = (expected.lines(), found.lines());
    loop {
        match (expected.next(), found.next()) {
            (Some(one), Some(other)) if one == other => {}
            (one, other) => return format!("expected {one:?}, found {other:?}"),
        }
    }
}

/// Returns the checksums of all files; of those in `tmp`, which is the program's own, nothing.
fn files(folder: &Path) -> Result<String, Problem> {
    let line = "find . -path ./tmp -prune -o -path '*/.git' -prune -o -type f -exec cksum {} + | sort -k 3";
    output(program("sh").args(["-c", line]).current_dir(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(line: &str) -> Outcome {
        let folder = tempfile::tempdir().expect("a folder");
        Outcome::of(program("sh").args(["-c", line]).current_dir(&folder), folder.path()).expect("a shell")
    }

    #[test]
    fn each_part_is_compared() {
        let plain = outcome("echo one; echo two >&2; echo three >file; exit 4");
        assert_eq!(plain.differences(&outcome("echo one; echo two >&2; echo three >file; exit 4")), [""; 0]);
        let expected = ["exit status", "files", "messages", "output"];
        let found = plain.differences(&outcome("echo 1; echo 2 >&2; echo 3 >file"));
        assert!(found.iter().zip(expected).all(|(it, name)| it.starts_with(name)), "{found:?}");
        assert_eq!(found.len(), 4);
        assert_eq!(found[3], r#"output: expected Some("one"), found Some("1")"#);
    }

    #[test]
    fn messages_of_kymo_are_not_the_programs() {
        let plain = outcome("echo mine >&2");
        assert_eq!(plain.differences(&outcome("echo mine >&2; echo kymo: recorded >&2")), [""; 0]);
        assert_eq!(plain.differences(&outcome("echo mine >&2; echo not kymo: >&2")).len(), 1);
    }

    #[test]
    fn what_differs_by_itself_is_not_compared() {
        let mut plain = outcome("echo 1; exit 2");
        assert_eq!(plain.varying(), None);
        plain.keep_common(&outcome("echo 2; exit 2"));
        assert_eq!(plain.varying().as_deref(), Some("output"));
        assert_eq!(plain.differences(&outcome("echo 3; exit 2")), [""; 0]);
        assert_eq!(plain.differences(&outcome("echo 3; exit 3")).len(), 1);
    }
}
