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
        budget.give_back(self.open.len() * OPEN_STATE);
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
            if let Some(count) = self.owed.get_mut(&region).filter(|count| **count > 0) {
                *count -= 1;
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
            *self.owed.entry(open).or_default() += 1;
        }
        Ok(())
    }
}
