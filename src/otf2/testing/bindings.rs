//! The OTF2 Python bindings, used to verify archives.

use std::process::Command;

/// Returns a Python with the bindings. They are required in CI; elsewhere their absence is reported
/// on standard error.
pub fn python() -> Option<&'static str> {
    let has_bindings = |python: &&str| {
        let output = Command::new(python).args(["-c", "import otf2"]).output();
        output.is_ok_and(|output| output.status.success())
    };
    let found = ["python3", "/usr/bin/python3"].into_iter().find(has_bindings);
    if found.is_none() {
        assert!(std::env::var_os("CI").is_none(), "no Python has the OTF2 bindings");
        eprintln!("NOT TESTED: no Python has the OTF2 bindings");
    }
    found
}
