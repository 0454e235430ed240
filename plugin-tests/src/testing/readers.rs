//! Other readers of archives: the OTF2 Python bindings, and `kymo check`.

use super::build_program;
use kymo_testdata::python_with_bindings;
use std::collections::BTreeMap;
use std::env;
use std::path::Path;
use std::process::Command;

/// Returns the number of events that the Python bindings read from each location; `None` if they
/// are missing.
pub fn python_counts(anchor: &Path) -> Option<Result<BTreeMap<u64, usize>, String>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/count_events.py");
    let output =
        Command::new(python_with_bindings()?).arg(script).arg(anchor).output().expect("running Python");
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || !stderr.is_empty() {
        return Some(Err(format!("{}\n{stderr}", output.status)));
    }
    let stdout = String::from_utf8_lossy(&output.stdout);
    let count = |line: &str| {
        let (location, count) = line.split_once(' ')?;
        Some((location.parse().ok()?, count.parse().ok()?))
    };
    let counts: Option<BTreeMap<u64, usize>> = stdout.lines().map(count).collect();
    Some(counts.ok_or_else(|| format!("no counts: {stdout}")))
}

/// Runs `kymo check` on an archive; returns its findings, including warnings, except those of the
/// given kinds.
pub fn kymo_check(anchor: &Path, but_for: &[&str]) -> Result<(), String> {
    let mut command = Command::new(build_program("kymo"));
    let ignored = but_for.iter().flat_map(|kind| ["--ignore", kind]);
    let output = command.arg("check").args(ignored).arg(anchor).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    let good = output.status.success() && stdout.contains(": no errors, 0 warnings, ");
    if good { Ok(()) } else { Err(format!("{}\n{stdout}{stderr}", output.status)) }
}
