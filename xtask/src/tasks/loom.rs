//! The models of `crates/recorder/src/scratch/model.rs`: loom tries every order in which locations
//! and the writer can take, hand over and return memory.

use clap::Args;

use crate::Done;
use crate::process::{cargo, run, target};

#[derive(Debug, Args)]
pub(crate) struct Loom {
    /// A model, or the beginning of its name; all by default
    #[arg(default_value = "")]
    model: String,
}

impl Loom {
    pub(crate) fn run(&self) -> Done {
        let mut cargo = cargo("test --locked --package kymo-recorder --lib --target-dir");
        cargo.arg(target()?.join("loom")).arg("--").arg(format!("scratch::model::{}", self.model));
        // The models have many states: with optimisation they take seconds.
        cargo.env("RUSTFLAGS", "--cfg kymo_loom").env("CARGO_PROFILE_DEV_OPT_LEVEL", "2");
        run(cargo.env("CARGO_INCREMENTAL", "0"))
    }
}
