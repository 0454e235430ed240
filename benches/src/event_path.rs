//! Stage `event-path`: from the callback to the bytes, through the function table of the built
//! plugin.
//!
//! The same loop with functions that do nothing is measured as well and subtracted.

use crate::host::{self, Location};
use crate::measure::{Sample, Spread, in_batches, process_cpu};
use crate::plugin::{Functions, LIBRARY, Plugin};
use crate::run::{Run, instructions, interleaved};
use crate::stream::{self, Case};
use crate::table::{Table, figure};
use crate::{Bench, Result};
use kymo_otf2::{FileName, Storage, read, storage::Directory};
use std::hint::black_box;
use std::path::Path;
use std::ptr;
use std::thread;

/// The rows of the table: title, events, threads.
const ROWS: [(&str, Case, u64); 5] = [
    ("enter, leave", Case::EnterLeave, 1),
    ("enter, leave, 2 threads", Case::EnterLeave, 2),
    ("enter, leave with 3 strictly synchronous metrics", Case::Metrics, 1),
    ("MPI send, receive", Case::Messages, 1),
    ("parameter, counter", Case::Parameters, 1),
];

/// Returns the number of pairs in a batch: 24 KiB or less, so that most batches are within a piece
/// of 64 KiB.
fn batch(case: Case) -> u64 {
    if case == Case::Metrics { 200 } else { 500 }
}

/// The numbers of pairs in the two runs whose instructions are compared.
const SIZES: (u64, u64) = (10_000, 50_000);

/// Runs `case` with the plugin or with functions that do nothing; `folder` becomes the experiment
/// directory.
pub(crate) fn child(
    case: Case,
    implementation: &str,
    threads: u32,
    pairs: u64,
    folder: &Path,
) -> Result<Sample> {
    host::install(folder);
    let plugin = match implementation {
        "plugin" => {
            let file = std::env::current_exe()?.with_file_name(LIBRARY);
            Some(Plugin::start(&file, case == Case::Metrics)?)
        }
        _ => None,
    };
    let functions = plugin.as_ref().map_or(Functions::EMPTY, Plugin::functions);
    let locations: Vec<_> = (0..threads).map(Location::new).collect();
    if let Some(plugin) = &plugin {
        locations.iter().for_each(|location| plugin.create(location));
    }
    let start = host::now();
    functions.program_begin(&locations[0], start);
    let began = process_cpu();
    let done = record(&functions, case, locations, start, pairs);
    let end = done.iter().map(|(_, end, _)| *end).max().unwrap_or(start);
    functions.program_end(&done[0].0, end);
    if let Some(plugin) = &plugin {
        plugin.end();
    }
    let total = process_cpu() - began;
    let recorded = done.iter().map(|(.., recorded)| recorded).sum();
    Ok(Sample { recorded, total, bytes: if plugin.is_some() { event_bytes(folder)? } else { 0 }, memory: 0 })
}

/// Records on one thread per location. Returns each location with the time of its last event and
/// the nanoseconds without writing to the file.
fn record(
    functions: &Functions,
    case: Case,
    locations: Vec<Location>,
    start: u64,
    pairs: u64,
) -> Vec<(Location, u64, u64)> {
    let one = |mut location: Location| {
        let (end, recorded) = record_location(black_box(functions), case, &mut location, start, pairs);
        (location, end, recorded)
    };
    thread::scope(|scope| {
        let threads: Vec<_> =
            locations.into_iter().map(|location| scope.spawn(move || one(location))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread that does not panic")).collect()
    })
}

/// Runs the loop; returns the time of the last event and the nanoseconds.
fn record_location(
    functions: &Functions,
    case: Case,
    at: &mut Location,
    start: u64,
    pairs: u64,
) -> (u64, u64) {
    let mut time = start;
    let recorded = match case {
        Case::EnterLeave => in_batches(pairs, batch(case), |pair| {
            time += stream::step(2 * pair);
            functions.enter(at, time, stream::region(pair), ptr::null_mut());
            time += stream::step(2 * pair + 1);
            functions.exit(at, time, stream::region(pair), ptr::null_mut());
        }),
        Case::Metric | Case::Metrics => in_batches(pairs, batch(case), |pair| {
            time += stream::step(2 * pair);
            let values = at.set_values(stream::values(2 * pair));
            functions.enter(at, time, stream::region(pair), values);
            time += stream::step(2 * pair + 1);
            let values = at.set_values(stream::values(2 * pair + 1));
            functions.exit(at, time, stream::region(pair), values);
        }),
        Case::Messages => in_batches(pairs, batch(case), |pair| {
            time += stream::step(2 * pair);
            functions.send(at, time);
            time += stream::step(2 * pair + 1);
            functions.receive(at, time);
        }),
        Case::Parameters => in_batches(pairs, batch(case), |pair| {
            time += stream::step(2 * pair);
            functions.parameter(at, time, 2 * pair);
            time += stream::step(2 * pair + 1);
            functions.counter(at, time, stream::values::<1>(2 * pair + 1)[0]);
        }),
    };
    (time, recorded)
}

/// Returns the bytes of all event files.
pub(crate) fn event_bytes(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder.join("kymo/traces"))? {
        let entry = entry?;
        if entry.path().extension().is_some_and(|extension| extension == "evt") {
            bytes += entry.metadata()?.len();
        }
    }
    Ok(bytes)
}

fn run(bench: &Bench, case: Case, implementation: &str, threads: u64, pairs: u64) -> Run {
    Run::new(&bench.this, &format!("child event-path {case} {implementation} {threads} {pairs}"))
}

/// Checks that the plugin records every event with its time.
fn check(bench: &Bench, case: Case, threads: u64) -> Result<()> {
    const PAIRS: u64 = 20_000;
    let folder = bench.folder()?;
    run(bench, case, "plugin", threads, PAIRS).sample_in(folder.path())?;
    let archive = Directory::open(&folder.path().join("kymo"))?;
    for location in 0..threads {
        let file = archive.read(FileName::Events(location))?;
        let mut times = Vec::new();
        for event in read::events::events(&file, kymo_recorder::EVENT_CHUNK_SIZE)? {
            times.push(event?.time);
        }
        times.dedup();
        let steps: Vec<_> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let expected: Vec<_> = (u64::from(location > 0)..2 * PAIRS).map(stream::step).collect();
        if steps != expected {
            return Err(
                format!("{case}, location {location}: the events are not those that were delivered").into()
            );
        }
    }
    Ok(())
}

/// Returns the nanoseconds per event: the difference between the plugin's samples and the empty
/// ones, round by round.
fn above(plugin: &[Sample], empty: &[Sample], events: u64, time: impl Fn(&Sample) -> u64) -> Spread {
    let rounds = plugin.iter().zip(empty);
    let above = |(plugin, empty)| (time(plugin) as f64 - time(empty) as f64) / events as f64;
    Spread::of(rounds.map(above).collect())
}

/// Returns the instructions per event without those of the loop.
fn instructions_above(bench: &Bench, case: Case, threads: u64) -> Result<Option<f64>> {
    let of =
        |implementation| instructions(bench, SIZES, |pairs| run(bench, case, implementation, threads, pairs));
    let (plugin, empty) = (of("plugin")?, of("empty")?);
    Ok(plugin.zip(empty).map(|(plugin, empty)| (plugin - empty) / (2 * threads) as f64))
}

/// Prints the table of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    let mut runs = Vec::new();
    for (_, case, threads) in ROWS {
        check(bench, case, threads)?;
        for implementation in ["plugin", "empty"] {
            runs.push(run(bench, case, implementation, threads, bench.pairs(case)));
        }
    }
    let samples = interleaved(bench, &runs)?;
    println!("## Event path\n");
    println!("{ABOUT}\n");
    let mut table = Table::new(&[
        "events",
        "bytes",
        "ns, recording",
        "ns, until in the file",
        "instructions",
        "goal, half a pair",
    ]);
    let mut loops = Vec::new();
    for ((title, case, threads), samples) in ROWS.into_iter().zip(samples.chunks_exact(2)) {
        let events = 2 * threads * bench.pairs(case);
        let (plugin, empty) = (&samples[0], &samples[1]);
        loops.push(Spread::of(empty.iter().map(|sample| sample.recorded as f64 / events as f64).collect()));
        table.row(vec![
            title.to_owned(),
            format!("{:.2}", plugin[0].bytes as f64 / events as f64),
            above(plugin, empty, events, |sample| sample.recorded).to_string(),
            above(plugin, empty, events, |sample| sample.total).to_string(),
            figure(instructions_above(bench, case, threads)?, 1),
            if case == Case::EnterLeave { "4 ns, 85 instructions" } else { "–" }.to_owned(),
        ]);
    }
    println!("{table}");
    let loops: Vec<_> = loops.iter().map(|spread| format!("{:.2}", spread.median)).collect();
    println!("Subtracted for the loop, row by row: {} ns per event.\n", loops.join(", "));
    Ok(())
}

const ABOUT: &str = "\
Per callback (enter, leave, send, …), in nanoseconds of CPU: median (least–most) of the repetitions.
A dedicated host drives the plugin through its function table; the cost of the same loop with empty
functions is subtracted. *Recording* is the median over batches of events, most of which fit into a
piece; *until in the file* is the CPU time of all threads from the first event to the end of
`finalize`, on a file system in memory if there is one. *Instructions* are callgrind's, in user
mode; they include the hand-over of full pieces and the callbacks by which the host delivers
metrics.";
