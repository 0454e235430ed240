//! The archive of a program, location by location.

use super::{canonical, otf2_print};
use std::collections::BTreeMap;
use std::path::Path;

/// An archive as text.
#[derive(Debug)]
pub struct Archive {
    /// The definitions, sorted alphabetically.
    pub definitions: Vec<String>,
    /// The events of each location that has any, one line each: time, kind, and the rest.
    pub events: BTreeMap<u64, Vec<String>>,
}

impl Archive {
    /// Reads an archive with `otf2-print`, which must succeed.
    pub fn read(anchor: &Path) -> Self {
        let text = canonical(&otf2_print(anchor));
        let mut sections = text.split("\n=== location ");
        let definitions = sections.next().unwrap_or_default().lines().map(str::to_owned).collect();
        let location = |section: &str| {
            let mut lines = section.lines().map(str::to_owned);
            let id = lines.next().and_then(|line| line.parse().ok()).expect("the id of a location");
            (id, lines.collect())
        };
        Self { definitions, events: sections.map(location).collect() }
    }

    /// Returns the number of events of each location.
    pub fn counts(&self) -> BTreeMap<u64, usize> {
        self.events.iter().map(|(&location, events)| (location, events.len())).collect()
    }

    /// Returns the definitions of a kind.
    pub fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a str> {
        let of_kind = move |line: &&String| line.split(' ').next() == Some(kind);
        self.definitions.iter().filter(of_kind).map(String::as_str)
    }

    /// Returns the number of events of a kind on a location.
    pub fn count(&self, location: u64, kind: &str) -> usize {
        let events = self.events.get(&location).map_or(&[][..], Vec::as_slice);
        events.iter().filter(|event| event.split(' ').nth(1) == Some(kind)).count()
    }

    /// Returns the regions that a location enters, in order.
    pub fn entered(&self, location: u64) -> Vec<&str> {
        let events = self.events.get(&location).map_or(&[][..], Vec::as_slice);
        let name = |event: &'_ String| -> Option<(usize, usize)> {
            let start = event.find(" ENTER Region: \"")? + " ENTER Region: \"".len();
            Some((start, start + event[start..].find('"')?))
        };
        events.iter().filter_map(|event| name(event).map(|(start, end)| &event[start..end])).collect()
    }
}
