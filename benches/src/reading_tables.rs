//! Stages `reading`, `reading-instructions`, `threads` and `scaling`: the cost of reading compared
//! with libotf2, on two threads, and with larger archives.

use crate::archive::{self, Local};
use crate::format_writer::per;
use crate::measure::{Sample, Spread};
use crate::run::{Run, instructions, interleaved};
use crate::stream::Case;
use crate::table::{Table, figure};
use crate::{Bench, Result, definitions};
use std::path::{Path, PathBuf};

/// An archive that is read, and the goals for the ratio to libotf2.
struct Row {
    title: &'static str,
    case: Case,
    local: Local,
    locations: u64,
    /// The goals for reading in the order of time, without and with opening.
    in_order: [Option<f64>; 2],
}

const fn row(title: &'static str, case: Case, locations: u64, in_order: [Option<f64>; 2]) -> Row {
    Row { title, case, local: Local::Empty, locations, in_order }
}

const ROWS: [Row; 7] = [
    row("Enter, Leave; 1 location", Case::EnterLeave, 1, [Some(5.5), None]),
    row("8 locations", Case::EnterLeave, 8, [Some(3.3), None]),
    row("64 locations", Case::EnterLeave, 64, [Some(6.0), None]),
    row("512 locations", Case::EnterLeave, 512, [Some(7.5), Some(10.0)]),
    Row {
        local: Local::Mapped,
        ..row("8 locations with mapping tables and clock offsets", Case::EnterLeave, 8, [None, None])
    },
    row("each with a Metric of 1 value; 8 locations", Case::Metric, 8, [None, None]),
    row("MpiSend, MpiRecv; 8 locations", Case::Messages, 8, [None, None]),
];

/// The ways to read location by location: argument, title, goal for Enter and Leave.
const LOCAL: [(&str, &str, f64); 3] = [
    ("local-visitor", "`each`, inlined", 6.5),
    ("local-callback", "`each`, a call per event", 4.3),
    ("local-next", "`next`", 4.3),
];
/// The ways to read in the order of time: argument, title.
const IN_ORDER: [(&str, &str); 2] = [("global-visitor", "`each`, inlined"), ("global-next", "`next`")];

/// The goal for the ratio of memory to that of libotf2, for 512 locations.
const MEMORY: f64 = 25.0;

/// The number of locations, and the numbers of pairs of events, in the archives whose instructions
/// are compared.
const COUNTED_LOCATIONS: u64 = 8;
const SIZES: (u64, u64) = (40_000, 120_000);

/// Writes an archive with about `pairs` pairs of events in total; returns the anchor file and the
/// number of records.
fn written(folder: &Path, case: Case, local: Local, locations: u64, pairs: u64) -> Result<(PathBuf, u64)> {
    let pairs = pairs / locations;
    let anchor = archive::write(folder, case, local, locations, pairs)?;
    Ok((anchor, case.records() * pairs * locations))
}

fn ours(bench: &Bench, way: &str, anchor: &Path) -> Run {
    Run::new(&bench.this, &format!("child reading {way} {}", anchor.display()))
}

fn theirs(bench: &Bench, order: &str, anchor: &Path) -> Option<Run> {
    bench.libotf2_read.as_ref().map(|program| Run::new(program, &format!("{order} {}", anchor.display())))
}

/// The samples of our ways, and those of libotf2 if it is installed.
pub(crate) type Compared = (Vec<Vec<Sample>>, Option<Vec<Sample>>);

/// Runs our ways and libotf2, and checks that all read the same.
pub(crate) fn compared(bench: &Bench, ways: &[&str], order: &str, anchor: &Path) -> Result<Compared> {
    let mut runs: Vec<Run> = ways.iter().map(|way| ours(bench, way, anchor)).collect();
    runs.extend(theirs(bench, order, anchor));
    let mut samples = interleaved(bench, &runs)?;
    let mut sums = samples.iter().flatten().map(|sample| sample.bytes);
    let first = sums.next();
    if sums.any(|sum| Some(sum) != first) {
        return Err(format!("{}: the readers disagree", anchor.display()).into());
    }
    let reference = (samples.len() > ways.len()).then(|| samples.pop()).flatten();
    Ok((samples, reference))
}

/// Formats a spread, the ratio and the goal as in `2.91 (2.80–3.10) = 6.1× (goal 6.5)`.
pub(crate) fn with_speedup(ours: Spread, theirs: Option<Spread>, goal: Option<f64>) -> String {
    let goal = goal.map_or(String::new(), |goal| format!(" (goal {goal})"));
    match theirs {
        Some(theirs) => format!("{ours} = {:.1}×{goal}", theirs.median / ours.median),
        None => format!("{ours}{goal}"),
    }
}

pub(crate) fn cell(spread: Option<Spread>) -> String {
    spread.map_or_else(|| "–".to_owned(), |spread| spread.to_string())
}

/// Prints the tables of reading.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Reading\n\n{ABOUT}\n");
    let mut local = Table::new(&["location by location", "libotf2", LOCAL[0].1, LOCAL[1].1, LOCAL[2].1]);
    let mut in_order = Table::new(&["in the order of time", "libotf2", IN_ORDER[0].1, IN_ORDER[1].1]);
    let mut opening = Table::new(&["with opening", "libotf2", "`each`", "MiB libotf2", "MiB `each`"]);
    for row in ROWS {
        let folder = bench.folder()?;
        let (anchor, events) =
            written(folder.path(), row.case, row.local, row.locations, 2 * bench.pairs(row.case))?;
        let has_goal = row.case == Case::EnterLeave && row.local == Local::Empty;
        let goal = |goal: f64| has_goal.then_some(goal);
        let (samples, reference) = compared(bench, &LOCAL.map(|way| way.0), "local", &anchor)?;
        let time = |samples: &Vec<Sample>| per(samples, events, |sample| sample.recorded);
        let theirs = reference.as_ref().map(time);
        let ways = samples.iter().zip(LOCAL).map(|(of, way)| with_speedup(time(of), theirs, goal(way.2)));
        local.row([row.title.to_owned(), cell(theirs)].into_iter().chain(ways).collect());

        let (samples, reference) = compared(bench, &IN_ORDER.map(|way| way.0), "global", &anchor)?;
        let theirs = reference.as_ref().map(time);
        let ways = samples.iter().map(|of| with_speedup(time(of), theirs, row.in_order[0]));
        in_order.row([row.title.to_owned(), cell(theirs)].into_iter().chain(ways).collect());

        let total = |samples: &Vec<Sample>| per(samples, events, |sample| sample.total);
        let memory =
            |samples: &Vec<Sample>| Spread::of(samples.iter().map(|it| it.memory as f64 / 1024.0).collect());
        let (time, less) = (reference.as_ref().map(total), reference.as_ref().map(memory));
        let goal = row.in_order[1].map(|_| MEMORY);
        opening.row(vec![
            row.title.to_owned(),
            cell(time),
            with_speedup(total(&samples[0]), time, row.in_order[1]),
            cell(less),
            with_speedup(memory(&samples[0]), less, goal),
        ]);
    }
    println!("{local}\n{in_order}\n{opening}");
    Ok(())
}

/// Prints the table of instructions per record, which other load on the machine does not change.
pub(crate) fn counts(bench: &Bench) -> Result<()> {
    println!("## Reading, instructions\n\n{ABOUT_COUNTS}\n");
    let titles = ["location by location", "libotf2", "`each`, inlined", "`each`, a call per event", "`next`"];
    let mut local = Table::new(&titles);
    let mut in_order = Table::new(&["in the order of time", "libotf2", "`each`, inlined", "`next`"]);
    for row in ROWS.iter().filter(|row| row.locations == COUNTED_LOCATIONS) {
        let folders = [bench.folder()?, bench.folder()?];
        let make = |which: usize, pairs| {
            written(folders[which].path(), row.case, row.local, COUNTED_LOCATIONS, pairs)
        };
        let archives = [make(0, SIZES.0)?, make(1, SIZES.1)?];
        local.row(counted(bench, row.title, "local", &LOCAL.map(|(way, ..)| way), &archives)?);
        in_order.row(counted(bench, row.title, "global", &IN_ORDER.map(|(way, _)| way), &archives)?);
    }
    println!("{local}\n{in_order}");
    Ok(())
}

/// Returns a row of instructions per record: of libotf2, then of our ways.
fn counted(
    bench: &Bench,
    title: &str,
    order: &str,
    ways: &[&str],
    archives: &[(PathBuf, u64); 2],
) -> Result<Vec<String>> {
    let [small, large] = archives;
    let anchor = |events: u64| if events == small.1 { &small.0 } else { &large.0 };
    let of =
        |run: &dyn Fn(&Path) -> Run| instructions(bench, (small.1, large.1), |events| run(anchor(events)));
    let reference = match &bench.libotf2_read {
        Some(program) => of(&|anchor| Run::new(program, &format!("{order} {}", anchor.display())))?,
        None => None,
    };
    let mut row = vec![title.to_owned(), figure(reference, 1)];
    for way in ways {
        row.push(figure(of(&|anchor| ours(bench, way, anchor))?, 1));
    }
    Ok(row)
}

/// Prints the table of reading on two threads.
pub(crate) fn threads(bench: &Bench) -> Result<()> {
    println!("## Reading on two threads\n\n{ABOUT_THREADS}\n");
    let folder = bench.folder()?;
    let (anchor, events) =
        written(folder.path(), Case::EnterLeave, Local::Empty, 64, 4 * bench.pairs(Case::EnterLeave))?;
    let run =
        |threads| Run::new(&bench.this, &format!("child reading-threads {threads} {}", anchor.display()));
    let samples = interleaved(bench, &[run(1), run(2)])?;
    let mut table = Table::new(&["threads", "ns on the clock", "ns of CPU"]);
    let wall = |of: usize| per(&samples[of], events, |sample| sample.recorded);
    let cpu = |of: usize| per(&samples[of], events, |sample| sample.total);
    table.row(vec!["1".to_owned(), wall(0).to_string(), cpu(0).to_string()]);
    let ratio = wall(0).median / wall(1).median;
    table.row(vec!["2".to_owned(), format!("{} = {ratio:.2}× (goal 1.8)", wall(1)), cpu(1).to_string()]);
    println!("{table}");
    Ok(())
}

/// Prints the table of how costs grow.
pub(crate) fn scaling(bench: &Bench) -> Result<()> {
    println!("## Growth\n\n{ABOUT_SCALING}\n");
    let mut table =
        Table::new(&["what", "little", "much", "ns, little", "ns, much", "MiB, little", "MiB, much"]);
    let pairs = bench.pairs(Case::EnterLeave);
    let cases = [
        ("events × 10, location by location", "local-visitor", [(8, pairs / 5), (8, 2 * pairs)]),
        ("events × 10, in order", "global-visitor", [(8, pairs / 5), (8, 2 * pairs)]),
        ("locations × 64, location by location", "local-visitor", [(8, 2 * pairs), (512, 2 * pairs)]),
        ("locations × 64, in order", "global-visitor", [(8, 2 * pairs), (512, 2 * pairs)]),
    ];
    for (title, way, sizes) in cases {
        let folders = [bench.folder()?, bench.folder()?];
        let make = |which: usize| {
            written(folders[which].path(), Case::EnterLeave, Local::Empty, sizes[which].0, sizes[which].1)
        };
        let archives = [make(0)?, make(1)?];
        let samples = interleaved(bench, &archives.each_ref().map(|(anchor, _)| ours(bench, way, anchor)))?;
        let of = |which: usize| format!("{} events, {} locations", archives[which].1, sizes[which].0);
        table.row(growth(title, [of(0), of(1)], &samples, archives.each_ref().map(|(_, events)| *events)));
    }
    let folders = [bench.folder()?, bench.folder()?];
    let sizes = [500, if bench.quick { 5_000 } else { 500_000 }];
    let anchors = [
        definitions::archive(folders[0].path(), sizes[0])?,
        definitions::archive(folders[1].path(), sizes[1])?,
    ];
    for (title, way) in
        [("definitions × 1000, visitor", "visitor"), ("definitions × 1000, the whole file", "records")]
    {
        let runs = anchors.each_ref().map(|anchor| definitions::read_run(bench, way, anchor));
        let samples = interleaved(bench, &runs)?;
        let units = sizes.map(|regions| 2 * regions);
        table.row(growth(title, units.map(|count| format!("{count} definitions")), &samples, units));
    }
    println!("{table}");
    Ok(())
}

fn growth(title: &str, of: [String; 2], samples: &[Vec<Sample>], units: [u64; 2]) -> Vec<String> {
    let time = |which: usize| per(&samples[which], units[which], |sample| sample.total).to_string();
    let memory = |which: usize| {
        let peaks = samples[which].iter().map(|sample| sample.memory as f64 / 1024.0).collect();
        format!("{:.1}", Spread::of(peaks).median)
    };
    let [little, much] = of;
    vec![title.to_owned(), little, much, time(0), time(1), memory(0), memory(1)]
}

const ABOUT: &str = "\
Nanoseconds of CPU per record, medians (least–most); the checksums of all readers are compared.
libotf2: callbacks. Each location has an equal part of the events, at nearly the same times. The
files are in memory. `each` calls a closure that is inlined into the loop, or one that calls a
function whose address the compiler cannot see. Memory is the peak resident size of the process.";

const ABOUT_COUNTS: &str = "\
Per record; the first row is Enter and Leave. Other load on the machine does not change the counts.";

const ABOUT_THREADS: &str = "\
64 locations, 8 million events of Enter and Leave; each thread takes the next unread location. The
time on the clock needs two idle cores; if other programs use them, compare the CPU time.";

const ABOUT_SCALING: &str = "\
Nanoseconds of CPU per event or definition, including opening, and the peak resident memory.";
