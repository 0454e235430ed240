//! Tests of the writers: rewinding, errors, pieces and ends of files.

use kymo_otf2::attributes::Attribute;
use kymo_otf2::definitions::{self, ClockOffset};
use kymo_otf2::error::{Error, Usage};
use kymo_otf2::events::{Enter, Leave, Metric, ProgramBegin};
use kymo_otf2::list::List;
use kymo_otf2::references::*;
use kymo_otf2::storage::{Fault, Faulty, Memory};
use kymo_otf2::value::{MetricValue, Timestamp};
use kymo_otf2::write::{
    EventWriter, GlobalDefinitionWriter, LocalDefinitionWriter, Pieces, SLACK, StoragePieces, ThumbnailWriter,
};
use kymo_otf2::{BigEndian, FileName, LittleEndian, Result, Storage, read};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

const CHUNK: u64 = 262_144;
const FILE: FileName = FileName::Events(3);

fn memory() -> Memory {
    let memory = Memory::new();
    memory.create().unwrap();
    memory
}

/// Pieces in memory. The file consists of the bytes handed over, and every piece starts out filled
/// with garbage.
#[derive(Debug, Default)]
struct Plain {
    file: Vec<u8>,
    piece: Vec<u8>,
    sizes: Vec<usize>,
    committed: usize,
    view: usize,
    /// The numbers of the calls to `hand_over` and `patch` that fail.
    failures: Vec<usize>,
    /// Whether they unwind instead of returning an error.
    unwinds: bool,
    calls: usize,
}

impl Plain {
    fn of(size: usize) -> Plain {
        Plain { piece: vec![0xEE; size + SLACK], sizes: vec![size], ..Plain::default() }
    }

    fn fail(&mut self) -> Result<()> {
        self.calls += 1;
        let error = || Error::Io { file: None, source: std::io::Error::from_raw_os_error(28) };
        match self.failures.contains(&(self.calls - 1)) {
            true if self.unwinds => resume_unwind(Box::new("out of the memory of a writer")),
            true => Err(error()),
            false => Ok(()),
        }
    }

    fn store(&mut self, offset: u64, bytes: &[u8]) {
        let end = offset as usize + bytes.len();
        self.file.resize(self.file.len().max(end), 0xDD);
        self.file[offset as usize..end].copy_from_slice(bytes);
    }
}

impl Pieces for Plain {
    fn bytes(&mut self) -> &mut [u8] {
        &mut self.piece
    }
    fn set_view(&mut self, length: usize) {
        assert!(length <= self.piece.len());
        self.view = length;
    }
    fn view(&mut self) -> &mut [u8] {
        &mut self.piece[..self.view]
    }
    fn hand_over(&mut self, offset: u64, used: usize, room: usize) -> Result<()> {
        self.fail()?;
        let piece = std::mem::take(&mut self.piece);
        self.store(offset, &piece[..used]);
        let size = self.sizes[self.calls % self.sizes.len()].max(room);
        self.piece = vec![0xEE; size + SLACK];
        self.committed = 0;
        Ok(())
    }
    fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.fail()?;
        assert!(offset as usize + bytes.len() <= self.file.len(), "patches only what was handed over");
        self.store(offset, bytes);
        Ok(())
    }
    fn committed(&mut self, used: usize) {
        self.committed = used;
    }
    fn rewound(&mut self, _: u64, used: usize) {
        self.committed = used;
    }
}

type Writer = EventWriter<Plain>;

/// Writes event number `n`. Sizes vary, some events have attributes, and the time changes with
/// every other event.
fn put(writer: &mut Writer, n: u64) -> Result<()> {
    let region = RegionRef((n * n % 100_000) as u32);
    let time = n / 2 * 1000;
    match n % 7 {
        0 => writer.record_with(
            time,
            &[Attribute::new(AttributeRef(1), n), Attribute::new(AttributeRef(2), 1.5)],
            &Enter { region },
        ),
        1 => {
            let values: Vec<MetricValue> =
                (0..n % 60).map(|value| MetricValue::from(value * value * n)).collect();
            writer.record(time, &Metric { metric: MetricRef(0), metric_values: List::new(&values).unwrap() })
        }
        2 => writer.record(time, &Leave { region }),
        _ => writer.record(time, &Enter { region }),
    }
}

fn straight(range: std::ops::Range<u64>) -> Vec<u8> {
    let mut writer = Writer::new(Plain::of(1 << 20), CHUNK).unwrap();
    range.for_each(|n| put(&mut writer, n).unwrap());
    finished(writer)
}

fn finished(writer: Writer) -> Vec<u8> {
    let closed = writer.close().unwrap();
    let mut file = closed.pieces.file;
    assert!(file.len() as u64 >= closed.length);
    file.truncate(closed.length as usize);
    file
}

fn assert_same(found: &[u8], expected: &[u8]) {
    let at = found.iter().zip(expected).position(|(a, b)| a != b);
    assert!(
        at.is_none() && found.len() == expected.len(),
        "differs at {at:?}, {} and {}",
        found.len(),
        expected.len()
    );
}

#[test]
fn piece_sizes_do_not_affect_the_file() {
    let expected = straight(0..40_000);
    assert!(expected.len() as u64 > 2 * CHUNK);
    for sizes in
        [vec![0], vec![1], vec![700], vec![65536], vec![CHUNK as usize], vec![3 << 20], vec![100, 5000, 64]]
    {
        let mut pieces = Plain::of(sizes[0]);
        pieces.sizes = sizes;
        let mut writer = Writer::new(pieces, CHUNK).unwrap();
        (0..40_000).for_each(|n| put(&mut writer, n).unwrap());
        assert_same(&finished(writer), &expected);
    }
}

#[test]
fn a_rewound_file_has_no_trace_of_the_discarded_events() {
    let expected = straight(0..12_000);
    // Marks are in the same piece, in earlier pieces and in earlier chunks, also at record 0.
    for size in [500, 65536, 2 << 20] {
        for (mark_at, rewind_at) in
            [(0, 100), (5_000, 5_001), (5_000, 5_500), (100, 11_000), (7_000, 30_000), (0, 40_000)]
        {
            let mut writer = Writer::new(Plain::of(size), CHUNK).unwrap();
            (0..mark_at).for_each(|n| put(&mut writer, n).unwrap());
            let mark = writer.mark();
            (mark_at..rewind_at).for_each(|n| put(&mut writer, n + 3).unwrap());
            writer.rewind(&mark).unwrap();
            assert_eq!(writer.mark(), mark);
            assert_eq!(writer.events(), mark_at);
            (mark_at..12_000).for_each(|n| put(&mut writer, n).unwrap());
            assert_same(&finished(writer), &expected);
        }
    }
}

/// The fast path writes the same bytes as the full one, or nothing.
#[test]
fn record_in_piece_writes_the_same_as_record_or_nothing() {
    let mut expected = Writer::new(Plain::of(1 << 20), CHUNK).unwrap();
    let mut writer = Writer::new(Plain::of(700), CHUNK).unwrap();
    let (mut taken, mut again, mut refused) = (0, 0, 0);
    for n in 0..40_000u64 {
        let (time, enter) = (n / 3 * 10, Enter { region: RegionRef((n * n) as u32) });
        expected.record(time, &enter).unwrap();
        let before = writer.mark();
        if writer.record_in_piece(time, &enter) {
            taken += 1;
        } else if writer.record_in_piece_again(time, &enter) {
            again += 1;
        } else {
            refused += 1;
            assert_eq!(writer.mark(), before);
            writer.record(time, &enter).unwrap();
        }
    }
    assert!(taken > 10_000 && again > 20_000 && refused > 100);
    assert_same(&finished(writer), &finished(expected));
}

#[test]
fn rewinds_can_be_nested() {
    let expected = straight(0..3_000);
    let mut writer = Writer::new(Plain::of(900), CHUNK).unwrap();
    (0..1_000).for_each(|n| put(&mut writer, n).unwrap());
    let outer = writer.mark();
    (1_000..20_000).for_each(|n| put(&mut writer, n).unwrap());
    let inner = writer.mark();
    (20_000..40_000).for_each(|n| put(&mut writer, n).unwrap());
    writer.rewind(&inner).unwrap();
    (20_000..20_010).for_each(|n| put(&mut writer, n).unwrap());
    writer.rewind(&outer).unwrap();
    assert!(matches!(writer.rewind(&inner), Err(Error::Usage(Usage::Mark))));
    (1_000..3_000).for_each(|n| put(&mut writer, n).unwrap());
    assert_same(&finished(writer), &expected);
}

/// Calls a function until it neither fails nor unwinds. Returns the number of failures.
fn insist<T>(mut call: impl FnMut() -> Result<T>) -> (T, u32) {
    let mut failed = 0;
    loop {
        match catch_unwind(AssertUnwindSafe(&mut call)) {
            Ok(Ok(done)) => return (done, failed),
            Ok(Err(error)) => assert!(matches!(error, Error::Io { .. }), "{error}"),
            Err(_) => {}
        }
        failed += 1;
    }
}

/// Writes events although each call to the memory, in sequence, fails once.
fn write_with_failures(unwinds: bool) {
    let expected = straight(0..20_000);
    let calls = {
        let mut writer = Writer::new(Plain::of(30_000), CHUNK).unwrap();
        (0..20_000).for_each(|n| put(&mut writer, n).unwrap());
        writer.finish().unwrap();
        writer.pieces().calls
    };
    assert!(calls > 10);
    for failing in 0..calls {
        let mut pieces = Plain::of(30_000);
        // One failure, then two consecutive ones, starting two calls later.
        (pieces.failures, pieces.unwinds) = (vec![failing, failing + 2, failing + 3], unwinds);
        let mut writer = Writer::new(pieces, CHUNK).unwrap();
        let mut failed = 0;
        for n in 0..20_000 {
            failed += insist(|| put(&mut writer, n)).1;
            assert_eq!(writer.events(), n + 1);
        }
        let (closed, at_the_end) = insist(|| writer.finish());
        assert!(failed + at_the_end > 0);
        let file = &writer.pieces().file[..closed.length as usize];
        assert_same(file, &expected);
    }
}

#[test]
fn a_failed_hand_over_loses_no_events() {
    write_with_failures(false);
}

/// The chunk had none. Functions of a program that provide memory may throw.
#[test]
fn a_chunk_has_its_header_after_memory_has_unwound() {
    write_with_failures(true);
}

#[test]
fn the_example_of_the_format_description() {
    let mut writer = Writer::new(Plain::of(100), CHUNK).unwrap();
    for (time, region) in [(0, 1), (0, 0), (1, 1), (2, 2)] {
        writer.record(time, &Enter { region: RegionRef(region) }).unwrap();
    }
    assert_eq!(writer.pieces().committed, 65);
    let expected = [
        &[0x03, 0x42, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0][..],
        &[0x05, 0, 0, 0, 0, 0, 0, 0, 0, 0x0C, 1, 1],
        &[0x05, 0, 0, 0, 0, 0, 0, 0, 0, 0x0C, 0],
        &[0x05, 1, 0, 0, 0, 0, 0, 0, 0, 0x0C, 1, 1],
        &[0x05, 2, 0, 0, 0, 0, 0, 0, 0, 0x0C, 1, 2],
        &[0x02, 0x01],
    ]
    .concat();
    assert_eq!(finished(writer), expected);
}

#[test]
fn an_empty_file_has_twenty_bytes() {
    let file = finished(Writer::new(Plain::of(100), CHUNK).unwrap());
    assert_eq!(file, [&[3, 0x42, 1][..], &[0; 15], &[2, 1]].concat());
    let mut writer = EventWriter::<_, BigEndian>::in_byte_order(Plain::of(100), CHUNK).unwrap();
    writer.finish().unwrap();
    assert_eq!(writer.pieces().file, [&[3, 0x23][..], &[0; 7], &[1], &[0; 8], &[2, 1]].concat());
}

#[test]
fn misuse_is_refused_and_writes_nothing() {
    let mut writer = Writer::new(Plain::of(1000), CHUNK).unwrap();
    let enter = Enter { region: RegionRef(5) };
    writer.record(10, &enter).unwrap();
    let mark = writer.mark();
    let back = writer.record(9, &enter);
    assert!(matches!(back, Err(Error::Usage(Usage::TimeGoesBack { time: 9, last: 10 }))));
    // The bound of a string reference is five bytes: this count does not fit, one less does.
    let largest = (CHUNK as usize - 37 - 9 - 1 - 5 - 5) / 5;
    let arguments = vec![StringRef(0); largest + 1];
    let record = |count: usize| ProgramBegin {
        program_name: StringRef(0),
        program_arguments: List::new(&arguments[..count]).unwrap(),
    };
    let too_large = writer.record(11, &record(largest + 1));
    assert!(matches!(too_large, Err(Error::Usage(Usage::RecordTooLarge { .. }))), "{too_large:?}");
    assert_eq!(writer.mark(), mark);
    writer.record(11, &record(largest)).unwrap();
    writer.finish().unwrap();
    assert!(matches!(writer.record(12, &enter), Err(Error::Usage(Usage::Finished))));
    assert!(matches!(writer.finish(), Err(Error::Usage(Usage::Finished))));
    assert!(matches!(writer.rewind(&mark), Err(Error::Usage(Usage::Mark))));
    for size in [0, CHUNK - 1, (16 << 20) + 1] {
        assert!(matches!(Writer::new(Plain::of(100), size), Err(Error::Usage(Usage::ChunkSize(_)))));
    }
    assert!(List::<u8, u32>::new(&[0; 256]).is_err());
    assert_eq!(List::<u8, u32>::truncated(&[0; 256]).len(), 255);
}

#[test]
fn events_at_time_zero_have_one_time_stamp_each_across_chunks() {
    let mut writer = Writer::new(Plain::of(5000), CHUNK).unwrap();
    let count = 40_000;
    (0..count).for_each(|_| writer.record(0, &Enter { region: RegionRef(1) }).unwrap());
    let file = finished(writer);
    assert!(file.len() as u64 > CHUNK);
    let events: Vec<_> = read::events(&file, CHUNK).unwrap().map(|event| event.unwrap()).collect();
    assert_eq!(events.len(), count);
    // Twelve bytes each: more would be a second time stamp before an event.
    let distances = events.windows(2).map(|pair| pair[1].offset - pair[0].offset);
    assert!(distances.filter(|distance| *distance != 12).count() <= 1);
}

/// With one byte left in the chunk at the end of the file, libotf2 overruns the chunk; we open a
/// new one for the two end bytes.
#[test]
fn the_end_marks_always_have_room() {
    for left in 1..5 {
        let memory = memory();
        let pieces = StoragePieces::new(&memory, FileName::GlobalDefinitions, 4000);
        let mut writer = GlobalDefinitionWriter::new(pieces, CHUNK).unwrap();
        let length = CHUNK as usize - 18 - left - (1 + 9 + 2 + 1);
        let string = "s".repeat(length);
        writer.record(&definitions::String { id: StringRef(1), string: string.as_str().into() }).unwrap();
        let closed = writer.finish().unwrap();
        let expected = if left == 1 { CHUNK + 20 } else { CHUNK - left as u64 + 2 };
        assert_eq!(closed.length, expected);
        let file = memory.read(FileName::GlobalDefinitions).unwrap();
        assert_eq!(file.len() as u64, expected);
        assert_eq!(read::global_definitions(&file, CHUNK).unwrap().count(), 1);
    }
}

#[test]
fn both_byte_orders_read_alike() {
    fn file<E: kymo_otf2::ByteOrder>() -> Vec<u8> {
        let mut writer = LocalDefinitionWriter::<_, E>::in_byte_order(Plain::of(64), CHUNK).unwrap();
        for offset in [-1, 0, 300, i64::MIN] {
            writer
                .record(&ClockOffset { time: Timestamp(1 << 40), offset, standard_deviation: 0.5 })
                .unwrap();
        }
        writer.close().unwrap().pieces.file
    }
    let (little, big) = (file::<LittleEndian>(), file::<BigEndian>());
    assert_ne!(little, big);
    let records = |bytes| {
        read::local_definitions(bytes, CHUNK)
            .unwrap()
            .map(|r| format!("{:?}", r.unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(records(&little), records(&big));
    assert_eq!(records(&little).len(), 4);
}

/// Writes two locations to a storage whose n-th call fails. An error must be returned, and a file
/// is either complete or untouched.
#[test]
fn a_failing_storage_causes_an_error() {
    let write = |storage: &Faulty<Memory>, file: FileName| -> Result<u64> {
        let mut writer = EventWriter::new(StoragePieces::new(storage, file, 1000), CHUNK)?;
        for n in 0..3_000 {
            writer.record(n * 5, &Enter { region: RegionRef(n as u32) })?;
        }
        let closed = writer.close()?;
        closed.pieces.truncate(closed.length)?;
        Ok(closed.length)
    };
    let expected = {
        let storage = Faulty::new(memory(), Fault::Once(u64::MAX), 28);
        write(&storage, FILE).unwrap();
        (storage.inner().read(FILE).unwrap(), storage.calls())
    };
    assert!(expected.1 > 10);
    for n in 0..expected.1 {
        for fault in [Fault::Once(n), Fault::From(n)] {
            let storage = Faulty::new(memory(), fault, 28);
            let error = write(&storage, FILE).unwrap_err();
            assert!(error.to_string().starts_with("traces/3.evt: No space left"), "{error}");
            let other = write(&storage, FileName::Events(4));
            match fault {
                Fault::Once(_) => assert_eq!(storage.inner().read(FileName::Events(4)).unwrap(), expected.0),
                Fault::From(_) => assert!(other.is_err()),
            }
        }
    }
}

#[test]
fn thumbnails_have_the_number_of_samples_in_the_header() {
    use kymo_otf2::enums::ThumbnailType;
    use kymo_otf2::thumbnails::{ThumbnailHeader, ThumbnailSample};
    let memory = memory();
    let header = ThumbnailHeader {
        name: "n".into(),
        description: "d".into(),
        thumbnail_type: ThumbnailType::REGION,
        number_of_samples: 2,
        refs_to_defs: List::new(&[1, 2]).unwrap(),
    };
    let sample = |values| ThumbnailSample { baseline: 9, metric_samples: List::new(values).unwrap() };
    let file = FileName::Thumbnail(0);
    let mut writer = ThumbnailWriter::new(StoragePieces::new(&memory, file, 50), &header).unwrap();
    writer.sample(&sample(&[5, 6])).unwrap();
    assert!(writer.finish().is_err());
    assert!(writer.sample(&sample(&[5])).is_err());
    writer.sample(&sample(&[7, 8])).unwrap();
    assert!(writer.sample(&sample(&[7, 8])).is_err());
    writer.finish().unwrap();
    let bytes = memory.read(file).unwrap();
    let (read_header, samples) = read::thumbnail(&bytes).unwrap();
    assert_eq!(read_header, header);
    let samples: Vec<_> = samples.map(|sample| sample.unwrap()).collect();
    assert_eq!(samples, [sample(&[5, 6]), sample(&[7, 8])]);
}
