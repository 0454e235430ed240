//! A process is killed at any instant around the end of a chunk. Every record that had been written
//! is recovered, wherever the pieces ended.

use std::sync::{Arc, Mutex};

use kymo_otf2::{
    FileName, Storage,
    attributes::Attribute,
    events::Enter,
    references::{AttributeRef, RegionRef},
    storage::{Content, Memory},
    write::SLACK,
};
use kymo_recorder::{
    EVENT_CHUNK_SIZE, MemorySettings, Recorder, Track,
    memory::Budget,
    scratch::{ScratchFile, ScratchPlace, layout::BLOCK},
};

use super::{recover, texts_in};

static BUDGET: Budget = Budget::new(usize::MAX);

/// Regions whose enters have 2 to 6 bytes.
const REGIONS: [u32; 5] = [0, 1, 1 << 8, 1 << 16, 1 << 24];
/// The size of the largest of these enters with a time stamp.
const TIMED_ENTER: u64 = 15;
/// The size of a chunk's header and of the first record's time stamp.
const FIRST: u64 = 18 + 9;

/// The remains of a killed process: its scratch file and event file.
type LeftFiles = (Vec<u8>, Vec<u8>);

/// Storage that saves the files that a kill would leave before and after every write of a piece.
#[derive(Debug, Default)]
struct Watched {
    memory: Memory,
    scratch: Mutex<Option<std::path::PathBuf>>,
    seen: Mutex<Vec<LeftFiles>>,
}

impl Watched {
    fn look(&self) {
        let Some(path) = &*self.scratch.lock().unwrap() else { return };
        let events = self.memory.read(FileName::Events(0)).unwrap_or_default();
        self.seen.lock().unwrap().push((std::fs::read(path).unwrap(), events));
    }
}

impl Storage for Watched {
    fn create(&self) -> std::io::Result<()> {
        self.memory.create()
    }

    fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> std::io::Result<()> {
        self.look();
        self.memory.write_at(file, offset, bytes)?;
        self.look();
        Ok(())
    }

    fn set_len(&self, file: FileName, length: u64) -> std::io::Result<()> {
        self.memory.set_len(file, length)
    }

    fn open(&self, file: FileName) -> std::io::Result<Box<dyn Content>> {
        self.memory.open(file)
    }
}

struct Run {
    track: &'static Track,
    storage: Arc<Watched>,
    time: u64,
    records: u64,
    offset: u64,
}

impl Run {
    fn enter(&mut self, bytes: u64) {
        self.time += u64::from(bytes == TIMED_ENTER || self.records == 0);
        let region = RegionRef(REGIONS[bytes.min(6) as usize - 2]);
        let (time, enter) = (self.time, Enter { region });
        self.track.record_at(time, |writer| writer.record(time, &enter));
        self.records += 1;
        self.offset += bytes;
    }

    /// Records an enter with `count` attributes of 15 bytes each.
    fn large(&mut self, count: u64) {
        let attribute = |id| Attribute::new(AttributeRef(1 << 24 | id as u32), u64::MAX - 1);
        let attributes: Vec<_> = (0..count).map(attribute).collect();
        let time = self.time;
        self.track.record_at(time, |writer| {
            writer.record_with(time, &attributes, &Enter { region: RegionRef(0) });
        });
        self.records += 1;
        // The list's id, number and length, and the enter.
        self.offset += 1
            + 9
            + if count < 1 << 8 {
                2
            } else if count < 1 << 16 {
                3
            } else {
                4
            }
            + 15 * count
            + 2;
    }

    /// Records enters up to this offset.
    fn fill(&mut self, offset: u64) {
        while self.offset < offset {
            match offset - self.offset {
                left @ 1000.. => self.large((left - 900) / 15),
                7 => self.enter(4),
                left => self.enter(left.min(6)),
            }
        }
    }

    /// Recovers the files that a kill would have left during the last record, and would leave now.
    fn check(&self, what: &str) {
        self.storage.look();
        let last = self.storage.seen.lock().unwrap().len() - 1;
        for (number, (scratch, events)) in self.storage.seen.lock().unwrap().drain(..).enumerate() {
            let files = Memory::new();
            files.create().unwrap();
            files.write_at(FileName::Events(0), 0, &events).unwrap();
            let files: Arc<dyn Storage> = Arc::new(files);
            let (report, archive) = recover(&scratch, &files, false).unwrap();
            // A record that waits for room is not yet in the files written during that wait.
            let expected = self.records - u64::from(number < last);
            assert!(!report.is_partial(), "{what}: {report:?}");
            assert_eq!(texts_in(&archive, 0).len() as u64, expected, "{what}");
        }
    }
}

/// Fills a chunk until it has `room` bytes left, in a piece that ends `distance` bytes after it.
fn play(room: u64, distance: u64) {
    let scratch = ScratchFile::make(&ScratchPlace::Automatic).unwrap().unwrap();
    let path = scratch.path().to_owned();
    let recorder = Recorder::new(&BUDGET, Some(scratch), &MemorySettings::default()).unwrap();
    let track = recorder.add_track(8).unwrap();
    let storage = Arc::new(Watched::default());
    storage.create().unwrap();
    recorder.output().open(Box::new(Arc::clone(&storage)));
    track.file().set(0);
    let mut run = Run { track, storage, time: 0, records: 0, offset: FIRST - 9 };
    run.enter(TIMED_ENTER);
    run.fill(EVENT_CHUNK_SIZE + distance - (BLOCK - SLACK) as u64);
    track.pause();
    assert_eq!(run.storage.memory.read(FileName::Events(0)).unwrap().len() as u64, run.offset);
    run.fill(EVENT_CHUNK_SIZE - room - TIMED_ENTER);
    *run.storage.scratch.lock().unwrap() = Some(path);
    let what = format!("room {room}, distance {distance}");
    run.enter(TIMED_ENTER);
    run.check(&what);
    for _ in 0..3 {
        run.enter(TIMED_ENTER);
        run.check(&what);
    }
    recorder.drain().remove_scratch().unwrap();
}

/// It was lost. The piece ends before, in and after the header, the time stamp and the first
/// records of a chunk.
#[test]
fn a_kill_around_the_end_of_a_chunk_keeps_its_beginning() {
    let steps = if kymo_testdata::is_long() { [(1, 1), (15, 7)] } else { [(1, 7), (15, 73)] };
    for (room, step) in steps {
        (0..FIRST + 2 * TIMED_ENTER + 2).step_by(step).for_each(|distance| play(room, distance));
    }
}
