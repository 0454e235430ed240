//! The files of an archive, in a folder of the name that the archive unpacks to.

use std::fs;
use std::path::{Path, PathBuf};

use super::machine::Machine;
use super::tools::Tools;
use crate::process::{output, program, run};
use crate::tasks::install::files::{Content, File};
use crate::tasks::install::manifest;
use crate::{Done, Problem, of};

/// The files of an archive.
#[derive(Debug)]
pub(super) struct Stage {
    /// The name without an ending.
    name: String,
    /// Where the folder of this name is.
    folder: PathBuf,
    /// The programs and shared libraries, relative to the prefix.
    programs: Vec<PathBuf>,
}

/// How much time is spent to make archives small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    Small,
    /// For archives that nobody receives.
    Fast,
}

impl Compression {
    /// Returns the level of gzip.
    pub(super) fn level(self) -> u8 {
        match self {
            Self::Small => 9,
            Self::Fast => 1,
        }
    }

    /// Returns the options of `dpkg-deb`.
    pub(super) fn of_package(self) -> [&'static str; 2] {
        match self {
            Self::Small => ["-Zxz", "-z3"],
            Self::Fast => ["-Zgzip", "-z1"],
        }
    }
}

impl Stage {
    /// Puts the files for a machine into a folder. Debug information gets a folder of
    /// its own.
    pub(super) fn of(
        machine: Machine,
        files: &[File],
        folder: &Path,
        tools: &Tools,
    ) -> Result<Self, Problem> {
        let name = format!("kymo-{}-linux-{}", env!("CARGO_PKG_VERSION"), machine.name());
        let mut stage = Self { name, folder: folder.to_owned(), programs: Vec::new() };
        for place in [stage.prefix(), stage.debug()] {
            match fs::remove_dir_all(&place) {
                Err(error) if place.exists() => return Err(of(&place, error)),
                _ => {}
            }
        }
        manifest::lay_out(&stage.prefix(), files)?;
        for File { path, content } in files {
            match content {
                Content::Program(bytes) if bytes.starts_with(b"\x7fELF") => {
                    stage.separate(path, tools)?;
                    stage.programs.push(path.clone());
                }
                Content::Data(bytes) if bytes.starts_with(b"!<arch>\n") => {
                    let path = stage.path(path);
                    tools.objcopy("--strip-debug --enable-deterministic-archives", &path, &path)?;
                }
                _ => {}
            }
        }
        Ok(stage)
    }

    /// Moves the debug information of a program or library into a file of its own, which debuggers
    /// find by the name in the file and by its build id.
    fn separate(&self, path: &Path, tools: &Tools) -> Done {
        let (from, to) = (self.path(path), self.debug_file(path));
        let parent = to.parent().unwrap_or(&to);
        fs::create_dir_all(parent).map_err(|error| of(parent, error))?;
        tools.objcopy("--only-keep-debug", &from, &to)?;
        tools.objcopy(&format!("--strip-all --add-gnu-debuglink={}", to.display()), &from, &from)
    }

    /// Returns the folder with the files.
    pub(super) fn prefix(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    fn debug(&self) -> PathBuf {
        self.folder.join(format!("{}-debug", self.name))
    }

    /// Returns the path of a file.
    pub(super) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.prefix().join(path)
    }

    /// Returns the path of the debug information of a program or library.
    pub(super) fn debug_file(&self, path: &Path) -> PathBuf {
        let mut file = self.debug().join(path).into_os_string();
        file.push(".debug");
        file.into()
    }

    /// Returns the paths of the programs and shared libraries, relative to the prefix.
    pub(super) fn programs(&self) -> &[PathBuf] {
        &self.programs
    }

    /// Makes the archive of the files, and that of the debug information. Returns their names.
    pub(super) fn pack(&self, compression: Compression) -> Result<Vec<String>, Problem> {
        let names = [self.name.clone(), format!("{}-debug", self.name)];
        names.into_iter().map(|name| self.tar(&name, compression)).collect()
    }

    fn tar(&self, name: &str, compression: Compression) -> Result<String, Problem> {
        let (archive, time) = (format!("{name}.tar.gz"), format!("--mtime=@{}", time()?));
        let mut tar = program("tar");
        tar.arg(format!("--use-compress-program=gzip --no-name -{}", compression.level()));
        tar.args(["--create", "--format=ustar"]);
        tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=go=rX,u+rw,a-s"]);
        tar.arg(time).arg("--file").arg(self.folder.join(&archive));
        run(tar.arg("--directory").arg(&self.folder).arg(name))?;
        Ok(archive)
    }
}

/// Returns the time of the commit in seconds since 1970, which is the time of all files.
pub(super) fn time() -> Result<String, Problem> {
    if let Ok(time) = std::env::var("SOURCE_DATE_EPOCH") {
        return Ok(time);
    }
    Ok(output(program("git").args(["log", "-1", "--format=%ct"]))?.trim().to_owned())
}
