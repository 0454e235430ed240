//! `kymo check`: validates an archive and explains its faults.
//!
//! There are three steps: each file as it is on disk ([`files`]), the global definitions
//! ([`definition_rules`]), and all events once in order of time, as the format's own reader returns
//! them ([`rules`]). Every finding has a kind from the table in [`kinds`]. Invariants: nothing is
//! kept per event, and nothing is reported as missing if a part of the archive could not be read.

mod definition_rules;
pub(crate) mod definitions;
mod event_file;
mod examination;
mod files;
mod findings;
mod kinds;
mod local_rules;
mod markers;
mod placed;
mod properties;
mod references;
mod report;
mod rules;
mod seal;
mod snapshots;
mod soundness;
mod tables;
mod thumbnails;
mod trouble;

use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use self::examination::Examination;
use self::kinds::FindingKind;
use self::report::Form;
pub(crate) use self::soundness::damaged_files;
use crate::anchor_path;
use crate::output::{complain, has_colours};
use crate::status::Status;

/// The default number of findings shown per kind.
const LIMIT: u64 = 10;

/// Check an archive and explain what is wrong with it
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 no errors, 1 errors, 2 usage error, 3 only partly readable, 4 I/O error, \
                  5 a limit was reached"
)]
pub(crate) struct Arguments {
    /// Anchor file of the archive (*.otf2), or its folder
    #[arg(value_name = "ANCHOR|DIR", required_unless_present = "explain")]
    archive: Option<PathBuf>,
    /// Print one JSON object per line: every finding, then the summary
    #[arg(long)]
    json: bool,
    /// Show at most this many findings of each kind and count the rest
    #[arg(long, value_name = "NUMBER", default_value_t = LIMIT)]
    limit: u64,
    /// Leave out findings of this kind
    #[arg(long, value_name = "KIND", value_parser = kind)]
    ignore: Vec<FindingKind>,
    /// Explain a kind of finding; without KIND, list all kinds
    #[arg(long, value_name = "KIND", value_parser = kind, num_args = 0..=1, exclusive = false)]
    explain: Option<Option<FindingKind>>,
}

/// Checks an archive and returns the summary that `--json` prints; null if there is none.
pub(crate) fn summary_of(anchor: &Path) -> Value {
    let mut lines = Vec::new();
    Examination { anchor, form: Form::Json, limit: 0, ignored: &[] }.run(&mut lines);
    let last = lines.split(|byte| *byte == b'\n').rfind(|line| !line.is_empty());
    let summary: Option<Value> = last.and_then(|line| serde_json::from_slice(line).ok());
    summary.and_then(|mut summary| summary.get_mut("summary").map(Value::take)).unwrap_or_default()
}

fn kind(id: &str) -> Result<FindingKind, String> {
    FindingKind::of(id).ok_or_else(|| "no such kind; 'kymo check --explain' lists them".to_owned())
}

impl Arguments {
    /// Checks the archive.
    pub(crate) fn run(self) -> Status {
        let mut out = BufWriter::new(io::stdout().lock());
        let form = if self.json { Form::Json } else { Form::Text(has_colours()) };
        match (&self.explain, &self.archive) {
            (Some(Some(kind)), _) => written(form.kinds(&mut out, &[*kind])),
            (Some(None), _) => written(form.kinds(&mut out, FindingKind::ALL)),
            (None, Some(archive)) => match anchor_path::of(archive) {
                Ok(anchor) => {
                    let ignored = &self.ignore;
                    Examination { anchor: &anchor, form, limit: self.limit, ignored }.run(&mut out)
                }
                Err(problem) => problem.report(),
            },
            (None, None) => Status::Usage,
        }
    }
}

/// Returns the status after writing the output. A reader that has gone away is not an error.
fn written(result: io::Result<()>) -> Status {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(&format!("standard output: {error}"));
            Status::Environment
        }
        _ => Status::Done,
    }
}
