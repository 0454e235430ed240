//! `kymo doctor`: the recordings that this machine allows, and how to change it.
//!
//! [`System`] reads the machine; [`checks`] judges the result. Invariant: nothing is changed, and
//! no program is run but launchers and `scorep-config`, which are asked for their version.

mod checks;
mod finding;
mod system;

use clap::Args;

use crate::output;
use crate::status::Status;
use finding::{Finding, FindingState};
use system::System;

/// Show what this machine allows to record, and how to change it
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 programs can be recorded, 4 they cannot")]
pub(crate) struct Arguments {}

impl Arguments {
    pub(crate) fn run(self) -> Status {
        let findings = checks::all(&System::read());
        let text: String = findings.iter().map(Finding::lines).collect();
        let status = output::print(text);
        match findings.iter().any(|finding| finding.state == FindingState::Failed) {
            true => Status::Environment,
            false => status,
        }
    }
}
