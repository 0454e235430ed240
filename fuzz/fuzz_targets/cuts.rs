//! However the files are cut into reads, the same comes out.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kymo_fuzz::cuts(bytes));
