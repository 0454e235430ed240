//! A scratch file left by a process: its origin, its runs, and the slots of its locations.
//!
//! Covers [`layout`](crate::scratch::layout). Whatever the file contains, reading it terminates:
//! extents only lead forward, a run never leaves its extent, and the data kept is smaller than the
//! file.

use std::{
    collections::BTreeMap, ffi::OsString, fmt, io, mem::offset_of, os::unix::ffi::OsStringExt, path::PathBuf,
    sync::Arc,
};

use kymo_otf2::storage::Content;

use super::bytes::Bytes;
use crate::scratch::{
    Launch,
    layout::{
        BLOCK, BYTE_ORDER, DESCRIPTOR, Descriptor, EXTENT, Head, KEPT, LocationSlot, MAGIC, MOST_BLOCKS,
        SLOT, kind,
    },
};

/// The origin of a scratch file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The id of the process.
    pub process: u32,
    /// When the process started. Distinguishes it from a later process with the same id.
    pub started: u64,
    /// Its rank, if it was known.
    pub rank: Option<u32>,
    /// The name of the node.
    pub node: String,
    /// The id of the node's boot.
    pub boot: String,
    /// The path of the archive's folder when the archive was opened.
    pub directory: Option<PathBuf>,
    /// The working directory of the process when it started.
    pub working_directory: PathBuf,
    /// The experiment directory in its environment.
    pub experiment: PathBuf,
    /// The data from its launcher.
    pub launch: Option<Launch>,
}

/// The reason why a file is not a scratch file that can be read here.
#[derive(Debug)]
pub enum NoScratch {
    /// It cannot be read.
    Io(io::Error),
    /// It is not a scratch file, or its process died while creating it.
    Magic,
    /// It was written on a machine with the other byte order.
    ByteOrder,
    /// Its tables have an impossible size.
    Page(u32),
}

impl fmt::Display for NoScratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Magic => f.write_str("is not a Kymo scratch file"),
            Self::ByteOrder => {
                f.write_str("was written on a machine with another byte order: recover it there")
            }
            Self::Page(page) => {
                write!(f, "byte {}: invalid table size of {page} bytes", offset_of!(Head, page))
            }
        }
    }
}

impl std::error::Error for NoScratch {}

impl From<io::Error> for NoScratch {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// One or more blocks with common content.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    /// The offset in the scratch file.
    pub(super) at: u64,
    /// The offset of the content in the event file.
    pub(super) base: u64,
    pub(super) sequence: u64,
    pub(super) committed: u64,
}

/// The data kept for a location.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Kept {
    /// The number of its event file.
    pub(super) file: Option<u64>,
    pub(super) length: u64,
    pub(super) dropped: u64,
    pub(super) is_closed: bool,
}

/// Slots, by index.
pub(super) type Slots = BTreeMap<u32, Kept>;

/// The contents of a scratch file.
pub(super) struct Image {
    pub(super) content: Arc<dyn Content>,
    pub(super) origin: Origin,
    /// The runs of the journal, in the order of their sequence numbers.
    pub(super) journal: Vec<Run>,
    /// The pieces of each location, in the order of their sequence numbers.
    pub(super) pieces: BTreeMap<u32, Vec<Run>>,
    pub(super) slots: Slots,
    /// Last records that were being written again, by location.
    kept: BTreeMap<u32, Run>,
    /// The number of runs with impossible descriptions.
    pub(super) damaged: u64,
    /// Whether the process had memory that is not in the file.
    pub(super) has_more: bool,
    /// The number of events for locations for which there was no memory.
    pub(super) untracked: u64,
}

/// Reads the origin of a scratch file.
pub fn origin(content: &dyn Content) -> Result<Origin, NoScratch> {
    Ok(head(content)?.0)
}

/// Reads the origin and the size of a table in bytes.
fn head(content: &dyn Content) -> Result<(Origin, u64), NoScratch> {
    let mut bytes = [0; size_of::<Head>()];
    read(content, 0, &mut bytes)?;
    let head = Bytes(&bytes);
    if head.array(offset_of!(Head, magic)) != MAGIC {
        return Err(NoScratch::Magic);
    }
    if head.u32(offset_of!(Head, byte_order)) != BYTE_ORDER {
        return Err(NoScratch::ByteOrder);
    }
    let page = head.u32(offset_of!(Head, page));
    if !page.is_power_of_two() || !(4096..=1 << 20).contains(&page) {
        return Err(NoScratch::Page(page));
    }
    Ok((origin_in(head), page.into()))
}

fn origin_in(head: Bytes<'_>) -> Origin {
    let length = |at: usize| usize::try_from(head.u32(at)).unwrap_or(0);
    let lengths = offset_of!(Head, hint_lengths);
    let (directory, experiment) = (length(offset_of!(Head, directory_length)), length(lengths + 4));
    let hint = Bytes(head.part(offset_of!(Head, hint), size_of::<[u8; 1600]>()));
    let node = head.part(offset_of!(Head, node), size_of::<[u8; 256]>());
    let mut names = node.split(|&byte| byte == 0).map(|name| String::from_utf8_lossy(name).into_owned());
    let launch = head.part(offset_of!(Head, launch), size_of::<[u8; 256]>());
    let launch = launch.split(|&byte| byte == 0).next().unwrap_or_default();
    let directory = Bytes(head.part(offset_of!(Head, directory), size_of::<[u8; 1600]>())).part(0, directory);
    Origin {
        process: head.u32(offset_of!(Head, process)),
        started: head.u64(offset_of!(Head, started)),
        rank: known(head.u32(offset_of!(Head, rank))),
        node: names.next().unwrap_or_default(),
        boot: names.next().unwrap_or_default(),
        directory: (!directory.is_empty()).then(|| path(directory)),
        working_directory: path(hint.part(0, length(lengths))),
        experiment: path(hint.part(length(lengths), experiment)),
        launch: str::from_utf8(launch).ok().and_then(Launch::read),
    }
}

fn known(rank: u32) -> Option<u32> {
    (rank != u32::MAX).then_some(rank)
}

pub(super) fn path(bytes: &[u8]) -> PathBuf {
    OsString::from_vec(bytes.to_vec()).into()
}

/// Reads into the buffer until it is full or the content ends. Returns the number of bytes read.
pub(super) fn read(content: &dyn Content, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let mut done = 0;
    while let Some(rest) = buffer.get_mut(done..).filter(|rest| !rest.is_empty()) {
        match content.read_at(offset.saturating_add(done as u64), rest)? {
            0 => break,
            count => done += count,
        }
    }
    Ok(done)
}

impl Image {
    /// Reads everything except the contents of pieces and journal.
    pub(super) fn read(content: Arc<dyn Content>) -> Result<Self, NoScratch> {
        let (origin, page) = head(&*content)?;
        let mut elsewhere = [0; 4];
        read(&*content, offset_of!(Head, elsewhere) as u64, &mut elsewhere)?;
        let has_more = elsewhere != [0; 4];
        let mut untracked = [0; 8];
        read(&*content, offset_of!(Head, untracked) as u64, &mut untracked)?;
        let untracked = u64::from_ne_bytes(untracked);
        let length = content.length()?;
        let (journal, pieces, slots) = (Vec::new(), BTreeMap::new(), Slots::new());
        let kept = BTreeMap::new();
        let mut image =
            Self { content, origin, journal, pieces, slots, kept, damaged: 0, has_more, untracked };
        let mut at = page;
        while let Some(next) = image.take_extent(at, page, length)? {
            at = next;
        }
        image.journal.sort_by_key(|run| run.sequence);
        for pieces in image.pieces.values_mut() {
            pieces.sort_by_key(|piece| piece.sequence);
        }
        image.put_back();
        Ok(image)
    }

    /// Adds the records that were being written again to the streams that end where they begin.
    fn put_back(&mut self) {
        for (location, record) in std::mem::take(&mut self.kept) {
            let Some(pieces) = self.pieces.get_mut(&location) else { continue };
            if pieces.last().is_some_and(|last| last.base + last.committed == record.base) {
                pieces.push(record);
            }
        }
    }

    /// Adds the runs of the extent at an offset. Returns the offset of the next one.
    fn take_extent(&mut self, at: u64, page: u64, length: u64) -> io::Result<Option<u64>> {
        let mut table = [0; (MOST_BLOCKS + 1) * DESCRIPTOR];
        if at >= length || read(&*self.content, at, &mut table)? < DESCRIPTOR {
            return Ok(None);
        }
        let table = Bytes(&table);
        let blocks = table.u32(offset_of!(Descriptor, blocks)) as usize;
        if table.u32(offset_of!(Descriptor, kind)) != EXTENT || !(1..=MOST_BLOCKS).contains(&blocks) {
            return Ok(None);
        }
        let mut block = 0;
        while block < blocks {
            let descriptor = Bytes(table.part((block + 1) * DESCRIPTOR, DESCRIPTOR));
            let begin = at.saturating_add(page).saturating_add((block * BLOCK) as u64);
            block += self.take_run(descriptor, begin, blocks - block, length)?;
        }
        Ok(at.checked_add(page + (blocks * BLOCK) as u64))
    }

    /// Adds a run. Returns how many of the remaining blocks it has.
    fn take_run(&mut self, descriptor: Bytes<'_>, at: u64, left: usize, length: u64) -> io::Result<usize> {
        let kind = descriptor.u32(offset_of!(Descriptor, kind));
        if kind == kind::FREE {
            return Ok(1);
        }
        let stated = descriptor.u32(offset_of!(Descriptor, blocks)) as usize;
        let blocks = stated.clamp(1, left);
        let room = ((blocks * BLOCK) as u64).min(length.saturating_sub(at));
        let committed = descriptor.u64(offset_of!(Descriptor, committed));
        if stated != blocks || (kind != kind::SLOTS && committed > room) {
            self.damaged += 1;
        }
        let base = descriptor.u64(offset_of!(Descriptor, base));
        let sequence = descriptor.u64(offset_of!(Descriptor, sequence));
        let run = Run { at, base, sequence, committed: committed.min(room) };
        match kind {
            kind::PIECE if base.checked_add(run.committed).is_some() => {
                let location = descriptor.u32(offset_of!(Descriptor, location));
                self.pieces.entry(location).or_default().push(run);
            }
            kind::JOURNAL => self.journal.push(run),
            kind::SLOTS => self.take_slots(at, room, base)?,
            _ => self.damaged += 1,
        }
        Ok(blocks)
    }

    fn take_slots(&mut self, at: u64, room: u64, first: u64) -> io::Result<()> {
        let mut block = vec![0; BLOCK];
        for (number, begin) in (0..room).step_by(BLOCK).enumerate() {
            let count = read(&*self.content, at.saturating_add(begin), &mut block)?;
            let index = first.saturating_add((number * BLOCK / SLOT) as u64);
            let bytes = block.get(..count).unwrap_or_default();
            self.slots.extend(slots(bytes, index));
            self.kept.extend(kept(bytes, at.saturating_add(begin), index));
        }
        Ok(())
    }
}

/// Returns the records in slots that were being written again, by location. The slots are at an
/// offset in the scratch file, and the first of them has index `first`.
fn kept(bytes: &[u8], at: u64, first: u64) -> impl Iterator<Item = (u32, Run)> {
    let slots = bytes.chunks_exact(SLOT).zip((at..).step_by(SLOT)).zip(first..);
    slots.filter_map(|((slot, at), index)| {
        let word = Bytes(slot).u64(offset_of!(LocationSlot, kept));
        let (base, committed) = (word >> 8, word & 0xFF);
        let at = at.checked_add(offset_of!(LocationSlot, kept_bytes) as u64)?;
        let is_kept = (1..=KEPT as u64).contains(&committed);
        Some((u32::try_from(index).ok()?, Run { at, base, sequence: u64::MAX, committed }))
            .filter(|_| is_kept)
    })
}

/// Returns the slots in use. The first slot in `bytes` has index `first`.
pub(super) fn slots(bytes: &[u8], first: u64) -> impl Iterator<Item = (u32, Kept)> {
    let slots = bytes.chunks_exact(SLOT).zip(first..).map(|(slot, index)| (Bytes(slot), index));
    slots.filter(|(slot, _)| slot.u32(offset_of!(LocationSlot, used)) == 1).filter_map(|(slot, index)| {
        let file = slot.u64(offset_of!(LocationSlot, file));
        let kept = Kept {
            file: (file != u64::MAX).then_some(file),
            length: slot.u64(offset_of!(LocationSlot, length)),
            dropped: slot.u64(offset_of!(LocationSlot, dropped)),
            is_closed: slot.u32(offset_of!(LocationSlot, closed)) == 1,
        };
        Some((u32::try_from(index).ok()?, kept))
    })
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Image").field("origin", &self.origin).finish_non_exhaustive()
    }
}
