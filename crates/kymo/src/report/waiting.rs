//! The longest wait states, and the critical path.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use kymo_analysis::causes::{PathSearch, Segment};
use kymo_analysis::overview::Shape;
use kymo_analysis::spill::Spill;
use kymo_analysis::statistics::{Communicated, Statistics};
use kymo_analysis::waits::WaitState;
use kymo_analysis::{Error, Trace};
use kymo_otf2::references::LocationRef;

/// The largest number of wait states.
const MOST: usize = 20_000;
/// The largest number of segments of the path.
const MOST_SEGMENTS: usize = 50_000;
/// The number of slices of the path if it has more segments.
const SLICES: u64 = 4096;

/// Collects wait states while operations are joined.
#[derive(Debug)]
pub(crate) struct WaitCollector<'s> {
    path: PathSearch<'s>,
    /// The longest ones: length, begin, location, and the place in `waits`.
    longest: BinaryHeap<(Reverse<u64>, u64, LocationRef, usize)>,
    waits: Vec<WaitState>,
    count: u64,
}

/// The waiting that a page shows.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    /// The number of all wait states.
    pub(crate) count: u64,
    /// The longest ones, in the order of time.
    pub(crate) waits: Vec<WaitState>,
    /// The critical path, in the order of time.
    pub(crate) path: Vec<Segment>,
    /// The length of the slices in which the path is where it is longest, in nanoseconds, if it has
    /// too many segments.
    pub(crate) slice: Option<u64>,
}

impl<'s> WaitCollector<'s> {
    pub(crate) fn new(spill: &'s Spill) -> Self {
        Self { path: PathSearch::new(spill), longest: BinaryHeap::new(), waits: Vec::new(), count: 0 }
    }

    pub(crate) fn add(&mut self, communicated: &Communicated<'_>) {
        self.path.add(communicated);
        let Communicated::Wait(wait) = communicated else { return };
        self.count += 1;
        let key = (Reverse(wait.time()), wait.start, wait.location);
        if self.waits.len() < MOST {
            self.longest.push((key.0, key.1, key.2, self.waits.len()));
            self.waits.push(**wait);
        } else if let Some(mut shortest) = self.longest.peek_mut()
            && key < (shortest.0, shortest.1, shortest.2)
        {
            let place = shortest.3;
            *shortest = (key.0, key.1, key.2, place);
            self.waits[place] = **wait;
        }
    }

    pub(crate) fn finish(
        mut self,
        trace: &Trace,
        statistics: &Statistics,
        shape: &Shape,
    ) -> Result<Waiting, Error> {
        self.waits.sort_unstable_by_key(|wait| (wait.start, wait.location));
        let mut path = PathPicture::new(shape);
        self.path.finish(trace, statistics, |segment| path.add(segment))?;
        let (path, slice) = path.finish();
        Ok(Waiting { count: self.count, waits: self.waits, path, slice })
    }
}

/// The segments of a path, or the location on which it is longest in each slice.
struct PathPicture {
    segments: Vec<Segment>,
    is_exact: bool,
    from: u64,
    /// The end of the last slice. Segments may be beyond it if the trace states a wrong length.
    to: u64,
    width: u64,
    coarse: Vec<Segment>,
    /// The slice that is being filled, and the times of locations in it.
    slice: u64,
    times: BTreeMap<LocationRef, u64>,
}

impl PathPicture {
    fn new(shape: &Shape) -> Self {
        Self {
            segments: Vec::new(),
            is_exact: true,
            from: shape.from,
            to: shape.from.saturating_add(shape.length),
            width: shape.length.div_ceil(SLICES).max(1),
            coarse: Vec::new(),
            slice: 0,
            times: BTreeMap::new(),
        }
    }

    /// Adds the next segment.
    fn add(&mut self, segment: Segment) {
        self.is_exact &= self.segments.len() < MOST_SEGMENTS;
        match self.is_exact {
            true => self.segments.push(segment),
            false => self.segments = Vec::new(),
        }
        let (mut start, to) = (segment.start.max(self.from), segment.end.min(self.to));
        while start < to {
            let slice = (start - self.from) / self.width;
            if slice != self.slice {
                self.close_slice();
                self.slice = slice;
            }
            let end = to.min(self.end_of(slice));
            *self.times.entry(segment.location).or_default() += end - start;
            start = end;
        }
    }

    /// Returns the end of a slice, which may be beyond all times.
    fn end_of(&self, slice: u64) -> u64 {
        self.from.saturating_add((slice + 1).saturating_mul(self.width))
    }

    fn close_slice(&mut self) {
        let times = std::mem::take(&mut self.times);
        let longest = times.into_iter().max_by_key(|(location, time)| (*time, Reverse(*location)));
        let Some((location, _)) = longest else { return };
        let (start, end) = (self.from + self.slice * self.width, self.end_of(self.slice));
        match self.coarse.last_mut().filter(|last| last.location == location && last.end == start) {
            Some(last) => last.end = end,
            None => self.coarse.push(Segment { location, start, end }),
        }
    }

    /// Returns the segments, and the length of slices if they are those of slices.
    fn finish(mut self) -> (Vec<Segment>, Option<u64>) {
        self.close_slice();
        match self.is_exact {
            true => (self.segments, None),
            false => (self.coarse, Some(self.width)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(location: u64, start: u64, end: u64) -> Segment {
        Segment { location: LocationRef(location), start, end }
    }

    #[test]
    fn a_path_of_too_many_segments_is_where_it_is_longest_in_each_slice() {
        let shape = Shape::new(1000, SLICES * 100, 64, 1);
        let mut path = PathPicture::new(&shape);
        path.add(segment(0, 900, 1000 + 160));
        path.add(segment(1, 1160, 1190));
        path.add(segment(0, 1190, 1400));
        (0..MOST_SEGMENTS as u64).for_each(|at| path.add(segment(2, 1400 + 4 * at, 1404 + 4 * at)));
        let end = 1400 + 4 * MOST_SEGMENTS as u64;
        assert_eq!(path.finish(), (vec![segment(0, 1000, 1400), segment(2, 1400, end)], Some(100)));
    }

    #[test]
    fn a_path_of_few_segments_is_exact() {
        let mut path = PathPicture::new(&Shape::new(0, SLICES * 100, 64, 1));
        let segments = vec![segment(0, 0, 10), segment(1, 10, 1000)];
        segments.iter().for_each(|it| path.add(*it));
        assert_eq!(path.finish(), (segments, None));
    }
}
