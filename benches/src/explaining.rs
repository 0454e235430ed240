//! Stage `explaining`: `kymo explain`, compared with `kymo stats` on traces of ranks that send
//! messages around in a ring.
//!
//! A rank receives a message after it was sent, and works for times that vary, so that ranks wait
//! for each other.

use crate::archive::{self, Local, MPI_RECV, MPI_SEND};
use crate::measure::Spread;
use crate::run::Run;
use crate::stream::{Case, MESSAGE};
use crate::table::{Table, figure};
use crate::{Bench, Result, printing};
use kymo_otf2::FileName;
use kymo_otf2::archive::DEFAULT_NAME;
use kymo_otf2::events::{Enter, Event, Leave, MpiRecv, MpiSend};
use kymo_otf2::references::{CommRef, RegionRef};
use kymo_otf2::storage::{Directory, Storage};
use kymo_otf2::write::{EventWriter, StoragePieces};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const CHUNK: u64 = 1 << 20;
/// The events of a round without messages, and of a message on both sides.
const EVENTS: [u64; 2] = [4, 6];

/// A trace of ranks in a ring.
struct Ring {
    name: &'static str,
    ranks: u64,
    rounds: u64,
    /// Messages are sent in every so many rounds.
    period: u64,
    /// Whether it is measured once.
    is_large: bool,
}

const RINGS: [Ring; 3] = [
    Ring { name: "4 ranks, messages", ranks: 4, rounds: 40_000, period: 1, is_large: false },
    Ring { name: "4 ranks, few messages", ranks: 4, rounds: 72_000, period: 50, is_large: false },
    Ring { name: "10,000 ranks, messages", ranks: 10_000, rounds: 1_000, period: 1, is_large: true },
];

type RankWriter<'s> = EventWriter<StoragePieces<&'s Directory>>;

impl Ring {
    fn events(&self) -> u64 {
        self.ranks * (self.rounds * EVENTS[0] + self.rounds.div_ceil(self.period) * EVENTS[1])
    }

    /// Writes the trace; returns its anchor file.
    fn write(&self, folder: &Path) -> Result<PathBuf> {
        let (ranks, length) = (self.ranks as usize, self.rounds * 20_000);
        let anchor = archive::write_lasting(folder, Case::EnterLeave, Local::Empty, self.ranks, 1, length)?;
        let storage = Directory::make(folder, DEFAULT_NAME)?;
        let writer =
            |rank| EventWriter::new(StoragePieces::new(&storage, FileName::Events(rank), 16 << 10), CHUNK);
        let mut writers: Vec<RankWriter<'_>> =
            (0..self.ranks).map(writer).collect::<std::result::Result<_, _>>()?;
        let (mut now, mut sent, mut random) = (vec![1000; ranks], vec![0; ranks], 1_u64);
        for round in 0..self.rounds {
            for (rank, writer) in writers.iter_mut().enumerate() {
                // The generator of Knuth's MMIX.
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let extra = if rank as u64 == round % self.ranks { 9000 } else { 0 };
                work(writer, &mut now[rank], (random >> 33) % 5000 + extra)?;
                if round % self.period == 0 {
                    sent[rank] = send(writer, &mut now[rank], (rank + 1) % ranks)?;
                }
            }
            for (rank, writer) in writers.iter_mut().enumerate().filter(|_| round % self.period == 0) {
                let from = (rank + ranks - 1) % ranks;
                receive(writer, &mut now[rank], from, sent[from])?;
            }
        }
        for (rank, mut writer) in (0..).zip(writers) {
            let length = writer.finish()?.length;
            storage.set_len(FileName::Events(rank), length)?;
        }
        Ok(anchor)
    }
}

/// Writes a function that calls another one.
fn work(writer: &mut RankWriter<'_>, now: &mut u64, time: u64) -> Result<()> {
    let [outer, inner] = [0, 1].map(RegionRef);
    let events: [(u64, Event<'_>); 4] = [
        (5, Enter { region: outer }.into()),
        (300, Enter { region: inner }.into()),
        (time, Leave { region: inner }.into()),
        (200, Leave { region: outer }.into()),
    ];
    pass(writer, now, &events)
}

/// Writes a send; returns when it was.
fn send(writer: &mut RankWriter<'_>, now: &mut u64, receiver: usize) -> Result<u64> {
    let (communicator, (_, msg_tag, msg_length)) = (CommRef(0), MESSAGE);
    let send = MpiSend { receiver: receiver as u32, communicator, msg_tag, msg_length };
    let sent = *now + 25;
    let (begin, end) = (Enter { region: MPI_SEND }, Leave { region: MPI_SEND });
    pass(writer, now, &[(5, begin.into()), (20, send.into()), (50, end.into())])?;
    Ok(sent)
}

fn receive(writer: &mut RankWriter<'_>, now: &mut u64, sender: usize, sent: u64) -> Result<()> {
    let (communicator, (_, msg_tag, msg_length)) = (CommRef(0), MESSAGE);
    let receive = MpiRecv { sender: sender as u32, communicator, msg_tag, msg_length };
    let waited = sent.saturating_sub(*now) + 100;
    let (begin, end) = (Enter { region: MPI_RECV }, Leave { region: MPI_RECV });
    pass(writer, now, &[(5, begin.into()), (waited, receive.into()), (10, end.into())])
}

/// Writes events, each this much after the one before.
fn pass(writer: &mut RankWriter<'_>, now: &mut u64, events: &[(u64, Event<'_>)]) -> Result<()> {
    for (time, event) in events {
        *now += time;
        writer.record(*now, event)?;
    }
    Ok(())
}

/// Prints the table of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Explaining\n\n{ABOUT}\n");
    let kymo = bench.build("kymo", "kymo")?;
    let mut table = Table::new(&[
        "trace",
        "events",
        "`kymo stats --no-check`",
        "`kymo explain`",
        "ratio",
        "`--delays`",
        "ratio",
        "MiB of `explain -j 2`",
        "its speedup",
    ]);
    for ring in RINGS.iter().filter(|ring| !ring.is_large || !bench.quick) {
        let folder = bench.folder()?;
        let anchor = ring.write(folder.path())?;
        let repetitions = if ring.is_large { 1 } else { bench.repetitions };
        let programs = ["stats -q --no-check", "explain -q", "explain -q --delays"];
        let programs = programs.map(|verb| format!("{} {verb} -j 1", kymo.display()));
        let times = printing::measure(repetitions, &programs, &anchor, ring.events())?;
        let ratio = |which: usize| figure(Some(times[which].median / times[0].median), 2);
        let peak = Run::new(&kymo, "explain -q -j 2").peak(folder.path())?;
        table.row(vec![
            ring.name.to_owned(),
            ring.events().to_string(),
            times[0].to_string(),
            times[1].to_string(),
            ratio(1),
            times[2].to_string(),
            ratio(2),
            figure(Some(peak as f64 / 1024.0), 0),
            figure(Some(speedup(repetitions, &kymo, &anchor)?), 2),
        ]);
    }
    println!("{table}");
    Ok(())
}

/// Returns how much faster two threads explain a trace than one.
fn speedup(repetitions: u32, kymo: &Path, anchor: &Path) -> Result<f64> {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..repetitions {
        for (threads, times) in ["1", "2"].iter().zip(&mut times) {
            let start = Instant::now();
            let mut command = Command::new(kymo);
            command.args(["explain", "-q", "-j", threads]).arg(anchor).stdout(Stdio::null());
            let status = command.status()?;
            if !status.success() {
                return Err(format!("{command:?}: {status}").into());
            }
            times.push(start.elapsed().as_secs_f64());
        }
    }
    let [one, two] = times.map(|times| Spread::of(times).median);
    Ok(one / two)
}

const ABOUT: &str = "\
Nanoseconds of CPU per event of the whole program, with one thread: median and range. Ranks send
messages around in a ring. Memory is the peak resident size. The trace of 10,000 ranks is measured
once.";
