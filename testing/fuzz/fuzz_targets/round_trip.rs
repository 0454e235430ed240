//! An archive that can be read and copied has the same content as its copy.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kymo_otf2_testing::round_trip(bytes));
