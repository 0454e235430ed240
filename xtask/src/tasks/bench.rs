//! The benchmarks, with libotf2 for comparison, and the tables in `benches/RESULTS.md`.
//!
//! Only the text between two marks is replaced. The text before the tables is written by hand:
//! check that it still agrees with them.

use std::fs;

use clap::{Args, ValueEnum};

use crate::process::{cargo, output};
use crate::{Done, Problem, of, repository};

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// The parts; all by default
    #[arg(value_enum)]
    parts: Vec<BenchPart>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum BenchPart {
    Recording,
    Reading,
    Analysis,
    Checking,
    Explaining,
    Pictures,
    Mpi,
    Accelerators,
    Modules,
    Python,
}

impl Bench {
    pub(crate) fn run(&self) -> Done {
        let parts = if self.parts.is_empty() { BenchPart::value_variants() } else { &self.parts };
        parts.iter().try_for_each(|part| part.measure())
    }
}

impl BenchPart {
    fn name(self) -> &'static str {
        match self {
            Self::Recording => "recording",
            Self::Reading => "reading",
            Self::Analysis => "analysis",
            Self::Checking => "checking",
            Self::Explaining => "explaining",
            Self::Pictures => "pictures",
            Self::Mpi => "mpi",
            Self::Accelerators => "accelerators",
            Self::Modules => "modules",
            Self::Python => "python",
        }
    }

    fn stages(self) -> &'static str {
        match self {
            Self::Recording => "event-path stalls memory closing budget format-writer definitions",
            Self::Reading => {
                "reading reading-instructions threads scaling printing traces definitions-reading unification c-library"
            }
            Self::Analysis => "analysis",
            Self::Checking => "checking",
            Self::Explaining => "explaining",
            Self::Pictures => "pictures",
            Self::Mpi => "mpi",
            Self::Accelerators => "accelerators",
            Self::Modules => "modules",
            Self::Python => "python",
        }
    }

    fn measure(self) -> Done {
        let mut benches = cargo("run --profile dist --quiet --package kymo-benches --");
        let tables = output(benches.args(self.stages().split(' ')))?;
        let path = repository::root().join("benches/RESULTS.md");
        let results = fs::read_to_string(&path).map_err(|error| of(&path, error))?;
        let results = replaced(&results, self.name(), &tables).map_err(|problem| of(&path, problem))?;
        fs::write(&path, results).map_err(|error| of(&path, error))
    }
}

/// Returns the results with other tables between the marks of a part.
fn replaced(results: &str, part: &str, tables: &str) -> Result<String, Problem> {
    let (begin, end) =
        (format!("<!-- {part}: made by cargo xtask bench -->\n"), format!("<!-- {part}: end -->"));
    let parts =
        results.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
    let (before, after) = parts.ok_or_else(|| format!("no part {part}"))?;
    Ok(format!("{before}{begin}{tables}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_tables_of_the_part_are_replaced() {
        let results = "text\n<!-- reading: made by cargo xtask bench -->\nold\n<!-- reading: end -->\nmore\n";
        let expected =
            "text\n<!-- reading: made by cargo xtask bench -->\nnew\n<!-- reading: end -->\nmore\n";
        assert_eq!(replaced(results, "reading", "new\n"), Ok(expected.to_owned()));
        assert_eq!(replaced(results, "recording", "new\n"), Err("no part recording".to_owned()));
    }

    #[test]
    fn the_results_have_all_parts() {
        let results = fs::read_to_string(repository::root().join("benches/RESULTS.md")).expect("the results");
        for part in BenchPart::value_variants() {
            replaced(&results, part.name(), "").expect("the part");
        }
    }
}
