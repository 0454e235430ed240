//! `kymo scaling`: how well a program uses more threads, and its losses.
//!
//! Each trace is [measured](measured_run); runs with as many threads and processes are repetitions.
//! [`page::ScalingPage`] compares them with the reference, for JSON; [`text`] prints it for people.

mod call_path_times;
mod measured_run;
mod page;
mod text;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use self::measured_run::MeasuredRun;
use self::page::{Mode, ScalingPage};
use crate::mistake::report_mistake;
use crate::new_file::print_or_write;
use crate::problem::Problem;
use crate::selected::Selected;
use crate::status::Status;
use crate::trace;

/// Compare runs with different numbers of threads: how well a program scales, and what it loses
#[derive(Debug, Args)]
#[command(after_help = "The metrics are those of the POP project. The reference is the run with the fewest \
                  threads; runs with as many threads and processes are repetitions, of which the median counts. \
                  Exit status: 0 success, 2 invalid arguments, 3 a location was not readable to its end, \
                  4 I/O error")]
pub(crate) struct Arguments {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// The work grows with the threads, instead of being the same in all runs
    #[arg(long)]
    weak: bool,
    /// Number of call paths; 0 for all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    selected: Selected,
    /// Write to this file; '-' is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Anchor files of the archives (*.otf2), or their folders
    #[arg(value_name = "ANCHOR|DIR", required = true, num_args = 2..)]
    archives: Vec<PathBuf>,
}

/// The output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables for people
    Text,
    /// One object
    Json,
}

impl Arguments {
    /// Prints the comparison.
    pub(crate) fn run(self) -> Status {
        match self.selected.mistake() {
            Some(mistake) => report_mistake(mistake),
            None => self.compare().unwrap_or_else(|problem| problem.report()),
        }
    }

    fn compare(&self) -> Result<Status, Problem> {
        let (mut runs, mut status) = (Vec::new(), Status::Done);
        for path in &self.archives {
            let trace = trace::open(path)?;
            let selection = self.selected.of(&trace)?;
            let (run, read) = MeasuredRun::of(&trace, &selection)?;
            status = status.max(read);
            runs.push(run);
        }
        let mode = if self.weak { Mode::Weak } else { Mode::Strong };
        let top = Some(self.top).filter(|top| *top > 0).unwrap_or(usize::MAX);
        let page = ScalingPage::of(runs, mode, top)?;
        let text = match self.format {
            Format::Text => text::write(&page),
            Format::Json => serde_json::to_string(&page).map_err(Problem::environment)? + "\n",
        };
        Ok(status.max(print_or_write(&self.output, &text)?))
    }
}
