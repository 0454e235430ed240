//! The longest time that a single event takes: with a slow storage, and with one that keeps up.
//!
//! The recorder is driven without a host, at a steady rate, with a storage that accepts a given
//! number of bytes per second and stores nothing. Every call is timed individually. A call during
//! which the system preempted the thread (an involuntary context switch) contains no information on
//! the recorder: such calls of more than 10 microseconds are counted separately. Time that the
//! underlying machine takes (the host of a virtual machine, an interrupt) is not reported; a loop
//! that records nothing shows how much that is.

use crate::measure::Spread;
use crate::table::Table;
use crate::{Bench, Result};
use kymo_otf2::events::{Enter, Leave};
use kymo_otf2::references::RegionRef;
use kymo_otf2::{FileName, Storage, storage::Content};
use kymo_recorder::drain::Note;
use kymo_recorder::memory::Budget;
use kymo_recorder::scratch::{ScratchFile, ScratchPlace};
use kymo_recorder::{MemorySettings, Recorder, Track};
use std::io;
use std::sync::Mutex;
use std::time::{Duration, Instant};

static BUDGET: Budget = Budget::new(usize::MAX);

/// The parameters of a run: title, bytes per second that the storage accepts, time between events,
/// memory limit.
struct Load {
    name: &'static str,
    bytes_per_second: u64,
    gap: Duration,
    limit: usize,
}

const LOADS: [Load; 3] = [
    Load {
        name: "5 M events/s, storage takes all",
        bytes_per_second: u64::MAX,
        gap: Duration::from_nanos(200),
        limit: 64 << 20,
    },
    Load {
        name: "5 M events/s, storage 100 MB/s",
        bytes_per_second: 100_000_000,
        gap: Duration::from_nanos(200),
        limit: 16 << 20,
    },
    Load {
        name: "0.5 M events/s, storage 10 MB/s",
        bytes_per_second: 10_000_000,
        gap: Duration::from_nanos(2000),
        limit: 16 << 20,
    },
];

/// The duration from which a call is checked for preemption.
const SUSPICIOUS: Duration = Duration::from_micros(10);

/// A storage that accepts a number of bytes per second, and stores nothing.
#[derive(Debug)]
struct Throttled {
    bytes_per_second: u64,
    /// The earliest time at which the next write may end.
    free: Mutex<Instant>,
}

impl Storage for Throttled {
    fn create(&self) -> io::Result<()> {
        Ok(())
    }

    fn write_at(&self, _: FileName, _: u64, bytes: &[u8]) -> io::Result<()> {
        let nanos = bytes.len() as u128 * 1_000_000_000 / u128::from(self.bytes_per_second);
        let mut free = self.free.lock().map_err(|_| io::ErrorKind::Other)?;
        *free = (*free).max(Instant::now()) + Duration::from_nanos(nanos as u64);
        std::thread::sleep(free.saturating_duration_since(Instant::now()));
        Ok(())
    }

    fn set_len(&self, _: FileName, _: u64) -> io::Result<()> {
        Ok(())
    }

    fn open(&self, _: FileName) -> io::Result<Box<dyn Content>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// The measured calls of a run.
struct Seen {
    calls: u64,
    /// Nanoseconds: median, 99.9 %, 99.99 %, the longest.
    took: [u32; 4],
    preempted: u64,
    lost: u64,
}

impl Seen {
    fn of(mut calls: Vec<u32>, preempted: u64) -> Self {
        calls.sort_unstable();
        let took = [0.5, 0.999, 0.9999, 1.0].map(|part| {
            let at = (calls.len() as f64 * part) as usize;
            calls.get(at.min(calls.len() - 1)).copied().unwrap_or(0)
        });
        Self { calls: calls.len() as u64, took, preempted, lost: 0 }
    }
}

/// Returns the number of involuntary context switches of this thread so far.
fn switches() -> io::Result<u64> {
    let status = std::fs::read_to_string("/proc/thread-self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("nonvoluntary_ctxt_switches:"));
    line.and_then(|count| count.trim().parse().ok()).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

fn run(bench: &Bench, load: &Load) -> Result<Seen> {
    let scratch = ScratchFile::make(&ScratchPlace::Automatic)?;
    let settings = MemorySettings { limit: load.limit, ..MemorySettings::default() };
    let recorder = Recorder::new(&BUDGET, scratch, &settings).ok_or("no memory")?;
    // The writer's thread runs forever as far as the compiler can see.
    let recorder: &'static Recorder = Box::leak(Box::new(recorder));
    let track = recorder.add_track(8).ok_or("no memory")?;
    let storage = Throttled { bytes_per_second: load.bytes_per_second, free: Mutex::new(Instant::now()) };
    recorder.output().open(Box::new(storage));
    track.file().set(0);
    let folder = bench.folder()?;
    let started = recorder.drain().start(folder.path(), &Note { rank: 0, size: 1 });
    started.into_iter().collect::<std::io::Result<()>>()?;
    let count = count(bench, load.gap);
    let seen = timed(count, load.gap, |number| record(track, number))?;
    Track::shut_all(std::iter::once(track));
    recorder.drain().finish();
    let closed = track.close().ok_or("the track is busy")?;
    let _ = recorder.drain().clean_up();
    Ok(Seen { lost: closed.lost, ..seen })
}

/// Like [`run`], but records nothing.
fn run_empty(bench: &Bench, gap: Duration) -> Result<Seen> {
    timed(count(bench, gap), gap, |number| _ = std::hint::black_box(number))
}

fn count(bench: &Bench, gap: Duration) -> u64 {
    let seconds = if bench.quick { 0.2 } else { 4.0 };
    (seconds / gap.as_secs_f64()) as u64
}

/// Makes `count` calls, one in each `gap`.
fn timed(count: u64, gap: Duration, mut call: impl FnMut(u64)) -> Result<Seen> {
    let mut calls = Vec::with_capacity(count as usize);
    let (mut preempted, mut switched) = (0, switches()?);
    let mut next = Instant::now();
    for number in 0..count {
        while Instant::now() < next {
            std::hint::spin_loop();
        }
        next += gap;
        let begin = Instant::now();
        call(number);
        let took = begin.elapsed();
        if took > SUSPICIOUS {
            let now = switches()?;
            if std::mem::replace(&mut switched, now) != now {
                preempted += 1;
                continue;
            }
        }
        calls.push(u32::try_from(took.as_nanos()).unwrap_or(u32::MAX));
    }
    Ok(Seen::of(calls, preempted))
}

#[inline(never)]
fn record(track: &Track, number: u64) {
    let (time, region) = (number + 1, RegionRef(number as u32 / 2 % 256));
    let done = match number % 2 {
        0 => track.record_if_ready(time, &Enter { region }),
        _ => track.record_if_ready(time, &Leave { region }),
    };
    if !done {
        track.record_at(time, |writer| match number % 2 {
            0 => writer.record(time, &Enter { region }),
            _ => writer.record(time, &Leave { region }),
        });
    }
}

/// The number of runs of a load. Delays of the machine occur in some runs, those of the recorder in
/// each.
const RUNS: usize = 5;

/// Measures, and prints the table.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Stalls\n\n{ABOUT}\n");
    let mut empty = Vec::new();
    let mut recorded = LOADS.map(|_| Vec::new());
    for _ in 0..if bench.quick { 1 } else { RUNS } {
        empty.push(run_empty(bench, LOADS[0].gap)?);
        for (load, seen) in LOADS.iter().zip(&mut recorded) {
            seen.push(run(bench, load)?);
        }
    }
    let mut table = Table::new(&[
        "load",
        "calls",
        "median",
        "99.9 %",
        "99.99 %",
        "longest",
        "preempted, left out",
        "lost",
    ]);
    table.row(row("the same loop, nothing recorded", &empty));
    for (load, seen) in LOADS.iter().zip(&recorded) {
        table.row(row(load.name, seen));
    }
    println!("{table}");
    Ok(())
}

fn row(name: &str, seen: &[Seen]) -> Vec<String> {
    let spread =
        |figure: &dyn Fn(&Seen) -> u32| Spread::of(seen.iter().map(|it| figure(it).into()).collect());
    let [median, frequent, rare, longest] = [0, 1, 2, 3].map(|at| spread(&|it| it.took[at]));
    let sum = |count: fn(&Seen) -> u64| seen.iter().map(count).sum::<u64>().to_string();
    let usual = [median, frequent, rare].map(|it| format!("{:.0}", it.median));
    let longest = format!("{:.0} ({:.0}–{:.0})", longest.median, longest.least, longest.most);
    let first = [name.to_owned(), sum(|it| it.calls)];
    first.into_iter().chain(usual).chain([longest, sum(|it| it.preempted), sum(|it| it.lost)]).collect()
}

const ABOUT: &str = "\
Nanoseconds of single calls, including two readings of the clock, medians of five runs; for the
longest call of a run also the least and the most; lost must be 0. *Preempted*: calls of more than
10 us during which the system took the processor away from the thread. The goal for the longest call
while storage accepts everything is 50 000.";
