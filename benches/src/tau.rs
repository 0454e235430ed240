//! Stage `tau`: reading TAU traces into empty callbacks, compared with a plain loop in C.
//!
//! The loop does the central work of TAU's own reader: it reads pieces of 1024 records, looks up
//! each event in a tree map, and calls a function through a pointer.

use crate::format_writer::{per, with_ratio};
use crate::measure::{Sample, process_cpu};
use crate::run::{Run, instructions, interleaved};
use crate::table::{Table, figure};
use crate::{Bench, Result, libotf2};
use kymo_tau::{Callbacks, Message, Reader, Thread, Writer};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The number of records in a trace.
const RECORDS: u64 = 50_000_000;
/// The size of a record in bytes.
const RECORD: u64 = 24;
/// The traces: title, number of states in the event file, whether their order repeats.
const ROWS: [(&str, u32, bool); 4] = [
    ("100 states, in no order", 100, false),
    ("1,000 states, in no order", 1000, false),
    ("10,000 states, in no order", 10_000, false),
    ("100 states, always in the same order", 100, true),
];
const THREADS: u16 = 8;
const START: u64 = 1_700_000_000_000_000;

/// Callbacks that do nothing.
struct Empty;

impl Callbacks for Empty {}

/// Reads a trace.
pub(crate) fn child(folder: &Path) -> Result<Sample> {
    let began = process_cpu();
    let mut reader = Reader::open(folder.join("tau.trc"), folder.join("tau.edf"))?;
    let opened = process_cpu();
    let records = reader.read(u64::MAX, &mut Empty)?;
    let read = process_cpu() - opened;
    Ok(Sample { recorded: read, total: process_cpu() - began, bytes: records, memory: 0 })
}

/// Copies a trace, in pieces of the reader's size, without looking at the data.
pub(crate) fn copy(folder: &Path) -> Result<Sample> {
    let mut file = File::open(folder.join("tau.trc"))?;
    let (mut piece, mut bytes) = (vec![0; 192 << 10], 0);
    let began = process_cpu();
    loop {
        match file.read(&mut piece)? {
            0 => break,
            count => bytes += count as u64,
        }
    }
    let read = process_cpu() - began;
    Ok(Sample { recorded: read, total: read, bytes: bytes / RECORD, memory: 0 })
}

/// A generator of pseudorandom numbers with a fixed sequence.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % limit
    }
}

/// Writes a trace of nested states on several threads; about a tenth of the records are counters, a
/// twentieth messages.
fn write(folder: &Path, states: u32, repeats: bool, records: u64) -> Result<()> {
    let mut writer = Writer::create(folder.join("tau.trc"), folder.join("tau.edf"))?;
    for state in 1..=states {
        writer.define_state(state, format!("state {state}"), 1 + state % 7);
    }
    let counter = states + 1;
    writer.define_user_event(counter, "counter", 0);
    let (mut random, mut open) = (Random(7), vec![Vec::new(); THREADS.into()]);
    // The first record begins the trace.
    for number in 1..records {
        let choice =
            |random: &mut Random, limit| if repeats { number / 2 % limit } else { random.below(limit) };
        let number_of_thread = choice(&mut random, THREADS.into());
        let thread = Thread { node: number_of_thread as u16 / 2, thread: number_of_thread as u16 % 2 };
        let open: &mut Vec<u32> = &mut open[number_of_thread as usize];
        let time = START + number;
        match if repeats { 99 } else { random.below(100) } {
            0..10 => writer.trigger(time, thread, counter, number as i64)?,
            10..15 => {
                writer.send(time, thread, Message { partner: 1, length: 8, tag: 1, communicator: 0 })?
            }
            _ => match open.pop() {
                Some(state) if repeats || open.len() > 8 || random.below(2) == 0 => {
                    writer.leave(time, thread, state)?;
                }
                popped => {
                    open.extend(popped);
                    open.push(1 + choice(&mut random, states.into()) as u32);
                    writer.enter(time, thread, open[open.len() - 1])?;
                }
            },
        }
    }
    Ok(writer.finish()?)
}

fn readers(bench: &Bench) -> Result<Readers> {
    let library = bench.build("kymo-ttf", "libkymo_ttf.so")?;
    let folder = library.parent().ok_or("the library has no parent folder")?;
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../include");
    let link = [
        format!("-I{}", include.display()),
        format!("-L{}", folder.display()),
        "-lkymo_ttf".to_owned(),
        format!("-Wl,-rpath,{}", folder.display()),
    ];
    let c = |name| libotf2::compile_with(bench.scratch.path(), name, &link);
    let loop_in_c = c("tau_loop").ok_or("the loop to compare with cannot be compiled")?;
    let library = c("tau_library").ok_or("the program on the C interface cannot be compiled")?;
    Ok(Readers { this: bench.this.clone(), loop_in_c, library })
}

/// The programs that read a trace.
struct Readers {
    this: PathBuf,
    loop_in_c: PathBuf,
    library: PathBuf,
}

impl Readers {
    /// Returns the runs: the loop in C, ours in Rust, ours through the C interface, the latter with
    /// one function for enter and leave, and copying.
    fn runs(&self, folder: &Path) -> [Run; 5] {
        let folder = folder.display();
        let files = format!("{folder}/tau.trc {folder}/tau.edf");
        [
            Run::new(&self.loop_in_c, &files),
            Run::new(&self.this, &format!("child tau {folder}")),
            Run::new(&self.library, &files),
            Run::new(&self.library, &format!("{files} one")),
            Run::new(&self.this, &format!("child tau-copy {folder}")),
        ]
    }
}

/// Prints the table of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Reading TAU traces\n\n{ABOUT}\n");
    let readers = readers(bench)?;
    let mut table = Table::new(&[
        "events",
        "Kymo",
        "loop in C",
        "C interface",
        "loop in C",
        "C interface, one function",
        "loop in C",
        "only copying",
        "instructions",
        "loop in C",
        "C interface",
    ]);
    for (title, states, repeats) in ROWS {
        table.row(row(bench, &readers, title, states, repeats)?);
    }
    println!("{table}");
    println!("{ABOUT_MEMORY}\n");
    println!("{}", memory(bench, &readers)?);
    Ok(())
}

/// Returns the table of peak memory, with a trace and with one of ten times its length.
fn memory(bench: &Bench, readers: &Readers) -> Result<Table> {
    let (_, states, repeats) = ROWS[0];
    let (small, large) = (TempDir::new()?, TempDir::new()?);
    let records = records(bench);
    write(small.path(), states, repeats, records / 10)?;
    write(large.path(), states, repeats, records)?;
    let kymo = bench.build("kymo", "kymo")?;
    let of = |folder: &TempDir| -> Result<[u64; 3]> {
        let path = folder.path().display();
        let [_, rust, library, ..] = readers.runs(folder.path());
        let convert = Run::new(&kymo, &format!("tau2otf2 {path}/tau.trc {path}/tau.edf"));
        let out = folder.path().join("out");
        Ok([rust.peak(folder.path())?, library.peak(folder.path())?, convert.peak(&out)?])
    };
    let (small, large) = (of(&small)?, of(&large)?);
    let titles = ["`Reader::read`", "C interface", "`kymo tau2otf2`"];
    let mut table = Table::new(&["most memory, MiB", "short trace", "ten times as long"]);
    for (title, (small, large)) in titles.into_iter().zip(small.into_iter().zip(large)) {
        let mib = |kib: u64| figure(Some(kib as f64 / 1024.0), 1);
        table.row(vec![title.to_owned(), mib(small), mib(large)]);
    }
    Ok(table)
}

fn records(bench: &Bench) -> u64 {
    if bench.quick { RECORDS / 50 } else { RECORDS }
}

fn row(bench: &Bench, readers: &Readers, title: &str, states: u32, repeats: bool) -> Result<Vec<String>> {
    let records = records(bench);
    let folder = TempDir::new()?;
    write(folder.path(), states, repeats, records)?;
    let samples = interleaved(bench, &readers.runs(folder.path()))?;
    if samples.iter().flatten().any(|sample| sample.bytes != records) {
        return Err(format!("{title}: not all have read {records} records").into());
    }
    let time = |reader: usize| per(&samples[reader], records, |sample| sample.recorded);
    let mut row = vec![title.to_owned()];
    for reader in [1, 2, 3] {
        row.extend([time(reader).to_string(), with_ratio(Some(time(0)), Some(time(reader)))]);
    }
    row.push(time(4).to_string());
    let (small, large) = (bench.folder()?, bench.folder()?);
    let sizes = (50_000, 150_000);
    write(small.path(), states, repeats, sizes.0)?;
    write(large.path(), states, repeats, sizes.1)?;
    for reader in [1, 0, 2] {
        let run = |records| {
            let folder = if records == sizes.0 { small.path() } else { large.path() };
            readers.runs(folder)[reader].clone()
        };
        row.push(figure(instructions(bench, sizes, run)?, 1));
    }
    Ok(row)
}

const ABOUT: &str = "\
Nanoseconds of CPU and instructions per record, medians; 50 million records of 24 bytes on 8
threads, nested states, 10 % counters, 5 % messages (neither in the last row), into empty callbacks.
*Loop in C*: pieces of 1024 records, each event looked up in a balanced tree, a function called
through a pointer, and nothing else. *Kymo*: `Reader::read`; *C interface*: `Ttf_ReadNumEvents` of
libkymo_ttf, which also calls through pointers; *one function*: the C interface with one callback
for enter and leave. The files are in the folder for temporary files and in the page cache. *Only
copying*: the system copies them in the pieces that the reader uses; that time is included in all
figures.";

const ABOUT_MEMORY: &str = "\
The peak resident memory (`VmHWM`) of the whole program, with 5 and with 50 million records; 100
states in no order.";
