//! The event file of a location.
//!
//! Events arrive in the order of the trace. If that order is not chronological, they are kept and
//! sorted; events with equal times keep their order. Invariant: written events are ordered by time,
//! and every region that is entered is left, the last one first.

use std::collections::HashMap;

use kymo_otf2::events::{Enter, Leave, Metric, MpiRecv, MpiSend};
use kymo_otf2::list::List;
use kymo_otf2::references::{CommRef, MetricRef, RegionRef};
use kymo_otf2::value::MetricValue;
use kymo_otf2::write::{EventWriter, LocalDefinitionWriter, StoragePieces};
use kymo_otf2::{Anchor, FileName, Storage};

use super::budget::{Budget, Spent};
use super::open::Open;
use super::report::{Error, Report};
use super::survey::ThreadSurvey;

/// The number of bytes collected before they are written.
const PIECE: usize = 32 << 10;

/// The memory for an open state: a growing vector exists twice, and there may be a count.
const OPEN_STATE: usize = 3 * size_of::<u32>() + 32;

/// The memory for a region that was left before its own leave.
const OWED: usize = 64;

/// An event, with the ids of the archive.
#[derive(Clone, Copy, Debug)]
pub(super) enum Happening {
    Enter(u32),
    Leave(u32),
    Send { receiver: u16, tag: u16, communicator: u8, length: u32 },
    Receive { sender: u16, tag: u16, communicator: u8, length: u32 },
    Value { metric: u32, value: i64 },
}

/// The events of a location while they are being written.
pub(super) struct Stream<'a> {
    writer: EventWriter<StoragePieces<&'a dyn Storage>>,
    /// The time at which regions still open are left.
    last_time: u64,
    open: Open,
    /// The number of leaves that were written before their record, by region.
    owed: HashMap<u32, u64>,
    /// The events to be sorted, if the location is not in order.
    kept: Option<Vec<(u64, Happening)>>,
}

/// The reason why an event cannot be written.
#[derive(Debug)]
pub(super) enum Refused {
    Error(kymo_otf2::Error),
    Spent(Spent),
}

impl From<kymo_otf2::Error> for Refused {
    fn from(error: kymo_otf2::Error) -> Self {
        Refused::Error(error)
    }
}

impl From<Spent> for Refused {
    fn from(spent: Spent) -> Self {
        Refused::Spent(spent)
    }
}

impl<'a> Stream<'a> {
    /// Starts the files of a location.
    pub(super) fn new(storage: &'a dyn Storage, location: u64, survey: &ThreadSurvey) -> Result<Self, Error> {
        let pieces = StoragePieces::new(storage, FileName::LocalDefinitions(location), 64);
        LocalDefinitionWriter::new(pieces, Anchor::default().definition_chunk_size)?.finish()?;
        let pieces = StoragePieces::new(storage, FileName::Events(location), PIECE);
        Ok(Stream {
            writer: EventWriter::new(pieces, Anchor::default().event_chunk_size)?,
            last_time: survey.last_time,
            open: Open::default(),
            owed: HashMap::new(),
            kept: survey.is_unordered.then(Vec::new),
        })
    }

    /// Writes an event, or keeps it.
    #[inline]
    pub(super) fn add(
        &mut self,
        time: u64,
        happening: Happening,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Result<(), Refused> {
        let Some(kept) = &mut self.kept else { return self.write(time, happening, budget, report) };
        // A growing vector exists twice.
        budget.take(3 * size_of::<(u64, Happening)>(), "out-of-order events")?;
        kept.push((time, happening));
        Ok(())
    }

    /// Writes the kept events, leaves the open regions, and ends the file. Returns the number of
    /// its events.
    pub(super) fn finish(mut self, budget: &mut Budget, report: &mut Report) -> Result<u64, Refused> {
        let mut kept = self.kept.take().unwrap_or_default();
        kept.sort_by_key(|&(time, _)| time);
        for &(time, happening) in &kept {
            self.write(time, happening, budget, report)?;
        }
        budget.give_back(3 * kept.len() * size_of::<(u64, Happening)>());
        budget.give_back(self.open.len() * OPEN_STATE + self.owed.len() * OWED);
        report.never_left += self.open.len() as u64 + self.owed.values().sum::<u64>();
        let time = self.last_time.max(self.writer.last_time());
        while let Some(region) = self.open.pop() {
            self.writer.record(time, &Leave { region: RegionRef(region) })?;
        }
        let closed = self.writer.close()?;
        closed.pieces.truncate(closed.length)?;
        Ok(closed.events)
    }

    fn write(
        &mut self,
        time: u64,
        happening: Happening,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Result<(), Refused> {
        let writer = &mut self.writer;
        match happening {
            Happening::Enter(region) => {
                budget.take(OPEN_STATE, "open states")?;
                self.open.push(region);
                writer.record(time, &Enter { region: RegionRef(region) })?;
            }
            Happening::Leave(region) => self.leave(time, region, budget, report)?,
            Happening::Send { receiver, tag, communicator, length } => writer.record(
                time,
                &MpiSend {
                    receiver: receiver.into(),
                    communicator: CommRef(communicator.into()),
                    msg_tag: tag.into(),
                    msg_length: length.into(),
                },
            )?,
            Happening::Receive { sender, tag, communicator, length } => writer.record(
                time,
                &MpiRecv {
                    sender: sender.into(),
                    communicator: CommRef(communicator.into()),
                    msg_tag: tag.into(),
                    msg_length: length.into(),
                },
            )?,
            Happening::Value { metric, value } => {
                let values = [MetricValue::from(value)];
                writer.record(
                    time,
                    &Metric { metric: MetricRef(metric), metric_values: List::truncated(&values) },
                )?;
            }
        }
        Ok(())
    }

    /// Leaves a region, and before it all regions entered inside it that are still open.
    fn leave(
        &mut self,
        time: u64,
        region: u32,
        budget: &mut Budget,
        report: &mut Report,
    ) -> Result<(), Refused> {
        if self.open.last() != Some(region) {
            if self.is_owed(region, budget) {
                return Ok(());
            }
            if !self.open.contains(region) {
                report.not_entered += 1;
                return Ok(());
            }
            report.crossed += 1;
        }
        while let Some(open) = self.open.pop() {
            budget.give_back(OPEN_STATE);
            self.writer.record(time, &Leave { region: RegionRef(open) })?;
            if open == region {
                break;
            }
            self.owe(open, budget)?;
        }
        Ok(())
    }

    /// Notes that a region was left before its own leave.
    fn owe(&mut self, region: u32, budget: &mut Budget) -> Result<(), Spent> {
        if let Some(count) = self.owed.get_mut(&region) {
            *count += 1;
            return Ok(());
        }
        budget.take(OWED, "crossing states")?;
        self.owed.insert(region, 1);
        Ok(())
    }

    /// Returns whether this leave was written earlier.
    fn is_owed(&mut self, region: u32, budget: &mut Budget) -> bool {
        let Some(count) = self.owed.get_mut(&region) else { return false };
        *count -= 1;
        if *count == 0 {
            self.owed.remove(&region);
            budget.give_back(OWED);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kymo_otf2::storage::Memory;

    /// Every round adds one region that is left before its own leave; nothing else grows.
    #[test]
    fn crossing_regions_take_memory_from_the_budget() {
        let storage = Memory::new();
        storage.create().expect("a new archive");
        let mut stream = Stream::new(&storage, 0, &ThreadSurvey::default()).expect("a stream");
        let (mut budget, mut report) = (Budget::of(10 * OWED + 2 * OPEN_STATE), Report::default());
        let mut round = |region, budget: &mut Budget| {
            let mut add = |happening| stream.add(0, happening, budget, &mut report);
            add(Happening::Enter(0))?;
            add(Happening::Enter(region))?;
            add(Happening::Leave(0))
        };
        for region in 1..=10 {
            round(region, &mut budget).expect("enough memory");
        }
        // A region that has an entry takes no further memory.
        round(10, &mut budget).expect("enough memory");
        assert!(matches!(round(11, &mut budget), Err(Refused::Spent(Spent("crossing states")))));
    }

    #[test]
    fn later_leaves_return_memory_to_the_budget() {
        let storage = Memory::new();
        storage.create().expect("a new archive");
        let mut stream = Stream::new(&storage, 0, &ThreadSurvey::default()).expect("a stream");
        let (mut budget, mut report) = (Budget::of(OWED + 2 * OPEN_STATE), Report::default());
        for region in 1..=10 {
            for happening in
                [Happening::Enter(0), Happening::Enter(region), Happening::Leave(0), Happening::Leave(region)]
            {
                stream.add(0, happening, &mut budget, &mut report).expect("enough memory");
            }
        }
        assert_eq!(stream.finish(&mut budget, &mut report).expect("an end"), 40);
        assert!(budget.take(OWED + 2 * OPEN_STATE, "all of it").is_ok());
    }
}
