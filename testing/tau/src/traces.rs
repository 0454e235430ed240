//! Small traces made by the tests, and helpers to read them.

use std::path::{Path, PathBuf};
use std::{fs, io};

use kymo_tau::{Item, Layout, Message, Reader, Record, Result, Thread, Writer};
use tempfile::TempDir;

/// A pair of files.
#[derive(Debug)]
pub struct Pair {
    /// The folder of both.
    pub folder: TempDir,
}

/// A time in 2017, in microseconds.
pub const START: u64 = 1_500_000_000_000_000;

/// The only thread of node 0.
pub const MAIN: Thread = Thread { node: 0, thread: 0 };
/// The first thread of node 1.
pub const OTHER: Thread = Thread { node: 1, thread: 0 };
/// The third thread of node 1.
pub const WORKER: Thread = Thread { node: 1, thread: 2 };

/// The events of the traces made here, in the order of the event file.
pub const EVENTS: &str = "\
10 dynamic_trace_events
# FunctionId Group Tag \"Name Type\" Parameters
1 G1 0 \"main\" EntryExit
2 G2 0 \"work [{w.c} {3,1}-{9,2}]\" EntryExit
3 TAUEVENT 0 \"bytes\" TriggerValue
60000 TRACER 0 \"EV_INIT\" none
60001 TRACER 0 \"FLUSH\" EntryExit
60003 TRACER 0 \"FLUSH_CLOSE\" none
60005 TRACER 0 \"WALL_CLOCK\" none
60007 TAU_MESSAGE -7 \"MESSAGE_SEND\" par
60008 TAU_MESSAGE -8 \"MESSAGE_RECV\" par
9 G2 0 \"late\" EntryExit
";

/// Returns a record; its time counts from [`START`].
pub fn record(event: i32, thread: Thread, parameter: i64, time: u64) -> Record {
    Record { event, thread, parameter, time: START + time }
}

/// Returns the records of three threads on two nodes, with a message, a counter and a flush.
pub fn records() -> Vec<Record> {
    let message = |partner| Message { partner, length: 100_000, tag: 300, communicator: 0 }.parameter();
    vec![
        record(60_000, MAIN, 3, 0),
        record(1, MAIN, 1, 10),
        record(60_007, MAIN, message(1), 20),
        record(60_000, OTHER, 3, 5),
        record(1, OTHER, 1, 12),
        record(60_008, OTHER, message(0), 25),
        record(2, WORKER, 1, 26),
        record(3, WORKER, -7, 27),
        record(2, WORKER, -1, 28),
        record(60_001, MAIN, 1, 30),
        record(60_001, MAIN, -1, 31),
        record(1, OTHER, -1, 40),
        record(1, MAIN, -1, 41),
        record(60_003, MAIN, 0, 42),
        record(60_005, MAIN, 1_500_000_000, 43),
    ]
}

impl Pair {
    /// Creates a pair of files with the records in a layout and with [`EVENTS`].
    pub fn new(records: &[Record], layout: Layout) -> Pair {
        let mut bytes = Vec::new();
        records.iter().for_each(|record| layout.encode(record, &mut bytes));
        Pair::of(&bytes, EVENTS.as_bytes())
    }

    /// Creates a pair of files with these contents, in memory if possible.
    pub fn of(trace: &[u8], events: &[u8]) -> Pair {
        let in_memory = TempDir::new_in("/dev/shm").and_then(|folder| Pair::in_folder(folder, trace, events));
        let on_disk = || Pair::in_folder(TempDir::new()?, trace, events);
        in_memory.or_else(|_| on_disk()).expect("a folder and files")
    }

    fn in_folder(folder: TempDir, trace: &[u8], events: &[u8]) -> io::Result<Pair> {
        let pair = Pair { folder };
        fs::write(pair.trace(), trace)?;
        fs::write(pair.event_file(), events)?;
        Ok(pair)
    }

    /// Returns the path of the trace.
    pub fn trace(&self) -> PathBuf {
        self.folder.path().join("tau.trc")
    }

    /// Returns the path of the event file.
    pub fn event_file(&self) -> PathBuf {
        self.folder.path().join("tau.edf")
    }

    /// Opens the pair, which must be readable.
    pub fn open(&self) -> Reader {
        Reader::open(self.trace(), self.event_file()).expect("a reader")
    }

    /// Reads all items, up to the first error.
    pub fn items(&self) -> Result<Vec<Item>> {
        self.open().items().collect()
    }

    /// Appends bytes to the trace.
    pub fn append(&self, bytes: &[u8]) {
        let mut trace = fs::read(self.trace()).expect("bytes");
        trace.extend(bytes);
        fs::write(self.trace(), trace).expect("writing");
    }
}

/// Returns the bytes of records in a layout.
pub fn bytes(records: &[Record], layout: Layout) -> Vec<u8> {
    let mut bytes = Vec::new();
    records.iter().for_each(|record| layout.encode(record, &mut bytes));
    bytes
}

/// Writes a trace in a layout, in which each thread enters, counts and leaves.
pub fn written(folder: &Path, layout: Layout, threads: &[Thread], rounds: u64) -> (PathBuf, PathBuf) {
    let (trace, event_file) = (folder.join("tau.trc"), folder.join("tau.edf"));
    let mut writer = Writer::in_layout(&trace, &event_file, layout).expect("a writer");
    writer.define_group(1, "COMPUTE");
    writer.define_state(1, "main", 1);
    writer.define_user_event(2, "round", 0);
    threads.iter().for_each(|&thread| writer.define_thread(thread));
    for round in 0..rounds {
        for &thread in threads {
            writer.enter(START + 10 * round, thread, 1).expect("room");
            writer.trigger(START + 10 * round + 1, thread, 2, round as i64).expect("room");
            writer.leave(START + 10 * round + 2, thread, 1).expect("room");
        }
    }
    writer.finish().expect("room");
    (trace, event_file)
}
