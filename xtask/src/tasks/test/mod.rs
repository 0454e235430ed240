//! All tests, and the programs with which they compare: installed if possible, and reported if
//! missing.

mod absences;
mod hang;
mod needs;
mod outcome;
mod program;
mod quick;
mod runner;

use std::env;
use std::process::ExitStatus;
use std::time::Instant;

use clap::Args;

use crate::process::{cargo, run, script, target};
use crate::{Done, Problem, of, repository};
use absences::{Absences, VARIABLE};
use needs::Need;
use program::TestProgram;
use quick::Skipped;
use runner::{Job, Report};

/// The programs that take longest are started first.
const LONGEST: [&str; 4] =
    ["kymo integration", FAULTS, "kymo-runtime integration", "kymo-plugin-tests replays"];

/// The variable with the seed of random cases, and the seed: a commit that passed once passes
/// again. Their long forms have others each time.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "20261130");

/// The tests that need the plugin with deliberate faults.
const FAULTS: &str = "kymo-plugin-tests faults";

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Do not install what is missing
    #[arg(long)]
    no_install: bool,
    /// Leave out the tests that take long, for use between commits
    #[arg(long)]
    quick: bool,
    /// Arguments of cargo test, to run some tests and see what they print
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

impl Test {
    pub(crate) fn run(&self) -> Done {
        let mut missing = needs::missing();
        if !missing.is_empty() && !self.no_install {
            install(&missing);
            missing = needs::missing();
        }
        if !missing.is_empty() {
            let packages: Vec<_> = missing.iter().map(|need| need.packages).collect();
            eprintln!("test: missing Debian packages: {}", packages.join(" "));
        }
        if !missing.is_empty() && env::var_os("CI").is_some_and(|value| !value.is_empty()) {
            return Err("nothing may be missing if CI is set".to_owned());
        }
        if self.arguments.is_empty() { self.run_all() } else { self.run_some() }
    }

    /// Runs the tests that arguments of cargo select.
    fn run_some(&self) -> Done {
        let list = target()?.join("test-missing");
        let _ = std::fs::remove_file(&list);
        let status = self.cargo().env(VARIABLE, &list).status();
        let status: ExitStatus = status.map_err(|error| of(repository::root(), error))?;
        let mut absences = Absences::default();
        absences.add("", &list);
        absences.lines().iter().for_each(|line| println!("{line}"));
        if status.success() { Ok(()) } else { Err(format!("cargo test: {status}")) }
    }

    fn cargo(&self) -> std::process::Command {
        // Report all failures, not only the first.
        let mut cargo = cargo("test --no-fail-fast");
        if !selects_packages(&self.arguments) {
            cargo.arg("--workspace");
        }
        cargo.args(&self.arguments);
        cargo
    }

    fn run_all(&self) -> Done {
        let skipped: &[_] = if self.quick { quick::SKIPPED } else { &[] };
        println!("test: building the tests of all packages (4 to 8 minutes on two cores the first time)");
        let began = Instant::now();
        let built = target()?.join("test-built");
        let programs = program::build(&built)?;
        let all = programs.len();
        let mut documentation = skipped.is_empty().then(documentation);
        let mut jobs = jobs(programs, skipped)?;
        if jobs.iter().any(|(name, _)| name == FAULTS) {
            program::build_faulty_plugin(&built)?;
        }
        for (_, command) in documentation.iter_mut().chain(&mut jobs) {
            command.env("KYMO_BUILT", &built);
            if env::var_os(SEED.0).is_none() {
                command.env(SEED.0, SEED.1);
            }
        }
        println!(
            "test: built in {} s; running {}",
            began.elapsed().as_secs(),
            plan(jobs.len(), all, self.quick)
        );
        let began = Instant::now();
        let report = runner::run(documentation, jobs, &target()?.join("test-logs"))?;
        print_report(&report);
        let seconds = began.elapsed().as_secs();
        if !report.outcome.failed.is_empty() {
            return Err(format!("{} tests failed in {seconds} s", report.outcome.failed.len()));
        }
        let limited = if report.absences.lines().is_empty() { "" } else { ", as far as they could run here" };
        println!("test: all passed in {seconds} s{limited}");
        Ok(())
    }
}

fn plan(programs: usize, all: usize, quick: bool) -> String {
    if quick {
        return format!("{programs} of {all} test programs in part (3 minutes at most on two cores)");
    }
    format!("{programs} test programs (10 to 19 minutes on two cores; --quick takes 3)")
}

/// Returns the programs with tests that are not skipped.
fn jobs(mut programs: Vec<TestProgram>, skipped: &[Skipped]) -> Result<Vec<Job>, Problem> {
    let place = |program: &TestProgram| LONGEST.iter().position(|name| *name == program.name);
    programs.sort_by_key(|program| place(program).unwrap_or(LONGEST.len()));
    if let Some(it) = skipped.iter().find(|it| programs.iter().all(|program| program.name != it.program)) {
        return Err(format!("quick.rs: there is no test program {}", it.program));
    }
    let mut jobs = Vec::new();
    for program in programs {
        let of_this: Vec<_> = skipped.iter().filter(|it| it.program == program.name).collect();
        if of_this.iter().any(|it| it.tests.is_empty()) {
            continue;
        }
        let tests: Vec<_> = of_this.iter().flat_map(|it| it.tests).copied().collect();
        if !tests.is_empty()
            && let Some(name) = program.unknown(&tests)?.first()
        {
            return Err(format!("quick.rs: {} has no test {name}", program.name));
        }
        jobs.push((program.name.clone(), program.command(&tests)));
    }
    Ok(jobs)
}

/// Returns the job of the examples in documentation. It runs alone: cargo replaces programs that
/// it takes to be old, and a test that starts one at that moment does not find it.
fn documentation() -> Job {
    ("documentation".to_owned(), cargo("test --workspace --locked --doc --no-fail-fast"))
}

fn print_report(report: &Report) {
    let outcome = &report.outcome;
    report.absences.lines().iter().for_each(|line| println!("{line}"));
    outcome.failed.iter().for_each(|name| println!("failed: {name}"));
    let skipped = outcome.skipped + report.not_run;
    println!("{} passed, {} failed, {skipped} skipped", outcome.passed, outcome.failed.len());
}

/// Returns whether arguments of cargo select packages. Those after `--` are for the tests.
fn selects_packages(arguments: &[String]) -> bool {
    let mut own = arguments.iter().take_while(|argument| *argument != "--");
    own.any(|argument| argument.starts_with("-p") || argument.starts_with("--package"))
}

/// Installs Debian packages. A failure is not the end: packages that are still missing are
/// reported.
fn install(missing: &[&Need]) {
    let packages = missing.iter().flat_map(|need| need.packages.split(' '));
    if let Err(problem) = run(script("scripts/install").args(packages)) {
        eprintln!("test: {problem}");
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::process::{output, program};

    #[test]
    fn all_packages_are_tested_unless_some_are_selected() {
        let command = |arguments: &[&str]| {
            let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
            let command = Test { no_install: true, quick: false, arguments }.cargo();
            command.get_args().map(|it| it.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(command(&["--locked"]), "test --no-fail-fast --workspace --locked");
        assert_eq!(command(&["--", "--package"]), "test --no-fail-fast --workspace -- --package");
        assert_eq!(command(&["-p", "kymo", "merge"]), "test --no-fail-fast -p kymo merge");
        assert_eq!(command(&["--package=kymo"]), "test --no-fail-fast --package=kymo");
    }

    /// Returns the files in the folder of a list that neither the list nor the manifest names.
    fn forgotten(list: &Path) -> Vec<PathBuf> {
        let folder = list.parent().expect("a folder");
        let manifest = fs::read_to_string(folder.with_file_name("Cargo.toml")).expect("a manifest");
        let modules = fs::read_to_string(list).expect("a list");
        let is_named = |path: &PathBuf| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            modules.contains(&format!("\nmod {name};\n"))
                || manifest.contains(&format!("name = \"{name}\"\n"))
        };
        let paths = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        paths.filter(|path| path.extension().is_some_and(|it| it == "rs") && !is_named(path)).collect()
    }

    /// Without `autotests`, cargo does not report a file that no test program includes.
    #[test]
    fn every_file_with_tests_belongs_to_a_test_program() {
        let lists = output(program("git").args(["ls-files", "*/tests/integration.rs"])).expect("the files");
        let lists: Vec<_> = lists.lines().map(|list| repository::root().join(list)).collect();
        assert!(lists.len() > 5, "{lists:?}");
        assert_eq!(lists.iter().flat_map(|list| forgotten(list)).collect::<Vec<_>>(), [] as [PathBuf; 0]);
    }
}
