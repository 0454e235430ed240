//! A program with three regions: its journal and locations, and the events read back, as text.

use kymo_otf2::definitions::{self, Region};
use kymo_otf2::events::{Enter, Event, Leave};
use kymo_otf2::read::Archive;
use kymo_otf2::references::{RegionRef, StringRef};
use kymo_recorder::journal::{Entry, LocationEntry};

use super::scratch::records;

/// Events with their times.
pub type TimedEvents = Vec<(u64, Event<'static>)>;

/// Returns definitions of strings (the empty one is 0) and of regions with these names.
pub fn definitions(names: [&str; 3]) -> Vec<u8> {
    let texts = [""].into_iter().chain(names);
    let strings = (0..)
        .zip(texts)
        .map(|(id, text)| definitions::String { id: StringRef(id), string: text.into() }.into());
    let region =
        |id| Region { description: StringRef(0), ..Region::function(RegionRef(id), StringRef(id + 1)) };
    records(strings.chain((0..3).map(|id| region(id).into())))
}

/// Returns enters and leaves of the regions, one per tick from `begin` on.
pub fn calls(begin: u64, count: u64) -> TimedEvents {
    let event = |number: u64| {
        let region = RegionRef((number / 2 % 3) as u32);
        let event = if number.is_multiple_of(2) { Enter { region }.into() } else { Leave { region }.into() };
        (begin + number, event)
    };
    (0..count).map(event).collect()
}

/// Returns the journal entry of a location.
pub fn location(slot: u32, id: u64, name: &str) -> Entry<'_> {
    Entry::Location(LocationEntry {
        slot,
        number: slot,
        id,
        group: 0,
        location_type: 1,
        name: name.as_bytes(),
    })
}

/// Returns events as text, each with its time.
pub fn texts(events: &[(u64, Event<'_>)]) -> Vec<String> {
    events.iter().map(|(time, event)| format!("{time} {event:?}")).collect()
}

/// Returns all events of a location, in the form of [`texts`].
pub fn texts_in(archive: &Archive, location: u64) -> Vec<String> {
    let mut events = archive.events(location).unwrap();
    let mut all = Vec::new();
    while let Some(event) = events.next().unwrap() {
        all.push(format!("{} {:?}", event.time, event.record));
    }
    all
}
