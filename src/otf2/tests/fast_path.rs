//! The fast paths of reading must return the same records as the plain path, whatever the bytes
//! are: every kind of record, both byte orders, files cut anywhere, changed anywhere, and read in
//! parts of any length. The plain path is that of `read::events` and of the records of a whole
//! file; visitors and ordered readers take the fast paths.

use crate::common::dump;
use crate::common::wire::{self, Wire};
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::events::Event;
use kymo_otf2::field::FieldInfo;
use kymo_otf2::read::definitions::kind;
use kymo_otf2::read::{self, Archive, Events, Options, Receive, ReceiveDefinition};
use kymo_otf2::{Error, FileName};
use kymo_otf2_testing::files::Files;
use kymo_otf2_testing::seeds;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

const CHUNK: u64 = 262_144;

/// The ids of the events without a length: docs/spec/otf2-format.md, "Event files".
const WITHOUT_LENGTH: &[u8] = &[12, 13, 16, 17, 20, 21, 24, 28, 29, 30];

type Table = &'static [(u8, &'static str, &'static [FieldInfo])];

/// Generates a record as stored in a file. The ids in `without_length` are followed directly by the
/// data.
fn body(table: Table, without_length: &'static [u8], big: bool) -> BoxedStrategy<Vec<u8>> {
    let of = move |(id, _, fields): (u8, &'static str, &'static [FieldInfo])| {
        let values: Vec<_> = fields.iter().map(|field| wire::field(&field.kind)).collect();
        values.prop_map(move |values: Vec<Wire>| {
            let mut data = Vec::new();
            values.iter().for_each(|value| value.put(&mut data, big));
            match without_length.contains(&id) {
                true => [&[id][..], &data].concat(),
                false => [&length(id, data.len(), big)[..], &data].concat(),
            }
        })
    };
    select(table.to_vec()).prop_flat_map(of).boxed()
}

fn length(id: u8, length: usize, big: bool) -> Vec<u8> {
    let long = if big { (length as u64).to_be_bytes() } else { (length as u64).to_le_bytes() };
    match length {
        0..255 => vec![id, length as u8],
        _ => [&[id, 0xFF][..], &long].concat(),
    }
}

/// Generates Enter and Leave in all forms, as these make up most of a trace.
fn call(big: bool) -> impl Strategy<Value = Vec<u8>> {
    (12..14_u8, wire::number(32)).prop_map(move |(id, region)| {
        let mut bytes = vec![id];
        Wire::U32(region as u32).put(&mut bytes, big);
        bytes
    })
}

fn stamp(big: bool) -> impl Strategy<Value = Vec<u8>> {
    wire::number(64).prop_map(move |time| {
        let time = if big { time.to_be_bytes() } else { time.to_le_bytes() };
        [&[5][..], &time].concat()
    })
}

/// Generates parts of an event file: time stamps, records, attribute lists, and occasionally
/// arbitrary bytes.
fn events(big: bool) -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        8 => (stamp(big), call(big)).prop_map(|(stamp, call)| [stamp, call].concat()),
        3 => call(big),
        8 => (stamp(big), body(Event::RECORDS, WITHOUT_LENGTH, big)).prop_map(|(stamp, body)| [stamp, body].concat()),
        2 => body(Event::RECORDS, WITHOUT_LENGTH, big),
        1 => Just(vec![6, 6, 1, 1, 0, 1, 7, 0]),
        1 => prop::collection::vec(any::<u8>(), 0..12),
    ];
    prop::collection::vec(part, 0..120).prop_map(|parts| parts.concat())
}

fn definitions(big: bool) -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        20 => body(GlobalDefinition::RECORDS, &[], big),
        1 => prop::collection::vec(any::<u8>(), 0..12),
    ];
    prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

/// The content of a file, and how it is read.
#[derive(Debug, Clone)]
struct Case {
    bytes: Vec<u8>,
    /// The maximum number of bytes per read.
    step: usize,
}

/// Generates a file with this content, its header and end, sometimes cut or changed. Often the
/// content is followed by enough filler records that the fast path reads all of it.
fn case<S: Strategy<Value = Vec<u8>> + 'static>(
    content: impl Fn(bool) -> S,
    filler: &'static [u8],
) -> impl Strategy<Value = Case> {
    let content = [false, true].map(|big| content(big).prop_map(move |bytes| (big, bytes)).boxed());
    let content = prop_oneof![content[0].clone(), content[1].clone()];
    let cut = prop::option::weighted(0.3, any::<Index>());
    let changed = prop::option::weighted(0.3, (any::<Index>(), any::<u8>()));
    let step = prop_oneof![Just(usize::MAX), 1..200_usize];
    let fillers = prop_oneof![Just(0), Just(200_usize)];
    (content, fillers, cut, changed, step).prop_map(move |((big, content), fillers, cut, changed, step)| {
        let header = [&[3, if big { 0x23 } else { 0x42 }][..], &[0; 16]].concat();
        let mut bytes = [&header[..], &content, &filler.repeat(fillers), &[2, 1]].concat();
        if let Some((at, value)) = changed {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        Case { bytes, step }
    })
}

/// Returns an archive in which a file has these bytes, without mapping tables.
fn archive(file: FileName, case: &Case) -> Archive {
    let files = Files::new(seeds::archive::<kymo_otf2::LittleEndian>(1)).with(file, Some(case.bytes.clone()));
    let raw = Options { mapping: false, clock_correction: false, ..Options::default() };
    Archive::in_storage(Arc::new(files.in_steps(case.step)), raw).unwrap()
}

/// The lines of the records, followed by the error if there is one.
type Lines = Vec<String>;

/// Reads with the plain path.
fn plainly(bytes: &[u8]) -> Lines {
    let name = |error: Error| error.in_file(FileName::Events(0)).to_string();
    match read::events(bytes, CHUNK) {
        Err(error) => vec![name(error)],
        Ok(events) => events
            .map(|event| match event {
                Ok(event) => line(&event),
                Err(error) => name(error),
            })
            .collect(),
    }
}

fn line(event: &read::TimedRecord<'_, Event<'_>>) -> String {
    dump::timed(&format!("{} {}", event.offset, event.number), event, None)
}

fn by_visitor(archive: &Archive) -> Lines {
    let mut lines = Lines::new();
    let read = archive.events(0).and_then(|mut events| {
        events.each(|event| {
            lines.push(line(event));
            Ok(())
        })
    });
    lines.extend(read.err().map(|error| error.to_string()));
    lines
}

fn one_by_one(archive: &Archive) -> Lines {
    let mut lines = Lines::new();
    let read = archive.events(0).and_then(|mut events| {
        let mut position = events.position();
        while let Some(event) = events.next()? {
            assert_eq!(position, event.offset, "the end of the record before");
            lines.push(line(&event));
            position = events.position();
        }
        Ok(())
    });
    lines.extend(read.err().map(|error| error.to_string()));
    lines
}

/// Reads together with another location, whose events are ignored.
fn in_order(archive: &Archive, with_visitor: bool) -> Lines {
    let mut lines = Lines::new();
    let mut events = archive.events_in_order(&[0, 1]).unwrap();
    loop {
        let mut visit = |location, event: &read::TimedRecord<'_, Event<'_>>| {
            if location == 0 {
                lines.push(line(event));
            }
            Ok::<_, Error>(())
        };
        let read = match with_visitor {
            true => events.each(visit).map(|()| false),
            false => events
                .next()
                .map(|event| event.as_ref().is_some_and(|(location, event)| visit(*location, event).is_ok())),
        };
        match read {
            Ok(true) => {}
            Ok(false) => return lines,
            Err(error) => lines.push(error.to_string()),
        }
    }
}

/// A receiver that unwinds after every third line.
struct Unwinding<'l>(&'l mut Lines);

impl Unwinding<'_> {
    fn take(&mut self, line: String) -> kymo_otf2::Result<()> {
        self.0.push(line);
        if self.0.len().is_multiple_of(3) { resume_unwind(Box::new(())) } else { Ok(()) }
    }
}

impl Receive<Events, Error> for Unwinding<'_> {
    fn receive(&mut self, location: u64, event: &read::TimedRecord<'_, Event<'_>>) -> kymo_otf2::Result<()> {
        if location == 0 { self.take(line(event)) } else { Ok(()) }
    }
}

impl ReceiveDefinition<kind::Global, Error> for Unwinding<'_> {
    fn receive(&mut self, record: &GlobalDefinition<'_>) -> kymo_otf2::Result<()> {
        self.take(dump::fields(record, None, None))
    }
}

/// Calls `read` until it returns or, with errors, until it fails.
fn unwinding(with_errors: bool, mut read: impl FnMut(&mut Unwinding<'_>) -> kymo_otf2::Result<()>) -> Lines {
    let mut lines = Lines::new();
    loop {
        match catch_unwind(AssertUnwindSafe(|| read(&mut Unwinding(&mut lines)))) {
            Ok(Ok(())) => return lines,
            Ok(Err(error)) => {
                lines.push(error.to_string());
                if with_errors {
                    return lines;
                }
            }
            Err(_) => {}
        }
    }
}

/// Visits the records one at a time, with a visitor that fails after each.
fn with_pauses(archive: &Archive) -> Lines {
    let mut lines = Lines::new();
    let Ok(mut events) = archive.events(0) else { return by_visitor(archive) };
    loop {
        let mut visited = false;
        let read = events.each(|event| match visited {
            // The record at which a visitor fails has been taken.
            true => unreachable!("the visitor has failed"),
            false => {
                visited = true;
                lines.push(line(event));
                Err(kymo_otf2::Usage::Finished.into())
            }
        });
        match read {
            Ok(()) => return lines,
            Err(Error::Usage(_)) => {}
            Err(error) => lines.push(error.to_string()),
        }
    }
}

/// Generates times of a location. The steps between them are mostly short; some are zero or
/// negative, and some exceed 32 bits.
fn times(most: usize) -> impl Strategy<Value = Vec<u64>> {
    let step = prop_oneof![
        20 => 0..60_i64,
        2 => Just(0),
        1 => -200..0_i64,
        1 => prop_oneof![Just(1_i64 << 31), Just(1 << 32), Just((1 << 32) + 7), Just(1 << 45)],
    ];
    (0..1_u64 << 40, prop::collection::vec(step, 0..most)).prop_map(|(start, steps)| {
        let time = |time: &mut u64, step| {
            *time = time.saturating_add_signed(step);
            Some(*time)
        };
        steps.into_iter().scan(start % 1000, time).collect()
    })
}

/// Returns an event file with an Enter at each of these times.
fn enters(times: &[u64]) -> Vec<u8> {
    let event = |(number, time): (usize, &u64)| {
        [&[5][..], &time.to_le_bytes(), &[12, 2], &(number as u16).to_le_bytes()].concat()
    };
    let events: Vec<u8> = times.iter().enumerate().flat_map(event).collect();
    [&[3, 0x42][..], &[0; 16], &events, &[2, 1]].concat()
}

/// Returns the expected order of events: always the location whose next event has the smallest
/// time, and the first location if there are several.
fn by_heads(locations: &[Vec<u64>]) -> Vec<(u64, u64, u64)> {
    let mut next = vec![0; locations.len()];
    let mut found = Vec::new();
    let head = |location: usize, next: &[usize]| locations[location].get(next[location]).copied();
    while let Some((time, location)) =
        (0..locations.len()).filter_map(|location| Some((head(location, &next)?, location))).min()
    {
        next[location] += 1;
        found.push((location as u64, next[location] as u64, time));
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// Also tests the ends of blocks, which contain up to 1024 records.
    #[test]
    fn events_are_delivered_in_the_order_of_the_next_times(
        locations in prop_oneof![
            prop::collection::vec(times(3000), 1..6),
            prop::collection::vec(times(100), 1..60),
        ],
        step in prop_oneof![Just(usize::MAX), 50..5000_usize],
        pause in 1..100_usize,
    ) {
        let mut files = Files::new(seeds::archive::<kymo_otf2::LittleEndian>(1));
        for (location, times) in (0..).zip(&locations) {
            files = files.with(FileName::LocalDefinitions(location), None);
            files = files.with(FileName::Events(location), Some(enters(times)));
        }
        let archive = Archive::in_storage(Arc::new(files.in_steps(step)), Options::default()).unwrap();
        let ids: Vec<u64> = (0..locations.len() as u64).collect();
        let expected = by_heads(&locations);
        let mut found = Vec::new();
        let mut events = archive.events_in_order(&ids).unwrap();
        while let Some((location, event)) = events.next().unwrap() {
            found.push((location, event.number, event.time));
        }
        prop_assert_eq!(&found, &expected);
        // Alternates between single steps and a visitor that sometimes fails.
        found.clear();
        let mut events = archive.events_in_order(&ids).unwrap();
        loop {
            let _ = events.each(|location, event| {
                found.push((location, event.number, event.time));
                if found.len() % pause == 0 { Err(Error::from(kymo_otf2::Usage::Finished)) } else { Ok(()) }
            });
            match events.next().unwrap() {
                Some((location, event)) => found.push((location, event.number, event.time)),
                None => break,
            }
        }
        prop_assert_eq!(&found, &expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn events_are_those_of_the_plain_path(case in case(events, &[12, 1, 7])) {
        let archive = archive(FileName::Events(0), &case);
        let expected = plainly(&case.bytes);
        prop_assert_eq!(&by_visitor(&archive), &expected);
        prop_assert_eq!(&one_by_one(&archive), &expected);
        prop_assert_eq!(&in_order(&archive, false), &expected);
        prop_assert_eq!(&in_order(&archive, true), &expected);
        prop_assert_eq!(&with_pauses(&archive), &expected);
        if let Ok(mut events) = archive.events(0) {
            prop_assert_eq!(&unwinding(false, |lines| events.pass_to(lines)), &expected);
        }
        let mut events = archive.events_in_order(&[0, 1]).unwrap();
        prop_assert_eq!(&unwinding(false, |lines| events.pass_to(lines)), &expected);
    }

    #[test]
    fn definitions_are_those_of_the_plain_path(case in case(definitions, &[10, 4, 1, 7, b'a', 0])) {
        let archive = archive(FileName::GlobalDefinitions, &case);
        let mut expected = Lines::new();
        let read = archive.global_definitions().and_then(|file| {
            file.records()?.try_for_each(|record| {
                expected.push(dump::fields(&record?, None, None));
                Ok(())
            })
        });
        expected.extend(read.err().map(|error| error.to_string()));
        let mut lines = Lines::new();
        let read = archive.each_global_definition(|record| {
            lines.push(dump::fields(record, None, None));
            Ok::<_, Error>(())
        });
        lines.extend(read.err().map(|error| error.to_string()));
        prop_assert_eq!(&lines, &expected);
        if let Ok(mut definitions) = archive.global_definition_reader() {
            prop_assert_eq!(&unwinding(true, |lines| definitions.pass_to(lines)), &expected);
        }
    }
}

/// Receives events except those of one kind, and notes the numbers of all.
struct Except {
    kind: Option<u8>,
    received: Vec<u64>,
    skipped: Vec<u64>,
}

impl Receive<Events, Error> for Except {
    fn receive(&mut self, location: u64, event: &read::TimedRecord<'_, Event<'_>>) -> kymo_otf2::Result<()> {
        if location == 0 {
            self.received.push(event.number);
        }
        Ok(())
    }

    fn wants(&self, id: u8) -> bool {
        self.kind != Some(id)
    }

    fn skip(&mut self, location: u64, number: u64) -> kymo_otf2::Result<()> {
        assert_eq!(location, 0);
        self.skipped.push(number);
        Ok(())
    }
}

/// A bad field of a record that was of no interest ended reading.
#[test]
fn fields_of_records_that_are_not_wanted_are_not_decoded() {
    // Kinds that the fast path decodes in three ways, with a length byte that no integer has: an
    // MpiSend, an RmaPut, and an MpiMrecv.
    for bad in [[14, 1, 9], [46, 1, 9], [90, 1, 9]] {
        // The scanner finds the first bad record; the end of the file is too close to the second.
        let enters = [12, 1, 7].repeat(200);
        let content = [&enters[..], &bad, &enters, &bad].concat();
        let bytes = [&[3, 0x42][..], &[0; 16], &content, &[2, 1]].concat();
        for (step, locations) in [(usize::MAX, &[0][..]), (usize::MAX, &[0, 1]), (50, &[0]), (50, &[0, 1])] {
            let archive = archive(FileName::Events(0), &Case { bytes: bytes.clone(), step });
            let read = |kind| {
                let mut receiver = Except { kind, received: Vec::new(), skipped: Vec::new() };
                let read = match locations {
                    [_] => archive.events(0).unwrap().pass_to(&mut receiver),
                    _ => archive.events_in_order(locations).unwrap().pass_to(&mut receiver),
                };
                (read.is_ok(), receiver)
            };
            let (is_read, found) = read(Some(bad[0]));
            assert!(is_read, "{bad:?} {locations:?}");
            assert_eq!((found.received.len(), found.skipped), (400, vec![201, 402]));
            let (is_read, found) = read(None);
            assert!(!is_read && found.received.last() == Some(&200), "{bad:?} {locations:?}");
        }
        let mut events = archive(FileName::Events(0), &Case { bytes, step: usize::MAX }).events(0).unwrap();
        assert!(events.each(|_| Ok::<_, Error>(())).is_err());
        assert_eq!(events.faulty(), Some(201));
        events.seek(1).unwrap();
        assert_eq!(events.faulty(), None);
    }
}
