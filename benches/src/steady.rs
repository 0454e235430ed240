//! Stages `memory`, `closing` and `budget`: the costs that must not grow with the length of a run,
//! and the cost of a small memory budget.
//!
//! The plugin is driven by the host of the event path, on one thread per location, at a steady rate
//! or as fast as the loop runs.

use crate::event_path::event_bytes;
use crate::format_writer::{per, with_goal};
use crate::host::{self, Location};
use crate::measure::{Sample, Spread, process_cpu, resident};
use crate::plugin::{Functions, LIBRARY, Plugin};
use crate::run::{Run, instructions, interleaved};
use crate::stream;
use crate::table::Table;
use crate::{Bench, Result};
use std::path::Path;
use std::time::{Duration, Instant};
use std::{ptr, thread};

/// The number of pairs of enter and leave after which a thread checks the clock.
const BATCH: u64 = 2000;

/// The nanoseconds between events at the steady rate: 2 million events per second and location.
const STEADY: u64 = 500;

/// The numbers of pairs of a location in a short run and in a long one.
const SHORT: u64 = 200_000;
const LONG: u64 = 10 * SHORT;

/// CPU time of all threads and time on the clock, both in nanoseconds.
#[derive(Debug, Clone, Copy)]
struct Moment {
    cpu: u64,
    clock: Instant,
}

impl Moment {
    fn now() -> Self {
        Self { cpu: process_cpu(), clock: Instant::now() }
    }

    /// Returns the time since this moment: CPU time as `recorded`, time on the clock as `total`.
    fn sample(self, bytes: u64) -> Sample {
        let (cpu, clock) = (process_cpu() - self.cpu, self.clock.elapsed().as_nanos() as u64);
        Sample { recorded: cpu, total: clock, bytes, memory: resident() }
    }
}

/// Records `pairs` pairs at each of `locations` locations, one event every `gap` nanoseconds.
/// Measures `whole`, from the first event to the end of `finalize`; `closing`, from the last event
/// on; or `empty`, the whole without a plugin.
pub(crate) fn child(what: &str, locations: u32, pairs: u64, gap: u64, folder: &Path) -> Result<Sample> {
    host::install(folder);
    let plugin = match what {
        "empty" => None,
        _ => Some(Plugin::start(&std::env::current_exe()?.with_file_name(LIBRARY), false)?),
    };
    let functions = plugin.as_ref().map_or(Functions::EMPTY, Plugin::functions);
    let locations: Vec<_> = (0..locations).map(Location::new).collect();
    if let Some(plugin) = &plugin {
        locations.iter().for_each(|location| plugin.create(location));
    }
    let start = host::now();
    functions.program_begin(&locations[0], start);
    let began = Moment::now();
    let (first, end) = record_all(&functions, locations, start, pairs, Duration::from_nanos(gap));
    let recorded = Moment::now();
    functions.program_end(&first, end);
    let Some(plugin) = plugin else { return Ok(began.sample(0)) };
    plugin.end();
    let sample = if what == "closing" { recorded } else { began }.sample(0);
    Ok(Sample { bytes: event_bytes(folder)?, ..sample })
}

/// Records at all locations; returns the first one, and the time of the last event.
fn record_all(
    functions: &Functions,
    locations: Vec<Location>,
    start: u64,
    pairs: u64,
    gap: Duration,
) -> (Location, u64) {
    let one = |at: Location| {
        let end = record(functions, &at, start, pairs, gap);
        (at, end)
    };
    thread::scope(|scope| {
        let threads: Vec<_> = locations.into_iter().map(|at| scope.spawn(move || one(at))).collect();
        let done = threads.into_iter().map(|thread| thread.join().expect("a thread that does not panic"));
        // Each thread records the same number of events.
        done.reduce(|first, other| (first.0, first.1.max(other.1))).expect("a location")
    })
}

fn record(functions: &Functions, at: &Location, start: u64, pairs: u64, gap: Duration) -> u64 {
    let (mut time, mut due) = (start, Instant::now());
    for first in (0..pairs).step_by(BATCH as usize) {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        due += gap * 2 * BATCH as u32;
        for pair in first..pairs.min(first + BATCH) {
            time += stream::step(2 * pair);
            functions.enter(at, time, stream::region(pair), ptr::null_mut());
            time += stream::step(2 * pair + 1);
            functions.exit(at, time, stream::region(pair), ptr::null_mut());
        }
    }
    time
}

fn run(bench: &Bench, what: &str, locations: u64, pairs: u64, gap: u64) -> Run {
    let pairs = if bench.quick { pairs / 10 } else { pairs };
    Run::new(&bench.this, &format!("child steady {what} {locations} {pairs} {gap}"))
}

/// Prints the resident memory in MiB: that of a run in excess of the host without a plugin, and the
/// goal.
pub(crate) fn memory(bench: &Bench) -> Result<()> {
    const ROWS: [(&str, u64, u64, u64); 6] = [
        ("1 location, 0.4 M events", 1, SHORT, STEADY),
        ("1 location, 4 M events", 1, LONG, STEADY),
        ("8 locations, 0.4 M events each", 8, SHORT, STEADY),
        ("8 locations, 4 M events each", 8, LONG, STEADY),
        ("1 location, 4 M events, at full speed", 1, LONG, 0),
        ("8 locations, 4 M events each, at full speed", 8, LONG, 0),
    ];
    let runs: Vec<_> = ROWS
        .iter()
        .flat_map(|&(_, locations, pairs, gap)| {
            [("whole", pairs), ("empty", SHORT)].map(|(what, pairs)| run(bench, what, locations, pairs, gap))
        })
        .collect();
    let samples = interleaved(bench, &runs)?;
    println!("## Memory\n\n{ABOUT_MEMORY}\n");
    let mut table =
        Table::new(&["load", "MiB with the plugin", "MiB of the host", "MiB more", "goal, at most"]);
    for (&(title, locations, _, gap), samples) in ROWS.iter().zip(samples.chunks_exact(2)) {
        let resident = |of: &[Sample]| per(of, 1024, |sample| sample.memory);
        let more = samples[0]
            .iter()
            .zip(&samples[1])
            .map(|(with, without)| (with.memory as f64 - without.memory as f64) / 1024.0);
        let goal = if gap > 0 { (4 + 2 * locations).to_string() } else { "–".to_owned() };
        let (with, without) = (resident(&samples[0]).to_string(), resident(&samples[1]).to_string());
        table.row(vec![title.to_owned(), with, without, Spread::of(more.collect()).to_string(), goal]);
    }
    println!("{table}");
    Ok(())
}

/// Prints the cost of the work that remains after the last event.
pub(crate) fn closing(bench: &Bench) -> Result<()> {
    const GOAL: f64 = 50.0;
    let mut runs = vec![run(bench, "closing", 1, LONG, STEADY), run(bench, "closing", 1, LONG, 0)];
    if let Some(program) = &bench.libotf2 {
        let pairs = if bench.quick { LONG / 10 } else { LONG };
        let reference = |memory| Run::new(program, &format!("closing enter-leave {memory} {pairs}"));
        runs.extend(["default", "pool"].map(reference));
    }
    let samples = interleaved(bench, &runs)?;
    println!("## Closing\n\n{ABOUT_CLOSING}\n");
    let mut table = Table::new(&["after 4 M events of enter and leave", "ms of CPU", "ms on the clock"]);
    let titles = [
        "Kymo, 2 M events/s",
        "Kymo, at full speed",
        "libotf2, default buffers",
        "libotf2, reused pool of 16 MiB",
    ];
    let of = |index: usize, time: fn(&Sample) -> u64| per(&samples[index], 1_000_000, time);
    let times: [fn(&Sample) -> u64; 2] = [|sample| sample.recorded, |sample| sample.total];
    for (index, title) in titles.into_iter().enumerate().take(samples.len()) {
        let cell = |time: fn(&Sample) -> u64| {
            let base = (index >= 2).then(|| of(0, time));
            with_goal(Some(of(index, time)), base, (index == 2).then_some(GOAL))
        };
        table.row([vec![title.to_owned()], times.map(cell).to_vec()].concat());
    }
    println!("{table}");
    Ok(())
}

/// The values of `TOTAL_MEMORY`; the last one is never reached.
const LIMITS: [&str; 3] = ["16M", "64M", "4G"];

/// Prints the cost of small budgets compared with one that is never reached.
pub(crate) fn budget(bench: &Bench) -> Result<()> {
    const LOADS: [(&str, u64, u64); 3] = [
        ("1 location, 2 M events/s", 1, STEADY),
        ("1 location, at full speed", 1, 0),
        ("2 locations, at full speed", 2, 0),
    ];
    let runs: Vec<_> = LOADS
        .iter()
        .flat_map(|&(_, locations, gap)| {
            LIMITS.map(|limit| run(bench, "whole", locations, LONG, gap).with(TOTAL_MEMORY, limit))
        })
        .collect();
    let samples = interleaved(bench, &runs)?;
    println!("## Budget\n\n{ABOUT_BUDGET}\n");
    let mut table = Table::new(&[
        "load",
        "16 MiB",
        "64 MiB, the default",
        "4 GiB",
        "16 MiB, clock",
        "64 MiB, clock",
        "4 GiB, clock",
    ]);
    for ((title, locations, _), samples) in LOADS.iter().zip(samples.chunks_exact(LIMITS.len())) {
        let events = 2 * locations * LONG / if bench.quick { 10 } else { 1 };
        let mut row = vec![(*title).to_owned()];
        for time in [|sample: &Sample| sample.recorded, |sample: &Sample| sample.total] {
            let of = |index: usize| per(&samples[index], events, time);
            let unlimited = of(LIMITS.len() - 1);
            row.extend((0..LIMITS.len() - 1).map(|index| with_difference(of(index), unlimited.median)));
            row.push(unlimited.to_string());
        }
        table.row(row);
    }
    println!("{table}");
    budget_instructions(bench)
}

/// Prints instruction counts, which do not depend on other load on the machine.
fn budget_instructions(bench: &Bench) -> Result<()> {
    /// The nanoseconds between events. Under callgrind the writer is fifty times slower, and must
    /// keep up.
    const GAP: u64 = 2000;
    let mut row = vec!["1 location, 0.5 M events/s".to_owned()];
    for limit in LIMITS {
        let sizes = (2 * SHORT, 4 * SHORT);
        let run = |events| run(bench, "whole", 1, events / 2, GAP).with(TOTAL_MEMORY, limit);
        row.push(instructions(bench, sizes, run)?.map_or("–".to_owned(), |count| format!("{count:.2}")));
    }
    let mut table = Table::new(&["instructions per event", "16 MiB", "64 MiB, the default", "4 GiB"]);
    table.row(row);
    println!("{table}");
    Ok(())
}

/// Formats a spread, and the difference of its median to another one in percent.
fn with_difference(spread: Spread, median: f64) -> String {
    format!("{spread} = {:+.1} %", 100.0 * (spread.median / median - 1.0))
}

const TOTAL_MEMORY: &str = "SCOREP_SUBSTRATE_KYMO_TOTAL_MEMORY";

const ABOUT_MEMORY: &str = "\
Peak resident memory of the process, including mapped scratch pages; *more* is the part that the
plugin adds to the host. Each location has a thread and on average an event every 500 ns, so that
the writer can keep up; the goal is 4 MiB plus two chunks of 1 MiB per location, independent of the
length. No storage keeps up with the loop at full speed: there the budget (64 MiB) is the bound.";

const ABOUT_CLOSING: &str = "\
From the end of the last event: for Kymo to the end of `finalize`, including everything that a host
makes it do (the last piece, unification and writing of 257 regions with their names, the end of the
writer's thread, removal of scratch and side files), all threads; for libotf2 to the end of
`OTF2_Archive_Close`, with the same regions and names written. Both with one location and 4 million
events.";

const ABOUT_BUDGET: &str = "\
`SCOREP_SUBSTRATE_KYMO_TOTAL_MEMORY`: nanoseconds of CPU per event, with all threads, the loop and
pauses, and nanoseconds on the clock, from the first event to the end of `finalize`, 4 million
events per location. Differences are relative to 4 GiB, which is never reached (goal: within 2 %
where the storage keeps up). With the loop at full speed the storage does not keep up: then a small
budget waits, and a large one postpones the work. *Instructions* are those of the whole run, of all
threads, from runs of two sizes.";
