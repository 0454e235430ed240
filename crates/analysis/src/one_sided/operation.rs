//! An operation of a location in one-sided communication, and its row.

use kymo_otf2::references::{GroupRef, RmaWinRef};

/// A lock of the memory of a window at a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WindowLock {
    /// The window.
    pub window: RmaWinRef,
    /// The number of the lock.
    pub id: u64,
    /// The rank of the target in the window's communicator, or [`ALL_TARGETS`].
    pub target: u32,
}

impl WindowLock {
    /// Returns whether this lock is that of a target, or of all, whatever its number.
    pub(super) fn is_for(&self, other: &Self) -> bool {
        self.window == other.window && [other.target, ALL_TARGETS].contains(&self.target)
    }
}

/// The rank that stands for all targets of a window.
pub const ALL_TARGETS: u32 = u32::MAX;

/// An operation of a location in one-sided communication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OneSidedOperation {
    /// It begins or ends an epoch with a group; the function says which.
    GroupSync {
        /// The window.
        window: RmaWinRef,
        /// The other side of the epoch.
        group: GroupRef,
        /// Whether it synchronises: a test may not.
        is_done: bool,
    },
    /// It puts, gets or changes data.
    Access(Access),
    /// Its accesses are complete.
    Completion {
        /// The window and the target, and when they began.
        of: Access,
        /// How many of them are complete at the target as well.
        at_target: u64,
    },
    /// It requests a lock.
    Request {
        /// The lock.
        lock: WindowLock,
        /// Whether others cannot have it at the same time.
        is_exclusive: bool,
    },
    /// It has acquired a lock.
    Acquire {
        /// The lock.
        lock: WindowLock,
        /// Whether others cannot have it at the same time.
        is_exclusive: bool,
    },
    /// It releases a lock.
    Release {
        /// The lock.
        lock: WindowLock,
    },
}

/// An access to the memory of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// The window.
    pub window: RmaWinRef,
    /// The rank of the target in the window's communicator.
    pub target: u32,
    /// The number of the next collective operation of the location on the window.
    pub collective: u64,
}

impl OneSidedOperation {
    /// How many numbers an operation has.
    pub(crate) const NUMBERS: usize = 5;

    /// Returns whether it decides which epochs and locks are open later.
    pub fn is_of_epoch(&self) -> bool {
        !matches!(self, Self::Access(_) | Self::Completion { .. })
    }

    /// Returns the window.
    pub(super) fn window(&self) -> RmaWinRef {
        match self {
            Self::GroupSync { window, .. } => *window,
            Self::Access(of) | Self::Completion { of, .. } => of.window,
            Self::Request { lock, .. } | Self::Acquire { lock, .. } | Self::Release { lock } => lock.window,
        }
    }

    /// Returns the operation as numbers.
    pub(crate) fn to_numbers(self) -> [u64; Self::NUMBERS] {
        let of_lock = |number, lock: WindowLock, is_exclusive: bool| {
            [number, lock.window.0.into(), lock.target.into(), lock.id, is_exclusive.into()]
        };
        match self {
            Self::GroupSync { window, group, is_done } => {
                [0, window.0.into(), group.0.into(), is_done.into(), 0]
            }
            Self::Access(it) => [1, it.window.0.into(), it.target.into(), it.collective, 0],
            Self::Completion { of, at_target } => {
                [2, of.window.0.into(), of.target.into(), of.collective, at_target]
            }
            Self::Request { lock, is_exclusive } => of_lock(3, lock, is_exclusive),
            Self::Acquire { lock, is_exclusive } => of_lock(4, lock, is_exclusive),
            Self::Release { lock } => of_lock(5, lock, false),
        }
    }

    /// Reads an operation. Numbers that [`to_numbers`](Self::to_numbers) does not return give any
    /// operation.
    pub(crate) fn from_numbers([number, window, second, third, fourth]: [u64; Self::NUMBERS]) -> Self {
        let (window, target) = (RmaWinRef(window as u32), second as u32);
        let (access, lock) =
            (Access { window, target, collective: third }, WindowLock { window, id: third, target });
        match number {
            0 => Self::GroupSync { window, group: GroupRef(second as u32), is_done: third == 1 },
            1 => Self::Access(access),
            2 => Self::Completion { of: access, at_target: fourth },
            3 => Self::Request { lock, is_exclusive: fourth == 1 },
            4 => Self::Acquire { lock, is_exclusive: fourth == 1 },
            _ => Self::Release { lock },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_come_back_from_their_numbers() {
        let window = RmaWinRef(7);
        let lock = WindowLock { window, id: u64::MAX, target: ALL_TARGETS };
        let access = Access { window, target: 3, collective: 9 };
        for operation in [
            OneSidedOperation::GroupSync { window, group: GroupRef(5), is_done: true },
            OneSidedOperation::GroupSync { window, group: GroupRef(5), is_done: false },
            OneSidedOperation::Access(access),
            OneSidedOperation::Completion { of: access, at_target: 4 },
            OneSidedOperation::Request { lock, is_exclusive: true },
            OneSidedOperation::Acquire { lock, is_exclusive: false },
            OneSidedOperation::Release { lock },
        ] {
            assert_eq!(OneSidedOperation::from_numbers(operation.to_numbers()), operation);
        }
    }
}
