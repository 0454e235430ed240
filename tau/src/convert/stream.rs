//! The event file of a location.
//!
//! Events come in the order of the trace. If that is not the order of time, they are kept and sorted, those of one time as they came.
//! Invariant: what is written is in order, and every region that is entered is left, the last one first.

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

/// Bytes that are collected before they are written.
const PIECE: usize = 32 << 10;

/// Bytes of an open state: a vector that grows is there twice, and there may be a count.
const OPEN_STATE: usize = 3 * size_of::<u32>() + 32;

/// Bytes of a region whose leaves came early.
const OWED: usize = 64;

/// Something that happens, in the ids of the archive.
#[derive(Clone, Copy, Debug)]
pub(super) enum Happening {
    Enter(u32),
    Leave(u32),
    Send { receiver: u16, tag: u16, communicator: u8, length: u32 },
    Receive { sender: u16, tag: u16, communicator: u8, length: u32 },
    Value { metric: u32, value: i64 },
}

/// The events of a location while they are written.
pub(super) struct Stream<'a> {
    writer: EventWriter<StoragePieces<&'a dyn Storage>>,
    /// Time at which open regions are left.
    last_time: u64,
    open: Open,
    /// Leaves that came early, by region.
    owed: HashMap<u32, u64>,
    /// Events that have to be sorted, for such a location.
    kept: Option<Vec<(u64, Happening)>>,
}

/// Why an event cannot be written.
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
    /// Begins the files of a location.
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
        // A vector that grows is there twice.
        budget.take(3 * size_of::<(u64, Happening)>(), "events that are not in order")?;
        kept.push((time, happening));
        Ok(())
    }

    /// Writes what was kept, leaves what is open, and ends the file; how many events it has.
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
                budget.take(OPEN_STATE, "states that are open")?;
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

    /// Leaves a region, and before it those that were entered in it and not left.
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

    /// A region was left before its own leave came.
    fn owe(&mut self, region: u32, budget: &mut Budget) -> Result<(), Spent> {
        if let Some(count) = self.owed.get_mut(&region) {
            *count += 1;
            return Ok(());
        }
        budget.take(OWED, "states that cross")?;
        self.owed.insert(region, 1);
        Ok(())
    }

    /// Whether this leave was made good before.
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

    /// Every round leaves one region that is entered once and for all: nothing else grows.
    #[test]
    fn regions_that_cross_take_of_the_budget() {
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
        // What is there already costs nothing more.
        round(10, &mut budget).expect("enough memory");
        assert!(matches!(round(11, &mut budget), Err(Refused::Spent(Spent("states that cross")))));
    }

    #[test]
    fn what_is_made_good_goes_back_to_the_budget() {
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
