//! All tests, and what they compare with: installed if possible, and reported if missing.

mod needs;

use std::env;

use clap::Args;

use crate::process::{cargo, run, script};
use crate::{Done, repository};
use needs::Need;

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Do not install what is missing
    #[arg(long)]
    no_install: bool,
    /// Arguments of cargo test; all packages are tested unless --package names some
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
        let has_shared = repository::root().join("../shared/data").is_dir();
        let is_complete = missing.is_empty() && has_shared;
        print_missing(&missing, has_shared);
        if !is_complete && env::var_os("CI").is_some_and(|value| !value.is_empty()) {
            return Err("nothing may be missing if CI is set".to_owned());
        }
        let tested = run(&mut self.command());
        print_missing(&missing, has_shared);
        tested?;
        println!(
            "test: all passed{}",
            if is_complete { "" } else { ", as far as they could run (see above)" }
        );
        Ok(())
    }

    fn command(&self) -> std::process::Command {
        // Report all failures, not only the first.
        let mut cargo = cargo("test --no-fail-fast");
        if !selects_packages(&self.arguments) {
            cargo.arg("--workspace");
        }
        cargo.args(&self.arguments);
        cargo
    }
}

/// Returns whether arguments of cargo select packages. Those after `--` are for the tests.
fn selects_packages(arguments: &[String]) -> bool {
    let mut own = arguments.iter().take_while(|argument| *argument != "--");
    own.any(|argument| argument.starts_with("-p") || argument.starts_with("--package"))
}

/// Installs Debian packages. A failure is not the end: what is still missing is reported.
fn install(missing: &[&Need]) {
    let packages = missing.iter().flat_map(|need| need.packages.split(' '));
    if let Err(problem) = run(script("scripts/install").args(packages)) {
        eprintln!("test: {problem}");
    }
}

fn print_missing(missing: &[&Need], has_shared: bool) {
    if !missing.is_empty() {
        eprintln!("test: missing Debian packages and the consequences:");
        missing.iter().for_each(|need| eprintln!("{}: {}", need.packages, need.consequence));
    }
    if !has_shared {
        let shared = repository::root().join("../shared");
        let shared = shared.display();
        eprintln!("test: {shared} is missing: the archives of other software are not tested");
    }
    if env::var_os("SCOREP_INCLUDE").is_none() {
        eprintln!(
            "test: SCOREP_INCLUDE is not set: the interface is not compared with an installed Score-P \
             (CONTRIBUTING.md)"
        );
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
            let command = Test { no_install: true, arguments }.command();
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
