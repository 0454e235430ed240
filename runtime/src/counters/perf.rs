//! Counters of the kernel and the processor (`SCOREP_METRIC_PERF`), read by the thread that they
//! count.
//!
//! The events of the processor are one group of a thread, read with one system call. Software
//! events are read one by one: in a group, only the value of its first one is up to date.
//! Invariants: all threads have the same events, those that could be opened when the measurement
//! began; a value that cannot be read stays as it was.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering::Relaxed};

use kymo_substrate::bindings::SCOREP_METRIC_SOURCE_TYPE_PERF;
use libc::c_int;

use super::counted;
use super::names::Event;
use crate::adapter::{Adapter, StrictMetrics};
use crate::locations::Location;
use crate::message::report;
use crate::perf::{self, Attributes, EXCLUDE_HYPERVISOR, EXCLUDE_KERNEL, PINNED, SOFTWARE};
use crate::settings::Settings;
use crate::switch::is_chosen;

/// The adapter of this kind of counters.
pub(crate) static ADAPTER: Adapter = Adapter { name: "counters", prepare, metrics, ..Adapter::NONE };

const VARIABLE: &str = "SCOREP_METRIC_PERF";
/// As many as Score-P allows.
pub(super) const MOST: usize = 20;
/// `PERF_FORMAT_GROUP`, with the times for which the group was enabled and running.
const FORMAT: u64 = 1 << 3 | 1 << 0 | 1 << 1;
/// The words before the values of a group: their number, and both times.
const HEAD: usize = 3;

/// A counter that was asked for.
#[derive(Debug, Clone)]
struct Chosen {
    name: String,
    attributes: Attributes,
}

static CHOSEN: OnceLock<Vec<Chosen>> = OnceLock::new();

fn prepare(settings: &Settings) -> bool {
    is_chosen(settings, ADAPTER.name) && !CHOSEN.get_or_init(|| choose(settings)).is_empty()
}

/// Returns the counters that can be opened; reports the others in one line for each reason.
fn choose(settings: &Settings) -> Vec<Chosen> {
    let mut names = settings.counters.clone();
    let is_default = names.is_empty() && settings.names(ADAPTER.name);
    if is_default {
        names = ["cycles", "instructions", "task-clock", "page-faults"].map(str::to_owned).to_vec();
    }
    let (mut chosen, mut failed) = (Vec::new(), Vec::new());
    for name in names.into_iter().take(MOST) {
        match Event::named(&name) {
            None => failed.push((name, None)),
            Some(event) => match try_open(event) {
                Ok(attributes) => chosen.push(Chosen { name, attributes }),
                Err(error) => failed.push((name, Some(error))),
            },
        }
    }
    if !is_default || chosen.is_empty() {
        report_failed(&failed);
    }
    // The group is one run of values.
    chosen.sort_by_key(|chosen| chosen.attributes.kind == SOFTWARE);
    chosen
}

/// Opens an event as a trial; returns how.
fn try_open(event: Event) -> Result<Attributes, c_int> {
    let all = Attributes {
        kind: event.kind,
        config: event.config,
        read_format: FORMAT,
        flags: EXCLUDE_HYPERVISOR,
        ..Attributes::default()
    };
    let attributes =
        if event.is_of_kernel { all } else { Attributes { flags: all.flags | EXCLUDE_KERNEL, ..all } };
    perf::open(&attributes, None).map(|event| {
        perf::close(event);
        attributes
    })
}

fn report_failed(failed: &[(String, Option<c_int>)]) {
    let names = |is_of: &dyn Fn(Option<c_int>) -> bool| {
        let names = failed.iter().filter(|(_, error)| is_of(*error)).map(|(name, _)| name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let unknown = names(&|error| error.is_none());
    if !unknown.is_empty() {
        report(format_args!("{VARIABLE}: there is no event {unknown}"));
    }
    let forbidden = names(&|error| matches!(error, Some(libc::EACCES | libc::EPERM)));
    if !forbidden.is_empty() {
        let level = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap_or_default();
        report(format_args!(
            "{VARIABLE}: the system does not allow {forbidden}; it would with \
             `sysctl kernel.perf_event_paranoid=1` (now {}), or with CAP_PERFMON in a container",
            level.trim()
        ));
    }
    let missing = names(&|error| error.is_some_and(|error| error != libc::EACCES && error != libc::EPERM));
    if !missing.is_empty() {
        report(format_args!("{VARIABLE}: this machine has no counter for {missing}"));
    }
}

fn metrics() -> Option<StrictMetrics> {
    let chosen = CHOSEN.get().filter(|chosen| !chosen.is_empty())?;
    let metrics = chosen.iter().map(|chosen| counted(&chosen.name, "", SCOREP_METRIC_SOURCE_TYPE_PERF));
    Some(StrictMetrics { metrics: metrics.collect(), read, is_for_handlers: true })
}

/// The events of a thread.
#[derive(Debug)]
pub(super) struct Events {
    groups: Vec<Group>,
}

/// Events that are read together.
#[derive(Debug)]
struct Group {
    /// The descriptors, that of the leader first; -1 once closed.
    events: Vec<AtomicI32>,
    is_broken: AtomicBool,
}

impl Events {
    /// Opens the events for the calling thread.
    pub(super) fn open() -> Self {
        let chosen = CHOSEN.get().map_or(&[][..], Vec::as_slice);
        let is_one =
            |one: &Chosen, other: &Chosen| [one, other].iter().all(|it| it.attributes.kind != SOFTWARE);
        let groups = chosen.chunk_by(is_one);
        Self { groups: groups.map(Group::open).collect() }
    }

    /// Closes the events.
    pub(super) fn close(&self) {
        self.groups.iter().flat_map(|group| group.events.iter().rev()).for_each(|event| {
            let event = event.swap(-1, Relaxed);
            if event >= 0 {
                perf::close(event);
            }
        });
    }
}

impl Group {
    fn open(chosen: &[Chosen]) -> Self {
        let mut events: Vec<AtomicI32> = Vec::new();
        for chosen in chosen {
            let leader = events.first().map(|event| event.load(Relaxed)).filter(|&event| event >= 0);
            let mut attributes = chosen.attributes;
            // A group of the processor counts all the time, or says that it does not fit.
            if leader.is_none() && attributes.kind != SOFTWARE {
                attributes.flags |= PINNED;
            }
            events.push(AtomicI32::new(perf::open(&attributes, leader).unwrap_or(-1)));
        }
        let is_broken = events.iter().any(|event| event.load(Relaxed) < 0);
        let this = Self { events, is_broken: AtomicBool::new(false) };
        if is_broken {
            this.fail("not all counters of a thread could be opened at the same time");
        }
        this
    }

    fn fail(&self, why: &str) {
        static IS_REPORTED: AtomicBool = AtomicBool::new(false);
        self.is_broken.store(true, Relaxed);
        if !IS_REPORTED.swap(true, Relaxed) {
            report(format_args!("{VARIABLE}: {why}; their values are not recorded any more"));
        }
    }

    fn read(&self, values: &mut [u64]) {
        let leader = self.events.first().map_or(-1, |event| event.load(Relaxed));
        if leader < 0 || self.is_broken.load(Relaxed) {
            return;
        }
        let mut words = [0; HEAD + MOST];
        let count = perf::read(leader, &mut words);
        if count < HEAD + values.len() {
            // The program closed the descriptor, or the counters do not fit into the processor.
            return self.fail("the counters cannot be read");
        }
        values.copy_from_slice(&words[HEAD..HEAD + values.len()]);
    }
}

/// Reads the values of the calling thread. Those that cannot be read stay as they are.
fn read(location: &'static Location, mut values: &mut [u64]) {
    let groups = location.counters().into_iter().flat_map(|counters| &counters.perf.groups);
    for group in groups {
        let Some((own, rest)) = values.split_at_mut_checked(group.events.len()) else { return };
        group.read(own);
        values = rest;
    }
}
