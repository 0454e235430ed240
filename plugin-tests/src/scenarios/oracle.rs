//! The oracle: it derives the records that an archive must contain, and compares.
//!
//! Every operation that had returned is present, in order, once. Of the operation that had not
//! returned, all, some or no records are present. Dropped records are counted where they are
//! missing. Nothing else is present except the leaves that recovery adds.

use super::archive::Archive;
use super::operations::{Thread, Timed, TraceRecord};
use super::plan::{Plan, phase};

/// The facts about a host that has ended.
#[derive(Debug)]
pub(super) struct Known<'a> {
    pub(super) plan: &'a Plan,
    /// The minimum number of operations that had returned, by thread: none of them may be missing.
    pub(super) kept: Vec<u64>,
    /// The number of operations that had returned, by thread: of later ones, only the next may be
    /// present.
    pub(super) returned: Vec<u64>,
    pub(super) phase: u64,
    /// The number of dropped records by location id, as reported by recovery.
    pub(super) dropped: Vec<(u64, u64)>,
    /// Whether the host completed its archive, which leaves regions open.
    pub(super) is_complete: bool,
}

/// The counts of a comparison.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Records that were found.
    pub records: u64,
    /// Records that were dropped and reported as dropped.
    pub dropped: u64,
    /// Operations that had returned.
    pub returned: u64,
}

impl Counts {
    /// Adds the counts of another comparison.
    pub fn add(&mut self, other: Self) {
        self.records += other.records;
        self.dropped += other.dropped;
        self.returned += other.returned;
    }
}

impl Known<'_> {
    /// Compares all threads.
    pub(super) fn compare(&self, archive: &Archive) -> Result<Counts, String> {
        let mut counts = Counts::default();
        for thread in 0..self.plan.threads {
            let found = archive.threads.get(&thread).map_or(&[][..], Vec::as_slice);
            let dropped = self.dropped.iter().find(|(id, _)| Some(id) == archive.ids.get(&thread));
            let of_thread = self.compare_thread(thread, found, dropped.map_or(0, |(_, dropped)| *dropped));
            counts.add(of_thread.map_err(|what| format!("thread {thread}: {what}"))?);
        }
        if let Some(strange) = archive.threads.keys().find(|&&thread| thread >= self.plan.threads) {
            return Err(format!("there was no thread {strange}"));
        }
        Ok(counts)
    }

    fn compare_thread(&self, thread: u64, found: &[Timed], dropped: u64) -> Result<Counts, String> {
        let (found, end) = if thread == 0 { self.without_program(found)? } else { (found, 0) };
        let (kept, returned) = (self.kept[thread as usize], self.returned[thread as usize]);
        let mut expected = Thread::new(self.plan.seed, thread, self.plan.events, self.plan.rewinds);
        expected.go_to(kept);
        // Far fewer records may be required than are present, so shorter sequences need not be
        // compared. Recovery also closes open regions whose leaves were dropped.
        let least = with_dropped(found).saturating_sub(dropped as usize);
        let is_too_short = |expected: &Thread| expected.records().len() + expected.open().len() < least;
        while self.plan.rewinds == 0 && expected.done() < returned && is_too_short(&expected) {
            expected.step();
        }
        let agree = |expected: &Thread| self.agree(expected, found, dropped, end);
        let first = agree(&expected);
        let mut fits = first.clone();
        while fits.is_err() && expected.done() <= returned && !self.is_complete {
            let before = expected.clone();
            expected.step();
            fits = agree(&expected)
                .or_else(|what| if went_back(&before, &expected, found) { Ok(0) } else { Err(what) });
        }
        let dropped = fits.or(first)?;
        if dropped > 0 && self.plan.loses_nothing() {
            return Err(format!("{dropped} records were dropped, and nothing was full"));
        }
        Ok(Counts { records: found.len() as u64, dropped, returned })
    }

    /// Removes the begin and end of the program, which belong to the first thread. Also returns how
    /// many of them may be among the dropped records.
    fn without_program<'f>(&self, found: &'f [Timed]) -> Result<(&'f [Timed], u64), String> {
        let has_begun = self.returned[0] > 0 || self.phase > phase::BEFORE;
        let found = match found {
            [(1000, TraceRecord::Begin), rest @ ..] => rest,
            [] if !has_begun => found,
            [first, ..] => return Err(format!("it begins with {first:?}, not with the program")),
            [] => return Err("nothing is there".to_owned()),
        };
        // Regions left open because their leaves were dropped are closed after the end.
        let end = found.iter().rposition(|(_, record)| *record == TraceRecord::End);
        let is_end = end.is_some_and(|end| found[end + 1..].iter().all(|(_, record)| is_leave(*record)));
        let may_be_dropped = u64::from(self.phase > phase::RECORDING);
        Ok(end.filter(|_| is_end).map_or((found, may_be_dropped), |end| (&found[..end], 0)))
    }

    /// Checks that exactly the expected records are present; returns the number of dropped ones. Up
    /// to `end` more records may have been dropped.
    fn agree(&self, expected: &Thread, found: &[Timed], dropped: u64, end: u64) -> Result<u64, String> {
        let (mut at, mut counted) = (0, 0);
        let mut rest = found;
        let records = expected.records();
        loop {
            match rest {
                [first, more @ ..] if records.get(at) == Some(first) => (at, rest) = (at + 1, more),
                [(_, TraceRecord::Off), (_, TraceRecord::On(lost)), more @ ..] if *lost > 0 => {
                    (at, counted, rest) = (at + *lost as usize, counted + lost, more);
                }
                _ => break,
            }
        }
        // The end of the program is not one of the operations.
        if at as u64 > records.len() as u64 + end {
            return Err("more was dropped than was recorded".to_owned());
        }
        let missing = records.len().saturating_sub(at) as u64;
        // Drops that had not ended have no position yet. A complete archive reports only the drops
        // in it.
        let uncounted = if self.is_complete { 0 } else { dropped.saturating_sub(counted) };
        if missing != uncounted && missing + end != uncounted {
            let next = rest.first();
            let wanted = records.get(at);
            let number = found.len() - rest.len();
            return Err(format!(
                "of {} records {missing} are missing, {counted} of {dropped} drops have a place; record {number} is {next:?}, expected {wanted:?}",
                records.len()
            ));
        }
        self.check_rest(expected, rest, dropped)?;
        Ok(counted + uncounted)
    }

    /// Checks the records that recovery adds: leaves of the open regions.
    fn check_rest(&self, expected: &Thread, rest: &[Timed], dropped: u64) -> Result<(), String> {
        let closes = !self.plan.leaves_open && !self.is_complete;
        // A region whose leave was dropped may already have been left.
        if closes && dropped > 0 && rest.iter().all(|(_, record)| is_leave(*record)) {
            return Ok(());
        }
        let leaves =
            expected.open().iter().rev().filter(|_| closes).map(|&region| TraceRecord::Leave(region));
        if rest.iter().map(|(_, record)| *record).eq(leaves) {
            return Ok(());
        }
        // An interrupted rewind ends here, too; `went_back` accepts it.
        Err(format!("{} records too many, the first {:?}", rest.len(), rest.first()))
    }
}

/// Returns the number of records, including those that the gaps count as dropped.
fn with_dropped(found: &[Timed]) -> usize {
    let gaps = found.windows(2).filter_map(|pair| match pair {
        [(_, TraceRecord::Off), (_, TraceRecord::On(lost))] if *lost > 0 => Some(*lost as usize),
        _ => None,
    });
    gaps.fold(found.len(), |sum, lost| sum + lost - 2)
}

fn is_leave(record: TraceRecord) -> bool {
    matches!(record, TraceRecord::Leave(_))
}

/// Returns whether a thread was killed during a rewind to a mark: none or one of the two records
/// that mark the rewind is present.
fn went_back(before: &Thread, after: &Thread, found: &[Timed]) -> bool {
    let is_rewind = matches!(after.records(), [.., (_, TraceRecord::Off), (_, TraceRecord::On(0))])
        && after.records().len() <= before.records().len() + 2;
    let records = after.records();
    let (_, end) = records.split_at(records.len().saturating_sub(2));
    let without_on = &records[..records.len().saturating_sub(1)];
    let without_both = &records[..records.len() - end.len()];
    let is_closed = |rest: &[Timed]| rest.iter().all(|(_, record)| is_leave(*record));
    let is = |start: &[Timed]| found.strip_prefix(start).is_some_and(is_closed);
    is_rewind && (is(without_on) || is(without_both))
}
