//! Passes records to callbacks: usual records in runs, all others individually.
//!
//! The meaning of records is implemented twice, in `run` for usual ones and here for all.
//! Invariant: both agree.

use crate::callbacks::Callbacks;
use crate::definitions::TraceDefinitions;
use crate::error::Result;
use crate::kind::EventKind;
use crate::message::Message;
use crate::record::{Record, decode};
use crate::run;

/// Delivers the records at an offset. Returns their number and the reason for stopping early: an
/// error or an unknown event.
#[inline]
pub(crate) fn deliver<const SIZE: usize, const BIG: bool, C: Callbacks + ?Sized>(
    records: &[[u8; SIZE]],
    offset: u64,
    definitions: &mut TraceDefinitions,
    callbacks: &mut C,
) -> (usize, Result<Option<i32>>) {
    let mut done = 0;
    while let Some(rest) = records.get(done..) {
        done += run::deliver::<SIZE, BIG, C>(rest, definitions, callbacks);
        let Some(bytes) = records.get(done) else { break };
        let (record, offset) = (decode::<SIZE, BIG>(bytes), offset + (done * SIZE) as u64);
        match deliver_one(&record, offset, definitions, callbacks) {
            Ok(true) => done += 1,
            Ok(false) => return (done, Ok(Some(record.event))),
            Err(error) => return (done, Err(error)),
        }
    }
    (done, Ok(None))
}

/// Delivers any record. Returns whether its event is known or the record can be skipped.
#[cold]
#[inline(never)]
fn deliver_one<C: Callbacks + ?Sized>(
    record: &Record,
    offset: u64,
    definitions: &mut TraceDefinitions,
    callbacks: &mut C,
) -> Result<bool> {
    let kind = match definitions.known(record) {
        Some(kind) => kind,
        None => match definitions.report_new(offset, record, callbacks)? {
            Some(kind) => kind,
            None => return Ok(false),
        },
    };
    deliver_record(record, kind, definitions, callbacks);
    Ok(true)
}

/// Calls the callbacks for a record, which may have several meanings.
fn deliver_record<C: Callbacks + ?Sized>(
    record: &Record,
    kind: EventKind,
    definitions: &mut TraceDefinitions,
    callbacks: &mut C,
) {
    let Record { event, thread, parameter, time } = *record;
    callbacks.record(record);
    match parameter {
        1 if kind.is(EventKind::STATE) => callbacks.enter(time, thread, event as u32),
        -1 if kind.is(EventKind::STATE) => callbacks.leave(time, thread, event as u32),
        _ => {}
    }
    if kind.is(EventKind::TRIGGER) {
        callbacks.trigger(time, thread, event as u32, parameter);
    }
    if kind.is(EventKind::SEND) {
        callbacks.send(time, thread, Message::from_parameter(parameter));
    }
    if kind.is(EventKind::RECEIVE) {
        callbacks.receive(time, thread, Message::from_parameter(parameter));
    }
    if kind.is(EventKind::CLOSE) || kind.is(EventKind::CLOCK) {
        definitions.control(kind, record, callbacks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::callbacks::{StateDefinition, UserEvent};
    use crate::error::Complaint;
    use crate::record::{Layout, NARROW, Thread, WIDE};
    use proptest::prelude::*;
    use std::fmt::Debug;
    use std::path::Path;

    /// Every kind, single and combined, with ids inside and outside the table. 77 is missing.
    const EVENT_FILE: &str = "\
15 dynamic_trace_events
0 G 0 \"zero\" EntryExit
1 G 0 \"state\" EntryExit
2 G 0 \"counter\" TriggerValue
3 G -7 \"counter that sends\" TriggerValue
4 G -8 \"counter that receives\" TriggerValue
5 G -7 \"send\" par
6 G -8 \"receive\" par
7 G 0 \"EV_INIT\" none
8 G 0 \"FLUSH_CLOSE\" none
9 G 0 \"WALL_CLOCK\" none
10 G 0 \"WALL_CLOCK\" TriggerValue
11 G 0 \"FLUSH_CLOSE\" EntryExit
-5 G 0 \"below zero\" EntryExit
131072 G 0 \"beyond the table\" EntryExit
2147483647 G 0 \"the last\" TriggerValue
";
    const EVENTS: [i32; 16] = [0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -5, 131_072, i32::MAX];
    const MISSING: i32 = 77;
    const NUMBERS: [u16; 6] = [0, 1, 63, 1023, 1024, u16::MAX];

    /// Logs all calls.
    #[derive(Debug, Default, PartialEq)]
    struct Log {
        calls: Vec<String>,
        passes_over: bool,
    }

    impl Log {
        fn note(&mut self, call: &str, what: impl Debug) {
            self.calls.push(format!("{call} {what:?}"));
        }
    }

    impl Callbacks for Log {
        fn thread(&mut self, thread: Thread) {
            self.note("thread", thread);
        }
        fn group(&mut self, number: u32, name: &[u8]) {
            self.note("group", (number, name));
        }
        fn state(&mut self, state: &StateDefinition<'_>) {
            self.note("state", state);
        }
        fn user_event(&mut self, event: &UserEvent<'_>) {
            self.note("user event", event);
        }
        fn enter(&mut self, time: u64, thread: Thread, state: u32) {
            self.note("enter", (time, thread, state));
        }
        fn leave(&mut self, time: u64, thread: Thread, state: u32) {
            self.note("leave", (time, thread, state));
        }
        fn send(&mut self, time: u64, thread: Thread, message: Message) {
            self.note("send", (time, thread, message));
        }
        fn receive(&mut self, time: u64, thread: Thread, message: Message) {
            self.note("receive", (time, thread, message));
        }
        fn trigger(&mut self, time: u64, thread: Thread, event: u32, value: i64) {
            self.note("trigger", (time, thread, event, value));
        }
        fn end(&mut self, thread: Thread) {
            self.note("end", thread);
        }
        fn wall_clock(&mut self, time: u64, thread: Thread, seconds: i64) {
            self.note("wall clock", (time, thread, seconds));
        }
        fn record(&mut self, record: &Record) {
            self.note("record", record);
        }
        fn unknown(&mut self, offset: u64, record: &Record) -> bool {
            self.note("unknown", (offset, record));
            self.passes_over
        }
        fn complaint(&mut self, complaint: &Complaint) {
            self.note("complaint", complaint);
        }
    }

    /// Delivers each record individually, decoded with the layout. [`deliver`] must behave the
    /// same.
    fn one_by_one(layout: Layout, bytes: &[u8], definitions: &mut TraceDefinitions, log: &mut Log) -> usize {
        let size = layout.record_size();
        let deliver = |(index, bytes): (usize, &[u8])| {
            let record = layout.decode(bytes).expect("a record");
            deliver_one(&record, (index * size) as u64, definitions, log).expect("an event file")
        };
        bytes.chunks_exact(size).enumerate().map(deliver).take_while(|&delivered| delivered).count()
    }

    /// Delivers pieces that end at these records, as windows and calls divide a trace.
    fn in_pieces<const SIZE: usize, const BIG: bool>(
        bytes: &[u8],
        ends: &[usize],
        definitions: &mut TraceDefinitions,
        log: &mut Log,
    ) -> usize {
        let (records, _) = bytes.as_chunks::<SIZE>();
        let mut done = 0;
        for &end in ends {
            let offset = (done * SIZE) as u64;
            let (count, ended) =
                deliver::<SIZE, BIG, _>(&records[done..end.max(done)], offset, definitions, log);
            done += count;
            if ended.expect("an event file").is_some() {
                break;
            }
        }
        done
    }

    fn compare(records: &[Record], ends: &[usize], passes_over: bool, event_file: &Path) {
        for layout in Layout::ALL {
            let mut bytes = Vec::new();
            records.iter().for_each(|record| layout.encode(record, &mut bytes));
            let new = || (TraceDefinitions::new(event_file), Log { calls: Vec::new(), passes_over });
            let ((mut plain, mut expected), (mut fast, mut found)) = (new(), new());
            let expected_count = one_by_one(layout, &bytes, &mut plain, &mut expected);
            let in_pieces = match layout {
                Layout::Le32 => in_pieces::<NARROW, false>,
                Layout::Be32 => in_pieces::<NARROW, true>,
                Layout::Le64 => in_pieces::<WIDE, false>,
                Layout::Be64 => in_pieces::<WIDE, true>,
            };
            let count = in_pieces(&bytes, ends, &mut fast, &mut found);
            assert_eq!(count, expected_count, "{layout:?}");
            assert_eq!(found, expected, "{layout:?}");
        }
    }

    /// Generates records, each followed by more of the same kind. A missing event is rare.
    fn records() -> impl Strategy<Value = Vec<Record>> {
        let parameter = prop_oneof![Just(1), Just(-1), Just(0), any::<i64>()];
        let event = prop_oneof![200 => proptest::sample::select(&EVENTS[..]), 1 => Just(MISSING)];
        let number = || proptest::sample::select(&NUMBERS[..]);
        let count = prop_oneof![1..4_u64, 1..300_u64];
        let record = (event, number(), number(), parameter, any::<u64>(), count);
        let same = |(event, node, thread, parameter, time, count): (i32, u16, u16, i64, u64, u64)| {
            let thread = Thread { node, thread };
            (0..count).map(move |more| Record { event, thread, parameter, time: time.wrapping_add(more) })
        };
        proptest::collection::vec(record, 0..24)
            .prop_map(move |records| records.into_iter().flat_map(same).collect())
    }

    #[test]
    fn runs_deliver_the_same_calls_as_individual_records() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let event_file = folder.path().join("tau.edf");
        std::fs::write(&event_file, EVENT_FILE).expect("writing");
        let cuts = proptest::collection::vec(any::<proptest::sample::Index>(), 0..6);
        // The seed is fixed, so that a failure is reproducible.
        let rng_seed = proptest::test_runner::RngSeed::Fixed(7);
        let config =
            ProptestConfig { cases: 200, failure_persistence: None, rng_seed, ..ProptestConfig::default() };
        proptest!(config, |(records in records(), cuts in cuts, passes_over in any::<bool>())| {
            let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(records.len() + 1)).collect();
            ends.push(records.len());
            ends.sort_unstable();
            compare(&records, &ends, passes_over, &event_file);
        });
    }
}
