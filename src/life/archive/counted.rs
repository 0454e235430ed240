//! Numbers in messages, with the words that follow them.

use core::fmt;

/// A number and the noun for the counted things: the form for one and that for any other number.
pub(super) struct Counted(pub(super) u64, pub(super) [&'static str; 2]);

impl Counted {
    /// Events that were lost.
    pub(super) fn lost(count: u64) -> Self {
        Self(count, ["event was lost", "events were lost"])
    }
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, [one, many]) = *self;
        write!(f, "{count} {}", if count == 1 { one } else { many })
    }
}
