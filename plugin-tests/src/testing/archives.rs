//! What came of a program with several ranks: where its archive lies, and what it has of each location.

use super::{canonical, otf2_print};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Whether the ranks of a program write one archive. As long as they do not, each writes `kymo/rank-<N>`, and nothing is said of
/// definitions that all of them share.
pub const ONE_ARCHIVE: bool = false;

/// The anchor files of a program below its experiment directory: one, or one of each rank.
pub fn anchors(out: &Path, ranks: u32) -> Vec<PathBuf> {
    if ONE_ARCHIVE || ranks == 1 {
        return vec![out.join("kymo/traces.otf2")];
    }
    (0..ranks).map(|rank| out.join(format!("kymo/rank-{rank}/traces.otf2"))).collect()
}

/// A program's archive as text.
#[derive(Debug)]
pub struct Archive {
    /// Definitions, by archive where there is none for all.
    pub definitions: Vec<String>,
    /// The events of each location that has some, one line each: time, kind, and the rest.
    pub events: BTreeMap<u64, Vec<String>>,
}

impl Archive {
    /// Reads it with `otf2-print`, which must succeed.
    pub fn read(out: &Path, ranks: u32) -> Self {
        let mut archive = Self { definitions: Vec::new(), events: BTreeMap::new() };
        for anchor in anchors(out, ranks) {
            archive.add(&canonical(&otf2_print(&anchor)));
        }
        archive
    }

    fn add(&mut self, text: &str) {
        let mut sections = text.split("\n=== location ");
        self.definitions.extend(sections.next().unwrap_or_default().lines().map(str::to_owned));
        for section in sections {
            let mut lines = section.lines().map(str::to_owned);
            let location = lines.next().and_then(|line| line.parse().ok()).expect("the id of a location");
            let before = self.events.insert(location, lines.collect());
            assert!(before.is_none(), "two archives have location {location}");
        }
    }

    /// How many events each location has.
    pub fn counts(&self) -> BTreeMap<u64, usize> {
        self.events.iter().map(|(&location, events)| (location, events.len())).collect()
    }

    /// Definitions of a kind.
    pub fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a str> {
        let of_kind = move |line: &&String| line.split(' ').next() == Some(kind);
        self.definitions.iter().filter(of_kind).map(String::as_str)
    }

    /// How many events of a kind a location has.
    pub fn count(&self, location: u64, kind: &str) -> usize {
        let events = self.events.get(&location).map_or(&[][..], Vec::as_slice);
        events.iter().filter(|event| event.split(' ').nth(1) == Some(kind)).count()
    }

    /// The regions that a location enters, in order.
    pub fn entered(&self, location: u64) -> Vec<&str> {
        let events = self.events.get(&location).map_or(&[][..], Vec::as_slice);
        let name = |event: &'_ String| -> Option<(usize, usize)> {
            let start = event.find(" ENTER Region: \"")? + " ENTER Region: \"".len();
            Some((start, start + event[start..].find('"')?))
        };
        events.iter().filter_map(|event| name(event).map(|(start, end)| &event[start..end])).collect()
    }
}
