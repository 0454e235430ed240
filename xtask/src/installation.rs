//! Tools that tasks need beyond the toolchain: installed unless they are there.

use crate::process::{cargo, output, program, run};
use crate::{Done, Problem};

/// Installs a nightly toolchain with components. Any nightly that is installed is good enough.
pub(crate) fn nightly(components: &[&str]) -> Done {
    if output(program("rustup").args(["run", "nightly", "rustc", "--version"])).is_err() {
        let install = ["toolchain", "install", "nightly", "--profile", "minimal", "--no-self-update"];
        run(program("rustup").args(install))?;
    }
    if components.is_empty() {
        return Ok(());
    }
    run(program("rustup").args(["component", "add", "--toolchain", "nightly"]).args(components))
}

/// Installs a program from crates.io. `options` are words for `cargo install`. Returns its version.
///
/// It is built without optimisation, three times as fast, because it runs once.
pub(crate) fn from_crates(name: &str, options: &str) -> Result<String, Problem> {
    let version = || match name.strip_prefix("cargo-") {
        Some(name) => output(&mut cargo(&format!("{name} --version"))),
        None => output(program(name).arg("--version")),
    };
    if let Ok(version) = version() {
        return Ok(version);
    }
    let mut install = cargo(&format!("install --locked {name} {options}"));
    install.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").env("CARGO_PROFILE_RELEASE_LTO", "off");
    run(&mut install)?;
    version()
}
