//! `kymo export`: a trace in the formats of other programs.
//!
//! Each format is a module. Invariant: nothing appears under the name of the result before it is
//! complete.

mod folded;
mod tables;
mod timelines;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kymo_analysis::Trace;
use kymo_otf2::FileName;

use crate::command_line::Ended;
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
    #[arg(long, value_name = "FORMAT")]
    format: Format,
    /// The datasets of '--format parquet' and 'csv'; all by default
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    tables: Vec<String>,
    #[command(flatten)]
    selected: Selected,
    /// Result: a folder for 'parquet' and 'csv', which must not exist or be empty, else a file;
    /// '-' is standard output
    #[arg(short, long, value_name = "FILE|DIR")]
    output: PathBuf,
    /// Anchor file of the archive (*.otf2), or its folder
    #[arg(value_name = "ANCHOR|DIR")]
    archive: PathBuf,
}

/// Returns what files state about a trace.
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
        match self.selected.mistake() {
            Some(mistake) => Ended::Mistake(mistake.to_owned()).report(),
            None => self.export().unwrap_or_else(|problem| problem.report()),
        }
    }

    fn export(&self) -> Result<Status, Problem> {
        let wanted = tables::wanted(&self.tables)?;
        let trace = trace::open(&self.archive)?;
        let selection = self.selected.of(&trace)?;
        match self.format {
            Format::Perfetto | Format::Chrome | Format::Speedscope => {
                timelines::export(&trace, &selection, self.format, &self.output)
            }
            Format::Folded => folded::export(&trace, &selection, &self.output),
            _ => tables::export(&trace, &selection, self.format, &wanted, &self.output),
        }
    }
}
