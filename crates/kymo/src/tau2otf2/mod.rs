//! `kymo tau2otf2`: converts TAU traces into OTF2 archives. `kymo_tau::convert` defines the
//! conversion.
//!
//! Invariant: an archive is left only on success.

mod inputs;

use std::path::{Path, PathBuf};

use clap::Args;
use kymo_tau::convert::{self, Error, Input, Report};

use crate::new_archive::NewArchive;
use crate::output::complain;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::status::Status;

/// Convert TAU traces into an OTF2 archive
#[derive(Debug, Args)]
#[command(
    override_usage = "kymo tau2otf2 TRC EDF OUT\n       kymo tau2otf2 --merge FOLDER|TRC|EDF... OUT",
    after_help = "Exit status: 0 success, 1 a file is not a trace or event file, 2 usage error, 3 success, \
                  but records were left out, 4 I/O error, 5 a limit was reached; with 1, 2, 4 and 5 no \
                  archive is written"
)]
pub(crate) struct Arguments {
    /// The trace (*.trc) and its event file (*.edf); with --merge, any number of both, or folders
    #[arg(value_name = "TRC EDF", required = true, num_args = 1..)]
    files: Vec<PathBuf>,
    /// The archive OUT.otf2, which must not exist
    #[arg(value_name = "OUT", required = true)]
    output: PathBuf,
    /// Convert several traces into one archive, for example unmerged traces of threads
    /// (tautrace.*.trc with events.*.edf)
    #[arg(long)]
    merge: bool,
}

impl Arguments {
    /// Converts the traces.
    pub(crate) fn run(self) -> Status {
        match self.convert() {
            Ok(report) => report_irregularities(&report),
            Err(problem) => problem.report(),
        }
    }

    fn convert(&self) -> Result<Report, Problem> {
        let inputs = if self.merge { inputs::of_threads(&self.files)? } else { inputs::pair(&self.files)? };
        let output = NewArchive::at(&anchor(&self.output))?;
        output.create()?;
        output.finish(convert(&inputs, &output))
    }
}

fn convert(inputs: &[Input], output: &NewArchive) -> Result<Report, Problem> {
    let progress = Progress::new(false);
    convert::convert(inputs, &output.storage, &mut |records| progress.add(records))
        .map_err(|error| problem(&error, output))
}

/// Appends the extension of an anchor file to the name of the archive if it is missing.
fn anchor(output: &Path) -> PathBuf {
    if output.extension().is_some_and(|extension| extension == "otf2") {
        return output.to_owned();
    }
    let mut anchor = output.as_os_str().to_owned();
    anchor.push(".otf2");
    anchor.into()
}

fn problem(error: &Error, output: &NewArchive) -> Problem {
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

/// Reports the irregularities of the traces.
fn report_irregularities(report: &Report) -> Status {
    report.complaints.iter().for_each(|complaint| complain(&complaint.to_string()));
    if let Some(unknown) = &report.first_unknown {
        complain(&unknown.to_string());
    }
    for (count, what) in [
        (report.more_complaints, "more complaints of this kind"),
        (report.unknown, "records left out: the event file does not define their events"),
        (report.left_over, "bytes left out: the last record is incomplete"),
        (report.not_entered, "leave events left out: their states are not open"),
        (report.crossed, "leave events of states in which others were open; these are left with them"),
        (
            report.never_left,
            "states that are never left; they end with the enclosing state, or with their thread",
        ),
    ] {
        if count > 0 {
            complain(&format!("{count} {what}"));
        }
    }
    if report.is_partial() { Status::Partial } else { Status::Done }
}
