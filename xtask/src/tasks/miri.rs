//! Miri interprets the tests of the recorder, smaller than usual, and the short ones of the format.
//!
//! The random tests of the format take minutes under Miri; the tests of the recorder also run its
//! writers and readers.

use crate::process::{cargo, run, target};
use crate::{Done, installation};

const TESTS: [&str; 3] = [
    "kymo-recorder --lib --tests",
    "kymo-otf2 --lib -- --skip an_anchor_is_read_back",
    "kymo-otf2 --test integration -- --exact records::definition_logs_are_read_back \
     records::unknown_records_survive_a_round_trip",
];

pub(crate) fn run_tests() -> Done {
    installation::nightly(&["miri", "rust-src"])?;
    let target = target()?.join("sanitize/miri");
    TESTS.iter().try_for_each(|tests| {
        let mut cargo = cargo("+nightly miri test --locked --target-dir");
        cargo.arg(&target).arg("--package").args(tests.split_whitespace());
        // Leaks are ignored because blocks of memory and tables live as long as the process.
        run(cargo.env("MIRIFLAGS", "-Zmiri-ignore-leaks").env("CARGO_INCREMENTAL", "0"))
    })
}
