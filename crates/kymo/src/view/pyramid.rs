//! The cells of levels that are finer than the page, in a file.
//!
//! A cell takes [`CELL`] bytes: the number of its context (32 bits), its calls (16 bits), its share
//! and its outermost call, little-endian. The levels of a location follow each other, the finest
//! first.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;

use kymo_analysis::overview::Cell;
use kymo_analysis::{ContextId, Contexts};
use serde::{Deserialize, Serialize};

use crate::new_file::NewFile;

/// The size of a cell, in bytes.
pub(super) const CELL: u64 = 8;

/// Where the cells are.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Places {
    /// The contexts of the page by their numbers in the file.
    pub(super) contexts: Vec<ContextId>,
    /// The offsets of the locations, by their ids.
    offsets: HashMap<u64, u64>,
}

/// Writes a pyramid.
pub(super) struct Writer {
    pub(super) file: BufWriter<NewFile>,
    pub(super) length: u64,
    pub(super) places: Places,
}

impl Writer {
    pub(super) fn new(file: NewFile) -> Self {
        let file = BufWriter::with_capacity(1 << 20, file);
        Self { file, length: 0, places: Places::default() }
    }

    /// Adds the levels of a location.
    pub(super) fn add(&mut self, location: u64, levels: &[Vec<Cell>]) -> io::Result<()> {
        self.places.offsets.insert(location, self.length);
        for cell in levels.iter().flatten() {
            let calls = u16::try_from(cell.calls).unwrap_or(u16::MAX);
            self.file.write_all(&cell.context.0.to_le_bytes())?;
            self.file.write_all(&calls.to_le_bytes())?;
            self.file.write_all(&[cell.share, cell.outermost])?;
            self.length += CELL;
        }
        Ok(())
    }
}

impl Places {
    /// Returns cells of a location: `count` from the cell with this number on, counted over its
    /// levels. Their contexts are those of `contexts`.
    pub(super) fn read(
        &self,
        file: &File,
        contexts: &Contexts,
        location: u64,
        first: u64,
        count: usize,
    ) -> io::Result<Vec<Cell>> {
        let start = self.offsets.get(&location).ok_or(io::ErrorKind::NotFound)?;
        let mut bytes = vec![0; count * CELL as usize];
        file.read_exact_at(&mut bytes, start + first * CELL)?;
        let cell = |it: &[u8]| {
            let number = u32::from_le_bytes([it[0], it[1], it[2], it[3]]);
            let known = self.contexts.get(number as usize).filter(|it| it.index() < contexts.len());
            let context = known.copied().unwrap_or(ContextId::ROOT);
            let calls = u16::from_le_bytes([it[4], it[5]]);
            Cell::new(contexts.region(context), context, it[6]).with_calls(calls.into(), it[7])
        };
        Ok(bytes.chunks_exact(CELL as usize).map(cell).collect())
    }
}
