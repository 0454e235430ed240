//! The times of snapshots: at equal distances after the begin of the trace, before its end.

/// The times that are still to come.
#[derive(Debug, PartialEq)]
pub(super) struct Breaks {
    next: u64,
    period: u64,
    left: u64,
}

impl Breaks {
    /// Returns the times for a number of snapshots, for a period, or for whichever of both makes
    /// more; `None` if there are none.
    pub(super) fn new(first: u64, length: u64, number: Option<u64>, period: Option<u64>) -> Option<Self> {
        let length = length.min(u64::MAX - first);
        let by_period = period.map(|period| (period, length.saturating_sub(1) / period));
        let by_number = number.map(|number| {
            let period = (length / number.saturating_add(1)).max(1);
            (period, number.min(length.saturating_sub(1) / period))
        });
        let (period, left) = match (by_period, by_number) {
            (Some(period), Some(number)) if number.1 >= period.1 => number,
            (Some(period), _) => period,
            (None, number) => number?,
        };
        (left > 0).then(|| Self { next: first + period, period, left })
    }

    /// Returns the time of the snapshot to make before an event of this time. Further snapshots up
    /// to that time would be the same, and are left out.
    pub(super) fn due(&mut self, time: u64) -> Option<u64> {
        if self.left == 0 || time < self.next {
            return None;
        }
        let due = self.next;
        let passed = ((time - due) / self.period).saturating_add(1).min(self.left);
        self.left -= passed;
        self.next = due.saturating_add(self.period.saturating_mul(passed));
        Some(due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(number: Option<u64>, period: Option<u64>) -> Vec<u64> {
        let breaks = Breaks::new(100, 50, number, period);
        breaks.map_or(Vec::new(), |mut breaks| (0..400).filter_map(|time| breaks.due(time)).collect())
    }

    #[test]
    fn snapshots_are_between_begin_and_end() {
        assert_eq!(times(Some(1), None), [125]);
        assert_eq!(times(Some(3), None), [112, 124, 136]);
        // A fifth one would be at the end.
        assert_eq!(times(Some(4), None), [110, 120, 130, 140]);
        assert_eq!(times(None, Some(20)), [120, 140]);
        assert_eq!(times(None, Some(25)), [125]);
        assert!(times(None, Some(50)).is_empty());
        assert_eq!(times(Some(1000), None).len(), 49);
        // Whatever makes more.
        assert_eq!(times(Some(1), Some(20)), [120, 140]);
        assert_eq!(times(Some(3), Some(20)), [112, 124, 136]);
    }

    #[test]
    fn a_gap_has_one_snapshot() {
        let mut breaks = Breaks::new(0, 100, Some(9), None).unwrap();
        let due: Vec<_> = [9, 10, 10, 19, 35, 39, 40, 1000, 1001].iter().map(|&it| breaks.due(it)).collect();
        assert_eq!(due, [None, Some(10), None, None, Some(20), None, Some(40), Some(50), None]);
    }

    #[test]
    fn the_latest_times_do_not_overflow() {
        let mut breaks = Breaks::new(u64::MAX - 10, u64::MAX, Some(2), None).unwrap();
        assert_eq!([breaks.due(u64::MAX), breaks.due(u64::MAX)], [Some(u64::MAX - 7), None]);
        assert!(Breaks::new(5, 0, Some(2), None).is_none());
    }
}
