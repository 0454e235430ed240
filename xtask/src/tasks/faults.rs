//! Faults in every call of the plugin and the runtime. For each kind of call, the n-th call fails
//! once, and in a second run the n-th and all later calls fail, for growing n until a run makes
//! fewer calls. The number of runs for each kind is printed; a run that does not end as it must is
//! a failure.

use clap::Args;

use crate::Done;
use crate::process::{cargo, print_machine, run};

#[derive(Debug, Args)]
pub(crate) struct Faults {
    /// Fail every STRIDE-th call; 1 gives the figures of docs/reference/reliability.md, in half an
    /// hour
    #[arg(default_value_t = 1)]
    stride: u32,
}

impl Faults {
    pub(crate) fn run(&self) -> Done {
        print_machine()?;
        let mut cargo = cargo("test --locked --package kymo-plugin-tests --test faults --test faults_record");
        cargo.args(["--", "--nocapture", "--test-threads", "1"]);
        run(cargo.env("KYMO_FAULTS_STRIDE", self.stride.to_string()))
    }
}
