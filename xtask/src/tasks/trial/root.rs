//! The root of a bare Debian, in a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{program, run, target};
use crate::{Done, Problem, of};

const MIRROR: &str = "http://deb.debian.org/debian";
const HOME: &str = "home/user";

#[derive(Debug)]
pub(super) struct Root(PathBuf);

impl Root {
    /// Makes the root of a suite with more packages, unless it is there, with an empty folder of a
    /// user.
    pub(super) fn make(suite: &str, packages: &[&str]) -> Result<Self, Problem> {
        let root = target()?.join([&["trial", suite], packages].concat().join("-"));
        // A root that was not completed has no such file.
        let complete = root.join("complete");
        if !complete.exists() {
            let _ = fs::remove_dir_all(&root);
            let mut make = program("mmdebstrap");
            make.args(["--quiet", "--variant=minbase"]);
            make.args(packages.iter().map(|name| format!("--include={name}")));
            run(make.arg(suite).arg(&root).arg(MIRROR))?;
            fs::write(&complete, "").map_err(|error| of(&complete, error))?;
        }
        let home = root.join(HOME);
        let _ = fs::remove_dir_all(&home);
        fs::create_dir_all(&home).map_err(|error| of(&home, error))?;
        Ok(Self(root))
    }

    /// Copies a file to the top of the root.
    pub(super) fn put(&self, file: &Path, name: &str) -> Done {
        fs::copy(file, self.0.join(name)).map(drop).map_err(|error| of(file, error))
    }

    /// Returns a command that runs a line of the shell in the root, without the rights of root.
    pub(super) fn inside(&self, line: &str) -> Command {
        let mut command = program("unshare");
        command.args(["--map-root-user", "--mount", "--pid", "--fork", "--mount-proc", "--root"]);
        command.arg(&self.0).arg(format!("--wd=/{HOME}")).args(["/bin/sh", "-ec", line]);
        command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("HOME", format!("/{HOME}"));
        command
    }
}
