//! The bindings in `kymo-substrate` are those that bindgen generates from the header.

use std::fs;
use std::path::Path;

const GENERATED: &str = concat!(env!("OUT_DIR"), "/bindings.rs");

#[test]
fn the_checked_in_bindings_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/substrate/bindings.rs");
    let generated = fs::read_to_string(GENERATED).expect("the generated file");
    let checked_in = fs::read_to_string(path).expect("the checked-in file");
    assert!(generated == checked_in, "src/substrate/bindings.rs is out of date; replace it with {GENERATED}");
}
