//! Scratch files and side files built by hand from the descriptions in `scratch::layout`,
//! `scratch::side` and `journal::entry`.

use std::mem::offset_of;

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::events::Event;
use kymo_otf2::storage::Memory;
use kymo_otf2::write::{EventWriter, StoragePieces, definition_bytes, definition_room};
use kymo_otf2::{FileName, Storage};
use kymo_recorder::EVENT_CHUNK_SIZE;
use kymo_recorder::journal::Entry;
use kymo_recorder::scratch::layout::{
    BLOCK, BYTE_ORDER, DESCRIPTOR, Descriptor, EXTENT, Head, LocationSlot, MAGIC, MOST_BLOCKS, SLOT, kind,
};
use kymo_recorder::scratch::side::{JOURNAL_MAGIC, LOCATIONS_MAGIC};

/// The size of the head and of tables in bytes.
pub const PAGE: usize = 4096;

/// A piece of an event stream.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The index of the slot of its location.
    pub location: u32,
    /// Its number among the pieces of its location.
    pub sequence: u64,
    /// Its offset in the event file.
    pub base: u64,
    /// The committed bytes.
    pub bytes: Vec<u8>,
}

/// A location as stored in its slot.
#[derive(Debug, Clone, Copy)]
pub struct Kept {
    /// The number of its event file, once it is known.
    pub file: Option<u64>,
    /// The number of bytes in the file.
    pub length: u64,
    /// The number of lost events.
    pub dropped: u64,
    /// Whether the file is complete.
    pub closed: bool,
}

/// A scratch file.
#[derive(Debug, Clone)]
pub struct Scratch {
    /// The process id.
    pub process: u32,
    /// When the process started.
    pub started: u64,
    /// The rank, once it is known.
    pub rank: Option<u32>,
    /// The name of the node.
    pub node: String,
    /// The identity of the boot of the node.
    pub boot: String,
    /// The folder of the archive.
    pub directory: String,
    /// The working directory and the experiment directory.
    pub hint: [String; 2],
    /// The text from the launcher.
    pub launch: String,
    /// The entries, by run.
    pub journal: Vec<Vec<u8>>,
    /// The pieces of all locations.
    pub pieces: Vec<Piece>,
    /// The slots with their indices.
    pub slots: Vec<(u32, Kept)>,
    /// The maximum number of blocks in an extent.
    pub extent: usize,
    /// The number of events for locations for which there was no memory.
    pub untracked: u64,
    /// The record that a location was writing again: its index, the offset in the event file, and
    /// its bytes.
    pub kept: Option<(u32, u64, Vec<u8>)>,
}

/// The content of a block and its descriptor: kind, location, base, sequence, content.
type Run = (u32, u32, u64, u64, Vec<u8>);

impl Scratch {
    /// Creates the file of a process that has recorded nothing.
    pub fn new(process: u32) -> Self {
        Self {
            process,
            started: 1000,
            rank: None,
            node: String::new(),
            boot: String::new(),
            directory: String::new(),
            hint: [String::new(), String::new()],
            launch: String::new(),
            journal: vec![Vec::new()],
            pieces: Vec::new(),
            slots: Vec::new(),
            extent: MOST_BLOCKS,
            untracked: 0,
            kept: None,
        }
    }

    /// Appends an entry to the last run of the journal.
    pub fn note(&mut self, entry: &Entry<'_>) {
        self.journal.last_mut().unwrap().extend(framed(&entry.parts(|fixed, rest| [fixed, rest].concat())));
    }

    /// Sets the slot of a location, replacing an earlier one.
    pub fn slot(&mut self, index: u32, file: Option<u64>, length: u64) {
        self.slots.retain(|&(other, _)| other != index);
        self.slots.push((index, Kept { file, length, dropped: 0, closed: false }));
    }

    /// Adds a piece of a location.
    pub fn piece(&mut self, location: u32, sequence: u64, base: u64, bytes: &[u8]) {
        self.pieces.push(Piece { location, sequence, base, bytes: bytes.to_vec() });
    }

    fn head(&self) -> Vec<u8> {
        let mut bytes = vec![0; PAGE];
        put(&mut bytes, offset_of!(Head, magic), &MAGIC);
        let numbers = [
            (offset_of!(Head, byte_order), BYTE_ORDER),
            (offset_of!(Head, page), PAGE as u32),
            (offset_of!(Head, process), self.process),
            (offset_of!(Head, rank), self.rank.unwrap_or(u32::MAX)),
            (offset_of!(Head, directory_length), self.directory.len() as u32),
            (offset_of!(Head, hint_lengths), self.hint[0].len() as u32),
            (offset_of!(Head, hint_lengths) + 4, self.hint[1].len() as u32),
        ];
        for (at, number) in numbers {
            put(&mut bytes, at, &number.to_ne_bytes());
        }
        put(&mut bytes, offset_of!(Head, started), &self.started.to_ne_bytes());
        put(&mut bytes, offset_of!(Head, untracked), &self.untracked.to_ne_bytes());
        put(&mut bytes, offset_of!(Head, node), format!("{}\0{}", self.node, self.boot).as_bytes());
        put(&mut bytes, offset_of!(Head, directory), self.directory.as_bytes());
        put(&mut bytes, offset_of!(Head, hint), self.hint.concat().as_bytes());
        put(&mut bytes, offset_of!(Head, launch), self.launch.as_bytes());
        bytes
    }

    fn runs(&self) -> Vec<Run> {
        let mut slots = vec![0; BLOCK];
        for &(index, kept) in &self.slots {
            put(&mut slots, index as usize * SLOT, &slot_bytes(&kept));
        }
        if let Some((index, offset, bytes)) = &self.kept {
            let (at, word) = (*index as usize * SLOT, offset << 8 | bytes.len() as u64);
            put(&mut slots, at + offset_of!(LocationSlot, kept), &word.to_ne_bytes());
            put(&mut slots, at + offset_of!(LocationSlot, kept_bytes), bytes);
        }
        let mut runs = vec![(kind::SLOTS, 0, 0, 0, slots)];
        for (number, entries) in (1..).zip(&self.journal) {
            runs.push((kind::JOURNAL, 0, 0, number, entries.clone()));
        }
        runs.extend(
            self.pieces.iter().map(|it| (kind::PIECE, it.location, it.base, it.sequence, it.bytes.clone())),
        );
        runs
    }

    /// Returns the content of the file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.head();
        let mut extent: Vec<Run> = Vec::new();
        for run in self.runs() {
            let used: usize = extent.iter().map(blocks).sum();
            if used + blocks(&run) > self.extent && used > 0 {
                bytes.extend(extent_bytes(&std::mem::take(&mut extent)));
            }
            extent.push(run);
        }
        bytes.extend(extent_bytes(&extent));
        // Reserved space.
        bytes.resize(bytes.len() + PAGE, 0);
        bytes
    }

    /// Returns the content of `RANK.journal`.
    pub fn side_journal(&self, rank: u32) -> Vec<u8> {
        let mut bytes = [&JOURNAL_MAGIC[..], &BYTE_ORDER.to_ne_bytes(), &rank.to_ne_bytes()].concat();
        bytes.extend(self.journal.concat());
        bytes
    }

    /// Returns the content of `RANK.locations`.
    pub fn side_locations(&self) -> Vec<u8> {
        let most = self.slots.iter().map(|&(index, _)| index as usize + 1).max().unwrap_or(0);
        let mut slots = vec![0; most * SLOT];
        for &(index, kept) in &self.slots {
            put(&mut slots, index as usize * SLOT, &slot_bytes(&kept));
        }
        let sum = crc32fast::hash(&slots);
        [&LOCATIONS_MAGIC[..], &BYTE_ORDER.to_ne_bytes(), &sum.to_ne_bytes(), &slots].concat()
    }

    /// Returns the content of `RANK.note`.
    pub fn note_text(&self, scratch: &str, rank: u32, size: u32) -> String {
        let Self { node, boot, process, started, .. } = self;
        format!(
            "scratch={scratch}\nnode={node}\nboot={boot}\nprocess={process}\nstarted={started}\nrank={rank}\nsize={size}\n"
        )
    }
}

fn blocks(run: &Run) -> usize {
    run.4.len().div_ceil(BLOCK).max(1)
}

fn put(bytes: &mut [u8], at: usize, content: &[u8]) {
    bytes[at..at + content.len()].copy_from_slice(content);
}

fn slot_bytes(kept: &Kept) -> Vec<u8> {
    let mut bytes = vec![0; SLOT];
    put(&mut bytes, offset_of!(LocationSlot, file), &kept.file.unwrap_or(u64::MAX).to_ne_bytes());
    put(&mut bytes, offset_of!(LocationSlot, length), &kept.length.to_ne_bytes());
    put(&mut bytes, offset_of!(LocationSlot, dropped), &kept.dropped.to_ne_bytes());
    put(&mut bytes, offset_of!(LocationSlot, used), &1_u32.to_ne_bytes());
    put(&mut bytes, offset_of!(LocationSlot, closed), &u32::from(kept.closed).to_ne_bytes());
    bytes
}

fn extent_bytes(runs: &[Run]) -> Vec<u8> {
    let all: usize = runs.iter().map(blocks).sum();
    let mut bytes = vec![0; PAGE + all * BLOCK];
    put(&mut bytes, offset_of!(Descriptor, kind), &EXTENT.to_ne_bytes());
    put(&mut bytes, offset_of!(Descriptor, blocks), &(all as u32).to_ne_bytes());
    let mut block = 0;
    for run in runs {
        let at = (block + 1) * DESCRIPTOR;
        let (kind, location, base, sequence, content) = run;
        put(&mut bytes, at + offset_of!(Descriptor, kind), &kind.to_ne_bytes());
        put(&mut bytes, at + offset_of!(Descriptor, blocks), &(blocks(run) as u32).to_ne_bytes());
        put(&mut bytes, at + offset_of!(Descriptor, location), &location.to_ne_bytes());
        put(&mut bytes, at + offset_of!(Descriptor, base), &base.to_ne_bytes());
        put(&mut bytes, at + offset_of!(Descriptor, sequence), &sequence.to_ne_bytes());
        put(&mut bytes, at + offset_of!(Descriptor, committed), &(content.len() as u64).to_ne_bytes());
        put(&mut bytes, PAGE + block * BLOCK, content);
        block += blocks(run);
    }
    bytes
}

/// Returns the content of an entry, valid or not, with its length and checksum.
pub fn framed(content: &[u8]) -> Vec<u8> {
    let mut bytes = (content.len() as u32).to_ne_bytes().to_vec();
    bytes.extend(crc32fast::hash(content).to_ne_bytes());
    bytes.extend(content);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

/// Returns definitions as stored in a journal.
pub fn records<'a>(definitions: impl IntoIterator<Item = GlobalDefinition<'a>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for definition in definitions {
        let begin = bytes.len();
        bytes.resize(begin + definition_room(&definition), 0);
        let length = definition_bytes(&definition, &mut bytes[begin..]).unwrap();
        bytes.truncate(begin + length);
    }
    bytes
}

/// Returns the event stream of a location that is still being written: its last chunk has no count,
/// and the end mark is missing.
pub fn stream(events: &[(u64, Event<'_>)]) -> Vec<u8> {
    const LAST_EVENT: usize = 10;
    let storage = Memory::new();
    storage.create().unwrap();
    let mut writer =
        EventWriter::new(StoragePieces::new(&storage, FileName::Events(0), 4096), EVENT_CHUNK_SIZE).unwrap();
    for (time, event) in events {
        writer.record(*time, event).unwrap();
    }
    writer.finish().unwrap();
    let mut bytes = storage.read(FileName::Events(0)).unwrap();
    bytes.truncate(bytes.len() - 2);
    let chunk = (bytes.len() - 1) / EVENT_CHUNK_SIZE as usize * EVENT_CHUNK_SIZE as usize;
    bytes[chunk + LAST_EVENT..][..8].fill(0);
    bytes
}
