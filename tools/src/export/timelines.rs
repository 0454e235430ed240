//! Time lines: `--format perfetto`, `chrome` and `speedscope`.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use kymo_analysis::{Selection, Trace};
use kymo_export::chrome::Chrome;
use kymo_export::perfetto::Perfetto;
use kymo_export::speedscope::Speedscope;
use kymo_export::{Error, Report};
use kymo_otf2::FileName;

use super::{Format, facts};
use crate::new_file::NewFile;
use crate::output::inform;
use crate::problem::Problem;
use crate::status::Status;
use crate::trace;

pub(super) fn export(
    trace: &Trace,
    selection: &Selection,
    format: Format,
    output: &Path,
) -> Result<Status, Problem> {
    if output.as_os_str() == "-" {
        let mut stdout = io::stdout().lock();
        if stdout.is_terminal() {
            return Err(Problem::usage("'--output': this format is not for terminals; name a file"));
        }
        let report = write(trace, selection, format, Path::new("standard output"), &mut stdout)?;
        return Ok(state(trace, &report));
    }
    let mut file = NewFile::create(output)?;
    let report = write(trace, selection, format, output, &mut file)?;
    file.finish()?;
    Ok(state(trace, &report))
}

fn write(
    trace: &Trace,
    selection: &Selection,
    format: Format,
    output: &Path,
    out: &mut impl Write,
) -> Result<Report, Problem> {
    let name = trace.archive().path(FileName::Anchor).display().to_string();
    let format: Box<dyn kymo_export::Format> = match format {
        Format::Chrome => Box::new(Chrome::new(trace, facts(trace))),
        Format::Speedscope => {
            let format = Speedscope::new(trace, name);
            Box::new(format.map_err(|error| trace::problem(trace, &error))?)
        }
        _ => {
            let facts: Vec<_> = facts(trace).iter().map(|(key, value)| format!("{key}: {value}")).collect();
            Box::new(Perfetto::new(trace, facts.join("\n")))
        }
    };
    let mut out = BufWriter::with_capacity(1 << 18, out);
    let written = kymo_export::export(trace, selection, &*format, &mut out);
    let report = written.and_then(|report| out.flush().map(|()| report).map_err(Error::Write));
    report.map_err(|error| match error {
        Error::Analysis(error) => trace::problem(trace, &error),
        error => Problem::of(output, error, Status::Environment),
    })
}

/// Reports what was irregular or left out.
fn state(trace: &Trace, report: &Report) -> Status {
    let anchor = trace.archive().path(FileName::Anchor);
    for (what, count) in &report.left_out {
        inform(&format!("{}: {what}: {count}", anchor.display()));
    }
    trace::report(trace, &report.failures, &report.remarks)
}
