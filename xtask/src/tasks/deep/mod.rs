//! Everything that is checked once for a change that is complete, not for each commit: other
//! toolchains and machines, interpreters and sanitizers, fuzzing, packages, and the long forms of
//! tests.
//!
//! Each step is another task, whose output is in `target/deep/STEP.log`. A step that passed on a
//! commit is not repeated on it.

mod step;

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use clap::Args;

use crate::process::{output, print_machine, program, run, script, target};
use crate::{Done, Problem, of};
use step::{Ended, STEPS, Step};

#[derive(Debug, Args)]
pub(crate) struct Deep {
    /// The steps; all by default
    steps: Vec<String>,
    /// Print the steps and what they do
    #[arg(long)]
    list: bool,
    /// Repeat the steps that passed on this commit
    #[arg(long)]
    again: bool,
    /// Do not install Debian packages
    #[arg(long)]
    no_install: bool,
    /// How many steps run at the same time
    #[arg(long, default_value_t = 2, value_name = "N")]
    jobs: usize,
}

impl Deep {
    pub(crate) fn run(&self) -> Done {
        let steps = self.selected()?;
        if self.list {
            steps.iter().for_each(|step| println!("{:<16}{}", step.name, step.about));
            return Ok(());
        }
        if !self.no_install {
            let packages = steps.iter().flat_map(|step| step.packages.split_whitespace());
            run(script("scripts/install").args(packages))?;
        }
        let folder = target()?.join("deep");
        fs::create_dir_all(&folder).map_err(|error| of(&folder, error))?;
        let commit = commit()?;
        let waiting = steps.iter().copied().filter(|step| self.again || !step.has_passed(&folder, &commit));
        self.run_all(waiting.collect(), &folder, &commit)?;
        print_machine()?;
        print_table(&steps, &folder, &commit)
    }

    fn selected(&self) -> Result<Vec<&'static Step>, Problem> {
        let find = |name: &String| {
            let step = STEPS.iter().find(|step| step.name == *name);
            step.ok_or_else(|| format!("no step {name}; cargo xtask deep --list prints all"))
        };
        if self.steps.is_empty() { Ok(STEPS.iter().collect()) } else { self.steps.iter().map(find).collect() }
    }

    fn run_all(&self, steps: VecDeque<&Step>, folder: &Path, commit: &str) -> Done {
        let waiting = Mutex::new(steps);
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let work = || -> Done {
            while let Some(step) = next() {
                println!("deep: {} begins: {}", step.name, step.log(folder).display());
                let ended = step.run(folder, commit)?;
                println!("deep: {} {ended}", step.name);
            }
            Ok(())
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.jobs.max(1)).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a panic".to_owned())?)
        })
    }
}

/// Returns the commit, or an empty string if there are changes on top of it: results for them
/// cannot be kept.
fn commit() -> Result<String, Problem> {
    let changes = output(program("git").args(["status", "--porcelain"]))?;
    if !changes.is_empty() {
        return Ok(String::new());
    }
    Ok(output(program("git").args(["rev-parse", "HEAD"]))?.trim().to_owned())
}

fn print_table(steps: &[&Step], folder: &Path, commit: &str) -> Done {
    println!("| step | minutes | result |\n| --- | ---: | --- |");
    let mut failed = Vec::new();
    for step in steps {
        let Some(ended) = Ended::read(&step.result(folder), commit) else {
            println!("| {} | | not run |", step.name);
            continue;
        };
        println!("| {} | {:.1} | {} |", step.name, ended.seconds as f64 / 60.0, ended.word());
        if !ended.passed {
            failed.push(step.log(folder));
        }
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("{} steps failed: {}", failed.len(), shown(&failed))),
    }
}

fn shown(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" ")
}
