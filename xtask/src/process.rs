//! Programs that tasks run, in the folder of the workspace.
//!
//! `cargo run` passes this program the path of its cargo and of its libraries. Other programs do
//! not receive them: a cargo of another toolchain would start this one.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::{Done, Problem, repository};

/// Returns a command for a program.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(repository::root()).env_remove("CARGO").env_remove("LD_LIBRARY_PATH");
    command
}

/// Returns a command for a script of the repository.
pub(crate) fn script(path: &str) -> Command {
    program(repository::root().join(path))
}

/// Returns a command for cargo; the arguments are words separated by spaces.
pub(crate) fn cargo(arguments: &str) -> Command {
    let mut command = program("cargo");
    command.args(arguments.split_whitespace());
    command
}

/// Returns a command for a compiler: the one that the variable names, or the usual one.
pub(crate) fn compiler(variable: &str, usual: &str) -> Command {
    let named = std::env::var(variable).unwrap_or_else(|_| usual.to_owned());
    let mut words = named.split_whitespace();
    let mut command = program(words.next().unwrap_or(usual));
    command.args(words);
    command
}

/// Runs a command, which must succeed.
pub(crate) fn run(command: &mut Command) -> Done {
    let status = command.status().map_err(|error| format!("{}: {error}", shown(command)))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("{}: {status}", shown(command))),
    }
}

/// Runs cargo with arguments that are separated by spaces.
pub(crate) fn run_cargo(arguments: &str) -> Done {
    run(&mut cargo(arguments))
}

/// Runs a command, which must succeed, and returns its output.
pub(crate) fn output(command: &mut Command) -> Result<String, Problem> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("{}: {error}", shown(command)))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{}: {}", shown(command), output.status)),
    }
}

/// Returns cargo's target directory.
pub(crate) fn target() -> Result<PathBuf, Problem> {
    let text = output(&mut cargo("metadata --format-version 1 --no-deps"))?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let folder = metadata.get("target_directory").and_then(Value::as_str);
    folder.map(PathBuf::from).ok_or_else(|| "cargo metadata: no target_directory".to_owned())
}

/// Returns the folder with the programs and libraries that a profile builds.
pub(crate) fn built(profile: &str) -> Result<PathBuf, Problem> {
    Ok(target()?.join(if profile == "dev" { "debug" } else { profile }))
}

/// Prints the commit and the machine, which belong to every figure.
pub(crate) fn print_machine() -> Done {
    let commit = output(&mut with(program("git"), "rev-parse --short HEAD"));
    let system = output(&mut with(program("uname"), "-sr"))?;
    let processors = output(&mut program("nproc"))?;
    let commit = commit.unwrap_or_else(|_| "unknown".to_owned());
    println!("commit {}, {}, {} processors", commit.trim(), system.trim(), processors.trim());
    Ok(())
}

fn with(mut command: Command, arguments: &str) -> Command {
    command.args(arguments.split(' '));
    command
}

/// Returns a command as one would type it.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_fails_is_reported_with_its_arguments() {
        let problem = run(program("sh").args(["-c", "exit 3"])).expect_err("the status is 3");
        assert_eq!(problem, "sh -c exit 3: exit status: 3");
        output(program("sh").args(["-c", "echo lost; exit 1"])).expect_err("the status is 1");
        assert_eq!(output(program("echo").arg("kept")), Ok("kept\n".to_owned()));
        run(&mut program("/nowhere/at-all")).expect_err("there is no such program");
    }
}
