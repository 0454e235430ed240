//! The layout of a scratch file, shared by the code that writes it and by recovery.
//!
//! ```text
//! head | extent | extent | ...          head: `page` bytes, the origin of the file
//! extent: table | block | block | ...   table: `page` bytes of descriptors; block: 64 KiB
//! ```
//!
//! The descriptors of an extent describe its blocks in order; the first one describes the extent
//! itself. Extents follow one another without gaps, and the file may be longer than all of them. A
//! run is one block, or several adjacent ones, described by the descriptor of the first. All
//! numbers are in the byte order of the machine, which [`BYTE_ORDER`] identifies.
//!
//! Invariant: at every instant, the runs of a location, in the order of their sequence numbers and
//! each placed at its offset, are the end of its event file. The one with the highest number ends
//! where the file ends. Bytes after `committed` are not content. A run exists if its kind is set;
//! everything else in its descriptor was stored before.

use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

/// The first bytes of a head.
pub const MAGIC: [u8; 8] = *b"KYMOSCR1";
/// The number that identifies the byte order of the file.
pub const BYTE_ORDER: u32 = 0x0102_0304;
/// The magic number of the first descriptor of an extent.
pub const EXTENT: u32 = 0x4b45_5854;
/// The size of a block in bytes. Under Miri, all sizes must be small.
pub const BLOCK: usize = if cfg!(miri) { 4 * 1024 } else { 64 * 1024 };
/// The maximum number of blocks in an extent: its table then fills the smallest page.
pub const MOST_BLOCKS: usize = 63;
/// The size of a descriptor in bytes.
pub const DESCRIPTOR: usize = 64;

/// The kinds of content of a run.
pub mod kind {
    /// Nothing.
    pub const FREE: u32 = 0;
    /// A piece of the event file of a location.
    pub const PIECE: u32 = 1;
    /// Entries of the journal.
    pub const JOURNAL: u32 = 2;
    /// [`LocationSlot`](super::LocationSlot)s of locations.
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
    /// The size in bytes of this head and of the table of every extent.
    pub page: AtomicU32,
    /// The id of the process that created the file.
    pub process: AtomicU32,
    /// The rank of the process; all ones while it is unknown.
    pub rank: AtomicU32,
    /// When that process started, as in field 22 of `/proc/PID/stat`. Distinguishes it from a later
    /// process with the same id.
    pub started: AtomicU64,
    /// The length of `directory`, stored after it. 0: unknown.
    pub directory_length: AtomicU32,
    /// The lengths in `hint` of the working directory and of the value of
    /// `SCOREP_EXPERIMENT_DIRECTORY`.
    pub hint_lengths: [AtomicU32; 2],
    /// The number of extents of the process that are not in the file, because it could not grow.
    /// Their content is lost.
    pub elsewhere: AtomicU32,
    /// The number of events for locations for which there was no memory.
    pub untracked: AtomicU64,
    /// The name of the node and, after a zero byte, the id of its boot.
    pub node: [u8; 256],
    /// The path of the archive's folder, as known to the process when the archive was opened.
    pub directory: [AtomicU8; 1600],
    /// The working directory of the process when it started, and the experiment directory from its
    /// environment.
    pub hint: [u8; 1600],
    /// The text from the process's launcher ([`Launch::text`](super::Launch::text)), up to a zero
    /// byte; empty if there is none.
    pub launch: [u8; 256],
}

/// The description of an extent (in place 0) or of a run of blocks.
#[repr(C)]
#[derive(Debug)]
pub struct Descriptor {
    /// The content of the run, one of [`kind`]. For an extent: [`EXTENT`], stored last.
    pub kind: AtomicU32,
    /// The number of blocks in the run or the extent.
    pub blocks: AtomicU32,
    /// Piece: the index of the location's slot.
    pub location: AtomicU32,
    /// Piece: the length of the part that ends after the first record that begins in it.
    pub mark_used: AtomicU32,
    /// Piece: its offset in the event file. Slots: the index of the first.
    pub base: AtomicU64,
    /// Piece: its number among the location's pieces, from 1. Journal: its number among the runs,
    /// from 1.
    pub sequence: AtomicU64,
    /// The number of bytes of content.
    pub committed: AtomicU64,
    /// Piece: the number of events up to the mark.
    pub mark_events: AtomicU64,
    /// Piece: the time of the event before the mark.
    pub mark_time: AtomicU64,
    /// Piece: the offset of the chunk that contains the mark.
    pub mark_chunk: AtomicU64,
}

/// The data kept for every location, whether it has pieces or not.
#[repr(C)]
#[derive(Debug)]
pub struct LocationSlot {
    /// The number of its event file; all ones while it is unknown.
    pub file: AtomicU64,
    /// The offset at which the event file continues if there is no piece of it.
    pub length: AtomicU64,
    /// Pieces up to this sequence number are in the event file.
    pub written: AtomicU64,
    /// The number of records that were dropped.
    pub dropped: AtomicU64,
    /// Whether this slot belongs to a location: 0 or 1. Stored last.
    pub used: AtomicU32,
    /// 1 when the event file is complete.
    pub closed: AtomicU32,
    /// 1 while the storage refuses pieces of this location.
    pub refused: AtomicU32,
    /// The newest run of this location that waits to be written; 0 if there is none. Used by the
    /// writer.
    pub newest: AtomicU32,
    /// A place in the event file that is followed by written bytes: its offset, the number of
    /// events up to it, the time of the event before it, and the offset of its chunk.
    pub mark: [AtomicU64; 4],
    /// The sequence number of the piece that contains the mark.
    pub mark_sequence: AtomicU64,
    /// The oldest run of this location that waits to be written. Used by the writer.
    pub oldest: AtomicU32,
    /// The index plus 1 of the next slot with waiting runs; 0 at the end of the list. Used by the
    /// writer.
    pub next: AtomicU32,
    /// While the location writes its last record again: the offset of that record in the event file
    /// times 256, plus its length in bytes; otherwise 0. If the stream ends there, the bytes of
    /// the record follow.
    pub kept: AtomicU64,
    /// The bytes of that record.
    pub kept_bytes: [AtomicU64; KEPT / 8],
}

/// The longest record, in bytes, that a slot keeps: an enter with a time.
pub const KEPT: usize = 24;

/// The size of a slot in bytes.
pub const SLOT: usize = size_of::<LocationSlot>();
/// The number of slots in a block.
pub const SLOTS_PER_BLOCK: usize = BLOCK / SLOT;

const _: () = assert!(size_of::<Descriptor>() == DESCRIPTOR && size_of::<LocationSlot>() == 128);
const _: () = assert!(size_of::<Head>() <= 4096 && (MOST_BLOCKS + 1) * DESCRIPTOR <= 4096);
