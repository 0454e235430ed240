//! An archive as a whole: its anchor, its definitions, and readers of its locations.
//!
//! Reads what is asked for and keeps nothing but the anchor. All memory that grows with the files comes from one budget.

use super::budget::Budget;
use super::clock::Clock;
use super::definitions::{Global, Streamed};
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
use crate::storage::{self, Directory, Storage};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How an archive is read.
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
    /// Whether the ids in events become global ones, by the mapping tables of their location.
    pub mapping: bool,
    /// Whether the times of events are corrected, by the clock offsets of their location.
    pub clock_correction: bool,
    /// Most memory that the readers of the archive may have together, in bytes.
    pub memory: usize,
    /// Most files of locations that may be open at once, if the process may have twice as many; of the others each piece that is
    /// read costs an `open`.
    pub open_files: usize,
}

impl Default for Options {
    /// Global ids, corrected times, 1 GiB, 256 files.
    fn default() -> Self {
        Options { mapping: true, clock_correction: true, memory: 1 << 30, open_files: 256 }
    }
}

/// Longest window on a file, and of readers in order, which have as many as there are locations, in bytes.
const WINDOW: usize = 64 << 10;
const LONGEST_IN_ORDER: usize = 32 << 10;
/// The memory that all windows of readers in order have together unless records are longer.
const ALL_WINDOWS: usize = 8 << 20;
const SHORTEST_WINDOW: usize = 4 << 10;
/// Most bytes that a byte of an anchor costs while the names of its properties are compared.
const NAMES: usize = 3;
/// About the bytes of what belongs to an open file.
const OPEN_FILE: usize = 128;

/// An archive that is read.
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
/// Damaged archives are read as far as they are good; the error says where that ends:
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

/// What the anchor says of how files are read.
#[derive(Debug, Clone, Copy)]
struct Layout {
    event_chunk_size: u64,
    definition_chunk_size: u64,
    is_compressed: bool,
    /// The files of locations lie in containers.
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
        // The other half of those that the process may have is for others.
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

    /// The same archive with ids and times as they are in its files. Both share their memory and open files.
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

    /// The content of the anchor file.
    pub fn anchor(&self) -> Anchor<'_> {
        // It was read when the archive was opened.
        super::anchor(&self.anchor.bytes).unwrap_or_default()
    }

    /// Path of a file of the archive.
    pub fn path(&self, file: FileName) -> PathBuf {
        self.folder.join(file.path(&self.name).to_string())
    }

    /// The global definitions.
    pub fn global_definitions(&self) -> Result<GlobalDefinitions> {
        self.read(FileName::GlobalDefinitions).map(GlobalDefinitions)
    }

    /// Calls `visit` with each global definition up to the end of the file; the fastest way to read them, which takes little memory
    /// however many there are. An error ends it, one of `visit` as well.
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
        let file = FileName::GlobalDefinitions;
        let window = self.window(file, WINDOW)?;
        Streamed::new(file, window, self.layout.definition_chunk_size)?.each::<Global, E>(visit)
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
        let mut lease = self.budget.lease(FileName::GlobalDefinitions, 0)?;
        self.each_global_definition(|record| match record {
            GlobalDefinition::Location(location) => lease.push(&mut locations, location.id.0),
            _ => Ok(()),
        })?;
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
        self.in_order(locations, |location, window| self.events_through(location, window))
    }

    /// The snapshots of these locations in the order of time.
    pub fn snapshots_in_order(&self, locations: &[u64]) -> Result<InOrder<Snapshots>> {
        self.in_order(locations, |location, window| {
            self.reader(location, FileName::Snapshots(location), window, Globals::default())
        })
    }

    /// Opens readers of all these locations, once each; the more there are, the shorter their windows. A bad file ends its location
    /// only.
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

    /// A window on a file, with the memory that belongs to it.
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
        while let Some(record) = records.next().transpose()? {
            match record {
                LocalDefinition::MappingTable(table) if self.options.mapping => {
                    lease.grow(globals.mappings.memory_for(table.mapping_type, &table.id_map))?;
                    // Of several tables for the same ids libotf2 goes on with the first, too.
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
            FileName::Events(_) | FileName::Snapshots(_) => self.layout.event_chunk_size,
            FileName::Thumbnail(_) => THUMBNAIL_CHUNK_SIZE,
            _ => self.layout.definition_chunk_size,
        }
    }
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
