//! The time of regions in buckets, on levels of which each has a quarter of the buckets of the one
//! below.
//!
//! Invariant: a bucket of a level has the sums of its four buckets of the level below, so that all
//! levels are exact.

use super::shape::Shape;
use kymo_otf2::references::RegionRef;

/// The activity of a location in a bucket.
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

    /// Ends the bucket, whose times are passed on to the level above.
    fn complete(&mut self, regions: &[RegionRef], mut above: Option<&mut Level>) {
        let (mut most, mut first, mut outside) = (0, OUTSIDE, 0);
        for colour in self.used.drain(..) {
            let time = std::mem::take(&mut self.sums[colour as usize]);
            if let Some(above) = &mut above {
                above.add(colour, time);
            }
            if colour == OUTSIDE {
                outside = time;
            } else if time > most || (time == most && regions[colour as usize] < regions[first as usize]) {
                (most, first) = (time, colour);
            }
        }
        let calls = std::mem::take(&mut self.calls);
        if let Some(above) = above {
            above.calls = above.calls.saturating_add(calls);
        }
        let (share, outside) = (share(most, self.width), share(outside, self.width));
        self.cells.push(Cell { region: regions[first as usize], calls, share, outside });
    }
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

    /// Completes the current bucket of the finest level. `regions` are those of the colours; that
    /// of [`OUTSIDE`] is undefined.
    pub(super) fn complete(&mut self, regions: &[RegionRef]) {
        let mut levels = &mut self.0[..];
        while let [level, above @ ..] = levels {
            level.complete(regions, above.first_mut());
            if !level.cells.len().is_multiple_of(4) {
                return;
            }
            levels = above;
        }
    }

    /// The time outside all calls turns out to be inside a call of this colour.
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
