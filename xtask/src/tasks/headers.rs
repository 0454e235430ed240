//! The C headers of the OTF2 library that list records.

use clap::Args;

use crate::Done;
use crate::process::{cargo, run};

#[derive(Debug, Args)]
pub(crate) struct Headers {
    /// Only compare the headers with the templates and the tables of records
    #[arg(long)]
    check: bool,
}

impl Headers {
    pub(crate) fn run(&self) -> Done {
        let mut generator = cargo("run --quiet --locked --package kymo-otf2-headers --");
        run(generator.args(self.check.then_some("--check")))
    }
}
