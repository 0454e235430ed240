//! The documentation of all items, private ones included, without a warning.

use crate::{Done, process};

pub(crate) fn run() -> Done {
    let mut cargo = process::cargo("doc --locked --workspace --no-deps --document-private-items");
    process::run(cargo.env("RUSTDOCFLAGS", "-D warnings"))
}
