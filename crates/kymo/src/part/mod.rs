//! The work of several processes on one trace: each does a part (`--part`), and one joins the
//! results (`--join`).
//!
//! A part is a [`PartFile`] that begins with a [`Header`]. Invariant: only a complete set of parts
//! of the same trace, made with the same options, is joined, so the result is that of one process.

mod choice;
mod file;
mod header;
mod set;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use kymo_analysis::{Selection, SelectionPart};

pub(crate) use self::choice::Choice;
pub(crate) use self::file::{PartFile, PartReader};
pub(crate) use self::header::Header;
pub(crate) use self::set::Set;
use crate::problem::Problem;

/// The options for several processes.
#[derive(Debug, Args)]
pub(crate) struct Parts {
    /// Process only part I of N, counted from 0 or from 1, and write what '--join' needs; 'auto'
    /// takes the numbers from the variables of Slurm, Open MPI or PMI, and appends I to the name of
    /// the result
    #[arg(long, value_name = "I/N")]
    part: Option<Choice>,
    /// Join all parts of a trace, which are named instead of an archive
    #[arg(long, conflicts_with_all = ["part", "location", "time", "filter"])]
    pub(crate) join: bool,
}

impl Parts {
    /// Returns the part to process, if not all of the trace.
    pub(crate) fn part(&self) -> Result<Option<SelectionPart>, Problem> {
        self.part.map(Choice::part).transpose()
    }

    /// Returns the mistake in the options, if there is one.
    pub(crate) fn mistake(&self, output: &Path, inputs: usize) -> Option<&'static str> {
        match (self.part, output.as_os_str() == "-") {
            (Some(_), true) => Some("'--part' writes a file for '--join', so it needs '--output'"),
            _ if inputs > 1 && !self.join => Some("several results are read only with '--join'"),
            _ => None,
        }
    }

    /// Returns the path of the result of a part.
    pub(crate) fn output(&self, part: SelectionPart, output: &Path) -> PathBuf {
        let number = part.index.to_string();
        let is_numbered = output.to_string_lossy().ends_with(&format!(".{number}"));
        if self.part != Some(Choice::Auto) || is_numbered {
            return output.to_owned();
        }
        let mut name = OsString::from(output);
        name.push(".");
        name.push(number);
        name.into()
    }
}

/// Describes a selection, for [`Header::settings`].
pub(crate) fn settings_of(selection: &Selection) -> Vec<(String, String)> {
    let mut locations: Vec<_> = selection.locations.iter().flatten().map(|id| id.0.to_string()).collect();
    locations.sort_unstable();
    let locations = if locations.is_empty() { "all".to_owned() } else { locations.join(",") };
    let time = format!("{} to {} ns", selection.from, selection.to);
    let left_out: Vec<_> = selection.left_out.iter().map(|id| id.0.to_string()).collect();
    let settings = [("location", locations), ("time", time), ("filter", left_out.join(","))];
    settings.map(|(name, value)| (name.to_owned(), value)).to_vec()
}
