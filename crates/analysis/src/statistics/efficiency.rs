//! How well the threads and processes of a program are used, by the definitions of the POP project.

use super::Statistics;
use super::process_times::ProcessTimes;
use crate::replay::IdealRun;
use serde::Serialize;

/// How well the threads of a program are used. Numbers are between 0 and 1, or above 1 where that
/// is said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Efficiency {
    /// The mean time of computation divided by the longest one.
    pub load_balance: f64,
    /// The longest time of computation divided by the run time.
    pub communication: f64,
    /// The product of both: the part of the time in which threads compute.
    pub parallel: f64,
    /// The losses to the network and to dependencies, if locations communicate.
    pub network: Option<NetworkEfficiency>,
    /// The efficiency of processes, if they communicate and have several threads.
    pub processes: Option<ProcessEfficiency>,
    /// The losses between and in processes, if they have several threads and parallel regions.
    pub regions: Option<RegionEfficiency>,
}

/// The parts of the efficiency of communication.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NetworkEfficiency {
    /// The length of the run on an ideal network divided by the length. It is above 1 if clocks
    /// contradict each other.
    pub transfer: f64,
    /// The longest time of computation divided by the length on an ideal network; the longest time
    /// outside communication if processes have several threads. It can be above 1 if threads
    /// compute that do not communicate.
    pub serialisation: f64,
}

/// How well processes are used, by the time of their first threads outside communication: the
/// multiplicative model of hybrid programs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProcessEfficiency {
    /// The mean time divided by the longest one.
    pub load_balance: f64,
    /// The longest time divided by the run time.
    pub communication: f64,
    /// The load balance of threads: that of all threads divided by that of processes; above 1 if
    /// threads are balanced better than processes.
    pub thread_load_balance: f64,
    /// The longest time of computation of a thread divided by the longest time of a process; above
    /// 1 if a thread computes while the first one communicates.
    pub thread_communication: f64,
}

/// How well the processes and threads of a program with parallel regions of OpenMP are used: the
/// additive model of hybrid programs. The differences of the numbers from 1 add up: those of
/// processes and of threads to that of the parallel efficiency, those of their parts to theirs.
///
/// Of each process, its time is that of its first thread in parallel regions, and of its
/// computation outside of them. Means count a process as often as it has threads.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RegionEfficiency {
    /// 1 less the losses of processes: to each other, and to communication.
    pub processes: f64,
    /// 1 less the difference of the longest and the mean time of processes, by length.
    pub load_balance: f64,
    /// The longest time of a process by length.
    pub communication: f64,
    /// The length of the run on an ideal network by length, if locations communicate.
    pub transfer: Option<f64>,
    /// The rest of the efficiency of communication.
    pub serialisation: Option<f64>,
    /// 1 less the losses of threads.
    pub threads: f64,
    /// 1 less the mean time of threads in parallel regions that is no computation, by length.
    pub parallel: f64,
    /// 1 less the mean time in which threads do not compute while the first ones do, outside of
    /// parallel regions, by length.
    pub serial: f64,
}

impl Statistics {
    /// Returns how well threads are used, if any computes.
    pub fn efficiency(&self) -> Option<Efficiency> {
        Efficiency::of(self)
    }
}

impl Efficiency {
    /// Returns the efficiencies of a run, if a thread computes.
    fn of(statistics: &Statistics) -> Option<Self> {
        let (length, longest) = (statistics.known_length(), statistics.computation.most());
        if length == 0 || longest == 0 {
            return None;
        }
        let load_balance = statistics.computation.balance();
        let communication = ratio(longest, length).min(1.0);
        let ideal = statistics.ideal_run.filter(|ideal| ideal.length > 0);
        let has_threads = statistics.processes.values().any(|process| process.threads > 1);
        let processes = ideal.filter(|_| has_threads);
        Some(Self {
            load_balance,
            communication,
            parallel: load_balance * communication,
            network: ideal.map(|ideal| NetworkEfficiency {
                transfer: ratio(ideal.length, length),
                serialisation: match processes {
                    Some(_) => ratio(ideal.most_work, ideal.length),
                    None => ratio(longest, ideal.length),
                },
            }),
            processes: processes.map(|ideal| ProcessEfficiency::of(&ideal, length, load_balance, longest)),
            regions: RegionEfficiency::of(statistics, length, ideal).filter(|_| has_threads),
        })
    }
}

impl RegionEfficiency {
    /// Returns the efficiencies of a run of this length, if it has parallel regions.
    fn of(statistics: &Statistics, length: u64, ideal: Option<IdealRun>) -> Option<Self> {
        let processes = || statistics.processes.values();
        if processes().all(|process| process.times.parallel == 0) {
            return None;
        }
        let all = statistics.computation.locations as f64 * length as f64;
        let part = |time: u128| time as f64 / all;
        let (mut regions, mut outside, mut serial_sum, mut longest) = (0, 0, 0, 0);
        for ProcessTimes { threads, times, serial, .. } in processes() {
            let threads = u128::from(*threads);
            regions += threads * u128::from(times.parallel);
            outside += threads * u128::from(times.serial);
            serial_sum += serial;
            longest = longest.max(times.parallel.saturating_add(times.serial));
        }
        let computed = statistics.computation.sum.saturating_sub(serial_sum);
        let (parallel, serial) =
            (1.0 - part(regions) + part(computed), 1.0 - part(outside) + part(serial_sum));
        let communication = ratio(longest, length);
        let transfer = ideal.map(|ideal| ratio(ideal.length, length));
        let load_balance = 1.0 - communication + part(regions + outside);
        Some(Self {
            processes: load_balance + communication - 1.0,
            load_balance,
            communication,
            transfer,
            serialisation: transfer.map(|transfer| 1.0 + communication - transfer),
            threads: parallel + serial - 1.0,
            parallel,
            serial,
        })
    }
}

impl ProcessEfficiency {
    fn of(ideal: &IdealRun, length: u64, load_balance: f64, longest: u64) -> Self {
        let of_processes = ratio(ideal.mean_work, ideal.most_work);
        Self {
            load_balance: of_processes,
            communication: ratio(ideal.most_work, length).min(1.0),
            thread_load_balance: if of_processes > 0.0 { load_balance / of_processes } else { 0.0 },
            thread_communication: ratio(longest, ideal.most_work),
        }
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
