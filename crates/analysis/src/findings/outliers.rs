//! Values that are far from the others.

/// From which robust score on a value is an outlier (Iglewicz and Hoaglin, 1993).
const OUTLYING: f64 = 3.5;

/// Returns whether a value is far above the values to which it belongs.
///
/// The score is 0.6745 (x - median) / MAD, with the median absolute deviation MAD. Where that is 0,
/// it is (x - median) / (1.253314 × mean absolute deviation).
pub(super) fn is_outlier(value: u128, all: &[u128]) -> bool {
    let Some(center) = median(all.iter().map(|it| *it as f64).collect()) else { return false };
    let deviations: Vec<f64> = all.iter().map(|it| (*it as f64 - center).abs()).collect();
    let mean = deviations.iter().sum::<f64>() / deviations.len().max(1) as f64;
    let above = value as f64 - center;
    let score = match median(deviations).unwrap_or(0.0) {
        deviation if deviation > 0.0 => 0.6745 * above / deviation,
        _ if mean > 0.0 => above / (1.253_314 * mean),
        _ => 0.0,
    };
    score > OUTLYING
}

/// Returns the middle value, or the mean of the two middle ones.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let half = values.len() / 2;
    let upper = *values.get(half)?;
    Some(if values.len() % 2 == 1 { upper } else { (values.get(half.checked_sub(1)?)? + upper) / 2.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_that_is_far_above_all_others_is_an_outlier() {
        let all = [100, 98, 101, 102, 99, 100, 180];
        assert!(is_outlier(180, &all));
        assert!(all.iter().filter(|it| is_outlier(**it, &all)).count() == 1);
    }

    #[test]
    fn equal_values_and_spread_ones_have_no_outlier() {
        assert!(!is_outlier(5, &[5, 5, 5, 5]));
        assert!(!is_outlier(40, &[10, 20, 30, 40]));
        assert!(!is_outlier(1, &[]));
    }

    #[test]
    fn one_of_many_equal_values_is_measured_by_the_mean_deviation() {
        let mut all = vec![0; 20];
        all.push(7);
        assert!(is_outlier(7, &all));
        assert!(!is_outlier(7, &[0, 0, 0, 7]));
    }
}
