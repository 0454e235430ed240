//! Whatever the files contain, reading and converting a TAU trace ends with a result or one error.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kymo_tau_testing::fuzz::tau(bytes));
