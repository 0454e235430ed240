//! Format, lints and texts.

use clap::{Args, ValueEnum};

use super::{dependencies, texts};
use crate::Done;
use crate::process::{program, run, run_cargo, target};

#[derive(Debug, Args)]
pub(crate) struct Lint {
    /// What to check; format, clippy and texts by default
    #[arg(value_enum)]
    parts: Vec<LintPart>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum LintPart {
    /// The format of all sources, those of the fuzz targets included
    Format,
    /// The lints of rustc and clippy, for all targets
    Clippy,
    /// Comments and documents
    Texts,
    /// The reasons for dependencies, and their number in the plugin
    Dependencies,
    /// The syntax of the workflows for GitHub, with a tool that is installed from PyPI
    Workflows,
}

/// The parts that need no network.
const USUAL: [LintPart; 4] = [LintPart::Format, LintPart::Clippy, LintPart::Texts, LintPart::Dependencies];

impl Lint {
    pub(crate) fn run(&self) -> Done {
        let parts = if self.parts.is_empty() { &USUAL } else { &self.parts[..] };
        parts.iter().try_for_each(|part| part.check())
    }
}

impl LintPart {
    fn check(self) -> Done {
        match self {
            Self::Format => {
                run_cargo("fmt --all --check")?;
                run_cargo("fmt --manifest-path testing/fuzz/Cargo.toml --check")
            }
            Self::Clippy => run_cargo("clippy --locked --workspace --all-targets -- -D warnings"),
            Self::Texts => texts::check(),
            Self::Dependencies => dependencies::check(),
            Self::Workflows => check_workflows(),
        }
    }
}

/// Compares the workflows with the schema that is a part of the tool.
fn check_workflows() -> Done {
    let environment = target()?.join("check-jsonschema");
    let tool = environment.join("bin/check-jsonschema");
    if !tool.exists() {
        run(program("python3").args(["-m", "venv"]).arg(&environment))?;
        let install = ["install", "--quiet", "--disable-pip-version-check", "check-jsonschema==0.39.0"];
        run(program(environment.join("bin/pip")).args(install))?;
    }
    let schema = ["--builtin-schema", "vendor.github-workflows", ".github/workflows/ci.yml"];
    run(program(tool).args(schema))
}
