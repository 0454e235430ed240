//! An archive as a whole: its anchor, its definitions, and readers of its locations.
//!
//! Files are read on request; only the anchor stays in memory. All memory that grows with the files
//! is taken from one budget.

use super::budget::Budget;
use super::clock::Clock;
use super::definitions::{DefinitionFile, DefinitionReader, kind};
use super::family::{Events, Family, Snapshots};
use super::globals::Globals;
use super::location::LocationReader;
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
use crate::storage::{self, Directory, Storage};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The options for reading an archive.
///
/// ```
/// use kymo_otf2::read::Options;
///
/// // Records as they are in the files, with 16 MiB of memory.
/// let options = Options { mapping: false, clock_correction: false, memory: 16 << 20, ..Options::default() };
/// assert_eq!(options.open_files, 256);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Whether ids in events are mapped to global ids, with the mapping tables of their location.
    pub mapping: bool,
    /// Whether the times of events are corrected, with the clock offsets of their location.
    pub clock_correction: bool,
    /// The most memory that all readers of the archive may use together, in bytes.
    pub memory: usize,
    /// The most files that stay open at the same time, but at most half of the descriptor limit of
    /// the process. Each read from another file opens that file again.
    pub open_files: usize,
}

impl Default for Options {
    /// Returns options for global ids, corrected times, 1 GiB of memory and 256 open files.
    fn default() -> Self {
        Options { mapping: true, clock_correction: true, memory: 1 << 30, open_files: 256 }
    }
}

/// The longest window on a file, in bytes. A reader in order has a window for each location, so its
/// windows are shorter.
const WINDOW: usize = 64 << 10;
const LONGEST_IN_ORDER: usize = 32 << 10;
/// The total size of the windows of a reader in order, unless records are longer.
const ALL_WINDOWS: usize = 8 << 20;
const SHORTEST_WINDOW: usize = 4 << 10;
/// The most memory per byte of the anchor that comparing the names of its properties takes, in
/// bytes.
const NAMES: usize = 3;
/// The approximate memory that belongs to an open file, in bytes.
const OPEN_FILE: usize = 128;

/// An archive that is open for reading.
///
/// ```
/// # fn main() -> kymo_otf2::Result<()> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-record/traces.otf2");
/// use kymo_otf2::definitions::GlobalDefinition;
/// use kymo_otf2::read::Archive;
///
/// let archive = Archive::open(path)?;
/// assert_eq!(archive.anchor().number_of_global_definitions, 38);
/// let definitions = archive.global_definitions()?;
/// for record in definitions.records()? {
///     match record? {
///         GlobalDefinition::String(string) => println!("{}: {}", string.id.0, string.string),
///         GlobalDefinition::Region(region) => println!("{}: {:?}", region.id.0, region.region_role),
///         _ => {}
///     }
/// }
/// # Ok(())
/// # }
/// ```
///
/// A damaged archive is read up to the damage; the error contains its offset:
///
/// ```
/// # fn main() -> kymo_otf2::Result<()> {
/// # use kymo_otf2::{Anchor, FileName, storage::{Memory, Storage}, write::anchor::anchor_bytes};
/// # let storage = Memory::new();
/// # storage.create().expect("a new archive");
/// # storage.write_at(FileName::Anchor, 0, &anchor_bytes(&Anchor::default())?).expect("room");
/// use kymo_otf2::read::{Archive, Options};
///
/// // One event, Enter, and then the file ends.
/// let bytes = [3, 0x42, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 12, 0];
/// storage.write_at(FileName::Events(5), 0, &bytes).expect("room");
///
/// let archive = Archive::in_storage(std::sync::Arc::new(storage), Options::default())?;
/// let mut events = archive.events(5)?;
/// assert!(events.next()?.is_some());
/// let error = events.next().unwrap_err();
/// assert_eq!(error.to_string(), "traces/5.evt: byte 20: no end-of-file mark (0x02)");
/// # Ok(())
/// # }
/// ```
pub struct Archive {
    storage: Arc<dyn Storage>,
    anchor: Arc<Whole>,
    folder: PathBuf,
    name: String,
    layout: Layout,
    options: Options,
    budget: Budget,
    descriptors: Descriptors,
}

/// The properties in the anchor that determine how files are read.
#[derive(Debug, Clone, Copy)]
struct Layout {
    event_chunk_size: u64,
    definition_chunk_size: u64,
    is_compressed: bool,
    /// Whether the files of locations are in SION containers.
    is_sion: bool,
}

impl Layout {
    fn of(anchor: &Anchor<'_>) -> Layout {
        Layout {
            event_chunk_size: anchor.event_chunk_size,
            definition_chunk_size: anchor.definition_chunk_size,
            is_compressed: anchor.compression == Compression::ZLIB,
            is_sion: anchor.substrate == FileSubstrate::SION,
        }
    }
}

impl Archive {
    /// Opens the archive with this anchor file.
    pub fn open(path: impl AsRef<Path>) -> Result<Archive> {
        Self::open_with(path, Options::default())
    }

    /// Opens the archive with this anchor file, with options.
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
        // The other half of the process's descriptors is left for other uses.
        let descriptors = Descriptors::new(options.open_files.min(storage::descriptor_limit() / 2));
        let file = File::open(storage.clone(), FileName::Anchor, descriptors.clone())?;
        let anchor = Arc::new(Whole::read(&file, budget.lease(FileName::Anchor, 0)?, 0)?);
        let layout = {
            let _names = budget.lease(FileName::Anchor, anchor.bytes.len().saturating_mul(NAMES))?;
            let anchor = super::anchor(&anchor.bytes).map_err(|error| error.in_file(FileName::Anchor))?;
            Layout::of(&anchor)
        };
        Ok(Archive { storage, anchor, folder, name, layout, options, budget, descriptors })
    }

    /// Returns a reader of the same archive that leaves ids and times as they are in the files.
    /// Both share their memory and open files.
    #[must_use]
    pub fn as_written(&self) -> Archive {
        Archive {
            storage: self.storage.clone(),
            anchor: self.anchor.clone(),
            folder: self.folder.clone(),
            name: self.name.clone(),
            layout: self.layout,
            options: Options { mapping: false, clock_correction: false, ..self.options.clone() },
            budget: self.budget.clone(),
            descriptors: self.descriptors.clone(),
        }
    }

    /// Returns the content of the anchor file.
    pub fn anchor(&self) -> Anchor<'_> {
        // The anchor was parsed successfully when the archive was opened.
        super::anchor(&self.anchor.bytes).unwrap_or_default()
    }

    /// Returns the path of a file of the archive.
    pub fn path(&self, file: FileName) -> PathBuf {
        self.folder.join(file.path(&self.name).to_string())
    }

    /// Reads the global definitions.
    pub fn global_definitions(&self) -> Result<GlobalDefinitions> {
        self.read(FileName::GlobalDefinitions).map(GlobalDefinitions)
    }

    /// Calls `visit` with each global definition in the file. This is the fastest way to read them,
    /// and its memory use does not grow with their number. Stops at the first error, including an
    /// error of `visit`.
    ///
    /// ```
    /// # fn main() -> kymo_otf2::Result<()> {
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-record/traces.otf2");
    /// # let archive = kymo_otf2::read::Archive::open(path)?;
    /// use kymo_otf2::definitions::GlobalDefinition;
    ///
    /// let mut regions = 0;
    /// archive.each_global_definition(|definition| {
    ///     regions += u32::from(matches!(definition, GlobalDefinition::Region(_)));
    ///     Ok::<_, kymo_otf2::Error>(())
    /// })?;
    /// assert_eq!(regions, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn each_global_definition<E: From<Error>>(
        &self,
        visit: impl FnMut(&GlobalDefinition<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.global_definition_reader()?.each(visit)
    }

    /// Opens the global definitions, to read them one by one.
    pub fn global_definition_reader(&self) -> Result<DefinitionReader<kind::Global>> {
        self.definition_reader(FileName::GlobalDefinitions)
    }

    /// Opens the local definitions of a location, to read them one by one.
    pub fn local_definition_reader(&self, location: u64) -> Result<DefinitionReader<kind::Local>> {
        self.definition_reader(FileName::LocalDefinitions(location))
    }

    /// Opens the markers, to read them one by one.
    pub fn marker_reader(&self) -> Result<DefinitionReader<kind::Markers>> {
        self.definition_reader(FileName::Markers)
    }

    /// Opens the thumbnail of this number, counted from 0, to read its records one by one.
    pub fn thumbnail_reader(&self, number: u32) -> Result<DefinitionReader<kind::Thumbnails>> {
        self.definition_reader(FileName::Thumbnail(number))
    }

    fn definition_reader<K: DefinitionFile>(&self, file: FileName) -> Result<DefinitionReader<K>> {
        DefinitionReader::new(file, self.window(file, WINDOW)?, self.chunk_size(file))
    }

    /// Reads the local definitions of a location. Many archives have no such file for some
    /// locations.
    pub fn local_definitions(&self, location: u64) -> Result<LocalDefinitions> {
        self.read(FileName::LocalDefinitions(location)).map(LocalDefinitions)
    }

    /// Reads the markers.
    pub fn markers(&self) -> Result<Markers> {
        self.read(FileName::Markers).map(Markers)
    }

    /// Reads the thumbnail of this number, counted from 0.
    pub fn thumbnail(&self, number: u32) -> Result<Thumbnail> {
        self.read(FileName::Thumbnail(number)).map(Thumbnail)
    }

    /// Returns the ids of the locations that the global definitions define, in the order of their
    /// definitions.
    pub fn locations(&self) -> Result<Vec<u64>> {
        let mut locations = Vec::new();
        let mut lease = self.budget.lease(FileName::GlobalDefinitions, 0)?;
        self.each_global_definition(|record| match record {
            GlobalDefinition::Location(location) => lease.push(&mut locations, location.id.0),
            _ => Ok(()),
        })?;
        Ok(locations)
    }

    /// Opens the events of a location.
    pub fn events(&self, location: u64) -> Result<LocationReader<Events>> {
        self.events_through(location, WINDOW)
    }

    /// Opens the snapshots of a location.
    pub fn snapshots(&self, location: u64) -> Result<LocationReader<Snapshots>> {
        self.reader(location, FileName::Snapshots(location), WINDOW, Globals::default())
    }

    /// Opens the events of these locations, in the order of time.
    pub fn events_in_order(&self, locations: &[u64]) -> Result<InOrder<Events>> {
        self.in_order(locations, |location, window| self.events_through(location, window))
    }

    /// Like [`events_in_order`](Self::events_in_order), but leaves out events before a time, in
    /// ticks: those of a location that precede its last snapshot at or before that time. All events
    /// at or after the time are delivered, and a few before it. Without snapshots, and for
    /// locations whose snapshots cannot be used, no event is left out.
    ///
    /// ```
    /// # fn main() -> kymo_otf2::Result<()> {
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-record/traces.otf2");
    /// # let archive = kymo_otf2::read::Archive::open(path)?;
    /// let locations = [0, 4294967301];
    /// let (mut all, mut late) = (archive.events_in_order(&locations)?, 0);
    /// while let Some((_, event)) = all.next()? {
    ///     late += u32::from(event.time >= 100);
    /// }
    /// let (mut some, mut found) = (archive.events_in_order_from(&locations, 100)?, 0);
    /// while let Some((_, event)) = some.next()? {
    ///     found += u32::from(event.time >= 100);
    /// }
    /// assert_eq!(found, late);
    /// # Ok(())
    /// # }
    /// ```
    pub fn events_in_order_from(&self, locations: &[u64], time: u64) -> Result<InOrder<Events>> {
        // The times of snapshots are corrected times.
        let has_snapshots = self.anchor().number_of_snapshots > 0 && self.options.clock_correction;
        if time == 0 || !has_snapshots {
            return self.events_in_order(locations);
        }
        self.in_order(locations, |location, window| {
            let mut events = self.events_through(location, window)?;
            match self.is_positioned(&mut events, time, window) {
                // Readers in order find fewer events ahead.
                true => events.find_again(1).map(|()| events),
                false => self.events_through(location, window),
            }
        })
    }

    /// Goes to the last snapshot of a location at or before a time. Returns false if that cannot be
    /// done; the position is then undefined.
    fn is_positioned(&self, events: &mut LocationReader<Events>, time: u64, window: usize) -> bool {
        let file = FileName::Snapshots(events.location());
        let snapshots = self.reader::<Snapshots>(events.location(), file, window, Globals::default());
        let position = snapshots.and_then(|mut snapshots| snapshots.position_at(time));
        // Whatever is wrong with the snapshots does not affect the events.
        match position {
            Ok(Some((time, number))) => events.continue_at(number, time).unwrap_or(false),
            _ => false,
        }
    }

    /// Opens the snapshots of these locations, in the order of time.
    pub fn snapshots_in_order(&self, locations: &[u64]) -> Result<InOrder<Snapshots>> {
        self.in_order(locations, |location, window| {
            self.reader(location, FileName::Snapshots(location), window, Globals::default())
        })
    }

    /// Sorts the records that readers of this archive have not delivered by time.
    pub fn in_order_of<F: Family>(&self, readers: Vec<LocationReader<F>>) -> Result<InOrder<F>> {
        let most = readers.len().saturating_mul(InOrder::<F>::memory(readers.len()));
        InOrder::of(readers, self.budget.lease(FileName::GlobalDefinitions, most)?)
    }

    /// Opens a reader for each of these locations; the more locations, the shorter their windows.
    /// An invalid file ends only its own location.
    fn in_order<F: Family>(
        &self,
        locations: &[u64],
        open: impl Fn(u64, usize) -> Result<LocationReader<F>>,
    ) -> Result<InOrder<F>> {
        let most = locations.len().saturating_mul(size_of::<u64>() + InOrder::<F>::memory(locations.len()));
        let lease = self.budget.lease(FileName::GlobalDefinitions, most)?;
        let mut locations = locations.to_vec();
        locations.sort_unstable();
        locations.dedup();
        let window = (ALL_WINDOWS / locations.len().max(1)).clamp(SHORTEST_WINDOW, LONGEST_IN_ORDER);
        let mut all = InOrder::new(locations.len(), lease);
        for location in locations {
            match open(location, window) {
                Ok(reader) => all.add(reader),
                Err(fault @ (Error::Io { .. } | Error::Format(_))) => all.add_fault(fault),
                Err(error) => return Err(error),
            }
        }
        Ok(all)
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
        let window = self.window(file, window)?;
        LocationReader::new(location, file, window, self.layout.event_chunk_size, globals)
    }

    /// Opens a window on a file and takes the memory that belongs to it.
    fn window(&self, file: FileName, size: usize) -> Result<Window> {
        let itself = self.budget.lease(file, OPEN_FILE)?;
        let opened = self.open_file(file)?;
        let source = match self.is_compressed(file) {
            true => self.whole(opened)?.into_source(),
            false => Source::File(opened),
        };
        let first = if size == WINDOW { SHORTEST_WINDOW } else { size };
        Window::new(source, itself, first, size)
    }

    /// Reads the mapping tables and clock offsets from the local definitions of a location; returns
    /// an empty value if there are none.
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
        while let Some(record) = records.next().transpose()? {
            match record {
                LocalDefinition::MappingTable(table) if self.options.mapping => {
                    lease.grow(globals.mappings.memory_for(table.mapping_type, &table.id_map))?;
                    // If there are several tables for the same ids, the first applies, as in
                    // libotf2.
                    globals.mappings.add(table.mapping_type, &table.id_map);
                }
                LocalDefinition::ClockOffset(offset) if self.options.clock_correction => {
                    lease.grow(Clock::MEMORY)?;
                    globals.clock.add(&offset).map_err(|problem| {
                        Error::format(records.offset(), Some(record.name()), problem).in_file(name)
                    })?;
                }
                _ => {}
            }
        }
        globals.lease = Some(lease);
        Ok(globals)
    }

    fn is_compressed(&self, file: FileName) -> bool {
        let never = matches!(file, FileName::Anchor | FileName::Markers | FileName::Thumbnail(_));
        !never && self.layout.is_compressed
    }

    fn open_file(&self, file: FileName) -> Result<File> {
        if file.location().is_some() && self.layout.is_sion {
            return Err(Error::format(0, None, Problem::Sion).in_file(file));
        }
        File::open(self.storage.clone(), file, self.descriptors.clone())
    }

    /// Reads the whole content of a file.
    fn read(&self, file: FileName) -> Result<Whole> {
        self.whole(self.open_file(file)?)
    }

    /// Reads the whole content of an open file and inflates it if it is compressed.
    fn whole(&self, file: File) -> Result<Whole> {
        let name = file.name();
        let whole = Whole::read(&file, self.budget.lease(name, 0)?, self.chunk_size(name))?;
        if self.is_compressed(name) { whole.inflated() } else { Ok(whole) }
    }

    fn chunk_size(&self, file: FileName) -> u64 {
        match file {
            FileName::Events(_) | FileName::Snapshots(_) => self.layout.event_chunk_size,
            FileName::Thumbnail(_) => THUMBNAIL_CHUNK_SIZE,
            _ => self.layout.definition_chunk_size,
        }
    }
}

/// Returns the folder and the name of the archive with this anchor file.
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
