//! Whatever the files are, reading them ends well.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kymo_fuzz::anything(bytes));
