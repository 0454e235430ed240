//! How long a single event can take: while the writer's storage is slow, and while it keeps up.
//!
//! The recorder is driven without a host, at a steady rate, against a storage that takes a given number of bytes in a second and keeps
//! nothing. Every call is timed by itself. A call during which the system took the processor away (an involuntary context switch of the
//! thread) says nothing about the recorder: those of more than 10 microseconds are counted apart. What the machine below takes (a virtual
//! machine's host, an interrupt) is not told: a loop that records nothing shows how much that is.

use crate::table::Table;
use crate::{Bench, Result};
use kymo_otf2::events::{Enter, Leave};
use kymo_otf2::references::RegionRef;
use kymo_otf2::{FileName, Storage, storage::Content};
use kymo_recorder::drain::Note;
use kymo_recorder::memory::Budget;
use kymo_recorder::scratch::{ScratchFile, ScratchPlace};
use kymo_recorder::{Location, MemorySettings, Recorder};
use std::io;
use std::sync::Mutex;
use std::time::{Duration, Instant};

static BUDGET: Budget = Budget::new(usize::MAX);

/// A run: what it shows, bytes that the storage takes in a second, time from event to event, limit of the memory.
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

/// A call that took longer is looked at.
const SUSPICIOUS: Duration = Duration::from_micros(10);

/// Takes so many bytes in a second, and keeps none.
#[derive(Debug)]
struct Throttled {
    bytes_per_second: u64,
    /// When the next write may end.
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

/// What was seen of the calls of a run.
struct Seen {
    /// Nanoseconds of each call, in order of size.
    calls: Vec<u32>,
    preempted: usize,
    lost: u64,
}

impl Seen {
    fn percentile(&self, per_mille: f64) -> u32 {
        let at = (self.calls.len() as f64 * per_mille / 1000.0) as usize;
        self.calls.get(at.min(self.calls.len() - 1)).copied().unwrap_or(0)
    }
}

/// Involuntary context switches of this thread so far.
fn switches() -> io::Result<u64> {
    let status = std::fs::read_to_string("/proc/thread-self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("nonvoluntary_ctxt_switches:"));
    line.and_then(|count| count.trim().parse().ok()).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

fn run(bench: &Bench, load: &Load) -> Result<Seen> {
    let scratch = ScratchFile::make(&ScratchPlace::Automatic)?;
    let settings = MemorySettings { limit: load.limit, ..MemorySettings::default() };
    let recorder = Recorder::new(&BUDGET, scratch, &settings).ok_or("no memory")?;
    // The writer's thread goes on for ever as far as the compiler knows.
    let recorder: &'static Recorder = Box::leak(Box::new(recorder));
    let location = recorder.add_location(8).ok_or("no memory")?;
    let storage = Throttled { bytes_per_second: load.bytes_per_second, free: Mutex::new(Instant::now()) };
    recorder.output().open(Box::new(storage));
    location.file().set(0);
    let folder = bench.folder()?;
    recorder.drain().start(folder.path(), &Note { rank: 0, size: 1 })?;
    let count = count(bench, load.gap);
    let (calls, preempted) = timed(count, load.gap, |number| record(location, number))?;
    Location::shut_all(std::iter::once(location));
    recorder.drain().finish();
    let closed = location.close().ok_or("the location is busy")?;
    recorder.drain().clean_up();
    Ok(Seen { calls, preempted, lost: closed.lost })
}

/// The same loop, which records nothing.
fn run_empty(bench: &Bench, gap: Duration) -> Result<Seen> {
    let (calls, preempted) = timed(count(bench, gap), gap, |number| _ = std::hint::black_box(number))?;
    Ok(Seen { calls, preempted, lost: 0 })
}

fn count(bench: &Bench, gap: Duration) -> u64 {
    let seconds = if bench.quick { 0.2 } else { 4.0 };
    (seconds / gap.as_secs_f64()) as u64
}

/// Makes `count` calls, one after each `gap`; nanoseconds of each, and how many were interrupted by the system.
fn timed(count: u64, gap: Duration, mut call: impl FnMut(u64)) -> Result<(Vec<u32>, usize)> {
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
    calls.sort_unstable();
    Ok((calls, preempted))
}

#[inline(never)]
fn record(location: &Location, number: u64) {
    let (time, region) = (number + 1, RegionRef(number as u32 / 2 % 256));
    let done = match number % 2 {
        0 => location.try_record(time, &Enter { region }),
        _ => location.try_record(time, &Leave { region }),
    };
    if !done {
        location.record_at(time, |writer| match number % 2 {
            0 => writer.record(time, &Enter { region }),
            _ => writer.record(time, &Leave { region }),
        });
    }
}

/// Measures and prints.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Stalls\n");
    println!(
        "Nanoseconds of single calls, two looks at the clock included; lost must be 0. *Preempted*: calls of more than 10 us during which the\n\
        system took the processor away from the thread. The goal for the longest call while storage takes all is 50 000.\n"
    );
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
    let mut row = |name: &str, seen: &Seen| {
        let [median, frequent, rare, longest] = [500.0, 999.0, 999.9, 1000.0].map(|it| seen.percentile(it));
        let numbers = [seen.calls.len() as u64, median.into(), frequent.into(), rare.into(), longest.into()];
        let numbers = numbers.into_iter().chain([seen.preempted as u64, seen.lost]);
        table.row(std::iter::once(name.to_owned()).chain(numbers.map(|it| it.to_string())).collect());
    };
    row("the same loop, nothing recorded", &run_empty(bench, LOADS[0].gap)?);
    for load in &LOADS {
        row(load.name, &run(bench, load)?);
    }
    println!("{table}");
    Ok(())
}
