//! The parts of a call in which the thread executed tasks instead of waiting.

/// The largest number of parts that are kept.
const MOST: usize = 4096;

/// Parts of a time that do not overlap, in their order. Of more than 4,096, those with the shortest
/// gaps between them are joined.
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
            self.join_half();
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Joins parts with gaps that are not longer than the median.
    #[cold]
    fn join_half(&mut self) {
        let gap = |pair: &[[u64; 2]]| pair[1][0] - pair[0][1];
        let mut gaps: Vec<u64> = self.parts.windows(2).map(gap).collect();
        let middle = gaps.len() / 2;
        let median = *gaps.select_nth_unstable(middle).1;
        self.parts.dedup_by(|next, last| {
            let is_near = next[0] - last[1] <= median;
            last[1] = if is_near { next[1] } else { last[1] };
            is_near
        });
    }

    /// Returns what is left of the time from `start` to `end`.
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
    fn of_too_many_parts_those_with_the_shortest_gaps_are_joined() {
        let mut busy = BusyTime::default();
        for number in 0..=MOST as u64 {
            let gap = if number % 4 == 3 { 50 } else { 1 };
            busy.add(number * 100 + gap, (number + 1) * 100);
        }
        let (length, end) = (busy.parts.len(), (MOST as u64 + 1) * 100);
        assert!(length <= MOST / 4 + 1, "{length} parts");
        assert_eq!(busy.gaps(0, end).filter(|gap| gap[1] - gap[0] == 50).count(), MOST / 4);
    }
}
