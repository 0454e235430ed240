//! The long forms of tests: with `KYMO_LONG=1`, they try all that `scripts/test` tries a part of.

use clap::Args;

use crate::Done;
use crate::process::{cargo, run};

/// Arguments of `cargo test` that select tests with a long form.
const TESTS: [&str; 7] = [
    "--package kymo-analysis --test integration -- _random::",
    "--package kymo-recorder --test integration -- clocks:: recovery::instants splits::",
    "--package kymo-plugin-tests --test kills",
    "--package kymo-tau --test integration -- hostile::",
    "--package kymo-otf2 --features zlib --test integration -- libotf2:: copy:: python::",
    "--package kymo-otf2-c --test integration -- drive:: hostile:: programs::",
    "--package kymo --test integration -- change:: check_changes:: explain:: export:: merge:: parts:: \
     power_loss:: print:: profile:: record_random:: recover:: report:: timelines::",
];

#[derive(Debug, Args)]
pub(crate) struct Long {
    /// A part of the arguments that select tests, such as a package; all by default
    #[arg(default_value = "")]
    part: String,
}

impl Long {
    pub(crate) fn run(&self) -> Done {
        let selected = TESTS.iter().filter(|tests| tests.contains(&self.part));
        selected.copied().try_for_each(|tests| {
            let mut cargo = cargo("test --locked --no-fail-fast");
            run(cargo.args(tests.split(' ')).env("KYMO_LONG", "1"))
        })
    }
}
