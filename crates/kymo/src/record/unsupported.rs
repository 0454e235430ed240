//! Variables of Score-P that have no effect on `kymo record`.
//!
//! Invariant: a variable is reported only if its value requests something that does not happen.

use std::env;

use crate::output::complain;

/// The prefixes of variables whose values have no effect.
const BEGINNINGS: [&str; 17] = [
    "SCOREP_CUDA_",
    "SCOREP_HIP_",
    "SCOREP_IO_",
    "SCOREP_KOKKOS_",
    "SCOREP_LIBWRAP_",
    "SCOREP_MEMORY_",
    "SCOREP_MPI_MAX_",
    "SCOREP_MPI_MEMORY_",
    "SCOREP_MPI_ONLINE_",
    "SCOREP_OPENACC_",
    "SCOREP_OPENCL_",
    "SCOREP_OPENMP_",
    "SCOREP_PROFILING_",
    "SCOREP_SAMPLING_",
    "SCOREP_SELECTIVE_",
    "SCOREP_TOPOLOGY_PLATFORM",
    "SCOREP_TOPOLOGY_PROCESS",
];
/// Further variables of this kind.
const NAMES: [&str; 4] = [
    "SCOREP_EXECUTABLE",
    "SCOREP_MACHINE_NAME",
    "SCOREP_TRACING_CONVERT_CALLING_CONTEXT_EVENTS",
    "SCOREP_TRACING_USE_SION",
];
/// Switches, and their fixed values in `kymo record`.
const SWITCHES: [(&str, bool); 3] =
    [("SCOREP_ENABLE_PROFILING", false), ("SCOREP_ENABLE_TRACING", true), ("SCOREP_ENABLE_UNWINDING", false)];

/// Reports such variables in one line. `has_io`: input and output is recorded; `has_memory`: memory
/// is.
pub(super) fn report(has_io: bool, has_memory: bool) {
    let variables = env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    let text = variables.map(|(name, value)| (name, value.to_string_lossy().into_owned()));
    let mut names: Vec<String> =
        text.filter(|(name, value)| does_nothing(name, value)).map(|it| it.0).collect();
    names.retain(|name| !has_io || name != "SCOREP_IO_POSIX");
    names.retain(|name| !has_memory || name != "SCOREP_MEMORY_RECORDING");
    names.sort();
    match &names[..] {
        [] => {}
        [one] => {
            complain(&format!("{one}: kymo record does not support this Score-P variable; it has no effect"))
        }
        several => complain(&format!(
            "{}: kymo record does not support these Score-P variables; they have no effect",
            several.join(", ")
        )),
    }
}

/// Whether a variable requests something that does not happen.
fn does_nothing(name: &str, value: &str) -> bool {
    if value.trim().is_empty() {
        return false;
    }
    if let Some((_, stands)) = SWITCHES.iter().find(|(switch, _)| *switch == name) {
        return is_on(value) != *stands;
    }
    let is_known = NAMES.contains(&name) || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning));
    // A switch that is off requests nothing; separators only matter to variables that are reported
    // themselves.
    is_known && !name.ends_with("_SEP") && !is_off(value)
}

/// Reads a switch as Score-P does: a number, or one of these words.
fn is_on(value: &str) -> bool {
    let value = value.trim().to_ascii_lowercase();
    matches!(value.as_str(), "true" | "yes" | "on") || value.parse::<i64>().is_ok_and(|number| number != 0)
}

fn is_off(value: &str) -> bool {
    ["false", "no", "off", "none", "0"].contains(&value.trim().to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::does_nothing;

    #[test]
    fn values_that_change_nothing_are_not_reported() {
        for (name, value) in [
            ("SCOREP_ENABLE_TRACING", "1"),
            ("SCOREP_ENABLE_PROFILING", "off"),
            ("SCOREP_METRIC_PAPI", "PAPI_TOT_CYC"),
            ("SCOREP_IO_POSIX", "false"),
            ("SCOREP_METRIC_PLUGINS", "one_plugin"),
            ("SCOREP_METRIC_PERF_PER_PROCESS", "cycles"),
            ("SCOREP_METRIC_RUSAGE", "all"),
            ("SCOREP_METRIC_RUSAGE_SEP", ";"),
            ("SCOREP_MPI_ENABLE_GROUPS", "all"),
            ("SCOREP_TOPOLOGY_MPI", "true"),
            ("SCOREP_MPI_MEMORY_RECORDING", "false"),
            ("SCOREP_TOTAL_MEMORY", "1G"),
        ] {
            assert!(!does_nothing(name, value), "{name}={value}");
        }
    }

    #[test]
    fn values_that_have_no_effect_are_reported() {
        for (name, value) in [
            ("SCOREP_ENABLE_TRACING", "false"),
            ("SCOREP_ENABLE_PROFILING", "2"),
            ("SCOREP_IO_POSIX", "true"),
            ("SCOREP_SAMPLING_EVENTS", "perf_cycles@2000000"),
        ] {
            assert!(does_nothing(name, value), "{name}={value}");
        }
    }
}
