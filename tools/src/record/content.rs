//! What an archive has, by its global definitions.

use std::collections::HashMap;
use std::path::Path;

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::read::Archive;
use kymo_otf2::references::StringRef;

use super::report::many;

/// Property of the first location of a process: the numbers of those above it.
const ANCESTORS: &[u8] = b"ancestors";

/// Property of an archive: how many events were lost while they were recorded.
const EVENTS_LOST: &[u8] = b"KYMO::EVENTS_LOST";

/// What an archive has.
#[derive(Debug, Default)]
pub(super) struct Content {
    processes: u64,
    threads: u64,
    events: u64,
    /// Events that were lost while they were recorded.
    pub(super) lost: u64,
    /// Numbers of the processes above that of a part, the nearest first.
    pub(super) ancestors: Vec<u64>,
}

impl Content {
    /// None if they cannot be read.
    pub(super) fn read(archive: &Path) -> Option<Self> {
        let archive = Archive::open(archive).ok()?;
        let file = archive.global_definitions().ok()?;
        let (mut content, mut numbers) = (Self::default(), HashMap::new());
        for record in file.records().ok()? {
            content.add(&record.ok()?, &mut numbers);
        }
        content.lost = lost(&archive);
        Some(content)
    }

    /// Of one that cannot be read nothing is known.
    pub(super) fn of(archive: &Path) -> Self {
        Self::read(archive).unwrap_or(Self { events: u64::MAX, ..Self::default() })
    }

    /// Nothing happened but begin and end of the processes.
    pub(super) fn is_bare(&self) -> bool {
        self.events <= 2 * self.processes && self.lost == 0
    }

    /// Some process has more than one thread.
    pub(super) fn has_threads(&self) -> bool {
        self.threads > self.processes
    }

    fn add(&mut self, record: &GlobalDefinition<'_>, numbers: &mut HashMap<StringRef, Text>) {
        match record {
            GlobalDefinition::LocationGroup(_) => self.processes += 1,
            GlobalDefinition::Location(location) => {
                self.threads += 1;
                self.events += location.number_of_events;
            }
            GlobalDefinition::String(string) => {
                numbers.extend(Text::of(string.string.as_bytes()).map(|text| (string.id, text)));
            }
            GlobalDefinition::LocationProperty(property) => {
                let (name, value) = (numbers.get(&property.name), numbers.get(&property.value.string()));
                if let (Some(Text::Name), Some(Text::Numbers(numbers))) = (name, value) {
                    self.ancestors.clone_from(numbers);
                }
            }
            _ => {}
        }
    }
}

/// What the archive says of lost events.
fn lost(archive: &Archive) -> u64 {
    let anchor = archive.anchor();
    let property = anchor.properties.iter().find(|it| it.name.as_bytes() == EVENTS_LOST);
    property.and_then(|it| it.value.to_string().parse().ok()).unwrap_or(0)
}

/// A string that matters here.
enum Text {
    /// The name of the property.
    Name,
    Numbers(Vec<u64>),
}

impl Text {
    fn of(text: &[u8]) -> Option<Self> {
        if text == ANCESTORS {
            return Some(Self::Name);
        }
        let numbers = str::from_utf8(text).ok()?.split(' ').map(str::parse);
        numbers.collect::<Result<_, _>>().ok().map(Self::Numbers)
    }
}

impl std::fmt::Display for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let processes = match self.processes {
            1 => "1 process".to_owned(),
            count => format!("{count} processes"),
        };
        write!(f, "{processes}, {}, {}", many(self.threads, "thread"), many(self.events, "event"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After "485574 events were lost".
    #[test]
    fn nothing_happened_where_events_were_lost() {
        let bare = Content { processes: 1, events: 2, ..Content::default() };
        assert!(bare.is_bare());
        assert!(!Content { lost: 1, ..bare }.is_bare());
    }
}
