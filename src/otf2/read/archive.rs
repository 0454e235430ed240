//! An archive as a whole: its anchor, its definitions, and readers of its locations.
//!
//! Reads what is asked for and keeps nothing but the anchor. All memory that grows with the files comes from one budget.

use super::budget::Budget;
use super::location::{Events, Family, Globals, LocationReader, Snapshots};
use super::order::InOrder;
use super::whole::{GlobalDefinitions, LocalDefinitions, Markers, Thumbnail, Whole};
use super::window::{Descriptors, File, Source, Window};
use crate::THUMBNAIL_CHUNK_SIZE;
use crate::anchor::Anchor;
use crate::archive::FileName;
use crate::error::{Error, Problem, Result, Usage};
use crate::records::AnyRecord;
use crate::records::definitions::{GlobalDefinition, LocalDefinition};
use crate::records::enums::{Compression, FileSubstrate};
use crate::storage::{Directory, Storage};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How an archive is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Whether the ids in events become global ones, by the mapping tables of their location.
    pub mapping: bool,
    /// Whether the times of events are corrected, by the clock offsets of their location.
    pub clock_correction: bool,
    /// Most memory that the readers of the archive may have together, in bytes.
    pub memory: usize,
    /// Most files of locations that may be open at once; of the others each piece that is read costs an `open`.
    pub open_files: usize,
}

impl Default for Options {
    /// Global ids, corrected times, 1 GiB, 256 files.
    fn default() -> Self {
        Options { mapping: true, clock_correction: true, memory: 1 << 30, open_files: 256 }
    }
}

/// Longest window on a file, and the memory that all windows of readers in order have together unless records are longer, in bytes.
const WINDOW: usize = 64 << 10;
const ALL_WINDOWS: usize = 16 << 20;
const SHORTEST_WINDOW: usize = 4 << 10;

/// An archive that is read.
pub struct Archive {
    storage: Arc<dyn Storage>,
    anchor: Vec<u8>,
    folder: PathBuf,
    name: String,
    options: Options,
    budget: Budget,
    descriptors: Descriptors,
}

impl Archive {
    /// Opens the archive of this anchor file.
    pub fn open(path: impl AsRef<Path>) -> Result<Archive> {
        Self::open_with(path, Options::default())
    }

    /// The same, with options.
    pub fn open_with(path: impl AsRef<Path>, options: Options) -> Result<Archive> {
        let (folder, name) = parts(path.as_ref()).ok_or(Usage::AnchorPath)?;
        let storage = Directory::open_named(&folder, &name)
            .map_err(|source| Error::Io { file: Some(FileName::Anchor), source })?;
        Self::of_storage(Arc::new(storage), folder, name, options)
    }

    /// Opens the archive in a storage.
    pub fn in_storage(storage: Arc<dyn Storage>, options: Options) -> Result<Archive> {
        Self::of_storage(storage, PathBuf::new(), crate::archive::DEFAULT_NAME.to_owned(), options)
    }

    fn of_storage(
        storage: Arc<dyn Storage>,
        folder: PathBuf,
        name: String,
        options: Options,
    ) -> Result<Archive> {
        let budget = Budget::new(options.memory);
        let descriptors = Descriptors::new(options.open_files);
        let anchor = Vec::new();
        let mut archive = Archive { storage, anchor, folder, name, options, budget, descriptors };
        archive.anchor = archive.read(FileName::Anchor)?.bytes;
        super::anchor(&archive.anchor).map_err(|error| error.in_file(FileName::Anchor))?;
        Ok(archive)
    }

    /// The same archive with ids and times as they are in its files. Both share their memory and open files.
    #[must_use]
    pub fn as_written(&self) -> Archive {
        Archive {
            storage: self.storage.clone(),
            anchor: self.anchor.clone(),
            folder: self.folder.clone(),
            name: self.name.clone(),
            options: Options { mapping: false, clock_correction: false, ..self.options.clone() },
            budget: self.budget.clone(),
            descriptors: self.descriptors.clone(),
        }
    }

    /// The content of the anchor file.
    pub fn anchor(&self) -> Anchor<'_> {
        // It was read when the archive was opened.
        super::anchor(&self.anchor).unwrap_or_default()
    }

    /// Path of a file of the archive.
    pub fn path(&self, file: FileName) -> PathBuf {
        self.folder.join(file.path(&self.name).to_string())
    }

    /// The global definitions.
    pub fn global_definitions(&self) -> Result<GlobalDefinitions> {
        self.read(FileName::GlobalDefinitions).map(GlobalDefinitions)
    }

    /// The local definitions of a location. Many archives have no such file for some locations.
    pub fn local_definitions(&self, location: u64) -> Result<LocalDefinitions> {
        self.read(FileName::LocalDefinitions(location)).map(LocalDefinitions)
    }

    /// The markers.
    pub fn markers(&self) -> Result<Markers> {
        self.read(FileName::Markers).map(Markers)
    }

    /// The thumbnail of this number, from 0.
    pub fn thumbnail(&self, number: u32) -> Result<Thumbnail> {
        self.read(FileName::Thumbnail(number)).map(Thumbnail)
    }

    /// Ids of the locations that the global definitions define, in their order.
    pub fn locations(&self) -> Result<Vec<u64>> {
        let mut locations = Vec::new();
        for record in self.global_definitions()?.records()? {
            if let GlobalDefinition::Location(location) =
                record.map_err(|error| error.in_file(FileName::GlobalDefinitions))?
            {
                locations.push(location.id.0);
            }
        }
        Ok(locations)
    }

    /// The events of a location.
    pub fn events(&self, location: u64) -> Result<LocationReader<Events>> {
        self.events_through(location, WINDOW)
    }

    /// The snapshots of a location.
    pub fn snapshots(&self, location: u64) -> Result<LocationReader<Snapshots>> {
        self.reader(location, FileName::Snapshots(location), WINDOW, Globals::default())
    }

    /// The events of these locations in the order of time.
    pub fn events_in_order(&self, locations: &[u64]) -> Result<InOrder<Events>> {
        in_order(locations, |location, window| self.events_through(location, window))
    }

    /// The snapshots of these locations in the order of time.
    pub fn snapshots_in_order(&self, locations: &[u64]) -> Result<InOrder<Snapshots>> {
        in_order(locations, |location, window| {
            self.reader(location, FileName::Snapshots(location), window, Globals::default())
        })
    }

    fn events_through(&self, location: u64, window: usize) -> Result<LocationReader<Events>> {
        let globals = self.globals(location)?;
        self.reader(location, FileName::Events(location), window, globals)
    }

    fn reader<F: Family>(
        &self,
        location: u64,
        file: FileName,
        window: usize,
        globals: Globals,
    ) -> Result<LocationReader<F>> {
        let opened = self.open_file(file)?;
        let (source, lease) = match self.is_compressed(file) {
            true => self.whole(opened)?.into_source(),
            false => (Source::File(opened), self.budget.lease(file, 0)?),
        };
        let window = Window::new(source, lease, window)?;
        LocationReader::new(location, file, window, self.anchor().event_chunk_size, globals)
    }

    /// What the local definitions say of ids and times; nothing if there are none.
    fn globals(&self, location: u64) -> Result<Globals> {
        let mut globals = Globals::default();
        if !self.options.mapping && !self.options.clock_correction {
            return Ok(globals);
        }
        let file = match self.local_definitions(location) {
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => return Ok(globals),
            file => file?,
        };
        let name = FileName::LocalDefinitions(location);
        let mut lease = self.budget.lease(name, 0)?;
        let mut records = file.records()?;
        while let Some(record) = records.next().transpose().map_err(|error| error.in_file(name))? {
            let error = |problem| Error::format(records.offset(), Some(record.name()), problem).in_file(name);
            match record {
                LocalDefinition::MappingTable(table) if self.options.mapping => {
                    lease.grow(table.id_map.len() * size_of::<(u64, u64)>())?;
                    let is_first = globals.mappings.add(table.mapping_type, &table.id_map);
                    let problem = Problem::DuplicateMappingTable(table.mapping_type);
                    is_first.then_some(()).ok_or_else(|| error(problem))?;
                }
                LocalDefinition::ClockOffset(offset) if self.options.clock_correction => {
                    lease.grow(size_of::<(u64, i64)>())?;
                    globals.clock.add(&offset).map_err(error)?;
                }
                _ => {}
            }
        }
        globals.lease = Some(lease);
        Ok(globals)
    }

    fn is_compressed(&self, file: FileName) -> bool {
        let never = matches!(file, FileName::Anchor | FileName::Markers | FileName::Thumbnail(_));
        !never && self.anchor().compression == Compression::ZLIB
    }

    fn open_file(&self, file: FileName) -> Result<File> {
        if file.location().is_some() && self.anchor().substrate == FileSubstrate::SION {
            return Err(Error::format(0, None, Problem::Sion).in_file(file));
        }
        File::open(self.storage.clone(), file, self.descriptors.clone())
    }

    /// The whole content of a file.
    fn read(&self, file: FileName) -> Result<Whole> {
        self.whole(self.open_file(file)?)
    }

    /// The same, inflated if it is compressed.
    fn whole(&self, file: File) -> Result<Whole> {
        let name = file.name();
        let whole = Whole::read(&file, self.budget.lease(name, 0)?, self.chunk_size(name))?;
        if self.is_compressed(name) { whole.inflated() } else { Ok(whole) }
    }

    fn chunk_size(&self, file: FileName) -> u64 {
        match file {
            FileName::Events(_) | FileName::Snapshots(_) => self.anchor().event_chunk_size,
            FileName::Thumbnail(_) => THUMBNAIL_CHUNK_SIZE,
            _ => self.anchor().definition_chunk_size,
        }
    }
}

/// Opens readers of all these locations, once each; the more there are, the shorter their windows.
fn in_order<F: Family>(
    locations: &[u64],
    open: impl Fn(u64, usize) -> Result<LocationReader<F>>,
) -> Result<InOrder<F>> {
    let mut locations = locations.to_vec();
    locations.sort_unstable();
    locations.dedup();
    let window = (ALL_WINDOWS / locations.len().max(1)).clamp(SHORTEST_WINDOW, WINDOW);
    let readers: Result<Vec<_>> = locations.into_iter().map(|location| open(location, window)).collect();
    Ok(InOrder::new(readers?))
}

/// Folder and name of the archive of an anchor file.
fn parts(anchor: &Path) -> Option<(PathBuf, String)> {
    anchor.extension().filter(|extension| *extension == "otf2" || *extension == "OTF2")?;
    let name = anchor.file_stem()?.to_str()?.to_owned();
    let folder = anchor.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some((folder.to_owned(), name))
}

impl std::fmt::Debug for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Archive").field("anchor", &self.path(FileName::Anchor)).finish_non_exhaustive()
    }
}
