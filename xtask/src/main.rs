//! `cargo xtask <task>`: tasks in the repository that take more than one call of cargo.

#![forbid(unsafe_code)]

mod build;
mod files;
mod manifest;
mod repository;
mod texts;

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser};

/// Tasks of the repository
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Build everything and install it in a folder: bin, lib, include, share
    Install(Install),
    /// Remove the files that install has put there
    Uninstall(Prefix),
    /// Check comments and documents: English, width, citations
    Texts,
}

#[derive(Debug, Args)]
struct Prefix {
    /// The folder, for example ~/.local or /usr/local
    #[arg(long, value_name = "DIR")]
    prefix: PathBuf,
}

#[derive(Debug, Args)]
struct Install {
    #[command(flatten)]
    prefix: Prefix,
    /// The cargo profile to build with
    #[arg(long, default_value = "release", value_name = "NAME")]
    profile: String,
}

/// The reason why a task failed.
type Problem = String;

/// Returns the message for an error with a file.
fn of(path: &Path, error: impl Display) -> Problem {
    format!("{}: {error}", path.display())
}

fn main() -> ExitCode {
    let done = match Task::parse() {
        Task::Install(install) => install.run(),
        Task::Uninstall(Prefix { prefix }) => manifest::uninstall(&prefix),
        Task::Texts => texts::check(),
    };
    match done {
        Ok(message) => {
            println!("{message}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}

impl Install {
    fn run(&self) -> Result<String, Problem> {
        let built = build::build(&self.profile)?;
        let files = files::all(&built)?;
        // The paths that are shown and searched must be valid in any working directory.
        let prefix =
            std::path::absolute(&self.prefix.prefix).map_err(|error| of(&self.prefix.prefix, error))?;
        manifest::install(&prefix, &files)?;
        Ok(summary(&prefix, files.len()))
    }
}

fn summary(prefix: &Path, files: usize) -> String {
    let shown = prefix.display();
    format!(
        "{files} files installed in {shown}. Try it:\n    {shown}/bin/kymo record -- ls\n\
         With Score-P: export LD_LIBRARY_PATH={shown}/lib SCOREP_SUBSTRATE_PLUGINS=kymo\n\
         Without it: {shown}/bin in PATH; cc -I {shown}/include for <kymo/user.h>"
    )
}
