//! How well the threads and processes of a program are used, by the definitions of the POP project.

use super::Statistics;
use crate::replay::IdealRun;

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
    /// What is lost to the network and to dependencies, if locations communicate.
    pub network: Option<NetworkEfficiency>,
    /// The efficiency of processes, if they communicate and have several threads.
    pub processes: Option<ProcessEfficiency>,
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

impl Efficiency {
    /// Returns the efficiencies of a run, if a thread computes.
    pub(super) fn of(statistics: &Statistics) -> Option<Self> {
        let (length, longest) = (statistics.known_length(), statistics.computation.most());
        if length == 0 || longest == 0 {
            return None;
        }
        let load_balance = statistics.computation.balance();
        let communication = ratio(longest, length).min(1.0);
        let ideal = statistics.ideal_run.filter(|ideal| ideal.length > 0);
        let processes = ideal.filter(|ideal| statistics.computation.locations > ideal.processes);
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
