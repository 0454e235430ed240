//! The places of the events of a location, and which events are kept.

use kymo_otf2::enums::MeasurementMode;
use kymo_otf2::events::{Event, Leave, MeasurementOnOff};
use kymo_otf2::references::RegionRef;
use kymo_recorder::journal::Entry;

use super::run::{Recovered, Run, calls, definitions, location, process, texts};
use kymo_recorder_testing::scratch::stream;

#[test]
fn pieces_continue_where_the_file_ends() {
    let run = Run::new();
    let events = calls(1000, 4000);
    let bytes = stream(&events);
    let mut scratch = process(0, 1, b"");
    scratch.pieces.clear();
    scratch.slot(0, Some(0), 10_000);
    scratch.piece(0, 3, 10_000, &bytes[10_000..20_000]);
    scratch.piece(0, 4, 20_000, &bytes[20_000..]);
    run.events(0, &bytes[..10_000]);
    run.rank(&scratch, 0, 1);
    let before = run.files("");
    run.recover(&["exp"]).ends(0).reports("4000 events kept").reports("exp-recovered/traces.otf2");
    let recovered = run.recovered();
    assert_eq!(recovered.events(0), texts(&events));
    assert_eq!(recovered.property("KYMO::RECOVERED").as_deref(), Some("true"));
    assert_eq!(recovered.property("OTF2::MPI_COMMUNICATION_COMPLETE").as_deref(), Some("true"));
    let after = run.files("");
    assert!(before.iter().all(|(path, bytes)| after[path] == *bytes));
    assert!(
        after
            .keys()
            .filter(|path| !before.contains_key(*path))
            .all(|path| path.starts_with(run.path("exp-recovered")))
    );
}

#[test]
fn pieces_may_also_be_in_the_file() {
    let run = Run::new();
    let events = calls(1000, 4000);
    let bytes = stream(&events);
    let mut scratch = process(0, 1, &bytes[..7000]);
    scratch.slot(0, Some(0), 15_000);
    scratch.piece(0, 2, 7000, &bytes[7000..15_000]);
    scratch.piece(0, 3, 15_000, &bytes[15_000..]);
    run.events(0, &bytes[..15_000]);
    run.rank(&scratch, 0, 1);
    run.recover(&["exp"]).ends(0);
    assert_eq!(run.recovered().events(0), texts(&events));
}

#[test]
fn rewound_events_do_not_return() {
    let run = Run::new();
    let events = calls(1000, 4000);
    let bytes = stream(&events);
    // Rewinds to the event of this number, which had been written to the file; two more events
    // follow.
    let kept = stream(&events[..500]).len();
    let mode = |measurement_mode| Event::from(MeasurementOnOff { measurement_mode });
    let more = [(1499, mode(MeasurementMode::OFF)), (1499, mode(MeasurementMode::ON)), (9000, events[500].1)];
    let expected = [&events[..500], &more].concat();
    let rest = stream(&expected)[kept..].to_vec();
    let mut scratch = process(0, 1, &bytes[10_000..]);
    scratch.pieces[0].base = 10_000;
    scratch.slot(0, Some(0), 10_000);
    scratch.piece(0, 2, kept as u64, &rest);
    run.events(0, &bytes[..10_000]);
    run.rank(&scratch, 0, 1);
    run.recover(&["exp", "--leave-open"]).ends(0);
    assert_eq!(run.recovered().events(0), texts(&expected));
}

#[test]
fn open_regions_are_closed_unless_leave_open_is_given() {
    let run = Run::new();
    let mut events = calls(1000, 101);
    run.rank(&process(0, 1, &stream(&events)), 0, 1);
    run.recover(&["exp", "-o", "open", "--leave-open"]).ends(0).reports("1 left open");
    let open = run.recovered_in("open");
    assert_eq!((open.events(0), open.property("KYMO::REGIONS_CLOSED")), (texts(&events), None));
    run.recover(&["exp"]).ends(0).reports("1 region closed, 0 left open");
    events.push((1100, Leave { region: RegionRef(2) }.into()));
    let closed = run.recovered();
    assert_eq!(closed.events(0), texts(&events));
    assert_eq!(closed.property("KYMO::REGIONS_CLOSED").as_deref(), Some("1"));
}

/// Returns whether each class of events is complete.
fn complete(recovered: &Recovered) -> [String; 4] {
    let classes =
        ["MPI_COMMUNICATION", "THREAD_FORK_JOIN_EVENT", "THREAD_CREATE_WAIT_EVENT", "THREAD_LOCK_EVENT"];
    classes.map(|class| recovered.property(&format!("OTF2::{class}_COMPLETE")).unwrap_or_default())
}

#[test]
fn dropped_events_are_in_the_properties_and_break_all_promises() {
    let run = Run::new();
    let mut scratch = process(0, 1, &stream(&calls(1000, 100)));
    scratch.slots[0].1.dropped = 17;
    run.rank(&scratch, 0, 1);
    run.recover(&["exp"]).ends(0).reports("100 events kept, 17 dropped");
    let recovered = run.recovered();
    assert_eq!(recovered.property("KYMO::EVENTS_LOST").as_deref(), Some("17"));
    assert_eq!(complete(&recovered), ["false"; 4]);
}

#[test]
fn promises_that_the_program_broke_stay_broken() {
    let run = Run::new();
    let mut scratch = process(0, 1, &stream(&calls(1000, 100)));
    scratch.note(&Entry::Broken(0b0010));
    scratch.note(&Entry::Broken(0b0100 | 1 << 31));
    run.rank(&scratch, 0, 1);
    run.recover(&["exp"]).ends(0);
    let recovered = run.recovered();
    assert_eq!(complete(&recovered), ["true", "false", "false", "true"]);
    assert_eq!(recovered.property("OTF2::PTHREAD_LOCATION_REUSED").as_deref(), Some("true"));
}

#[test]
fn side_files_replace_a_lost_scratch_file() {
    let run = Run::new();
    let events = calls(1000, 4000);
    let bytes = stream(&events);
    let mut scratch = process(3, 4, b"");
    scratch.slot(0, Some(3), stream(&events[..2001]).len() as u64);
    run.events(3, &bytes);
    run.write("exp/kymo/recovery/3.note", scratch.note_text("/dev/shm/kymo-0-1-1.scratch", 3, 4));
    run.write("exp/kymo/recovery/3.journal", scratch.side_journal(3));
    run.write("exp/kymo/recovery/3.locations", scratch.side_locations());
    let result = run.recover(&["exp", "--leave-open"]);
    result.ends(3).reports("rank 3: its scratch file /dev/shm/kymo-0-1-1.scratch is on node somewhere");
    result.reports("missing ranks: 0-2").reports("2001 events kept");
    let recovered = run.recovered();
    assert_eq!(recovered.events(3), texts(&events[..2001]));
    assert_eq!(recovered.property("KYMO::RANKS_MISSING").as_deref(), Some("0-2"));
    assert_eq!(recovered.property("OTF2::THREAD_LOCK_EVENT_COMPLETE").as_deref(), Some("false"));
}

#[test]
fn a_torn_record_at_the_end_is_cut_off() {
    let events = calls(1000, 40);
    let bytes = stream(&events);
    let ends: Vec<usize> = (0..=events.len()).map(|count| stream(&events[..count]).len()).collect();
    for length in bytes.len() - 60..bytes.len() {
        let run = Run::new();
        let mut scratch = process(0, 1, b"");
        scratch.slot(0, Some(0), length as u64);
        run.events(0, &bytes);
        run.write("exp/kymo/recovery/0.note", scratch.note_text("", 0, 1));
        run.write("exp/kymo/recovery/0.journal", scratch.side_journal(0));
        run.write("exp/kymo/recovery/0.locations", scratch.side_locations());
        let result = run.recover(&["exp", "--leave-open"]);
        let kept = ends.iter().filter(|&&end| end <= length).count() - 1;
        result
            .ends(3)
            .reports(&format!("{kept} events kept"))
            .reports(&format!("{} byte", length - ends[kept]));
        assert_eq!(run.recovered().events(0), texts(&events[..kept]), "{length}");
    }
}

#[test]
fn a_location_without_events_is_kept() {
    let run = Run::new();
    let mut scratch = process(0, 1, &stream(&calls(1000, 10)));
    scratch.note(&location(1, 1 << 32, "thread without events"));
    scratch.slot(1, Some(1 << 32), 0);
    run.rank(&scratch, 0, 1);
    run.recover(&["exp"]).ends(0).reports("2 locations").reports("thread without events");
    assert_eq!(run.recovered().events(1 << 32), [""; 0]);
}

#[test]
fn the_last_definition_of_an_id_counts() {
    let run = Run::new();
    let mut scratch = process(0, 1, &stream(&calls(1000, 10)));
    scratch.journal.push(Vec::new());
    scratch.note(&Entry::Definitions(&definitions(["main", "solve better", "exchange"])));
    run.rank(&scratch, 0, 1);
    run.recover(&["exp"]).ends(0);
    let strings = run.recovered().strings();
    assert!(
        strings.values().any(|it| it == "solve better") && !strings.values().any(|it| it == "solve"),
        "{strings:?}"
    );
}
