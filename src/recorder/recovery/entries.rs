//! The entries of a journal, from memory or a file that may be cut or overwritten anywhere.
//!
//! Invariant: an entry counts only with its checksum. What does not is passed over in steps of the alignment, and the work that bytes
//! can ask for before they turn out to be no entry is limited, so that this ends soon whatever the bytes are.

use std::io;

use kymo_otf2::storage::Content;

use super::{bytes::Bytes, image::read};
use crate::journal::entry::{ALIGN, HEADER, MOST};

/// Bytes read at once; an entry fits.
const WINDOW: usize = 2 * (MOST + HEADER);
/// How much may be summed up for nothing, for every byte of the journal and besides.
const PATIENCE: (u64, u64) = (16, 64 << 20);
/// Zeros behind which nothing more is looked for.
const LONGEST_GAP: u64 = 16 << 20;

/// What stood between entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Gaps {
    /// Stretches of bytes that are no entries.
    pub(super) number: u64,
    /// Whether the rest was given up.
    pub(super) is_cut: bool,
}

/// Gives all entries between two offsets, without their headers.
pub(super) fn each(
    content: &dyn Content,
    from: u64,
    to: u64,
    mut visit: impl FnMut(&[u8]),
) -> io::Result<Gaps> {
    let mut gaps = Gaps::default();
    let mut buffer = vec![0; WINDOW.min(usize::try_from(to.saturating_sub(from)).unwrap_or(WINDOW))];
    let (mut at, mut gap, mut zeros) = (from, false, 0);
    let mut patience = to.saturating_sub(from).saturating_mul(PATIENCE.0).saturating_add(PATIENCE.1);
    while at < to {
        let wanted = usize::try_from(to - at).unwrap_or(usize::MAX).min(buffer.len());
        let count = read(content, at, buffer.get_mut(..wanted).unwrap_or_default())?;
        let window = buffer.get(..count).unwrap_or_default();
        let is_last = count < wanted || at.saturating_add(count as u64) >= to;
        let mut used = 0;
        while let Some(rest) = window.get(used..).filter(|rest| rest.len() > HEADER) {
            let length = Bytes(rest).u32(0) as usize;
            let entry = rest.get(HEADER..).and_then(|rest| rest.get(..length)).filter(|_| length <= MOST);
            if entry.is_none() && length <= MOST && !is_last && used > 0 {
                break;
            }
            patience = patience.saturating_sub(entry.map_or(0, <[u8]>::len) as u64);
            match entry.filter(|entry| !entry.is_empty() && crc32fast::hash(entry) == Bytes(rest).u32(4)) {
                Some(entry) => {
                    visit(entry);
                    patience = patience.saturating_add(entry.len() as u64);
                    used += (HEADER + length).next_multiple_of(ALIGN);
                    (gap, zeros) = (false, 0);
                }
                None => {
                    let is_zero = rest.first_chunk() == Some(&[0; ALIGN]);
                    gaps.number += u64::from(!is_zero && !gap);
                    gap |= !is_zero;
                    zeros = if is_zero { zeros + ALIGN as u64 } else { 0 };
                    used += ALIGN;
                }
            }
            if patience == 0 || zeros > LONGEST_GAP {
                gaps.is_cut = patience == 0;
                return Ok(gaps);
            }
        }
        if is_last {
            break;
        }
        at = at.saturating_add(used as u64);
    }
    Ok(gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn framed(entry: &[u8]) -> Vec<u8> {
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
    fn what_is_no_entry_is_passed_over() {
        let torn = [&framed(b"second")[..8], &[0xFF; 40]].concat();
        let journal = [framed(b"first"), torn, framed(b"third"), vec![0; 64], framed(b"fourth")].concat();
        let (all, gaps) = found(&journal);
        assert_eq!(all, [&b"first"[..], b"third", b"fourth"]);
        assert_eq!(gaps, Gaps { number: 1, is_cut: false });
    }

    #[test]
    fn cut_journals_have_the_entries_before_the_cut() {
        let journal = [framed(b"first"), framed(b"second, which is longer"), framed(b"third")].concat();
        for length in 0..journal.len() {
            let count = [13, 39, 56].iter().filter(|&&end| end <= length + 3).count();
            let (all, _) = found(&journal[..length]);
            assert!(all.len() <= count && all.iter().all(|entry| !entry.is_empty()), "{length}: {all:?}");
        }
        assert_eq!(found(&journal[..journal.len() - 8]).0.len(), 2);
    }

    #[test]
    fn bytes_that_promise_long_entries_end_soon() {
        let journal: Vec<u8> = [0x00, 0x00, 0x0F, 0x00, 1, 2, 3, 4].repeat(1 << 18);
        let (all, gaps) = found(&journal);
        assert_eq!((all.len(), gaps), (0, Gaps { number: 1, is_cut: true }));
    }
}
