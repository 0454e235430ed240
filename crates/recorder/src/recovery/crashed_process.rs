//! The remaining data of one process: its scratch file, or the side files in the folder of its
//! archive.

use std::{fmt, io, sync::Arc};

use kymo_otf2::storage::Content;

use super::{
    bytes::Bytes,
    entries,
    facts::Facts,
    image::{Image, NoScratch, Origin, Slots, read, slots},
};
use crate::scratch::{
    layout::{BYTE_ORDER, SLOT},
    side::{HEADER, JOURNAL_MAGIC, LOCATIONS_MAGIC},
};

/// The remaining data of a process that did not end properly.
pub struct CrashedProcess {
    pub(super) image: Option<Arc<Image>>,
    pub(super) slots: Slots,
    pub(super) facts: Facts,
    /// The number of damaged parts of the scratch file or the side files.
    pub(super) damaged: u64,
}

impl CrashedProcess {
    /// Reads the remains from a scratch file.
    pub fn of_scratch(content: Arc<dyn Content>) -> Result<Self, NoScratch> {
        let image = Image::read(content)?;
        let mut facts = Facts::default();
        for run in &image.journal {
            let end = run.at.saturating_add(run.committed);
            let gaps = entries::each(&*image.content, run.at, end, |entry| facts.take(entry))?;
            facts.gaps.number += gaps.number;
            facts.gaps.is_cut |= gaps.is_cut;
        }
        let damaged = image.damaged;
        Ok(Self { slots: image.slots.clone(), image: Some(Arc::new(image)), facts, damaged })
    }

    /// Reads the remains from side files: the journal, and the lengths of the event files.
    pub fn of_side_files(journal: &dyn Content, locations: &dyn Content) -> io::Result<Self> {
        let mut this = Self { image: None, slots: Slots::new(), facts: Facts::default(), damaged: 0 };
        match has_magic(journal, JOURNAL_MAGIC)? {
            true => {
                let end = journal.length()?;
                this.facts.gaps = entries::each(journal, HEADER as u64, end, |entry| this.facts.take(entry))?;
            }
            false => this.damaged += 1,
        }
        match side_slots(locations)? {
            Some(slots) => this.slots = slots,
            None => this.damaged += 1,
        }
        Ok(this)
    }

    /// Returns the origin of the scratch file.
    pub fn origin(&self) -> Option<&Origin> {
        self.image.as_ref().map(|image| &image.origin)
    }

    /// Returns the rank, if the process knew it.
    pub fn rank(&self) -> Option<u32> {
        self.facts.process.map(|(rank, _)| rank).or_else(|| self.origin()?.rank)
    }

    /// Returns the number of ranks, if the process knew it.
    pub fn size(&self) -> Option<u32> {
        self.facts.process.map(|(_, size)| size)
    }

    /// Returns whether it has no locations and thus no events.
    pub fn is_empty(&self) -> bool {
        let has_pieces = self.image.as_ref().is_some_and(|image| !image.pieces.is_empty());
        self.slots.is_empty() && self.facts.locations.is_empty() && !has_pieces && self.untracked() == 0
    }

    /// Returns the number of events for locations for which there was no memory.
    pub(super) fn untracked(&self) -> u64 {
        self.image.as_ref().map_or(0, |image| image.untracked)
    }
}

fn has_magic(content: &dyn Content, magic: [u8; 8]) -> io::Result<bool> {
    let mut header = [0; HEADER];
    read(content, 0, &mut header)?;
    let header = Bytes(&header);
    Ok(header.array(0) == magic && header.u32(8) == BYTE_ORDER)
}

/// Returns the slots in a side file, or `None` if the file is damaged.
fn side_slots(content: &dyn Content) -> io::Result<Option<Slots>> {
    if !has_magic(content, LOCATIONS_MAGIC)? {
        return Ok(None);
    }
    let mut header = [0; HEADER];
    read(content, 0, &mut header)?;
    let mut block = vec![0; 1024 * SLOT];
    let (mut at, mut sum, mut all) = (HEADER as u64, crc32fast::Hasher::new(), Slots::new());
    loop {
        let count = read(content, at, &mut block)?;
        let bytes = block.get(..count).unwrap_or_default();
        sum.update(bytes);
        all.extend(slots(bytes, (at - HEADER as u64) / SLOT as u64));
        at = at.saturating_add(count as u64);
        if count < block.len() {
            return Ok((sum.finalize() == Bytes(&header).u32(12)).then_some(all));
        }
    }
}

impl fmt::Debug for CrashedProcess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remains").field("origin", &self.origin()).finish_non_exhaustive()
    }
}
