//! The files of each location: local definitions, events, snapshots.

use kymo_otf2::definitions::LocalDefinition;
use kymo_otf2::enums::Compression;
use kymo_otf2::read::Archive;
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::Space;
use kymo_otf2::{Error, FileName};

use super::definitions::DefinitionIndex;
use super::event_file::{Bytes, EventFile, end_of_file};
use super::findings::{Findings, Place};
use super::kinds::FindingKind;
use super::local_rules::{self, LocalRules};
use super::placed::each;
use super::snapshots::Snapshots;
use super::tables::HashSet;
use super::trouble::Trouble;
use crate::seal::of_location;
use crate::{regular, tree};

/// The files of an archive.
#[derive(Debug)]
pub(crate) struct Files<'a, 'd> {
    pub(crate) archive: &'a Archive,
    /// The archive without mapping and clock correction.
    pub(crate) raw: &'a Archive,
    pub(crate) definitions: &'a DefinitionIndex<'d>,
}

/// The results of reading the event files.
#[derive(Debug, Default)]
pub(crate) struct EventFiles {
    /// The number of events.
    pub(crate) count: u64,
    /// The locations whose events can be read.
    pub(crate) readable: Vec<u64>,
    /// The locations whose times run backwards.
    pub(crate) disordered: HashSet<u64>,
    /// Whether measurement was off for a while.
    pub(crate) has_gap: bool,
}

impl EventFiles {
    fn add(&mut self, location: u64, file: &EventFile) {
        self.count += file.events();
        self.has_gap |= file.has_gap();
        if file.is_disordered() {
            self.disordered.insert(location);
        }
    }
}

impl Files<'_, '_> {
    /// Checks all files.
    pub(crate) fn check(&self, trouble: &mut Trouble, findings: &mut Findings<'_>) -> EventFiles {
        self.strays(findings);
        let mut all = EventFiles::default();
        for &location in self.definitions.locations.keys() {
            let is_good = self.local_definitions(location, trouble, findings);
            let file = self.events(location, trouble, findings);
            let count = file.as_ref().map_or(0, EventFile::events);
            if self.archive.anchor().number_of_snapshots > 0 {
                self.snapshots(location, count, trouble, findings);
            }
            let Some(file) = file else { continue };
            all.add(location, &file);
            if is_good {
                all.readable.push(location);
            }
        }
        all
    }

    /// Returns the bytes of a file, unless they are compressed.
    pub(crate) fn bytes(archive: &Archive, file: FileName) -> Option<Bytes> {
        let compressed = archive.anchor().compression == Compression::ZLIB;
        let plain = !compressed || matches!(file, FileName::Markers | FileName::Thumbnail(_));
        plain.then(|| Bytes::new(regular::open(&archive.path(file))))
    }

    /// Checks a local definition file. Returns whether readers accept it.
    fn local_definitions(&self, location: u64, trouble: &mut Trouble, findings: &mut Findings<'_>) -> bool {
        let name = FileName::LocalDefinitions(location);
        let file = match self.raw.local_definitions(location) {
            Err(Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
                findings.find(
                    FindingKind::MissingLocalDefinitions,
                    Place::file(name),
                    format_args!("the file is missing"),
                );
                return true;
            }
            Err(error) => return trouble.note(name, Err(error), findings),
            Ok(file) => file,
        };
        let records = match file.records() {
            Ok(records) => records,
            Err(error) => return trouble.note(name, Err(error), findings),
        };
        let mut rules = LocalRules::new(self.definitions);
        let end = each(records, |offset, record| {
            let place = local_rules::place(location, offset, record.name());
            if let LocalDefinition::Unknown { id, .. } = record {
                findings.unknown_record(id, place);
            }
            rules.definition(&record, place, findings);
        });
        rules.end(findings);
        if let (Ok(mark), Some(mut bytes)) = (&end, Self::bytes(self.raw, name)) {
            end_of_file(name, &mut bytes, *mark, findings);
            trouble.note(name, bytes.failure(), findings);
        }
        trouble.note(name, end.map(|_| ()), findings) && !rules.is_refused()
    }

    /// Checks the events of a location. Returns the result if the file can be read at all.
    fn events(&self, location: u64, trouble: &mut Trouble, findings: &mut Findings<'_>) -> Option<EventFile> {
        let name = FileName::Events(location);
        let mut reader = match self.raw.events(location) {
            Ok(reader) => reader,
            Err(error) => {
                trouble.report(name, &error, findings);
                return None;
            }
        };
        let mut file = EventFile::new(location, Self::bytes(self.raw, name));
        let end = file.check(&mut reader, findings);
        let is_read = trouble.note(name, end, findings);
        if trouble.note(name, file.failure(), findings) && is_read {
            self.event_count(location, file.events(), findings);
        }
        Some(file)
    }

    fn event_count(&self, location: u64, events: u64, findings: &mut Findings<'_>) {
        let Some(definition) = self.definitions.locations.get(&location) else { return };
        if definition.number_of_events != events {
            let place = Place::file(FileName::Events(location));
            findings.find(
                FindingKind::EventCount,
                place,
                format_args!("{events} events, but the definition states {}", definition.number_of_events),
            );
        }
    }

    fn snapshots(&self, location: u64, events: u64, trouble: &mut Trouble, findings: &mut Findings<'_>) {
        let name = FileName::Snapshots(location);
        let end = self.raw.snapshots(location).and_then(|mut reader| {
            let events_of = self.archive.events(location).ok();
            let mut snapshots = Snapshots::new(location, events, events_of, self.definitions);
            while let Some(record) = reader.next()? {
                snapshots.record(&record, findings);
            }
            snapshots.end(self.raw.anchor().number_of_snapshots, findings);
            if let Some(mut bytes) = Self::bytes(self.raw, name) {
                end_of_file(name, &mut bytes, reader.position(), findings);
                bytes.failure()?;
            }
            Ok(())
        });
        trouble.note(name, end, findings);
    }

    /// Reports files of locations that are not defined, and snapshots that are not announced.
    fn strays(&self, findings: &mut Findings<'_>) {
        let folder = self.archive.path(FileName::Events(0));
        let Some(names) = folder.parent().and_then(|folder| tree::names(folder).ok()) else { return };
        let files = names.iter().filter_map(|name| of_location(name.to_str()?));
        let mut strays: Vec<_> = files.filter_map(|name| Some((name, self.stray(name)?))).collect();
        strays.sort_unstable();
        for (name, why) in strays {
            findings.find(FindingKind::StrayFile, Place::file(name), format_args!("{why}"));
        }
    }

    /// Returns the reason why readers ignore a file of a location.
    fn stray(&self, name: FileName) -> Option<&'static str> {
        let location = name.location()?;
        let no_snapshots = self.archive.anchor().number_of_snapshots == 0;
        match name {
            _ if self.definitions.ids.lacks(Space::Location, location) => Some("its location is not defined"),
            FileName::Snapshots(_) if no_snapshots => Some("the anchor announces no snapshots"),
            _ => None,
        }
    }
}
