//! Pieces that their locations still fill.
//!
//! Invariant: the values read of a piece belong to one piece of one location, though its location
//! may replace it at any time.

use core::sync::atomic::{
    Ordering::{Acquire, Relaxed},
    fence,
};

use kymo_otf2::{FileName, Storage};

use super::buffers::Buffers;
use crate::scratch::{
    Content,
    layout::{Descriptor, LocationSlot, kind},
};

/// How much of a location's piece is committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PublishedPiece {
    /// The index of the location's slot.
    pub(super) location: u32,
    sequence: u64,
    base: u64,
    committed: u64,
}

impl PublishedPiece {
    /// Reads the piece in a run. A rewind may give the run back meanwhile, and another location may
    /// take it; the returned values are consistent nevertheless.
    pub(super) fn read(descriptor: &Descriptor) -> Option<Self> {
        let is_piece = || descriptor.kind.load(Acquire) == kind::PIECE;
        let which = || (descriptor.location.load(Relaxed), descriptor.sequence.load(Relaxed));
        let (location, sequence) = which();
        // Pairs with the fence in `Run::publish`: the kind seen from here on belongs to this piece
        // or a later one, and so do the numbers.
        fence(Acquire);
        if !is_piece() {
            return None;
        }
        let (base, committed) = (descriptor.base.load(Relaxed), descriptor.committed.load(Acquire));
        // If any value of a later piece was read above, the checks below see that the piece
        // changed.
        fence(Acquire);
        (is_piece() && which() == (location, sequence)).then_some(Self {
            location,
            sequence,
            base,
            committed,
        })
    }

    /// Returns whether it is the begin of `later`, which is the same piece or contains it.
    pub(super) fn begins(&self, later: &Self) -> bool {
        (self.location, self.base) == (later.location, later.base) && self.sequence <= later.sequence
    }

    /// Reads it again, unless the run contains another piece now.
    pub(super) fn again(&self, descriptor: &Descriptor) -> Option<Self> {
        Self::read(descriptor).filter(|it| (it.location, it.sequence) == (self.location, self.sequence))
    }
}

/// Returns the event file of a location, if it is known.
pub(super) fn event_file(slot: &LocationSlot) -> Option<FileName> {
    Some(slot.file.load(Acquire)).filter(|&file| file != u64::MAX).map(FileName::Events)
}

/// Writes the committed part of a piece to the file, unless it is already there. Returns how much
/// that is; `None` if the storage refuses it, or if the run does not contain the piece any longer.
pub(super) fn drain_piece(
    buffers: &Buffers,
    storage: &dyn Storage,
    descriptor: &Descriptor,
    content: Content,
    piece: PublishedPiece,
    drained: Option<PublishedPiece>,
) -> Option<PublishedPiece> {
    let slot = buffers.slots.get(piece.location).filter(|slot| slot.refused.load(Relaxed) == 0)?;
    let piece = piece.again(descriptor)?;
    if drained != Some(piece) {
        // After a rewind, the copied bytes may be torn. Recovery detects that, and the next tick
        // repairs it.
        let content = content.committed(piece.committed as usize);
        storage.write_at(event_file(slot)?, piece.base, content).ok()?;
    }
    // A rewind may have given the run back.
    piece.again(descriptor).map(|_| piece)
}

/// Returns how much of an event file is content if these pieces are in it, even partially. A piece
/// that was handed over while the others were being read leaves a gap; the content ends there.
pub(super) fn length(slot: &LocationSlot, mut pieces: Vec<PublishedPiece>) -> u64 {
    let sequence = slot.written.load(Acquire);
    pieces.retain(|piece| piece.sequence > sequence);
    pieces.sort_unstable_by_key(|piece| piece.sequence);
    let written = slot.length.load(Relaxed);
    let joins =
        |end: u64, piece: &PublishedPiece| (piece.base <= end).then_some(piece.base + piece.committed);
    pieces.iter().try_fold(written, |end, piece| joins(end, piece).ok_or(end)).unwrap_or_else(|end| end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{memory::Budget, scratch::Pool};

    /// The numbers of one piece were combined with the location of another, and would have been
    /// written into the wrong file.
    #[test]
    fn a_piece_replaced_during_a_read_is_not_mixed_with_its_successor() {
        static BUDGET: Budget = Budget::new(usize::MAX);
        const PIECES: u64 = if cfg!(miri) { 50 } else { 2_000_000 };
        let pool = Pool::new(&BUDGET, None, 1 << 20).unwrap();
        let run = pool.take(1, crate::scratch::Need::Usual).unwrap();
        let descriptor = run.descriptor().unwrap();
        let publish = || {
            for n in 1..=PIECES {
                run.publish(kind::PIECE, |descriptor| {
                    descriptor.location.store(n as u32, Relaxed);
                    descriptor.base.store(1000 * n, Relaxed);
                    descriptor.sequence.store(n, Relaxed);
                });
                run.commit(n as usize);
            }
        };
        std::thread::scope(|scope| {
            let thread = scope.spawn(publish);
            while !thread.is_finished() {
                let Some(piece) = PublishedPiece::read(descriptor) else { continue };
                let n = u64::from(piece.location);
                assert_eq!((piece.sequence, piece.base), (n, 1000 * n));
                assert!([0, n].contains(&piece.committed), "{piece:?}");
            }
        });
    }
}
