//! The plugin under the sanitizers of nightly Rust: `xtask/sanitize/run` builds it, plays
//! recordings and C programs, and compares the reports of the sanitizers.

use clap::{Args, ValueEnum};

use crate::process::{run, script};
use crate::{Done, installation};

#[derive(Debug, Args)]
pub(crate) struct Sanitize {
    /// The sanitizers; all by default
    #[arg(value_enum)]
    sanitizers: Vec<Sanitizer>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Sanitizer {
    /// Memory errors of the plugin and of the C interfaces of OTF2 and of the TAU reader
    Address,
    /// Races of the plugin
    Thread,
}

impl Sanitize {
    pub(crate) fn run(&self) -> Done {
        installation::nightly(&["rust-src"])?;
        let all = Sanitizer::value_variants();
        let sanitizers = if self.sanitizers.is_empty() { all } else { &self.sanitizers };
        let names = sanitizers.iter().map(|sanitizer| match sanitizer {
            Sanitizer::Address => "address",
            Sanitizer::Thread => "thread",
        });
        run(script("xtask/sanitize/run").args(names))
    }
}
