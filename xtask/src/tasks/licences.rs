//! The licences and sources of dependencies, and advisories about them: `cargo deny` with the rules
//! in `deny.toml`. `cargo xtask lint dependencies` checks the licences without that tool.

use clap::Args;

use crate::process::{cargo, run};
use crate::{Done, installation};

#[derive(Debug, Args)]
pub(crate) struct Licences {
    /// Also look for advisories, whose database is on GitHub
    #[arg(long)]
    advisories: bool,
}

impl Licences {
    pub(crate) fn run(&self) -> Done {
        installation::from_crates("cargo-deny", "--no-default-features")?;
        let advisories = self.advisories.then_some("advisories");
        run(cargo("deny --workspace check licenses bans sources").args(advisories))
    }
}
