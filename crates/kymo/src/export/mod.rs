//! `kymo export`: a trace in the formats of other programs.
//!
//! Each format is a module. Invariant: nothing appears under the name of the result before it is
//! complete.

mod folded;
mod tables;
mod timelines;

use std::fs::File;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use kymo_analysis::{Selection, Trace};
use kymo_otf2::FileName;
use kymo_tables::Dataset;

use crate::mistake::report_mistake;
use crate::new_folder::NewFolder;
use crate::part::{Header, PartFile, Parts, Set};
use crate::problem::Problem;
use crate::selected::Selected;
use crate::status::Status;
use crate::trace;

/// Write a trace in the format of another program
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 success, 2 invalid arguments, 3 a location was not readable to its end, 4 I/O \
                  error"
)]
pub(crate) struct Arguments {
    /// The format
    #[arg(long, value_name = "FORMAT", required_unless_present = "join", conflicts_with = "join")]
    format: Option<Format>,
    /// The datasets of '--format parquet' and 'csv'; by default all but those on request
    #[arg(long, value_name = "NAME", value_delimiter = ',', conflicts_with = "join")]
    tables: Vec<String>,
    #[command(flatten)]
    selected: Selected,
    #[command(flatten)]
    parts: Parts,
    /// Result: a folder for 'parquet', 'csv' and '--part', which must not exist or be empty, else a
    /// file; '-' is standard output, and time lines are compressed if the name ends in '.gz'
    #[arg(short, long, value_name = "FILE|DIR")]
    output: PathBuf,
    /// Anchor file of the archive (*.otf2), or its folder; with '--join', the results of all parts
    #[arg(value_name = "ANCHOR|DIR", required = true)]
    archives: Vec<PathBuf>,
}

/// Returns the facts that files state about a trace.
fn facts(trace: &Trace) -> Vec<(String, String)> {
    let clock = trace.clock();
    let pair = |key: &str, value: String| (format!("kymo.{key}"), value);
    let mut pairs = vec![
        pair("version", env!("CARGO_PKG_VERSION").to_owned()),
        pair("clock.resolution", clock.resolution().to_string()),
        pair("events_lost", trace.events_lost().unwrap_or(0).to_string()),
        pair("archive", trace.archive().path(FileName::Anchor).display().to_string()),
    ];
    pairs.extend(clock.date().map(|date| pair("clock.date", date.to_string())));
    pairs
}

/// The format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Apache Parquet: a folder per table, for DuckDB, Polars, pandas, Spark
    #[cfg(feature = "parquet")]
    Parquet,
    /// Comma-separated values: a file per table
    Csv,
    /// Perfetto, ui.perfetto.dev: calls, messages with arrows, counters
    Perfetto,
    /// Firefox Profiler, profiler.firefox.com: calls, messages as markers, counters
    Firefox,
    /// Chrome's JSON, which many viewers import
    Chrome,
    /// speedscope: calls
    Speedscope,
    /// Folded stacks with exclusive nanoseconds, for flame graphs
    Folded,
}

impl Arguments {
    /// Writes the result.
    pub(crate) fn run(self) -> Status {
        let mistake = self.parts.mistake(&self.output, self.archives.len());
        match self.selected.mistake().or(mistake) {
            Some(mistake) => report_mistake(mistake),
            None => self.export().unwrap_or_else(|problem| problem.report()),
        }
    }

    fn export(&self) -> Result<Status, Problem> {
        let wanted = tables::wanted(&self.tables)?;
        let (Some(format), [archive]) = (self.format, &self.archives[..]) else { return self.join() };
        let trace = trace::open(archive)?;
        let selection = self.selected.of(&trace)?;
        if let Some(part) = self.parts.part()? {
            let work = Work { trace: &trace, format, selection: &Selection { part, ..selection } };
            return self.part(&work, &wanted, &self.parts.output(part, &self.output));
        }
        let work = Work { trace: &trace, format, selection: &selection };
        match format.kind() {
            FormatKind::Timeline => timelines::export(&work, &self.output),
            FormatKind::Stacks => folded::export(&work, &self.output),
            FormatKind::Tables => tables::export(&work, &wanted, &self.output),
        }
    }

    /// Exports a part to a folder.
    fn part(&self, work: &Work<'_>, wanted: &[&'static Dataset], output: &Path) -> Result<Status, Problem> {
        let folder = NewFolder::create(output)?;
        let path = folder.stage().join(PART);
        let file = File::create(&path).map_err(|error| Problem::of(&path, error, Status::Environment))?;
        let names: Vec<_> = wanted.iter().map(|it| it.name).collect();
        let settings = vec![("tables".to_owned(), names.join(","))];
        let maker = format!("export {}", work.format.name());
        let header = Header::of(work.trace, &maker, work.selection, settings);
        let file = PartFile::start(file, &path, &header)?;
        let status = match work.format.kind() {
            FormatKind::Timeline => timelines::part(work, file)?,
            FormatKind::Stacks => folded::part(work, file)?,
            FormatKind::Tables => tables::part(work, wanted, folder.stage(), file)?,
        };
        folder.finish()?;
        Ok(status)
    }

    /// Joins the results of all parts.
    fn join(&self) -> Result<Status, Problem> {
        let files: Vec<_> = self.archives.iter().map(|folder| folder.join(PART)).collect();
        let set = Set::open(&files, "export")?;
        let name = set.header.maker.split(' ').nth(1).unwrap_or_default();
        let Some(format) = Format::value_variants().iter().copied().find(|it| it.name() == name) else {
            return Err(Problem::usage(format!("this program has no format '{name}'")));
        };
        let trace = &set.trace;
        let work = Work { trace, format, selection: &set.header.selection() };
        match format.kind() {
            FormatKind::Timeline => timelines::join(&work, set.parts, &self.output),
            FormatKind::Stacks => folded::join(&work, set.parts, &self.output),
            FormatKind::Tables => {
                let names: Vec<_> = set.header.setting("tables").split(',').map(str::to_owned).collect();
                tables::join(&work, &tables::wanted(&names)?, set.parts, &self.output)
            }
        }
    }
}

/// The trace to export, the format and the selection.
struct Work<'t> {
    trace: &'t Trace,
    format: Format,
    selection: &'t Selection,
}

/// The formats that have the same parts.
enum FormatKind {
    Tables,
    Timeline,
    Stacks,
}

impl Format {
    fn kind(self) -> FormatKind {
        match self {
            Self::Perfetto | Self::Firefox | Self::Chrome | Self::Speedscope => FormatKind::Timeline,
            Self::Folded => FormatKind::Stacks,
            _ => FormatKind::Tables,
        }
    }

    /// Returns the name, as the option has it.
    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// The name of the file that joins a part with the others.
const PART: &str = "part.kymo";
