//! Marks of an axis of time.

/// Returns the times of marks, at multiples of a round step, of which at most `most` fit.
pub(super) fn marks(length: u64, most: u64) -> impl Iterator<Item = u64> {
    let least = length.div_ceil(most).max(1);
    let mut power = 1_u64;
    while power.saturating_mul(10) <= least {
        power *= 10;
    }
    let step = [1, 2, 5, 10].map(|it| power.saturating_mul(it)).into_iter().find(|it| *it >= least);
    (0..=length).step_by(usize::try_from(step.unwrap_or(length)).unwrap_or(usize::MAX).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_at_round_times() {
        assert_eq!(marks(95, 5).collect::<Vec<_>>(), [0, 20, 40, 60, 80]);
        assert_eq!(marks(0, 5).collect::<Vec<_>>(), [0]);
        for length in [1, 7, 999, 1_000_001, u64::MAX / 3, u64::MAX] {
            assert!((1..=11).contains(&marks(length, 10).count()), "{length}");
        }
    }
}
