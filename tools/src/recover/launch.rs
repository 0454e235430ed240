//! Ranks of processes that died before they knew theirs, by what their launcher told them.
//!
//! Invariant: nobody gets a rank unless all that is known agrees: one job of one size, no rank twice or beyond that size, and those who
//! knew their rank were told the same.

use std::collections::HashSet;

use kymo_launch::Launch;

/// What is known of a process.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) rank: Option<u32>,
    pub(super) size: Option<u32>,
    pub(super) launch: Option<&'a Launch>,
}

/// The ranks of all these processes, and how many there are at least; `size` is what notes say, 0 if nothing.
pub(super) fn ranks(all: &[Known<'_>], size: u32) -> Option<(Vec<u32>, u32)> {
    let first = all.iter().find_map(|it| it.launch)?;
    let sizes = all.iter().filter_map(|it| it.size).chain(Some(size).filter(|&size| size > 0));
    let mut said = all.iter().filter_map(|it| it.launch);
    let is_one_job = said.all(|it| it.job == first.job && it.size == first.size)
        && sizes.into_iter().all(|size| first.size.is_none_or(|told| told == size));
    let ranks: Vec<u32> = all.iter().map(rank).collect::<Option<_>>()?;
    let different: HashSet<u32> = ranks.iter().copied().collect();
    // Of launchers that tell no size this is all that is known of it.
    let least = ranks.iter().max()?.saturating_add(1);
    let have_room = all.iter().filter_map(|it| it.size).all(|size| size >= least);
    let is_sound = is_one_job && have_room && different.len() == ranks.len();
    is_sound.then(|| (ranks, first.size.unwrap_or(0).max(size).max(least)))
}

/// The rank that a process knew or was told.
fn rank(process: &Known<'_>) -> Option<u32> {
    let told = process.launch.map(|launch| launch.rank);
    match process.rank {
        Some(rank) if told.is_some_and(|told| told != rank) => None,
        rank => rank.or(told),
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
    fn ranks_of_one_job_are_those_that_were_told() {
        let [a, b] = [2, 0].map(|rank| launch("job", rank, Some(4)));
        assert_eq!(ranks(&[early(&a), early(&b)], 0), Some((vec![2, 0], 4)));
        let late = Known { rank: Some(0), size: Some(4), launch: Some(&b) };
        assert_eq!(ranks(&[late, early(&a)], 4), Some((vec![0, 2], 4)));
        // Of an older version, or from side files.
        let silent = Known { rank: Some(1), size: None, launch: None };
        assert_eq!(ranks(&[silent, early(&a)], 4), Some((vec![1, 2], 4)));
    }

    #[test]
    fn ranks_below_one_that_was_told_without_a_size_were_not_missed() {
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
    fn nobody_gets_a_rank_where_something_does_not_agree() {
        let a = launch("job", 2, Some(4));
        let silent = Known { rank: None, size: None, launch: None };
        assert_eq!(ranks(&[early(&a), silent], 0), None);
        assert_eq!(ranks(&[silent], 0), None);
        for other in [launch("another", 0, Some(4)), launch("job", 0, Some(5)), launch("job", 2, Some(4))] {
            assert_eq!(ranks(&[early(&a), early(&other)], 0), None, "{other:?}");
        }
        let known = |rank, launch| Known { rank: Some(rank), size: Some(4), launch };
        let told = launch("job", 1, Some(4));
        assert_eq!(ranks(&[early(&a), known(0, Some(&told))], 4), None);
        assert_eq!(ranks(&[early(&a), known(2, None)], 4), None);
        assert_eq!(ranks(&[early(&a)], 3), None);
        assert_eq!(ranks(&[early(&a), Known { size: Some(3), ..known(0, None) }], 0), None);
    }
}
