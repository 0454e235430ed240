//! Stage `unification`: the definitions of simulated ranks, which communicate only by messages.
//!
//! Ranks have regions in common and regions of their own, each with a name.

use crate::measure::thread_cpu;
use crate::table::Table;
use crate::{Bench, Result};
use kymo_otf2::definitions::Region;
use kymo_otf2::references::{RegionRef, Space, StringRef};
use kymo_recorder::DefinitionLog;
use kymo_recorder::memory::Budget;
use kymo_recorder::unification::{Keys, gather};
use kymo_recorder_testing::ranks::Network;

static BUDGET: Budget = Budget::new(usize::MAX);

/// The numbers of ranks.
const SIZES: [u32; 6] = [16, 64, 256, 1024, 4096, 16_384];
/// The number of regions that all ranks have.
const COMMON: u32 = 1000;
/// The number of regions that only one rank has.
const OWN: u32 = 10;

/// Returns the definitions of a rank.
fn log(rank: u32) -> Vec<u8> {
    let mut definitions = DefinitionLog::new(&BUDGET);
    for id in 0..COMMON + OWN {
        let name = if id < COMMON { format!("region {id}") } else { format!("region {id} of rank {rank}") };
        let name = definitions.string(name.as_bytes());
        let region = Region::function(RegionRef(id), name);
        definitions.define(&Region { description: StringRef(0), ..region });
    }
    definitions.log().to_vec()
}

/// The cost of one unification.
struct Run {
    /// The nanoseconds of CPU at each rank.
    cpu: Vec<u64>,
    /// The additional bytes of resident memory at rank 0 when it has all definitions.
    memory: u64,
    busiest: u64,
    log: usize,
    distinct: usize,
}

/// Runs the ranks in sequence, each after those for which it waits.
fn run(size: u32) -> Result<Run> {
    let network = Network::of(size);
    let mut cpu = vec![0; size as usize];
    let mut gathered = Vec::new();
    let mut memory = 0;
    for rank in (0..size).rev() {
        let (log, ipc) = (log(rank), network.rank(rank));
        let (before, began) = (resident()?, thread_cpu());
        gathered.push(gather(&ipc, &log, &Keys::new()));
        cpu[rank as usize] = thread_cpu() - began;
        memory = resident()?.saturating_sub(before);
    }
    let mut definitions = None;
    for (rank, gathered) in (0..size).zip(gathered.into_iter().rev()) {
        let began = thread_cpu();
        let joined = gathered.spread(&network.rank(rank))?;
        cpu[rank as usize] += thread_cpu() - began;
        definitions = definitions.or(joined.definitions);
    }
    let definitions = definitions.ok_or("rank 0 has the definitions")?;
    let distinct = definitions.count(Space::Region);
    if distinct as u32 != COMMON + size * OWN {
        return Err(format!("{size} ranks: {distinct} regions").into());
    }
    let busiest = (0..size).map(|rank| network.rank(rank).sent()).max().unwrap_or(0);
    Ok(Run { cpu, memory, busiest, log: definitions.log().len(), distinct })
}

/// Returns the resident memory of this process in bytes.
fn resident() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes: u64 =
        line.and_then(|line| line.trim().strip_suffix(" kB")).ok_or("expected VmRSS in kB")?.parse()?;
    Ok(kibibytes * 1024)
}

/// Prints the table of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Unification\n\n{ABOUT}\n");
    let mut table = Table::new(&[
        "ranks",
        "distinct regions",
        "ms at rank 0",
        "per round",
        "ms at a rank, mean",
        "bytes sent by the busiest rank",
        "bytes of the definitions",
        "MiB more at rank 0",
    ]);
    let sizes = if bench.quick { &SIZES[..3] } else { &SIZES[..] };
    for &size in sizes {
        let run = run(size)?;
        let milliseconds = |nanoseconds: u64| nanoseconds as f64 / 1e6;
        let first = milliseconds(run.cpu[0]);
        table.row(vec![
            size.to_string(),
            run.distinct.to_string(),
            format!("{first:.1}"),
            format!("{:.2}", first / f64::from(size.ilog2())),
            format!("{:.2}", milliseconds(run.cpu.iter().sum()) / f64::from(size)),
            run.busiest.to_string(),
            run.log.to_string(),
            format!("{:.1}", run.memory as f64 / f64::from(1 << 20)),
        ]);
    }
    println!("{table}");
    Ok(())
}

const ABOUT: &str = "\
Simulated ranks that share nothing but messages, run in sequence on one thread, each when the ranks
it waits for are done: 1,000 regions common to all and 10 specific to each rank, every region with a
name. Milliseconds of CPU. Memory is the growth of the process when rank 0 has received all
definitions; messages that were read are freed by then.";
