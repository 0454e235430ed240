//! How long a location was in each calling context: altogether, while it waited, while others
//! waited because of it, and while the critical path was on it.

use std::ops::{AddAssign, SubAssign};

/// Times in a calling context of a location, in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PlaceTimes {
    /// The time in the context itself outside wait states.
    pub working: u128,
    /// The time in wait states.
    pub waiting: u128,
    /// The time that others waited because of the activity of the location there, by all of them
    /// together.
    pub blame: u128,
    /// The part of `working` in which all others waited because of the location.
    pub serial: u128,
    /// The part of `working` on the critical path.
    pub critical: u128,
}

impl PlaceTimes {
    /// Returns the time in the context itself.
    pub(super) fn all(&self) -> u128 {
        self.working + self.waiting
    }
}

impl SubAssign for PlaceTimes {
    fn sub_assign(&mut self, other: Self) {
        self.working -= other.working;
        self.waiting -= other.waiting;
        self.blame -= other.blame;
        self.serial -= other.serial;
        self.critical -= other.critical;
    }
}

impl AddAssign for PlaceTimes {
    fn add_assign(&mut self, other: Self) {
        self.working += other.working;
        self.waiting += other.waiting;
        self.blame += other.blame;
        self.serial += other.serial;
        self.critical += other.critical;
    }
}
