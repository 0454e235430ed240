//! Reading that starts at a snapshot.

use kymo_otf2::Anchor;
use kymo_otf2::FileName;
use kymo_otf2::definitions::Location;
use kymo_otf2::enums::LocationType;
use kymo_otf2::events::{Enter, Leave};
use kymo_otf2::read::{Archive, Options};
use kymo_otf2::references::{LocationGroupRef, LocationRef, RegionRef, StringRef};
use kymo_otf2::snapshots::{self, Snapshot, SnapshotEnd, SnapshotStart};
use kymo_otf2::storage::{Memory, Storage};
use kymo_otf2::value::Timestamp;
use kymo_otf2::write::{
    EventWriter, GlobalDefinitionWriter, SnapshotWriter, StoragePieces, anchor::anchor_bytes,
};
use std::sync::Arc;

const CHUNK: u64 = 262_144;
const EVENTS: u64 = 40_000;
/// The time between two events, and the events between two snapshots.
const TICKS: u64 = 3;
const EVERY: u64 = 100;
/// The records of a snapshot: several chunks have no start of one.
const RECORDS: u64 = 700;

/// Two locations: the first one has snapshots, which continue at these events, the second has none.
fn archive(continuation: impl Fn(u64) -> u64, count: u32) -> Archive {
    let storage = Memory::new();
    storage.create().unwrap();
    let pieces = |file| StoragePieces::new(&storage, file, 4096);
    let mut definitions = GlobalDefinitionWriter::new(pieces(FileName::GlobalDefinitions), CHUNK).unwrap();
    for id in 0..2 {
        definitions
            .record(&Location {
                id: LocationRef(id),
                name: StringRef(0),
                location_type: LocationType::CPU_THREAD,
                number_of_events: EVENTS,
                location_group: LocationGroupRef::UNDEFINED,
            })
            .unwrap();
        let mut events = EventWriter::new(pieces(FileName::Events(id)), CHUNK).unwrap();
        for number in 0..EVENTS {
            let (time, region) = (number * TICKS + id, RegionRef(number as u32));
            match number % 2 {
                0 => events.record(time, &Enter { region }).unwrap(),
                _ => events.record(time, &Leave { region }).unwrap(),
            }
        }
        events.finish().unwrap();
    }
    definitions.finish().unwrap();
    let mut writer = SnapshotWriter::new(pieces(FileName::Snapshots(0)), CHUNK).unwrap();
    for number in (EVERY..EVENTS).step_by(EVERY as usize) {
        let time = number * TICKS;
        writer.record(time, &SnapshotStart { number_of_records: RECORDS }).unwrap();
        for region in 0..RECORDS {
            let (orig_event_time, region) = (Timestamp(time - 1), RegionRef(region as u32));
            writer.record(time, &snapshots::Enter { orig_event_time, region }).unwrap();
        }
        writer.record(time, &SnapshotEnd { cont_read_pos: continuation(number) }).unwrap();
    }
    writer.finish().unwrap();
    let anchor = Anchor {
        number_of_locations: 2,
        number_of_global_definitions: 2,
        event_chunk_size: CHUNK,
        definition_chunk_size: CHUNK,
        number_of_snapshots: count,
        ..Anchor::default()
    };
    storage.write_at(FileName::Anchor, 0, &anchor_bytes(&anchor).unwrap()).unwrap();
    Archive::in_storage(Arc::new(storage), Options::default()).unwrap()
}

/// Returns the events from a time on, and the number of events before it that were read.
fn from(archive: &Archive, time: u64) -> (Vec<(u64, u64, u64)>, u64) {
    let mut events = archive.events_in_order_from(&[0, 1], time).unwrap();
    let (mut found, mut before) = (Vec::new(), 0);
    while let Some((location, event)) = events.next().unwrap() {
        match event.time < time {
            true => before += 1,
            false => found.push((location, event.time, event.number)),
        }
    }
    (found, before)
}

/// Returns the snapshot that must be found.
fn expected(time: u64) -> Vec<(u64, u64, u64)> {
    let all = (0..EVENTS).flat_map(|number| [0, 1].map(|id| (id, number * TICKS + id, number + 1)));
    let mut all: Vec<_> = all.filter(|&(_, other, _)| other >= time).collect();
    all.sort_unstable_by_key(|&(id, time, _)| (time, id));
    all
}

fn times() -> impl Iterator<Item = u64> {
    let last = EVENTS * TICKS;
    [0, 1, 299, 300, 301, 599, 600, last - 301, last - 300, last - 3, last, last + 1, u64::MAX]
        .into_iter()
        .chain((0..20).map(move |part| part * last / 20 + part))
}

#[test]
fn the_last_snapshot_at_or_before_a_time_is_found() {
    let archive = archive(|number| number + 1, 399);
    let mut snapshots = archive.snapshots(0).unwrap();
    let step = EVERY * TICKS;
    for time in times() {
        let last = (time / step).min((EVENTS - 1) / EVERY) * step;
        let found = snapshots.seek_snapshot(time).unwrap();
        assert_eq!(found, (last > 0).then_some(last), "{time}");
        if let Some(last) = found {
            let start = snapshots.next().unwrap().unwrap();
            assert!(matches!(start.record, Snapshot::SnapshotStart(_)) && start.time == last, "{time}");
        }
    }
}

#[test]
fn all_events_from_a_time_on_are_delivered() {
    let archive = archive(|number| number + 1, 399);
    for time in times() {
        let (found, before) = from(&archive, time);
        assert!(found == expected(time), "{time}");
        // The location without snapshots is read from its beginning.
        let without = time.min(EVENTS * TICKS).div_ceil(TICKS);
        assert!(before <= without + EVERY + 1, "{time}: {before}");
    }
}

/// The position is 0, or that of an event after the snapshot, or there is no such event.
#[test]
fn wrong_snapshots_leave_no_event_out() {
    let wrong: [fn(u64) -> u64; 4] = [|_| 0, |number| number + 2, |number| 2 * number + 7, |_| u64::MAX];
    for continuation in wrong {
        let archive = archive(continuation, 399);
        for time in times().step_by(5) {
            assert!(from(&archive, time).0 == expected(time), "{time}");
        }
    }
}

#[test]
fn snapshots_that_the_anchor_does_not_announce_are_not_used() {
    let archive = archive(|number| number + 1, 0);
    let time = EVENTS * TICKS / 2;
    let (found, before) = from(&archive, time);
    assert!(found == expected(time));
    assert_eq!(before, EVENTS);
}
