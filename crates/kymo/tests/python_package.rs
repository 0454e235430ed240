//! The Python package `kymograph`: its tables are those of `kymo export`, its sums those of `kymo
//! profile`, its events those of the OTF2 bindings. pandas, Polars, DuckDB and pyarrow read them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kymo_testdata::own;
use tempfile::TempDir;

use crate::check_common::kymo;
use crate::judges;

/// Makes the package as it is installed in a folder.
pub(crate) fn install(folder: &Path) {
    let package = folder.join("kymograph");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/kymograph");
    fs::create_dir(&package).unwrap();
    for file in fs::read_dir(sources.canonicalize().unwrap()).unwrap().map(|entry| entry.unwrap().path()) {
        if file.is_file() {
            symlink(&file, package.join(file.file_name().unwrap())).unwrap();
        }
    }
    let native = kymo_testdata::built(&["kymograph"]).join("lib_native.so");
    symlink(native, package.join("_native.abi3.so")).unwrap();
}

/// Returns a command that runs Python with the package and the command `kymo`.
pub(crate) fn python_with_package(python: &Path, folder: &Path) -> Command {
    let command = PathBuf::from(env!("CARGO_BIN_EXE_kymo"));
    let others = std::env::var_os("PATH").unwrap_or_default();
    let search = [command.parent().unwrap().to_owned()].into_iter().chain(std::env::split_paths(&others));
    let mut python = Command::new(python);
    python.env("PYTHONPATH", folder).env("PYTHONDONTWRITEBYTECODE", "1");
    // A process that hangs is ended by SIGABRT, and prints its stacks.
    python.env("PYTHONFAULTHANDLER", "1");
    python.env("PATH", std::env::join_paths(search).unwrap());
    python
}

#[track_caller]
fn succeeds(output: &Output) {
    let [out, messages] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{out}{messages}");
}

/// Makes the folder of an archive that the judge compares.
fn expected(anchor: &Path, folder: &Path) {
    fs::create_dir(folder).unwrap();
    symlink(anchor.parent().unwrap(), folder.join("archive")).unwrap();
    let tables: Vec<_> = kymo_tables::dataset::ALL.iter().map(|table| table.name).collect();
    let mut export = kymo();
    export.args(["export", "--format", "parquet", "--tables", &tables.join(","), "-o"]);
    succeeds(&export.arg(folder.join("parquet")).arg(anchor).output().unwrap());
    let profile = kymo().args(["profile", "--format", "csv"]).arg(anchor).output().unwrap();
    succeeds(&profile);
    fs::write(folder.join("profile.csv"), profile.stdout).unwrap();
    let tree = kymo().args(["profile", "--tree", "--format", "csv"]).arg(anchor).output().unwrap();
    succeeds(&tree);
    fs::write(folder.join("tree.csv"), tree.stdout).unwrap();
    let events = kymo_testdata::python_with_bindings().map(|python| {
        let script = judges::script("bindings_events.py");
        let events = Command::new(python).arg(script).arg(anchor).output().unwrap();
        // The bindings refuse archives with undefined references.
        let is_refused = anchor.parent().unwrap().ends_with("hybrid");
        assert_eq!(events.status.success(), !is_refused, "{}: {events:?}", anchor.display());
        events.stdout
    });
    fs::write(folder.join("events"), events.unwrap_or_default()).unwrap();
}

#[test]
fn tables_of_the_python_package_are_those_of_the_command() {
    let Some(python) = judges::python() else { return };
    let recordings =
        ["hybrid", "mpi", "sampling", "flush", "user", "omp"].map(|name| format!("scorep-recordings/{name}"));
    let archives: Vec<_> = recordings.into_iter().chain(["otf2-samples/python-basic".to_owned()]).collect();
    judge_tables(python, &archives);
}

/// Those that `docs/reference/python.md` names.
#[test]
fn the_oldest_libraries_read_the_same_tables() {
    if !kymo_testdata::is_long() {
        return eprintln!("NOT JUDGED: old libraries are installed only with KYMO_LONG=1");
    }
    let Some(python) = judges::oldest_python() else { return };
    judge_tables(&python, &["hybrid", "mpi", "user"].map(|name| format!("scorep-recordings/{name}")));
    judge_writer(&python);
}

/// Compares the tables of archives, and all else that the package answers, with the command.
#[track_caller]
fn judge_tables(python: &Path, archives: &[String]) {
    let scratch = TempDir::new().unwrap();
    install(scratch.path());
    let folders: Vec<_> = (0..archives.len()).map(|number| scratch.path().join(number.to_string())).collect();
    for (archive, folder) in archives.iter().zip(&folders) {
        let anchor = kymo_testdata::anchors(&own(archive)).pop().unwrap();
        expected(&anchor, folder);
    }
    let mut judge = python_with_package(python, scratch.path());
    // Only processes that hang take this time.
    for timeout in ["CONNECT", "TCP"] {
        judge.env(format!("DASK_DISTRIBUTED__COMM__TIMEOUTS__{timeout}"), "600s");
    }
    succeeds(&judge.arg(judges::script("package.py")).args(&folders).output().unwrap());
}

/// The values of all fields, as the bindings of OTF2 3.0 and 3.2 read them. They refuse archives
/// with undefined references.
#[test]
fn events_of_all_archives_are_those_of_the_otf2_bindings() {
    if !kymo_testdata::is_long() {
        return eprintln!("NOT JUDGED: the bindings read all archives only with KYMO_LONG=1");
    }
    let Some(python) = judges::python() else { return };
    let scratch = TempDir::new().unwrap();
    install(scratch.path());
    let (events, script) = (scratch.path().join("events"), judges::script("bindings_events.py"));
    let system = kymo_testdata::python_with_bindings().map(PathBuf::from);
    for bindings in system.into_iter().chain(judges::python_with("otf2", "otf2")) {
        let mut compared = 0;
        let sets = ["scorep-recordings", "scorep-recordings-7.1", "otf2-samples", "otf2-real"];
        for anchor in
            sets.iter().flat_map(|set| kymo_testdata::cases(set)).flat_map(|it| kymo_testdata::anchors(&it))
        {
            let read = Command::new(&bindings).arg(&script).arg(&anchor).output().unwrap();
            if !read.status.success() {
                continue;
            }
            fs::write(&events, read.stdout).unwrap();
            let mut judge = python_with_package(python, scratch.path());
            judge.arg(judges::script("package.py")).arg("--events").arg(&anchor).arg(&events);
            succeeds(&judge.output().unwrap());
            compared += 1;
        }
        assert!(compared > 20, "{}: {compared} archives", bindings.display());
    }
}

/// The rows of an archive that the package read, and random ones, in traces that it writes: read by
/// itself, otf2-print and the OTF2 bindings, and checked by `kymo check`.
#[test]
fn traces_that_the_python_package_writes_have_the_rows_of_their_tables() {
    let Some(python) = judges::python() else { return };
    judge_writer(python);
}

#[track_caller]
fn judge_writer(python: &Path) {
    let scratch = TempDir::new().unwrap();
    install(scratch.path());
    let archives =
        ["hybrid", "mpi", "sampling", "user", "omp"].map(|name| format!("scorep-recordings/{name}"));
    let mut judge = python_with_package(python, scratch.path());
    judge.arg(judges::script("written_traces.py")).arg(scratch.path());
    let judged = judge.args(archives.map(|name| own(&name))).output().unwrap();
    succeeds(&judged);
    let written = String::from_utf8(judged.stdout).unwrap();
    assert_eq!(written.lines().count(), 12, "{written}");
    for folder in written.lines().map(Path::new) {
        let anchor = folder.join("traces.otf2");
        // Communicators of copies have no members, as the tables do not state them.
        if !folder.file_name().unwrap().to_string_lossy().starts_with("copy") {
            succeeds(&kymo().args(["check", "--quiet"]).arg(&anchor).output().unwrap());
        }
        succeeds(&kymo_testdata::program("otf2-print").arg(&anchor).output().unwrap());
        if let Some(python) = kymo_testdata::python_with_bindings() {
            let script = judges::script("bindings_events.py");
            succeeds(&Command::new(python).arg(script).arg(&anchor).output().unwrap());
        }
    }
}

#[test]
fn frames_of_hatchet_have_the_sums_of_the_profile() {
    if !kymo_testdata::is_long() {
        return eprintln!("NOT JUDGED: Hatchet is installed only with KYMO_LONG=1");
    }
    let Some(python) = judges::python_with("llnl-hatchet", "hatchet") else { return };
    let scratch = TempDir::new().unwrap();
    install(scratch.path());
    let script = "import sys, kymograph
frame = kymograph.open(sys.argv[1]).to_hatchet().dataframe
print(int(frame['visits'].sum()))";
    let mut judge = python_with_package(&python, scratch.path());
    let judged = judge.args(["-c", script]).arg(own("scorep-recordings/mpi")).output().unwrap();
    succeeds(&judged);
    let profile = kymo().args(["profile", "--format", "json"]).arg(own("scorep-recordings/mpi")).output();
    let profile: serde_json::Value = serde_json::from_slice(&profile.unwrap().stdout).unwrap();
    let rows = profile["groups"][0]["rows"].as_array().unwrap();
    let visits: u64 = rows.iter().map(|row| row["visits"].as_u64().unwrap()).sum();
    assert_eq!(String::from_utf8(judged.stdout).unwrap().trim(), visits.to_string());
}

/// A damaged archive is an exception that names the file and the place, after the rows before it.
#[test]
fn damaged_archives_are_exceptions_with_file_and_offset() {
    let Some(python) = judges::python() else { return };
    let scratch = TempDir::new().unwrap();
    install(scratch.path());
    let archive = scratch.path().join("archive");
    let copied = Command::new("cp").arg("-r").arg(own("scorep-recordings/hybrid")).arg(&archive).status();
    assert!(copied.unwrap().success());
    let script = "import sys, os, kymograph
folder = sys.argv[1]
file = f'{folder}/traces/0.evt'
with open(file, 'r+b') as events:
    events.truncate(os.path.getsize(file) // 2)
trace = kymograph.open(folder)
for read in [trace.calls().to_arrow, trace.calls().to_pandas, trace.profile, trace.waits().to_dicts]:
    try:
        read()
    except kymograph.TraceError as error:
        assert error.path == file and error.offset > 0 and file in str(error), (error.path, error.offset)
    else:
        raise AssertionError(read)
rows = 0
try:
    for batch in trace.calls().batches():
        rows += batch.num_rows
except kymograph.TraceError:
    assert rows > 100, rows
with open(f'{folder}/traces.def', 'r+b') as definitions:
    definitions.truncate(100)
try:
    kymograph.open(folder)
except kymograph.TraceError as error:
    assert error.path == f'{folder}/traces.def' and error.offset is not None, error
else:
    raise AssertionError
";
    let mut python = python_with_package(python, scratch.path());
    succeeds(&python.args(["-c", script]).arg(&archive).output().unwrap());
}
