//! Resource usage of threads and of the process as metrics at every enter and leave. The variables
//! `SCOREP_METRIC_RUSAGE` and `SCOREP_METRIC_RUSAGE_PER_PROCESS` are `all` or a list of members of
//! `struct rusage`, separated by the character in `SCOREP_METRIC_RUSAGE_SEP` (default: a comma).

use std::env;
use std::mem::MaybeUninit;
use std::sync::OnceLock;

use kymo_substrate::bindings::{
    SCOREP_METRIC_BASE_BINARY, SCOREP_METRIC_BASE_DECIMAL, SCOREP_METRIC_MODE_ABSOLUTE_NEXT,
    SCOREP_METRIC_MODE_ACCUMULATED_START, SCOREP_METRIC_PROFILING_TYPE_INCLUSIVE,
    SCOREP_METRIC_SOURCE_TYPE_RUSAGE, SCOREP_METRIC_VALUE_UINT64,
};
use libc::{c_int, c_long, rusage, timeval};

use crate::adapter::{Adapter, MetricDefinition, Metrics, Missing, Scope};
use crate::locations::Location;
use crate::settings::{Settings, split};
use crate::switch::is_chosen;

/// The adapter of the resources that the system counts.
#[derive(Debug)]
pub(crate) struct Rusage;

/// The name by which settings choose it.
const NAME: &str = "rusage";

impl Adapter for Rusage {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare(&self, settings: &Settings) -> bool {
        prepare(settings)
    }

    fn metrics(&self) -> Vec<Metrics> {
        metrics()
    }
}

const VARIABLE: &str = "SCOREP_METRIC_RUSAGE";
const OF_PROCESS: &str = "SCOREP_METRIC_RUSAGE_PER_PROCESS";
const SEPARATOR: &str = "SCOREP_METRIC_RUSAGE_SEP";

/// A member of `struct rusage`.
#[derive(Debug)]
struct Member {
    name: &'static str,
    description: &'static str,
    unit: &'static str,
    base: u32,
    exponent: i64,
    value: fn(&rusage) -> u64,
}

const fn count(name: &'static str, description: &'static str, value: fn(&rusage) -> u64) -> Member {
    Member { name, description, unit: "#", base: SCOREP_METRIC_BASE_DECIMAL, exponent: 0, value }
}

/// A size, which the system counts in KiB.
const fn size(name: &'static str, description: &'static str, value: fn(&rusage) -> u64) -> Member {
    Member { name, description, unit: "Bytes", base: SCOREP_METRIC_BASE_BINARY, exponent: 10, value }
}

const fn time(name: &'static str, description: &'static str, value: fn(&rusage) -> u64) -> Member {
    Member { name, description, unit: "s", base: SCOREP_METRIC_BASE_DECIMAL, exponent: -6, value }
}

/// The members in the order of Score-P, which is that of the structure.
static MEMBERS: [Member; 16] = [
    time("ru_utime", "user CPU time used", |usage| microseconds(usage.ru_utime)),
    time("ru_stime", "system CPU time used", |usage| microseconds(usage.ru_stime)),
    size(MAXIMUM, "maximum resident set size", |usage| whole(usage.ru_maxrss)),
    size("ru_ixrss", "integral shared memory size", |usage| whole(usage.ru_ixrss)),
    size("ru_idrss", "integral unshared data size", |usage| whole(usage.ru_idrss)),
    size("ru_isrss", "integral unshared stack size", |usage| whole(usage.ru_isrss)),
    count("ru_minflt", "page reclaims (soft page faults)", |usage| whole(usage.ru_minflt)),
    count("ru_majflt", "page faults (hard page faults)", |usage| whole(usage.ru_majflt)),
    count("ru_nswap", "number of swaps", |usage| whole(usage.ru_nswap)),
    count("ru_inblock", "block input operations", |usage| whole(usage.ru_inblock)),
    count("ru_oublock", "block output operations", |usage| whole(usage.ru_oublock)),
    count("ru_msgsnd", "IPC messages sent", |usage| whole(usage.ru_msgsnd)),
    count("ru_msgrcv", "IPC messages received", |usage| whole(usage.ru_msgrcv)),
    count("ru_nsignals", "signals received", |usage| whole(usage.ru_nsignals)),
    count("ru_nvcsw", "voluntary context switches", |usage| whole(usage.ru_nvcsw)),
    count("ru_nivcsw", "involuntary context switches", |usage| whole(usage.ru_nivcsw)),
];

/// The member that is not accumulated over time.
const MAXIMUM: &str = "ru_maxrss";

/// The members that the settings ask for.
#[derive(Debug)]
struct ChosenRusage {
    of_threads: Vec<&'static Member>,
    of_process: Vec<&'static Member>,
}

static CHOSEN: OnceLock<ChosenRusage> = OnceLock::new();

fn prepare(settings: &Settings) -> bool {
    let choose = || ChosenRusage {
        of_threads: chosen(VARIABLE, &settings.rusage),
        of_process: chosen(OF_PROCESS, &settings.rusage_of_process),
    };
    is_chosen(settings, NAME) && {
        let chosen = CHOSEN.get_or_init(choose);
        !(chosen.of_threads.is_empty() && chosen.of_process.is_empty())
    }
}

fn metrics() -> Vec<Metrics> {
    let Some(chosen) = CHOSEN.get() else { return Vec::new() };
    let metrics = |members: &[&'static Member]| members.iter().map(|member| member.definition()).collect();
    let of_threads = metrics(&chosen.of_threads);
    let of_process = metrics(&chosen.of_process);
    vec![
        Metrics { scope: Scope::Strict, metrics: of_threads, read, is_for_handlers: true },
        Metrics { scope: Scope::Process, metrics: of_process, read, is_for_handlers: true },
    ]
}

fn chosen(variable: &str, list: &str) -> Vec<&'static Member> {
    let separators = env::var(SEPARATOR).unwrap_or_else(|_| ",".to_owned());
    split(list, &separators).iter().flat_map(|name| named(variable, name)).collect()
}

/// Returns the members with this name. An unknown name is reported and left out.
fn named(variable: &str, name: &str) -> impl Iterator<Item = &'static Member> + use<> {
    let is_named = |member: &Member| name == "all" || member.name == name;
    let found: Vec<_> = MEMBERS.iter().filter(|member| is_named(member)).collect();
    if found.is_empty() {
        crate::message::report(format_args!("{variable}: there is no metric {name}"));
    }
    found.into_iter()
}

impl Member {
    fn definition(&self) -> MetricDefinition {
        let mode = match self.name {
            MAXIMUM => SCOREP_METRIC_MODE_ABSOLUTE_NEXT,
            _ => SCOREP_METRIC_MODE_ACCUMULATED_START,
        };
        MetricDefinition {
            name: self.name.to_owned(),
            description: self.description.to_owned(),
            unit: self.unit.to_owned(),
            source: SCOREP_METRIC_SOURCE_TYPE_RUSAGE,
            mode,
            value_type: SCOREP_METRIC_VALUE_UINT64,
            base: self.base,
            exponent: self.exponent,
            profiling: SCOREP_METRIC_PROFILING_TYPE_INCLUSIVE,
        }
    }
}

/// Reads the values of the calling thread, or of the process.
fn read(_: &'static Location, scope: Scope, values: &mut [u64]) -> Missing {
    let Some(chosen) = CHOSEN.get() else { return 0 };
    let (whose, members) = match scope {
        Scope::Strict => (libc::RUSAGE_THREAD, &chosen.of_threads),
        _ => (libc::RUSAGE_SELF, &chosen.of_process),
    };
    let usage = usage(whose);
    values.iter_mut().zip(members).for_each(|(value, member)| *value = (member.value)(&usage));
    0
}

fn usage(whose: c_int) -> rusage {
    let mut usage = MaybeUninit::zeroed();
    // SAFETY: the structure is large enough. A failure leaves zeros, which represent an unknown
    // usage.
    unsafe { libc::getrusage(whose, usage.as_mut_ptr()) };
    // SAFETY: integers, which were zeroed before the call.
    unsafe { usage.assume_init() }
}

fn whole(value: c_long) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

fn microseconds(time: timeval) -> u64 {
    whole(time.tv_sec).saturating_mul(1_000_000).saturating_add(whole(time.tv_usec))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_by_name() {
        assert_eq!(named(VARIABLE, "all").count(), MEMBERS.len());
        let found: Vec<_> = named(VARIABLE, "ru_minflt").map(|member| member.name).collect();
        assert_eq!(found, ["ru_minflt"]);
        assert_eq!(named(VARIABLE, "ru_nothing").count(), 0);
    }

    #[test]
    fn time_passes() {
        let member = |number: usize| (MEMBERS[number].value)(&usage(libc::RUSAGE_THREAD));
        let spent = || member(0) + member(1);
        let before = spent();
        while spent() == before {}
    }
}
