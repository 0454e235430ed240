//! Whatever events follow each other, their calls are summed without counting a time twice.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kymo_analysis_testing::any_events(bytes));
