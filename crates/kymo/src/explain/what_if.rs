//! The ideal run if calls took another time.

use std::collections::BTreeSet;
use std::str::FromStr;

use kymo_analysis::replay::{IdealRun, SendRule};
use kymo_analysis::{Hypothesis, Selection, Trace, statistics};
use serde::Serialize;

use crate::problem::Problem;
use crate::trace;

/// A region by its name, and the part of its time that calls of it would take.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WhatIf {
    region: String,
    factor: f64,
}

/// The run on an ideal network as it would be.
#[derive(Debug, Serialize)]
pub(super) struct WhatIfRow {
    pub(super) region: String,
    pub(super) factor: f64,
    pub(super) ideal_ns: u64,
    /// By how much it is shorter than the ideal run; negative if it is longer.
    pub(super) gain_ns: i64,
}

impl FromStr for WhatIf {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected REGION=FACTOR, such as 'solve=0.5'";
        let (region, factor) = text.rsplit_once('=').ok_or(expected)?;
        let factor = factor.trim().parse().ok().filter(|it| (0.0..=1000.0).contains(it)).ok_or(expected)?;
        Ok(Self { region: region.trim().to_owned(), factor })
    }
}

impl WhatIf {
    /// Replays the run, whose ideal run is known.
    pub(super) fn of(
        &self,
        trace: &Trace,
        selection: &Selection,
        ideal: Option<IdealRun>,
        sends: SendRule,
    ) -> Result<WhatIfRow, Problem> {
        let is_named = |id: &_| trace.region_name(*id) == self.region;
        let regions: BTreeSet<_> = trace.region_ids().filter(is_named).collect();
        if regions.is_empty() {
            return Err(Problem::usage(format!("'--if': the trace has no region '{}'", self.region)));
        }
        let hypothesis = Hypothesis { regions, factor: self.factor };
        let run = statistics::ideal_run_if(trace, selection, &hypothesis, sends)
            .map_err(|error| trace::problem(trace, &error))?;
        let (Some(ideal), Some(run)) = (ideal, run) else {
            return Err(Problem::usage("'--if': no location communicates, so that there is no ideal run"));
        };
        let gain = i128::from(ideal.length) - i128::from(run.length);
        Ok(WhatIfRow {
            region: self.region.clone(),
            factor: self.factor,
            ideal_ns: run.length,
            gain_ns: i64::try_from(gain).unwrap_or(i64::MIN),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_has_a_factor_after_the_last_equals_sign() {
        let what_if = |text: &str| text.parse::<WhatIf>().map(|it| (it.region, it.factor));
        assert_eq!(what_if("solve=0.5"), Ok(("solve".to_owned(), 0.5)));
        assert_eq!(what_if("operator= = 2"), Ok(("operator=".to_owned(), 2.0)));
        for wrong in ["solve", "solve=", "solve=-1", "solve=nan", "solve=inf"] {
            assert!(what_if(wrong).is_err(), "{wrong}");
        }
    }
}
