//! Stages `definitions` and `definitions-reading`: the definition log, its conversion to the global
//! definition file, libotf2's global definition writer, and reading.

use crate::format_writer::{FILE_PIECE, ReusedPiece, per, with_goal, with_ratio};
use crate::measure::{Sample, resident, thread_cpu};
use crate::reading::Sum;
use crate::reading_tables::with_speedup;
use crate::run::{Run, instructions, interleaved};
use crate::table::{Table, figure};
use crate::{Bench, Result};
use kymo_otf2::definitions::{self, ClockProperties, GlobalDefinition, Region};
use kymo_otf2::enums::{Paradigm, RegionRole};
use kymo_otf2::flags::RegionFlag;
use kymo_otf2::read::Archive;
use kymo_otf2::references::{RegionRef, StringRef};
use kymo_otf2::storage::Directory;
use kymo_otf2::text::Text;
use kymo_otf2::write::anchor::anchor_bytes;
use kymo_otf2::write::{GlobalDefinitionWriter, Pieces, StoragePieces};
use kymo_otf2::{Anchor, FileName, Storage};
use kymo_recorder::archive::{Description, GlobalDefinitions};
use kymo_recorder::memory::Budget;
use kymo_recorder::scratch::{ScratchFile, ScratchPlace};
use kymo_recorder::{DefinitionLog, MemorySettings, Recorder};
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

/// The chunk size of the definition files, in bytes.
const CHUNK: u64 = 256 * 1024;

/// The number of regions in a measurement; each has its own name.
const REGIONS: u64 = 100_000;

/// The goal for the ratio to the time of libotf2.
const GOAL: f64 = 4.0;

/// The numbers of regions in the two runs whose instructions are compared.
const SIZES: (u64, u64) = (2_000, 22_000);

const CLOCK: ClockProperties = ClockProperties {
    timer_resolution: 1_000_000_000,
    global_offset: 0,
    trace_length: 1,
    realtime_timestamp: u64::MAX,
};

static BUDGET: Budget = Budget::new(usize::MAX);

fn names(regions: u64) -> Vec<String> {
    (0..regions).map(|region| format!("region_{region:06}")).collect()
}

fn region(index: u32, name: StringRef, description: StringRef, source_file: StringRef) -> Region {
    Region {
        id: RegionRef(index),
        name,
        canonical_name: name,
        description,
        region_role: black_box(RegionRole::FUNCTION),
        paradigm: black_box(Paradigm::COMPILER),
        region_flags: RegionFlag::empty(),
        source_file,
        begin_line_number: index,
        end_line_number: index + 9,
    }
}

/// Defines `regions` regions: only in the log (`log`), in log and journal (`journal`), from the log
/// in a file (`log-file`), or with the writer in a reused piece (`piece`) or a file (`file`).
/// `names` only makes their names.
pub(crate) fn child(implementation: &str, regions: u64, folder: &Path) -> Result<Sample> {
    let names = names(regions);
    let began = thread_cpu();
    let (recorded, bytes) = match implementation {
        "names" => (began, black_box(&names).len() as u64),
        "log" | "log-file" => {
            log(DefinitionLog::new(&BUDGET), &names, (implementation == "log-file").then_some(folder))?
        }
        "journal" => journal(&names)?,
        "piece" => write(&names, ReusedPiece::new())?,
        _ => {
            let storage = Directory::make(folder, kymo_otf2::archive::DEFAULT_NAME)?;
            write(&names, StoragePieces::new(&storage, FileName::GlobalDefinitions, FILE_PIECE))?
        }
    };
    Ok(Sample { recorded: recorded - began, total: thread_cpu() - began, bytes, memory: 0 })
}

/// Defines the regions as the plugin does at an announcement: each text is looked up, the region is
/// appended. Returns the time at which the log is complete, and the bytes of log or file.
fn log(mut definitions: DefinitionLog, names: &[String], folder: Option<&Path>) -> Result<(u64, u64)> {
    definitions.string(b"source.c");
    for (index, name) in names.iter().enumerate() {
        let name = definitions.string(name.as_bytes());
        let description = definitions.string(b"");
        let source_file = definitions.string(b"source.c");
        let canonical_name = definitions.string(names[index].as_bytes());
        let region = region(index as u32, name, description, source_file);
        definitions.define(&Region { canonical_name, ..region });
    }
    let recorded = thread_cpu();
    if definitions.lost() > 0 {
        return Err("the log lost definitions".into());
    }
    let Some(folder) = folder else { return Ok((recorded, definitions.log().len() as u64)) };
    let storage = Directory::make(folder, kymo_otf2::archive::DEFAULT_NAME)?;
    let description = Description { creator: "bench", properties: &[], trace_id: 1 };
    GlobalDefinitions::from_log(CLOCK, definitions.log())?.write(&storage, &description)?;
    Ok((recorded, fs::metadata(folder.join("traces.def"))?.len()))
}

/// Like [`log`], but with a journal in scratch memory, as in a plugin.
fn journal(names: &[String]) -> Result<(u64, u64)> {
    let scratch = ScratchFile::make(&ScratchPlace::Automatic)?;
    let recorder = Recorder::new(&BUDGET, scratch, &MemorySettings::default()).ok_or("no memory")?;
    let drain = recorder.drain();
    let done = log(DefinitionLog::in_journal(&BUDGET, drain.journal()), names, None);
    let _ = drain.remove_scratch();
    match drain.journal().lost() {
        0 => done,
        lost => Err(format!("the journal lost {lost} definitions").into()),
    }
}

/// Writes the same records in the order of the file. Returns the time before the end of the file,
/// and its bytes.
fn write<P: Pieces>(names: &[String], pieces: P) -> Result<(u64, u64)> {
    let mut writer = GlobalDefinitionWriter::new(pieces, CHUNK)?;
    writer.record(&CLOCK)?;
    writer.record(&definitions::String { id: StringRef(0), string: Text::from("") })?;
    writer.record(&definitions::String { id: StringRef(1), string: Text::from("source.c") })?;
    for (id, text) in (2..).zip(names) {
        writer.record(&definitions::String { id: StringRef(id), string: Text::from(text.as_str()) })?;
    }
    for index in 0..names.len() as u32 {
        writer.record(&region(index, StringRef(2 + index), StringRef(0), StringRef(1)))?;
    }
    let recorded = thread_cpu();
    Ok((recorded, writer.finish()?.length))
}

/// Writes an archive that consists of the same definitions; returns its anchor file.
pub(crate) fn archive(folder: &Path, regions: u64) -> Result<PathBuf> {
    let storage = Directory::make(folder, kymo_otf2::archive::DEFAULT_NAME)?;
    let pieces = StoragePieces::new(&storage, FileName::GlobalDefinitions, 64 * 1024);
    write(&names(regions), pieces)?;
    let anchor = Anchor {
        definition_chunk_size: CHUNK,
        number_of_global_definitions: 3 + 2 * regions,
        ..Anchor::default()
    };
    storage.write_at(FileName::Anchor, 0, &anchor_bytes(&anchor)?)?;
    Ok(folder.join("traces.otf2"))
}

/// Reads the global definitions of an archive; the content of strings and regions is added to a
/// checksum.
pub(crate) fn read(way: &str, anchor: &Path) -> Result<Sample> {
    let began = thread_cpu();
    let archive = Archive::open(anchor)?;
    let opened = thread_cpu();
    let mut sum = Sum::default();
    let mut add = |definition: &GlobalDefinition<'_>| match definition {
        GlobalDefinition::String(string) => {
            let text = string.string.as_bytes();
            let first = text.first().copied().unwrap_or(0);
            sum.add(string.id.0.into(), first.into(), text.len() as u64);
        }
        GlobalDefinition::Region(region) => {
            sum.add(region.id.0.into(), region.name.0.into(), region.begin_line_number.into());
        }
        _ => {}
    };
    match way {
        "visitor" => archive.each_global_definition(|definition| {
            add(definition);
            Ok::<_, kymo_otf2::Error>(())
        })?,
        _ => archive
            .global_definitions()?
            .records()?
            .try_for_each(|definition| definition.map(|it| add(&it)))?,
    }
    Ok(Sample {
        recorded: thread_cpu() - opened,
        total: thread_cpu() - began,
        bytes: sum.0,
        memory: resident(),
    })
}

/// Returns the run that reads the global definitions of an archive in a process of its own.
pub(crate) fn read_run(bench: &Bench, way: &str, anchor: &Path) -> Run {
    Run::new(&bench.this, &format!("child definitions-read {way} {}", anchor.display()))
}

/// Prints the table of reading.
pub(crate) fn report_reading(bench: &Bench) -> Result<()> {
    println!("## Definitions, read\n\nThe same 200 000 definitions.\n");
    let folder = bench.folder()?;
    let anchor = archive(folder.path(), REGIONS)?;
    let mut runs = vec![read_run(bench, "visitor", &anchor), read_run(bench, "records", &anchor)];
    let reference = bench.libotf2_read.as_ref();
    runs.extend(reference.map(|program| Run::new(program, &format!("definitions {}", anchor.display()))));
    let samples = interleaved(bench, &runs)?;
    let mut sums = samples.iter().flatten().map(|sample| sample.bytes);
    let first = sums.next();
    if sums.any(|sum| Some(sum) != first) {
        return Err("definitions: the readers disagree".into());
    }
    let time = |index: usize| samples.get(index).map(|of| per(of, 2 * REGIONS, |sample| sample.recorded));
    let mut table = Table::new(&["reading", "ns"]);
    table.row(vec!["libotf2, callbacks".to_owned(), with_ratio(time(2), None)]);
    for (index, title) in
        ["`each_global_definition`", "`global_definitions`, the whole file"].iter().enumerate()
    {
        let ours = time(index).map(|ours| with_speedup(ours, time(2), Some(5.0)));
        table.row(vec![(*title).to_owned(), ours.unwrap_or_default()]);
    }
    println!("{table}");
    Ok(())
}

fn ours(bench: &Bench, implementation: &str, regions: u64) -> Run {
    Run::new(&bench.this, &format!("child definitions {implementation} {regions}"))
}

fn libotf2(program: &Path, what: &str, regions: u64) -> Run {
    Run::new(program, &format!("{what} {regions}"))
}

/// Checks that all ways write the same file.
fn check(bench: &Bench, program: &Path) -> Result<()> {
    let file = |run: Run| -> Result<Vec<u8>> {
        let folder = bench.folder()?;
        run.sample_in(folder.path())?;
        Ok(fs::read(folder.path().join("traces.def"))?)
    };
    let reference = file(libotf2(program, "definitions", REGIONS))?;
    for implementation in ["file", "log-file"] {
        if file(ours(bench, implementation, REGIONS))? != reference {
            return Err(format!("definitions, {implementation}: not the bytes of libotf2").into());
        }
    }
    Ok(())
}

/// Instructions per definition.
#[derive(Debug)]
struct Counts {
    log: Option<f64>,
    journal: Option<f64>,
    end: Option<f64>,
    writer: Option<f64>,
    libotf2: Option<f64>,
}

impl Counts {
    /// Computes the counts, without the instructions for making the names.
    fn of(bench: &Bench) -> Result<Self> {
        let of =
            |implementation: &str| instructions(bench, SIZES, |regions| ours(bench, implementation, regions));
        let reference = |what: &str| match &bench.libotf2 {
            Some(program) => instructions(bench, SIZES, |regions| libotf2(program, what, regions)),
            None => Ok(None),
        };
        // A region is two definitions.
        let between = |more: Option<f64>, less: Option<f64>| Some((more? - less?) / 2.0);
        let (names, log) = (of("names")?, of("log")?);
        Ok(Self {
            log: between(log, names),
            journal: between(of("journal")?, names),
            end: between(of("log-file")?, log),
            writer: between(of("piece")?, names),
            libotf2: between(reference("definitions")?, reference("names")?),
        })
    }
}

/// Prints the table of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    let mut runs = ["log-file", "piece", "file", "journal"].map(|way| ours(bench, way, REGIONS)).to_vec();
    if let Some(program) = &bench.libotf2 {
        check(bench, program)?;
        runs.push(libotf2(program, "definitions", REGIONS));
    }
    let samples = interleaved(bench, &runs)?;
    let units = 2 * REGIONS;
    let recorded = |index: usize| samples.get(index).map(|of| per(of, units, |sample| sample.recorded));
    let total = |index: usize| samples.get(index).map(|of| per(of, units, |sample| sample.total));
    let from_log = per(&samples[0], units, |sample| sample.total - sample.recorded);
    let counts = Counts::of(bench)?;
    println!("## Definitions, written\n\n{ABOUT}\n");
    let mut table = Table::new(&["step", "ns", "ns, until in the file", "instructions"]);
    let mut row = |step: &str, recorded: String, total: String, count: Option<f64>| {
        table.row(vec![step.to_owned(), recorded, total, figure(count, 0)]);
    };
    let plain = |spread| with_ratio(spread, None);
    row("announcement: interning, log", plain(recorded(0)), plain(None), counts.log);
    row("the same, noted in the journal", plain(recorded(3)), plain(None), counts.journal);
    row("end: log, order, file", plain(None), plain(Some(from_log)), counts.end);
    row("definition writer", plain(recorded(1)), plain(total(2)), counts.writer);
    let [recorded, total] = [(recorded(4), recorded(1)), (total(4), total(2))]
        .map(|(libotf2, ours)| with_goal(libotf2, ours, Some(GOAL)));
    row("libotf2's definition writer", recorded, total, counts.libotf2);
    println!("{table}");
    Ok(())
}

const ABOUT: &str = "\
100 000 regions, each with a name of its own: 200 000 definitions. Nanoseconds of CPU and
instructions per definition. An announcement looks up four texts, one of which is new; the plugin
also notes it in the journal. All ways produce the same files, byte for byte. libotf2 receives ids
and order from its caller, so its figures compare only with those of the writer; its instructions
are counted to the end of the file, those of the writer into a reused piece.";
