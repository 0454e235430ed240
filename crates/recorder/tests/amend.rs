//! Attributes that are added after their enter.

use std::sync::Arc;

use kymo_otf2::{
    FileName, Storage,
    attributes::Attribute,
    events::Event,
    read,
    references::{AttributeRef, RegionRef},
    storage::Memory,
};
use kymo_recorder::{
    EVENT_CHUNK_SIZE, FewAttributes, MemorySettings, Recorder, RegionEntry, Track, TrackWriter,
    memory::Budget,
};

static BUDGET: Budget = Budget::new(usize::MAX);

const REGION: RegionEntry = RegionEntry::Region(RegionRef(3));

fn attribute(value: u64) -> FewAttributes {
    FewAttributes::one(Attribute::new(AttributeRef(4), value))
}

/// Returns the events of a track: for each event its time, whether it is an enter, and its first
/// attribute.
fn recorded(play: impl FnOnce(&Track)) -> Vec<(u64, bool, Option<u64>)> {
    let storage = Arc::new(Memory::new());
    storage.create().unwrap();
    let recorder = Recorder::new(&BUDGET, None, &MemorySettings::default()).unwrap();
    recorder.output().open(Box::new(Arc::clone(&storage)));
    let track = recorder.add_track(8).unwrap();
    track.file().set(7);
    play(track);
    Track::shut_all(core::iter::once(track));
    recorder.drain().finish();
    assert_eq!(track.close().unwrap().lost, 0);
    let file = storage.read(FileName::Events(7)).unwrap();
    read::events::events(&file, EVENT_CHUNK_SIZE)
        .unwrap()
        .map(|record| record.unwrap())
        .map(|it| {
            let value = it.attributes.iter().next().map(|attribute| attribute.value.bits());
            (it.time, matches!(it.record, Event::Enter(_)), value)
        })
        .collect()
}

fn at(track: &Track, time: u64, write: impl FnOnce(&mut TrackWriter)) {
    track.record_at(time, write);
}

#[test]
fn the_last_enter_and_its_leave_get_their_attributes() {
    let events = recorded(|track| {
        at(track, 5, |writer| writer.enter_amendable(5, REGION, 9, false));
        at(track, 6, |writer| {
            assert_eq!(writer.amendable(), Some(9));
            writer.amend(attribute(1), attribute(2));
        });
        at(track, 7, |writer| writer.leave_amendable(7, REGION, attribute(3)));
        at(track, 7, |writer| assert_eq!(writer.amendable(), None));
    });
    assert_eq!(events, [(5, true, Some(1)), (7, false, Some(2))]);
}

#[test]
fn an_enter_followed_by_another_record_is_not_changed() {
    let events = recorded(|track| {
        at(track, 5, |writer| writer.enter_amendable(5, REGION, 9, false));
        at(track, 5, |writer| {
            writer.leave_amendable(5, RegionEntry::Region(RegionRef(4)), FewAttributes::NONE)
        });
        at(track, 6, |writer| writer.enter_amendable(6, REGION, 9, false));
        at(track, 6, |writer| writer.record(6, &kymo_otf2::events::Enter { region: RegionRef(1) }));
        at(track, 7, |writer| writer.amend(attribute(1), attribute(2)));
        at(track, 7, |writer| writer.leave_amendable(7, REGION, attribute(3)));
    });
    let expected = [(5, true, None), (5, false, None), (6, true, None), (6, true, None), (7, false, Some(2))];
    assert_eq!(events, expected);
}

#[test]
fn a_region_that_was_not_amended_leaves_with_the_default_attributes() {
    let events = recorded(|track| {
        at(track, 5, |writer| writer.enter_amendable(5, REGION, 9, false));
        at(track, 6, |writer| writer.leave_amendable(6, REGION, attribute(3)));
    });
    assert_eq!(events, [(5, true, None), (6, false, Some(3))]);
}

/// An enter that fits into a chunk or piece, but does not fit with its attributes.
#[test]
fn attributes_are_added_across_the_ends_of_pieces_and_chunks() {
    const ROUNDS: u64 = if cfg!(miri) { 300 } else { 60_000 };
    let events = recorded(|track| {
        for round in 0..ROUNDS {
            let time = round / 2;
            at(track, time, |writer| writer.enter_amendable(time, REGION, 0, false));
            at(track, time, |writer| writer.amend(attribute(round), attribute(round + 1)));
            at(track, time, |writer| writer.leave_amendable(time, REGION, FewAttributes::NONE));
        }
    });
    let expected: Vec<_> = (0..ROUNDS)
        .flat_map(|round| [(round / 2, true, Some(round)), (round / 2, false, Some(round + 1))])
        .collect();
    assert!(events == expected);
}

/// As in `MPI_Win_allocate`: two records are written before the arguments of the enter are known.
#[test]
fn a_long_enter_has_room_for_its_attributes_wherever_a_piece_or_chunk_ends() {
    const ROUNDS: u64 = if cfg!(miri) { 300 } else { 60_000 };
    let events = recorded(|track| {
        for round in 0..ROUNDS {
            let time = 1 + round / 2;
            let other = |writer: &mut TrackWriter| {
                writer.record(time, &kymo_otf2::events::Leave { region: RegionRef(round as u32) });
            };
            at(track, time, |writer| writer.enter_amendable(time, REGION, 0, true));
            at(track, time, other);
            at(track, time, other);
            at(track, time, |writer| writer.amend(attribute(round), attribute(round + 1)));
            at(track, time, other);
            // A second call replaces the attributes of the first.
            at(track, time, |writer| writer.amend(attribute(round + 7), attribute(round + 1)));
            at(track, time, |writer| writer.leave_amendable(time, REGION, FewAttributes::NONE));
        }
    });
    let expected: Vec<_> = (0..ROUNDS)
        .flat_map(|round| {
            let time = 1 + round / 2;
            let other = (time, false, None);
            [(time, true, Some(round + 7)), other, other, other, (time, false, Some(round + 1))]
        })
        .collect();
    assert!(events == expected);
}

#[test]
fn a_rewind_mark_after_an_enter_is_not_moved() {
    let events = recorded(|track| {
        at(track, 5, |writer| writer.enter_amendable(5, REGION, 9, false));
        at(track, 5, |writer| writer.set_mark(1, 5));
        at(track, 6, |writer| writer.amend(attribute(1), attribute(2)));
        at(track, 6, |writer| writer.enter_amendable(6, REGION, 9, false));
        at(track, 7, |writer| writer.leave_mark(1, true));
        at(track, 8, |writer| writer.leave_amendable(8, REGION, attribute(3)));
    });
    assert_eq!(events, [(5, true, None), (5, false, None), (5, false, None), (8, false, None)]);
}
