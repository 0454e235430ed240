//! Which part: named, or taken from the launcher of the job.

use std::env;
use std::num::NonZero;
use std::str::FromStr;

use kymo_analysis::SelectionPart;

use crate::problem::Problem;

/// The value of `--part`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Part `I` of `N`.
    Named(SelectionPart),
    /// The part that the launcher states.
    Auto,
}

/// The variables of launchers that state the rank and the number of processes.
const VARIABLES: [(&str, &str); 4] = [
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("PMIX_RANK", "PMIX_SIZE"),
    ("SLURM_PROCID", "SLURM_NTASKS"),
];

impl FromStr for Choice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let numbers = text.split_once('/').and_then(|(index, count)| part(index, count));
        numbers.map(Self::Named).ok_or("expected I/N with I from 0 to N, or 'auto'")
    }
}

/// Returns a part. The last one may be called `count`, so that both counts from 0 and counts from 1
/// name all parts.
fn part(index: &str, count: &str) -> Option<SelectionPart> {
    let (index, count): (u64, NonZero<u64>) = (index.parse().ok()?, count.parse().ok()?);
    (index <= count.get()).then_some(SelectionPart { index: index % count, count })
}

impl Choice {
    /// Returns the part.
    pub(super) fn part(self) -> Result<SelectionPart, Problem> {
        match self {
            Self::Named(part) => Ok(part),
            Self::Auto => of_job(|name| env::var(name).ok()),
        }
    }
}

fn of_job(variable: impl Fn(&str) -> Option<String>) -> Result<SelectionPart, Problem> {
    let found = VARIABLES.iter().find_map(|(rank, size)| part(&variable(rank)?, &variable(size)?));
    found.ok_or_else(|| {
        let names: Vec<_> = VARIABLES.iter().map(|(rank, _)| *rank).collect();
        Problem::usage(format!("'--part auto': no launcher has set {}", names.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(index: u64, count: u64) -> Choice {
        Choice::Named(SelectionPart { index, count: NonZero::new(count).unwrap() })
    }

    #[test]
    fn parts_count_from_0_or_from_1() {
        assert_eq!("0/4".parse(), Ok(named(0, 4)));
        assert_eq!("3/4".parse(), Ok(named(3, 4)));
        assert_eq!("4/4".parse(), Ok(named(0, 4)));
        assert_eq!("auto".parse(), Ok(Choice::Auto));
        for wrong in ["", "1", "5/4", "1/0", "-1/4", "a/b", "1/4/2"] {
            assert!(wrong.parse::<Choice>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn launchers_name_the_part() {
        for (rank, size) in VARIABLES {
            let variables = [(rank, "2"), (size, "3")];
            let of = |name: &str| variables.iter().find(|it| it.0 == name).map(|it| it.1.to_owned());
            assert_eq!(of_job(of).map(|part| (part.index, part.count.get())).unwrap(), (2, 3));
        }
        assert!(of_job(|_| None).is_err());
    }
}
