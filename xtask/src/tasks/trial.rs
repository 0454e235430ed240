//! The first five minutes with a release archive: in the bare root of an old Debian, with nothing
//! but the archive.
//!
//! Needs `mmdebstrap`. Invariant: what runs in that root sees no file of this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use clap::Args;

use crate::process::{output, program, run, target};
use crate::{Done, Problem, of};

/// The oldest Debian whose packages are still distributed: its C library is 2.31.
const SUITE: &str = "bullseye";
const MIRROR: &str = "http://deb.debian.org/debian";

/// What a new user types, and what the output must contain. The folder is new.
const STEPS: [(&str, &str); 6] = [
    ("tar xzf /archive.tar.gz && mv kymo-* kymo", ""),
    ("kymo/bin/kymo doctor", "recording      ok"),
    (
        "kymo/bin/kymo record -o run -- perl -e 'for (1..2e7) { $sum += sqrt $_ } print \"$sum\\n\"'",
        "59628485",
    ),
    ("kymo/bin/kymo profile run/kymo/traces.otf2", "Perl_"),
    ("kymo/bin/kymo report -o run.html run/kymo/traces.otf2 && head -c 15 run.html", "<!DOCTYPE html>"),
    ("kymo/bin/kymo report --format png -o run.png run/kymo/traces.otf2 && head -c 4 run.png", "PNG"),
];

#[derive(Debug, Args)]
pub(crate) struct Trial {
    /// The archive, target/dist/kymo-…-linux-….tar.gz
    archive: PathBuf,
}

impl Trial {
    pub(crate) fn run(&self) -> Done {
        let root = root()?;
        let folder = root.join("home/user");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|error| of(&folder, error))?;
        let copy = root.join("archive.tar.gz");
        fs::copy(&self.archive, &copy).map_err(|error| of(&self.archive, error))?;
        let began = Instant::now();
        for (step, expected) in STEPS {
            let (start, output) = (Instant::now(), output(&mut inside(&root, step))?);
            println!("$ {step}\n{}-- {:.1} s\n", shown(&output), start.elapsed().as_secs_f64());
            if !output.contains(expected) {
                return Err(format!("{step}: expected a line with {expected}"));
            }
        }
        println!("all in {:.1} s", began.elapsed().as_secs_f64());
        Ok(())
    }
}

/// Returns the folder with the root, which is made once.
fn root() -> Result<PathBuf, Problem> {
    let root = target()?.join("trial-root");
    if !root.join("usr/bin/perl").exists() {
        let _ = fs::remove_dir_all(&root);
        let mut make = program("mmdebstrap");
        make.args(["--quiet", "--variant=minbase", SUITE]).arg(&root).arg(MIRROR);
        run(&mut make)?;
    }
    Ok(root)
}

/// Returns a command that runs a line of the shell in the root, without the rights of root.
fn inside(root: &Path, line: &str) -> Command {
    let mut command = program("unshare");
    command.args(["--map-root-user", "--mount", "--pid", "--fork", "--mount-proc", "--root"]).arg(root);
    command.args(["--wd=/home/user", "/bin/sh", "-ec", line]);
    command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", "/home/user");
    command
}

/// Returns the first lines of an output.
fn shown(output: &str) -> String {
    let lines = output.lines().take(12).map(|line| format!("{line}\n"));
    lines.filter(|line| line.is_ascii()).collect()
}
