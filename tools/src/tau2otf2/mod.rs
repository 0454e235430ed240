//! `kymo tau2otf2`: TAU traces become OTF2 archives. What is converted how is `kymo_tau::convert`.
//!
//! Invariant: without success there is no archive.

mod inputs;

use std::path::{Path, PathBuf};

use clap::Args;
use kymo_tau::convert::{self, Error, Input, Report};

use crate::merge::output::Output;
use crate::merge::problem::Problem;
use crate::output::complain;
use crate::progress::Progress;
use crate::status::Status;

/// Convert TAU traces into an OTF2 archive
#[derive(Debug, Args)]
#[command(
    override_usage = "kymo tau2otf2 TRC EDF OUT\n       kymo tau2otf2 --merge FOLDER|TRC|EDF... OUT",
    after_help = "Exit status: 0 done, 1 a file is no trace or event file, 2 usage, 3 done, but records had to be left out, \
                  4 input/output, 5 a limit was reached; on 1, 2, 4 and 5 there is no archive"
)]
pub(crate) struct Arguments {
    /// The trace (*.trc) and its event file (*.edf); with --merge any number of both, and folders
    #[arg(value_name = "TRC EDF", required = true, num_args = 1..)]
    files: Vec<PathBuf>,
    /// The archive: OUT.otf2, which must not exist
    #[arg(value_name = "OUT", required = true)]
    output: PathBuf,
    /// Convert several traces into one archive, such as the threads' own (tautrace.*.trc with events.*.edf) that were not merged
    #[arg(long)]
    merge: bool,
}

impl Arguments {
    /// Converts.
    pub(crate) fn run(self) -> Status {
        match self.convert() {
            Ok(report) => say(&report),
            Err(problem) => problem.report(),
        }
    }

    fn convert(&self) -> Result<Report, Problem> {
        let inputs = if self.merge { inputs::of_threads(&self.files)? } else { inputs::pair(&self.files)? };
        let output = Output::at(&anchor(&self.output))?;
        output.create()?;
        output.finish(convert(&inputs, &output))
    }
}

fn convert(inputs: &[Input], output: &Output) -> Result<Report, Problem> {
    let progress = Progress::new(false);
    convert::convert(inputs, &output.storage, &mut |records| progress.add(records))
        .map_err(|error| problem(&error, output))
}

/// The name of the archive with the ending of an anchor file.
fn anchor(output: &Path) -> PathBuf {
    if output.extension().is_some_and(|extension| extension == "otf2") {
        return output.to_owned();
    }
    let mut anchor = output.as_os_str().to_owned();
    anchor.push(".otf2");
    anchor.into()
}

fn problem(error: &Error, output: &Output) -> Problem {
    let status = match error {
        Error::Archive(error) => return output.problem(error),
        Error::Trace(kymo_tau::Error::Io { .. }) => Status::Environment,
        Error::Trace(kymo_tau::Error::Limit { .. }) | Error::Memory { .. } | Error::Threads { .. } => {
            Status::Limit
        }
        _ => Status::Faulty,
    };
    Problem::new(error, status)
}

/// Says what was strange.
fn say(report: &Report) -> Status {
    report.complaints.iter().for_each(|complaint| complain(&complaint.to_string()));
    report.first_unknown.iter().for_each(|unknown| complain(&unknown.to_string()));
    for (count, what) in [
        (report.more_complaints, "more complaints of this kind"),
        (report.unknown, "records left out: the event file lacks their events"),
        (report.left_over, "bytes left out: the last record is not complete"),
        (report.not_entered, "leaves left out: their states are not open"),
        (report.crossed, "leaves of states that had others open, which are left with them"),
        (
            report.never_left,
            "states that are never left; they end with the state around them, or with their thread",
        ),
    ] {
        if count > 0 {
            complain(&format!("{count} {what}"));
        }
    }
    if report.is_partial() { Status::Partial } else { Status::Done }
}
