//! The headers in the repository are those that the generator writes.

use super::common::{headers, include, package, run};
use std::fs;
use std::process::Command;

#[test]
fn generated_headers_are_up_to_date() {
    run(Command::new(env!("CARGO_BIN_EXE_kymo-otf2-headers")).arg("--check"));
}

/// A template that was removed would otherwise leave a header that nothing generates any more.
#[test]
fn every_generated_header_has_a_template() {
    for header in headers(&include()) {
        let text = fs::read_to_string(include().join("otf2").join(&header)).expect("a header");
        let is_generated = text.contains("Generated from");
        assert_eq!(is_generated, package().join("templates").join(&header).exists(), "{header}");
    }
}
