//! The documentation of all items, private ones included, without a warning.

use crate::{Done, process};

pub(crate) fn run() -> Done {
    let mut cargo = process::cargo("doc --locked --workspace --no-deps --document-private-items");
    // The variable replaces the options of `.cargo/config.toml`.
    process::run(cargo.env("RUSTDOCFLAGS", "--cfg kymo_workspace -D warnings"))
}
