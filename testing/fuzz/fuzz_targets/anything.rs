//! Whatever the files contain, reading them ends with records or one error.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kymo_otf2_testing::anything(bytes));
