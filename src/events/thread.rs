//! Threads: fork and join (events 47 to 50), create and wait (55 to 58).

use kymo_otf2::{
    attributes::Attribute,
    events::{
        ThreadBegin, ThreadCreate, ThreadEnd, ThreadFork, ThreadJoin, ThreadTeamBegin, ThreadTeamEnd,
        ThreadWait,
    },
    records::EventRecord,
};
use kymo_recorder::EventClass;
use kymo_substrate::{InterimCommunicatorHandle, Location, ParadigmType, Timestamp};

use super::callbacks;
use crate::{definitions::attribute, events::Sink, mapping, release::Release};

callbacks! {
    [count ThreadCreateWait]
    |sink, _paradigm: ParadigmType, team: InterimCommunicatorHandle, sequence_count: u32| {
        thread_contingent: sink.comm(team),
        sequence_count: wide_count(sequence_count),
    }
    thread_create_wait_create: ThreadCreate,
    thread_create_wait_wait: ThreadWait,
    thread_create_wait_end: ThreadEnd,
}

/// The thread number that the host passes if it is unknown.
const INVALID_THREAD_ID: u64 = 0;
/// The sequence count that the host passes if there is none (not in the public headers).
const INVALID_SEQUENCE_COUNT: u32 = u32::MAX;

impl Sink {
    pub(super) fn thread_fork_join_fork(
        &self,
        at: Location,
        time: Timestamp,
        paradigm: ParadigmType,
        requested_threads: u32,
        _fork_sequence_count: u32,
    ) {
        let record =
            ThreadFork { model: mapping::paradigm(paradigm), number_of_requested_threads: requested_threads };
        self.record_classed(at, time, EventClass::ThreadForkJoin, &record);
    }

    pub(super) fn thread_fork_join_join(&self, at: Location, time: Timestamp, paradigm: ParadigmType) {
        self.record_classed(
            at,
            time,
            EventClass::ThreadForkJoin,
            &ThreadJoin { model: mapping::paradigm(paradigm) },
        );
    }

    pub(super) fn thread_fork_join_team_begin(
        &self,
        at: Location,
        time: Timestamp,
        _paradigm: ParadigmType,
        team: InterimCommunicatorHandle,
        thread_id: u64,
    ) {
        let record = ThreadTeamBegin { thread_team: self.comm(team) };
        self.record_thread_start(at, time, EventClass::ThreadForkJoin, thread_id, &record);
    }

    pub(super) fn thread_fork_join_team_end(
        &self,
        at: Location,
        time: Timestamp,
        _paradigm: ParadigmType,
        team: InterimCommunicatorHandle,
    ) {
        self.record_classed(
            at,
            time,
            EventClass::ThreadForkJoin,
            &ThreadTeamEnd { thread_team: self.comm(team) },
        );
    }

    pub(super) fn thread_create_wait_begin(
        &self,
        at: Location,
        time: Timestamp,
        _paradigm: ParadigmType,
        team: InterimCommunicatorHandle,
        sequence_count: u32,
        thread_id: u64,
    ) {
        let record =
            ThreadBegin { thread_contingent: self.comm(team), sequence_count: wide_count(sequence_count) };
        self.at(at, time, |location| location.begin_thread());
        self.record_thread_start(at, time, EventClass::ThreadCreateWait, thread_id, &record);
    }

    /// Registers a thread that begins while recording is off. Its begin is not recorded, but its
    /// location is still needed.
    pub(super) fn miss_thread_begin(&self, at: Location, time: Timestamp) {
        self.lose(EventClass::ThreadCreateWait);
        self.at(at, time, |location| location.begin_thread());
    }

    /// Records the first event of a thread, with the system's thread id as an attribute if the host
    /// provides it.
    fn record_thread_start<R: EventRecord>(
        &self,
        at: Location,
        time: Timestamp,
        class: EventClass,
        thread_id: u64,
        record: &R,
    ) {
        let attributes = [Attribute::new(attribute::THREAD_ID, thread_id)];
        let known = usize::from(thread_id != INVALID_THREAD_ID && self.release.is_since(Release::V7));
        self.at(at, time, |location| {
            location.count(class);
            location.record_with(time, &attributes[..known], record);
        });
    }
}

/// Widens a sequence count; an unknown one stays unknown.
fn wide_count(count: u32) -> u64 {
    if count == INVALID_SEQUENCE_COUNT { u64::MAX } else { count.into() }
}
