//! aarch64: everything compiles, the plugins export exactly their entries, and the tests of the
//! format and a replay run in an emulator.

use std::fs;
use std::process::{Command, Stdio};

use clap::{Args, ValueEnum};

use crate::process::{cargo, program, run, target};
use crate::{Done, of, repository, symbols};

const TARGET: &str = "aarch64-unknown-linux-gnu";
const EMULATOR: [&str; 3] = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"];

#[derive(Debug, Args)]
pub(crate) struct Aarch64 {
    /// What to do; everything by default
    #[arg(value_enum)]
    parts: Vec<Aarch64Part>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Aarch64Part {
    /// Check that everything compiles
    Check,
    /// Build the plugins and the replay, and check the symbols of the plugins
    Build,
    /// Run the tests of the format
    Test,
    /// Replay a recording to the plugin (after build)
    Replay,
}

impl Aarch64 {
    pub(crate) fn run(&self) -> Done {
        let parts = if self.parts.is_empty() { Aarch64Part::value_variants() } else { &self.parts };
        run(program("rustup").args(["target", "add", TARGET]))?;
        parts.iter().try_for_each(|part| part.check())
    }
}

impl Aarch64Part {
    fn check(self) -> Done {
        match self {
            Self::Check => run(&mut cross("check --locked --workspace")),
            Self::Build => {
                let packages =
                    "--package kymo-plugin --package kymo-print-regions --package kymo-plugin-tests";
                run(&mut cross(&format!("build --locked {packages}")))?;
                symbols::check_plugins(&target()?.join(TARGET).join("debug"), "aarch64-linux-gnu-")
            }
            // Only the tests about bytes and numbers; the others would take minutes.
            Self::Test => {
                let format = "test --locked --package kymo-otf2 --features zlib";
                run(&mut cross(&format!("{format} --lib")))?;
                run(&mut cross(&format!("{format} --test integration -- records:: writers::")))
            }
            Self::Replay => replay(),
        }
    }
}

/// Returns a command for cargo with the linker and the emulator.
fn cross(arguments: &str) -> Command {
    let mut cargo = cargo(arguments);
    cargo.env("CARGO_BUILD_TARGET", TARGET);
    cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc");
    cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", EMULATOR.join(" "));
    cargo
}

fn replay() -> Done {
    let out = repository::root().join("out/ci-aarch64");
    if out.exists() {
        fs::remove_dir_all(&out).map_err(|error| of(&out, error))?;
    }
    let [emulator, options @ ..] = EMULATOR;
    let mut replay = program(emulator);
    replay.args(options).arg(target()?.join(TARGET).join("debug/kymo-replay"));
    run(replay.arg("testing/data/scorep-recordings/user").arg(&out))?;
    run(program("otf2-print").arg(out.join("kymo/traces.otf2")).stdout(Stdio::null()))
}
