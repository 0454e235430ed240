//! Cells below the levels of the page, from the pyramid or from the archive itself.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use kymo_analysis::overview::{self, Cell, Shape};
use kymo_analysis::{Error, Location, Selection, Trace, pass};
use kymo_otf2::references::LocationRef;

use super::index::Index;
use crate::report::mean;

/// The number of buckets of a tile.
pub(super) const BUCKETS: usize = 512;
/// The number of rows of a tile.
pub(super) const ROWS: usize = 64;
/// The number of tiles that are kept: 67 MB.
const KEPT: usize = 256;

/// Which tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The level: 1 has a quarter of the width of the finest buckets of the page, and so on.
    pub(super) level: u32,
    /// Which of the tiles of the level.
    pub(super) at: u64,
    /// Which block of rows.
    pub(super) block: usize,
}

/// Tiles that were made before, and the order in which they were.
#[derive(Debug, Default)]
struct Kept {
    tiles: HashMap<Key, Arc<[u8]>>,
    order: VecDeque<Key>,
}

/// Makes tiles.
#[derive(Debug)]
pub(super) struct Tiles {
    pub(super) index: Index,
    selection: Selection,
    kept: Mutex<Kept>,
}

impl Tiles {
    pub(super) fn new(index: Index, selection: Selection) -> Self {
        Self { index, selection, kept: Mutex::default() }
    }

    /// Returns a tile: for each row, the contexts of its cells (32 bits); then, in the same order,
    /// the calls (16 bits), the shares, and the outermost calls. `None` if there is no such tile.
    ///
    /// # Errors
    ///
    /// If the archive or its index cannot be read.
    pub(super) fn tile(&self, trace: &Trace, key: Key) -> Result<Option<Arc<[u8]>>, Error> {
        if let Some(tile) = self.kept().tiles.get(&key) {
            return Ok(Some(tile.clone()));
        }
        let Some(rows) = self.rows(key) else { return Ok(None) };
        let all = self.lanes(trace, rows, key)?;
        let (mut contexts, mut calls) = (Vec::new(), Vec::new());
        let (mut shares, mut outermost) = (Vec::new(), Vec::new());
        for row in rows {
            let lanes: Vec<_> = row.iter().filter_map(|lane| all.get(lane)).collect();
            for bucket in 0..BUCKETS {
                let cell = match &lanes[..] {
                    [cells] => cells[bucket],
                    _ => mean(lanes.iter().map(|cells| cells[bucket])),
                };
                contexts.extend(cell.context.0.wrapping_sub(1).to_le_bytes());
                calls.extend(u16::try_from(cell.calls).unwrap_or(u16::MAX).to_le_bytes());
                shares.push(cell.share);
                outermost.push(cell.outermost);
            }
        }
        let tile: Arc<[u8]> = [contexts, calls, shares, outermost].concat().into();
        self.keep(key, &tile);
        Ok(Some(tile))
    }

    /// Returns the locations of the rows of a tile, if there is one.
    fn rows(&self, key: Key) -> Option<&[Vec<LocationRef>]> {
        let Index { rows, buckets, levels, .. } = &self.index;
        let is_level = (1..=*levels).contains(&key.level);
        let count = (*buckets as u64).checked_shl(2 * key.level)?.div_ceil(BUCKETS as u64);
        let first = key.block.checked_mul(ROWS).filter(|first| *first < rows.len())?;
        (is_level && key.at < count).then(|| &rows[first..rows.len().min(first + ROWS)])
    }

    /// Returns the cells of all locations of some rows, which several threads read.
    fn lanes(
        &self,
        trace: &Trace,
        rows: &[Vec<LocationRef>],
        key: Key,
    ) -> Result<HashMap<LocationRef, Vec<Cell>>, Error> {
        let locations = Some(rows.iter().flatten().copied().collect());
        let selection = Selection { locations, ..self.selection.clone() };
        let mut lanes = HashMap::new();
        let work = |location: &Location| self.cells(trace, location.id, key);
        pass::each(trace, &selection, work, |location, cells| {
            lanes.insert(location.id, cells?);
            Ok(())
        })?;
        Ok(lanes)
    }

    fn cells(&self, trace: &Trace, location: LocationRef, key: Key) -> Result<Vec<Cell>, Error> {
        let index = &self.index;
        match &index.file {
            Some(file) if key.level <= index.pyramid_levels => {
                let number = |level: u32| (index.buckets as u64) << (2 * level);
                let finer: u64 = (key.level + 1..=index.pyramid_levels).map(number).sum();
                let first = key.at * BUCKETS as u64;
                let count = (number(key.level) - first).min(BUCKETS as u64) as usize;
                let cells = index.places.read(file, &index.contexts, location.0, finer + first, count);
                let mut cells = cells.map_err(Error::Temporary)?;
                cells.resize(BUCKETS, Cell::EMPTY);
                Ok(cells)
            }
            _ => {
                let width = index.width >> (2 * key.level);
                let length = width * BUCKETS as u64;
                let from = index.from.saturating_add(key.at.saturating_mul(length));
                let shape = Shape { from, length, width, buckets: BUCKETS, slices: 1 };
                let checkpoints = index.checkpoints.get(&location.0).map_or(&[][..], |it| it);
                let (mut cells, own) = overview::part(trace, &self.selection, &shape, location, checkpoints)?;
                let ids = index.contexts.nearest(&own, |region| trace.same_region(region));
                cells.iter_mut().for_each(|cell| cell.context = ids[cell.context.index()]);
                Ok(cells)
            }
        }
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, key: Key, tile: &Arc<[u8]>) {
        let mut kept = self.kept();
        if kept.tiles.insert(key, tile.clone()).is_none() {
            kept.order.push_back(key);
        }
        if kept.order.len() > KEPT {
            let oldest = kept.order.pop_front();
            oldest.iter().for_each(|key| {
                kept.tiles.remove(key);
            });
        }
    }
}
