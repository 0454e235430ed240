//! The parts of a call in which the thread executed tasks instead of waiting.

/// The largest number of parts that are kept.
const MOST: usize = 4096;

/// Parts of a time that do not overlap, in their order. Of more than 4,096, pairs are joined: the
/// time between them counts before both, so that the sums stay.
#[derive(Debug, Clone, Default)]
pub(super) struct BusyTime {
    parts: Vec<[u64; 2]>,
}

impl BusyTime {
    /// Adds the part from `since` to `until`, which begins when the last one has ended or later.
    pub(super) fn add(&mut self, since: u64, until: u64) {
        if since >= until {
            return;
        }
        match self.parts.last_mut() {
            Some([_, end]) if since <= *end => *end = until.max(*end),
            _ => self.parts.push([since, until]),
        }
        if self.parts.len() > MOST {
            self.join_pairs();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Joins the parts of each pair, later by the gap between them.
    #[cold]
    fn join_pairs(&mut self) {
        let pairs = self.parts.chunks(2).map(|pair| match *pair {
            [[start, end], [next, last]] => [start + (next - end), last],
            _ => pair.first().copied().unwrap_or_default(),
        });
        self.parts = pairs.collect();
    }

    /// Returns the gaps between the parts in the time from `start` to `end`.
    pub(super) fn gaps(&self, start: u64, end: u64) -> impl Iterator<Item = [u64; 2]> {
        let begins = [start].into_iter().chain(self.parts.iter().map(|it| it[1]));
        let ends = self.parts.iter().map(|it| it[0]).chain([end]);
        let gaps = begins.zip(ends).map(move |(from, to)| [from.max(start), to.min(end)]);
        gaps.filter(|[from, to]| from < to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gaps(parts: &[[u64; 2]], start: u64, end: u64) -> Vec<[u64; 2]> {
        let mut busy = BusyTime::default();
        parts.iter().for_each(|[since, until]| busy.add(*since, *until));
        busy.gaps(start, end).collect()
    }

    #[test]
    fn the_time_between_parts_is_left() {
        assert_eq!(gaps(&[], 5, 9), [[5, 9]]);
        assert_eq!(gaps(&[[10, 20], [20, 30], [40, 50]], 5, 60), [[5, 10], [30, 40], [50, 60]]);
        assert_eq!(gaps(&[[10, 20], [40, 50]], 15, 45), [[20, 40]]);
        assert_eq!(gaps(&[[10, 20]], 12, 18), [] as [[u64; 2]; 0]);
        assert_eq!(gaps(&[[10, 20]], 30, 40), [[30, 40]]);
        assert_eq!(gaps(&[[10, 20]], 0, 5), [[0, 5]]);
    }

    #[test]
    fn the_sums_of_too_many_parts_stay() {
        for gap in [1, 14] {
            let mut busy = BusyTime::default();
            let count = 50_000;
            (0..count).for_each(|number| busy.add(number * 100 + gap, (number + 1) * 100));
            assert!(busy.parts.len() <= MOST, "{} parts", busy.parts.len());
            let left: u64 = busy.gaps(0, count * 100).map(|[from, to]| to - from).sum();
            assert_eq!(left, count * gap);
        }
    }
}
