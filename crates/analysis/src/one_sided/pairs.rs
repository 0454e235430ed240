//! The epochs of pairs of an origin and a target, by their numbers.

use foldhash::{HashMap, HashSet};
use kymo_otf2::references::{LocationRef, RmaWinRef};

/// The largest size of a group. Programs synchronise larger ones by fences.
const MOST_MEMBERS: usize = 1 << 10;

/// A side of an epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Side {
    /// That of an origin.
    Access,
    /// That of a target.
    Exposure,
}

impl Side {
    pub(super) fn other(self) -> Self {
        match self {
            Self::Access => Self::Exposure,
            Self::Exposure => Self::Access,
        }
    }
}

/// An epoch of an origin with a target on a window. Both are the locations of their ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct PairEpoch {
    window: RmaWinRef,
    origin: LocationRef,
    pub(super) target: LocationRef,
    /// The number, from 0, of all epochs of both on the window.
    number: u64,
}

/// The partners of one side of an epoch.
#[derive(Debug, Default)]
pub(super) struct Partners {
    pub(super) epochs: Vec<PairEpoch>,
    /// Whether no partner is missing.
    pub(super) is_whole: bool,
}

/// Counts the epochs of pairs.
#[derive(Debug, Default)]
pub(super) struct PairCounts {
    counts: HashMap<(Side, PairEpoch), u64>,
    /// The windows with groups that are not known, or too large: no numbers are known then.
    unknown: HashSet<RmaWinRef>,
}

impl PairCounts {
    /// Counts an epoch of a member of a window with a group. Returns the partners that are read;
    /// `None` if the numbers of their epochs are not known.
    pub(super) fn next(
        &mut self,
        side: Side,
        (window, member): (RmaWinRef, LocationRef),
        group: Option<impl Iterator<Item = LocationRef>>,
        is_read: impl Fn(LocationRef) -> bool,
    ) -> Option<Partners> {
        let group = group.map(|group| group.take(MOST_MEMBERS + 1).collect::<Vec<_>>());
        let group = group.filter(|group| group.len() <= MOST_MEMBERS);
        if group.is_none() {
            self.unknown.insert(window);
        }
        let group = group.filter(|_| !self.unknown.contains(&window))?;
        let mut partners = Partners { epochs: Vec::new(), is_whole: true };
        for other in group {
            let (origin, target) = match side {
                Side::Access => (member, other),
                Side::Exposure => (other, member),
            };
            let pair = PairEpoch { window, origin, target, number: 0 };
            let count = self.counts.entry((side, pair)).or_default();
            let epoch = PairEpoch { number: *count, ..pair };
            *count += 1;
            match is_read(other) {
                true => partners.epochs.push(epoch),
                false => partners.is_whole = false,
            }
        }
        Some(partners)
    }
}
