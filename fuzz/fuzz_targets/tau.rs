//! Whatever the files contain, reading and converting a TAU trace ends with a result or one error.

#![no_main]

#[allow(dead_code, unreachable_pub)]
#[path = "../src/tau.rs"]
mod tau;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tau::tau(bytes));
