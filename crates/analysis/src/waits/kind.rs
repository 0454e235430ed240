//! The kinds of wait states.

/// Why a location waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WaitKind {
    /// A receive began before the send.
    LateSender,
    /// The completion of a send began before the receive was posted, and lasted until after that.
    LateReceiver,
    /// A member of a barrier began before the last one.
    Barrier,
    /// A member of an operation of all with all began before the last one.
    Nxn,
    /// A member of an operation that distributes data began before the root.
    LateBroadcast,
    /// The root of an operation that collects data began before the last member.
    EarlyReduce,
    /// A member of a prefix operation began before one of a lower rank.
    EarlyScan,
    /// A process finalised MPI before the last one.
    Finalize,
    /// A member of a fence began before the last one.
    RmaFence,
    /// A member that created a window began before the last one.
    RmaCreate,
    /// A member that freed a window began before the last one.
    RmaFree,
    /// An origin accessed a target that had not exposed its memory.
    RmaLatePost,
    /// A target ended the exposure of its memory before an origin had completed its accesses.
    RmaEarlyWait,
    /// Another process had a lock of a window.
    RmaLock,
    /// A member of a barrier of OpenMP began before the last one.
    OmpBarrier,
    /// The same, at the end of a construct.
    OmpImplicitBarrier,
    /// Another thread was in a critical section of OpenMP.
    OmpCritical,
    /// Another thread had a lock of OpenMP.
    OmpLock,
    /// An earlier iteration of a loop of OpenMP had not passed the part that is executed in order.
    OmpOrdered,
    /// Another thread executed a task that is waited for.
    TaskWait,
    /// Another thread executed a task of a group.
    Taskgroup,
    /// Another thread had a mutex.
    PthreadMutex,
    /// No other thread had signalled a condition.
    PthreadCond,
    /// A thread that is joined had not ended.
    PthreadJoin,
    /// A thread entered a barrier of POSIX threads before the last one.
    PthreadBarrier,
    /// No other thread had incremented a semaphore.
    Semaphore,
    /// Another location had a lock of a file.
    IoLock,
    /// Another thread had a read-write lock for writing.
    PthreadRwlock,
}

impl WaitKind {
    /// All kinds.
    pub const ALL: [Self; 28] = [
        Self::LateSender,
        Self::LateReceiver,
        Self::Barrier,
        Self::Nxn,
        Self::LateBroadcast,
        Self::EarlyReduce,
        Self::EarlyScan,
        Self::Finalize,
        Self::RmaFence,
        Self::RmaCreate,
        Self::RmaFree,
        Self::RmaLatePost,
        Self::RmaEarlyWait,
        Self::RmaLock,
        Self::OmpBarrier,
        Self::OmpImplicitBarrier,
        Self::OmpCritical,
        Self::OmpLock,
        Self::OmpOrdered,
        Self::TaskWait,
        Self::Taskgroup,
        Self::PthreadMutex,
        Self::PthreadCond,
        Self::PthreadJoin,
        Self::PthreadBarrier,
        Self::Semaphore,
        Self::IoLock,
        Self::PthreadRwlock,
    ];

    /// Returns the name for programs.
    pub fn key(self) -> &'static str {
        match self {
            Self::LateSender => "late_sender",
            Self::LateReceiver => "late_receiver",
            Self::Barrier => "barrier",
            Self::Nxn => "nxn",
            Self::LateBroadcast => "late_broadcast",
            Self::EarlyReduce => "early_reduce",
            Self::EarlyScan => "early_scan",
            Self::Finalize => "finalize",
            Self::RmaFence => "rma_fence",
            Self::RmaCreate => "rma_create",
            Self::RmaFree => "rma_free",
            Self::RmaLatePost => "rma_late_post",
            Self::RmaEarlyWait => "rma_early_wait",
            Self::RmaLock => "rma_lock",
            Self::OmpBarrier => "omp_barrier",
            Self::OmpImplicitBarrier => "omp_implicit_barrier",
            Self::OmpCritical => "omp_critical",
            Self::OmpLock => "omp_lock",
            Self::OmpOrdered => "omp_ordered",
            Self::TaskWait => "task_wait",
            Self::Taskgroup => "taskgroup",
            Self::PthreadMutex => "pthread_mutex",
            Self::PthreadCond => "pthread_cond",
            Self::PthreadJoin => "pthread_join",
            Self::PthreadBarrier => "pthread_barrier",
            Self::Semaphore => "semaphore",
            Self::IoLock => "io_lock",
            Self::PthreadRwlock => "pthread_rwlock",
        }
    }

    /// Returns the name as words in sentences.
    pub fn name(self) -> &'static str {
        match self {
            Self::LateSender => "late sender",
            Self::LateReceiver => "late receiver",
            Self::Barrier => "barrier",
            Self::Nxn => "all to all",
            Self::LateBroadcast => "late root",
            Self::EarlyReduce => "early root",
            Self::EarlyScan => "early scan",
            Self::Finalize => "finalize",
            Self::RmaFence => "fence",
            Self::RmaCreate => "new window",
            Self::RmaFree => "freed window",
            Self::RmaLatePost => "late post",
            Self::RmaEarlyWait => "early wait",
            Self::RmaLock => "window lock",
            Self::OmpBarrier => "thread barrier",
            Self::OmpImplicitBarrier => "implicit barrier",
            Self::OmpCritical => "critical section",
            Self::OmpLock => "lock",
            Self::OmpOrdered => "ordered part",
            Self::TaskWait => "waiting for tasks",
            Self::Taskgroup => "group of tasks",
            Self::PthreadMutex => "mutex",
            Self::PthreadCond => "condition",
            Self::PthreadJoin => "join of a thread",
            Self::PthreadBarrier => "barrier of threads",
            Self::Semaphore => "semaphore",
            Self::IoLock => "file lock",
            Self::PthreadRwlock => "read-write lock",
        }
    }

    /// Returns the kind with this number in [`ALL`](Self::ALL), or the first one.
    pub(super) fn numbered(number: u64) -> Self {
        Self::ALL.get(number as usize).copied().unwrap_or(Self::LateSender)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_listed_in_the_order_of_their_numbers() {
        for (number, kind) in (0..).zip(WaitKind::ALL) {
            assert_eq!((kind as u64, WaitKind::numbered(number)), (number, kind));
        }
    }
}
