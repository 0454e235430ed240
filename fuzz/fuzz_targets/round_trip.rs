//! What can be read and copied reads the same again.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kymo_fuzz::round_trip(bytes));
