//! `kymo stats`: one page on what is in a trace.
//!
//! `kymo_analysis::statistics` counts. A [`page`] names and sorts the results; [`text`] prints it,
//! and JSON contains all of it. [`filter`] finds the regions that a measurement should leave out.

mod filter;
mod page;
mod text;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kymo_analysis::statistics;
use kymo_otf2::FileName;

use self::page::Page;
use crate::check::summary_of;
use crate::command_line::Ended;
use crate::new_file::NewFile;
use crate::output::print;
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
    filter: Option<PathBuf>,
    #[command(flatten)]
    selected: Selected,
    /// Write to this file; '-' is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Anchor file of the archive (*.otf2), or its folder
    #[arg(value_name = "ANCHOR|DIR")]
    archive: PathBuf,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A page for people
    Text,
    /// One object
    Json,
}

impl Arguments {
    /// Prints the page.
    pub(crate) fn run(self) -> Status {
        match self.selected.mistake() {
            Some(mistake) => Ended::Mistake(mistake.to_owned()).report(),
            None => self.print().unwrap_or_else(|problem| problem.report()),
        }
    }

    fn print(&self) -> Result<Status, Problem> {
        let trace = trace::open(&self.archive)?;
        let selection = self.selected.of(&trace)?;
        let statistics =
            statistics::of(&trace, &selection).map_err(|error| trace::problem(&trace, &error))?;
        let status = trace::report(&trace, &statistics.failures, &statistics.remarks);
        let check = (!self.no_check).then(|| summary_of(&trace.archive().path(FileName::Anchor)));
        let page = Page::of(&trace, &statistics, check);
        if let Some(path) = &self.filter {
            NewFile::replace(path, page.filter.text().as_bytes())?;
        }
        let text = match self.format {
            Format::Text => text::write(&page, self.top),
            Format::Json => page.json()?,
        };
        let written = match self.output.as_os_str() == "-" {
            true => print(&text),
            false => NewFile::replace(&self.output, text.as_bytes()).map(|()| Status::Done)?,
        };
        Ok(status.max(written))
    }
}
