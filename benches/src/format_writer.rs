//! Stage `format-writer`: the event writers of `kymo-otf2` and of libotf2 on the same records.

use crate::measure::{Sample, Spread, thread_cpu};
use crate::run::{Run, instructions, interleaved};
use crate::stream::{self, Case};
use crate::table::{Table, figure};
use crate::{Bench, Result};
use kymo_otf2::events::{Enter, Leave, Metric, MpiRecv, MpiSend, ParameterUnsignedInt};
use kymo_otf2::list::List;
use kymo_otf2::records::EventRecord;
use kymo_otf2::references::{CommRef, MetricRef, ParameterRef, RegionRef};
use kymo_otf2::storage::Directory;
use kymo_otf2::value::MetricValue;
use kymo_otf2::write::{EventWriter, Pieces, SLACK, StoragePieces};
use kymo_otf2::{FileName, Storage};
use kymo_recorder::EVENT_CHUNK_SIZE;
use std::fs;
use std::path::Path;

const ROWS: [(&str, Case); 5] = [
    ("Enter, Leave", Case::EnterLeave),
    ("the same, each with a Metric of 1 value", Case::Metric),
    ("the same, each with a Metric of 3 values", Case::Metrics),
    ("MpiSend, MpiRecv", Case::Messages),
    ("ParameterUnsignedInt, Metric of 1 value", Case::Parameters),
];

/// The goals for the ratio to the time of libotf2 with a reused pool and with default buffers:
/// recording, and until in the file.
#[derive(Debug, Clone, Copy, Default)]
struct Goals {
    recorded: [Option<f64>; 2],
    total: [Option<f64>; 2],
    instructions: Option<f64>,
}

impl Goals {
    fn of(case: Case) -> Self {
        let total = [Some(2.1), Some(2.8)];
        match case {
            Case::EnterLeave => Self { recorded: [Some(3.0), Some(4.5)], total, instructions: Some(45.0) },
            Case::Metric => Self { recorded: [None, Some(5.5)], total, instructions: None },
            Case::Messages => Self { recorded: [None, Some(6.0)], total, instructions: None },
            Case::Metrics | Case::Parameters => Self::default(),
        }
    }
}

/// The size of a piece in bytes, as in the recorder at the start.
const PIECE: usize = 64 * 1024;

/// The size of a piece that is written to a file, as in the recorder at a high event rate.
pub(crate) const FILE_PIECE: usize = 256 * 1024;

/// The numbers of pairs in the two runs whose instructions are compared.
const SIZES: (u64, u64) = (20_000, 60_000);

/// A single piece that is used repeatedly; its bytes are discarded.
#[derive(Debug)]
pub(crate) struct ReusedPiece {
    bytes: Box<[u8]>,
    view: usize,
}

impl ReusedPiece {
    pub(crate) fn new() -> Self {
        Self { bytes: vec![1; PIECE + SLACK].into(), view: 0 }
    }
}

impl Pieces for ReusedPiece {
    fn bytes(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    fn set_view(&mut self, length: usize) {
        self.view = length;
    }

    #[inline(always)]
    fn view(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.view]
    }

    fn hand_over(&mut self, _: u64, _: usize, _: usize) -> kymo_otf2::Result<()> {
        Ok(())
    }

    fn patch(&mut self, _: u64, _: &[u8]) -> kymo_otf2::Result<()> {
        Ok(())
    }
}

/// Records `case` into a reused piece, or with `file` into an archive in `folder`.
pub(crate) fn child(case: Case, implementation: &str, pairs: u64, folder: &Path) -> Result<Sample> {
    if implementation == "piece" {
        return record(EventWriter::new(ReusedPiece::new(), EVENT_CHUNK_SIZE)?, case, pairs);
    }
    let storage = Directory::make(folder, kymo_otf2::archive::DEFAULT_NAME)?;
    storage.create()?;
    let pieces = StoragePieces::new(&storage, FileName::Events(0), FILE_PIECE);
    let sample = record(EventWriter::new(pieces, EVENT_CHUNK_SIZE)?, case, pairs)?;
    storage.set_len(FileName::Events(0), sample.bytes)?;
    Ok(sample)
}

/// Writes the event file of a location; each begins slightly later than the previous one.
pub(crate) fn write_events(storage: &Directory, location: u64, case: Case, pairs: u64) -> Result<()> {
    let file = FileName::Events(location);
    let writer = EventWriter::new(StoragePieces::new(storage, file, PIECE), EVENT_CHUNK_SIZE)?;
    let sample = record_from(stream::START + 3 * location, writer, case, pairs)?;
    Ok(storage.set_len(file, sample.bytes)?)
}

fn record<P: Pieces>(writer: EventWriter<P>, case: Case, pairs: u64) -> Result<Sample> {
    record_from(stream::START, writer, case, pairs)
}

fn record_from<P: Pieces>(time: u64, writer: EventWriter<P>, case: Case, pairs: u64) -> Result<Sample> {
    let mut events = Events { writer, failed: None };
    let began = thread_cpu();
    events.record_all(time, case, pairs);
    let recorded = thread_cpu() - began;
    events.failed.map_or(Ok(()), Err)?;
    let bytes = events.writer.finish()?.length;
    Ok(Sample { recorded, total: thread_cpu() - began, bytes, memory: 0 })
}

/// A writer and its first error.
struct Events<P> {
    writer: EventWriter<P>,
    failed: Option<kymo_otf2::Error>,
}

impl<P: Pieces> Events<P> {
    #[inline(always)]
    fn record<R: EventRecord>(&mut self, time: u64, record: &R) {
        if let Err(error) = self.writer.record(time, record) {
            self.failed.get_or_insert(error);
        }
    }

    #[inline(always)]
    fn metric<const N: usize>(&mut self, time: u64, event: u64) {
        if N > 0 {
            let values = stream::values::<N>(event).map(MetricValue::from);
            self.record(time, &Metric { metric: MetricRef(0), metric_values: List::truncated(&values) });
        }
    }

    fn record_all(&mut self, start: u64, case: Case, pairs: u64) {
        match case {
            Case::EnterLeave => self.regions::<0>(start, pairs),
            Case::Metric => self.regions::<1>(start, pairs),
            Case::Metrics => self.regions::<3>(start, pairs),
            Case::Messages => self.messages(start, pairs),
            Case::Parameters => self.parameters(start, pairs),
        }
    }

    fn regions<const METRICS: usize>(&mut self, mut time: u64, pairs: u64) {
        for pair in 0..pairs {
            let region = RegionRef(stream::region(pair));
            time += stream::step(2 * pair);
            self.metric::<METRICS>(time, 2 * pair);
            self.record(time, &Enter { region });
            time += stream::step(2 * pair + 1);
            self.metric::<METRICS>(time, 2 * pair + 1);
            self.record(time, &Leave { region });
        }
    }

    fn messages(&mut self, mut time: u64, pairs: u64) {
        let (peer, msg_tag, msg_length) = std::hint::black_box(stream::MESSAGE);
        let communicator = CommRef(0);
        for pair in 0..pairs {
            time += stream::step(2 * pair);
            self.record(time, &MpiSend { receiver: peer, communicator, msg_tag, msg_length });
            time += stream::step(2 * pair + 1);
            self.record(time, &MpiRecv { sender: peer, communicator, msg_tag, msg_length });
        }
    }

    fn parameters(&mut self, mut time: u64, pairs: u64) {
        for pair in 0..pairs {
            time += stream::step(2 * pair);
            self.record(time, &ParameterUnsignedInt { parameter: ParameterRef(0), value: 2 * pair });
            time += stream::step(2 * pair + 1);
            self.metric::<1>(time, 2 * pair + 1);
        }
    }
}

fn ours(bench: &Bench, case: Case, implementation: &str, pairs: u64) -> Run {
    Run::new(&bench.this, &format!("child format-writer {case} {implementation} {pairs}"))
}

fn libotf2(program: &Path, case: Case, memory: &str, pairs: u64) -> Run {
    Run::new(program, &format!("events {case} {memory} {pairs}"))
}

/// Checks that both write the same bytes. The size makes several chunks.
fn check(bench: &Bench, program: &Path, case: Case) -> Result<()> {
    const PAIRS: u64 = 100_000;
    let (left, right) = (bench.folder()?, bench.folder()?);
    ours(bench, case, "file", PAIRS).sample_in(left.path())?;
    libotf2(program, case, "default", PAIRS).sample_in(right.path())?;
    let [left, right] = [left, right].map(|folder| fs::read(folder.path().join("traces/0.evt")));
    match left? == right? {
        true => Ok(()),
        false => Err(format!("{case}: not the bytes of libotf2").into()),
    }
}

/// Returns the spread of nanoseconds per unit.
pub(crate) fn per(samples: &[Sample], units: u64, time: impl Fn(&Sample) -> u64) -> Spread {
    Spread::of(samples.iter().map(|sample| time(sample) as f64 / units as f64).collect())
}

/// Prints the tables of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Format writer\n\n{ABOUT}\n");
    let mut runs = Vec::new();
    for (_, case) in ROWS {
        let pairs = bench.pairs(case);
        runs.extend(["piece", "file"].map(|implementation| ours(bench, case, implementation, pairs)));
        if let Some(program) = &bench.libotf2 {
            check(bench, program, case)?;
            runs.extend(["default", "pool"].map(|memory| libotf2(program, case, memory, pairs)));
        }
    }
    let samples = interleaved(bench, &runs)?;
    let mut times = Table::new(&[
        "records",
        "bytes",
        "Kymo, recording",
        "libotf2, reused pool",
        "libotf2, default",
        "Kymo, until in the file",
        "libotf2, reused pool",
        "libotf2, default",
    ]);
    for ((title, case), samples) in ROWS.into_iter().zip(samples.chunks_exact(samples.len() / ROWS.len())) {
        times.row(time_row(title, case, case.records() * bench.pairs(case), samples));
    }
    println!("Nanoseconds of CPU per record:\n\n{times}");
    println!("Instructions per record:\n\n{}", instruction_table(bench)?);
    Ok(())
}

fn time_row(title: &str, case: Case, records: u64, samples: &[Vec<Sample>]) -> Vec<String> {
    let goals = Goals::of(case);
    let recorded = |index: usize| samples.get(index).map(|of| per(of, records, |sample| sample.recorded));
    let total = |index: usize| samples.get(index).map(|of| per(of, records, |sample| sample.total));
    let bytes = samples[0][0].bytes as f64 / records as f64;
    let mut row = vec![title.to_owned(), format!("{bytes:.2}")];
    for (spread, base, goal) in [
        (recorded(0), None, None),
        (recorded(3), recorded(0), goals.recorded[0]),
        (recorded(2), recorded(0), goals.recorded[1]),
        (total(1), None, None),
        (total(3), total(1), goals.total[0]),
        (total(2), total(1), goals.total[1]),
    ] {
        row.push(with_goal(spread, base, goal));
    }
    row
}

/// Formats a spread and the ratio of its median to that of `base`.
pub(crate) fn with_ratio(spread: Option<Spread>, base: Option<Spread>) -> String {
    match (spread, base) {
        (Some(spread), Some(base)) => format!("{spread} = {:.1}×", spread.median / base.median),
        (Some(spread), None) => spread.to_string(),
        _ => "–".to_owned(),
    }
}

/// Like [`with_ratio`], but adds the goal for the ratio.
pub(crate) fn with_goal(spread: Option<Spread>, base: Option<Spread>, goal: Option<f64>) -> String {
    let goal = goal.map_or(String::new(), |goal| format!(" (goal {goal})"));
    with_ratio(spread, base) + &goal
}

fn instruction_table(bench: &Bench) -> Result<Table> {
    let mut table = Table::new(&["records", "Kymo", "libotf2"]);
    for (title, case) in ROWS {
        let ours = instructions(bench, SIZES, |pairs| ours(bench, case, "piece", pairs))?;
        let libotf2 = match &bench.libotf2 {
            Some(program) => instructions(bench, SIZES, |pairs| libotf2(program, case, "default", pairs))?,
            None => None,
        };
        let per_record = |value: Option<f64>| figure(value.map(|value| value / case.records() as f64), 1);
        let goal = Goals::of(case).instructions.map_or(String::new(), |goal| format!(" (goal {goal})"));
        table.row(vec![title.to_owned(), per_record(ours) + &goal, per_record(libotf2)]);
    }
    Ok(table)
}

const ABOUT: &str = "\
Only the event writer, with chunks of 1 MiB; the `.evt` files of both are compared byte by byte
before the measurement. Kymo records into one reused piece of 64 KiB, and into a file in pieces of
256 KiB; libotf2 records into a reused pool of 16 MiB, without flushes, as Score-P does, and into
memory that it allocates itself. *Until in the file* includes writing and closing. The loop that
produces the events is included in all figures.";
