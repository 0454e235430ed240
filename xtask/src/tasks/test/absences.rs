//! The things that tests found missing on this machine: `kymo_testdata::missing` adds a line to the
//! file that [`VARIABLE`] names, with the missing thing, the test, and whether the test ran in
//! part.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

pub(super) const VARIABLE: &str = "KYMO_MISSING_LIST";

/// The tests that each missing thing cost.
#[derive(Debug, Default)]
pub(super) struct Absences(BTreeMap<String, BTreeSet<(String, bool)>>);

impl Absences {
    /// Adds the lines in the file of a test program, which does not exist if nothing was missing.
    /// Returns the tests that did not run at all.
    pub(super) fn add(&mut self, program: &str, list: &Path) -> BTreeSet<String> {
        let text = fs::read_to_string(list).unwrap_or_default();
        let mut without_a_run = BTreeSet::new();
        for line in text.lines() {
            let [what, test, part] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
            let ran = part != "none";
            self.0.entry(what.to_owned()).or_default().insert((format!("{program} {test}"), ran));
            if !ran {
                without_a_run.insert(test.to_owned());
            }
        }
        without_a_run
    }

    /// Returns a line for each missing thing.
    pub(super) fn lines(&self) -> Vec<String> {
        let line = |(what, tests): (&String, &BTreeSet<(String, bool)>)| {
            let (in_part, not_at_all): (Vec<_>, Vec<_>) = tests.iter().partition(|(_, ran)| *ran);
            format!("missing: {what}: {} tests not run, {} in part", not_at_all.len(), in_part.len())
        };
        self.0.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_missing_thing_is_one_line_with_the_number_of_tests() {
        let folder = tempfile::tempdir().expect("a folder");
        let list = folder.path().join("list");
        fs::write(&list, "strace\ta::one\tpartial\nstrace\ta::one\tpartial\ngfortran\tb\tnone\n")
            .expect("a list");
        let mut absences = Absences::default();
        assert_eq!(absences.add("kymo integration", &list), BTreeSet::from(["b".to_owned()]));
        absences.add("kymo kymo", &list);
        absences.add("kymo-tau integration", &folder.path().join("none"));
        let lines = absences.lines();
        assert_eq!(
            lines,
            ["missing: gfortran: 2 tests not run, 0 in part", "missing: strace: 0 tests not run, 2 in part"]
        );
    }
}
