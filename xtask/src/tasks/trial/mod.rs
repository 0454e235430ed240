//! What `cargo xtask release` has made for this machine, used by a new user: the archive and the
//! Debian package in the bare root of an old Debian, the wheel in a new environment.
//!
//! Needs `mmdebstrap` and `lintian`. Invariant: what runs in that root sees no file of this
//! machine.

mod root;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::release::machine::Machine;
use crate::process::{output, program, run, target};
use crate::{Done, Problem, of};
use root::Root;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// A program that every Debian has, and that takes a second.
const PROGRAM: &str = "perl -e 'for (1..2e7) { $sum += sqrt $_ } printf \"%.0f\\n\", $sum'";

/// What a user of the archive types, and what the output must contain.
const ARCHIVE: [(&str, &str); 6] = [
    ("tar xzf /archive.tar.gz && mv kymo-* kymo", ""),
    ("kymo/bin/kymo doctor", "recording      ok"),
    ("kymo/bin/kymo record -o run -- PROGRAM", "59628481636"),
    ("kymo/bin/kymo profile run/kymo/traces.otf2", "Perl_"),
    ("kymo/bin/kymo report -o run.html run/kymo/traces.otf2 && head -c 15 run.html", "<!doctype html>"),
    ("kymo/bin/kymo report --format png -o run.png run/kymo/traces.otf2 && head -c 4 run.png", "PNG"),
];

/// The same for the Debian package, which leaves nothing.
const PACKAGE: [(&str, &str); 6] = [
    ("find /usr /etc /var/lib -type f | grep -v ^/var/lib/dpkg/ | sort > before", ""),
    ("dpkg --install /archive.deb", "Setting up kymo"),
    ("kymo record -o installed -- PROGRAM && kymo-config --version", VERSION),
    ("kymo check installed/kymo/traces.otf2", ""),
    ("dpkg --purge kymo", "Removing kymo"),
    ("find /usr /etc /var/lib -type f | grep -v ^/var/lib/dpkg/ | sort > after; diff before after", ""),
];

#[derive(Debug, Args)]
pub(crate) struct Trial {}

impl Trial {
    pub(crate) fn run(&self) -> Done {
        let folder = target()?.join("dist");
        let machine = Machine::host()?;
        let (name, debian) = (machine.name(), machine.debian());
        let [archive, package, wheel] = [
            format!("kymo-{VERSION}-linux-{name}.tar.gz"),
            format!("kymo_{VERSION}-1_{debian}.deb"),
            format!("kymograph-{VERSION}-py3-none-manylinux_2_17_{name}.manylinux2014_{name}.whl"),
        ]
        .map(|name| folder.join(name));
        let root = Root::make()?;
        root.put(&archive, "archive.tar.gz")?;
        root.put(&package, "archive.deb")?;
        steps(&root, &ARCHIVE)?;
        run(program("lintian").args(["--fail-on", "error", "--suppress-tags", SUPPRESSED]).arg(&package))?;
        steps(&root, &PACKAGE)?;
        try_wheel(&wheel)
    }
}

/// What lintian reports as an error: there is no public address yet.
const SUPPRESSED: &str = "bogus-mail-host,bogus-mail-host-in-debian-changelog";

fn steps(root: &Root, steps: &[(&str, &str)]) -> Done {
    let began = Instant::now();
    for (step, expected) in steps {
        let step = step.replace("PROGRAM", PROGRAM);
        let (start, output) = (Instant::now(), output(&mut root.inside(&step))?);
        println!("$ {step}\n{}-- {:.1} s\n", shown(&output), start.elapsed().as_secs_f64());
        if !output.contains(expected) {
            return Err(format!("{step}: expected a line with {expected}"));
        }
    }
    println!("all in {:.1} s\n", began.elapsed().as_secs_f64());
    Ok(())
}

/// Returns the first lines of an output.
fn shown(output: &str) -> String {
    let lines = output.lines().take(12).map(|line| format!("{line}\n"));
    lines.filter(|line| line.is_ascii()).collect()
}

/// Installs the wheel in a new environment, records with it, and removes it.
fn try_wheel(wheel: &Path) -> Done {
    let folder = target()?.join("trial-wheel");
    let _ = fs::remove_dir_all(&folder);
    run(program("python3").args(["-m", "venv"]).arg(&folder))?;
    let pip = || program(folder.join("bin/pip"));
    let before = files(&folder)?;
    run(pip().args(["install", "--quiet", "--no-index", "--disable-pip-version-check"]).arg(wheel))?;
    let result = folder.join("result");
    let mut record = program(folder.join("bin/kymo"));
    run(record.arg("record").arg("-o").arg(&result).args(["--", "python3", "-c", "sum(range(10**7))"]))?;
    run(program(folder.join("bin/kymo")).arg("check").arg(result.join("kymo/traces.otf2")))?;
    let import = "import kymograph as k; assert k.command().is_file() and (k.libraries() / 'libkymo_runtime.so').is_file()";
    run(program(folder.join("bin/python")).args(["-c", import]))?;
    fs::remove_dir_all(&result).map_err(|error| of(&result, error))?;
    run(pip().args(["uninstall", "--quiet", "--yes", "kymograph"]))?;
    match files(&folder)?.into_iter().find(|file| !before.contains(file)) {
        None => Ok(()),
        Some(file) => Err(of(&file, "was left when the wheel was removed")),
    }
}

/// Returns the files below a folder, without those that Python compiles.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let found = output(program("find").arg(folder).args(["-type", "f", "-not", "-name", "*.pyc"]))?;
    Ok(found.lines().map(PathBuf::from).collect())
}
