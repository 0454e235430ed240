//! The output of `otf2-print -A` for archives.

use crate::testing::RecordingFolder;
use flate2::read::GzDecoder;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Runs `otf2-print -A` on an anchor file; it must succeed without warnings.
pub fn otf2_print(anchor: &Path) -> String {
    let mut command = kymo_testdata::program("otf2-print");
    let output =
        command.arg("-A").arg(anchor).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success() && stderr.is_empty(), "{command:?}: {}\n{stderr}", output.status);
    let complaint = stdout.lines().find(|line| line.contains("==ERROR==") || line.contains("==WARNING=="));
    assert_eq!(complaint, None, "{command:?}");
    stdout
}

/// Returns the stored output of `otf2-print -A` for the reference trace of a recording.
pub fn reference_print(recording: &RecordingFolder) -> String {
    let path = recording.reference_text();
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut text = String::new();
    let read = GzDecoder::new(file).read_to_string(&mut text);
    read.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text
}
