//! Conversions of handmade traces, with the archive in memory.

use kymo_otf2::Storage;
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::read::{Archive, Options};
use kymo_otf2::storage::Memory;
use kymo_tau::convert::{Input, convert};
use kymo_tau::{Layout, Record, Thread};
use kymo_tau_testing::traces::{MAIN, Pair, START, record};
use std::sync::Arc;

/// Ranks have 16 bits like nodes. The rank after the last one was once computed, too, and
/// overflowed.
#[test]
fn a_trace_can_have_all_65536_nodes() {
    let of_node = |node| Record { thread: Thread { node, thread: 0 }, ..record(1, MAIN, 1, 10) };
    let records: Vec<Record> =
        std::iter::once(record(60_000, MAIN, 3, 0)).chain((0..=u16::MAX).map(of_node)).collect();
    let pair = Pair::new(&records, Layout::Le32);
    let storage = Memory::new();
    storage.create().expect("a new archive");
    let input = Input { trace: pair.trace(), event_file: pair.event_file() };
    let report = convert(&[input], &storage, &mut |_| ()).expect("an archive");
    assert_eq!((report.locations, report.never_left), (65_536, 65_536));

    let archive = Archive::in_storage(Arc::new(storage), Options::default()).expect("an archive");
    let mut events = archive.events(65_535).expect("events of the last location");
    assert_eq!(events.next().expect("an event").map(|event| event.time), Some(START + 10));
    let file = archive.global_definitions().expect("definitions");
    let is_location = |record: &GlobalDefinition<'_>| matches!(record, GlobalDefinition::Location(it) if it.number_of_events == 2);
    let locations = file.records().expect("records").filter(|record| record.as_ref().is_ok_and(is_location));
    assert_eq!(locations.count(), 65_536);
}
