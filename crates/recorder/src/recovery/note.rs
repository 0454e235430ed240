//! The note in the folder of an archive that states where the scratch file of a process is.

use std::{collections::HashMap, path::PathBuf};

use super::image::path;

/// The contents of a note.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Note {
    /// The path of the scratch file, if there is one.
    pub scratch: Option<PathBuf>,
    /// The name of the node.
    pub node: String,
    /// The id of the node's boot.
    pub boot: String,
    /// The id of the process.
    pub process: Option<u32>,
    /// When it started.
    pub started: Option<u64>,
    /// Its rank.
    pub rank: Option<u32>,
    /// The number of ranks.
    pub size: Option<u32>,
    /// Whether the process periodically synced its files to disk.
    pub syncs: bool,
}

impl Note {
    /// Reads a note, ignoring unexpected lines.
    pub fn read(bytes: &[u8]) -> Self {
        let mut lines = HashMap::new();
        for line in bytes.split(|&byte| byte == b'\n') {
            if let Some(at) = line.iter().position(|&byte| byte == b'=') {
                lines.insert(&line[..at], &line[at + 1..]);
            }
        }
        let bytes = |name: &str| lines.get(name.as_bytes()).copied().filter(|value| !value.is_empty());
        let text = |name| String::from_utf8_lossy(bytes(name).unwrap_or_default()).into_owned();
        let number = |name| text(name).parse::<u64>().ok();
        let small = |name| number(name).and_then(|number| u32::try_from(number).ok());
        Self {
            scratch: bytes("scratch").map(path),
            node: text("node"),
            boot: text("boot"),
            process: small("process"),
            started: number("started"),
            rank: small("rank").filter(|&rank| rank != u32::MAX),
            size: small("size"),
            syncs: text("sync") == "true",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_parsed() {
        let note = Note::read(
            b"scratch=/dev/shm/a=b\nnode=n1\nboot=x-y\nprocess=77\nstarted=5\nrank=3\nsize=4\nmore=1\n\n",
        );
        assert_eq!(note.scratch, Some("/dev/shm/a=b".into()));
        assert_eq!((note.node.as_str(), note.boot.as_str()), ("n1", "x-y"));
        assert_eq!((note.process, note.started, note.rank, note.size), (Some(77), Some(5), Some(3), Some(4)));
        assert_eq!(Note::read(b"nonsense\nrank=-1\nscratch=\nprocess=99999999999"), Note::default());
    }
}
