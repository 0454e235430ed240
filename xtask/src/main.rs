//! `cargo xtask <task>`: tasks in the repository that take more than one call of cargo.

#![forbid(unsafe_code)]

mod installation;
mod problem;
mod process;
mod repository;
mod symbols;
mod tasks;

use std::process::ExitCode;

use clap::Parser;

use problem::{Done, Problem, of};
use tasks::*;

/// Tasks of the repository
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Run every check that a commit must pass (.ci/run)
    Ci,
    /// Run everything else: other toolchains, sanitizers, fuzzing, packages, long forms of tests
    Deep(deep::Deep),
    /// Run all tests, or those that the arguments of cargo test select
    Test(test::Test),
    /// Check format, lints and texts
    Lint(lint::Lint),
    /// Build and test with features on and off
    Features(features::Features),
    /// Check with the oldest Rust that is supported
    Msrv,
    /// Build the documentation of all items without a warning
    Doc,
    /// Make the archives that users receive, in target/dist (python3)
    Release(release::Release),
    /// Run the long forms of tests
    Long(long::Long),
    /// Check licences and sources of dependencies with cargo-deny
    Licences(licences::Licences),
    /// Make the packages for crates.io
    Packages(packages::Packages),
    /// Use such an archive as a new user, in the bare root of an old Debian (mmdebstrap)
    Trial(trial::Trial),
    /// Build for aarch64, and test in an emulator
    Aarch64(aarch64::Aarch64),
    /// Fuzz the format, TAU traces and recovery (nightly Rust, cargo-fuzz)
    Fuzz(fuzz::Fuzz),
    /// Run tests in Miri (nightly Rust with miri and rust-src)
    Miri,
    /// Run the plugin under AddressSanitizer and ThreadSanitizer (nightly Rust with rust-src)
    Sanitize(sanitize::Sanitize),
    /// Try every order in which memory can be handed over to the writer
    Loom(loom::Loom),
    /// Kill programs while they record, and count what is recovered
    Kills(kills::Kills),
    /// Make every call of the plugin and the runtime fail, in sequence
    Faults(faults::Faults),
    /// Run real programs with each module of kymo record, and compare what they do
    Programs(programs::Programs),
    /// Run the benchmarks, and replace the tables in benches/RESULTS.md
    Bench(bench::Bench),
    /// Build the book of docs (mdbook), and check its links
    Book,
    /// Write the C headers of the OTF2 library that list records
    Headers(headers::Headers),
    /// Build everything and install it in a folder: bin, lib, include, share
    Install(install::Install),
    /// Remove the files that install has put there
    Uninstall(install::Prefix),
}

fn main() -> ExitCode {
    match Task::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}

impl Task {
    fn run(self) -> Done {
        match self {
            Self::Ci => ci::run(),
            Self::Deep(deep) => deep.run(),
            Self::Test(test) => test.run(),
            Self::Lint(lint) => lint.run(),
            Self::Features(features) => features.run(),
            Self::Msrv => msrv::run(),
            Self::Doc => doc::run(),
            Self::Release(release) => release.run(),
            Self::Long(long) => long.run(),
            Self::Licences(licences) => licences.run(),
            Self::Packages(packages) => packages.run(),
            Self::Trial(trial) => trial.run(),
            Self::Aarch64(aarch64) => aarch64.run(),
            Self::Fuzz(fuzz) => fuzz.run(),
            Self::Miri => miri::run_tests(),
            Self::Sanitize(sanitize) => sanitize.run(),
            Self::Loom(loom) => loom.run(),
            Self::Kills(kills) => kills.run(),
            Self::Faults(faults) => faults.run(),
            Self::Programs(programs) => programs.run(),
            Self::Bench(bench) => bench.run(),
            Self::Book => book::run_task(),
            Self::Headers(headers) => headers.run(),
            Self::Install(install) => install.run(),
            Self::Uninstall(prefix) => prefix.uninstall(),
        }
    }
}
