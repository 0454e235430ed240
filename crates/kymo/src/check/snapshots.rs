//! A snapshot file: its snapshots have as many records as announced, refer to definitions, and
//! continue at an existing event.

use kymo_otf2::FileName;
use kymo_otf2::read::{Events, LocationReader, TimedRecord};
use kymo_otf2::records::AnyRecord;
use kymo_otf2::snapshots::Snapshot;

use super::definitions::DefinitionIndex;
use super::findings::{Findings, Place};
use super::kinds::FindingKind;
use super::references::check;

/// The check of a snapshot file.
#[derive(Debug)]
pub(crate) struct Snapshots<'a, 'd> {
    location: u64,
    events: u64,
    definitions: &'a DefinitionIndex<'d>,
    /// The times of the events; `None` if they cannot be read.
    times: Option<Times>,
    count: u64,
    /// The snapshot that has begun: its place, the number of records announced, and the number so
    /// far.
    open: Option<(Place, u64, u64)>,
}

impl<'a, 'd> Snapshots<'a, 'd> {
    /// `events` is the number of events of the location, `reader` delivers them with corrected
    /// times.
    pub(crate) fn new(
        location: u64,
        events: u64,
        reader: Option<LocationReader<Events>>,
        definitions: &'a DefinitionIndex<'d>,
    ) -> Self {
        let times = reader.map(|reader| Times { reader, last: (0, 0) });
        Snapshots { location, events, definitions, times, count: 0, open: None }
    }

    /// Checks the next record.
    pub(crate) fn record(&mut self, record: &TimedRecord<'_, Snapshot<'_>>, findings: &mut Findings<'_>) {
        let file = FileName::Snapshots(self.location);
        let place = Place::record(file, record.offset, record.record.name());
        check(&record.record, place, &self.definitions.ids, findings);
        if let Snapshot::Unknown { id, .. } = record.record {
            findings.unknown_record(id, place);
        }
        match &record.record {
            Snapshot::SnapshotStart(start) => {
                self.not_ended(findings);
                self.count += 1;
                self.open = Some((place, start.number_of_records, 0));
            }
            Snapshot::SnapshotEnd(end) => {
                self.ended(place, findings);
                // After the last event, a snapshot has no event to continue with.
                if !(1..=self.events + 1).contains(&end.cont_read_pos) {
                    findings.find(
                        FindingKind::SnapshotPosition,
                        place,
                        format_args!("continues with event {} of {}", end.cont_read_pos, self.events),
                    );
                } else {
                    self.precedes(end.cont_read_pos, record.time, place, findings);
                }
            }
            _ => match &mut self.open {
                Some((.., records)) => *records += 1,
                None => {
                    findings.find(FindingKind::SnapshotRecords, place, format_args!("outside of a snapshot"))
                }
            },
        }
    }

    /// Reports an event before the snapshot with which reading would continue.
    fn precedes(&mut self, number: u64, snapshot: u64, place: Place, findings: &mut Findings<'_>) {
        let Some(time) = self.times.as_mut().and_then(|times| times.of(number)) else { return };
        if time < snapshot {
            findings.find(
                FindingKind::SnapshotPosition,
                place,
                format_args!(
                    "continues with event {number} at time {time}, before the snapshot at {snapshot}"
                ),
            );
        }
    }

    fn ended(&mut self, place: Place, findings: &mut Findings<'_>) {
        match self.open.take() {
            Some((start, announced, records)) if announced != records => {
                findings.find(
                    FindingKind::SnapshotRecords,
                    start,
                    format_args!("{records} records, {announced} announced"),
                );
            }
            Some(_) => {}
            None => findings.find(FindingKind::SnapshotRecords, place, format_args!("ends no snapshot")),
        }
    }

    fn not_ended(&mut self, findings: &mut Findings<'_>) {
        if let Some((start, ..)) = self.open.take() {
            findings.find(FindingKind::SnapshotRecords, start, format_args!("the snapshot has no end"));
        }
    }

    /// Called after the last record; `expected` is the number of snapshots that the anchor states.
    pub(crate) fn end(&mut self, expected: u32, findings: &mut Findings<'_>) {
        self.not_ended(findings);
        if self.count != u64::from(expected) {
            findings.find(
                FindingKind::SnapshotCount,
                Place::file(FileName::Snapshots(self.location)),
                format_args!("{} snapshots, but the anchor states {expected}", self.count),
            );
        }
    }
}

/// The times of events, which are read once if their numbers increase.
#[derive(Debug)]
struct Times {
    reader: LocationReader<Events>,
    /// The number and the time of the last event that was read.
    last: (u64, u64),
}

impl Times {
    /// Returns the time of an event, if it exists and can be read.
    fn of(&mut self, number: u64) -> Option<u64> {
        if number < self.last.0 {
            self.reader.seek(number).ok()?;
            self.last = (0, 0);
        }
        while self.last.0 < number {
            let event = self.reader.next().ok()??;
            self.last = (event.number, event.time);
        }
        Some(self.last.1)
    }
}
