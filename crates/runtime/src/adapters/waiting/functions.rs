//! The functions that only this kind of instrumentation records.

use kymo_substrate::bindings::{
    SCOREP_PARADIGM_IO, SCOREP_PARADIGM_LIBWRAP, SCOREP_PARADIGM_PTHREAD, SCOREP_REGION_FILE_IO,
    SCOREP_REGION_WRAPPER,
};

use crate::measurement::LazyRegion;

// The regions: the constant, the name of the function, and the event for which it waits.
//
// Input:
//     pub(in crate::adapters) ACCEPT "accept" NETWORK;
// Expansion:
//     pub(in crate::adapters) static ACCEPT: LazyRegion = …;
macro_rules! regions {
    ($($visibility:vis $region:ident $name:literal $subject:ident;)*) => {$(
        $visibility static $region: LazyRegion = $subject($name);
    )*};
}

/// A function that sleeps, or waits for a signal, a process, or one of several events.
const fn event(name: &'static str) -> LazyRegion {
    LazyRegion::new(name, "POSIX", SCOREP_PARADIGM_LIBWRAP, SCOREP_REGION_WRAPPER)
}

/// A function that sends, receives or asks for data.
const fn data(name: &'static str) -> LazyRegion {
    LazyRegion::new(name, "POSIX", SCOREP_PARADIGM_IO, SCOREP_REGION_FILE_IO)
}

/// A function that waits for another thread.
const fn thread(name: &'static str) -> LazyRegion {
    LazyRegion::new(name, "PTHREAD", SCOREP_PARADIGM_PTHREAD, SCOREP_REGION_WRAPPER)
}

regions! {
    pub(super) SLEEP "sleep" event;
    pub(super) USLEEP "usleep" event;
    pub(super) NANOSLEEP "nanosleep" event;
    pub(super) CLOCK_NANOSLEEP "clock_nanosleep" event;
    pub(super) THRD_SLEEP "thrd_sleep" event;
    pub(super) PAUSE "pause" event;
    pub(super) SIGSUSPEND "sigsuspend" event;
    pub(super) SIGWAIT "sigwait" event;
    pub(super) SIGWAITINFO "sigwaitinfo" event;
    pub(super) SIGTIMEDWAIT "sigtimedwait" event;
    pub(super) WAIT "wait" event;
    pub(super) WAITPID "waitpid" event;
    pub(super) WAIT3 "wait3" event;
    pub(super) WAIT4 "wait4" event;
    pub(super) WAITID "waitid" event;
    pub(super) SYSTEM "system" event;
    pub(super) EPOLL_PWAIT2 "epoll_pwait2" event;
    pub(super) SEMOP "semop" event;
    pub(super) SEMTIMEDOP "semtimedop" event;
    pub(in crate::adapters) ACCEPT "accept" data;
    pub(in crate::adapters) ACCEPT4 "accept4" data;
    pub(in crate::adapters) RECVMSG "recvmsg" data;
    pub(super) CONNECT "connect" data;
    pub(super) RECV "recv" data;
    pub(super) RECVFROM "recvfrom" data;
    pub(super) RECVMMSG "recvmmsg" data;
    pub(super) SEND "send" data;
    pub(super) SENDTO "sendto" data;
    pub(super) SENDMSG "sendmsg" data;
    pub(super) SENDMMSG "sendmmsg" data;
    pub(super) MSGRCV "msgrcv" data;
    pub(super) MSGSND "msgsnd" data;
    pub(super) MQ_RECEIVE "mq_receive" data;
    pub(super) MQ_TIMEDRECEIVE "mq_timedreceive" data;
    pub(super) MQ_SEND "mq_send" data;
    pub(super) MQ_TIMEDSEND "mq_timedsend" data;
    pub(super) GETADDRINFO "getaddrinfo" data;
    pub(super) GETHOSTBYNAME "gethostbyname" data;
    pub(super) TCDRAIN "tcdrain" data;
    pub(super) SEM_WAIT "sem_wait" thread;
    pub(super) SEM_TIMEDWAIT "sem_timedwait" thread;
    pub(super) SEM_CLOCKWAIT "sem_clockwait" thread;
    pub(super) SEM_POST "sem_post" thread;
    pub(super) BARRIER_WAIT "pthread_barrier_wait" thread;
    pub(in crate::adapters) FUTEX "futex" thread;
}
