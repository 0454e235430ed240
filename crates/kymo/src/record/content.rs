//! The content of an archive, according to its global definitions.

use std::collections::HashMap;
use std::path::Path;

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::{LocationGroupType, LocationType};
use kymo_otf2::read::Archive;
use kymo_otf2::references::StringRef;

use super::report::many;

/// Property of the first location of a process: the numbers of its ancestors.
const ANCESTORS: &[u8] = b"ancestors";

/// Properties of the first location of a rank: the messages that it has sent.
const MESSAGES: &[u8] = b"MPI messages sent";
const BYTES: &[u8] = b"MPI bytes sent";
/// Property of the first location of a process: how many parallel regions of OpenMP began.
const REGIONS: &[u8] = b"OpenMP parallel regions";
/// The beginning of the names of ranks.
const RANK: &[u8] = b"MPI Rank ";

/// Property of an archive: the number of events that were lost while recording.
const EVENTS_LOST: &[u8] = b"KYMO::EVENTS_LOST";

/// The content of an archive.
#[derive(Debug, Default, Clone)]
pub(super) struct Content {
    processes: u64,
    /// The number of processes that are ranks of MPI.
    ranks: u64,
    threads: u64,
    events: u64,
    /// The number of messages between ranks, their bytes, and the number of ranks that state them:
    /// a rank that was cut off does not.
    messages: u64,
    bytes: u64,
    counting: u64,
    /// The number of parallel regions of OpenMP. A process that was cut off does not state it.
    regions: u64,
    /// The number of events that were lost while recording.
    pub(super) lost: u64,
    /// Whether there are calling contexts, in which samples were taken.
    pub(super) has_samples: bool,
    /// The numbers of the ancestors of the process, nearest first.
    pub(super) ancestors: Vec<u64>,
}

impl Content {
    /// Reads the content of an archive; `None` if it cannot be read.
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

    /// Like [`read`](Self::read), but returns a content that is not bare if the archive cannot be
    /// read.
    pub(super) fn of(archive: &Path) -> Self {
        Self::read(archive).unwrap_or(Self { events: u64::MAX, ..Self::default() })
    }

    /// Whether nothing but the begin and the end of the processes was recorded.
    pub(super) fn is_bare(&self) -> bool {
        self.events <= 2 * self.processes && self.lost == 0
    }

    /// Whether some process has more than one thread.
    pub(super) fn has_threads(&self) -> bool {
        self.threads > self.processes
    }

    /// Whether parallel regions of OpenMP were recorded.
    pub(super) fn has_regions(&self) -> bool {
        self.regions > 0
    }

    fn add(&mut self, record: &GlobalDefinition<'_>, numbers: &mut HashMap<StringRef, Text>) {
        match record {
            GlobalDefinition::LocationGroup(group) => {
                self.processes += u64::from(group.location_group_type == LocationGroupType::PROCESS);
                self.ranks += u64::from(matches!(numbers.get(&group.name), Some(Text::Rank)));
            }
            GlobalDefinition::Location(location) => {
                self.threads += u64::from(location.location_type == LocationType::CPU_THREAD);
                self.events += location.number_of_events;
            }
            GlobalDefinition::CallingContext(_) => self.has_samples = true,
            GlobalDefinition::String(string) => {
                numbers.extend(Text::of(string.string.as_bytes()).map(|text| (string.id, text)));
            }
            GlobalDefinition::LocationProperty(property) => {
                let (name, value) = (numbers.get(&property.name), numbers.get(&property.value.string()));
                let Some(Text::Numbers(numbers)) = value else { return };
                match name {
                    Some(Text::Name) => self.ancestors.clone_from(numbers),
                    Some(Text::Messages) => {
                        self.messages += numbers.first().copied().unwrap_or(0);
                        self.counting += 1;
                    }
                    Some(Text::Regions) => self.regions += numbers.first().copied().unwrap_or(0),
                    Some(Text::Bytes) => self.bytes += numbers.first().copied().unwrap_or(0),
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// Returns the number of lost events, as the archive states it.
fn lost(archive: &Archive) -> u64 {
    let anchor = archive.anchor();
    let property = anchor.properties.iter().find(|it| it.name.as_bytes() == EVENTS_LOST);
    property.and_then(|it| it.value.to_string().parse().ok()).unwrap_or(0)
}

/// A string that is relevant here.
enum Text {
    /// The name of the property `ancestors`.
    Name,
    /// The names of the properties about messages.
    Messages,
    Bytes,
    /// The name of the property about parallel regions.
    Regions,
    /// The name of a rank.
    Rank,
    Numbers(Vec<u64>),
}

impl Text {
    fn of(text: &[u8]) -> Option<Self> {
        match text {
            ANCESTORS => return Some(Self::Name),
            MESSAGES => return Some(Self::Messages),
            BYTES => return Some(Self::Bytes),
            REGIONS => return Some(Self::Regions),
            text if text.starts_with(RANK) => return Some(Self::Rank),
            _ => {}
        }
        let numbers = str::from_utf8(text).ok()?.split(' ').map(str::parse);
        numbers.collect::<Result<_, _>>().ok().map(Self::Numbers)
    }
}

impl std::fmt::Display for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let processes = match (self.ranks, self.processes) {
            (0, 1) => "1 process".to_owned(),
            (0, count) => format!("{count} processes"),
            (ranks, count) if ranks == count => many(ranks, "rank"),
            (ranks, count) => format!("{count} processes, {} of them", many(ranks, "rank")),
        };
        write!(f, "{processes}, {}, {}", many(self.threads, "thread"), many(self.events, "event"))?;
        if self.ranks > 0 && self.counting >= self.ranks {
            write!(f, ", {} with {}", many(self.messages, "message"), many(self.bytes, "byte"))?;
        }
        match self.regions {
            0 => Ok(()),
            count => write!(f, ", {}", many(count, "parallel region")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_and_their_messages_are_counted() {
        let two = Content {
            processes: 2,
            threads: 2,
            events: 9,
            ranks: 2,
            messages: 1,
            bytes: 8,
            ..Content::default()
        };
        let both = Content { counting: 2, ..two.clone() };
        assert_eq!(both.to_string(), "2 ranks, 2 threads, 9 events, 1 message with 8 bytes");
        assert_eq!(Content { counting: 1, ..two }.to_string(), "2 ranks, 2 threads, 9 events");
        let more = Content { processes: 3, ..both };
        assert!(more.to_string().starts_with("3 processes, 2 ranks of them, 2 threads"));
    }

    #[test]
    fn parallel_regions_are_counted() {
        let one = Content { processes: 1, threads: 4, events: 50, regions: 3, ..Content::default() };
        assert_eq!(one.to_string(), "1 process, 4 threads, 50 events, 3 parallel regions");
        assert!(one.has_regions());
    }

    /// This was reported after "485574 events were lost".
    #[test]
    fn an_archive_with_lost_events_is_not_bare() {
        let bare = Content { processes: 1, events: 2, ..Content::default() };
        assert!(bare.is_bare());
        assert!(!Content { lost: 1, ..bare }.is_bare());
    }
}
