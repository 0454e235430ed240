//! The verbs of `kymo`, one file each: its arguments as a struct, and a method that runs it.

use clap::Subcommand;

use crate::status::Status;

/// What `kymo` can do. No verb exists yet, so nobody can make a value of this type.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {}

impl Verb {
    /// Does it.
    pub(crate) fn run(self) -> Status {
        match self {}
    }
}
