//! Stage `printing`: `kymo print` and otf2-print on the same archive, with output to /dev/null.

use crate::archive::{self, Local};
use crate::measure::Spread;
use crate::reading_tables::with_speedup;
use crate::stream::Case;
use crate::table::Table;
use crate::{Bench, Result};
use std::path::Path;
use std::process::Command;

const ROWS: [(&str, Case); 3] = [
    ("Enter, Leave", Case::EnterLeave),
    ("the same, each with a Metric of 1 value", Case::Metric),
    ("MpiSend, MpiRecv", Case::Messages),
];

/// The number of locations in the archives.
const LOCATIONS: u64 = 8;

/// Returns the commands `kymo print` and, if it is installed, otf2-print.
pub(crate) fn programs(bench: &Bench) -> Result<Vec<String>> {
    let kymo = bench.build("kymo", "kymo")?;
    let mut programs = vec![format!("{} print", kymo.display())];
    match Command::new("otf2-print").arg("--version").output() {
        Ok(output) if output.status.success() => programs.push("otf2-print".to_owned()),
        _ => eprintln!("NOT COMPARED with otf2-print: otf2-tools is needed"),
    }
    Ok(programs)
}

/// Returns the CPU seconds, user and system, of a command.
pub(crate) fn cpu(command: &str) -> Result<f64> {
    let script = format!("TIMEFORMAT='%3U %3S'; time {command}");
    let output = Command::new("bash").args(["-c", &script]).env("TZ", "UTC").output()?;
    let text = String::from_utf8(output.stderr)?;
    let times: Option<Vec<f64>> = text.split_whitespace().map(|time| time.parse().ok()).collect();
    match (output.status.success(), times.as_deref()) {
        (true, Some([user, system])) => Ok(user + system),
        _ => Err(format!("{command}: {}\n{text}", output.status).into()),
    }
}

/// Checks that all programs print the same text.
fn check(programs: &[String], anchor: &Path) -> Result<()> {
    let print = |program: &String| -> Result<Vec<u8>> {
        let command = format!("{program} {}", anchor.display());
        Ok(Command::new("bash").args(["-c", &command]).env("TZ", "UTC").output()?.stdout)
    };
    let printed: Result<Vec<_>> = programs.iter().map(print).collect();
    let printed = printed?;
    match printed.iter().all(|text| *text == printed[0] && !text.is_empty()) {
        true => Ok(()),
        false => Err(format!("{}: the programs print different text", anchor.display()).into()),
    }
}

/// Prints the table of this stage.
pub(crate) fn report(bench: &Bench) -> Result<()> {
    println!("## Printing\n\n{ABOUT}\n");
    let programs = programs(bench)?;
    let mut table = Table::new(&["events", "otf2-print", "`kymo print`"]);
    for (title, case) in ROWS {
        let folder = bench.folder()?;
        let small = archive::write(folder.path(), case, Local::Empty, LOCATIONS, 1000)?;
        check(&programs, &small)?;
        let folder = bench.folder()?;
        let pairs = 2 * bench.pairs(case) / LOCATIONS;
        let anchor = archive::write(folder.path(), case, Local::Empty, LOCATIONS, pairs)?;
        let spreads = measure(bench.repetitions, &programs, &anchor, case.records() * pairs * LOCATIONS)?;
        let ours = spreads[0];
        let theirs = spreads.get(1).copied();
        let goal = (case == Case::EnterLeave).then_some(11.0);
        let reference = theirs.map_or_else(|| "–".to_owned(), |theirs| theirs.to_string());
        table.row(vec![title.to_owned(), reference, with_speedup(ours, theirs, goal)]);
    }
    println!("{table}");
    Ok(())
}

/// Returns the nanoseconds per record, measured in rounds.
pub(crate) fn measure(
    repetitions: u32,
    programs: &[String],
    anchor: &Path,
    records: u64,
) -> Result<Vec<Spread>> {
    let mut times = vec![Vec::new(); programs.len()];
    for _ in 0..repetitions {
        for (program, times) in programs.iter().zip(&mut times) {
            let seconds = cpu(&format!("{program} {} >/dev/null 2>/dev/null", anchor.display()))?;
            times.push(seconds * 1e9 / records as f64);
        }
    }
    Ok(times.into_iter().map(Spread::of).collect())
}

const ABOUT: &str = "\
Nanoseconds of CPU per record of the whole program, including start and end, 8 locations; the output
of both is compared before the measurement.";
