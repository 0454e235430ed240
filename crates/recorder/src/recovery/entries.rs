//! The entries of a journal, read from memory or from a file that may be truncated or overwritten
//! anywhere.
//!
//! Invariant: an entry is used only if its checksum matches. Everything else is skipped in steps of
//! the alignment. The work that invalid entries can cause is limited, so this terminates quickly
//! whatever the bytes are.

use std::io;

use kymo_otf2::storage::Content;

use super::{bytes::Bytes, image::read};
use crate::journal::entry::{ALIGN, HEADER, MOST};

/// The number of bytes to read in one step, enough for an entry.
const WINDOW: usize = 2 * (MOST + HEADER);
/// The limit on the bytes of failed checksums: a factor per byte of the journal, and a constant.
const SCAN_BUDGET: (u64, u64) = (16, 1 << 20);
/// The number of zero bytes after which the search is abandoned.
const LONGEST_GAP: u64 = 16 << 20;

/// The data found between entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Gaps {
    /// The number of byte ranges that are not entries.
    pub(super) number: u64,
    /// Whether the rest was abandoned.
    pub(super) is_cut: bool,
}

/// Passes all entries between two offsets to `visit`, without their headers.
pub(super) fn each(
    content: &dyn Content,
    from: u64,
    to: u64,
    mut visit: impl FnMut(&[u8]),
) -> io::Result<Gaps> {
    let length = to.saturating_sub(from);
    let mut buffer = vec![0; WINDOW.min(usize::try_from(length).unwrap_or(WINDOW))];
    let mut scan = Scan::new(length);
    let mut at = from;
    while at < to {
        let wanted = usize::try_from(to - at).unwrap_or(usize::MAX).min(buffer.len());
        let count = read(content, at, buffer.get_mut(..wanted).unwrap_or_default())?;
        let is_last = count < wanted || at.saturating_add(count as u64) >= to;
        let used = scan.window(buffer.get(..count).unwrap_or_default(), is_last, &mut visit);
        if is_last || scan.is_over() {
            break;
        }
        at = at.saturating_add(used as u64);
    }
    Ok(Gaps { is_cut: scan.budget == 0, ..scan.gaps })
}

struct Scan {
    gaps: Gaps,
    /// Whether the last bytes were not an entry.
    is_in_gap: bool,
    /// The number of zero bytes read last, which are unused room.
    zeros: u64,
    /// The number of bytes whose checksums may still be computed in vain.
    budget: u64,
}

impl Scan {
    fn new(length: u64) -> Self {
        let budget = length.saturating_mul(SCAN_BUDGET.0).saturating_add(SCAN_BUDGET.1);
        Self { gaps: Gaps::default(), is_in_gap: false, zeros: 0, budget }
    }

    fn is_over(&self) -> bool {
        self.budget == 0 || self.zeros > LONGEST_GAP
    }

    /// Takes the entries of a window and returns the number of bytes used. An entry at the end may
    /// continue in the next window.
    fn window(&mut self, window: &[u8], is_last: bool, visit: &mut impl FnMut(&[u8])) -> usize {
        let mut used = 0;
        while let Some(rest) = window.get(used..).filter(|rest| rest.len() > HEADER) {
            let length = length(rest);
            let goes_on = length <= MOST && HEADER + length > rest.len();
            if goes_on && !is_last && used > 0 || self.is_over() {
                break;
            }
            used += match self.entry(rest, length) {
                Some(entry) => {
                    visit(entry);
                    (self.is_in_gap, self.zeros) = (false, 0);
                    (HEADER + length).next_multiple_of(ALIGN)
                }
                None => self.pass(rest),
            };
        }
        used
    }

    fn entry<'a>(&mut self, rest: &'a [u8], length: usize) -> Option<&'a [u8]> {
        let entry = rest.get(HEADER..)?.get(..length).filter(|_| (1..=MOST).contains(&length))?;
        let is_sound = crc32fast::hash(entry) == Bytes(rest).u32(4);
        if !is_sound {
            self.budget = self.budget.saturating_sub(length as u64);
        }
        is_sound.then_some(entry)
    }

    /// Skips bytes that are not an entry.
    fn pass(&mut self, rest: &[u8]) -> usize {
        match rest.first_chunk() == Some(&[0; ALIGN]) {
            true => self.zeros += ALIGN as u64,
            false => {
                self.gaps.number += u64::from(!self.is_in_gap);
                (self.is_in_gap, self.zeros) = (true, 0);
            }
        }
        ALIGN
    }
}

fn length(rest: &[u8]) -> usize {
    usize::try_from(Bytes(rest).u32(0)).unwrap_or(usize::MAX)
}

// Megabytes of checksums are too slow under Miri, and there is no unsafe code here.
#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;

    fn framed(entry: &[u8]) -> Vec<u8> {
        let mut bytes = (entry.len() as u32).to_ne_bytes().to_vec();
        bytes.extend(crc32fast::hash(entry).to_ne_bytes());
        bytes.extend(entry);
        bytes.resize(bytes.len().next_multiple_of(ALIGN), 0);
        bytes
    }

    fn found(journal: &[u8]) -> (Vec<Vec<u8>>, Gaps) {
        let mut all = Vec::new();
        let gaps =
            each(&journal.to_vec(), 0, journal.len() as u64, |entry| all.push(entry.to_vec())).unwrap();
        (all, gaps)
    }

    #[test]
    fn entries_of_all_lengths() {
        let entries: Vec<Vec<u8>> = [1, 2, 8, 9, 65_536, MOST, 3, MOST - 1, MOST, 100]
            .iter()
            .enumerate()
            .map(|(number, &length)| vec![number as u8; length])
            .collect();
        let journal: Vec<u8> = entries.iter().flat_map(|entry| framed(entry)).collect();
        assert_eq!(found(&journal), (entries, Gaps::default()));
    }

    #[test]
    fn bytes_between_entries_are_skipped() {
        let torn = [&framed(b"second")[..8], &[0xFF; 40]].concat();
        let journal = [framed(b"first"), torn, framed(b"third"), vec![0; 64], framed(b"fourth")].concat();
        let (all, gaps) = found(&journal);
        assert_eq!(all, [&b"first"[..], b"third", b"fourth"]);
        assert_eq!(gaps, Gaps { number: 1, is_cut: false });
    }

    #[test]
    fn truncated_journals_keep_the_entries_before_the_cut() {
        let entries = [&b"first"[..], b"second, which is longer", b"third"];
        let framed = entries.map(framed);
        let mut ends = Vec::new();
        for (number, entry) in entries.iter().enumerate() {
            let begin: usize = framed[..number].iter().map(Vec::len).sum();
            ends.push(begin + HEADER + entry.len());
        }
        let journal = framed.concat();
        for length in 0..=journal.len() {
            let count = ends.iter().filter(|&&end| end <= length).count();
            assert_eq!(found(&journal[..length]).0, entries[..count], "{length}");
        }
    }

    #[test]
    fn bytes_that_announce_long_entries_are_scanned_quickly() {
        let journal: Vec<u8> = [0x00, 0x00, 0x0F, 0x00, 1, 2, 3, 4].repeat(1 << 18);
        let (all, gaps) = found(&journal);
        assert_eq!((all.len(), gaps), (0, Gaps { number: 1, is_cut: true }));
    }
}
