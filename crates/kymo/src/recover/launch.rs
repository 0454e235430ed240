//! Ranks of processes that died before they knew theirs, derived from the variables that their
//! launcher passed to them.
//!
//! Invariant: no process is assigned a rank unless all known facts agree: a single job of one size,
//! no rank twice or beyond that size, and for processes that knew their rank, the same rank from
//! the launcher.

use std::collections::HashSet;

use kymo_launch::Launch;

/// The known facts about a process.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) rank: Option<u32>,
    pub(super) size: Option<u32>,
    pub(super) launch: Option<&'a Launch>,
}

/// Returns the ranks of all these processes, and the minimum number of ranks; `size` is the number
/// that notes state, or 0.
pub(super) fn ranks(all: &[Known<'_>], size: u32) -> Option<(Vec<u32>, u32)> {
    let first = all.iter().find_map(|it| it.launch)?;
    let sizes = all.iter().filter_map(|it| it.size).chain(Some(size).filter(|&size| size > 0));
    let mut launches = all.iter().filter_map(|it| it.launch);
    let is_one_job = launches.all(|it| it.job == first.job && it.size == first.size)
        && sizes.into_iter().all(|size| first.size.is_none_or(|stated| stated == size));
    let ranks: Vec<u32> = all.iter().map(rank).collect::<Option<_>>()?;
    let different: HashSet<u32> = ranks.iter().copied().collect();
    // If the launcher states no size, this is the only information about it.
    let least = ranks.iter().max()?.saturating_add(1);
    let have_room = all.iter().filter_map(|it| it.size).all(|size| size >= least);
    let is_sound = is_one_job && have_room && different.len() == ranks.len();
    is_sound.then(|| (ranks, first.size.unwrap_or(0).max(size).max(least)))
}

/// Returns the rank that a process knew or that its launcher passed to it.
fn rank(process: &Known<'_>) -> Option<u32> {
    let passed = process.launch.map(|launch| launch.rank);
    match process.rank {
        Some(rank) if passed.is_some_and(|passed| passed != rank) => None,
        rank => rank.or(passed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(job: &str, rank: u32, size: Option<u32>) -> Launch {
        Launch { job: job.to_owned(), rank, size }
    }

    fn early(launch: &Launch) -> Known<'_> {
        Known { rank: None, size: None, launch: Some(launch) }
    }

    #[test]
    fn processes_of_one_job_have_the_ranks_of_their_launcher() {
        let [a, b] = [2, 0].map(|rank| launch("job", rank, Some(4)));
        assert_eq!(ranks(&[early(&a), early(&b)], 0), Some((vec![2, 0], 4)));
        let late = Known { rank: Some(0), size: Some(4), launch: Some(&b) };
        assert_eq!(ranks(&[late, early(&a)], 4), Some((vec![0, 2], 4)));
        // From an older version, or from side files.
        let silent = Known { rank: Some(1), size: None, launch: None };
        assert_eq!(ranks(&[silent, early(&a)], 4), Some((vec![1, 2], 4)));
    }

    /// The missing ranks were not reported.
    #[test]
    fn ranks_below_one_from_a_launcher_without_a_size_are_missed() {
        let [a, b] = [2, 0].map(|rank| launch("job", rank, None));
        assert_eq!(ranks(&[early(&a), early(&b)], 0), Some((vec![2, 0], 3)));
        assert_eq!(ranks(&[early(&a)], 8), Some((vec![2], 8)));
        let last = launch("job", u32::MAX, None);
        assert_eq!(ranks(&[early(&last)], 0), Some((vec![u32::MAX], u32::MAX)));
        let late = |size| Known { rank: Some(0), size: Some(size), launch: Some(&b) };
        assert_eq!(ranks(&[late(3), early(&a)], 3), Some((vec![0, 2], 3)));
        assert_eq!(ranks(&[late(2), early(&a)], 2), None);
    }

    #[test]
    fn no_rank_is_assigned_if_something_disagrees() {
        let a = launch("job", 2, Some(4));
        let silent = Known { rank: None, size: None, launch: None };
        assert_eq!(ranks(&[early(&a), silent], 0), None);
        assert_eq!(ranks(&[silent], 0), None);
        for other in [launch("another", 0, Some(4)), launch("job", 0, Some(5)), launch("job", 2, Some(4))] {
            assert_eq!(ranks(&[early(&a), early(&other)], 0), None, "{other:?}");
        }
        let known = |rank, launch| Known { rank: Some(rank), size: Some(4), launch };
        let passed = launch("job", 1, Some(4));
        assert_eq!(ranks(&[early(&a), known(0, Some(&passed))], 4), None);
        assert_eq!(ranks(&[early(&a), known(2, None)], 4), None);
        assert_eq!(ranks(&[early(&a)], 3), None);
        assert_eq!(ranks(&[early(&a), Known { size: Some(3), ..known(0, None) }], 0), None);
    }
}
