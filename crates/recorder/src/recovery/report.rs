//! The outcome of a recovery: the data that were found, kept and lost.

use super::repair::Repaired;

/// The outcome for a location.
#[derive(Debug, Clone)]
pub struct LocationReport {
    /// Its id.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// The number of records that the process itself dropped.
    pub dropped: u64,
    /// The outcome of the repair of its events.
    pub events: Repaired,
}

/// The outcome for a process.
#[derive(Debug, Clone)]
pub struct RankReport {
    /// Its rank.
    pub rank: u32,
    /// Whether its scratch file was available.
    pub is_from_scratch: bool,
    /// The number of events for locations for which it had no memory.
    pub untracked: u64,
    /// Whether it had memory that was not in the scratch file.
    pub had_more: bool,
    /// Its locations.
    pub locations: Vec<LocationReport>,
    /// The number of definitions and journal entries that could not be read.
    pub damaged: u64,
}

/// The outcome for a run.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The processes, by rank.
    pub ranks: Vec<RankReport>,
    /// The missing ranks, as ranges (from, to).
    pub missing: Vec<(u32, u32)>,
    /// Whether the rate of the clock is only assumed.
    pub is_resolution_unknown: bool,
}

impl Report {
    /// Iterates over the locations of all ranks.
    pub fn locations(&self) -> impl Iterator<Item = &LocationReport> {
        self.ranks.iter().flat_map(|rank| &rank.locations)
    }

    /// Returns the sum of a number over all locations.
    pub fn sum(&self, of: impl Fn(&LocationReport) -> u64) -> u64 {
        self.locations().fold(0, |sum, location| sum.saturating_add(of(location)))
    }

    /// Returns the number of records that the processes dropped or that are missing.
    pub fn lost(&self) -> u64 {
        let untracked = self.ranks.iter().fold(0_u64, |sum, rank| sum.saturating_add(rank.untracked));
        untracked.saturating_add(self.sum(|it| it.dropped.saturating_add(it.events.missing)))
    }

    /// Returns whether the archive lacks any recorded data, or may lack some.
    pub fn is_partial(&self) -> bool {
        let is_cut =
            |it: &LocationReport| it.events.cut > 0 || it.events.missing > 0 || it.events.fault.is_some();
        !self.missing.is_empty()
            || self.ranks.iter().any(|rank| rank.damaged > 0 || rank.had_more || !rank.is_from_scratch)
            || self.locations().any(is_cut)
    }
}

/// Returns the ranks below `size` that are not among `ranks`, which must be sorted.
pub(super) fn missing(ranks: &[u32], size: u32) -> Vec<(u32, u32)> {
    let mut missing = Vec::new();
    let mut next = 0;
    for &rank in ranks.iter().filter(|&&rank| rank < size).chain([&size]) {
        if next < rank {
            missing.push((next, rank - 1));
        }
        next = rank.saturating_add(1);
    }
    missing
}

/// Formats ranges, as in `1, 3-5`.
pub fn ranges(ranges: &[(u32, u32)]) -> String {
    const MOST: usize = 1000;
    let text = |&(from, to): &(u32, u32)| if from == to { from.to_string() } else { format!("{from}-{to}") };
    let mut texts: Vec<String> = ranges.iter().take(MOST).map(text).collect();
    if ranges.len() > MOST {
        texts.push("...".to_owned());
    }
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_ranks_are_reported_as_ranges() {
        let all = |ranks: &[u32], size| ranges(&missing(ranks, size));
        assert_eq!(all(&[0, 1, 2], 3), "");
        assert_eq!(all(&[], 1), "0");
        assert_eq!(all(&[1, 5], 8), "0, 2-4, 6-7");
        assert_eq!(all(&[7], 0), "");
        assert_eq!(all(&[0], u32::MAX), format!("1-{}", u32::MAX - 1));
    }
}
