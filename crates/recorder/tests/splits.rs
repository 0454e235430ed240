//! Wherever pieces and chunks end, the file of a location equals that of a plain writer.
//!
//! Every distance between the end of a piece and the end of a chunk is combined with every amount
//! of room that a chunk can have left for its last record. `KYMO_LONG=1` tries all combinations
//! with every operation; normal runs try all of them with plain records and some of them with the
//! other operations.
//!
//! This does not run under Miri, where blocks are smaller than a chunk requires here.

#![cfg(not(miri))]

use std::sync::Arc;

use kymo_otf2::{
    FileName, Storage,
    attributes::Attribute,
    enums::MeasurementMode,
    events::{Enter, MeasurementOnOff},
    references::{AttributeRef, RegionRef},
    storage::Memory,
    write::{EventWriter, Mark, SLACK, StoragePieces},
};
use kymo_recorder::{
    EVENT_CHUNK_SIZE, FewAttributes, MemorySettings, Recorder, RegionEntry, Track, TrackWriter,
    memory::Budget, scratch::layout::BLOCK,
};

static BUDGET: Budget = Budget::new(usize::MAX);

/// The number of bytes of an enter of [`WIDE`] with a time stamp.
const WIDE_ENTER: u64 = 15;
/// A region whose reference takes the maximum number of bytes.
const WIDE: u32 = 0xFEDC_BA98;

/// The operation at the end of the chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Plain,
    PauseBefore,
    PauseAfter,
    /// The record before the end and those after it are rewound once.
    Rewind,
    /// The record after the end receives attributes.
    Amend,
    /// Like `Amend`, but after other records.
    AmendLater,
    /// A record larger than a block.
    Large,
}

const OPERATIONS: [Operation; 7] = [
    Operation::Plain,
    Operation::PauseBefore,
    Operation::PauseAfter,
    Operation::Rewind,
    Operation::Amend,
    Operation::AmendLater,
    Operation::Large,
];

/// A process whose tracks all have the same file.
struct Process {
    recorder: Recorder,
    storage: Arc<Memory>,
    tracks: usize,
}

impl Process {
    fn new() -> Self {
        let recorder = Recorder::new(&BUDGET, None, &MemorySettings::default()).unwrap();
        let storage = Arc::new(Memory::new());
        storage.create().unwrap();
        recorder.output().open(Box::new(Arc::clone(&storage)));
        Self { recorder, storage, tracks: 0 }
    }

    fn twins(&mut self) -> Twins<'_> {
        self.tracks += 1;
        for file in [0, 1].map(FileName::Events) {
            self.storage.write_at(file, 0, &[]).unwrap();
            self.storage.set_len(file, 0).unwrap();
        }
        let track = self.recorder.add_track(8 * self.tracks).unwrap();
        track.file().set(0);
        let pieces = StoragePieces::new(Arc::clone(&self.storage), FileName::Events(1), 4 << 20);
        let plain = EventWriter::new(pieces, EVENT_CHUNK_SIZE).unwrap();
        Twins { process: self, track, plain, time: 1 }
    }
}

/// A track, and a writer with one piece for everything. Both receive the same records.
struct Twins<'a> {
    process: &'a Process,
    track: &'static Track,
    plain: EventWriter<StoragePieces<Arc<Memory>>>,
    time: u64,
}

impl Twins<'_> {
    fn with(&self, write: impl FnOnce(&mut TrackWriter)) {
        self.track.record_at(self.time, write);
    }

    fn enter(&mut self, region: u32, attributes: &[Attribute]) {
        let (time, enter) = (self.time, Enter { region: RegionRef(region) });
        self.with(|writer| writer.record_with(time, attributes, &enter));
        self.plain.record_with(time, attributes, &enter).unwrap();
    }

    /// Writes records up to this offset, which is in the current chunk. Uses large records if it is
    /// far.
    fn fill(&mut self, offset: u64) {
        loop {
            let left = offset - self.plain.mark().offset();
            match left {
                0 => return,
                1000.. => self.enter(0, &attributes((left - 900) / 15)),
                8..1000 => self.enter(WIDE, &[]),
                7 => self.enter(1 << 8, &[]),
                2..7 => self.enter([0, 1, 1 << 8, 1 << 16, WIDE][left as usize - 2], &[]),
                1 => panic!("no record is a single byte"),
            }
        }
    }

    /// Fills the chunk until it has `room` bytes left, in a piece that ends `distance` bytes after
    /// the end of the chunk.
    fn approach(&mut self, room: u64, distance: i64) {
        let piece = (BLOCK - SLACK) as u64;
        self.fill((EVENT_CHUNK_SIZE - piece).checked_add_signed(distance).unwrap());
        self.track.pause();
        self.fill(EVENT_CHUNK_SIZE - room - WIDE_ENTER);
        self.time += 1;
    }

    fn cross(&mut self, operation: Operation, count: u64) {
        let mark = self.plain.mark();
        let begin = self.time;
        if operation == Operation::Rewind {
            self.with(|writer| writer.set_mark(1, begin));
        }
        self.enter(WIDE, &[]);
        if matches!(operation, Operation::PauseBefore) {
            self.track.pause();
        }
        self.time += 1;
        match operation {
            Operation::Amend => self.amend(count),
            Operation::AmendLater => self.amend_later(count),
            Operation::Large => self.enter(7, &attributes((2 * BLOCK / 15) as u64)),
            _ => self.enter(7, &attributes(count)),
        }
        if matches!(operation, Operation::PauseAfter) {
            self.track.pause();
        }
        if operation == Operation::Rewind {
            self.take_back(&mark, begin);
        }
    }

    fn amend(&mut self, count: u64) {
        let (time, entry) = (self.time, RegionEntry::Region(RegionRef(7)));
        let [first, second] = [attributes(1)[0], attributes(2)[1]];
        let few = match count {
            0 => FewAttributes::one(first),
            _ => FewAttributes::two(first, second),
        };
        self.with(|writer| {
            writer.enter_amendable(time, entry, 0, false);
            writer.amend(few, FewAttributes::NONE);
        });
        let mark = self.plain.mark();
        let enter = Enter { region: RegionRef(7) };
        self.plain.record(time, &enter).unwrap();
        self.plain.rewind(&mark).unwrap();
        self.plain.record_with(time, &[first, second][..1 + usize::from(count > 0)], &enter).unwrap();
    }

    fn amend_later(&mut self, count: u64) {
        let (time, entry, enter) =
            (self.time, RegionEntry::Region(RegionRef(7)), Enter { region: RegionRef(7) });
        self.with(|writer| writer.enter_amendable(time, entry, 0, true));
        let (begin, end) = self.plain.record_amendable(time, &enter).unwrap();
        (0..=count).for_each(|count| self.enter(WIDE, &attributes(count)));
        let attribute = attributes(1)[0];
        self.with(|writer| writer.amend(FewAttributes::one(attribute), FewAttributes::NONE));
        let amended = self.plain.amend(&begin, &end, time, &[attribute], &enter).unwrap();
        assert!(amended.is_some());
    }

    fn take_back(&mut self, mark: &Mark, begin: u64) {
        self.enter(3, &[]);
        self.with(|writer| writer.leave_mark(1, true));
        self.plain.rewind(mark).unwrap();
        for measurement_mode in [MeasurementMode::OFF, MeasurementMode::ON] {
            self.plain.record(begin, &MeasurementOnOff { measurement_mode }).unwrap();
        }
        self.enter(WIDE, &[]);
        self.time += 1;
        self.enter(8, &[]);
    }

    /// Continues over a few pieces and compares the files.
    fn finish(mut self, what: &str) {
        for region in 0..30 {
            self.time += u64::from(region % 3 != 0);
            self.enter(1 << region, &[]);
        }
        self.enter(1, &attributes(6000));
        self.enter(2, &attributes(3));
        let closed = self.track.close().unwrap();
        let plain = self.plain.close().unwrap();
        assert_eq!((closed.events, closed.lost, closed.kept), (plain.events, 0, 0), "{what}");
        assert!(closed.error.is_none(), "{what}: {closed:?}");
        let [recorded, expected] =
            [0, 1].map(|file| self.process.storage.read(FileName::Events(file)).unwrap());
        assert_eq!(recorded.len() as u64, plain.length, "{what}");
        let differs = recorded.iter().zip(&expected).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{what}: first difference");
    }
}

/// Returns `count` attributes of 14 to 15 bytes each.
fn attributes(count: u64) -> Vec<Attribute> {
    (0..count as u32).map(|id| Attribute::new(AttributeRef(id | 0x0100_0000), u64::MAX - 1)).collect()
}

fn cross(process: &mut Process, room: u64, distance: i64, operation: Operation, count: u64) {
    let mut twins = process.twins();
    twins.approach(room, distance);
    twins.cross(operation, count);
    twins.finish(&format!("room {room}, distance {distance}, {operation:?}, {count} attributes"));
}

/// Runs all cases on a few threads.
fn each(cases: impl Iterator<Item = (u64, i64, Operation, u64)> + Send) -> usize {
    let cases = std::sync::Mutex::new(cases.enumerate());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let work = || {
        let (mut process, mut last) = (Process::new(), 0);
        loop {
            let next = cases.lock().unwrap().next();
            let Some((number, (room, distance, operation, count))) = next else { return last };
            cross(&mut process, room, distance, operation, count);
            last = number + 1;
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).max().unwrap_or(0)
    })
}

/// The relevant distances: the size of a chunk's header, its first time stamp and a record, plus
/// the room that a piece keeps free.
const DISTANCES: std::ops::RangeInclusive<i64> = -70..=70;

/// It was lost.
#[test]
fn a_chunk_header_at_the_end_of_a_piece_is_kept() {
    // Every distance, with one in twelve of the rooms, which differ between distances.
    let share = if kymo_testdata::is_long() { 1 } else { 12 };
    let cases = (1..=15).flat_map(|room| DISTANCES.map(move |distance| (room, distance)));
    let cases = cases.filter(|(room, distance)| (*room as i64 + distance).rem_euclid(share) == 0);
    let cases: Vec<_> = cases.map(|(room, distance)| (room, distance, Operation::Plain, 0)).collect();
    let count = cases.len();
    assert!(count >= 15 * 141 / share as usize, "{count}");
    assert_eq!(each(cases.into_iter()), count);
}

/// Covers records of every length: with 0 to 4 attributes, the room that a chunk can have left
/// grows.
#[test]
fn any_split_of_a_stream_into_pieces_gives_the_same_file() {
    let is_long = kymo_testdata::is_long();
    let step = if is_long { 1 } else { 1021 };
    let cases = (0..=4_u64).flat_map(|count| (1..=15 + 16 * count).map(move |room| (room, count)));
    let cases = cases.flat_map(|(room, count)| DISTANCES.map(move |distance| (room, distance, count)));
    let cases = cases
        .flat_map(|(room, distance, count)| OPERATIONS.map(|operation| (room, distance, operation, count)));
    assert!(each(cases.step_by(step)) > 180_000 / step);
}
