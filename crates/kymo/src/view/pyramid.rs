//! The cells of levels that are finer than the page, in a file.
//!
//! A cell takes [`CELL`] bytes: the number of its region (16 bits), its calls (16 bits) and its
//! share, little-endian. The levels of a location follow each other, the finest first.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;

use kymo_analysis::overview::Cell;
use kymo_otf2::references::RegionRef;
use serde::{Deserialize, Serialize};

use crate::new_file::NewFile;

/// The size of a cell, in bytes.
pub(super) const CELL: u64 = 5;
/// The number of no region, and the largest one.
const NONE: u16 = u16::MAX;
const LAST: u16 = NONE - 1;

/// Where the cells are.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Places {
    /// The regions by their numbers.
    regions: Vec<RegionRef>,
    /// The offsets of the locations, by their ids.
    offsets: HashMap<u64, u64>,
}

/// Writes a pyramid.
pub(super) struct Writer {
    pub(super) file: BufWriter<NewFile>,
    pub(super) length: u64,
    pub(super) places: Places,
    numbers: HashMap<RegionRef, u16>,
}

impl Writer {
    pub(super) fn new(file: NewFile) -> Self {
        let file = BufWriter::with_capacity(1 << 20, file);
        Self { file, length: 0, places: Places::default(), numbers: HashMap::new() }
    }

    /// Adds the levels of a location.
    pub(super) fn add(&mut self, location: u64, levels: &[Vec<Cell>]) -> io::Result<()> {
        self.places.offsets.insert(location, self.length);
        for cell in levels.iter().flatten() {
            let region = self.number(cell.region).to_le_bytes();
            let calls = u16::try_from(cell.calls).unwrap_or(u16::MAX).to_le_bytes();
            self.file.write_all(&[region[0], region[1], calls[0], calls[1], cell.share])?;
            self.length += CELL;
        }
        Ok(())
    }

    fn number(&mut self, region: RegionRef) -> u16 {
        if !region.is_defined() {
            return NONE;
        }
        let regions = &mut self.places.regions;
        *self.numbers.entry(region).or_insert_with(|| {
            // More regions than numbers share the last one.
            let number = regions.len().min(LAST.into());
            regions.truncate(LAST.into());
            regions.push(region);
            number as u16
        })
    }
}

impl Places {
    /// Returns cells of a location: `count` from the cell with this number on, counted over its
    /// levels.
    pub(super) fn read(&self, file: &File, location: u64, first: u64, count: usize) -> io::Result<Vec<Cell>> {
        let start = self.offsets.get(&location).ok_or(io::ErrorKind::NotFound)?;
        let mut bytes = vec![0; count * CELL as usize];
        file.read_exact_at(&mut bytes, start + first * CELL)?;
        let cell = |it: &[u8]| {
            let region = u16::from_le_bytes([it[0], it[1]]);
            let region = self.regions.get(usize::from(region)).copied().unwrap_or(RegionRef::UNDEFINED);
            Cell::new(region, it[4], u16::from_le_bytes([it[2], it[3]]).into())
        };
        Ok(bytes.chunks_exact(CELL as usize).map(cell).collect())
    }
}
