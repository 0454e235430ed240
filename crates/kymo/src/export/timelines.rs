//! Time lines: `--format perfetto`, `chrome` and `speedscope`.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use kymo_analysis::Trace;
use kymo_export::chrome::Chrome;
use kymo_export::firefox::Firefox;
use kymo_export::perfetto::Perfetto;
use kymo_export::speedscope::Speedscope;
use kymo_export::{Assembly, Error, Report, Section};
use kymo_otf2::FileName;

use super::{Format, Work, facts};
use crate::new_file::NewFile;
use crate::output::inform;
use crate::part::{PartFile, PartReader};
use crate::problem::Problem;
use crate::status::Status;
use crate::trace;

pub(super) fn export(work: &Work<'_>, output: &Path) -> Result<Status, Problem> {
    write_to(work, output, |format, out| {
        kymo_export::export(work.trace, work.selection, format, out)
            .map_err(|error| problem(work.trace, output, error))
    })
}

/// Writes the pieces of a part, each after its mark, and then the numbers of things that were left
/// out.
pub(super) fn part(work: &Work<'_>, mut file: PartFile<File>) -> Result<Status, Problem> {
    let Work { trace, selection, .. } = *work;
    let format = format(work)?;
    let tracks = kymo_export::tracks(trace, selection, &*format, |number, section, piece| {
        file.block(&mark(number, section).to_le_bytes())?;
        file.block(piece)
    });
    let mut report = tracks.map_err(|error| problem(trace, Path::new(super::PART), error))?;
    let status = state(trace, &report);
    for (_, error) in &mut report.failures {
        *error = trace::described(trace, error);
    }
    file.bytes(&[])?;
    file.put(&report)?;
    file.end()?;
    Ok(status)
}

/// Joins the pieces of all parts in the order of their locations.
pub(super) fn join(
    work: &Work<'_>,
    parts: Vec<(PathBuf, PartReader)>,
    output: &Path,
) -> Result<Status, Problem> {
    write_to(work, output, |format, out| {
        let failed = |error| Problem::of(output, error, Status::Environment);
        let (mut waiting, mut report) = (Vec::new(), Report::default());
        for (_, mut part) in parts {
            match next_mark(&mut part)? {
                Some(mark) => waiting.push((mark, part)),
                None => report.add(part.get()?),
            }
        }
        let mut assembly = Assembly::start(format, out).map_err(failed)?;
        while let Some(place) = first(&waiting) {
            let (mark, mut part) = waiting.swap_remove(place);
            let section = if mark & 1 == 0 { Section::Track } else { Section::End };
            assembly.add((mark >> 1) as usize, section, &part.block()?).map_err(failed)?;
            match next_mark(&mut part)? {
                Some(mark) => waiting.push((mark, part)),
                None => report.add(part.get()?),
            }
        }
        assembly.finish().map_err(failed)?;
        Ok(report)
    })
}

/// Returns the mark of a piece: the number of its location and its section.
fn mark(number: usize, section: Section) -> u64 {
    (number as u64) << 1 | u64::from(section == Section::End)
}

/// Reads the mark of the next piece, if there is one.
fn next_mark(part: &mut PartReader) -> Result<Option<u64>, Problem> {
    let bytes = part.block()?;
    match <[u8; 8]>::try_from(&bytes[..]) {
        Ok(bytes) => Ok(Some(u64::from_le_bytes(bytes))),
        Err(_) if bytes.is_empty() => Ok(None),
        Err(_) => Err(part.unknown("expected the mark of a piece")),
    }
}

/// Returns the place of the part with the first location.
fn first(waiting: &[(u64, PartReader)]) -> Option<usize> {
    (0..waiting.len()).min_by_key(|place| waiting[*place].0 >> 1)
}

/// Runs `write` for the file, or for standard output.
fn write_to(
    work: &Work<'_>,
    output: &Path,
    write: impl FnOnce(&dyn kymo_export::Format, &mut dyn Write) -> Result<Report, Problem>,
) -> Result<Status, Problem> {
    let failed = |error| Problem::of(output, error, Status::Environment);
    let format = format(work)?;
    if output.as_os_str() == "-" {
        let stdout = io::stdout().lock();
        if stdout.is_terminal() {
            return Err(Problem::usage("'--output': this format is not for terminals; name a file"));
        }
        let mut out = BufWriter::with_capacity(1 << 18, stdout);
        let report = write(&*format, &mut out)?;
        out.flush().map_err(failed)?;
        return Ok(state(work.trace, &report));
    }
    let mut out = BufWriter::with_capacity(1 << 18, NewFile::create(output)?);
    let report = match output.extension().is_some_and(|it| it == "gz") {
        true => {
            let mut compressed = GzEncoder::new(&mut out, Compression::fast());
            let report = write(&*format, &mut compressed)?;
            compressed.finish().map_err(failed)?;
            report
        }
        false => write(&*format, &mut out)?,
    };
    out.into_inner().map_err(|error| failed(error.into_error()))?.finish()?;
    Ok(state(work.trace, &report))
}

fn format<'t>(work: &Work<'t>) -> Result<Box<dyn kymo_export::Format + 't>, Problem> {
    let trace = work.trace;
    let name = trace.archive().path(FileName::Anchor).display().to_string();
    Ok(match work.format {
        Format::Chrome => Box::new(Chrome::new(trace, facts(trace))),
        Format::Firefox => {
            let format = Firefox::new(trace, work.selection, facts(trace));
            Box::new(format.map_err(|error| trace::problem(trace, &error))?)
        }
        Format::Speedscope => {
            let format = Speedscope::new(trace, name);
            Box::new(format.map_err(|error| trace::problem(trace, &error))?)
        }
        _ => {
            let facts: Vec<_> = facts(trace).iter().map(|(key, value)| format!("{key}: {value}")).collect();
            Box::new(Perfetto::new(trace, facts.join("\n")))
        }
    })
}

fn problem(trace: &Trace, output: &Path, error: Error) -> Problem {
    match error {
        Error::Analysis(error) => trace::problem(trace, &error),
        error => Problem::of(output, error, Status::Environment),
    }
}

/// Reports irregularities and losses.
fn state(trace: &Trace, report: &Report) -> Status {
    let anchor = trace.archive().path(FileName::Anchor);
    for (what, count) in &report.left_out {
        inform(&format!("{}: {what}: {count}", anchor.display()));
    }
    trace::report(trace, &report.failures, &report.remarks)
}
