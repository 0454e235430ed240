//! Recordings of runs that never took place, of one process or several ranks: definitions in the
//! layout of Score-P 8.4, and any calls that a test requires.
//!
//! `SyntheticRecording` keeps the arena and the lines of a recording while a test describes the
//! run, call by call, and writes the three files of a recording. Definitions receive their bytes
//! when they are announced; fields that Score-P fills in later are set with `set` before the
//! snapshots are taken.

pub mod definitions;
pub mod every_event;
mod handles;
pub mod rank;
mod sweep;

use flate2::Compression;
use flate2::write::GzEncoder;
use kymo_substrate::bindings as sys;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// The names of the kinds of handles, by number.
const KINDS: [&str; 26] = [
    "ANY",
    "CALLING_CONTEXT",
    "GROUP",
    "INTERIM_COMMUNICATOR",
    "INTERRUPT_GENERATOR",
    "LOCATION",
    "LOCATION_GROUP",
    "LOCATION_PROPERTY",
    "METRIC",
    "PARADIGM",
    "PARAMETER",
    "REGION",
    "RMA_WINDOW",
    "SAMPLING_SET",
    "SAMPLING_SET_RECORDER",
    "SOURCE_CODE_LOCATION",
    "SOURCE_FILE",
    "STRING",
    "SYSTEM_TREE_NODE",
    "SYSTEM_TREE_NODE_PROPERTY",
    "CARTESIAN_TOPOLOGY",
    "CARTESIAN_COORDS",
    "IO_FILE",
    "IO_FILE_PROPERTY",
    "IO_HANDLE",
    "IO_PARADIGM",
];

/// Kinds without the common header of definitions.
const HEADERLESS: [u32; 2] = [sys::SCOREP_HANDLE_TYPE_PARADIGM, sys::SCOREP_HANDLE_TYPE_IO_PARADIGM];
/// The number of bytes of a definition in an announcement.
const RAW: usize = 96;
/// The number of bytes of a snapshot after the highest announced handle.
const TAIL: usize = 4096;
/// The index in `counts` of final communicators, which are not announced.
const COMMUNICATOR: usize = 0;

/// A recording under construction.
#[derive(Debug)]
pub struct SyntheticRecording {
    rank: u32,
    size: u32,
    arena: Vec<u8>,
    highest: usize,
    counts: [u32; KINDS.len()],
    strings: HashMap<String, u32>,
    /// Definitions that unification replaces by a unified one.
    unifiable: Vec<u32>,
    lines: String,
    snapshots: [Option<Vec<u8>>; 2],
    thread: u32,
    /// The time of the next event.
    pub time: u64,
    /// The number of ticks from one event to the next.
    pub step: u64,
    initialised: bool,
}

impl Default for SyntheticRecording {
    fn default() -> Self {
        Self::new()
    }
}

impl SyntheticRecording {
    /// Starts a run of one process, up to the first announcement, which is the empty string.
    pub fn new() -> Self {
        Self::of_rank(0, 1)
    }

    /// Like [`new`](Self::new), for one rank of a program.
    pub fn of_rank(rank: u32, size: u32) -> Self {
        let mut recording = Self {
            rank,
            size,
            arena: vec![0; 8192],
            highest: 0,
            counts: [0; KINDS.len()],
            strings: HashMap::new(),
            unifiable: Vec::new(),
            lines: String::new(),
            snapshots: [None, None],
            thread: 0,
            time: 1_000_000,
            step: 10,
            initialised: false,
        };
        recording.call("init", json!({}));
        recording.call("set_callbacks", json!({"size": 424}));
        for mode in 0..2 {
            recording.call("get_event_functions", json!({"mode": mode, "num_events": 83}));
        }
        recording.string("");
        recording
    }

    /// Makes the calls that follow come from this thread.
    pub fn on_thread(&mut self, thread: u32) -> &mut Self {
        self.thread = thread;
        self
    }

    /// Adds a call with these members in addition to its name and thread.
    pub fn call(&mut self, name: &str, members: Value) {
        let mut line = json!({"call": name, "thread": self.thread});
        let line_members = line.as_object_mut().expect("an object");
        line_members.extend(members.as_object().expect("members").clone());
        self.lines += &line.to_string();
        self.lines.push('\n');
    }

    /// Adds an event of a location at the next time. Members that a recording omits are absent.
    pub fn event(&mut self, location: u32, name: &str, members: Value) {
        let time = self.time;
        self.time += self.step;
        self.event_at(location, name, time, members);
    }

    /// Like [`event`](Self::event), at any time.
    pub fn event_at(&mut self, location: u32, name: &str, time: u64, members: Value) {
        let mut event = json!({"name": name, "location": location, "timestamp": time});
        let all = event.as_object_mut().expect("an object");
        all.extend(members.as_object().expect("members").clone());
        self.call("event", event);
    }

    /// Announces a definition with these words at these offsets; returns its handle.
    pub fn define(&mut self, kind: u32, size: usize, words: &[(usize, u32)], public: Value) -> u32 {
        let handle = self.place(kind as usize, size, words, !HEADERLESS.contains(&kind));
        self.announce(handle, kind, RAW, public);
        handle
    }

    /// Adds a communicator after unification, which is not announced.
    pub fn communicator(&mut self, words: &[(usize, u32)]) -> u32 {
        self.place(COMMUNICATOR, 44, words, true)
    }

    fn place(&mut self, kind: usize, size: usize, words: &[(usize, u32)], header: bool) -> u32 {
        let handle = self.arena.len();
        self.arena.resize(handle + size.next_multiple_of(8), 0);
        if header {
            self.set(handle as u32, 16, self.counts[kind]);
        }
        self.counts[kind] += 1;
        for &(at, word) in words {
            self.set(handle as u32, at, word);
        }
        if header && kind != sys::SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR as usize {
            self.unifiable.push(handle as u32);
        }
        handle as u32
    }

    fn announce(&mut self, handle: u32, kind: u32, length: usize, public: Value) {
        let start = handle as usize;
        self.highest = self.highest.max(start);
        let mut raw = self.arena[start..self.arena.len().min(start + length)].to_vec();
        raw.resize(length, 0);
        let raw: String = raw.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut members =
            json!({"handle": handle, "type": KINDS[kind as usize], "type_id": kind, "raw": raw});
        members.as_object_mut().expect("an object").extend(public.as_object().expect("members").clone());
        self.call("new_definition_handle", members);
    }

    /// Returns the handle of a string, which is announced at its first use.
    pub fn string(&mut self, text: &str) -> u32 {
        if let Some(&handle) = self.strings.get(text) {
            return handle;
        }
        let kind = sys::SCOREP_HANDLE_TYPE_STRING;
        let size = 24 + text.len() + 1;
        let handle = self.place(kind as usize, size, &[(20, text.len() as u32)], true);
        self.arena[handle as usize + 24..][..text.len()].copy_from_slice(text.as_bytes());
        self.announce(handle, kind, size, json!({"value": text}));
        self.strings.insert(text.to_owned(), handle);
        handle
    }

    /// Changes a word of a definition, as Score-P does after its announcement.
    pub fn set(&mut self, handle: u32, at: usize, word: u32) {
        self.arena[handle as usize + at..][..4].copy_from_slice(&word.to_le_bytes());
    }

    /// Returns a word of a definition.
    pub fn get(&self, handle: u32, at: usize) -> u32 {
        let bytes = &self.arena[handle as usize + at..][..4];
        u32::from_le_bytes(bytes.try_into().expect("four bytes"))
    }

    /// Creates a location that was announced.
    pub fn create_location(&mut self, location: u32, kind: u32, name: &str, parent: Option<u32>) {
        let mut members = json!({"location": location, "name": name, "type": kind});
        let all = members.as_object_mut().expect("an object");
        if let Some(parent) = parent {
            all.insert("parent".to_owned(), parent.into());
        }
        if self.initialised {
            all.insert("global_id".to_owned(), self.global_id(location).into());
        }
        self.call("create_location", members);
    }

    /// Returns the id of a location among those of all ranks.
    pub fn global_id(&self, location: u32) -> u64 {
        u64::from(location) << 32 | u64::from(self.rank)
    }

    /// Creates the directory on rank 0, and calls `init_mpp`.
    pub fn init_mpp(&mut self) {
        self.call("get_requirement", json!({"flag": 0}));
        if self.rank == 0 {
            self.call("dump_manifest", json!({}));
        }
        let members = json!({"size": self.size, "rank": self.rank, "experiment_dir_set": "yes"});
        self.call("init_mpp", members);
        self.initialised = true;
    }

    /// Takes the first snapshot.
    pub fn pre_unify(&mut self) {
        let snapshot = self.snapshot();
        self.call("pre_unify", json!({"arena_size": snapshot.len()}));
        self.snapshots[0] = Some(snapshot);
    }

    /// Takes the second snapshot, and ends the run of these locations.
    pub fn write_data(&mut self, locations: &[(u32, &str)]) {
        for handle in std::mem::take(&mut self.unifiable) {
            self.set(handle, 4, handle);
        }
        let snapshot = self.snapshot();
        self.call("write_data", json!({"arena_size": snapshot.len(), "clock_resolution": 1_000_000_000_u64}));
        self.snapshots[1] = Some(snapshot);
        for &(location, name) in locations {
            let id = self.global_id(location);
            self.call("delete_location", json!({"location": location, "global_id": id, "name": name}));
        }
        self.call("finalize", json!({}));
    }

    fn snapshot(&self) -> Vec<u8> {
        let mut snapshot = self.arena.clone();
        snapshot.resize(snapshot.len().max(self.highest + TAIL), 0);
        snapshot.truncate(self.highest + TAIL);
        snapshot
    }

    /// Writes the files of the recording into a folder. A snapshot is missing if its call was not
    /// made.
    pub fn write(&self, folder: &Path) {
        let rank = self.rank;
        compress(&folder.join(format!("rank{rank}.jsonl.gz")), self.lines.as_bytes());
        for (snapshot, when) in self.snapshots.iter().zip(["pre_unify", "write_data"]) {
            if let Some(snapshot) = snapshot {
                compress(&folder.join(format!("rank{rank}.{when}.arena.gz")), snapshot);
            }
        }
    }
}

fn compress(path: &Path, bytes: &[u8]) {
    let write = || -> io::Result<()> {
        fs::create_dir_all(path.parent().expect("a folder"))?;
        let mut encoder = GzEncoder::new(File::create(path)?, Compression::fast());
        encoder.write_all(bytes)?;
        encoder.finish().map(drop)
    };
    write().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
