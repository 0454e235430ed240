//! The time of calling contexts in buckets, on levels of which each has a quarter of the buckets of
//! the one below.
//!
//! Invariant: a bucket of a level has the sums of its four buckets of the level below, so that all
//! levels are exact.

use super::shape::Shape;
use crate::contexts::ContextId;
use kymo_otf2::references::RegionRef;

/// The activity of a location in a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The region with the most exclusive time; undefined outside all calls.
    pub region: RegionRef,
    /// Of the contexts of this region, the one with the most exclusive time; the root outside all
    /// calls.
    pub context: ContextId,
    /// The number of calls that began.
    pub calls: u32,
    /// The part of the bucket spent in the region itself, in 255ths.
    pub share: u8,
    /// The number of calls around the outermost call that began; [`Cell::NO_CALL`] if none did.
    pub outermost: u8,
    /// The part outside all calls, in 255ths.
    outside: u8,
}

impl Cell {
    /// No call began, or none with fewer calls around it.
    pub const NO_CALL: u8 = u8::MAX;

    /// The most calls around a call that are told apart.
    const DEEPEST: u8 = u8::MAX - 1;

    /// A bucket without calls.
    pub const EMPTY: Self = Self::new(RegionRef::UNDEFINED, ContextId::ROOT, 0);

    /// Returns a bucket in which a region takes most time, most of it in this context.
    pub const fn new(region: RegionRef, context: ContextId, share: u8) -> Self {
        Self { region, context, calls: 0, share, outermost: Self::NO_CALL, outside: 0 }
    }

    /// Returns the same bucket with the calls that began.
    pub const fn with_calls(self, calls: u32, outermost: u8) -> Self {
        Self { calls, outermost, ..self }
    }
}

/// The time of a context in a bucket.
#[derive(Debug, Clone, Copy)]
struct LevelPart {
    context: ContextId,
    time: u64,
}

/// The level of one width.
#[derive(Debug)]
struct Level {
    width: u64,
    /// The times in the current bucket, some contexts more than once.
    parts: Vec<LevelPart>,
    calls: u32,
    outermost: u8,
    cells: Vec<Cell>,
}

impl Level {
    /// Ends the bucket, whose times are passed on to the level above.
    fn complete(&mut self, regions: &[RegionRef], above: Option<&mut Level>) {
        let region = |part: &LevelPart| regions[part.context.index()];
        if self.parts.len() > 1 {
            self.parts.sort_unstable_by_key(|it| (region(it), it.context));
            self.parts.dedup_by(|next, first| {
                let is_same = next.context == first.context;
                first.time += if is_same { next.time } else { 0 };
                is_same
            });
        }
        let (mut cell, mut most, mut outside) = (Cell::EMPTY, 0, 0);
        // A call of an undefined region is not outside all calls.
        let key = |it: &LevelPart| (region(it), it.context == ContextId::ROOT);
        for parts in self.parts.chunk_by(|one, other| key(one) == key(other)) {
            let time = parts.iter().map(|it| it.time).sum();
            if parts[0].context == ContextId::ROOT {
                outside = time;
            } else if time > most {
                most = time;
                let longest = parts.iter().rev().max_by_key(|it| it.time).unwrap_or(&parts[0]);
                (cell.region, cell.context) = (region(longest), longest.context);
            }
        }
        (cell.share, cell.outside) = (share(most, self.width), share(outside, self.width));
        (cell.calls, cell.outermost) = self.take_calls();
        if let Some(above) = above {
            above.parts.append(&mut self.parts);
            above.calls = above.calls.saturating_add(cell.calls);
            above.outermost = above.outermost.min(cell.outermost);
        }
        self.parts.clear();
        self.cells.push(cell);
    }

    /// Returns the calls of the current bucket, and forgets them.
    fn take_calls(&mut self) -> (u32, u8) {
        (std::mem::take(&mut self.calls), std::mem::replace(&mut self.outermost, Cell::NO_CALL))
    }

    /// All contexts of calls have new ids, each with one more call around it.
    fn rename(&mut self, ids: &[ContextId]) {
        let contexts = self.parts.iter_mut().map(|it| &mut it.context);
        rename(contexts.chain(self.cells.iter_mut().map(|it| &mut it.context)), ids);
        let depths = self.cells.iter_mut().map(|it| &mut it.outermost).chain([&mut self.outermost]);
        let began = depths.filter(|it| **it != Cell::NO_CALL);
        began.for_each(|it| *it = (*it + 1).min(Cell::DEEPEST));
    }

    /// The time outside all calls turns out to be inside a call.
    fn enclose(&mut self, context: ContextId, region: RegionRef) {
        let outside = self.parts.iter_mut().filter(|it| it.context == ContextId::ROOT);
        outside.for_each(|it| it.context = context);
        for cell in &mut self.cells {
            if cell.outside > cell.share {
                (cell.region, cell.context, cell.share) = (region, context, cell.outside);
            }
            cell.outside = 0;
        }
    }
}

/// Renames the contexts of calls.
fn rename<'c>(contexts: impl Iterator<Item = &'c mut ContextId>, ids: &[ContextId]) {
    contexts.filter(|it| **it != ContextId::ROOT).for_each(|it| *it = ids[it.index()]);
}

/// Returns the part of a bucket in 255ths, but not 0 if there is any.
fn share(time: u64, width: u64) -> u8 {
    if time == 0 {
        return 0;
    }
    // Divisions of 128 bits take long.
    let share = match time.checked_mul(255) {
        Some(product) => product / width,
        None => (u128::from(time) * 255 / u128::from(width)).min(255) as u64,
    };
    share.clamp(1, 255) as u8
}

/// All levels of a location, the finest first.
#[derive(Debug)]
pub(super) struct Levels {
    /// The times in the current bucket of the finest level, by context.
    sums: Vec<u64>,
    /// The contexts whose sum is not 0.
    used: Vec<ContextId>,
    levels: Vec<Level>,
}

impl Levels {
    pub(super) fn new(shape: &Shape) -> Self {
        let level = |buckets: usize| Level {
            width: shape.width.saturating_mul((shape.buckets / buckets) as u64),
            parts: Vec::new(),
            calls: 0,
            outermost: Cell::NO_CALL,
            cells: Vec::with_capacity(buckets),
        };
        Self { sums: Vec::new(), used: Vec::new(), levels: shape.levels().map(level).collect() }
    }

    /// Adds time to the current bucket.
    #[inline]
    pub(super) fn add(&mut self, context: ContextId, time: u64) {
        let place = context.index();
        if place >= self.sums.len() {
            self.sums.resize(place + 1, 0);
        }
        if self.sums[place] == 0 {
            self.used.push(context);
        }
        self.sums[place] += time;
    }

    /// Counts a call in the current bucket, inside `depth` other calls.
    #[inline]
    pub(super) fn call(&mut self, depth: usize) {
        let level = &mut self.levels[0];
        level.calls = level.calls.saturating_add(1);
        let depth = depth.min(Cell::DEEPEST.into()) as u8;
        level.outermost = level.outermost.min(depth);
    }

    /// Forgets the calls of the current bucket.
    pub(super) fn forget_calls(&mut self) {
        self.levels[0].take_calls();
    }

    /// Completes the current bucket of the finest level. `regions` are those of the contexts; that
    /// of the root is undefined.
    pub(super) fn complete(&mut self, regions: &[RegionRef]) {
        let sums = &mut self.sums;
        let part =
            |context: ContextId| LevelPart { context, time: std::mem::take(&mut sums[context.index()]) };
        self.levels[0].parts.extend(self.used.drain(..).map(part));
        let mut levels = &mut self.levels[..];
        while let [level, above @ ..] = levels {
            level.complete(regions, above.first_mut());
            if !level.cells.len().is_multiple_of(4) {
                return;
            }
            levels = above;
        }
    }

    /// All contexts of calls have new ids, each with one more call around it.
    pub(super) fn rename(&mut self, ids: &[ContextId]) {
        let sums = std::mem::take(&mut self.sums);
        let used = std::mem::take(&mut self.used);
        for old in used {
            let new = if old == ContextId::ROOT { old } else { ids[old.index()] };
            self.add(new, sums[old.index()]);
        }
        self.levels.iter_mut().for_each(|level| level.rename(ids));
    }

    /// The time outside all calls turns out to be inside a call.
    pub(super) fn enclose(&mut self, context: ContextId, region: RegionRef) {
        let outside = self.sums.first_mut().map_or(0, std::mem::take);
        if outside > 0 {
            self.used.retain(|it| *it != ContextId::ROOT);
            self.add(context, outside);
        }
        self.levels.iter_mut().for_each(|level| level.enclose(context, region));
    }

    /// Returns the number of buckets of the finest level that are complete.
    pub(super) fn completed(&self) -> usize {
        self.levels[0].cells.len()
    }

    /// Returns the cells of all levels.
    pub(super) fn into_cells(self) -> Vec<Vec<Cell>> {
        self.levels.into_iter().map(|level| level.cells).collect()
    }
}

/// Renames the contexts of cells.
pub(super) fn rename_cells(levels: &mut [Vec<Cell>], ids: &[ContextId]) {
    rename(levels.iter_mut().flatten().map(|it| &mut it.context), ids);
}
