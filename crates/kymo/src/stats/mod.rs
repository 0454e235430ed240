//! `kymo stats`: one page on the contents of a trace.
//!
//! `kymo_analysis::statistics` counts. A [`page`] names and sorts the results; [`text`] prints it,
//! and JSON contains all of it. [`filter`] finds the regions that a measurement should leave out,
//! [`parts`] divides the work among processes.

mod filter;
mod page;
mod parts;
mod text;

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kymo_analysis::statistics::{self, Statistics};
use kymo_analysis::{Selection, Trace};
use kymo_otf2::FileName;
use serde_json::Value;

use self::page::Page;
use crate::check::summary_of;
use crate::mistake::report_mistake;
use crate::new_file::{NewFile, print_or_write};
use crate::part::Parts;
use crate::problem::Problem;
use crate::selected::Selected;
use crate::status::Status;
use crate::trace;

/// Print one page on what is in a trace
#[derive(Debug, Args)]
#[command(after_help = "The page contains time by kind of work, efficiency, regions, imbalance, messages, \
                  collective operations, waiting, files, windows, metrics, and what 'kymo check' finds. \
                  Exit status: 0 success, 2 invalid arguments, 3 a location was not readable to its end, \
                  4 I/O error")]
pub(crate) struct Arguments {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Number of rows of each table of text; 0 for all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Do not check the trace, which takes longer than everything else
    #[arg(long)]
    no_check: bool,
    /// Also write a filter file for the next measurement, which leaves out half of the events
    #[arg(long, value_name = "FILE")]
    write_filter: Option<PathBuf>,
    #[command(flatten)]
    selected: Selected,
    #[command(flatten)]
    parts: Parts,
    /// Write to this file; '-' is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Anchor file of the archive (*.otf2), or its folder; with '--join', the parts
    #[arg(value_name = "ANCHOR|DIR", required = true)]
    archives: Vec<PathBuf>,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A page for people
    Text,
    /// One object
    Json,
}

/// Returns the page on a trace, as JSON contains it, without the findings of a check. Times beyond
/// 64 bits are floats.
pub(crate) fn value(trace: &Trace, statistics: &Statistics) -> io::Result<Value> {
    // A conversion into a `Value` fails for such times; the text of one is read as a float.
    let text = serde_json::to_string(&Page::of(trace, statistics, None))?;
    Ok(serde_json::from_str(&text)?)
}

impl Arguments {
    /// Prints the page.
    pub(crate) fn run(self) -> Status {
        let mistake = self.parts.mistake(&self.output, self.archives.len());
        match self.selected.mistake().or(mistake) {
            Some(mistake) => report_mistake(mistake),
            None => self.answer().unwrap_or_else(|problem| problem.report()),
        }
    }

    fn answer(&self) -> Result<Status, Problem> {
        if self.parts.join {
            let (trace, statistics, check) = parts::join(&self.archives)?;
            return self.print(&trace, &statistics, check.filter(|_| !self.no_check));
        }
        let [archive] = &self.archives[..] else { return Err(Problem::usage("expected one archive")) };
        let trace = trace::open(archive)?;
        let selection = self.selected.of(&trace)?;
        let check = || (!self.no_check).then(|| summary_of(&trace.archive().path(FileName::Anchor)));
        if let Some(part) = self.parts.part()? {
            let selection = Selection { part, ..selection };
            // One part checks the trace, for all.
            let check = if part.index == 0 { check() } else { None };
            return parts::write(&trace, &selection, check, &self.parts.output(part, &self.output));
        }
        let statistics =
            statistics::of(&trace, &selection).map_err(|error| trace::problem(&trace, &error))?;
        self.print(&trace, &statistics, check())
    }

    fn print(&self, trace: &Trace, statistics: &Statistics, check: Option<Value>) -> Result<Status, Problem> {
        let status = trace::report(trace, &statistics.failures, &statistics.remarks);
        let page = Page::of(trace, statistics, check);
        if let Some(path) = &self.write_filter {
            NewFile::replace(path, page.filter.text().as_bytes())?;
        }
        let text = match self.format {
            Format::Text => text::write(&page, self.top),
            Format::Json => page.json()?,
        };
        Ok(status.max(print_or_write(&self.output, &text)?))
    }
}
