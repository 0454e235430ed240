//! An archive that has an anchor but other files that are damaged: its intact parts become a new
//! archive.
//!
//! Intact files are copied byte by byte. Of a damaged event file, the events before the first fault
//! are kept; likewise for the global definitions and the markers. Invariant: events whose ids can
//! no longer be mapped are left out, because they would refer to the wrong definitions. Events that
//! are left out are counted and reported.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::Path;

use kymo_otf2::anchor::{Properties, Property};
use kymo_otf2::definitions::{GlobalDefinition, Location};
use kymo_otf2::enums::{Compression, FileSubstrate};
use kymo_otf2::read::{Archive, Options};
use kymo_otf2::text::Text;
use kymo_otf2::write::anchor::anchor_bytes;
use kymo_otf2::write::{
    EventWriter, GlobalDefinitionWriter, LocalDefinitionWriter, MarkerWriter, StoragePieces,
};
use kymo_otf2::{Anchor, Error, FileName, Storage};
use kymo_recorder::recovery::repair_events;

use crate::new_archive::NewArchive;
use crate::output::complain;
use crate::problem::Problem;
use crate::status::Status;

/// The usable size of the buffer through which a definition file is written.
const PIECE: usize = 64 << 10;
/// The creators whose archives have the same local definitions for all locations of a process.
const SAME_IN_PROCESS: [&[u8]; 2] = [b"Kymo", b"Score-P"];

/// The amounts that are left out of the new archive, or were added.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Losses {
    events: u64,
    bytes: u64,
    closed: u64,
}

/// The repair of a damaged archive.
pub(super) struct Repair<'a> {
    archive: &'a Archive,
    damaged: &'a BTreeSet<FileName>,
    output: &'a NewArchive,
    /// Whether open regions are closed.
    closes: bool,
    /// The locations in order of their definitions.
    locations: Vec<Location>,
    /// The number of readable records in the global definition file.
    definitions: u64,
}

/// Opens an archive without mapping and clock correction.
pub(super) fn open(anchor: &Path) -> Result<Archive, Problem> {
    let as_it_is = Options { mapping: false, clock_correction: false, ..Options::default() };
    Archive::open_with(anchor, as_it_is).map_err(|error| Problem::of_anchor(anchor, &error))
}

impl<'a> Repair<'a> {
    /// Prepares the repair of an archive with these damaged files.
    pub(super) fn new(
        archive: &'a Archive,
        damaged: &'a BTreeSet<FileName>,
        output: &'a NewArchive,
        closes: bool,
    ) -> Result<Self, Problem> {
        let nothing = || {
            Problem::of(&archive.path(FileName::Anchor), "there is nothing to recover", Status::Environment)
        };
        if archive.anchor().substrate != FileSubstrate::POSIX {
            return Err(nothing());
        }
        let (mut locations, mut definitions, mut ids) = (Vec::new(), 0, HashSet::new());
        let file = archive.global_definitions().map_err(|_| nothing())?;
        for record in file.records().map_err(|_| nothing())?.map_while(Result::ok) {
            definitions += 1;
            match record {
                GlobalDefinition::Location(location) if ids.insert(location.id) => locations.push(location),
                _ => {}
            }
        }
        if locations.is_empty() {
            return Err(nothing());
        }
        Ok(Self { archive, damaged, output, closes, locations, definitions })
    }

    /// Writes the new archive, its anchor last.
    pub(super) fn write(&self) -> Result<Losses, Problem> {
        self.output.create()?;
        let unknown = self.local_definitions()?;
        let mut losses = Losses::default();
        let mut counts = HashMap::new();
        for location in &self.locations {
            let events = self.events(location, unknown.contains(&location.id.0), &mut losses)?;
            counts.insert(location.id, events);
        }
        let has_snapshots = self.snapshots()?;
        self.markers()?;
        let thumbnails = self.thumbnails()?;
        let definitions = self.global_definitions(|id| counts.get(&id).copied().unwrap_or(0))?;
        let old = self.archive.anchor();
        let number_of_snapshots = if has_snapshots { old.number_of_snapshots } else { 0 };
        self.anchor(
            &losses,
            &Anchor {
                number_of_locations: self.locations.len() as u64,
                number_of_global_definitions: definitions,
                compression: Compression::NONE,
                number_of_snapshots,
                number_of_thumbnails: thumbnails,
                ..old
            },
        )?;
        Ok(losses)
    }

    fn is_plain(&self) -> bool {
        self.archive.anchor().compression == Compression::NONE
    }

    fn is_whole(&self, file: FileName) -> bool {
        !self.damaged.contains(&file)
    }

    fn pieces(&self, file: FileName) -> StoragePieces<&dyn Storage> {
        StoragePieces::new(&self.output.storage, file, PIECE)
    }

    fn problem(&self, error: &Error) -> Problem {
        self.output.problem(error)
    }

    fn copy(&self, from: FileName, to: FileName) -> Result<(), Problem> {
        self.output.copy(&self.archive.path(from), to)
    }

    /// Writes the local definitions of all locations. Returns the locations whose ids cannot be
    /// mapped.
    fn local_definitions(&self) -> Result<HashSet<u64>, Problem> {
        let are_global = self.ids_are_global();
        let mut unknown = HashSet::new();
        for location in &self.locations {
            let file = FileName::LocalDefinitions(location.id.0);
            let from = if self.is_whole(file) { Some(file) } else { self.same_as(location) };
            if from != Some(file) {
                self.report_substitute(file, from, are_global);
            }
            match from {
                Some(from) => self.local_definitions_of(from, file)?,
                None => {
                    self.empty_local_definitions(file)?;
                    if !are_global {
                        unknown.insert(location.id.0);
                    }
                }
            }
        }
        Ok(unknown)
    }

    fn report_substitute(&self, file: FileName, from: Option<FileName>, are_global: bool) {
        let what = match (from, are_global) {
            (Some(from), _) => {
                format!("replaced by that of another location of its process, {}", from.path(&self.name()))
            }
            (None, true) => "its ids are treated as global ones, as in all other files".to_owned(),
            (None, false) => {
                "the events of its location are left out, because the meaning of their ids is unknown"
                    .to_owned()
            }
        };
        complain(&format!("{}: {what}", self.archive.path(file).display()));
    }

    fn name(&self) -> String {
        let anchor = self.archive.path(FileName::Anchor);
        anchor.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the local definitions of another location of the same process, which are equal.
    fn same_as(&self, location: &Location) -> Option<FileName> {
        let anchor = self.archive.anchor();
        let creator = anchor.creator.as_bytes();
        if !SAME_IN_PROCESS.iter().any(|known| creator.starts_with(known)) {
            return None;
        }
        let others = self.locations.iter().filter(|it| it.location_group == location.location_group);
        let mut others = others.map(|it| FileName::LocalDefinitions(it.id.0));
        others.find(|&file| self.is_whole(file))
    }

    /// Whether there are intact local definitions, all of them empty.
    fn ids_are_global(&self) -> bool {
        let mut whole = 0;
        for location in &self.locations {
            if self.is_whole(FileName::LocalDefinitions(location.id.0)) {
                whole += 1;
                let file = self.archive.local_definitions(location.id.0);
                if !file.is_ok_and(|file| file.records().is_ok_and(|mut all| all.next().is_none())) {
                    return false;
                }
            }
        }
        whole > 0
    }

    fn local_definitions_of(&self, from: FileName, to: FileName) -> Result<(), Problem> {
        if self.is_plain() {
            return self.copy(from, to);
        }
        let cannot_read = |error: Error| Problem::of_archive(self.archive, &error);
        let file =
            self.archive.local_definitions(from.location().unwrap_or_default()).map_err(cannot_read)?;
        let mut writer = self.local_writer(to)?;
        for record in file.records().map_err(cannot_read)? {
            writer.record(&record.map_err(cannot_read)?).map_err(|error| self.problem(&error))?;
        }
        writer.finish().map(drop).map_err(|error| self.problem(&error))
    }

    fn local_writer(
        &self,
        file: FileName,
    ) -> Result<LocalDefinitionWriter<StoragePieces<&dyn Storage>>, Problem> {
        LocalDefinitionWriter::new(self.pieces(file), self.archive.anchor().definition_chunk_size)
            .map_err(|error| self.problem(&error))
    }

    fn empty_local_definitions(&self, file: FileName) -> Result<(), Problem> {
        self.local_writer(file)?.finish().map(drop).map_err(|error| self.problem(&error))
    }

    /// Writes the events of a location. Returns their number.
    fn events(&self, location: &Location, is_unknown: bool, losses: &mut Losses) -> Result<u64, Problem> {
        let (id, stated) = (location.id.0, location.number_of_events);
        let file = FileName::Events(id);
        let length = fs::metadata(self.archive.path(file)).map_or(0, |metadata| metadata.len());
        if is_unknown {
            losses.events = losses.events.saturating_add(stated);
            losses.bytes = losses.bytes.saturating_add(length);
            let writer = EventWriter::new(self.pieces(file), self.archive.anchor().event_chunk_size);
            let written = writer.and_then(|mut writer| writer.finish().map(drop));
            return written.map(|()| 0).map_err(|error| self.problem(&error));
        }
        let is_whole = self.is_whole(file);
        if is_whole && self.is_plain() {
            return self.copy(file, file).map(|()| stated);
        }
        let closes = self.closes && !is_whole;
        let repaired = repair_events(self.archive, id, length, &self.output.storage, closes)
            .map_err(|error| self.problem(&error))?;
        if !is_whole {
            let missing = stated.saturating_sub(repaired.events).max(repaired.missing);
            losses.events = losses.events.saturating_add(missing);
            losses.bytes = losses.bytes.saturating_add(repaired.cut);
            losses.closed += repaired.closed;
            self.report_events(file, repaired.events, missing, repaired.closed);
        }
        Ok(repaired.events + repaired.closed)
    }

    fn report_events(&self, file: FileName, events: u64, missing: u64, closed: u64) {
        let path = self.archive.path(file);
        complain(&format!(
            "{}: {events} events kept, {missing} missing, {closed} regions closed",
            path.display()
        ));
    }

    /// Copies the snapshots, which refer to events by number. Returns whether the archive still has
    /// snapshots.
    fn snapshots(&self) -> Result<bool, Problem> {
        if self.archive.anchor().number_of_snapshots == 0 {
            return Ok(false);
        }
        let is_damaged = |file: &FileName| matches!(file, FileName::Snapshots(_) | FileName::Events(_));
        if !self.is_plain() || self.damaged.iter().any(is_damaged) {
            complain("the snapshots are left out");
            return Ok(false);
        }
        for location in &self.locations {
            let file = FileName::Snapshots(location.id.0);
            self.copy(file, file)?;
        }
        Ok(true)
    }

    fn markers(&self) -> Result<(), Problem> {
        let file = FileName::Markers;
        if self.is_whole(file) {
            let is_there = self.archive.path(file).exists();
            return if is_there { self.copy(file, file) } else { Ok(()) };
        }
        let Ok(markers) = self.archive.markers() else { return Ok(()) };
        let Ok(records) = markers.records() else { return Ok(()) };
        let failed = |error: Error| self.problem(&error);
        let chunk_size = self.archive.anchor().definition_chunk_size;
        let mut writer = MarkerWriter::new(self.pieces(file), chunk_size).map_err(failed)?;
        for record in records.map_while(Result::ok) {
            writer.record(&record).map_err(failed)?;
        }
        writer.finish().map(drop).map_err(failed)
    }

    /// Copies the thumbnails up to the first one that is damaged. Returns their number.
    fn thumbnails(&self) -> Result<u32, Problem> {
        let all = self.archive.anchor().number_of_thumbnails;
        let count = (0..all).take_while(|&number| self.is_whole(FileName::Thumbnail(number))).count();
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        for number in 0..count {
            self.copy(FileName::Thumbnail(number), FileName::Thumbnail(number))?;
        }
        if count < all {
            complain(&format!("{} thumbnails are left out", all - count));
        }
        Ok(count)
    }

    /// Writes the definitions that can be read, with the actual numbers of events. Returns the
    /// number of definitions.
    fn global_definitions(
        &self,
        events: impl Fn(kymo_otf2::references::LocationRef) -> u64,
    ) -> Result<u64, Problem> {
        let failed = |error: Error| self.problem(&error);
        let cannot_read = |error: Error| Problem::of_archive(self.archive, &error);
        let file = self.archive.global_definitions().map_err(cannot_read)?;
        let chunk_size = self.archive.anchor().definition_chunk_size;
        let pieces = self.pieces(FileName::GlobalDefinitions);
        let mut writer = GlobalDefinitionWriter::new(pieces, chunk_size).map_err(failed)?;
        for record in file.records().map_err(cannot_read)?.map_while(Result::ok) {
            match record {
                GlobalDefinition::Location(it) => {
                    writer.record(&Location { number_of_events: events(it.id), ..it })
                }
                record => writer.record(&record),
            }
            .map_err(failed)?;
        }
        let stated = self.archive.anchor().number_of_global_definitions;
        if stated > self.definitions {
            let path = self.archive.path(FileName::GlobalDefinitions);
            complain(&format!("{}: {} of {stated} definitions kept", path.display(), self.definitions));
        }
        writer.finish().map_err(failed)?;
        Ok(self.definitions)
    }

    fn anchor(&self, losses: &Losses, anchor: &Anchor<'_>) -> Result<(), Problem> {
        let properties = properties(anchor, losses);
        let properties: Vec<_> = properties
            .iter()
            .map(|(name, value)| Property { name: Text::new(name), value: Text::new(value) })
            .collect();
        let anchor = Anchor { properties: Properties::new(&properties), ..*anchor };
        let file = FileName::Anchor;
        let written = anchor_bytes(&anchor).and_then(|bytes| {
            let written = self.output.storage.write_at(file, 0, &bytes);
            written.map_err(|source| Error::Io { file: Some(file), source })
        });
        written.map_err(|error| self.problem(&error))
    }
}

/// Returns the properties of the new archive, in which nothing is stated to be complete.
fn properties(anchor: &Anchor<'_>, losses: &Losses) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut counts = HashMap::from([
        ("EVENTS_LOST", losses.events),
        ("BYTES_CUT", losses.bytes),
        ("REGIONS_CLOSED", losses.closed),
    ]);
    let mut all = Vec::new();
    for property in anchor.properties.iter() {
        let (name, value) = (property.name.as_bytes(), property.value.as_bytes());
        let own = name.strip_prefix(b"KYMO::").and_then(|name| str::from_utf8(name).ok());
        if let Some(count) = own.and_then(|own| counts.get_mut(own)) {
            *count = count.saturating_add(property.value.to_string().parse().unwrap_or(0));
        } else if own != Some("RECOVERED") {
            let value: &[u8] = if name.ends_with(b"_COMPLETE") { b"false" } else { value };
            all.push((name.to_vec(), value.to_vec()));
        }
    }
    all.push((b"KYMO::RECOVERED".to_vec(), b"true".to_vec()));
    let mut counts: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
    counts.sort_unstable();
    all.extend(
        counts
            .iter()
            .map(|(name, count)| (format!("KYMO::{name}").into_bytes(), count.to_string().into_bytes())),
    );
    all
}
