//! An operation of a location on a file that concerns others, and its row.

use crate::communicators::Scope;
use crate::trace::Trace;
use kymo_otf2::enums::LockType;
use kymo_otf2::events::Event;
use kymo_otf2::flags::IoOperationFlag;
use kymo_otf2::references::IoHandleRef;

/// An operation of a location on a file that concerns others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileOperation {
    /// It has acquired a lock.
    Acquire {
        /// The handle.
        handle: IoHandleRef,
        /// Whether others cannot have it at the same time.
        is_exclusive: bool,
    },
    /// It releases a lock.
    Release {
        /// The handle.
        handle: IoHandleRef,
        /// Whether others could not have it at the same time.
        is_exclusive: bool,
    },
    /// It takes part in a collective operation.
    Collective {
        /// The handle, which belongs to the members of a communicator.
        handle: IoHandleRef,
    },
}

impl FileOperation {
    /// How many numbers an operation has.
    pub(crate) const NUMBERS: usize = 3;

    /// Returns the operation of an event.
    pub(crate) fn of(trace: &Trace, event: &Event<'_>) -> Option<Self> {
        let is_exclusive = |it: LockType| it == LockType::EXCLUSIVE;
        let collective = |handle| is_shared(trace, handle).then_some(Self::Collective { handle });
        match event {
            Event::IoAcquireLock(it) => {
                Some(Self::Acquire { handle: it.handle, is_exclusive: is_exclusive(it.lock_type) })
            }
            Event::IoReleaseLock(it) => {
                Some(Self::Release { handle: it.handle, is_exclusive: is_exclusive(it.lock_type) })
            }
            Event::IoOperationBegin(it) => {
                let flags = it.operation_flags;
                let waits = flags.contains(IoOperationFlag::COLLECTIVE)
                    && !flags.contains(IoOperationFlag::NON_BLOCKING);
                if waits { collective(it.handle) } else { None }
            }
            // All members open and close a file together.
            Event::IoCreateHandle(it) => collective(it.handle),
            Event::IoDestroyHandle(it) => collective(it.handle),
            _ => None,
        }
    }

    /// Returns the operation as numbers.
    pub(crate) fn to_numbers(self) -> [u64; Self::NUMBERS] {
        match self {
            Self::Acquire { handle, is_exclusive } => [0, handle.0.into(), is_exclusive.into()],
            Self::Release { handle, is_exclusive } => [1, handle.0.into(), is_exclusive.into()],
            Self::Collective { handle } => [2, handle.0.into(), 0],
        }
    }

    /// Reads an operation. Numbers that [`to_numbers`](Self::to_numbers) does not return give any
    /// operation.
    pub(crate) fn from_numbers([number, handle, last]: [u64; Self::NUMBERS]) -> Self {
        let (handle, is_exclusive) = (IoHandleRef(handle as u32), last == 1);
        match number {
            0 => Self::Acquire { handle, is_exclusive },
            1 => Self::Release { handle, is_exclusive },
            _ => Self::Collective { handle },
        }
    }
}

/// Returns whether a handle belongs to several locations together.
fn is_shared(trace: &Trace, handle: IoHandleRef) -> bool {
    let communicator = trace.io_handle(handle).map(|it| Scope::Communicator(it.communicator));
    communicator.and_then(|it| trace.communicator_of(it)).is_some_and(|it| it.members() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_come_back_from_their_numbers() {
        let handle = IoHandleRef(u32::MAX);
        for operation in [
            FileOperation::Acquire { handle, is_exclusive: true },
            FileOperation::Acquire { handle, is_exclusive: false },
            FileOperation::Release { handle, is_exclusive: true },
            FileOperation::Collective { handle },
        ] {
            assert_eq!(FileOperation::from_numbers(operation.to_numbers()), operation);
        }
    }
}
