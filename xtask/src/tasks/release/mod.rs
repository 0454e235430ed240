//! The archives that users receive, in `target/dist`: one for each machine, and one with its debug
//! information.
//!
//! Invariants: an archive depends on the commit, the lock file and the versions of the tools alone,
//! not on the folder, the time or the user; its libraries run with every C library from
//! [`GLIBC`] on.

mod build;
pub(crate) mod components;
mod deb;
mod licences;
mod limits;
pub(crate) mod machine;
mod paths;
mod stage;
mod tools;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::process::{self, target};
use crate::tasks::install::PACKAGES;
use crate::tasks::install::files::{self, Content, File};
use crate::{Done, Problem, of, symbols};
use machine::Machine;
use stage::{Compression, Stage};
use tools::Tools;

/// The oldest C library that is supported, that of manylinux2014.
const GLIBC: symbols::Version = symbols::Version(2, 17);

/// The profile of releases that are only tried.
const GATE: &str = "gate";

#[derive(Debug, Args)]
pub(crate) struct Release {
    /// The cargo profile to build with
    #[arg(long, default_value = "dist", value_name = "NAME")]
    profile: String,
    /// The machines to build for; all by default
    #[arg(long, value_enum, value_name = "MACHINE")]
    machine: Vec<Machine>,
}

impl Release {
    pub(crate) fn run(&self) -> Done {
        let machines = if self.machine.is_empty() { Machine::ALL.as_slice() } else { &self.machine };
        let tools = Tools::install()?;
        let folder = folder()?;
        let metadata = components::metadata()?;
        let licences = licences::text(components::packages(&metadata));
        let mut archives = vec![components::write(&metadata, &folder)?];
        for machine in machines {
            archives.extend(self.archive(*machine, &tools, &licences, &folder)?);
        }
        let sums = sums(&folder, &archives)?;
        println!("{sums}");
        Ok(())
    }

    /// Makes the archives for a machine. Returns their names.
    fn archive(
        &self,
        machine: Machine,
        tools: &Tools,
        licences: &str,
        folder: &Path,
    ) -> Result<Vec<String>, Problem> {
        let built = build::build(machine, &self.profile, PACKAGES, tools)?;
        // Completions for shells are printed by a program that runs here.
        let native = match Machine::host()? {
            host if host == machine => built.clone(),
            host => build::build(host, &self.profile, &[build::COMMAND], tools)?,
        };
        let mut files = files::all(&built, &native)?;
        let licences = Content::Data(licences.as_bytes().to_vec());
        files.push(File { path: "share/doc/kymo/THIRD-PARTY.txt".into(), content: licences });
        let stage = Stage::of(machine, &files, folder, tools)?;
        let programs: Vec<_> = stage.programs().iter().map(|path| stage.path(path)).collect();
        programs.iter().try_for_each(|file| symbols::check_versions(file, GLIBC))?;
        let debug: Vec<_> = stage.programs().iter().map(|path| stage.debug_file(path)).collect();
        programs.iter().chain(&debug).try_for_each(|file| paths::check(file))?;
        symbols::check_plugin(&stage.path("lib"), "kymo", "")?;
        symbols::check_ttf(&stage.path("lib/libkymo_ttf.so"))?;
        symbols::check_otf2(&stage.path("lib/kymo/otf2/libotf2.so.10"))?;
        let extension = stage.path("lib/kymo/python/kymograph/_native.abi3.so");
        symbols::check_extension(&extension, "PyInit__native")?;
        limits::check(&stage, &self.profile)?;
        let compression = if self.profile == GATE { Compression::Fast } else { Compression::Small };
        let mut archives = stage.pack(compression)?;
        archives.push(deb::write(&stage, machine, folder, compression)?);
        archives.push(wheel(&stage, machine, folder, compression)?);
        Ok(archives)
    }
}

/// Makes the package for Python. Returns its name.
fn wheel(
    stage: &Stage,
    machine: Machine,
    folder: &Path,
    compression: Compression,
) -> Result<String, Problem> {
    let mut wheel = process::program("python3");
    wheel.env("SOURCE_DATE_EPOCH", stage::time()?).arg("packaging/wheel.py").arg(stage.prefix());
    wheel.args([env!("CARGO_PKG_VERSION"), machine.name()]).arg(folder);
    wheel.arg(compression.level().to_string());
    Ok(process::output(&mut wheel)?.trim().to_owned())
}

/// Returns the folder of the archives.
fn folder() -> Result<PathBuf, Problem> {
    let folder = target()?.join("dist");
    fs::create_dir_all(&folder).map_err(|error| of(&folder, error))?;
    Ok(folder)
}

/// Writes the checksums of files in a folder.
fn sums(folder: &Path, names: &[String]) -> Result<String, Problem> {
    let sums = process::output(process::program("sha256sum").current_dir(folder).args(names))?;
    let path = folder.join("SHA256SUMS");
    fs::write(&path, &sums).map_err(|error| of(&path, error))?;
    Ok(sums)
}
