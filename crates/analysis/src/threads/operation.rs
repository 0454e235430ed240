//! An operation of a thread that concerns other threads, and its row.

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

/// An explicit task of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TaskId {
    /// The team of the thread that created it.
    pub team: CommRef,
    /// That thread, by its number in the team.
    pub creator: u32,
    /// The number of the task, of all those of that thread, from 1.
    pub generation: u32,
}

/// An operation of a thread that concerns other threads of its process.
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
    /// It creates an explicit task.
    TaskCreate(TaskId),
    /// It begins or continues an explicit task, or its implicit one.
    TaskSwitch(Option<TaskId>),
    /// An explicit task is complete.
    TaskComplete(TaskId),
    /// It begins to wait for the tasks that its task has created.
    TaskWait,
    /// It begins a group of tasks, for which it waits at its end.
    TaskGroup,
    /// It enters a barrier of POSIX threads.
    PthreadBarrier,
    /// It begins to wait for a semaphore.
    SemaphoreWait,
    /// It increments a semaphore.
    SemaphorePost,
    /// A call ends whose end was not known at its operation, which waits for others.
    Leave,
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
            Event::ThreadTaskCreate(it) => Self::TaskCreate(TaskId {
                team: it.thread_team,
                creator: it.creating_thread,
                generation: it.generation_number,
            }),
            Event::ThreadTaskSwitch(it) => {
                let (team, creator, generation) = (it.thread_team, it.creating_thread, it.generation_number);
                Self::TaskSwitch((generation != 0).then_some(TaskId { team, creator, generation }))
            }
            Event::ThreadTaskComplete(it) => Self::TaskComplete(TaskId {
                team: it.thread_team,
                creator: it.creating_thread,
                generation: it.generation_number,
            }),
            _ => return None,
        })
    }

    /// Returns whether it is the begin of a call that waits for others, until its end at most.
    pub(crate) fn waits(self) -> bool {
        matches!(
            self,
            Self::Barrier | Self::TaskWait | Self::TaskGroup | Self::PthreadBarrier | Self::SemaphoreWait
        )
    }

    /// Returns whether it is an operation on a task.
    pub(crate) fn is_of_task(self) -> bool {
        matches!(self, Self::TaskCreate(_) | Self::TaskSwitch(_) | Self::TaskComplete(_))
    }

    /// Returns the operation as numbers.
    pub(crate) fn to_numbers(self) -> [u64; Self::NUMBERS] {
        let of_lock =
            |number, lock: LockId, order: u32| [number, lock.model.0.into(), lock.id.into(), order.into()];
        let of_thread = |number, contingent: CommRef, sequence| [number, contingent.0.into(), sequence, 0];
        let of_task = |number, TaskId { team, creator, generation }: TaskId| {
            [number, team.0.into(), creator.into(), generation.into()]
        };
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
            Self::TaskCreate(task) => of_task(12, task),
            Self::TaskSwitch(Some(task)) => of_task(13, task),
            Self::TaskSwitch(None) => [14, 0, 0, 0],
            Self::TaskComplete(task) => of_task(15, task),
            Self::TaskWait => [16, 0, 0, 0],
            Self::TaskGroup => [17, 0, 0, 0],
            Self::PthreadBarrier => [18, 0, 0, 0],
            Self::SemaphoreWait => [19, 0, 0, 0],
            Self::SemaphorePost => [20, 0, 0, 0],
            Self::Leave => [21, 0, 0, 0],
        }
    }

    /// Reads an operation. Numbers that [`to_numbers`](Self::to_numbers) does not return give any
    /// operation.
    pub(crate) fn from_numbers([number, first, second, third]: [u64; Self::NUMBERS]) -> Self {
        let lock = LockId { model: Paradigm(first as u8), id: second as u32 };
        let (order, contingent) = (third as u32, CommRef(first as u32));
        let task = TaskId { team: contingent, creator: second as u32, generation: third as u32 };
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
            12 => Self::TaskCreate(task),
            13 => Self::TaskSwitch(Some(task)),
            14 => Self::TaskSwitch(None),
            15 => Self::TaskComplete(task),
            16 => Self::TaskWait,
            17 => Self::TaskGroup,
            18 => Self::PthreadBarrier,
            19 => Self::SemaphoreWait,
            20 => Self::SemaphorePost,
            _ => Self::Leave,
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
        let task = TaskId { team: CommRef(1), creator: 2, generation: u32::MAX };
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
            ThreadOperation::TaskCreate(task),
            ThreadOperation::TaskSwitch(Some(task)),
            ThreadOperation::TaskSwitch(None),
            ThreadOperation::TaskComplete(task),
            ThreadOperation::TaskWait,
            ThreadOperation::TaskGroup,
            ThreadOperation::PthreadBarrier,
            ThreadOperation::SemaphoreWait,
            ThreadOperation::SemaphorePost,
            ThreadOperation::Leave,
        ] {
            assert_eq!(ThreadOperation::from_numbers(operation.to_numbers()), operation);
        }
    }
}
