//! Whatever a process left, recovery ends with an error or a sound archive.

#![no_main]

#[path = "../src/recovery.rs"]
mod recovery;
#[path = "../../src/recorder/tests/recovery/scratch.rs"]
mod scratch;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| recovery::recover(bytes));
