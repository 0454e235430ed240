//! The log of the plugin in `plugins/log.c`, which has the form of a recording.

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use kymo_plugin_tests::testing::{RecordingFolder, Replay, TemporaryFolder, compile_plugin, recordings};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Returns the recording `name`.
pub(crate) fn recording(name: &str) -> RecordingFolder {
    let found = recordings().into_iter().find(|recording| recording.name == name);
    found.unwrap_or_else(|| panic!("no recording `{name}`"))
}

/// Returns the calls of a recording, one JSON object per line.
pub(crate) fn recorded_calls(recording: &RecordingFolder) -> String {
    String::from_utf8(decompressed(&recording.calls())).expect("text")
}

/// Returns the decompressed content of a file.
pub(crate) fn decompressed(path: &Path) -> Vec<u8> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    GzDecoder::new(file)
        .read_to_end(&mut bytes)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    bytes
}

/// Parses a line of a recording or log.
pub(crate) fn parsed(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// Reads a text file.
pub(crate) fn text_of(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Copies a recording with a change to its text of calls.
pub(crate) fn changed_recording(
    test: &str,
    original: &RecordingFolder,
    change: impl Fn(String) -> String,
) -> (TemporaryFolder, RecordingFolder) {
    let folder = TemporaryFolder::new(test);
    for arena in ["rank0.pre_unify.arena.gz", "rank0.write_data.arena.gz"] {
        fs::copy(original.path.join(arena), folder.join(arena)).expect("the arena");
    }
    let text = recorded_calls(original);
    let changed = change(text.clone());
    assert_ne!(text, changed, "{test} changes nothing");
    let file = File::create(folder.join("rank0.jsonl.gz")).expect("a file");
    let mut encoder = GzEncoder::new(file, Compression::fast());
    encoder.write_all(changed.as_bytes()).and_then(|()| encoder.finish()).expect("writing");
    let recording = RecordingFolder { name: test.to_owned(), path: folder.to_path_buf() };
    (folder, recording)
}

/// Replays with plugins compiled from `log.c`, and the location of their log.
pub(crate) struct Logged {
    pub(crate) folder: TemporaryFolder,
    pub(crate) libraries: PathBuf,
}

impl Logged {
    /// Compiles the plugin `name` with these definitions.
    pub(crate) fn new(name: &str, definitions: &[&str]) -> Self {
        Self { folder: TemporaryFolder::new(name), libraries: compile_plugin(name, "log.c", definitions) }
    }

    pub(crate) fn log_path(&self) -> PathBuf {
        self.folder.join("log")
    }

    pub(crate) fn out(&self) -> PathBuf {
        self.folder.join("out")
    }

    /// Returns a replay of a recording with these plugins.
    pub(crate) fn replay(&self, recording: &RecordingFolder, plugins: &str) -> Replay {
        let replay = Replay::new(recording, &self.out()).plugins(plugins).libraries(&self.libraries);
        replay.env("KYMO_LOG", self.log_path())
    }

    /// Returns the calls in the log.
    pub(crate) fn calls(&self) -> Vec<Value> {
        text_of(&self.log_path()).lines().map(parsed).collect()
    }
}

/// Returns a member that is a number.
pub(crate) fn number(call: &Value, name: &str) -> u64 {
    call[name].as_u64().unwrap_or_else(|| panic!("no number `{name}` in {call}"))
}
