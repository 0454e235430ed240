//! Every value of every enumeration and flag set in events, and values that no release defines.

use super::SyntheticRecording;
use super::every_event::{MAIN, none};
use super::handles::Handles;
use serde_json::{Value, json};

/// Returns a negative rank as unsigned 64 bits.
fn rank(value: i64) -> u64 {
    value as u64
}

/// Adds events with all defined values.
pub(super) fn known(recording: &mut SyntheticRecording, h: &Handles) {
    collectives(recording, h, 0..=22);
    for root in [-1, -2, -3] {
        recording.event(MAIN, "MPI_COLLECTIVE_END", json!({"communicatorHandle": h.inter, "rootRank": rank(root), "collectiveType": 1, "bytesSent": 1, "bytesReceived": 2}));
        recording.event(MAIN, "MPI_NON_BLOCKING_COLLECTIVE_COMPLETE", json!({"communicatorHandle": h.inter, "rootRank": rank(root), "collectiveType": 1, "bytesSent": 1, "bytesReceived": 2, "requestId": 3}));
    }
    one_sided(recording, h, 0..=8, 0..=2, 0..=3);
    for lock in ["RMA_TRY_LOCK", "RMA_ACQUIRE_LOCK", "RMA_REQUEST_LOCK"] {
        recording.event(
            MAIN,
            lock,
            json!({"windowHandle": h.windows[0], "remote": u32::MAX, "lockId": 4, "lockType": 0}),
        );
    }
    recording.event(
        MAIN,
        "RMA_RELEASE_LOCK",
        json!({"windowHandle": h.windows[0], "remote": u32::MAX, "lockId": 4}),
    );
    recording.event(MAIN, "RMA_COLLECTIVE_END", json!({"collectiveOp": 0, "syncLevel": 0, "windowHandle": h.windows[0], "root": u32::MAX, "bytesSent": 0, "bytesReceived": 0}));
    paradigms(recording, 0..=17);
    input_output(recording, h, (0..=5).collect(), bits(11), bits(9), (0..=4).collect());
    operations(recording, h, 0..=2, 0..=3);
    counts(recording, h);
}

/// Adds events with values of future releases and garbage.
pub(super) fn unknown(recording: &mut SyntheticRecording, h: &Handles) {
    collectives(recording, h, [23, 255, 256, u32::MAX]);
    one_sided(recording, h, [9, 263, u32::MAX], [3, 256, u32::MAX], [4, 0x8000_0001]);
    paradigms(recording, [18, 263, u32::MAX]);
    let flags = vec![1 << 11, 1 << 31, u32::MAX];
    input_output(recording, h, vec![6, 257, u32::MAX], flags.clone(), flags, vec![5, 256, u32::MAX]);
    operations(recording, h, [3, 257, u32::MAX], [4, 0x8000_0001, u32::MAX]);
    for lock in [2, 256, u32::MAX] {
        recording.event(
            MAIN,
            "RMA_TRY_LOCK",
            json!({"windowHandle": h.windows[0], "remote": 0, "lockId": 0, "lockType": lock}),
        );
        recording.event(MAIN, "IO_ACQUIRE_LOCK", json!({"handle": h.io[2], "lockType": lock}));
    }
    for paradigm in [3, 255, u32::MAX] {
        recording.event(MAIN, "IO_DELETE_FILE", json!({"ioParadigm": paradigm, "ioFile": h.files[0]}));
    }
    for name in ["MPI_SEND", "MPI_RECV"] {
        let rank_name = if name == "MPI_SEND" { "destinationRank" } else { "sourceRank" };
        let bytes = if name == "MPI_SEND" { "bytesSent" } else { "bytesReceived" };
        recording.event(
            MAIN,
            name,
            json!({rank_name: rank(-2), "communicatorHandle": h.world, "tag": u32::MAX, bytes: u64::MAX}),
        );
    }
    recording.event(MAIN, "ENTER_REGION", json!({"regionHandle": h.regions[48], "metrics": none()}));
    recording.event(MAIN, "EXIT_REGION", json!({"regionHandle": h.regions[48], "metrics": none()}));
}

/// Returns each of the first `count` bits separately, none, and all.
fn bits(count: u32) -> Vec<u32> {
    let all = (1 << count) - 1;
    [0].into_iter().chain((0..count).map(|bit| 1 << bit)).chain([all]).collect()
}

fn collectives(recording: &mut SyntheticRecording, h: &Handles, types: impl IntoIterator<Item = u32>) {
    for kind in types {
        let members = json!({"communicatorHandle": h.world, "rootRank": 0, "collectiveType": kind, "bytesSent": kind, "bytesReceived": 0});
        recording.event(MAIN, "MPI_COLLECTIVE_END", members);
    }
}

fn one_sided(
    recording: &mut SyntheticRecording,
    h: &Handles,
    atomics: impl IntoIterator<Item = u32>,
    syncs: impl IntoIterator<Item = u32>,
    levels: impl IntoIterator<Item = u32>,
) {
    for kind in atomics {
        recording.event(MAIN, "RMA_ATOMIC", json!({"windowHandle": h.windows[0], "remote": 1, "type": kind, "bytesSent": kind, "bytesReceived": 0, "matchingId": 0}));
    }
    for kind in syncs {
        recording.event(
            MAIN,
            "RMA_SYNC",
            json!({"windowHandle": h.windows[0], "remote": 1, "syncType": kind}),
        );
    }
    for level in levels {
        recording.event(
            MAIN,
            "RMA_GROUP_SYNC",
            json!({"syncLevel": level, "windowHandle": h.windows[0], "groupHandle": h.groups[0]}),
        );
    }
}

fn paradigms(recording: &mut SyntheticRecording, paradigms: impl IntoIterator<Item = u32>) {
    for paradigm in paradigms {
        recording.event(
            MAIN,
            "THREAD_FORK_JOIN_FORK",
            json!({"paradigm": paradigm, "nRequestedThreads": paradigm, "forkSequenceCount": 0}),
        );
    }
}

fn input_output(
    recording: &mut SyntheticRecording,
    h: &Handles,
    modes: Vec<u32>,
    creation: Vec<u32>,
    status: Vec<u32>,
    whence: Vec<u32>,
) {
    let mut create = |mode: u32, creation: u32, status: u32| {
        let members: Value =
            json!({"handle": h.io[3], "mode": mode, "creationFlags": creation, "statusFlags": status});
        recording.event(MAIN, "IO_CREATE_HANDLE", members);
    };
    modes.into_iter().for_each(|mode| create(mode, 0, 0));
    creation.into_iter().for_each(|flags| create(1, flags, 0));
    status.into_iter().for_each(|flags| create(1, 0, flags));
    for option in whence {
        recording.event(
            MAIN,
            "IO_SEEK",
            json!({"handle": h.io[3], "offsetRequest": -1, "whence": option, "offsetResult": u64::MAX}),
        );
    }
}

fn operations(
    recording: &mut SyntheticRecording,
    h: &Handles,
    modes: impl IntoIterator<Item = u32>,
    flags: impl IntoIterator<Item = u32>,
) {
    let mut begin = |mode: u32, flags: u32| {
        // Size and offset are unknown.
        let members = json!({"handle": h.io[3], "mode": mode, "operationFlags": flags, "bytesRequest": u64::MAX, "matchingId": 0, "offset": u64::MAX});
        recording.event(MAIN, "IO_OPERATION_BEGIN", members);
    };
    modes.into_iter().for_each(|mode| begin(mode, 0));
    flags.into_iter().for_each(|flags| begin(0, flags));
}

/// Adds events with the numbers that mean "undefined".
fn counts(recording: &mut SyntheticRecording, h: &Handles) {
    for name in ["CREATE", "WAIT", "END"] {
        let members = json!({"paradigm": 9, "threadTeam": h.threads, "createSequenceCount": u32::MAX});
        recording.event(MAIN, &format!("THREAD_CREATE_WAIT_{name}"), members);
    }
    recording.event(
        MAIN,
        "THREAD_FORK_JOIN_TEAM_BEGIN",
        json!({"paradigm": 8, "threadTeam": h.teams[0], "threadId": 0}),
    );
    let begin =
        json!({"paradigm": 9, "threadTeam": h.threads, "createSequenceCount": u32::MAX, "threadId": 0});
    recording.event(MAIN, "THREAD_CREATE_WAIT_BEGIN", begin);
}
