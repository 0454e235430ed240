//! The verbs of `kymo`. Each is a module with a struct for its arguments and a method that runs it.

use std::process::ExitCode;

use clap::Subcommand;

use crate::check;
use crate::doctor;
use crate::estimate;
use crate::explain;
use crate::export;
use crate::manual;
use crate::marker;
use crate::mcp;
use crate::merge;
use crate::print;
use crate::profile;
use crate::record;
use crate::recover;
use crate::report;
use crate::scaling;
use crate::seal;
use crate::snapshots;
use crate::stats;
use crate::status::Status;
use crate::tau2otf2;
use crate::thumbnail;
use crate::view;

/// A verb with its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Print(print::Arguments),
    Profile(profile::Arguments),
    Stats(stats::Arguments),
    Explain(explain::Arguments),
    Scaling(scaling::Arguments),
    Mcp(mcp::Arguments),
    Report(report::Arguments),
    View(view::Arguments),
    Export(export::Arguments),
    Check(check::Arguments),
    Merge(merge::Arguments),
    Recover(recover::Arguments),
    Seal(seal::Arguments),
    Marker(marker::Arguments),
    Thumbnail(thumbnail::Arguments),
    Snapshots(snapshots::Arguments),
    Estimate(estimate::Arguments),
    Tau2otf2(tau2otf2::Arguments),
    Record(record::Arguments),
    Doctor(doctor::Arguments),
    Man(manual::Man),
    Completions(manual::Completions),
}

impl Verb {
    /// Runs the verb. `record` ends with the exit status of the program that it runs.
    pub(crate) fn run(self) -> ExitCode {
        let status: Status = match self {
            Self::Record(arguments) => return arguments.run(),
            Self::Print(arguments) => arguments.run(),
            Self::Profile(arguments) => arguments.run(),
            Self::Stats(arguments) => arguments.run(),
            Self::Explain(arguments) => arguments.run(),
            Self::Scaling(arguments) => arguments.run(),
            Self::Mcp(arguments) => arguments.run(),
            Self::Report(arguments) => arguments.run(),
            Self::View(arguments) => arguments.run(),
            Self::Export(arguments) => arguments.run(),
            Self::Check(arguments) => arguments.run(),
            Self::Merge(arguments) => arguments.run(),
            Self::Recover(arguments) => arguments.run(),
            Self::Seal(arguments) => arguments.run(),
            Self::Marker(arguments) => arguments.run(),
            Self::Thumbnail(arguments) => arguments.run(),
            Self::Snapshots(arguments) => arguments.run(),
            Self::Estimate(arguments) => arguments.run(),
            Self::Tau2otf2(arguments) => arguments.run(),
            Self::Doctor(arguments) => arguments.run(),
            Self::Man(arguments) => arguments.run(),
            Self::Completions(arguments) => arguments.run(),
        };
        status.into()
    }
}
