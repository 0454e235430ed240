//! What a scratch file looks like: the one description of it for those who write it and for recovery.
//!
//! ```text
//! head | extent | extent | ...          head: `page` bytes, who made the file
//! extent: table | block | block | ...   table: `page` bytes of descriptors; block: 64 KiB
//! ```
//!
//! The descriptors of an extent describe its blocks in order; the first one describes the extent itself. Extents follow one another
//! without gaps; the file may be longer than they are. A run is one block or several neighbours, described by the descriptor of the
//! first. All numbers are in the byte order of the machine, which [`BYTE_ORDER`] tells.
//!
//! Invariant: at every instant the runs of a location, in the order of their sequence numbers, each put at its offset, are the end of
//! its event file, and the one with the highest number ends where the file ends. What is behind `committed` is no content. A run is
//! there if its kind is; everything else in its descriptor was stored before.

use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

/// First bytes of a head.
pub const MAGIC: [u8; 8] = *b"KYMOSCR1";
/// Number that tells the byte order of the file.
pub const BYTE_ORDER: u32 = 0x0102_0304;
/// Magic number of the first descriptor of an extent.
pub const EXTENT: u32 = 0x4b45_5854;
/// Bytes of a block. Under Miri everything has to be small.
pub const BLOCK: usize = if cfg!(miri) { 4 * 1024 } else { 64 * 1024 };
/// Blocks of an extent at most: its table then fills the smallest page.
pub const MOST_BLOCKS: usize = 63;
/// Bytes of a descriptor.
pub const DESCRIPTOR: usize = 64;

/// What a run holds.
pub mod kind {
    /// Nothing.
    pub const FREE: u32 = 0;
    /// A piece of the event file of a location.
    pub const PIECE: u32 = 1;
    /// Entries of the journal.
    pub const JOURNAL: u32 = 2;
    /// [`Slot`](super::Slot)s of locations.
    pub const SLOTS: u32 = 3;
}

/// The beginning of the file.
///
/// Invariant: everything but `rank` and `directory_length` is stored before `magic`.
#[repr(C)]
#[derive(Debug)]
pub struct Head {
    /// [`MAGIC`], as the bytes of a number in the byte order of the machine.
    pub magic: AtomicU64,
    /// [`BYTE_ORDER`].
    pub byte_order: AtomicU32,
    /// Bytes of this head and of the table of every extent.
    pub page: AtomicU32,
    /// Number of the process that made the file.
    pub process: AtomicU32,
    /// Rank of the process, all ones while it is unknown.
    pub rank: AtomicU32,
    /// When that process started, as field 22 of `/proc/PID/stat` has it: tells it from a later one of the same number.
    pub started: AtomicU64,
    /// Length of `directory`; stored behind it. 0: unknown.
    pub directory_length: AtomicU32,
    /// Bytes that the working directory and the text of `SCOREP_EXPERIMENT_DIRECTORY` have in `hint`.
    pub hint_lengths: [AtomicU32; 2],
    /// Extents of the process that are not in the file, because it could not grow: what was in them is gone.
    pub elsewhere: AtomicU32,
    /// Events of locations for which there was no memory.
    pub homeless: AtomicU64,
    /// Name of the node and, behind a zero, the id of its boot.
    pub node: [u8; 256],
    /// Path of the folder of the archive, as the process knew it when it was opened.
    pub directory: [AtomicU8; 1600],
    /// Working directory of the process when it started, and what its environment said of the experiment directory.
    pub hint: [u8; 1600],
    /// What the process's launcher told it ([`Launch::text`](super::Launch::text)), up to a zero; empty if nothing.
    pub launch: [u8; 256],
}

/// Describes an extent (in place 0) or a run of blocks.
#[repr(C)]
#[derive(Debug)]
pub struct Descriptor {
    /// What the run holds: one of [`kind`]. Of an extent: [`EXTENT`], stored last.
    pub kind: AtomicU32,
    /// Blocks in the run, or in the extent.
    pub blocks: AtomicU32,
    /// Piece: index of the location's slot.
    pub location: AtomicU32,
    /// Piece: length of the part that ends behind the first record that began in it.
    pub mark_used: AtomicU32,
    /// Piece: its offset in the event file. Slots: index of the first.
    pub base: AtomicU64,
    /// Piece: counts the pieces of the location, from 1. Journal: counts its runs, from 1.
    pub sequence: AtomicU64,
    /// Bytes of content.
    pub committed: AtomicU64,
    /// Piece: number of events up to the mark.
    pub mark_events: AtomicU64,
    /// Piece: time of the event before the mark.
    pub mark_time: AtomicU64,
    /// Piece: offset of the chunk that the mark is in.
    pub mark_chunk: AtomicU64,
}

/// What is kept of every location, whether it has pieces or not.
#[repr(C)]
#[derive(Debug)]
pub struct Slot {
    /// Number of its event file, all ones while it is unknown.
    pub file: AtomicU64,
    /// Where the event file goes on if there is no piece of it.
    pub length: AtomicU64,
    /// Pieces up to this sequence number are in the event file.
    pub written: AtomicU64,
    /// Records that were dropped.
    pub dropped: AtomicU64,
    /// Whether this slot is a location's: 0 or 1. Stored last.
    pub used: AtomicU32,
    /// 1 when the event file is complete.
    pub closed: AtomicU32,
    /// 1 while the storage refuses pieces of this location.
    pub refused: AtomicU32,
    /// The newest run of this location that waits to be written; 0 if none does. For the writer.
    pub newest: AtomicU32,
    /// A place in the event file behind which there are bytes: offset, events up to it, time of the event before, offset of its chunk.
    pub mark: [AtomicU64; 4],
    /// Sequence number of the piece that the mark lies in.
    pub mark_sequence: AtomicU64,
    /// The oldest run of this location that waits to be written. For the writer.
    pub oldest: AtomicU32,
    /// Index + 1 of the next slot with runs that wait; 0 at the end of the list. For the writer.
    pub next: AtomicU32,
    /// Fills up.
    pub reserved: [AtomicU64; 4],
}

/// Bytes of a slot.
pub const SLOT: usize = size_of::<Slot>();
/// Slots in a block.
pub const SLOTS_PER_BLOCK: usize = BLOCK / SLOT;

const _: () = assert!(size_of::<Descriptor>() == DESCRIPTOR && size_of::<Slot>() == 128);
const _: () = assert!(size_of::<Head>() <= 4096 && (MOST_BLOCKS + 1) * DESCRIPTOR <= 4096);
