//! Whatever a process left, recovery ends with an error or a sound archive.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kymo_recorder_testing::recovery::recover(bytes));
