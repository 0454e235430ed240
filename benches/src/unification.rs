//! Stage `unification`: the definitions of simulated ranks, each a thread that shares nothing with the others but messages.
//!
//! Ranks have common regions and regions of their own, each with a name. Bytes are those of the messages; memory is what the
//! allocator gave out for the definitions at rank 0 when they are complete.

use crate::measure::{Spread, process_cpu};
use crate::table::Table;
use crate::{Bench, Result};
use kymo_otf2::definitions::Region;
use kymo_otf2::enums::{Paradigm, RegionRole};
use kymo_otf2::flags::RegionFlag;
use kymo_otf2::references::{RegionRef, Space, StringRef};
use kymo_recorder::Definitions;
use kymo_recorder::memory::Budget;
use kymo_recorder::ranks::{Ipc, IpcFailed};
use kymo_recorder::unification::{Keys, unify};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

static BUDGET: Budget = Budget::new(usize::MAX);

/// Numbers of ranks.
const SIZES: [u32; 6] = [16, 64, 256, 1024, 4096, 16_384];
/// Regions that all ranks have.
const COMMON: u32 = 1000;
/// Regions that one rank has.
const OWN: u32 = 10;

/// Messages for a rank, with their senders; and the bytes it has sent.
#[derive(Debug, Default)]
struct Mailbox {
    messages: Mutex<VecDeque<(u32, Vec<u8>)>>,
    arrived: Condvar,
    sent: AtomicU64,
}

struct Rank<'a> {
    boxes: &'a [Mailbox],
    rank: u32,
}

impl Ipc for Rank<'_> {
    fn size(&self) -> u32 {
        self.boxes.len() as u32
    }
    fn rank(&self) -> u32 {
        self.rank
    }
    fn send(&self, to: u32, message: &[u8]) -> std::result::Result<(), IpcFailed> {
        let mailbox = self.boxes.get(to as usize).ok_or(IpcFailed)?;
        self.boxes[self.rank as usize].sent.fetch_add(message.len() as u64, Ordering::Relaxed);
        let mut messages = mailbox.messages.lock().unwrap_or_else(PoisonError::into_inner);
        messages.push_back((self.rank, message.to_vec()));
        mailbox.arrived.notify_all();
        Ok(())
    }
    fn receive(&self, from: u32, message: &mut [u8]) -> std::result::Result<(), IpcFailed> {
        let mailbox = &self.boxes[self.rank as usize];
        let mut messages = mailbox.messages.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(at) = messages.iter().position(|(sender, _)| *sender == from) {
                let (_, bytes) = messages.remove(at).ok_or(IpcFailed)?;
                message.copy_from_slice(&bytes);
                return Ok(());
            }
            messages = mailbox.arrived.wait(messages).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The definitions of a rank.
fn log(rank: u32) -> Vec<u8> {
    let mut definitions = Definitions::new(&BUDGET);
    for id in 0..COMMON + OWN {
        let name = if id < COMMON { format!("region {id}") } else { format!("region {id} of rank {rank}") };
        let name = definitions.string(name.as_bytes());
        definitions.define(&Region {
            id: RegionRef(id),
            name,
            description: StringRef(0),
            source_file: StringRef::UNDEFINED,
            begin_line_number: 0,
            end_line_number: 0,
            canonical_name: name,
            region_role: RegionRole::FUNCTION,
            paradigm: Paradigm::USER,
            region_flags: RegionFlag::empty(),
        });
    }
    definitions.log().to_vec()
}

/// What one unification took.
struct Run {
    wall: f64,
    cpu: f64,
    rank0: f64,
    busiest: u64,
    log: usize,
    distinct: usize,
}

fn run(size: u32) -> Result<Run> {
    let boxes: Vec<Mailbox> = (0..size).map(|_| Mailbox::default()).collect();
    let logs: Vec<Vec<u8>> = (0..size).map(log).collect();
    let (began, cpu) = (Instant::now(), process_cpu());
    let (rank0, joined) = std::thread::scope(|scope| -> Result<_> {
        let mut threads = Vec::new();
        for (rank, log) in (0..size).zip(&logs) {
            let boxes = &boxes;
            let thread = std::thread::Builder::new().stack_size(256 << 10);
            let work = move || {
                let began = crate::measure::thread_cpu();
                let joined = unify(&Rank { boxes, rank }, log, &Keys::new());
                (crate::measure::thread_cpu() - began, joined)
            };
            threads.push(thread.spawn_scoped(scope, work)?);
        }
        let mut results =
            threads.into_iter().map(|thread| thread.join().expect("a thread that does not panic"));
        let (time, joined) = results.next().ok_or("no ranks")?;
        for (_, result) in results {
            result?;
        }
        Ok((time, joined?))
    })?;
    let definitions = joined.definitions.ok_or("rank 0 has the definitions")?;
    let distinct = definitions.count(Space::Region);
    if distinct as u32 != COMMON + size * OWN {
        return Err(format!("{size} ranks: {distinct} regions").into());
    }
    Ok(Run {
        wall: began.elapsed().as_secs_f64() * 1e3,
        cpu: (process_cpu() - cpu) as f64 / 1e6,
        rank0: rank0 as f64 / 1e6,
        busiest: boxes.iter().map(|mailbox| mailbox.sent.load(Ordering::Relaxed)).max().unwrap_or(0),
        log: definitions.log().len(),
        distinct,
    })
}

/// The table of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Unification\n\n{ABOUT}\n");
    let mut table = Table::new(&[
        "ranks",
        "distinct regions",
        "ms of CPU at rank 0",
        "ms of CPU at rank 0 per round",
        "ms of CPU per rank, mean",
        "ms",
        "bytes sent by the busiest rank",
        "bytes of the definitions",
    ]);
    let sizes = if bench.quick { &SIZES[..3] } else { &SIZES[..] };
    for &size in sizes {
        let runs: Result<Vec<Run>> = (0..bench.repetitions.min(3)).map(|_| run(size)).collect();
        let runs = runs?;
        let spread = |value: fn(&Run) -> f64| Spread::of(runs.iter().map(value).collect()).median;
        let rounds = f64::from(size.ilog2());
        table.row(vec![
            size.to_string(),
            runs[0].distinct.to_string(),
            format!("{:.1}", spread(|run| run.rank0)),
            format!("{:.2}", spread(|run| run.rank0) / rounds),
            format!("{:.2}", spread(|run| run.cpu) / f64::from(size)),
            format!("{:.0}", spread(|run| run.wall)),
            runs[0].busiest.to_string(),
            runs[0].log.to_string(),
        ]);
    }
    println!("{table}");
    Ok(())
}

const ABOUT: &str = "\
Simulated ranks, threads that share nothing but messages: 1,000 regions that all have and 10 of each rank's own, every region with a
name. Medians of three. The elapsed time is that of all ranks on the cores of this machine; ranks on cores of their own wait for rank 0 and
the ranks on the way to it.";
