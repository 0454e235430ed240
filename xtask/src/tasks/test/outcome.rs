//! The report of a test program: the numbers of tests, and the names of those that failed.

use std::ops::AddAssign;

/// The tests of one or several programs.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) passed: usize,
    /// The tests that failed.
    pub(super) failed: Vec<String>,
    /// The number of tests that `--skip` left out.
    pub(super) skipped: usize,
}

impl AddAssign for Outcome {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed.extend(other.failed);
        self.skipped += other.skipped;
    }
}

impl Outcome {
    /// Reads the output of a test program, or of several in sequence. Returns `None` if a program
    /// ended before its result.
    pub(super) fn of(output: &str) -> Option<Self> {
        let results: Vec<_> = output.lines().filter_map(result).collect();
        let started = output.lines().filter(|line| is_start(line)).count();
        if results.is_empty() || results.len() < started {
            return None;
        }
        let mut all = Self::default();
        for result in results {
            all += result;
        }
        all.failed = failed(output);
        Some(all)
    }

    /// Returns the tests that began a minute before and have no result.
    pub(super) fn unfinished(output: &str) -> Vec<&str> {
        let tests = |of: &str| {
            let lines = output.lines().filter_map(|line| line.strip_prefix("test ")?.split_once(of));
            lines.map(|(name, _)| name).collect::<Vec<_>>()
        };
        let ended = tests(" ... ");
        let mut long = tests(" has been running for over ");
        long.retain(|name| !ended.contains(name));
        long
    }
}

/// Returns whether a line is `running 3 tests`.
fn is_start(line: &str) -> bool {
    line.strip_prefix("running ").is_some_and(|rest| rest.ends_with(" tests") || rest.ends_with(" test"))
}

/// Reads `test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out; …`.
fn result(line: &str) -> Option<Outcome> {
    let (_, numbers) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let number = |of: &str| numbers.split("; ").find_map(|it| it.strip_suffix(of)?.trim().parse().ok());
    Some(Outcome { passed: number("passed")?, failed: Vec::new(), skipped: number("filtered out")? })
}

/// Returns the names in the lists that follow the last `failures:` of each program.
fn failed(output: &str) -> Vec<String> {
    let ends = output.split("\ntest result: FAILED").collect::<Vec<_>>();
    let reports = ends.iter().take(ends.len().saturating_sub(1));
    let lists = reports.filter_map(|report| report.rsplit_once("\nfailures:\n").map(|(_, list)| list));
    let names = lists.flat_map(|list| list.lines().map(str::trim).take_while(|name| !name.is_empty()));
    names.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSED: &str = "\nrunning 2 tests\n..\n\
        test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 5 filtered out; finished in 0.01s\n\n";
    const FAILED: &str = "\nrunning 3 tests\ntest a ... ok\n\nfailures:\n\n---- b stdout ----\nfailures:\n    no\n\n\
        failures:\n    b\n    m::c\n\n\
        test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\n";

    #[test]
    fn outcomes_of_several_programs_are_added() {
        let outcome = Outcome::of(&[PASSED, FAILED, PASSED].concat()).expect("results");
        assert_eq!(outcome.passed, 5);
        assert_eq!(outcome.failed, ["b", "m::c"]);
        assert_eq!(outcome.skipped, 10);
    }

    #[test]
    fn tests_without_a_result_are_named() {
        let output = "test a has been running for over 60 seconds\ntest b ... ok\n\
            test c has been running for over 60 seconds\ntest c ... ok\n";
        assert_eq!(Outcome::unfinished(output), ["a"]);
    }

    #[test]
    fn a_program_that_ends_early_has_no_outcome() {
        assert_eq!(Outcome::of(""), None);
        assert_eq!(Outcome::of("running 1 test\n"), None);
        assert_eq!(Outcome::of(&[PASSED, "running 1 test\nSegmentation fault\n"].concat()), None);
    }
}
