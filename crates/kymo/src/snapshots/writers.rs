//! The snapshot files of all locations.

use kymo_otf2::list::List;
use kymo_otf2::snapshots::{Metric, Snapshot, SnapshotEnd, SnapshotStart};
use kymo_otf2::value::Timestamp;
use kymo_otf2::write::{SnapshotWriter, StoragePieces};
use kymo_otf2::{FileName, Result};

use super::state::{Held, HeldContent, SnapshotState};
use crate::amendment::{Amendment, PIECE, Stage};

/// The memory of all writers together, unless there are very many locations.
const ALL_PIECES: usize = 8 << 20;
const SMALLEST_PIECE: usize = 512;

/// Writes the snapshots of all locations.
pub(super) struct Writers<'a> {
    all: Vec<Writer<'a>>,
    count: u64,
}

struct Writer<'a> {
    records: SnapshotWriter<StoragePieces<&'a Stage>>,
    /// The number of the next event.
    next: u64,
}

impl<'a> Writers<'a> {
    pub(super) fn new(amendment: &'a Amendment, locations: &[u64]) -> Result<Self> {
        let size = (ALL_PIECES / locations.len().max(1)).clamp(SMALLEST_PIECE, PIECE);
        let chunk_size = amendment.archive.anchor().event_chunk_size;
        let new = |&location: &u64| {
            let pieces = StoragePieces::new(&amendment.storage, FileName::Snapshots(location), size);
            Ok(Writer { records: SnapshotWriter::new(pieces, chunk_size)?, next: 1 })
        };
        Ok(Self { all: locations.iter().map(new).collect::<Result<_>>()?, count: 0 })
    }

    /// Takes note that an event of a location is before all snapshots to come.
    pub(super) fn passed(&mut self, location: usize, number: u64) {
        if let Some(writer) = self.all.get_mut(location) {
            writer.next = number.saturating_add(1);
        }
    }

    /// Writes a snapshot of all locations.
    pub(super) fn snapshot(&mut self, time: u64, state: &SnapshotState<'_>) -> Result<()> {
        self.count += 1;
        let mut locations = 0..;
        self.all
            .iter_mut()
            .zip(&mut locations)
            .try_for_each(|(writer, place)| writer.snapshot(time, state.active(place)))
    }

    /// Ends all files. Returns the number of snapshots.
    pub(super) fn finish(&mut self) -> Result<u64> {
        self.all.iter_mut().try_for_each(|writer| writer.records.finish().map(drop))?;
        Ok(self.count)
    }
}

impl Writer<'_> {
    fn snapshot(&mut self, time: u64, active: Vec<&Held>) -> Result<()> {
        self.records.record(time, &SnapshotStart { number_of_records: active.len() as u64 })?;
        for held in active {
            let record = match &held.content {
                HeldContent::Record(record) => *record,
                HeldContent::Metric(metric, values) => Snapshot::Metric(Metric {
                    orig_event_time: Timestamp(held.time),
                    metric: *metric,
                    metric_values: List::truncated(values),
                }),
            };
            self.records.record_with(time, &held.attributes, &record)?;
        }
        self.records.record(time, &SnapshotEnd { cont_read_pos: self.next })
    }
}
