//! The products of `cargo xtask release` for this machine, used by a new user: the archive and the
//! Debian package in the bare root of an old Debian, the wheel in roots with an old and a new
//! Python.
//!
//! Needs `mmdebstrap` and, unless it is quick, `lintian`. Invariant: programs in a root see no file
//! of this machine.

mod root;

use std::time::Instant;

use clap::Args;

use super::release::machine::Machine;
use crate::Done;
use crate::process::{output, program, run, target};
use root::Root;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// A program that every Debian has, and that takes a second.
const PROGRAM: &str = "perl -e 'for (1..2e7) { $sum += sqrt $_ } printf \"%.0f\\n\", $sum'";

/// The commands of a user of the archive, each with the text that its output must contain.
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

/// The same for the wheel, in an environment of its own.
const WHEEL: [(&str, &str); 7] = [
    ("python3 --version && python3 -m venv env && find env -type f | sort > before", "Python 3"),
    ("env/bin/pip install --quiet --no-index --disable-pip-version-check /*.whl", ""),
    ("env/bin/kymo record -o run -- PROGRAM && env/bin/kymo check run/kymo/traces.otf2", "59628481636"),
    (
        "env/bin/python -Bc 'import kymograph as k; print(k.command().is_file(), k.libraries().is_dir())'",
        "True True",
    ),
    (
        "env/bin/python -Bc 'import kymograph as k; print(k.open(\"run\").number_of_events > 0, k.open(\"run\").calls())'",
        "True <kymograph.Table calls: location, ",
    ),
    ("env/bin/pip uninstall --yes kymograph", "Successfully uninstalled"),
    ("find env -type f -not -name '*.pyc' | sort > after; grep -v 'pyc$' before | diff - after", ""),
];

/// Debian 11 is the oldest whose packages are still distributed: its C library is 2.31, its Python
/// 3.9.
const OLD: &str = "bullseye";
/// Debian 13 has Python 3.13.
const NEW: &str = "trixie";

#[derive(Debug, Args)]
pub(crate) struct Trial {
    /// Leave out lintian, and a new Python
    #[arg(long)]
    quick: bool,
}

impl Trial {
    pub(crate) fn run(&self) -> Done {
        let folder = target()?.join("dist");
        let machine = Machine::host()?;
        let (name, debian) = (machine.name(), machine.debian());
        let archive = folder.join(format!("kymo-{VERSION}-linux-{name}.tar.gz"));
        let package = folder.join(format!("kymo_{VERSION}-1_{debian}.deb"));
        let wheel = format!("kymograph-{VERSION}-cp39-abi3-manylinux_2_17_{name}.manylinux2014_{name}.whl");
        let bare = Root::make(OLD, &[])?;
        bare.put(&archive, "archive.tar.gz")?;
        bare.put(&package, "archive.deb")?;
        steps(&bare, &ARCHIVE)?;
        if !self.quick {
            run(program("lintian")
                .args(["--fail-on", "error", "--suppress-tags", SUPPRESSED])
                .arg(&package))?;
        }
        steps(&bare, &PACKAGE)?;
        let suites = if self.quick { &[OLD][..] } else { &[OLD, NEW] };
        for suite in suites {
            let root = Root::make(suite, &["python3-venv"])?;
            // The name of a wheel says where it runs.
            root.put(&folder.join(&wheel), &wheel)?;
            steps(&root, &WHEEL)?;
        }
        Ok(())
    }
}

/// The errors of lintian that are accepted: there is no public address yet.
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
