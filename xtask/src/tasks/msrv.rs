//! The oldest Rust that is supported: `rust-version` in `Cargo.toml`.

use std::fs;

use crate::process::{self, output, program, run_cargo};
use crate::{Done, Problem, of, repository};

pub(crate) fn run() -> Done {
    let oldest = oldest()?;
    if output(program("rustup").args(["run", &oldest, "rustc", "--version"])).is_err() {
        let install = ["toolchain", "install", &oldest, "--profile", "minimal", "--no-self-update"];
        process::run(program("rustup").args(install))?;
    }
    run_cargo(&format!("+{oldest} check --locked --workspace"))
}

fn oldest() -> Result<String, Problem> {
    let path = repository::root().join("Cargo.toml");
    let manifest = fs::read_to_string(&path).map_err(|error| of(&path, error))?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    version.map(str::to_owned).ok_or_else(|| of(&path, "no rust-version"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_manifest_names_a_release() {
        let oldest = super::oldest().expect("a release");
        assert!(oldest.starts_with("1.") && oldest.split('.').all(|part| part.parse::<u32>().is_ok()));
    }
}
