//! Archives that a test builds from the bytes of a few records, with one chunk per file.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use kymo_otf2::attributes::Attribute;
use kymo_otf2::enums::{GroupType, IoParadigmClass, LocationGroupType, LocationType, Paradigm};
use kymo_otf2::field::Field;
use kymo_otf2::flags::{CommFlag, GroupFlag, IoParadigmFlag};
use kymo_otf2::list::List;
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::*;
use kymo_otf2::wire::{Encoder, SLACK};
use kymo_otf2::write::anchor::anchor_bytes;
use kymo_otf2::{Anchor, LittleEndian, definitions};
use tempfile::TempDir;

/// The records of a file as bytes.
#[derive(Debug, Default, Clone)]
pub(crate) struct Records {
    bytes: Vec<u8>,
    count: u64,
}

/// The files of a location.
#[derive(Debug, Default, Clone)]
pub(crate) struct LocationFiles {
    pub(crate) local: Records,
    pub(crate) events: Records,
    pub(crate) snapshots: Option<Records>,
}

/// An archive before it is written.
#[derive(Debug, Default, Clone)]
pub(crate) struct Draft {
    pub(crate) global: Records,
    pub(crate) locations: BTreeMap<u64, LocationFiles>,
}

/// An archive on disk, which is deleted when this value is dropped.
#[derive(Debug)]
pub(crate) struct Made {
    folder: TempDir,
}

/// Returns the bytes of one field.
fn bytes(put: impl FnOnce(&mut Encoder<'_, LittleEndian>), room: usize) -> Vec<u8> {
    let mut out = vec![0; room + SLACK];
    let mut cursor = Encoder::<LittleEndian>::new(&mut out, 0);
    put(&mut cursor);
    let length = cursor.position();
    out.truncate(length);
    out
}

impl Records {
    /// Adds a record.
    pub(crate) fn put(&mut self, record: &impl AnyRecord) -> &mut Self {
        let data = bytes(|cursor| record.encode(cursor), record.bound() + 32);
        match record.is_singleton() {
            true => self.bytes.push(record.id()),
            false => self.head(record.id(), data.len()),
        }
        self.bytes.extend(data);
        self.count += 1;
        self
    }

    /// Adds a record with any id and any data.
    pub(crate) fn raw(&mut self, id: u8, data: &[u8]) -> &mut Self {
        self.head(id, data.len());
        self.bytes.extend(data);
        self.count += 1;
        self
    }

    /// Adds a record without a length.
    pub(crate) fn singleton(&mut self, id: u8, data: &[u8]) -> &mut Self {
        self.bytes.push(id);
        self.bytes.extend(data);
        self.count += 1;
        self
    }

    /// Sets the time of the following records.
    pub(crate) fn time(&mut self, time: u64) -> &mut Self {
        self.bytes.push(5);
        self.bytes.extend(time.to_le_bytes());
        self
    }

    /// Adds attributes to the next event.
    pub(crate) fn attributes(&mut self, attributes: &[Attribute]) -> &mut Self {
        let count = attributes.len() as u32;
        let data = bytes(
            |cursor| {
                count.put(cursor);
                attributes.iter().for_each(|entry| {
                    entry.attribute.put(cursor);
                    entry.value.put(cursor);
                });
            },
            15 * attributes.len() + 5,
        );
        self.list(&data);
        self
    }

    /// Adds an attribute list with any data.
    pub(crate) fn list(&mut self, data: &[u8]) {
        self.head(6, data.len());
        self.bytes.extend(data);
    }

    fn head(&mut self, id: u8, length: usize) {
        self.bytes.push(id);
        match u8::try_from(length) {
            Ok(length) if length < 255 => self.bytes.push(length),
            _ => {
                self.bytes.push(255);
                self.bytes.extend((length as u64).to_le_bytes());
            }
        }
    }

    /// Returns the file. In files whose records are not counted, the chunk has the numbers 1 and 0.
    pub(crate) fn file(&self, counts: bool) -> Vec<u8> {
        let mut file = vec![3, 0x42];
        file.extend(1u64.to_le_bytes());
        file.extend((if counts { self.count } else { 0 }).to_le_bytes());
        file.extend(&self.bytes);
        file.extend([2, 1]);
        file
    }
}

impl Draft {
    /// Returns a draft with the strings "", "one", "two" …, some regions, a process with the three
    /// locations 0, 1 and 5, and their communicator 0.
    pub(crate) fn usual() -> Draft {
        let mut draft = Draft::default();
        for (id, string) in (0..).zip(["", "one", "two", "three", "/four/4.c"]) {
            draft.string(id, string.as_bytes());
        }
        draft.global.put(&definitions::LocationGroup {
            id: LocationGroupRef(0),
            name: StringRef(1),
            location_group_type: LocationGroupType::PROCESS,
            system_tree_parent: SystemTreeNodeRef::UNDEFINED,
            creating_location_group: LocationGroupRef::UNDEFINED,
        });
        for (id, name) in [(0, 1), (1, 2), (5, 3)] {
            draft.location(id, StringRef(name));
        }
        for id in 0..3 {
            draft.region(RegionRef(id), StringRef(id + 1));
        }
        draft.group(0, GroupType::COMM_LOCATIONS, &[0, 1, 5], GroupFlag::NONE);
        draft.group(1, GroupType::COMM_GROUP, &[0, 1, 2], GroupFlag::NONE);
        draft.comm(CommRef(0), GroupRef(1));
        draft
    }

    pub(crate) fn string(&mut self, id: u32, string: &[u8]) {
        self.global
            .put(&definitions::String { id: StringRef(id), string: kymo_otf2::text::Text::new(string) });
    }

    pub(crate) fn location(&mut self, id: u64, name: StringRef) {
        self.locations.entry(id).or_default();
        self.global.put(&definitions::Location {
            id: LocationRef(id),
            name,
            location_type: LocationType::CPU_THREAD,
            number_of_events: 0,
            location_group: LocationGroupRef(0),
        });
    }

    pub(crate) fn region(&mut self, id: RegionRef, name: StringRef) {
        let region = definitions::Region::function(id, name);
        self.global.put(&definitions::Region { description: StringRef(0), ..region });
    }

    /// Adds an MPI group.
    pub(crate) fn group(&mut self, id: u32, kind: GroupType, members: &[u64], flags: GroupFlag) {
        self.global.put(&definitions::Group {
            id: GroupRef(id),
            name: StringRef(1),
            members: List::new(members).unwrap(),
            group_type: kind,
            paradigm: Paradigm::MPI,
            group_flags: flags,
        });
    }

    pub(crate) fn comm(&mut self, id: CommRef, group: GroupRef) {
        let (name, parent) = (StringRef(2), CommRef::UNDEFINED);
        self.global.put(&definitions::Comm { id, name, group, parent, flags: CommFlag::NONE });
    }

    pub(crate) fn io_paradigm(&mut self, id: u8, name: StringRef) {
        self.global.put(&definitions::IoParadigm {
            id: IoParadigmRef(id),
            identification: name,
            name,
            io_paradigm_class: IoParadigmClass::SERIAL,
            io_paradigm_flags: IoParadigmFlag::OS,
            properties: List::empty(),
        });
    }

    /// Returns the files of a defined location.
    pub(crate) fn at(&mut self, location: u64) -> &mut LocationFiles {
        self.locations.get_mut(&location).expect("a location of the draft")
    }

    /// Writes the files.
    pub(crate) fn make(&self) -> Made {
        let made = Made { folder: tempfile::tempdir().unwrap() };
        let snapshots = self.locations.values().filter(|location| location.snapshots.is_some()).count();
        let anchor = Anchor {
            number_of_locations: self.locations.len() as u64,
            number_of_global_definitions: self.global.count,
            number_of_snapshots: snapshots as u32,
            ..Anchor::default()
        };
        made.write("a.otf2", &anchor_bytes(&anchor).unwrap());
        made.write("a.def", &self.global.file(false));
        fs::create_dir(made.path("a")).unwrap();
        for (id, location) in &self.locations {
            made.write(&format!("a/{id}.def"), &location.local.file(false));
            made.write(&format!("a/{id}.evt"), &location.events.file(true));
            if let Some(snapshots) = &location.snapshots {
                made.write(&format!("a/{id}.snap"), &snapshots.file(true));
            }
        }
        made
    }
}

impl Made {
    /// Returns the path of a file of the archive.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the path of the anchor file.
    pub(crate) fn anchor(&self) -> PathBuf {
        self.path("a.otf2")
    }

    /// Replaces a file.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    /// Replaces the anchor file.
    pub(crate) fn put_anchor(&self, anchor: &Anchor<'_>) {
        self.write("a.otf2", &anchor_bytes(anchor).unwrap());
    }
}
