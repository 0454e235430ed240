//! The settings from the environment: Score-P's variables with Score-P's syntax, and those that
//! `kymo record` sets.

use std::ffi::OsString;
use std::path::PathBuf;

/// A clock, numbered as in Score-P on Linux.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timer {
    /// The processor's timestamp counter.
    Tsc,
    /// `gettimeofday`, microseconds.
    Gettimeofday,
    /// `clock_gettime` of the raw monotonic clock, nanoseconds.
    ClockGettime,
}

/// The settings of a measurement.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `SCOREP_EXPERIMENT_DIRECTORY`.
    pub experiment_directory: Option<PathBuf>,
    /// `KYMO_RECORD_DIRECTORY`: each process of a tree has a directory in it.
    pub record_directory: Option<PathBuf>,
    /// `KYMO_RECORD_CHILDREN` is not `no`: children are measured as well.
    pub children: bool,
    /// `KYMO_RECORD_WITH`: kinds of instrumentation, by name; `None` for all that apply.
    pub with: Option<Vec<String>>,
    /// The samples to take of each thread per second of its CPU time: `KYMO_RECORD_WITH` contains
    /// `sampling=FREQUENCY`, or `sampling` for [`FREQUENCY`].
    pub sampling: Option<u32>,
    /// `KYMO_MEMORY_AT_LEAST` in bytes: smaller blocks have no events.
    pub memory_at_least: Option<usize>,
    /// `KYMO_RECORD_MIN_DURATION` in nanoseconds: functions with shorter calls are left out.
    pub min_duration: Option<u64>,
    /// `KYMO_RECORD_MIN_WAIT` in nanoseconds: shorter calls that wait are not recorded.
    pub min_wait: Option<u64>,
    /// `KYMO_RECORD_CALLERS` is `direct`: the call paths of events have only the direct caller.
    pub has_direct_callers: bool,
    /// `SCOREP_SUBSTRATE_PLUGINS`, without duplicates.
    pub plugins: Vec<String>,
    /// `SCOREP_TOTAL_MEMORY` in bytes.
    pub total_memory: usize,
    /// `SCOREP_TIMER`.
    pub timer: Timer,
    /// `SCOREP_METRIC_RUSAGE`, unparsed.
    pub rusage: String,
    /// `SCOREP_METRIC_RUSAGE_PER_PROCESS`, unparsed.
    pub rusage_of_process: String,
    /// `SCOREP_METRIC_PERF`, without duplicates.
    pub counters: Vec<String>,
    /// `SCOREP_METRIC_PERF_PER_PROCESS`, without duplicates.
    pub counters_of_process: Vec<String>,
    /// `SCOREP_METRIC_PAPI`, without duplicates.
    pub papi: Vec<String>,
    /// `SCOREP_METRIC_PAPI_PER_PROCESS`, without duplicates.
    pub papi_of_process: Vec<String>,
    /// `SCOREP_METRIC_PLUGINS`, without duplicates, each with its `SCOREP_METRIC_<PLUGIN>`.
    pub metric_plugins: Vec<(String, Vec<String>)>,
    /// `SCOREP_FILTERING_FILE`.
    pub filtering_file: Option<PathBuf>,
    /// `SCOREP_VERBOSE`.
    pub verbose: bool,
}

const MIN_DURATION: &str = "KYMO_RECORD_MIN_DURATION";
const MIN_WAIT: &str = "KYMO_RECORD_MIN_WAIT";
const CALLERS: &str = "KYMO_RECORD_CALLERS";
const DIRECT: &str = "direct";
const AT_LEAST: &str = "KYMO_MEMORY_AT_LEAST";
const PERF_SEP: &str = "SCOREP_METRIC_PERF_SEP";
const PAPI_SEP: &str = "SCOREP_METRIC_PAPI_SEP";
pub(crate) const METRIC_PLUGINS: &str = "SCOREP_METRIC_PLUGINS";
const METRIC_PLUGINS_SEP: &str = "SCOREP_METRIC_PLUGINS_SEP";

/// The default of `SCOREP_TOTAL_MEMORY`. Score-P has 16 MB for everything; this is address space
/// for definitions only.
const TOTAL_MEMORY: usize = 64 << 20;

impl Settings {
    /// Reads the settings of this process. An invalid value is reported in `problems` and counts as
    /// not set.
    pub(crate) fn read(problems: &mut Vec<String>) -> Self {
        Self::of(|name| std::env::var_os(name), problems)
    }

    fn of(get: impl Fn(&str) -> Option<OsString>, problems: &mut Vec<String>) -> Self {
        let path = |name| get(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let text = |name: &str| {
            get(name).map(|value| value.to_string_lossy().into_owned()).filter(|value| !value.is_empty())
        };
        let mut parsed = Parsed { problems };
        let children = text("KYMO_RECORD_CHILDREN").is_none_or(|value| value != "no");
        let record_directory = path("KYMO_RECORD_DIRECTORY");
        let with = text("KYMO_RECORD_WITH").map(|list| split(&list, ","));
        // A list, whose separators are in another variable.
        let list = |name: &str, separators: &str| {
            let separators = text(separators).unwrap_or_else(|| ",".to_owned());
            split(&text(name).unwrap_or_default(), &separators)
        };
        let of_plugin = |name: String| {
            let metrics = format!("SCOREP_METRIC_{}", name.to_ascii_uppercase());
            let metrics = list(&metrics, METRIC_PLUGINS_SEP);
            (name, metrics)
        };
        Self {
            experiment_directory: path("SCOREP_EXPERIMENT_DIRECTORY"),
            record_directory,
            children,
            sampling: sampling(with.as_deref().unwrap_or_default()),
            with,
            memory_at_least: parsed.take(AT_LEAST, text(AT_LEAST), bytes),
            min_duration: parsed.take(MIN_DURATION, text(MIN_DURATION), nanoseconds),
            min_wait: parsed.take(MIN_WAIT, text(MIN_WAIT), nanoseconds),
            has_direct_callers: text(CALLERS).is_some_and(|callers| callers == DIRECT),
            plugins: match text("SCOREP_SUBSTRATE_PLUGINS") {
                None => vec!["kymo".to_owned()],
                Some(_) => list("SCOREP_SUBSTRATE_PLUGINS", "SCOREP_SUBSTRATE_PLUGINS_SEP"),
            },
            total_memory: parsed
                .take("SCOREP_TOTAL_MEMORY", text("SCOREP_TOTAL_MEMORY"), bytes)
                .unwrap_or(TOTAL_MEMORY),
            timer: parsed.take("SCOREP_TIMER", text("SCOREP_TIMER"), timer).unwrap_or(Timer::Tsc),
            counters: list("SCOREP_METRIC_PERF", PERF_SEP),
            counters_of_process: list("SCOREP_METRIC_PERF_PER_PROCESS", PERF_SEP),
            papi: list("SCOREP_METRIC_PAPI", PAPI_SEP),
            papi_of_process: list("SCOREP_METRIC_PAPI_PER_PROCESS", PAPI_SEP),
            metric_plugins: list(METRIC_PLUGINS, METRIC_PLUGINS_SEP).into_iter().map(of_plugin).collect(),
            rusage: text("SCOREP_METRIC_RUSAGE").unwrap_or_default(),
            rusage_of_process: text("SCOREP_METRIC_RUSAGE_PER_PROCESS").unwrap_or_default(),
            filtering_file: path("SCOREP_FILTERING_FILE"),
            verbose: parsed.take("SCOREP_VERBOSE", text("SCOREP_VERBOSE"), truth).unwrap_or(false),
        }
    }

    /// Returns whether `KYMO_RECORD_WITH` names this kind of instrumentation.
    pub(crate) fn names(&self, kind: &str) -> bool {
        self.with.as_ref().is_some_and(|with| with.iter().any(|it| it == kind))
    }

    /// Returns the settings as variables and values, for `scorep.cfg`.
    pub(crate) fn listed(&self) -> Vec<(&'static str, String)> {
        let path =
            |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
        vec![
            ("SCOREP_VERBOSE", self.verbose.to_string()),
            ("SCOREP_TOTAL_MEMORY", self.total_memory.to_string()),
            ("SCOREP_EXPERIMENT_DIRECTORY", path(&self.experiment_directory)),
            ("SCOREP_TIMER", self.timer.name().to_owned()),
            ("SCOREP_FILTERING_FILE", path(&self.filtering_file)),
            ("SCOREP_SUBSTRATE_PLUGINS", self.plugins.join(",")),
            ("SCOREP_SUBSTRATE_PLUGINS_SEP", ",".to_owned()),
            ("SCOREP_METRIC_RUSAGE", self.rusage.clone()),
            ("SCOREP_METRIC_RUSAGE_PER_PROCESS", self.rusage_of_process.clone()),
            ("SCOREP_METRIC_PERF", self.counters.join(",")),
            ("SCOREP_METRIC_PERF_PER_PROCESS", self.counters_of_process.join(",")),
            ("SCOREP_METRIC_PAPI", self.papi.join(",")),
            ("SCOREP_METRIC_PAPI_PER_PROCESS", self.papi_of_process.join(",")),
            (
                METRIC_PLUGINS,
                self.metric_plugins.iter().map(|(name, _)| &**name).collect::<Vec<_>>().join(","),
            ),
            ("KYMO_RECORD_DIRECTORY", path(&self.record_directory)),
            ("KYMO_RECORD_CHILDREN", if self.children { "yes" } else { "no" }.to_owned()),
            (MIN_DURATION, self.min_duration.map(|duration| duration.to_string()).unwrap_or_default()),
            (MIN_WAIT, self.min_wait.map(|wait| wait.to_string()).unwrap_or_default()),
            (CALLERS, if self.has_direct_callers { DIRECT } else { "all" }.to_owned()),
            (AT_LEAST, self.memory_at_least.map(|size| size.to_string()).unwrap_or_default()),
            ("KYMO_RECORD_WITH", self.with.as_ref().map(|with| with.join(",")).unwrap_or_default()),
        ]
    }
}

/// Returns whether the environment asks for a kind of instrumentation by name, before all settings
/// are read.
pub(crate) fn is_named(kind: &str) -> bool {
    let with = std::env::var_os("KYMO_RECORD_WITH").unwrap_or_default();
    split(&with.to_string_lossy(), ",").iter().any(|it| it == kind)
}

/// Returns whether the environment chooses a kind of instrumentation that is recorded by default,
/// before all settings are read.
pub(crate) fn is_chosen_by_environment(kind: &str) -> bool {
    std::env::var_os("KYMO_RECORD_WITH").is_none_or(|with| with.is_empty()) || is_named(kind)
}

/// The samples per second of CPU time, if no other number is given.
pub const FREQUENCY: u32 = 1000;

/// Returns the samples per second that a list of kinds of instrumentation asks for.
fn sampling(with: &[String]) -> Option<u32> {
    let mut numbers = with.iter().filter_map(|kind| match kind.split_once('=') {
        None => (kind == "sampling").then_some(FREQUENCY),
        Some((name, frequency)) => (name == "sampling").then(|| frequency.parse().ok())?,
    });
    numbers.next().filter(|&frequency| frequency > 0)
}

impl Timer {
    fn name(self) -> &'static str {
        match self {
            Self::Tsc => "tsc",
            Self::Gettimeofday => "gettimeofday",
            Self::ClockGettime => "clock_gettime",
        }
    }
}

struct Parsed<'a> {
    problems: &'a mut Vec<String>,
}

impl Parsed<'_> {
    fn take<T>(
        &mut self,
        name: &str,
        value: Option<String>,
        parse: impl Fn(&str) -> Result<T, &'static str>,
    ) -> Option<T> {
        let value = value?;
        match parse(value.trim()) {
            Ok(parsed) => Some(parsed),
            Err(expected) => {
                self.problems.push(format!("{name}: expected {expected}, not `{value}`"));
                None
            }
        }
    }
}

/// Splits a list into names, without duplicates. Every character of `separators` is a separator.
pub(crate) fn split(list: &str, separators: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in list.split(|c| separators.contains(c)).map(str::trim).filter(|name| !name.is_empty()) {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

fn nanoseconds(text: &str) -> Result<u64, &'static str> {
    text.parse().ok().filter(|&number| number > 0).ok_or("a number of nanoseconds")
}

fn timer(text: &str) -> Result<Timer, &'static str> {
    let all = [Timer::Tsc, Timer::Gettimeofday, Timer::ClockGettime];
    let known = all.into_iter().find(|timer| text.eq_ignore_ascii_case(timer.name()));
    known.ok_or("`tsc`, `gettimeofday` or `clock_gettime`")
}

fn truth(text: &str) -> Result<bool, &'static str> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Ok(true),
        "false" | "no" | "off" => Ok(false),
        number => number.parse::<i64>().map(|number| number != 0).map_err(|_| "`true`, `false` or a number"),
    }
}

/// Parses a number with a unit: none or `B`, `k`, `M`, `G`, `T`, `P` or `E` (times 1024),
/// optionally followed by `B` or `b`.
fn bytes(text: &str) -> Result<usize, &'static str> {
    const EXPECTED: &str = "a number of bytes, with a unit like `k`, `M` or `G`";
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at_checked(digits).ok_or(EXPECTED)?;
    let unit = unit.trim().to_ascii_lowercase();
    let power = match unit.strip_suffix('b').unwrap_or(&unit) {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        "p" => 5,
        "e" => 6,
        _ => return Err(EXPECTED),
    };
    let number: usize = number.parse().map_err(|_| EXPECTED)?;
    number.checked_mul(1 << (10 * power)).filter(|&number| number > 0).ok_or(EXPECTED)
}

#[cfg(test)]
mod tests {
    use super::{Settings, Timer, bytes, split, truth};

    fn settings(variables: &[(&str, &str)], problems: &mut Vec<String>) -> Settings {
        let get =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).into());
        Settings::of(get, problems)
    }

    #[test]
    fn every_character_of_the_separators_separates() {
        assert_eq!(split("a,b;a,,c", ",;"), ["a", "b", "c"]);
        assert_eq!(split("a,b", ":"), ["a,b"]);
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes("16000k"), Ok(16_384_000));
        assert_eq!(bytes("3MB"), Ok(3 << 20));
        assert_eq!(bytes("1 g"), Ok(1 << 30));
        assert!(["", "k", "-1", "12q", "99999999999E", "0"].iter().all(|text| bytes(text).is_err()));
    }

    #[test]
    fn a_boolean_has_several_spellings() {
        assert_eq!(["true", "ON", "1", "2"].map(truth), [Ok(true); 4]);
        assert_eq!(["false", "No", "0"].map(truth), [Ok(false); 3]);
        assert!(truth("maybe").is_err());
    }

    #[test]
    fn a_metric_plugin_has_a_list_of_its_own() {
        let variables = [
            ("SCOREP_METRIC_PLUGINS", "one_plugin:two"),
            ("SCOREP_METRIC_PLUGINS_SEP", ":"),
            ("SCOREP_METRIC_ONE_PLUGIN", "a,b:c"),
        ];
        let read = settings(&variables, &mut Vec::new());
        let of = |name: &str, metrics: &[&str]| {
            (name.to_owned(), metrics.iter().map(|&metric| metric.to_owned()).collect())
        };
        assert_eq!(read.metric_plugins, [of("one_plugin", &["a,b", "c"]), of("two", &[])]);
    }

    #[test]
    fn an_invalid_value_is_reported_and_not_used() {
        let mut problems = Vec::new();
        let read = settings(&[("SCOREP_TIMER", "sundial"), ("SCOREP_TOTAL_MEMORY", "2M")], &mut problems);
        assert_eq!(
            (read.timer, read.total_memory, read.plugins),
            (Timer::Tsc, 2 << 20, vec!["kymo".to_owned()])
        );
        assert_eq!(problems.len(), 1);
        assert!(problems[0].contains("SCOREP_TIMER") && problems[0].contains("sundial"));
    }
}
