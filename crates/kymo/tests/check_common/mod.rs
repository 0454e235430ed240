//! Small archives that the tests write, and the report of `kymo check` on an archive. They are
//! little-endian everywhere, because some tests change their bytes.

#![allow(dead_code, unreachable_pub)]

pub mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use kymo_otf2::attributes::Attribute;
use kymo_otf2::definitions::{GlobalDefinition, LocalDefinition};
use kymo_otf2::events::Event;
use kymo_otf2::markers::AnyMarker;
use kymo_otf2::snapshots::Snapshot;
use kymo_otf2::storage::Directory;
use kymo_otf2::thumbnails::{ThumbnailHeader, ThumbnailSample};
use kymo_otf2::write::anchor::anchor_bytes_in;
use kymo_otf2::write::{
    EventWriter, GlobalDefinitionWriter, LocalDefinitionWriter, MarkerWriter, SnapshotWriter, StoragePieces,
    ThumbnailWriter,
};
use kymo_otf2::{Anchor, FileName, LittleEndian, Storage};
use serde_json::Value;
use tempfile::TempDir;

/// The smallest chunk size of the format.
const CHUNK: u64 = 262_144;

/// An event before it is written.
pub struct Timed {
    pub time: u64,
    pub attributes: Vec<Attribute>,
    pub event: Event<'static>,
}

/// An archive before it is written.
pub struct Trace {
    pub anchor: Anchor<'static>,
    pub globals: Vec<GlobalDefinition<'static>>,
    pub locals: BTreeMap<u64, Vec<LocalDefinition<'static>>>,
    pub events: BTreeMap<u64, Vec<Timed>>,
    pub snapshots: BTreeMap<u64, Vec<(u64, Snapshot<'static>)>>,
    pub markers: Vec<AnyMarker<'static>>,
    pub thumbnail: Option<(ThumbnailHeader<'static>, Vec<ThumbnailSample<'static>>)>,
    /// Added to the counts in the definitions and the anchor.
    pub miscount: Miscount,
    /// Changes made to the files once they are written.
    pub changes: Vec<fn(&Path)>,
}

/// How far the counts are off.
#[derive(Default)]
pub struct Miscount {
    pub locations: u64,
    pub definitions: u64,
    pub events: u64,
}

impl Trace {
    /// Adds a global definition at the end.
    pub fn define(&mut self, definition: impl Into<GlobalDefinition<'static>>) {
        self.globals.push(definition.into());
    }

    /// Replaces the definition that `which` selects.
    pub fn change(
        &mut self,
        which: impl Fn(&GlobalDefinition<'_>) -> bool,
        to: impl Into<GlobalDefinition<'static>>,
    ) {
        let place = self.globals.iter_mut().find(|definition| which(definition)).expect("the definition");
        *place = to.into();
    }

    /// Adds an event without attributes.
    pub fn event(&mut self, location: u64, time: u64, event: impl Into<Event<'static>>) {
        self.event_with(location, time, &[], event);
    }

    /// Adds an event.
    pub fn event_with(
        &mut self,
        location: u64,
        time: u64,
        attributes: &[Attribute],
        event: impl Into<Event<'static>>,
    ) {
        let timed = Timed { time, attributes: attributes.to_vec(), event: event.into() };
        self.events.entry(location).or_default().push(timed);
    }

    /// Adds a local definition.
    pub fn local(&mut self, location: u64, definition: impl Into<LocalDefinition<'static>>) {
        self.locals.entry(location).or_default().push(definition.into());
    }

    /// Adds a snapshot record and sets the number of snapshots in the anchor to one.
    pub fn snapshot(&mut self, location: u64, time: u64, record: impl Into<Snapshot<'static>>) {
        self.anchor.number_of_snapshots = 1;
        self.snapshots.entry(location).or_default().push((time, record.into()));
    }

    /// Registers a change to make to the files once they are written.
    pub fn after(&mut self, change: fn(&Path)) {
        self.changes.push(change);
    }

    /// Writes the archive into a new folder.
    pub fn write(&self) -> Written {
        let folder = TempDir::new().expect("a folder");
        let storage = Directory::make(folder.path(), "traces").expect("an archive");
        storage.create().expect("a folder for the locations");
        let locations = self.write_globals(&storage);
        for &location in &locations {
            self.write_location(&storage, location);
        }
        if !self.markers.is_empty() {
            let pieces = StoragePieces::new(&storage, FileName::Markers, 4096);
            let mut writer = MarkerWriter::<_, LittleEndian>::in_byte_order(pieces, CHUNK).expect("a writer");
            self.markers.iter().for_each(|marker| writer.record(marker).expect("a marker"));
            writer.finish().expect("an end");
        }
        self.write_thumbnail(&storage);
        self.write_anchor(&storage, locations.len() as u64);
        self.changes.iter().for_each(|change| change(folder.path()));
        Written { folder }
    }

    fn write_globals(&self, storage: &Directory) -> Vec<u64> {
        let pieces = StoragePieces::new(storage, FileName::GlobalDefinitions, 4096);
        let mut writer =
            GlobalDefinitionWriter::<_, LittleEndian>::in_byte_order(pieces, CHUNK).expect("a writer");
        let mut locations = BTreeSet::new();
        for definition in &self.globals {
            let mut definition = *definition;
            if let GlobalDefinition::Location(location) = &mut definition {
                locations.insert(location.id.0);
                let events = self.events.get(&location.id.0).map_or(0, Vec::len) as u64;
                location.number_of_events = events + self.miscount.events;
            }
            writer.record(&definition).expect("a definition");
        }
        writer.finish().expect("an end");
        locations.into_iter().collect()
    }

    fn write_location(&self, storage: &Directory, location: u64) {
        let pieces = |file| StoragePieces::new(storage, file, 4096);
        let mut writer = LocalDefinitionWriter::<_, LittleEndian>::in_byte_order(
            pieces(FileName::LocalDefinitions(location)),
            CHUNK,
        )
        .expect("a writer");
        for definition in self.locals.get(&location).into_iter().flatten() {
            writer.record(definition).expect("a definition");
        }
        writer.finish().expect("an end");
        let mut writer =
            EventWriter::<_, LittleEndian>::in_byte_order(pieces(FileName::Events(location)), CHUNK)
                .expect("a writer");
        for Timed { time, attributes, event } in self.events.get(&location).into_iter().flatten() {
            writer.record_with(*time, attributes, event).expect("an event");
        }
        writer.finish().expect("an end");
        if self.anchor.number_of_snapshots > 0 {
            let mut writer = SnapshotWriter::<_, LittleEndian>::in_byte_order(
                pieces(FileName::Snapshots(location)),
                CHUNK,
            )
            .expect("a writer");
            for (time, record) in self.snapshots.get(&location).into_iter().flatten() {
                writer.record(*time, record).expect("a snapshot record");
            }
            writer.finish().expect("an end");
        }
    }

    fn write_thumbnail(&self, storage: &Directory) {
        let Some((header, samples)) = &self.thumbnail else { return };
        let pieces = StoragePieces::new(storage, FileName::Thumbnail(0), 4096);
        let mut writer = ThumbnailWriter::<_, LittleEndian>::in_byte_order(pieces, header).expect("a writer");
        samples.iter().for_each(|sample| writer.sample(sample).expect("a sample"));
        writer.finish().expect("an end");
    }

    fn write_anchor(&self, storage: &Directory, locations: u64) {
        let anchor = Anchor {
            event_chunk_size: CHUNK,
            definition_chunk_size: CHUNK,
            number_of_locations: locations + self.miscount.locations,
            number_of_global_definitions: self.globals.len() as u64 + self.miscount.definitions,
            number_of_thumbnails: self.thumbnail.is_some().into(),
            ..self.anchor
        };
        let bytes = anchor_bytes_in::<LittleEndian>(&anchor).expect("an anchor");
        storage.write_at(FileName::Anchor, 0, &bytes).expect("writing the anchor");
    }
}

/// An archive on disk.
pub struct Written {
    pub folder: TempDir,
}

impl Written {
    pub fn anchor(&self) -> PathBuf {
        self.folder.path().join("traces.otf2")
    }

    pub fn check(&self) -> Report {
        check(&self.anchor(), &[])
    }
}

/// The output of `kymo check --json`.
#[derive(Debug)]
pub struct Report {
    pub status: i32,
    pub findings: Vec<Value>,
    pub summary: Value,
    pub stderr: String,
}

impl Report {
    /// Returns the kinds of the findings.
    pub fn kinds(&self) -> BTreeSet<String> {
        self.findings.iter().map(|finding| text(&finding["kind"])).collect()
    }

    /// Formats the findings for people.
    pub fn messages(&self) -> String {
        let lines = self.findings.iter().map(|it| format!("\n    {}: {}", it["kind"], it["message"]));
        format!("status {}{}{}", self.status, lines.collect::<String>(), self.stderr)
    }

    /// Returns a number from the summary, such as the findings of a severity.
    pub fn number(&self, of: &str) -> u64 {
        self.summary[of].as_u64().unwrap_or_else(|| panic!("no number of {of} in {}", self.summary))
    }
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

pub fn kymo() -> Command {
    Command::new(env!("CARGO_BIN_EXE_kymo"))
}

/// Runs `kymo check --json` with further options.
pub fn check(anchor: &Path, options: &[&str]) -> Report {
    let output = kymo().args(["check", "--json"]).args(options).arg(anchor).output().expect("running kymo");
    let lines = String::from_utf8(output.stdout).expect("text");
    let mut findings: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let last = findings.pop().unwrap_or_default();
    Report {
        status: output.status.code().expect("an exit status"),
        findings,
        summary: last["summary"].clone(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Returns the table of kinds.
pub fn all_kinds() -> Vec<Value> {
    let output = kymo().args(["check", "--explain", "--json"]).output().expect("running kymo");
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).expect("text");
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}
