//! How much a number varies from run to run, and which changes are larger than that.

use kymo_analysis::robust::deviation;

/// The least number of runs whose spread says how certain their median is.
const LEAST_RUNS: usize = 3;
/// A change is certain if it is larger than this many times the noise.
const CERTAIN: f64 = 3.0;

/// Returns the standard error of the median of a number of some runs: from their spread, or, if
/// they are too few, from that of the others, to which they are compared.
pub(crate) fn of_runs(runs: &[f64], others: &[f64]) -> Option<f64> {
    let spread = [runs, others].into_iter().find(|all| all.len() >= LEAST_RUNS)?;
    deviation(spread).map(|it| it / (runs.len() as f64).sqrt())
}

/// Returns whether a change is larger than the noise.
pub(crate) fn is_certain(change: f64, noise: f64) -> bool {
    change.abs() > CERTAIN * noise
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_runs_vary_as_the_others_do() {
        let three = [10.0, 12.0, 14.0];
        let of_one = 1.4826 * 2.0;
        assert_eq!(of_runs(&three, &[5.0]), Some(of_one / 3_f64.sqrt()));
        assert_eq!(of_runs(&[5.0], &three), Some(of_one));
        assert_eq!(of_runs(&[5.0, 6.0], &three), Some(of_one / 2_f64.sqrt()));
        assert_eq!(of_runs(&[5.0, 6.0], &[5.0]), None);
    }
}
