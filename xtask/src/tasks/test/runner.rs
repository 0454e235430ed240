//! Runs test programs, two at a time: a program whose tests wait leaves a processor to the other.
//!
//! The output of a program is in a file until it ends. It is printed if a test failed.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::absences::{Absences, VARIABLE};
use super::hang;
use super::outcome::Outcome;
use crate::{Problem, of};

/// How many programs run at the same time.
const AT_A_TIME: usize = 2;

/// How long programs may be silent.
const SILENCE_LIMITS: SilenceLimits = SilenceLimits {
    before_a_hang: Duration::from_secs(15 * 60),
    before_the_end: Duration::from_secs(5 * 60),
};

/// A name and a command that runs tests.
pub(super) type Job = (String, Command);

/// The times without any output after which a program is ended. The longest test takes a minute
/// and a half alone.
#[derive(Clone, Copy, Debug)]
struct SilenceLimits {
    /// Until a test is taken to hang, and the processes that it has started are killed.
    before_a_hang: Duration,
    /// From then until the program itself is killed.
    before_the_end: Duration,
}

/// The reports of all programs.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) outcome: Outcome,
    /// The number of tests that could not run here.
    pub(super) not_run: usize,
    pub(super) absences: Absences,
}

/// Runs all programs, the first one alone, and prints a line for each as it ends.
pub(super) fn run(first: Option<Job>, jobs: Vec<Job>, logs: &Path) -> Result<Report, Problem> {
    let _ = fs::remove_dir_all(logs);
    fs::create_dir_all(logs).map_err(|error| of(logs, error))?;
    let (waiting, report) = (Mutex::new(VecDeque::from(jobs)), Mutex::new(Report::default()));
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let run_job = |(name, mut command): Job| -> Result<(), Problem> {
        let log = Log::new(logs, &name);
        let began = Instant::now();
        let end = log.run(&mut command, SILENCE_LIMITS)?;
        let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
        report.add(&name, &log, &end, began.elapsed());
        Ok(())
    };
    let work = || -> Result<(), Problem> {
        while let Some(job) = next() {
            run_job(job)?;
        }
        Ok(())
    };
    first.into_iter().try_for_each(run_job)?;
    thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_A_TIME).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a panic".to_owned())?)
    })?;
    Ok(report.into_inner().unwrap_or_else(PoisonError::into_inner))
}

impl Report {
    fn add(&mut self, name: &str, log: &Log, end: &str, time: Duration) {
        let output = log.read();
        let outcome = Outcome::of(&output);
        let without_a_run = self.absences.add(name, &log.absences);
        let mut outcome = outcome.unwrap_or_else(|| Outcome {
            failed: vec![format!("(the program itself: {end}){}", in_words(&Outcome::unfinished(&output)))],
            ..Outcome::default()
        });
        let count = outcome.failed.len();
        outcome.failed.retain(|test| !without_a_run.contains(test));
        self.not_run += count - outcome.failed.len();
        if !outcome.failed.is_empty() {
            println!("{output}");
        }
        let (passed, failed) = (outcome.passed, outcome.failed.len());
        println!("{passed:>5} passed, {failed} failed {:>6.1} s  {name}", time.as_secs_f64());
        for test in &mut outcome.failed {
            *test = format!("{name}: {test}");
        }
        self.outcome += outcome;
    }
}

fn in_words(tests: &[&str]) -> String {
    if tests.is_empty() { String::new() } else { format!(" in {}", tests.join(", ")) }
}

/// The files of a program.
#[derive(Debug)]
struct Log {
    output: PathBuf,
    absences: PathBuf,
}

impl Log {
    fn new(folder: &Path, name: &str) -> Self {
        let name = name.replace(' ', "-");
        Self { output: folder.join(format!("{name}.log")), absences: folder.join(format!("{name}.missing")) }
    }

    fn read(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.output).unwrap_or_default()).into_owned()
    }

    /// Runs a program to its end. Returns its exit status in words.
    fn run(&self, command: &mut Command, limits: SilenceLimits) -> Result<String, Problem> {
        let open = || File::create(&self.output).map_err(|error| of(&self.output, error));
        let output = open()?;
        let errors = output.try_clone().map_err(|error| of(&self.output, error))?;
        command.stdout(output).stderr(errors).env(VARIABLE, &self.absences);
        let mut child = command.spawn().map_err(|error| of(Path::new(command.get_program()), error))?;
        let (mut length, mut since) = (0, Instant::now());
        let mut next_report = limits.before_a_hang;
        loop {
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                return Ok(status.to_string());
            }
            let now = fs::metadata(&self.output).map_or(length, |it| it.len());
            if now != length {
                (length, since, next_report) = (now, Instant::now(), limits.before_a_hang);
            }
            if since.elapsed() >= next_report {
                self.report_hang(child.id(), since.elapsed());
                // A test may have started another process since then.
                next_report += limits.before_a_hang;
            }
            if since.elapsed() >= limits.before_a_hang + limits.before_the_end {
                let _ = child.kill();
                let _ = child.wait();
                return Ok(format!("killed after {} s without output", since.elapsed().as_secs()));
            }
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Reports tests that hang, and kills the processes for which they wait.
    fn report_hang(&self, program: u32, silence: Duration) {
        let output = self.read();
        let tests = in_words(&Outcome::unfinished(&output));
        println!("test: no output for {} s{tests}", silence.as_secs());
        println!("{}", hang::end_descendants(program));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::program;

    fn job(name: &str, script: &str) -> Job {
        let mut shell = program("sh");
        shell.args(["-c", script]);
        (name.to_owned(), shell)
    }

    const RESULT: &str = "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out";

    #[test]
    fn tests_that_could_not_run_do_not_fail() {
        let folder = tempfile::tempdir().expect("a folder");
        let failed = format!("printf '\\nfailures:\\n    a\\n    b\\n\\n{RESULT}\\n'; exit 101");
        let absent = format!("printf 'strace\\ta\\tnone\\n' > $KYMO_MISSING_LIST; {failed}");
        let jobs = vec![job("one", &absent), job("two", &failed), job("three", "kill -9 $$")];
        let report = run(None, jobs, &folder.path().join("logs")).expect("a report");
        let mut failed = report.outcome.failed;
        failed.sort();
        assert_eq!(
            failed,
            ["one: b", "three: (the program itself: signal: 9 (SIGKILL))", "two: a", "two: b"]
        );
        assert_eq!((report.outcome.passed, report.not_run), (2, 1));
        assert_eq!(report.absences.lines().len(), 1);
    }

    #[test]
    fn a_test_that_hangs_fails_and_those_after_it_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = Log::new(folder.path(), "one");
        let moment = Duration::from_millis(300);
        let limits = SilenceLimits { before_a_hang: moment, before_the_end: Duration::from_secs(60) };
        let script = "echo running 2 tests; sleep 600 || echo test a ... FAILED; echo test b ... ok";
        let end = log.run(&mut job("one", script).1, limits);
        assert_eq!(end.as_deref(), Ok("exit status: 0"));
        assert!(log.read().ends_with("test a ... FAILED\ntest b ... ok\n"), "{}", log.read());
    }

    #[test]
    fn a_program_that_hangs_by_itself_is_killed() {
        let folder = tempfile::tempdir().expect("a folder");
        let log = Log::new(folder.path(), "one");
        let limits = SilenceLimits { before_a_hang: Duration::ZERO, before_the_end: Duration::ZERO };
        let end = log.run(&mut job("one", "exec sleep 600").1, limits);
        assert!(end.is_ok_and(|it| it.starts_with("killed after ")));
    }
}
