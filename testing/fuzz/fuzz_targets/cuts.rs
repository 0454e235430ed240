//! The result of reading does not depend on the sizes of the reads.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kymo_otf2_testing::cuts(bytes));
