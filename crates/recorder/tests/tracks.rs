//! The file of a track contains the recorded events, as compared with a model that keeps
//! everything in a list.

use std::sync::Arc;
use std::time::Duration;

use kymo_otf2::{
    FileName, Storage,
    enums::MeasurementMode,
    events::{BufferFlush, Enter, Event, MeasurementOnOff},
    read,
    references::{AttributeRef, RegionRef},
    storage::{Fault, Faulty, Memory},
};
use kymo_recorder::{
    Closed, EVENT_CHUNK_SIZE, EventClass, FewAttributes, MemorySettings, Recorder, RegionEntry, Track,
    TrackWriter, memory::Budget,
};

static BUDGET: Budget = Budget::new(usize::MAX);

/// A record of the model: its time, and either a region or the data of a gap or flush.
#[derive(Debug, Clone, Copy, PartialEq)]
enum ModelRecord {
    Enter(u64, u32),
    Mode(u64, MeasurementMode),
    Flush(u64, u64),
}

fn recorder() -> Recorder {
    let settings = MemorySettings { lost_events: AttributeRef(5), ..MemorySettings::default() };
    Recorder::new(&BUDGET, None, &settings).unwrap()
}

/// Ends the measurement of a process with one track.
fn close(recorder: &Recorder, track: &Track) -> Option<Closed> {
    Track::shut_all(core::iter::once(track));
    recorder.drain().finish();
    track.close()
}

fn enter(track: &Track, time: u64, region: u32) {
    track.record_at(time, |writer| writer.record(time, &Enter { region: RegionRef(region) }));
}

/// Sets the track's file, which is number 7 of every archive here.
fn open(recorder: &Recorder, track: &Track, storage: impl Storage + 'static) {
    // The second time, the folder already exists. A faulty storage may refuse it.
    let _ = storage.create();
    recorder.output().open(Box::new(storage));
    track.file().set(7);
}

fn contents(storage: &impl Storage) -> Vec<ModelRecord> {
    let file = storage.read(FileName::Events(7)).unwrap();
    let records = read::events::events(&file, EVENT_CHUNK_SIZE).unwrap();
    records
        .map(|record| record.unwrap())
        .map(|it| match it.record {
            Event::Enter(Enter { region }) => ModelRecord::Enter(it.time, region.0),
            Event::MeasurementOnOff(MeasurementOnOff { measurement_mode }) => {
                ModelRecord::Mode(it.time, measurement_mode)
            }
            Event::BufferFlush(BufferFlush { stop_time }) => ModelRecord::Flush(it.time, stop_time.0),
            other => panic!("not recorded: {other:?}"),
        })
        .collect()
}

/// A generator of numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

#[test]
fn events_from_before_the_archive_is_known_are_kept() {
    const EVENTS: u64 = if cfg!(miri) { 1_000 } else { 40_000 };
    let (recorder, storage) = (recorder(), Arc::new(Memory::new()));
    let track = recorder.add_track(8).unwrap();
    (0..EVENTS / 2).for_each(|n| enter(track, n, n as u32));
    open(&recorder, track, Arc::clone(&storage));
    (EVENTS / 2..EVENTS).for_each(|n| enter(track, n, n as u32));
    let closed = close(&recorder, track).unwrap();
    assert_eq!((closed.events, closed.last_time, closed.lost), (EVENTS, EVENTS - 1, 0));
    let expected: Vec<_> = (0..EVENTS).map(|n| ModelRecord::Enter(n, n as u32)).collect();
    assert!(contents(&storage) == expected);
}

/// The expected records of a track with rewind marks.
#[derive(Default)]
struct Model {
    records: Vec<ModelRecord>,
    /// Region, time, and number of records before the mark.
    marks: Vec<(u32, u64, usize)>,
}

impl Model {
    fn set_mark(&mut self, region: u32, time: u64) {
        self.marks.retain(|mark| mark.0 != region);
        self.marks.push((region, time, self.records.len()));
    }

    /// Marks above are removed with it.
    fn leave_mark(&mut self, region: u32, rewind: bool) {
        let Some(at) = self.marks.iter().position(|mark| mark.0 == region) else { return };
        let (_, begin, len) = self.marks[at];
        self.marks.truncate(at);
        if rewind {
            self.records.truncate(len);
            self.records.extend(
                [MeasurementMode::OFF, MeasurementMode::ON].map(|mode| ModelRecord::Mode(begin, mode)),
            );
        }
    }
}

/// Random marks, nested marks and rewinds, over several pieces and chunks, before and after the
/// archive is opened.
#[test]
fn rewinding_restores_the_track_exactly() {
    const SEEDS: u64 = if cfg!(miri) { 2 } else { 12 };
    const MOST_AT_ONCE: u64 = if cfg!(miri) { 60 } else { 30_000 };
    for seed in 0..SEEDS {
        let mut numbers = Numbers(seed);
        let (recorder, storage) = (recorder(), Arc::new(Memory::new()));
        let track = recorder.add_track(8).unwrap();
        let mut model = Model::default();
        let opened_at = numbers.below(60);
        let mut time = 0;
        for step in 0..60 {
            if step == opened_at {
                open(&recorder, track, Arc::clone(&storage));
            }
            let region = numbers.below(5) as u32;
            match numbers.below(4) {
                0 => {
                    track.record_at(time, |writer| writer.set_mark(region, time));
                    model.set_mark(region, time);
                }
                1 => {
                    let rewind = numbers.below(2) == 1;
                    track.record_at(time, |writer| writer.leave_mark(region, rewind));
                    model.leave_mark(region, rewind);
                }
                _ => {
                    for _ in 0..numbers.below(MOST_AT_ONCE) {
                        time += numbers.below(3);
                        let region = numbers.below(1 << 20) as u32;
                        enter(track, time, region);
                        model.records.push(ModelRecord::Enter(time, region));
                    }
                }
            }
        }
        open(&recorder, track, Arc::clone(&storage));
        let closed = close(&recorder, track).unwrap();
        let expected = model.records.len() as u64;
        assert_eq!((closed.events, closed.raised, closed.lost), (expected, 0, 0), "seed {seed}");
        assert!(contents(&storage) == model.records, "seed {seed}");
    }
}

#[test]
fn a_rewind_breaks_the_promises_of_the_classes_it_takes_back() {
    let recorder = recorder();
    let track = recorder.add_track(8).unwrap();
    let count = |class| track.record_at(0, |writer| writer.count(class));
    count(EventClass::MpiCommunication);
    track.record_at(1, |writer| writer.set_mark(1, 1));
    count(EventClass::ThreadLock);
    track.record_at(2, |writer| writer.leave_mark(1, true));
    let complete = EventClass::ALL.map(|class| recorder.completeness().is_complete(class));
    assert_eq!(complete, [true, true, true, false]);
}

#[test]
fn times_of_a_track_never_decrease() {
    let (recorder, storage) = (recorder(), Arc::new(Memory::new()));
    let track = recorder.add_track(8).unwrap();
    open(&recorder, track, Arc::clone(&storage));
    for (time, region) in [(10, 1), (5, 2), (10, 3), (11, 4), (0, 5)] {
        enter(track, time, region);
    }
    assert_eq!(close(&recorder, track).unwrap().raised, 2);
    let expected =
        [(10, 1), (10, 2), (10, 3), (11, 4), (11, 5)].map(|(time, region)| ModelRecord::Enter(time, region));
    assert_eq!(contents(&storage), expected);
}

#[test]
fn a_flush_of_the_host_waits_for_the_event_that_caused_it() {
    let (recorder, storage) = (recorder(), Arc::new(Memory::new()));
    let track = recorder.add_track(8).unwrap();
    open(&recorder, track, Arc::clone(&storage));
    enter(track, 10, 1);
    track.record_at(20, |writer| writer.begin_flush(20));
    track.hold_flush(30);
    enter(track, 15, 2);
    track.record_at(40, |writer| writer.begin_flush(40));
    track.hold_flush(50);
    close(&recorder, track).unwrap();
    let expected = [
        ModelRecord::Enter(10, 1),
        ModelRecord::Flush(15, 30),
        ModelRecord::Enter(15, 2),
        ModelRecord::Flush(40, 50),
    ];
    assert_eq!(contents(&storage), expected);
}

/// Plays an event that is interrupted by two others, and a last one if `has_last`.
fn interrupted(has_last: bool) -> (Closed, Vec<ModelRecord>, Option<u64>) {
    let settings = MemorySettings { lost_events: AttributeRef(5), ..MemorySettings::default() };
    let recorder = Recorder::new(&BUDGET, None, &settings).unwrap();
    let storage = Arc::new(Memory::new());
    let track = recorder.add_track(8).unwrap();
    open(&recorder, track, Arc::clone(&storage));
    track.record_at(1, |writer| {
        // As in signal handlers that interrupt the recorder.
        enter(track, 2, 9);
        assert!(!track.record_if_ready(3, &Enter { region: RegionRef(9) }));
        enter(track, 3, 9);
        writer.record(1, &Enter { region: RegionRef(1) });
    });
    assert!(!track.record_if_ready(7, &Enter { region: RegionRef(4) }));
    // A call that records nothing does not end the gap.
    track.record_at(7, |writer| writer.set_mark(1, 7));
    assert!(!track.record_if_ready(7, &Enter { region: RegionRef(4) }));
    if has_last {
        enter(track, 7, 4);
    }
    let closed = close(&recorder, track).unwrap();
    assert!(track.close().is_none());
    enter(track, 8, 2);
    assert_eq!(track.refused(), 1);
    let reported = lost_events(&storage);
    (closed, contents(&storage), reported.first().copied())
}

/// They were missing without a mark.
#[test]
fn a_mark_shows_where_events_of_interrupting_handlers_are_missing() {
    let (closed, records, reported) = interrupted(true);
    assert_eq!((closed.events, closed.lost, reported), (4, 2, Some(2)));
    let gap = [ModelRecord::Mode(1, MeasurementMode::OFF), ModelRecord::Mode(7, MeasurementMode::ON)];
    assert_eq!(records, [&[ModelRecord::Enter(1, 1)][..], &gap, &[ModelRecord::Enter(7, 4)]].concat());
    let (closed, records, reported) = interrupted(false);
    assert_eq!((closed.events, closed.lost, reported), (3, 2, Some(2)));
    assert_eq!(records, [ModelRecord::Enter(1, 1), gap[0], ModelRecord::Mode(1, MeasurementMode::ON)]);
}

/// Returns the numbers of missing events stated in the file, in file order.
fn lost_events(storage: &impl Storage) -> Vec<u64> {
    let file = storage.read(FileName::Events(7)).unwrap();
    let events = read::events::events(&file, EVENT_CHUNK_SIZE).unwrap();
    let attributes = events.flat_map(|event| {
        event.unwrap().attributes.iter().map(|it| (it.attribute, it.value.bits())).collect::<Vec<_>>()
    });
    attributes.filter(|it| it.0 == AttributeRef(5)).map(|it| it.1).collect()
}

/// The storage fails at any call, once or permanently. Recorded and lost events always add up to
/// the generated ones, and once a file exists, it can be read to its end.
#[test]
#[cfg_attr(miri, ignore = "too many events for Miri")]
fn nothing_is_lost_without_being_counted() {
    const GENERATED: u64 = 60_000;
    let play = |storage: &Arc<Faulty<Memory>>| -> Closed {
        let recorder = recorder();
        let track = recorder.add_track(8).unwrap();
        (0..GENERATED / 2).for_each(|n| enter(track, n, n as u32));
        open(&recorder, track, Arc::clone(storage));
        (GENERATED / 2..GENERATED).for_each(|n| enter(track, n, n as u32));
        close(&recorder, track).unwrap()
    };
    let healthy = Arc::new(Faulty::new(Memory::new(), Fault::Once(u64::MAX), 28));
    assert_eq!(play(&healthy).events, GENERATED);
    assert!(healthy.calls() > 6);
    // Call 0 creates the folder.
    for call in 1..healthy.calls() {
        let storage = Arc::new(Faulty::new(Memory::new(), Fault::Once(call), 28));
        let closed = play(&storage);
        let records = contents(storage.inner());
        assert_eq!(enters(&records) + closed.lost, GENERATED, "call {call}");
        assert_eq!(records.len() as u64, closed.events, "call {call}");
        let reported: u64 = lost_events(storage.inner()).iter().sum();
        assert!(
            closed.lost == 0 || reported == closed.lost,
            "call {call}: {reported} of {closed:?} are marked"
        );
        // A storage that refused once is soon asked again.
        assert!(closed.events > GENERATED - 10_000, "call {call}: {closed:?}");
    }
}

fn enters(records: &[ModelRecord]) -> u64 {
    records.iter().filter(|record| matches!(record, ModelRecord::Enter(..))).count() as u64
}

/// A full disk: existing bytes can be overwritten, but no file grows.
#[derive(Debug, Default)]
struct Full {
    memory: Memory,
    limit: std::sync::atomic::AtomicU64,
}

impl Storage for Full {
    fn create(&self) -> std::io::Result<()> {
        self.memory.create()
    }

    fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> std::io::Result<()> {
        match offset + bytes.len() as u64 > self.limit.load(std::sync::atomic::Ordering::Relaxed) {
            true => Err(std::io::ErrorKind::StorageFull.into()),
            false => self.memory.write_at(file, offset, bytes),
        }
    }

    fn set_len(&self, file: FileName, length: u64) -> std::io::Result<()> {
        self.memory.set_len(file, length)
    }

    fn open(&self, file: FileName) -> std::io::Result<Box<dyn kymo_otf2::storage::Content>> {
        self.memory.open(file)
    }
}

#[test]
#[cfg_attr(miri, ignore = "too many events for Miri")]
fn a_file_on_a_full_disk_ends_properly() {
    const GENERATED: u64 = 400_000;
    for limit in [70_000, 200_000, 1_100_000, 2_000_000] {
        let storage = Arc::new(Full { limit: limit.into(), ..Full::default() });
        let recorder = recorder();
        let track = recorder.add_track(8).unwrap();
        open(&recorder, track, Arc::clone(&storage));
        (0..GENERATED).for_each(|n| enter(track, n, n as u32));
        let closed = close(&recorder, track).unwrap();
        let records = contents(&*storage);
        assert_eq!(enters(&records) + closed.lost, GENERATED, "limit {limit}");
        assert_eq!(records.len() as u64, closed.events, "limit {limit}");
        assert_eq!(lost_events(&*storage), [closed.lost], "limit {limit}");
        // At most two pieces less than fit.
        assert!(closed.events * 13 >= limit.saturating_sub(3 * 65_536), "limit {limit}: {closed:?}");
    }
}

/// An idle thread hands over the little that it has. While the storage refuses everything, that
/// took a block each time, until the memory was full. Joined pieces have the same content as pieces
/// written one by one.
#[test]
#[cfg_attr(miri, ignore = "too many events for Miri")]
fn small_pieces_are_joined_while_the_storage_refuses() {
    let record = |track: &Track, n: u64| match n / 2 % 64 {
        // Occasionally rewinds into data that has been handed over.
        20 if n.is_multiple_of(7) => track.record_at(n, |writer| writer.set_mark(1, n)),
        63 | 37 => track.pause(),
        50 => track.record_at(n, |writer| writer.leave_mark(1, true)),
        _ => enter(track, n, n as u32),
    };
    let [together, one_by_one] = [0, u64::MAX].map(|limit| {
        let storage = Arc::new(Full { limit: limit.into(), ..Full::default() });
        let settings = MemorySettings { limit: 8 << 20, ..MemorySettings::default() };
        let recorder = Recorder::new(&BUDGET, None, &settings).unwrap();
        let tracks = [8, 16].map(|address| recorder.add_track(address).unwrap());
        open(&recorder, tracks[0], Arc::clone(&storage));
        tracks[1].file().set(8);
        (0..400_000).for_each(|n| record(tracks[n as usize % 2], n));
        storage.limit.store(u64::MAX, std::sync::atomic::Ordering::Relaxed);
        Track::shut_all(tracks.into_iter());
        recorder.drain().finish();
        tracks.iter().for_each(|track| assert_eq!(track.close().unwrap().lost, 0));
        [7, 8].map(|file| storage.read(FileName::Events(file)).unwrap())
    });
    assert!(together[0].len() > 2_000_000);
    assert!(together == one_by_one);
}

/// Threads that were idle 1,024 times before the archive was open filled 64 MiB with pieces of few
/// events, and dropped events.
#[test]
#[cfg_attr(miri, ignore = "too many events for Miri")]
fn idle_threads_do_not_fill_the_memory_before_the_archive_is_open() {
    const PAUSES: u64 = 5_000;
    let settings = MemorySettings { limit: 1 << 20, ..MemorySettings::default() };
    let recorder = Recorder::new(&BUDGET, None, &settings).unwrap();
    let track = recorder.add_track(8).unwrap();
    for n in 0..PAUSES {
        enter(track, n, n as u32);
        track.pause();
    }
    let storage = Arc::new(Memory::new());
    open(&recorder, track, Arc::clone(&storage));
    let closed = close(&recorder, track).unwrap();
    assert_eq!((closed.lost, enters(&contents(&storage))), (0, PAUSES));
}

/// They were counted, but events that a rewind takes back are not missing.
#[test]
#[cfg_attr(miri, ignore = "too many events for Miri")]
fn lost_events_that_are_rewound_do_not_count() {
    let settings = MemorySettings { limit: 1 << 20, ..MemorySettings::default() };
    let recorder = Recorder::new(&BUDGET, None, &settings).unwrap();
    let track = recorder.add_track(8).unwrap();
    enter(track, 1, 1);
    track.record_at(1, |writer| writer.set_mark(1, 1));
    (2..200_000).for_each(|n| enter(track, n, n as u32));
    track.record_at(200_000, |writer| writer.leave_mark(1, true));
    let storage = Arc::new(Memory::new());
    open(&recorder, track, Arc::clone(&storage));
    enter(track, 200_001, 2);
    let closed = close(&recorder, track).unwrap();
    assert_eq!((closed.lost, enters(&contents(&storage))), (0, 2));
}

/// A thread records until it is stopped while the track is closed. Every file is complete, and
/// later events are counted.
#[test]
fn closing_waits_for_the_event_that_is_being_recorded() {
    const ROUNDS: u32 = if cfg!(miri) { 5 } else { 50 };
    for _ in 0..ROUNDS {
        let (recorder, storage) = (recorder(), Arc::new(Memory::new()));
        let track = recorder.add_track(8).unwrap();
        open(&recorder, track, Arc::clone(&storage));
        let (stop, begun) = [const { std::sync::atomic::AtomicBool::new(false) }; 2].into();
        let (generated, closed) = std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let mut n = 0;
                while !stop.load(std::sync::atomic::Ordering::Relaxed) || n == 0 {
                    enter(track, n, n as u32);
                    n += 1;
                    begun.store(true, std::sync::atomic::Ordering::Relaxed);
                }
                n
            });
            while !begun.load(std::sync::atomic::Ordering::Relaxed) {
                std::thread::yield_now();
            }
            // The thread may be without a processor in the middle of an event.
            Track::shut_all_within(core::iter::once(track), Duration::from_secs(60));
            recorder.drain().finish();
            let closed = track.close();
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            (thread.join().unwrap(), closed.unwrap())
        });
        assert_eq!(closed.events + track.refused(), generated);
        assert_eq!(contents(&*storage).len() as u64, closed.events);
    }
}

#[test]
#[cfg_attr(miri, ignore = "too many events for Miri")]
fn exhausted_memory_loses_events_but_does_not_end_the_process() {
    let settings = MemorySettings { limit: 1 << 20, ..MemorySettings::default() };
    let recorder = Recorder::new(&BUDGET, None, &settings).unwrap();
    let track = recorder.add_track(8).unwrap();
    const GENERATED: u64 = 200_000;
    (0..GENERATED).for_each(|n| enter(track, n, n as u32));
    let storage = Arc::new(Memory::new());
    open(&recorder, track, Arc::clone(&storage));
    // Now that pieces can be written, there is room again.
    (GENERATED..2 * GENERATED).for_each(|n| enter(track, n, n as u32));
    let closed = close(&recorder, track).unwrap();
    let records = contents(&storage);
    assert_eq!(records.len() as u64, closed.events);
    assert_eq!(closed.events + closed.lost, 2 * GENERATED + 2);
    let off = records.iter().position(|record| matches!(record, ModelRecord::Mode(..))).unwrap();
    let time = |at: usize| match records[at] {
        ModelRecord::Enter(time, _) | ModelRecord::Mode(time, _) | ModelRecord::Flush(time, _) => time,
    };
    // Off at the last record before the gap, on at the first one after it, with as many events
    // missing as were lost.
    assert_eq!(records[off], ModelRecord::Mode(time(off - 1), MeasurementMode::OFF));
    assert_eq!(records[off + 1], ModelRecord::Mode(time(off + 2), MeasurementMode::ON));
    assert_eq!(time(off + 2) - time(off - 1) - 1, closed.lost);
}

/// Fills and overfills the memory before there is a file, and continues with `play` when there is
/// one. Returns the numbers of missing events stated in the file, the number of events missing of
/// those generated until then, and the records of `play` in the file.
fn after_a_gap(
    before: impl FnOnce(&mut TrackWriter),
    play: impl FnOnce(&mut TrackWriter),
) -> (Vec<u64>, u64, Vec<ModelRecord>) {
    const GENERATED: u64 = 20_000;
    let settings =
        MemorySettings { limit: 128 << 10, lost_events: AttributeRef(5), ..MemorySettings::default() };
    let (recorder, storage) = (Recorder::new(&BUDGET, None, &settings).unwrap(), Arc::new(Memory::new()));
    let track = recorder.add_track(8).unwrap();
    (0..GENERATED).for_each(|n| enter(track, n, n as u32));
    track.record_at(GENERATED, before);
    open(&recorder, track, Arc::clone(&storage));
    track.record_at(GENERATED, play);
    let closed = close(&recorder, track).unwrap();
    let records = contents(&storage);
    let is_early = |record: &&ModelRecord| matches!(record, ModelRecord::Enter(time, _) if *time < GENERATED);
    let missing = GENERATED - records.iter().filter(is_early).count() as u64;
    assert!(missing > 0 && closed.lost == missing, "{missing} missing, {} counted", closed.lost);
    let reported = lost_events(&storage);
    let late = records.into_iter().filter(|record| !is_early(&record)).collect();
    (reported, missing, late)
}

/// The rewind removed it.
#[test]
#[cfg_attr(miri, ignore = "too many events for Miri")]
fn a_gap_before_a_rewind_mark_outlasts_the_rewind() {
    let (reported, missing, _) = after_a_gap(
        |writer| writer.set_mark(1, 20_000),
        |writer| {
            writer.record(20_001, &Enter { region: RegionRef(1) });
            writer.leave_mark(1, true);
        },
    );
    assert_eq!(reported, [missing]);
}

/// It was lost when the enter was written again.
#[test]
#[cfg_attr(miri, ignore = "too many events for Miri")]
fn a_gap_outlasts_the_attributes_of_the_enter_after_it() {
    let entry = RegionEntry::Region(RegionRef(3));
    let (reported, missing, late) = after_a_gap(
        |_| {},
        |writer| {
            writer.enter_amendable(20_001, entry, 0, false);
            writer.amend(FewAttributes::NONE, FewAttributes::NONE);
        },
    );
    assert_eq!((reported, late.last()), (vec![missing], Some(&ModelRecord::Enter(20_001, 3))));
}

/// It was counted twice.
#[test]
#[cfg_attr(miri, ignore = "too many events for Miri")]
fn a_dropped_enter_that_gets_attributes_counts_once() {
    let entry = RegionEntry::Region(RegionRef(3));
    let (recorder, storage) = (
        Recorder::new(&BUDGET, None, &MemorySettings { limit: 128 << 10, ..MemorySettings::default() })
            .unwrap(),
        Arc::new(Memory::new()),
    );
    let track = recorder.add_track(8).unwrap();
    const GENERATED: u64 = 20_000;
    for n in 0..GENERATED {
        track.record_at(n, |writer| {
            writer.enter_amendable(n, entry, 0, false);
            writer.amend(FewAttributes::NONE, FewAttributes::NONE);
        });
    }
    open(&recorder, track, Arc::clone(&storage));
    let closed = close(&recorder, track).unwrap();
    let enters = contents(&storage).iter().filter(|it| matches!(it, ModelRecord::Enter(..))).count() as u64;
    assert_eq!(enters + closed.lost, GENERATED);
}

/// All waited for it. The thread of one track never returns from an event, as after `siglongjmp`
/// out of a signal handler.
#[test]
fn a_stuck_track_does_not_keep_the_others_from_closing() {
    let (recorder, storage) = (recorder(), Arc::new(Memory::new()));
    let [stuck, other] = [8, 16].map(|address| recorder.add_track(address).unwrap());
    open(&recorder, other, Arc::clone(&storage));
    enter(other, 1, 1);
    stuck.record_at(1, |_| Track::shut_all([stuck, other].into_iter()));
    recorder.drain().finish();
    assert!(stuck.close().is_none());
    assert_eq!(other.close().unwrap().events, 1);
    assert_eq!(contents(&storage), [ModelRecord::Enter(1, 1)]);
}

/// It was. Other programs change event files while these grow, so they are checked at the end.
#[test]
#[cfg_attr(miri, ignore = "too many events for Miri")]
fn a_file_changed_by_another_program_is_not_taken_for_complete() {
    type Change = fn(&Memory);
    const FILE: FileName = FileName::Events(7);
    let changes: [(&str, Change); 3] = [
        ("emptied", |memory| memory.set_len(FILE, 0).unwrap()),
        ("header overwritten", |memory| memory.write_at(FILE, EVENT_CHUNK_SIZE, &[0; 18]).unwrap()),
        ("number overwritten", |memory| memory.write_at(FILE, 2, &[9]).unwrap()),
    ];
    for (what, change) in changes {
        let (recorder, storage) = (recorder(), Arc::new(Memory::new()));
        let track = recorder.add_track(8).unwrap();
        open(&recorder, track, Arc::clone(&storage));
        (0..150_000).for_each(|n| enter(track, n, n as u32));
        change(&storage);
        (150_000..200_000).for_each(|n| enter(track, n, n as u32));
        let closed = close(&recorder, track).unwrap();
        assert_eq!((closed.events, closed.kept, closed.lost), (0, 200_000, 0), "{what}: {closed:?}");
        assert!(matches!(closed.error, Some(kymo_otf2::Error::Format(_))), "{what}: {closed:?}");
    }
}
