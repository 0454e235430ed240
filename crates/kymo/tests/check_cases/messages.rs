//! Messages, requests, collective operations, communicators, one-sided communication.

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::{CollectiveOp, CollectiveRoot, GroupType, LockType, Paradigm};
use kymo_otf2::events::*;
use kymo_otf2::flags::RmaSyncLevel;
use kymo_otf2::references::CommRef;

use super::{Case, case};
use crate::check_common::Trace;
use crate::check_common::world::*;

fn send(receiver: u32, communicator: CommRef, msg_tag: u32) -> MpiSend {
    MpiSend { receiver, communicator, msg_tag, msg_length: 8 }
}

fn receive(sender: u32, communicator: CommRef, msg_tag: u32) -> MpiRecv {
    MpiRecv { sender, communicator, msg_tag, msg_length: 8 }
}

pub fn cases() -> Vec<Case> {
    [messages(), matching(), probes(), requests(), collectives(), lives()].into_iter().flatten().collect()
}

fn messages() -> Vec<Case> {
    vec![
        case("not-a-member", |trace, faulty| {
            let communicator = if faulty { TEAM } else { WORLD };
            trace.event(0, 10, send(1, communicator, 1));
            trace.event(1, 20, receive(0, communicator, 1));
        })
        .with(&["unmatched-send"]),
        case("rank-out-of-range", |trace, faulty| {
            trace.event(0, 10, send(if faulty { 2 } else { 1 }, WORLD, 1));
            if !faulty {
                trace.event(1, 20, receive(0, WORLD, 1));
            }
        }),
        case("unmatched-send", |trace, faulty| {
            trace.event(0, 10, send(1, WORLD, 1));
            if !faulty {
                trace.event(1, 20, receive(0, WORLD, 1));
            }
        }),
        case("unmatched-receive", |trace, faulty| {
            if !faulty {
                trace.event(0, 10, send(1, WORLD, 1));
            }
            trace.event(1, 20, receive(0, WORLD, 1));
        }),
        case("message-length", |trace, faulty| {
            trace.event(0, 10, send(1, WORLD, 1));
            trace.event(1, 20, MpiRecv { msg_length: if faulty { 4 } else { 8 }, ..receive(0, WORLD, 1) });
        }),
        case("receive-before-send", |trace, faulty| {
            trace.event(0, 10, send(1, WORLD, 1));
            trace.event(1, if faulty { 9 } else { 10 }, receive(0, WORLD, 1));
        }),
    ]
}

/// Which messages match and which do not.
fn matching() -> Vec<Case> {
    vec![
        // Tags distinguish messages.
        case("unmatched-send", |trace, faulty| {
            trace.event(0, 10, send(1, WORLD, 1));
            trace.event(1, 20, receive(0, WORLD, if faulty { 2 } else { 1 }));
        })
        .with(&["unmatched-receive"]),
        // So do communicators.
        case("unmatched-send", |trace, faulty| {
            trace.event(0, 10, send(1, WORLD, 1));
            trace.event(1, 20, receive(0, if faulty { MORTAL } else { WORLD }, 1));
        })
        .with(&["unmatched-receive"]),
        // On an inter-communicator, both are rank 0, but of different groups.
        case("unmatched-send", |trace, faulty| {
            trace.event(0, 10, send(0, INTER, 1));
            trace.event(if faulty { 0 } else { 1 }, 20, receive(0, INTER, 1));
        })
        .with(&["unmatched-receive"]),
        // Every location has its own instance of the communicator with itself.
        case("unmatched-send", |trace, faulty| {
            trace.event(0, 10, send(0, OWN, 1));
            trace.event(if faulty { 1 } else { 0 }, 20, receive(0, OWN, 1));
        })
        .with(&["unmatched-receive"]),
        // Another thread of a process sends as the rank of the process.
        case("unmatched-receive", |trace, faulty| {
            trace.event(if faulty { 1 } else { 2 }, 10, send(1, WORLD, 1));
            trace.event(1, 20, receive(0, WORLD, 1));
        })
        .with(&["unmatched-send"]),
        // A send that was cancelled is not received.
        case("unmatched-send", |trace, faulty| {
            let isend =
                MpiIsend { receiver: 1, communicator: WORLD, msg_tag: 1, msg_length: 8, request_id: 5 };
            trace.event(0, 10, isend);
            match faulty {
                true => trace.event(0, 20, MpiIsendComplete { request_id: 5 }),
                false => trace.event(0, 20, MpiRequestCancelled { request_id: 5 }),
            }
        }),
        // Receives may complete in any order, so each takes the first pending message of its
        // length.
        case("message-length", |trace, faulty| {
            for msg_length in [8, 16] {
                trace.event(0, 10, MpiSend { msg_length, ..send(1, WORLD, 1) });
            }
            for msg_length in [16, if faulty { 9 } else { 8 }] {
                trace.event(1, 20, MpiRecv { msg_length, ..receive(0, WORLD, 1) });
            }
        }),
    ]
}

fn probe(message_id: u64) -> MpiProbe {
    MpiProbe { sender: 0, communicator: WORLD, tag: 1, message_id }
}

fn mrecv(message_id: u64) -> MpiMrecv {
    MpiMrecv { message_id, msg_length: 8 }
}

/// Lets processes be the ranks of MPI.
fn rank_processes(trace: &mut Trace) {
    let is_world = |it: &GlobalDefinition<'_>| matches!(it, GlobalDefinition::Group(it) if it.id.0 == 0);
    trace.change(is_world, group(0, GroupType::COMM_LOCATION_GROUPS, Paradigm::MPI, &[0, 1]));
}

/// Messages that a probe has reserved.
fn probes() -> Vec<Case> {
    vec![
        // The receive has the sender, the communicator and the tag of the probe.
        case("unmatched-send", |trace, faulty| {
            trace.event(0, 10, send(1, WORLD, 1));
            trace.event(1, 20, MpiProbe { tag: if faulty { 2 } else { 1 }, ..probe(1) });
            trace.event(1, 30, mrecv(1));
        })
        .with(&["unmatched-receive"]),
        case("message-length", |trace, faulty| {
            trace.event(0, 10, send(1, WORLD, 1));
            trace.event(1, 20, probe(1));
            trace.event(1, 30, MpiImrecvRequest { message_id: 1, request_id: 5 });
            trace.event(1, 40, MpiImrecv { request_id: 5, msg_length: if faulty { 4 } else { 8 } });
        }),
        // A probe without a number receives nothing, and is no mistake.
        case("unmatched-send", |trace, faulty| {
            trace.event(0, 10, send(1, WORLD, 1));
            trace.event(1, 20, probe(u64::MAX));
            trace.event(1, 30, probe(u64::MAX));
            if !faulty {
                trace.event(1, 40, receive(0, WORLD, 1));
            }
        }),
        case("rank-out-of-range", |trace, faulty| {
            trace.event(1, 20, MpiProbe { sender: if faulty { 2 } else { 0 }, ..probe(u64::MAX) });
        }),
        case("message-not-probed", |trace, faulty| {
            trace.event(0, 10, send(1, WORLD, 1));
            trace.event(1, 20, probe(1));
            trace.event(1, 30, mrecv(if faulty { 2 } else { 1 }));
        })
        .with(&["unmatched-send"]),
        // A message is received once.
        case("message-not-probed", |trace, faulty| {
            trace.event(0, 10, send(1, WORLD, 1));
            trace.event(1, 20, probe(1));
            trace.event(1, 30, mrecv(1));
            if faulty {
                trace.event(1, 40, MpiImrecvRequest { message_id: 1, request_id: 5 });
                trace.event(1, 50, MpiImrecv { request_id: 5, msg_length: 8 });
            }
        }),
        // Another thread of the process may receive it, another process may not.
        case("message-not-probed", |trace, faulty| {
            trace.event(1, 10, send(0, WORLD, 1));
            trace.event(0, 20, MpiProbe { sender: 1, ..probe(1) });
            trace.event(if faulty { 1 } else { 2 }, 30, mrecv(1));
        })
        .with(&["unmatched-send"]),
        case("message-reused", |trace, faulty| {
            trace.event(0, 10, send(1, WORLD, 1));
            trace.event(1, 20, MpiProbe { tag: 2, ..probe(if faulty { 1 } else { 2 }) });
            trace.event(1, 30, probe(1));
            trace.event(1, 40, mrecv(1));
        }),
        // Not even after it was received.
        case("message-reused", |trace, faulty| {
            for (message, time) in [(1, 10), (if faulty { 1 } else { 2 }, 40)] {
                trace.event(0, time, send(1, WORLD, 1));
                trace.event(1, time + 10, probe(message));
                trace.event(1, time + 20, mrecv(message));
            }
        }),
        case("request-not-complete", |trace, faulty| {
            trace.event(0, 10, send(1, WORLD, 1));
            trace.event(1, 20, probe(1));
            trace.event(1, 30, MpiImrecvRequest { message_id: 1, request_id: 5 });
            if !faulty {
                trace.event(1, 40, MpiImrecv { request_id: 5, msg_length: 8 });
            }
        })
        .with(&["unmatched-send"]),
        // All threads of a process have its rank.
        case("unmatched-send", |trace, faulty| {
            rank_processes(trace);
            trace.event(if faulty { 1 } else { 2 }, 10, send(1, WORLD, 1));
            trace.event(1, 20, receive(0, WORLD, 1));
        })
        .with(&["unmatched-receive"]),
    ]
}

fn isend(request_id: u64) -> MpiIsend {
    MpiIsend { receiver: 0, communicator: OWN, msg_tag: 1, msg_length: 8, request_id }
}

fn irecv(request_id: u64) -> MpiIrecv {
    MpiIrecv { sender: 0, communicator: OWN, msg_tag: 1, msg_length: 8, request_id }
}

fn requests() -> Vec<Case> {
    vec![
        case("request-in-use", |trace, faulty| {
            trace.event(0, 10, MpiIrecvRequest { request_id: 1 });
            trace.event(0, 20, isend(if faulty { 1 } else { 2 }));
            if !faulty {
                trace.event(0, 30, MpiIsendComplete { request_id: 2 });
            }
            trace.event(0, 40, irecv(1));
        })
        .with(&["request-purpose"]),
        case("request-not-started", |trace, faulty| {
            if !faulty {
                trace.event(0, 10, MpiIrecvRequest { request_id: 1 });
            }
            trace.event(0, 20, MpiRequestTest { request_id: 1 });
            if !faulty {
                trace.event(0, 30, MpiRequestCancelled { request_id: 1 });
            }
        }),
        case("request-purpose", |trace, faulty| {
            let complete = NonBlockingCollectiveComplete {
                collective_op: CollectiveOp::BARRIER,
                communicator: OWN,
                root: CollectiveRoot::NONE.0,
                size_sent: 0,
                size_received: 0,
                request_id: 1,
            };
            match faulty {
                true => trace.event(0, 10, MpiIrecvRequest { request_id: 1 }),
                false => trace.event(0, 10, NonBlockingCollectiveRequest { request_id: 1 }),
            }
            trace.event(0, 20, complete);
        }),
        case("request-not-complete", |trace, faulty| {
            trace.event(0, 10, NonBlockingCollectiveRequest { request_id: 1 });
            if !faulty {
                trace.event(2, 20, MpiRequestCancelled { request_id: 1 });
            }
        }),
    ]
}

fn end(collective_op: CollectiveOp, communicator: CommRef, root: u32) -> MpiCollectiveEnd {
    MpiCollectiveEnd { collective_op, communicator, root, size_sent: 0, size_received: 0 }
}

const BARRIER: CollectiveOp = CollectiveOp::BARRIER;
const NO_ROOT: u32 = CollectiveRoot::NONE.0;

fn collective(trace: &mut Trace, location: u64, times: [u64; 2], end: MpiCollectiveEnd) {
    trace.event(location, times[0], MpiCollectiveBegin {});
    trace.event(location, times[1], end);
}

fn collectives() -> Vec<Case> {
    vec![
        case("collective-not-begun", |trace, faulty| {
            if !faulty {
                trace.event(0, 10, MpiCollectiveBegin {});
            }
            trace.event(0, 20, end(BARRIER, OWN, NO_ROOT));
        }),
        case("collective-not-ended", |trace, faulty| {
            trace.event(0, 10, MpiCollectiveBegin {});
            if !faulty {
                trace.event(0, 20, end(BARRIER, OWN, NO_ROOT));
            }
        }),
        case("collective-differs", |trace, faulty| {
            collective(trace, 0, [10, 20], end(CollectiveOp::BCAST, WORLD, 1));
            let op = if faulty { CollectiveOp::REDUCE } else { CollectiveOp::BCAST };
            collective(trace, 1, [10, 20], end(op, WORLD, 1));
        }),
        case("collective-differs", |trace, faulty| {
            collective(trace, 0, [10, 20], end(CollectiveOp::BCAST, WORLD, 1));
            collective(trace, 1, [10, 20], end(CollectiveOp::BCAST, WORLD, if faulty { 0 } else { 1 }));
        }),
        case("rank-out-of-range", |trace, faulty| {
            let root = if faulty { 2 } else { 1 };
            collective(trace, 0, [10, 20], end(CollectiveOp::BCAST, WORLD, root));
            collective(trace, 1, [10, 20], end(CollectiveOp::BCAST, WORLD, root));
        }),
        case("collective-missing", |trace, faulty| {
            collective(trace, 0, [10, 20], end(BARRIER, WORLD, NO_ROOT));
            if !faulty {
                collective(trace, 1, [10, 20], end(BARRIER, WORLD, NO_ROOT));
            }
        }),
        case("collective-missing", |trace, faulty| {
            let ranks: &[u64] = if faulty { &[1] } else { &[0, 1] };
            for &location in ranks {
                trace.event(location, 10, NonBlockingCollectiveRequest { request_id: 1 });
                trace.event(
                    location,
                    20,
                    NonBlockingCollectiveComplete {
                        collective_op: BARRIER,
                        communicator: WORLD,
                        root: NO_ROOT,
                        size_sent: 0,
                        size_received: 0,
                        request_id: 1,
                    },
                );
            }
        }),
        // Some operations that create communicators involve only some of the members.
        case("collective-differs", |trace, faulty| {
            let create = if faulty { CollectiveOp::BCAST } else { CollectiveOp::CREATE_HANDLE };
            collective(trace, 0, [10, 20], end(create, WORLD, NO_ROOT));
            collective(trace, 0, [30, 40], end(BARRIER, WORLD, NO_ROOT));
            collective(trace, 1, [10, 40], end(BARRIER, WORLD, NO_ROOT));
        })
        .with(&["collective-missing"]),
        case("collective-crosses-time", |trace, faulty| {
            collective(trace, 0, [10, 20], end(BARRIER, WORLD, NO_ROOT));
            collective(trace, 1, [if faulty { 21 } else { 20 }, 30], end(BARRIER, WORLD, NO_ROOT));
        }),
        // A location that receives nothing waits for no other.
        case("collective-crosses-time", |trace, faulty| {
            let gather = |sent, received| MpiCollectiveEnd {
                size_sent: sent,
                size_received: received,
                ..end(CollectiveOp::ALLGATHER, WORLD, NO_ROOT)
            };
            collective(trace, 0, [10, 20], gather(8, if faulty { 8 } else { 0 }));
            collective(trace, 1, [21, 30], gather(8, 8));
        }),
    ]
}

/// Adds the events that destroy the communicator on both ranks, at time 30.
fn destroy(trace: &mut Trace, communicator: CommRef) {
    for location in [0, 1] {
        trace.event(location, 30, MpiCollectiveBegin {});
        trace.event(location, 30, CommDestroy { communicator });
        trace.event(location, 40, end(CollectiveOp::DESTROY_HANDLE, communicator, NO_ROOT));
    }
}

fn lives() -> Vec<Case> {
    vec![
        case("not-flagged", |trace, faulty| {
            trace.event(0, 10, CommCreate { communicator: if faulty { WORLD } else { MORTAL } });
        }),
        case("not-flagged", |trace, faulty| {
            trace.event(0, 10, RmaWinCreate { win: if faulty { PLAIN_WINDOW } else { WINDOW } });
        }),
        case("created-twice", |trace, faulty| {
            trace.event(0, 10, CommCreate { communicator: MORTAL });
            trace.event(if faulty { 0 } else { 1 }, 20, CommCreate { communicator: MORTAL });
        }),
        case("use-after-destroy", |trace, faulty| {
            let time = if faulty { 50 } else { 10 };
            if !faulty {
                trace.event(0, time, send(1, MORTAL, 1));
                trace.event(1, time, receive(0, MORTAL, 1));
            }
            destroy(trace, MORTAL);
            if faulty {
                trace.event(0, time, send(1, MORTAL, 1));
                trace.event(1, time, receive(0, MORTAL, 1));
            }
        }),
    ]
}

pub fn one_sided() -> Vec<Case> {
    vec![
        // Puts that are completed together have one number.
        case("rma-number-in-use", |trace, faulty| {
            let second = if faulty { 0 } else { 1 };
            trace.event(0, 10, RmaPut { win: WINDOW, remote: 1, bytes: 8, matching_id: 1 });
            trace.event(0, 20, RmaPut { win: WINDOW, remote: second, bytes: 8, matching_id: 1 });
            trace.event(0, 30, RmaOpCompleteNonBlocking { win: WINDOW, matching_id: 1 });
        }),
        case("rma-number-in-use", |trace, faulty| {
            let second = if faulty { 1 } else { 2 };
            trace.event(0, 10, RmaPut { win: WINDOW, remote: 1, bytes: 8, matching_id: 1 });
            trace.event(0, 20, RmaGet { win: WINDOW, remote: 1, bytes: 8, matching_id: second });
            trace.event(0, 30, RmaOpCompleteNonBlocking { win: WINDOW, matching_id: 1 });
            trace.event(0, 40, RmaOpCompleteRemote { win: WINDOW, matching_id: second });
        }),
        case("rma-not-issued", |trace, faulty| {
            trace.event(0, 10, RmaPut { win: WINDOW, remote: 1, bytes: 8, matching_id: 1 });
            trace.event(0, 20, RmaOpTest { win: WINDOW, matching_id: if faulty { 2 } else { 1 } });
            trace.event(0, 30, RmaOpCompleteBlocking { win: WINDOW, matching_id: 1 });
        }),
        case("rma-not-complete", |trace, faulty| {
            trace.event(0, 10, RmaPut { win: WINDOW, remote: 1, bytes: 8, matching_id: 1 });
            if !faulty {
                trace.event(0, 20, RmaOpCompleteBlocking { win: WINDOW, matching_id: 1 });
            }
        }),
        case("rank-out-of-range", |trace, faulty| {
            let remote = if faulty { 2 } else { 1 };
            trace.event(0, 10, RmaPut { win: WINDOW, remote, bytes: 8, matching_id: 1 });
            trace.event(0, 20, RmaOpCompleteBlocking { win: WINDOW, matching_id: 1 });
        }),
        case("lock-not-released", |trace, faulty| {
            let (win, remote, lock_id, lock_type) = (WINDOW, 1, 0, LockType::EXCLUSIVE);
            trace.event(0, 10, RmaRequestLock { win, remote, lock_id, lock_type });
            trace.event(0, 20, RmaAcquireLock { win, remote, lock_id, lock_type });
            if !faulty {
                trace.event(0, 30, RmaReleaseLock { win, remote, lock_id });
            }
        }),
        case("collective-differs", |trace, faulty| {
            for location in [0, 1] {
                let other = faulty && location == 1;
                trace.event(location, 10, RmaCollectiveBegin {});
                trace.event(
                    location,
                    20,
                    RmaCollectiveEnd {
                        collective_op: if other { CollectiveOp::ALLOCATE } else { BARRIER },
                        sync_level: RmaSyncLevel::PROCESS,
                        win: WINDOW,
                        root: NO_ROOT,
                        bytes_sent: 0,
                        bytes_received: 0,
                    },
                );
            }
        }),
    ]
}
