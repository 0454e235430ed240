//! What a thread does that concerns other threads, and its row.

use kymo_otf2::enums::Paradigm;
use kymo_otf2::events::Event;
use kymo_otf2::references::CommRef;

/// A lock of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LockId {
    /// The threading model.
    pub model: Paradigm,
    /// The number of the lock.
    pub id: u32,
}

/// A thread that another one created: its contingent, and its number there.
pub(super) type CreatedThread = (CommRef, u64);

/// What a thread does that concerns other threads of its process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadOperation {
    /// It has acquired a lock.
    Acquire {
        /// The lock.
        lock: LockId,
        /// The number of the acquisition, of all those of the lock.
        order: u32,
    },
    /// It releases a lock.
    Release {
        /// The lock.
        lock: LockId,
        /// The number of the acquisition.
        order: u32,
    },
    /// It creates a thread.
    Create(CommRef, u64),
    /// It begins, created by another thread.
    Begin(CommRef, u64),
    /// It ends.
    End(CommRef, u64),
    /// It has joined a thread.
    Wait(CommRef, u64),
    /// It creates a team.
    Fork,
    /// Its team has ended.
    Join,
    /// It becomes a member of a team.
    TeamBegin(CommRef),
    /// It leaves a team.
    TeamEnd(CommRef),
    /// It enters a barrier of its team.
    Barrier,
    /// It wakes threads that wait for a condition.
    Signal,
    /// It begins or continues an explicit task.
    Task,
}

impl ThreadOperation {
    /// How many numbers an operation has.
    pub(crate) const NUMBERS: usize = 4;

    /// Returns the operation of an event.
    pub(crate) fn of(event: &Event<'_>) -> Option<Self> {
        Some(match event {
            Event::ThreadAcquireLock(it) => {
                let lock = LockId { model: it.model, id: it.lock_id };
                Self::Acquire { lock, order: it.acquisition_order }
            }
            Event::ThreadReleaseLock(it) => {
                let lock = LockId { model: it.model, id: it.lock_id };
                Self::Release { lock, order: it.acquisition_order }
            }
            Event::ThreadCreate(it) => Self::Create(it.thread_contingent, it.sequence_count),
            Event::ThreadBegin(it) => Self::Begin(it.thread_contingent, it.sequence_count),
            Event::ThreadEnd(it) => Self::End(it.thread_contingent, it.sequence_count),
            Event::ThreadWait(it) => Self::Wait(it.thread_contingent, it.sequence_count),
            Event::ThreadFork(_) => Self::Fork,
            Event::ThreadJoin(_) => Self::Join,
            Event::ThreadTeamBegin(it) => Self::TeamBegin(it.thread_team),
            Event::ThreadTeamEnd(it) => Self::TeamEnd(it.thread_team),
            Event::ThreadTaskSwitch(it) if it.generation_number != 0 => Self::Task,
            _ => return None,
        })
    }

    /// Returns the operation as numbers.
    pub(crate) fn to_numbers(self) -> [u64; Self::NUMBERS] {
        let of_lock =
            |number, lock: LockId, order: u32| [number, lock.model.0.into(), lock.id.into(), order.into()];
        let of_thread = |number, contingent: CommRef, sequence| [number, contingent.0.into(), sequence, 0];
        match self {
            Self::Acquire { lock, order } => of_lock(0, lock, order),
            Self::Release { lock, order } => of_lock(1, lock, order),
            Self::Create(contingent, sequence) => of_thread(2, contingent, sequence),
            Self::Begin(contingent, sequence) => of_thread(3, contingent, sequence),
            Self::End(contingent, sequence) => of_thread(4, contingent, sequence),
            Self::Wait(contingent, sequence) => of_thread(5, contingent, sequence),
            Self::TeamBegin(team) => of_thread(6, team, 0),
            Self::TeamEnd(team) => of_thread(7, team, 0),
            Self::Fork => [8, 0, 0, 0],
            Self::Join => [9, 0, 0, 0],
            Self::Barrier => [10, 0, 0, 0],
            Self::Signal => [11, 0, 0, 0],
            Self::Task => [12, 0, 0, 0],
        }
    }

    /// Reads an operation. Numbers that [`to_numbers`](Self::to_numbers) does not return give any
    /// operation.
    pub(crate) fn from_numbers([number, first, second, third]: [u64; Self::NUMBERS]) -> Self {
        let lock = LockId { model: Paradigm(first as u8), id: second as u32 };
        let (order, contingent) = (third as u32, CommRef(first as u32));
        match number {
            0 => Self::Acquire { lock, order },
            1 => Self::Release { lock, order },
            2 => Self::Create(contingent, second),
            3 => Self::Begin(contingent, second),
            4 => Self::End(contingent, second),
            5 => Self::Wait(contingent, second),
            6 => Self::TeamBegin(contingent),
            7 => Self::TeamEnd(contingent),
            8 => Self::Fork,
            9 => Self::Join,
            10 => Self::Barrier,
            11 => Self::Signal,
            _ => Self::Task,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_come_back_from_their_numbers() {
        let lock = LockId { model: Paradigm::PTHREAD, id: u32::MAX };
        let (contingent, sequence) = (CommRef(7), u64::MAX);
        for operation in [
            ThreadOperation::Acquire { lock, order: 3 },
            ThreadOperation::Release { lock, order: u32::MAX },
            ThreadOperation::Create(contingent, sequence),
            ThreadOperation::Begin(contingent, sequence),
            ThreadOperation::End(contingent, sequence),
            ThreadOperation::Wait(contingent, sequence),
            ThreadOperation::Fork,
            ThreadOperation::Join,
            ThreadOperation::TeamBegin(contingent),
            ThreadOperation::TeamEnd(contingent),
            ThreadOperation::Barrier,
            ThreadOperation::Signal,
            ThreadOperation::Task,
        ] {
            assert_eq!(ThreadOperation::from_numbers(operation.to_numbers()), operation);
        }
    }
}
