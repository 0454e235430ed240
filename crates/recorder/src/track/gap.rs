//! Gaps: consecutive records that are missing in the file of a location, and the records that
//! report them there.

/// Consecutive records that found no room.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    /// The time of the record before them.
    pub(super) since: u64,
    /// Their number.
    pub(super) lost: u64,
}

/// The last records in the file that represent no event of the program: marks of gaps, and waits.
#[derive(Debug, Default)]
pub(super) struct OwnRecords {
    /// Their numbers, counted from 1; 0 in unused places.
    last: [u64; OWN_RECORDS],
    next: usize,
    count: u64,
}

/// The number of such records to remember. The pieces whose records are lost at the end contain
/// only a few of them.
const OWN_RECORDS: usize = 32;

impl OwnRecords {
    pub(super) fn add(&mut self, number: u64) {
        self.last[self.next] = number;
        self.next = (self.next + 1) % OWN_RECORDS;
        self.count += 1;
    }

    /// Forgets those after the first `events` records, which are taken back.
    pub(super) fn forget_after(&mut self, events: u64) {
        self.count -= self.after(events);
        for number in self.last.iter_mut().filter(|number| **number > events) {
            *number = 0;
        }
    }

    /// Returns how many of them follow the first `events` records.
    pub(super) fn after(&self, events: u64) -> u64 {
        if events == 0 {
            return self.count;
        }
        self.last.iter().filter(|&&number| number > events).count() as u64
    }
}
