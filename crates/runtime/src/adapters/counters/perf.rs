//! Counters of the kernel and the processor, read by the thread that they count
//! (`SCOREP_METRIC_PERF`), and those of the process (`SCOREP_METRIC_PERF_PER_PROCESS`), which the
//! first thread reads.
//!
//! The events of the processor are one group of a thread, read with one system call. Software
//! events are read one by one: in a group, only the value of its first one is up to date. So are
//! those of the process, which the threads that the first one creates inherit.
//! Invariants: all threads have the same events, those that could be opened when the measurement
//! began; a value that cannot be read stays as it was.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::Relaxed};

use kymo_substrate::bindings::SCOREP_METRIC_SOURCE_TYPE_PERF;
use libc::c_int;

use super::counted;
use super::names::CounterEvent;
use crate::adapter::{Metrics, Missing, Scope};
use crate::locations::Location;
use crate::message::report;
use crate::perf::{
    self, Attributes, EXCLUDE_HYPERVISOR, EXCLUDE_KERNEL, INHERIT, ONLY_THREADS, PINNED, SOFTWARE,
};
use crate::settings::Settings;

const VARIABLE: &str = "SCOREP_METRIC_PERF";
const OF_PROCESS: &str = "SCOREP_METRIC_PERF_PER_PROCESS";
/// As many as Score-P allows.
pub(super) const MOST: usize = 20;
/// `PERF_FORMAT_GROUP`, with the times for which the group was enabled and running.
const FORMAT: u64 = 1 << 3 | 1 << 0 | 1 << 1;
/// The words before the values of a group: their number, and both times.
const HEAD: usize = 3;

/// A counter that was asked for.
#[derive(Debug, Clone)]
struct ChosenCounter {
    name: String,
    attributes: Attributes,
}

/// All that the settings ask for.
#[derive(Debug, Default)]
struct All {
    of_threads: Vec<ChosenCounter>,
    of_process: Vec<ChosenCounter>,
}

static CHOSEN: OnceLock<All> = OnceLock::new();

/// Chooses the counters; returns whether there are any. `is_default`: if the settings name none,
/// those of interest to most programs are chosen.
pub(super) fn prepare(settings: &Settings, is_default: bool) -> bool {
    let all = CHOSEN.get_or_init(|| choose_all(settings, is_default));
    !(all.of_threads.is_empty() && all.of_process.is_empty())
}

fn choose_all(settings: &Settings, is_default: bool) -> All {
    let (of_threads, of_process) = (&settings.counters, &settings.counters_of_process);
    let is_default = is_default && of_threads.is_empty() && of_process.is_empty();
    let (mut of_threads, failed) = if is_default {
        choose(&["cycles", "instructions", "task-clock", "page-faults"].map(str::to_owned), 0)
    } else {
        choose(of_threads, 0)
    };
    if !is_default || of_threads.is_empty() {
        report_failed(VARIABLE, &failed);
    }
    // The group is one run of values.
    of_threads.sort_by_key(|chosen| chosen.attributes.kind == SOFTWARE);
    All { of_threads, of_process: choose_of_process(of_process) }
}

/// Counters that could not be opened, with the error of the system; `None` for unknown names.
type Failed = Vec<(String, Option<c_int>)>;

/// Returns the counters that can be opened with these flags, and the others.
fn choose(names: &[String], flags: u64) -> (Vec<ChosenCounter>, Failed) {
    let (mut chosen, mut failed) = (Vec::new(), Vec::new());
    for name in names.iter().take(MOST).cloned() {
        match CounterEvent::named(&name) {
            None => failed.push((name, None)),
            Some(event) => match try_open(event, flags) {
                Ok(attributes) => chosen.push(ChosenCounter { name, attributes }),
                Err(error) => failed.push((name, Some(error))),
            },
        }
    }
    (chosen, failed)
}

/// Returns the counters of the process, and reports those that cannot be opened.
fn choose_of_process(names: &[String]) -> Vec<ChosenCounter> {
    let (mut chosen, mut failed) = choose(names, INHERIT | ONLY_THREADS);
    // An older kernel refuses the flag; only the first thread is counted then.
    if chosen.is_empty() && failed.iter().any(|(_, error)| *error == Some(libc::EINVAL)) {
        (chosen, failed) = choose(names, 0);
        if !chosen.is_empty() {
            report(format_args!("{OF_PROCESS}: only the first thread is counted; Linux 5.13 counts all"));
        }
    }
    report_failed(OF_PROCESS, &failed);
    chosen
}

/// Opens an event as a trial; returns how.
fn try_open(event: CounterEvent, flags: u64) -> Result<Attributes, c_int> {
    let all = Attributes {
        kind: event.kind,
        config: event.config,
        // The kernel does not read a group with the events that other threads inherited from it.
        read_format: if flags & INHERIT == 0 { FORMAT } else { 0 },
        flags: EXCLUDE_HYPERVISOR | flags,
        ..Attributes::default()
    };
    let attributes =
        if event.is_of_kernel { all } else { Attributes { flags: all.flags | EXCLUDE_KERNEL, ..all } };
    perf::open(&attributes, None).map(|event| {
        perf::close(event);
        attributes
    })
}

fn report_failed(variable: &str, failed: &[(String, Option<c_int>)]) {
    let names = |is_of: &dyn Fn(Option<c_int>) -> bool| {
        let names = failed.iter().filter(|(_, error)| is_of(*error)).map(|(name, _)| name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let unknown = names(&|error| error.is_none());
    if !unknown.is_empty() {
        report(format_args!("{variable}: there is no event {unknown}"));
    }
    let forbidden = names(&|error| matches!(error, Some(libc::EACCES | libc::EPERM)));
    if !forbidden.is_empty() {
        let level = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap_or_default();
        report(format_args!(
            "{variable}: the system does not allow {forbidden}; it would with \
             `sysctl kernel.perf_event_paranoid=1` (now {}), or with CAP_PERFMON in a container",
            level.trim()
        ));
    }
    let missing = names(&|error| error.is_some_and(|error| error != libc::EACCES && error != libc::EPERM));
    if !missing.is_empty() {
        report(format_args!("{variable}: this machine has no counter for {missing}"));
    }
}

pub(super) fn metrics() -> Vec<Metrics> {
    let Some(all) = CHOSEN.get() else { return Vec::new() };
    let metrics = |chosen: &[ChosenCounter]| {
        chosen.iter().map(|it| counted(&it.name, "", SCOREP_METRIC_SOURCE_TYPE_PERF)).collect()
    };
    let (of_threads, of_process) = (metrics(&all.of_threads), metrics(&all.of_process));
    vec![
        Metrics { scope: Scope::Strict, metrics: of_threads, read, is_for_handlers: true },
        Metrics { scope: Scope::Process, metrics: of_process, read, is_for_handlers: true },
    ]
}

/// The events of a thread, and those of the process, of which the first thread has all.
#[derive(Debug)]
pub(super) struct Events {
    groups: Vec<Group>,
    of_process: Vec<Group>,
}

/// Events that are read together.
#[derive(Debug)]
struct Group {
    /// The descriptors, that of the leader first; -1 once closed.
    events: Vec<AtomicI32>,
    /// The words that are read before the values.
    head: usize,
    /// The variable that asks for the events.
    variable: &'static str,
    is_broken: AtomicBool,
}

impl Events {
    /// Opens the events for the calling thread.
    pub(super) fn open(is_first: bool) -> Self {
        let none = All::default();
        let all = CHOSEN.get().unwrap_or(&none);
        let is_one = |one: &ChosenCounter, other: &ChosenCounter| {
            [one, other].iter().all(|it| it.attributes.kind != SOFTWARE)
        };
        let of_process = if is_first { &all.of_process[..] } else { &[] };
        Self {
            groups: all.of_threads.chunk_by(is_one).map(|it| Group::open(it, VARIABLE)).collect(),
            of_process: of_process.chunks(1).map(|it| Group::open(it, OF_PROCESS)).collect(),
        }
    }

    /// Closes the events.
    pub(super) fn close(&self) {
        self.groups.iter().chain(&self.of_process).flat_map(|group| group.events.iter().rev()).for_each(
            |event| {
                let event = event.swap(-1, Relaxed);
                if event >= 0 {
                    perf::close(event);
                }
            },
        );
    }
}

impl Group {
    fn open(chosen: &[ChosenCounter], variable: &'static str) -> Self {
        let mut events: Vec<AtomicI32> = Vec::new();
        for chosen in chosen {
            let leader = events.first().map(|event| event.load(Relaxed)).filter(|&event| event >= 0);
            let mut attributes = chosen.attributes;
            // A group of the processor counts all the time, or says that it does not fit.
            if leader.is_none() && attributes.kind != SOFTWARE && attributes.read_format == FORMAT {
                attributes.flags |= PINNED;
            }
            events.push(AtomicI32::new(perf::open(&attributes, leader).unwrap_or(-1)));
        }
        let is_broken = events.iter().any(|event| event.load(Relaxed) < 0);
        let is_group = chosen.first().is_some_and(|chosen| chosen.attributes.read_format == FORMAT);
        let head = if is_group { HEAD } else { 0 };
        let this = Self { events, head, variable, is_broken: AtomicBool::new(false) };
        if is_broken {
            this.fail("not all counters of a thread could be opened at the same time");
        }
        this
    }

    fn fail(&self, why: &str) {
        static IS_REPORTED: AtomicBool = AtomicBool::new(false);
        self.is_broken.store(true, Relaxed);
        if !IS_REPORTED.swap(true, Relaxed) {
            let variable = self.variable;
            report(format_args!("{variable}: {why}; their values are not recorded any more"));
        }
    }

    fn read(&self, values: &mut [u64]) {
        let leader = self.events.first().map_or(-1, |event| event.load(Relaxed));
        if leader < 0 || self.is_broken.load(Relaxed) {
            return;
        }
        let mut words = [0; HEAD + MOST];
        let count = perf::read(leader, &mut words);
        if count < self.head + values.len() {
            // The program closed the descriptor, or the counters do not fit into the processor.
            return self.fail("the counters cannot be read");
        }
        values.copy_from_slice(&words[self.head..self.head + values.len()]);
    }
}

/// Reads the values of the calling thread, or of the process. Those that cannot be read stay as
/// they are.
fn read(location: &'static Location, scope: Scope, mut values: &mut [u64]) -> Missing {
    let groups = location.counters().map(|counters| match scope {
        Scope::Strict => &counters.perf.groups,
        _ => &counters.perf.of_process,
    });
    for group in groups.into_iter().flatten() {
        let Some((own, rest)) = values.split_at_mut_checked(group.events.len()) else { break };
        group.read(own);
        values = rest;
    }
    0
}
