//! The packages for crates.io: they can be made, and with nothing but them, `cargo install kymo`
//! gives a command that records.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::process::{cargo, output, program, run, target};
use crate::{Done, Problem, of};

/// The packages that are published.
const PUBLISHED: [&str; 16] = [
    "kymo",
    "kymo-allocator",
    "kymo-analysis",
    "kymo-embed",
    "kymo-export",
    "kymo-filter",
    "kymo-launch",
    "kymo-otf2",
    "kymo-plugin",
    "kymo-recorder",
    "kymo-runtime",
    "kymo-substrate",
    "kymo-symbols",
    "kymo-tables",
    "kymo-tau",
    "kymo-viewer",
];
const COMMAND: &str = "kymo";

#[derive(Debug, Args)]
pub(crate) struct Packages {
    /// Install the command from the packages, and record a program with it
    #[arg(long)]
    install: bool,
}

impl Packages {
    pub(crate) fn run(&self) -> Done {
        let mut package = cargo("package --locked --allow-dirty --no-verify");
        run(package.args(PUBLISHED.iter().flat_map(|name| ["--package", name])))?;
        if self.install { install() } else { Ok(()) }
    }
}

/// Installs the command outside of the repository, from a folder that takes the place of crates.io,
/// and records a program.
fn install() -> Done {
    let folder = target()?.join("packages");
    let _ = fs::remove_dir_all(&folder);
    let registry = registry(&folder)?;
    let home = folder.join("home");
    fs::create_dir_all(&home).map_err(|error| of(&home, error))?;
    let mut cargo = cargo("install --offline --locked --force");
    // Files of cargo in this folder and those above it apply, so it is none of the repository.
    cargo.current_dir("/").arg(COMMAND).arg("--root").arg(&folder);
    cargo.args(["--version", concat!("=", env!("CARGO_PKG_VERSION"))]);
    cargo.args(["--config", "source.crates-io.replace-with=\"here\"", "--config"]);
    cargo.arg(format!("source.here.directory={:?}", registry.display().to_string()));
    run(cargo.arg("--target-dir").arg(folder.join("build")))?;
    let mut record = program(folder.join("bin").join(COMMAND));
    let result = folder.join("result");
    record.env("HOME", &home).env_remove("XDG_CACHE_HOME").arg("record").arg("-o").arg(&result);
    run(record.args(["--", "sort", "Cargo.lock", "-o", "/dev/null"]))?;
    let mut check = program(folder.join("bin").join(COMMAND));
    run(check.arg("check").arg(result.join("kymo/traces.otf2")))?;
    let cached = output(program("find").arg(home.join(".cache/kymo")).args(["-name", "*.so"]))?;
    match cached.lines().count() {
        2 => Ok(()),
        _ => Err(of(&home, format_args!("expected two libraries in the cache, found: {cached}"))),
    }
}

/// Fills a folder with the packages and with all that they use.
fn registry(folder: &Path) -> Result<PathBuf, Problem> {
    let registry = folder.join("registry");
    output(cargo("vendor --locked --quiet --versioned-dirs").arg(&registry))?;
    for name in PUBLISHED {
        let package = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
        let archive = target()?.join("package").join(format!("{package}.crate"));
        run(program("tar").arg("xzf").arg(&archive).arg("--directory").arg(&registry))?;
        let sum = output(program("sha256sum").arg(&archive))?;
        let sum = sum.split(' ').next().unwrap_or_default();
        let list = registry.join(package).join(".cargo-checksum.json");
        let content = format!("{{\"files\":{{}},\"package\":\"{sum}\"}}");
        fs::write(&list, content).map_err(|error| of(&list, error))?;
    }
    Ok(registry)
}
