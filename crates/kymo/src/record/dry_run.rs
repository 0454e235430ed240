//! `--dry-run`: describes the recording that would be made.

use std::collections::BTreeSet;
use std::path::PathBuf;

use kymo_filter::{Filter, Region};
use kymo_symbols::{Executable, Function};

use super::hints::{Abilities, HOW, NO_REGIONS, images, unseen_locks};
use super::program::Program;
use super::{Arguments, Children, RecordModule, threads};

/// Describes the recording that would be made of a program.
pub(super) fn text(arguments: &Arguments, program: &Program, filter: Option<&Filter>) -> String {
    let images = images(program);
    let abilities = Abilities::of(&images);
    let mut text = String::new();
    let mut line = |name: &str, what: String| text += &format!("{:<14} {what}\n", format!("{name}:"));
    line("program", shown(program));
    line(
        "children",
        if arguments.children == Children::Yes { "recorded" } else { "not recorded" }.to_owned(),
    );
    for what in RecordModule::ALL {
        let description = match (arguments.records(what), what) {
            (false, RecordModule::Locks) if arguments.records(RecordModule::Threads) => {
                let is_long =
                    arguments.records(RecordModule::Waiting) && !arguments.names(RecordModule::Threads);
                found(abilities.has_locks, if is_long { "long waits only" } else { "contended ones only" })
            }
            (false, _) => "not requested".to_owned(),
            (true, RecordModule::Functions) => functions_line(&abilities),
            (true, RecordModule::User) => found(abilities.has_user_regions, "yes"),
            (true, RecordModule::Threads) => found(abilities.has_threads, "if it starts any"),
            (true, RecordModule::Locks) => found(abilities.has_locks, "all"),
            (true, RecordModule::Io | RecordModule::Memory) => "yes".to_owned(),
            (true, RecordModule::Waiting) => "calls that take long".to_owned(),
            (true, RecordModule::Rusage) => rusage(arguments),
            (true, RecordModule::Counters) => counters(arguments),
            (true, RecordModule::Mpi) => mpi(arguments, program, &images),
            (true, RecordModule::Openmp) => openmp(arguments, program, &images),
            (
                true,
                RecordModule::Openacc
                | RecordModule::Opencl
                | RecordModule::Nvtx
                | RecordModule::Itt
                | RecordModule::Kokkos
                | RecordModule::Perfstubs,
            ) => "if the program calls it".to_owned(),
            (true, RecordModule::Sampling) => sampling(arguments, program, &abilities),
        };
        line(what.name(), description);
    }
    if arguments.records(RecordModule::Functions) {
        for (path, image) in images.iter() {
            list(&mut text, &path.to_string_lossy(), &image.instrumented(), filter);
        }
    }
    if let Some(filter) = filter.filter(|_| arguments.records(RecordModule::Threads)) {
        let imports: Vec<String> = images.iter().flat_map(|(_, image)| image.imports()).collect();
        let out = threads::left_out(imports.iter().map(String::as_str), filter);
        list_names(&mut text, "threads and locks", &out);
    }
    if arguments.records_no_regions() {
        text += &format!("{NO_REGIONS}\n");
    } else if abilities.are_none() && !arguments.has_paradigm(program) && !arguments.needs_nothing() {
        text.push_str("There is little to see. To get more:\n");
        for how in HOW {
            text += &format!("  {how}\n");
        }
    }
    if arguments.records(RecordModule::Threads)
        && let Some(line) = unseen_locks(program, arguments.records(RecordModule::Waiting))
    {
        text += &format!("{line}\n");
    }
    text
}

fn shown(program: &Program) -> String {
    match program.is_script() {
        true => format!("{}, a script for {}", program.path().display(), program.image.display()),
        false => program.path().display().to_string(),
    }
}

fn functions_line(abilities: &Abilities) -> String {
    match abilities {
        Abilities { has_own_hook: true, .. } => {
            "the program defines its own hook (__cyg_profile_func_enter)".to_owned()
        }
        Abilities { has_functions: false, .. } => "none: not compiled with -finstrument-functions".to_owned(),
        Abilities { lacks_names: true, .. } => {
            "instrumented, but without names: not all are listed below".to_owned()
        }
        Abilities { lacks_lines: true, .. } => "instrumented, without source lines (-g)".to_owned(),
        _ => "instrumented".to_owned(),
    }
}

/// Describes samples. By default, a program without instrumented functions is sampled.
fn sampling(arguments: &Arguments, program: &Program, abilities: &Abilities) -> String {
    let language = Executable::read(&program.image).ok().and_then(|image| image.language_with_own_locks());
    match (arguments.is_default(), language) {
        (_, Some("Go")) => "none: written in Go, whose stacks have no room for them".to_owned(),
        (true, _) if abilities.has_functions => {
            "not taken, since functions are recorded (--with functions,sampling)".to_owned()
        }
        _ => "stacks of all threads".to_owned(),
    }
}

fn found(has: bool, what: &str) -> String {
    if has { what } else { "none found" }.to_owned()
}

/// Describes the MPI of a program. A program that contains its own is not recorded.
fn mpi(arguments: &Arguments, program: &Program, images: &[(PathBuf, Executable)]) -> String {
    let is_static = images.first().is_some_and(|(_, image)| image.defines("MPI_Init"));
    match arguments.mpi(program) {
        _ if is_static => "the program is linked with a static library: not recorded".to_owned(),
        Some(what) => what,
        None => "none found; recorded if the program opens a library later".to_owned(),
    }
}

/// Describes the OpenMP runtime of a program. One that the program contains calls nothing that the
/// measurement runtime replaces.
fn openmp(arguments: &Arguments, program: &Program, images: &[(PathBuf, Executable)]) -> String {
    let is_static = images.first().is_some_and(|(_, image)| image.defines("GOMP_parallel"));
    match arguments.openmp(program) {
        _ if is_static => "the program contains gcc's runtime (-static-libgomp): not recorded".to_owned(),
        Some(what) => what,
        None => "none found; recorded if the program opens a library later".to_owned(),
    }
}

fn rusage(arguments: &Arguments) -> String {
    let chosen = chosen(&RUSAGE);
    match (arguments.names(RecordModule::Rusage), chosen.is_empty()) {
        (_, false) => chosen,
        (true, true) => "all".to_owned(),
        (false, true) => "none chosen (SCOREP_METRIC_RUSAGE)".to_owned(),
    }
}

/// The variables that choose metrics, each with a prefix for its metrics.
const RUSAGE: [(&str, &str); 2] =
    [("SCOREP_METRIC_RUSAGE", ""), ("SCOREP_METRIC_RUSAGE_PER_PROCESS", "of the process ")];
const COUNTERS: [(&str, &str); 5] = [
    ("SCOREP_METRIC_PERF", ""),
    ("SCOREP_METRIC_PERF_PER_PROCESS", "of the process "),
    ("SCOREP_METRIC_PAPI", "PAPI "),
    ("SCOREP_METRIC_PAPI_PER_PROCESS", "PAPI of the process "),
    ("SCOREP_METRIC_PLUGINS", "metric plugins "),
];

/// Returns the metrics that variables choose.
fn chosen(variables: &[(&str, &str)]) -> String {
    let value = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let values = variables.iter().filter_map(|(name, what)| Some(format!("{what}{}", value(name)?)));
    values.collect::<Vec<_>>().join("; ")
}

fn counters(arguments: &Arguments) -> String {
    let chosen = chosen(&COUNTERS);
    match (arguments.names(RecordModule::Counters), chosen.is_empty()) {
        (_, false) => chosen,
        (true, true) => {
            "cycles, instructions, task-clock and page-faults, as far as there are any".to_owned()
        }
        (false, true) => "none chosen (SCOREP_METRIC_PERF)".to_owned(),
    }
}

/// Lists the functions of a file, followed by those that the filter leaves out.
fn list(text: &mut String, path: &str, functions: &[Function], filter: Option<&Filter>) {
    if functions.is_empty() {
        return;
    }
    let (out, kept): (Vec<_>, Vec<_>) =
        functions.iter().partition(|function| filter.is_some_and(|filter| excludes(filter, function)));
    *text += &format!("{path}: {} functions\n", kept.len());
    for function in kept {
        *text += &format!("  {}\n", described(function));
    }
    if !out.is_empty() {
        *text += &format!("{path}: the filter leaves out {}\n", out.len());
        for function in out {
            *text += &format!("  {}\n", described(function));
        }
    }
}

/// Lists the names that the filter leaves out.
fn list_names(text: &mut String, what: &str, out: &BTreeSet<&str>) {
    if !out.is_empty() {
        *text += &format!("{what}: the filter leaves out {}\n", out.len());
        for name in out {
            *text += &format!("  {name}\n");
        }
    }
}

fn excludes(filter: &Filter, function: &Function) -> bool {
    filter.excludes(&Region {
        name: function.name.as_bytes(),
        mangled: Some(function.mangled.as_bytes()),
        file: function.file.as_deref().map(str::as_bytes),
    })
}

fn described(function: &Function) -> String {
    match &function.file {
        Some(file) => format!("{} ({file}:{})", function.name, function.line),
        None => function.name.clone(),
    }
}
