//! The tools that link for an old C library, in a virtual environment of Python, and the one that
//! separates debug information, which comes with Rust.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{cargo, output, program, run};
use crate::repository::root;
use crate::{Done, Problem, of};

const REQUIREMENTS: &str = "packaging/requirements.txt";

#[derive(Debug)]
pub(super) struct Tools {
    /// The folder of the virtual environment.
    folder: PathBuf,
    objcopy: PathBuf,
    /// The folder of the libraries that it needs.
    libraries: PathBuf,
}

impl Tools {
    /// Installs the tools below the folder of the repository, unless they are there.
    pub(super) fn install() -> Result<Self, Problem> {
        let folder = root().join("target/release-tools");
        run(program("python3").args(["-m", "venv"]).arg(&folder))?;
        let mut pip = program(folder.join("bin/pip"));
        run(pip.args(["install", "--quiet", "--disable-pip-version-check", "--requirement", REQUIREMENTS]))?;
        let root = output(program("rustc").args(["--print", "sysroot"]))?;
        let root = Path::new(root.trim());
        Ok(Self { folder, objcopy: objcopy(root)?, libraries: root.join("lib") })
    }

    /// Returns a command for cargo that finds the tools; the arguments are words separated by
    /// spaces.
    ///
    /// zig compiles its unwinder and parts of the C library when it links. Their debug information
    /// names the current folder as `PWD` states it, and files below it by relative paths, so that
    /// every build names the same. The cache is not shared, because its keys lack these paths.
    pub(super) fn cargo(&self, arguments: &str) -> Result<Command, Problem> {
        let mut command = cargo(arguments);
        command.env("PATH", self.path()?).env("PWD", "/proc/self/cwd");
        command.env("ZIG_GLOBAL_CACHE_DIR", self.folder.join("cache"));
        Ok(command)
    }

    fn path(&self) -> Result<OsString, Problem> {
        let others = env::var_os("PATH").unwrap_or_default();
        let folders = [self.folder.join("bin")].into_iter().chain(env::split_paths(&others));
        env::join_paths(folders).map_err(|error| of(&self.folder, error))
    }

    /// Copies a program or a library of any machine; the options are words separated by spaces.
    pub(super) fn objcopy(&self, options: &str, from: &Path, to: &Path) -> Done {
        let mut objcopy = program(&self.objcopy);
        objcopy.env("LD_LIBRARY_PATH", &self.libraries);
        run(objcopy.args(options.split_whitespace()).arg(from).arg(to))
    }
}

/// Returns the path of the program that Rust uses to strip programs of every machine.
fn objcopy(root: &Path) -> Result<PathBuf, Problem> {
    let version = output(program("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or("rustc -vV: no line about the host")?;
    Ok(root.join("lib/rustlib").join(host).join("bin/rust-objcopy"))
}
