//! The critical path: the activities on which the length of the run depends.
//!
//! It is followed backwards, from the last event on: at the end of a wait state it goes on with the
//! cause. The definition is that of Böhme et al. (IPDPS 2012). Invariant: the segments touch each
//! other without gaps, and each wait state is used at most once.

use crate::error::Error;
use crate::sorted_rows::SortedRows;
use crate::spill::Spill;
use crate::waits::WaitState;
use kymo_otf2::references::LocationRef;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A part of the critical path. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// The location that the path is on.
    pub location: LocationRef,
    /// When the path came to the location.
    pub start: u64,
    /// When it went on; later than `start`.
    pub end: u64,
}

/// A place at which the path goes from a location to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hop {
    pub(super) location: LocationRef,
    pub(super) time: u64,
    pub(super) to: LocationRef,
    pub(super) is_clipped: bool,
}

impl Hop {
    /// Returns the hop over a wait state to its cause.
    pub(super) fn over(wait: &WaitState) -> Self {
        Self { location: wait.location, time: wait.end, to: wait.cause, is_clipped: wait.is_clipped() }
    }
}

/// The facts about a critical path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathFacts {
    /// Begin and end, in nanoseconds; `None` without events.
    pub span: Option<(u64, u64)>,
    /// The number of segments.
    pub segments: u64,
    /// The longest segments, in the order of time.
    pub longest: Vec<Segment>,
    /// The number of clipped wait states on the path.
    pub clipped: u64,
    /// The number of times that the path comes to a location inside one of its wait states: by
    /// clocks that contradict each other, or to a thread that released a mutex in a condition.
    pub contradictions: u64,
}

impl PathFacts {
    /// Returns the length in nanoseconds.
    pub fn length(&self) -> u64 {
        self.span.map_or(0, |(begin, end)| end - begin)
    }
}

/// The path from its end to the place that was reached.
#[derive(Debug)]
pub(super) struct CriticalPath<'s> {
    /// Location, begin and length of each segment.
    pub(super) segments: SortedRows<'s, 3>,
    /// Begin, location and length of each segment, if a table of them is wanted.
    pub(super) table: Option<SortedRows<'s, 3>>,
    /// Where the path is; `None` without events.
    place: Option<(LocationRef, u64)>,
    facts: PathFacts,
    /// The longest segments: lengths, begins and locations. The shortest one is taken first.
    longest: BinaryHeap<(Reverse<u64>, u64, LocationRef)>,
    most: usize,
}

impl<'s> CriticalPath<'s> {
    /// Starts at the last event of a location. Keeps at most this number of segments.
    pub(super) fn new(spill: &'s Spill, end: Option<(LocationRef, u64)>, most: usize) -> Self {
        let facts = PathFacts { span: end.map(|(_, time)| (time, time)), ..PathFacts::default() };
        let (segments, longest) = (SortedRows::new(spill), BinaryHeap::new());
        Self { segments, table: None, place: end, facts, longest, most }
    }

    /// Keeps all segments in a table as well.
    pub(super) fn with_table(self, table: Option<SortedRows<'s, 3>>) -> Self {
        Self { table, ..self }
    }

    /// Continues with all hops at the same time, each of which is used at most once. `followed`
    /// returns the begin of the earliest wait state of a location that ends later.
    pub(super) fn follow(
        &mut self,
        mut unused: Vec<Hop>,
        followed: impl Fn(LocationRef) -> Option<u64>,
    ) -> Result<(), Error> {
        while let Some((location, time)) = self.place {
            let is_next = |hop: &Hop| hop.location == location && hop.time <= time;
            let Some(next) = unused.iter().position(is_next) else { break };
            let hop = unused.swap_remove(next);
            self.go_to(hop.time)?;
            self.place = Some((hop.to, hop.time));
            self.facts.clipped += u64::from(hop.is_clipped);
            let waits_itself = hop.to != location && followed(hop.to).is_some_and(|begin| begin < hop.time);
            self.facts.contradictions += u64::from(waits_itself);
        }
        Ok(())
    }

    /// Ends the path at the first event of the location on which it is.
    pub(super) fn finish(&mut self, first: impl Fn(LocationRef) -> u64) -> Result<PathFacts, Error> {
        if let Some((location, time)) = self.place {
            self.go_to(first(location).min(time))?;
        }
        let segment = |(Reverse(length), start, location)| Segment { location, start, end: start + length };
        let mut longest: Vec<_> = self.longest.drain().map(segment).collect();
        longest.sort_unstable_by_key(|segment| segment.start);
        Ok(PathFacts { longest, ..self.facts.clone() })
    }

    /// Adds the segment that begins at a time.
    fn go_to(&mut self, start: u64) -> Result<(), Error> {
        let Some((location, end)) = self.place.filter(|(_, end)| start < *end) else { return Ok(()) };
        self.place = Some((location, start));
        if let Some((begin, _)) = &mut self.facts.span {
            *begin = start;
        }
        self.facts.segments += 1;
        self.longest.push((Reverse(end - start), start, location));
        if self.longest.len() > self.most {
            self.longest.pop();
        }
        if let Some(table) = &mut self.table {
            table.push([start, location.0, end - start])?;
        }
        self.segments.push([location.0, start, end - start])
    }
}
