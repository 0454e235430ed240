//! The time of regions in buckets, on levels of which each has a quarter of the buckets of the one
//! below.
//!
//! Invariant: a bucket of a level has the sums of its four buckets of the level below, so that all
//! levels are exact.

use super::shape::Shape;
use kymo_otf2::references::RegionRef;
use std::cmp::Reverse;

/// What a location did in a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The region with the most exclusive time; undefined outside all calls.
    pub region: RegionRef,
    /// The number of calls that began.
    pub calls: u32,
    /// The part of the bucket spent in the region itself, in 255ths.
    pub share: u8,
    /// The part outside all calls, in 255ths.
    outside: u8,
}

impl Cell {
    /// A bucket without calls.
    pub const EMPTY: Self = Self::new(RegionRef::UNDEFINED, 0, 0);

    /// Returns a bucket in which a region takes most time.
    pub const fn new(region: RegionRef, share: u8, calls: u32) -> Self {
        Self { region, calls, share, outside: 0 }
    }
}

/// The number of a region within a location; [`OUTSIDE`] is none.
pub(super) type Colour = u32;

/// The colour outside all calls.
pub(super) const OUTSIDE: Colour = 0;

/// The level of one width.
#[derive(Debug)]
struct Level {
    width: u64,
    /// The time in the current bucket, by colour.
    sums: Vec<u64>,
    /// The colours whose sum is not 0.
    used: Vec<Colour>,
    calls: u32,
    cells: Vec<Cell>,
}

impl Level {
    #[inline]
    fn add(&mut self, colour: Colour, time: u64) {
        let place = colour as usize;
        if place >= self.sums.len() {
            self.sums.resize(place + 1, 0);
        }
        if self.sums[place] == 0 {
            self.used.push(colour);
        }
        self.sums[place] += time;
    }

    /// Returns the part of the bucket in 255ths, but not 0 for what there is.
    fn share(&self, time: u64) -> u8 {
        let share = u128::from(time) * 255 / u128::from(self.width);
        share.clamp(u128::from(time > 0), 255) as u8
    }

    fn cell(&self, regions: &[RegionRef]) -> Cell {
        let inside = self.used.iter().filter(|it| **it != OUTSIDE);
        let key = |it: &&Colour| (self.sums[**it as usize], Reverse(regions[**it as usize]));
        let first = inside.max_by_key(key);
        let outside = self.share(self.sums.first().copied().unwrap_or(0));
        match first {
            Some(colour) => {
                let share = self.share(self.sums[*colour as usize]);
                Cell { region: regions[*colour as usize], calls: self.calls, share, outside }
            }
            None => Cell { calls: self.calls, outside, ..Cell::EMPTY },
        }
    }
}

/// All levels of a location, the finest first.
#[derive(Debug)]
pub(super) struct Levels(Vec<Level>);

impl Levels {
    pub(super) fn new(shape: &Shape) -> Self {
        let level = |buckets: usize| Level {
            width: shape.width.saturating_mul((shape.buckets / buckets) as u64),
            sums: Vec::new(),
            used: Vec::new(),
            calls: 0,
            cells: Vec::with_capacity(buckets),
        };
        Self(shape.levels().map(level).collect())
    }

    /// Adds time to the current bucket.
    #[inline]
    pub(super) fn add(&mut self, colour: Colour, time: u64) {
        self.0[0].add(colour, time);
    }

    /// Counts a call in the current bucket.
    #[inline]
    pub(super) fn call(&mut self) {
        self.0[0].calls = self.0[0].calls.saturating_add(1);
    }

    /// Forgets the calls of the current bucket.
    pub(super) fn forget_calls(&mut self) {
        self.0[0].calls = 0;
    }

    /// Completes the current bucket of the finest level. `regions` are those of the colours.
    pub(super) fn complete(&mut self, regions: &[RegionRef]) {
        for number in 0..self.0.len() {
            let (below, above) = self.0.split_at_mut(number + 1);
            let level = &mut below[number];
            level.cells.push(level.cell(regions));
            for colour in level.used.drain(..) {
                let time = std::mem::take(&mut level.sums[colour as usize]);
                above.first_mut().into_iter().for_each(|next| next.add(colour, time));
            }
            let calls = std::mem::take(&mut level.calls);
            let is_complete = level.cells.len().is_multiple_of(4);
            let Some(next) = above.first_mut() else { return };
            next.calls = next.calls.saturating_add(calls);
            if !is_complete {
                return;
            }
        }
    }

    /// What was outside all calls turns out to be inside a call of this colour.
    pub(super) fn enclose(&mut self, colour: Colour, region: RegionRef) {
        for level in &mut self.0 {
            if let Some(time) = level.sums.first_mut().map(std::mem::take).filter(|time| *time > 0) {
                level.used.retain(|it| *it != OUTSIDE);
                level.add(colour, time);
            }
            for cell in &mut level.cells {
                if cell.outside > cell.share {
                    (cell.region, cell.share) = (region, cell.outside);
                }
                cell.outside = 0;
            }
        }
    }

    /// Returns the number of buckets of the finest level that are complete.
    pub(super) fn completed(&self) -> usize {
        self.0[0].cells.len()
    }

    /// Returns the cells of all levels.
    pub(super) fn into_cells(self) -> Vec<Vec<Cell>> {
        self.0.into_iter().map(|level| level.cells).collect()
    }
}
