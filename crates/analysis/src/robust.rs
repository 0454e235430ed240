//! Statistics that single values do not disturb.

/// From which robust score on a value is an outlier (Iglewicz and Hoaglin, 1993).
const OUTLYING: f64 = 3.5;

/// Values whose spread is known.
#[derive(Debug, Clone, Copy)]
pub struct RobustSpread {
    /// The middle value.
    pub median: f64,
    /// The median absolute deviation, as a standard deviation.
    deviation: f64,
}

impl RobustSpread {
    /// Returns the spread of values, if there are any.
    ///
    /// The deviation is 1.4826 MAD with the median absolute deviation MAD. Where that is 0, it is
    /// 1.253314 × the mean absolute deviation.
    pub fn of(values: &[f64]) -> Option<Self> {
        let center = median(values.to_vec())?;
        let deviations: Vec<f64> = values.iter().map(|it| (it - center).abs()).collect();
        let mean = deviations.iter().sum::<f64>() / deviations.len() as f64;
        let deviation = match median(deviations).unwrap_or(0.0) {
            middle if middle > 0.0 => middle / 0.6745,
            _ => 1.253_314 * mean,
        };
        Some(Self { median: center, deviation })
    }

    /// Returns by how many deviations a value is above the median; 0 if all values are equal.
    pub fn score(&self, value: f64) -> f64 {
        if self.deviation > 0.0 { (value - self.median) / self.deviation } else { 0.0 }
    }

    /// Returns whether a value is far above the others.
    pub fn is_far_above(&self, value: f64) -> bool {
        self.score(value) > OUTLYING
    }

    /// Returns whether a value is far from the others.
    pub fn is_outlier(&self, value: f64) -> bool {
        self.score(value).abs() > OUTLYING
    }
}

/// Returns the median absolute deviation of values as a standard deviation, if there are any:
/// 1.4826 times it.
pub fn deviation(values: &[f64]) -> Option<f64> {
    let center = median(values.to_vec())?;
    median(values.iter().map(|value| (value - center).abs()).collect()).map(|it| 1.4826 * it)
}

/// Returns the middle value, or the mean of the two middle ones.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    let (count, half) = (values.len(), values.len() / 2);
    if values.is_empty() {
        return None;
    }
    let (below, upper, _) = values.select_nth_unstable_by(half, f64::total_cmp);
    let lower = below.iter().copied().max_by(f64::total_cmp);
    Some(match lower {
        Some(lower) if count % 2 == 0 => (lower + *upper) / 2.0,
        _ => *upper,
    })
}

/// The largest number of values of which all pairs are compared.
const MOST_COMPARED: usize = 512;

/// Returns the slope of values, for each one more, if they rise or fall for certain: the median of
/// the slopes of all pairs (Theil and Sen), of values or of means of as many in sequence. It is
/// certain if the number of rising pairs has a score above 3.5 in the test of Mann and Kendall.
pub fn trend(values: &[f64]) -> Option<f64> {
    let width = values.len().div_ceil(MOST_COMPARED).max(1);
    let means: Vec<f64> =
        values.chunks_exact(width).map(|chunk| chunk.iter().sum::<f64>() / width as f64).collect();
    let (mut slopes, mut rising) = (Vec::new(), 0_i64);
    for (place, first) in means.iter().enumerate() {
        for (distance, second) in (1_usize..).zip(&means[place + 1..]) {
            slopes.push((second - first) / (distance * width) as f64);
            rising += i64::from(second > first) - i64::from(second < first);
        }
    }
    let n = means.len() as f64;
    let deviation = (n * (n - 1.0) * (2.0 * n + 5.0) / 18.0).sqrt();
    let is_certain = deviation > 0.0 && (rising.abs() - 1) as f64 / deviation > OUTLYING;
    median(slopes).filter(|_| is_certain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outliers(values: &[f64]) -> Vec<f64> {
        let spread = RobustSpread::of(values).expect("values");
        values.iter().copied().filter(|it| spread.is_outlier(*it)).collect()
    }

    #[test]
    fn one_value_that_is_far_above_all_others_is_an_outlier() {
        assert_eq!(outliers(&[100.0, 98.0, 101.0, 102.0, 99.0, 100.0, 180.0]), [180.0]);
    }

    #[test]
    fn equal_values_and_spread_ones_have_no_outlier() {
        assert!(outliers(&[5.0; 4]).is_empty());
        assert!(outliers(&[10.0, 20.0, 30.0, 40.0]).is_empty());
        assert!(RobustSpread::of(&[]).is_none());
    }

    #[test]
    fn one_of_many_equal_values_is_measured_by_the_mean_deviation() {
        let mut all = vec![0.0; 20];
        all.push(7.0);
        assert_eq!(outliers(&all), [7.0]);
        assert!(outliers(&[0.0, 0.0, 0.0, 7.0]).is_empty());
    }

    #[test]
    fn the_median_is_the_middle_value_or_the_mean_of_both() {
        assert_eq!(median(vec![5.0, 1.0, 3.0]), Some(3.0));
        assert_eq!(median(vec![5.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!((median(vec![4.0]), median(vec![])), (Some(4.0), None));
    }

    #[test]
    fn a_trend_is_the_slope_of_values_that_rise_or_fall_for_certain() {
        let rising: Vec<f64> = (0..2_000).map(|it| 100.0 + 2.0 * f64::from(it) + f64::from(it % 7)).collect();
        let slope = trend(&rising).expect("a trend");
        assert!((slope - 2.0).abs() < 0.01, "{slope}");
        let swinging: Vec<f64> = (0..2_000).map(|it| f64::from(it % 10)).collect();
        assert_eq!(trend(&swinging), None);
        assert_eq!(trend(&[1.0, 2.0, 3.0]), None);
        assert_eq!(trend(&[]), None);
    }
}
