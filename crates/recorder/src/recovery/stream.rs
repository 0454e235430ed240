//! The event stream of a location, assembled from its event file and the pieces in the scratch
//! file.
//!
//! Invariant: if several pieces contain a byte of the stream, the last of them counts. The stream
//! ends where the last piece ends.

use std::{collections::BTreeMap, io, sync::Arc};

use kymo_otf2::storage::Content;

use super::image::Run;

/// A part of the stream that is in the scratch file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct StreamPart {
    end: u64,
    /// The offset in the scratch file.
    at: u64,
}

/// Where the bytes of a stream are. Everything outside the parts is in the event file.
#[derive(Debug, Clone, Default)]
pub(super) struct StreamLayout {
    /// The parts, by their begin.
    parts: BTreeMap<u64, StreamPart>,
    length: u64,
}

impl StreamLayout {
    /// Returns the layout for a location with these pieces, sorted by number. `length` is the
    /// length of the stream if there are no pieces.
    pub(super) fn new(pieces: &[Run], length: u64) -> Self {
        let mut layout = Self { parts: BTreeMap::new(), length };
        for piece in pieces.iter() {
            layout.put(piece);
        }
        layout
    }

    /// Returns the length of the stream.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Returns the number of bytes in the scratch file.
    pub(super) fn in_scratch(&self) -> u64 {
        self.parts.iter().map(|(begin, part)| part.end.min(self.length).saturating_sub(*begin)).sum()
    }

    /// Places a piece over the existing parts.
    fn put(&mut self, piece: &Run) {
        let (begin, end) = (piece.base, piece.base.saturating_add(piece.committed));
        self.length = end;
        let Some((&first, _)) = self.parts.range(..=begin).next_back().or(self.parts.first_key_value())
        else {
            self.insert(begin, StreamPart { end, at: piece.at });
            return;
        };
        let touched: Vec<_> =
            self.parts.range(first..end.max(first)).map(|(&begin, &part)| (begin, part)).collect();
        for (old_begin, old) in touched {
            if old.end <= begin {
                continue;
            }
            self.parts.remove(&old_begin);
            self.insert(old_begin, StreamPart { end: begin.min(old.end), at: old.at });
            self.insert(
                end,
                StreamPart { end: old.end, at: old.at.saturating_add(end.saturating_sub(old_begin)) },
            );
        }
        self.insert(begin, StreamPart { end, at: piece.at });
    }

    fn insert(&mut self, begin: u64, part: StreamPart) {
        if begin < part.end {
            self.parts.insert(begin, part);
        }
    }
}

/// The stream, presented as a file.
pub(super) struct Stream {
    pub(super) layout: StreamLayout,
    pub(super) scratch: Option<Arc<dyn Content>>,
    pub(super) file: Option<Box<dyn Content>>,
}

impl Content for Stream {
    fn length(&self) -> io::Result<u64> {
        Ok(self.layout.length)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let parts = &self.layout.parts;
        let part = parts.range(..=offset).next_back().filter(|(_, part)| offset < part.end);
        let end = match part {
            Some((_, part)) => part.end,
            None => parts.range(offset..).next().map_or(self.layout.length, |(&begin, _)| begin),
        };
        let most = end.min(self.layout.length).saturating_sub(offset).min(buffer.len() as u64);
        let buffer = buffer.get_mut(..usize::try_from(most).unwrap_or(0)).unwrap_or_default();
        match (part, &self.scratch, &self.file) {
            (Some((begin, part)), Some(scratch), _) => {
                scratch.read_at(part.at.saturating_add(offset - begin), buffer)
            }
            (None, _, Some(file)) => file.read_at(offset, buffer),
            _ => Ok(0),
        }
    }
}

// Too slow under Miri, and there is no unsafe code here.
#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;

    /// Reads a stream from pieces, given as offset in the event file and content. The scratch file
    /// contains them in sequence.
    fn stream(file: &[u8], pieces: &[(u64, &[u8])], length: u64) -> Vec<u8> {
        let (mut scratch, mut runs) = (Vec::new(), Vec::new());
        for (number, &(base, content)) in pieces.iter().enumerate() {
            let (at, committed) = (scratch.len() as u64, content.len() as u64);
            runs.push(Run { at, base, sequence: number as u64 + 1, committed });
            scratch.extend_from_slice(content);
        }
        let stream = Stream {
            layout: StreamLayout::new(&runs, length),
            scratch: Some(Arc::new(scratch)),
            file: Some(Box::new(file.to_vec())),
        };
        let (mut all, mut part) = (Vec::new(), [0; 3]);
        loop {
            match stream.read_at(all.len() as u64, &mut part).unwrap() {
                0 => return all,
                count => all.extend_from_slice(&part[..count]),
            }
        }
    }

    #[test]
    fn later_pieces_cover_earlier_ones_and_the_last_one_ends_the_stream() {
        assert_eq!(stream(b"abcdef", &[], 4), b"abcd");
        assert_eq!(stream(b"abcdef", &[(6, b"GH"), (8, b"IJ")], 6), b"abcdefGHIJ");
        // Written but not freed.
        assert_eq!(stream(b"abcdef", &[(2, b"CDEF"), (6, b"GH")], 6), b"abCDEFGH");
        // Rewound into a written piece, and into one that is not.
        assert_eq!(stream(b"abcdef", &[(6, b"GH"), (3, b"X")], 6), b"abcX");
        assert_eq!(stream(b"ab", &[(2, b"CDEFGH"), (4, b"x"), (5, b"yz")], 2), b"abCDxyz");
        // In the middle of a piece that continues after it.
        assert_eq!(stream(b"", &[(0, b"ABCDEFGH"), (2, b"x"), (6, b"yz")], 0), b"ABxDEFyz");
        // The bytes between the pieces are not in the file.
        assert_eq!(stream(b"a", &[(3, b"DE")], 1), b"a");
    }

    /// Computes the same result by copying bytes.
    fn by_copying(file: &[u8], pieces: &[(u64, &[u8])]) -> Vec<u8> {
        let mut all = file.to_vec();
        let mut end = all.len();
        for &(base, content) in pieces {
            end = base as usize + content.len();
            all.resize(all.len().max(end), b'?');
            all[base as usize..end].copy_from_slice(content);
        }
        all.truncate(end);
        all
    }

    #[test]
    fn random_pieces_give_the_same_stream_as_copying() {
        let mut seed = 0x1234_5678_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for _ in 0..2000 {
            let file: Vec<u8> = (0..40_u8).map(|number| b'a' + number % 26).collect();
            let contents: Vec<(u64, Vec<u8>)> = (0..random(8) as u8)
                .map(|number| (random(30), vec![b'A' + number; random(11) as usize]))
                .collect();
            let pieces: Vec<_> = contents.iter().map(|(base, content)| (*base, content.as_slice())).collect();
            assert_eq!(stream(&file, &pieces, 40), by_copying(&file, &pieces), "{pieces:?}");
        }
    }
}
