//! Fuzzing of the readers and writers of the format and of TAU traces, of recovery, and of
//! analyses; see `testing/fuzz/README.md`.
//!
//! New inputs are kept in `out/fuzz/<target>`, and the next run continues from them. An input that
//! fails is written to `out/fuzz/failed-<target>-…` and ends the task.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::process::{cargo, run};
use crate::{Done, installation, of, repository};

#[derive(Debug, Args)]
pub(crate) struct Fuzz {
    /// The time for each target
    #[arg(default_value_t = 60)]
    seconds: u32,
    /// The targets; all by default
    #[arg(value_enum)]
    targets: Vec<Target>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Target {
    Anything,
    Cuts,
    RoundTrip,
    Tau,
    Recovery,
    Analysis,
}

impl Fuzz {
    pub(crate) fn run(&self) -> Done {
        installation::nightly(&[])?;
        installation::from_crates("cargo-fuzz", "")?;
        let targets = if self.targets.is_empty() { Target::value_variants() } else { &self.targets };
        targets.iter().try_for_each(|target| target.fuzz(self.seconds))
    }
}

impl Target {
    fn name(self) -> &'static str {
        match self {
            Self::Anything => "anything",
            Self::Cuts => "cuts",
            Self::RoundTrip => "round_trip",
            Self::Tau => "tau",
            Self::Recovery => "recovery",
            Self::Analysis => "analysis",
        }
    }

    fn fuzz(self, seconds: u32) -> Done {
        let out = repository::root().join("out/fuzz");
        let found = out.join(self.name());
        fs::create_dir_all(&found).map_err(|error| of(&found, error))?;
        // The crates have no unsafe code for a sanitizer to check; without one the fuzzer is
        // several times as fast.
        let mut fuzzer = cargo("+nightly fuzz run --fuzz-dir . --sanitizer none");
        fuzzer.current_dir(repository::root().join("testing/fuzz")).arg(self.name()).arg(found);
        fuzzer.args(self.inputs(&out)?).arg("--").arg(format!("-max_total_time={seconds}"));
        fuzzer.args(["-timeout=20", "-malloc_limit_mb=128", "-max_len=16384", "-print_final_stats=1"]);
        fuzzer.arg(format!("-artifact_prefix={}/failed-{}-", out.display(), self.name()));
        run(&mut fuzzer)
    }

    /// Returns the folders of inputs, relative to `testing/fuzz`.
    fn inputs(self, out: &Path) -> Result<Vec<PathBuf>, String> {
        let folders = |names: [&str; 2]| names.map(PathBuf::from).to_vec();
        Ok(match self {
            Self::Tau => {
                let edge_cases = out.join("tau-edge");
                // TAU's own traces and edge cases, if they exist.
                let seeds = "run --quiet --package kymo-tau-testing --example tau_seeds -- testing/data/tau";
                run(cargo(seeds).arg(&edge_cases).current_dir(repository::root()))?;
                [folders(["tau-corpus", "tau-regressions"]), vec![edge_cases]].concat()
            }
            Self::Recovery => folders(["recovery-corpus", "recovery-regressions"]),
            // Three bytes are an event: the fuzzer needs no seeds.
            Self::Analysis => Vec::new(),
            _ => folders(["corpus", "regressions"]),
        })
    }
}
