//! Stage `python`: the package `kymograph`, compared with the OTF2 bindings of 3.0 and 3.2, and
//! with pipit.
//!
//! `benches/python/ways.py` measures each way in a process of its own. The bindings of 3.0 are
//! Debian's, those of 3.2 are installed from PyPI, and the variable `KYMO_BENCH_PIPIT` names a
//! checkout of pipit.

use crate::analysis::stencil;
use crate::measure::Spread;
use crate::table::{Table, figure};
use crate::{Bench, Result, printing};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The number of locations, and the numbers of events of each, for us and for all.
const LOCATIONS: u64 = 16;
const MANY: u64 = 387_000;
const FEW: u64 = 24_000;

/// The packages of the interpreter for all ways but the bindings of 3.0.
const PACKAGES: [&str; 4] = ["pyarrow", "pandas", "polars", "otf2"];

/// Who reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// `kymograph`.
    Own,
    /// The interpreter of the system, with the bindings of 3.0.
    System,
    /// The bindings of 3.2.
    Newest,
    /// pipit, with the bindings of 3.2.
    Pipit,
}

/// Ways to read: title, who, the way of `ways.py`, the goal in nanoseconds an event.
const READING: [(&str, Reader, &str, Option<f64>); 9] = [
    ("calls as a table of pyarrow", Reader::Own, "calls", Some(20.0)),
    ("calls in batches", Reader::Own, "calls-batches", None),
    ("calls as a frame of Polars", Reader::Own, "calls-polars", None),
    ("calls as a frame of pandas", Reader::Own, "calls-pandas", None),
    ("profile", Reader::Own, "profile", None),
    ("pipit's frame", Reader::Own, "to-pipit", Some(300.0)),
    ("OTF2 bindings 3.0, all events", Reader::System, "bindings", None),
    ("OTF2 bindings 3.2, all events", Reader::Newest, "bindings", None),
    ("pipit, its frame with calls matched", Reader::Pipit, "pipit", None),
];

/// Ways to write.
const WRITING: [(&str, Reader, &str); 4] = [
    ("`kymograph.Writer`, a table of calls", Reader::Own, "writer"),
    ("OTF2 bindings 3.0", Reader::System, "bindings-writer"),
    ("OTF2 bindings 3.2", Reader::Newest, "bindings-writer"),
    ("`_otf2` 3.2, the functions of C alone", Reader::Newest, "raw-bindings-writer"),
];

/// The interpreters and the package.
struct Pythons {
    package: TempDir,
    newest: PathBuf,
    pipit: Option<OsString>,
    commands: PathBuf,
}

/// Seconds, events and KiB of a way.
struct Measured {
    seconds: f64,
    events: f64,
    memory: f64,
}

impl Pythons {
    fn new(bench: &Bench) -> Result<Self> {
        let library = bench.build("kymograph", "lib_native.so")?;
        let package = bench.folder()?;
        let folder = package.path().join("kymograph");
        fs::create_dir(&folder)?;
        for file in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/kymograph"))? {
            let file = file?;
            symlink(file.path(), folder.join(file.file_name()))?;
        }
        symlink(&library, folder.join("_native.abi3.so"))?;
        let commands = library.parent().ok_or("no folder")?.to_owned();
        let environment = commands.join("bench-python");
        let newest = environment.join("bin/python");
        let import = Command::new(&newest).args(["-c", "import otf2, polars, pandas, pyarrow"]).status();
        if !import.is_ok_and(|status| status.success()) {
            run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
            run(Command::new(&newest).args(["-m", "pip", "install", "--quiet"]).args(PACKAGES))?;
        }
        Ok(Self { package, newest, pipit: env::var_os("KYMO_BENCH_PIPIT"), commands })
    }

    /// Returns the measurements of a way; `None` without the programs that it needs.
    fn measure(&self, reader: Reader, way: &str, path: &Path) -> Result<Option<Measured>> {
        let (python, search) = match reader {
            Reader::System => (Path::new("/usr/bin/python3"), OsString::new()),
            Reader::Pipit => match &self.pipit {
                Some(folder) => (self.newest.as_path(), folder.clone()),
                None => return Ok(None),
            },
            Reader::Own | Reader::Newest => (self.newest.as_path(), self.package.path().into()),
        };
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/ways.py");
        let mut command = Command::new(python);
        command.arg(script).arg(way).arg(path).env("PYTHONPATH", search);
        let output = command.env("PYTHONDONTWRITEBYTECODE", "1").output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let numbers: Vec<f64> = text.split_whitespace().filter_map(|it| it.parse().ok()).collect();
        match (output.status.success(), numbers.as_slice()) {
            (true, &[seconds, events, memory]) => Ok(Some(Measured { seconds, events, memory })),
            _ => Err(format!("{way}: {}", String::from_utf8_lossy(&output.stderr)).into()),
        }
    }
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}

/// Prints the tables of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Python\n\n{ABOUT}\n");
    let pythons = Pythons::new(bench)?;
    let repetitions = bench.repetitions.min(5);
    reading(bench, &pythons, repetitions)?;
    writing(bench, &pythons, repetitions)?;
    let import = |_| -> Result<f64> {
        let python = format!("PYTHONPATH={} {}", pythons.package.path().display(), pythons.newest.display());
        let (empty, whole) = (format!("{python} -c pass"), format!("{python} -c 'import kymograph'"));
        Ok((printing::cpu(&whole)? - printing::cpu(&empty)?) * 1e3)
    };
    let import = (0..repetitions).map(import).collect::<Result<Vec<_>>>()?;
    println!("`import kymograph` takes {} ms (goal 50).\n", Spread::of(import));
    Ok(())
}

fn reading(bench: &Bench, pythons: &Pythons, repetitions: u32) -> Result<()> {
    let scale = if bench.quick { 100 } else { 1 };
    let (large, small) = (bench.folder()?, bench.folder()?);
    let (many, events) = stencil(large.path(), LOCATIONS, MANY / scale)?;
    let (few, _) = stencil(small.path(), LOCATIONS, FEW / scale)?;
    let mut times = vec![Vec::new(); READING.len()];
    let mut memory = vec![0.0; READING.len()];
    let mut command = Vec::new();
    for _ in 0..repetitions {
        for (place, (_, reader, way, _)) in READING.iter().enumerate() {
            let anchor = if *reader == Reader::Own { &many } else { &few };
            let Some(measured) = pythons.measure(*reader, way, anchor)? else { continue };
            // The definitions of this trace state other numbers.
            let count = if *reader == Reader::Own { events as f64 } else { measured.events };
            times[place].push(measured.seconds * 1e9 / count);
            memory[place] = measured.memory / 1024.0;
        }
        let profile =
            format!("{} profile -q -j 1 {}", pythons.commands.join("kymo").display(), many.display());
        command.push(printing::cpu(&profile)? * 1e9 / events as f64);
    }
    let mut table = Table::new(&["reading", "CPU ns per event", "memory, MiB"]);
    for ((title, .., goal), (times, memory)) in READING.iter().zip(times.into_iter().zip(memory)) {
        let goal = goal.map(|goal| format!(" (goal {goal})")).unwrap_or_default();
        let cell = if times.is_empty() { "–".to_owned() } else { Spread::of(times).to_string() };
        table.row(vec![(*title).to_owned(), cell + &goal, figure((memory > 0.0).then_some(memory), 0)]);
    }
    table.row(vec!["`kymo profile -j 1`".to_owned(), Spread::of(command).to_string(), String::new()]);
    println!("{table}");
    Ok(())
}

fn writing(bench: &Bench, pythons: &Pythons, repetitions: u32) -> Result<()> {
    let mut times = vec![Vec::new(); WRITING.len()];
    for _ in 0..repetitions {
        for (times, (_, reader, way)) in times.iter_mut().zip(WRITING) {
            let folder = bench.folder()?;
            let Some(measured) = pythons.measure(reader, way, &folder.path().join("new"))? else { continue };
            times.push(measured.seconds * 1e9 / measured.events);
        }
    }
    let mut table = Table::new(&["writing", "CPU ns per event", "times the first"]);
    let spreads: Vec<_> = times.into_iter().map(Spread::of).collect();
    for ((title, ..), spread) in WRITING.iter().zip(&spreads) {
        let times = spread.median / spreads[0].median;
        table.row(vec![(*title).to_owned(), spread.to_string(), figure(Some(times), 1)]);
    }
    println!("{table}");
    Ok(())
}

const ABOUT: &str = "\
Processor time of a process of its own, without the imports, and its largest memory. `kymograph`
reads the stencil trace of the stage `analysis`, in one thread but for pipit's frame, the others one
with a sixteenth of its events, as they take that much longer. Half of the events are enters.
Written are a million calls of a location, each second one inside another.";
