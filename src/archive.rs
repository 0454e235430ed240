//! From the end of recording to a finished archive.
//!
//! The archive lies in `<experiment directory>/kymo`. Its event files fill while the program runs; definitions and anchor follow
//! in `write_data`, when everything is known. The anchor comes last: an archive that has one is complete.

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::{
    ffi::{CStr, OsStr},
    hash::{BuildHasher, RandomState},
    os::unix::ffi::OsStrExt,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

use kymo_otf2::{
    Storage,
    definitions::{Location as LocationDefinition, LocationGroup, SystemTreeNode, SystemTreeNodeDomain},
    enums::{LocationGroupType, SystemTreeDomain},
    references::{LocationGroupRef, LocationRef, SystemTreeNodeRef},
    storage::Directory,
};
use kymo_recorder::{
    Closed, Definitions as Log, EventClass, Location as RecordedLocation,
    archive::{Description, GlobalDefinitions, LocalDefinitions},
    memory::PageVec,
};
use kymo_substrate::{Host, Location, report};

use crate::{BUDGET, Kymo, NAME, definitions::Completed, mapping};

/// The locations that make up the archive, in the order of their creation.
#[derive(Debug)]
pub(crate) struct Archive {
    locations: Mutex<PageVec<(Location, &'static RecordedLocation)>>,
    /// There is no place for the archive, which has been reported.
    nowhere: AtomicBool,
    /// The archive is being written, or complete.
    written: AtomicBool,
}

impl Archive {
    pub(crate) fn new() -> Self {
        Self {
            locations: Mutex::new(PageVec::new(&BUDGET)),
            nowhere: AtomicBool::new(false),
            written: AtomicBool::new(false),
        }
    }

    fn locations(&self) -> MutexGuard<'_, PageVec<(Location, &'static RecordedLocation)>> {
        self.locations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the locations left behind, taken together.
#[derive(Debug, Default)]
struct Totals {
    last_time: u64,
    lost: u64,
    /// The first error: location and what happened.
    error: Option<(u32, kymo_otf2::Error)>,
    raised: u64,
    /// Locations with an event that did not end.
    unfinished: u64,
}

impl Kymo {
    /// Starts to record a location; its file follows when its global id is known. A second call changes nothing.
    pub(crate) fn add_location(&self, location: Location) {
        let host = self.host();
        let mut locations = self.archive.locations();
        if locations.iter().any(|(known, _)| known.address() == location.address()) {
            return;
        }
        let added = self.recorder.add_location(location.address()).and_then(|recorded| {
            locations.push((location, recorded))?;
            // Of an archive that is not open yet `open_archive` sets the files.
            if self.recorder.output().storage().is_ok() {
                self.set_file(location, recorded);
            }
            Some(())
        });
        if added.is_none() {
            let number = host.location_id(location).unwrap_or(u32::MAX);
            report(NAME, format_args!("no memory for location {number}: its events are lost"));
        }
    }

    fn set_file(&self, location: Location, recorded: &RecordedLocation) {
        if let Some(global_id) = self.host().location_global_id(location) {
            recorded.file().set(global_id);
        }
    }

    /// Opens the archive, now that the host knows its directory and every process its rank.
    pub(crate) fn open_archive(&self) {
        if !self.recorder.output().is_ours() {
            return;
        }
        let host = self.host();
        let storage = open_storage(&host).unwrap_or_else(|what| {
            report(NAME, format_args!("{what}; nothing will be recorded"));
            self.archive.nowhere.store(true, Relaxed);
            Box::new(Nowhere)
        });
        self.recorder.output().open(storage);
        for &(location, recorded) in self.archive.locations().iter() {
            self.set_file(location, recorded);
        }
    }

    /// Completes all files, once. What was lost is said in one line and in the archive's properties.
    pub(crate) fn write_archive(&self) {
        let output = self.recorder.output();
        if self.archive.nowhere.load(Relaxed) || !output.is_ours() {
            return;
        }
        if output.storage().is_ok() && self.archive.written.swap(true, Relaxed) {
            return;
        }
        let host = self.host();
        if !self.archive.locations().iter().any(|&(location, _)| host.location_global_id(location).is_some())
        {
            return report(
                NAME,
                format_args!("no archive: the host names no locations; all events are lost"),
            );
        }
        match output.storage().map(|storage| self.write_files(storage)) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => report(NAME, format_args!("the archive is not complete: {error}")),
            Err(_) => report(
                NAME,
                format_args!("no archive: the host ends without having initialised its processes"),
            ),
        }
    }

    fn write_files(&self, storage: &dyn Storage) -> kymo_otf2::Result<()> {
        let host = self.host();
        let mut completed =
            self.definitions.complete(&host, &self.release, |address| self.location_number(address));
        if !completed.has_system_tree {
            define_process(&mut completed.log, &host);
        }
        let totals = self.close_locations(&mut completed, &host);
        let (begin, end) = self.time.range(totals.last_time);
        let clock = self.time.properties(&host, (begin, end.max(totals.last_time)));
        let definitions = GlobalDefinitions::from_log(clock, completed.log.log())?;
        // Readers want the offsets at different times.
        let offsets = [(begin, 0), (end, 0)];
        let clock_offsets = if begin < end { &offsets[..] } else { &offsets[..1] };
        let local = LocalDefinitions { mappings: &completed.mappings, clock_offsets };
        for (location, _) in self.archive.locations().iter() {
            let Some(global_id) = host.location_global_id(*location) else { continue };
            local.write(storage, definitions.chunk_size(), global_id)?;
        }
        let lost = totals.lost.to_string();
        let mut properties = self.properties();
        if totals.lost > 0 {
            properties.push(("KYMO::EVENTS_LOST", &lost));
        }
        let description = Description {
            creator: CREATOR,
            properties: &properties,
            trace_id: RandomState::new().hash_one(begin),
        };
        definitions.write(storage, &description)
    }

    fn location_number(&self, address: usize) -> Option<LocationRef> {
        let locations = self.archive.locations();
        let (location, _) = locations.iter().find(|(location, _)| location.address() == address)?;
        self.host().location_global_id(*location).map(LocationRef)
    }

    /// Completes the event files and defines the locations.
    fn close_locations(&self, completed: &mut Completed, host: &Host) -> Totals {
        let mut totals = Totals { lost: self.recorder.homeless(), ..Totals::default() };
        RecordedLocation::shut_all(self.archive.locations().iter().map(|&(_, recorded)| recorded));
        for &(location, recorded) in self.archive.locations().iter() {
            let closed = recorded.close().unwrap_or_else(|| {
                totals.unfinished += 1;
                Closed::default()
            });
            define_location(completed, location, host, closed.events);
            totals.error = totals.error.or_else(|| Some((host.location_id(location)?, closed.error?)));
            totals.last_time = totals.last_time.max(closed.last_time);
            totals.lost += closed.lost + recorded.refused();
            totals.raised += closed.raised;
        }
        match &totals.error {
            Some((number, error)) => report(
                NAME,
                format_args!("{} events were lost, first of location {number}: {error}", totals.lost),
            ),
            None if totals.lost > 0 => report(NAME, format_args!("{} events were lost", totals.lost)),
            None => {}
        }
        if totals.unfinished > 0 {
            report(
                NAME,
                format_args!(
                    "{} locations were still being written to: their events are lost",
                    totals.unfinished
                ),
            );
        }
        if totals.raised > 0 {
            report(
                NAME,
                format_args!(
                    "{} events came with a time before their predecessor's and got that one",
                    totals.raised
                ),
            );
        }
        if completed.log.lost() > 0 {
            report(NAME, format_args!("{} definitions were lost for want of memory", completed.log.lost()));
        }
        if completed.unreadable > 0 {
            report(NAME, format_args!("{} definitions are not as announced: left out", completed.unreadable));
        }
        totals
    }

    /// What the archive promises; all properties that Score-P's own tracing writes.
    fn properties(&self) -> Vec<(&'static str, &str)> {
        let text = |truth| if truth { "true" } else { "false" };
        let completeness = self.recorder.completeness();
        let mut properties: Vec<_> =
            EventClass::ALL.map(|class| (class.property(), text(completeness.is_complete(class)))).to_vec();
        properties.push(("OTF2::PTHREAD_LOCATION_REUSED", text(completeness.is_location_reused())));
        properties
    }
}

/// Who writes the archive.
const CREATOR: &str = concat!("Kymo ", env!("CARGO_PKG_VERSION"));

/// The storage of this process's archive, or why there is none.
///
/// Processes do not share an archive yet: of several each writes one of its own, named by its rank.
fn open_storage(host: &Host) -> Result<Box<dyn Storage>, String> {
    let (size, rank) = (host.ipc_size().unwrap_or(1), host.ipc_rank().unwrap_or(0));
    if size > 1 {
        // Rank 0 makes the experiment directory; the others must not come before it.
        let _ = host.ipc_barrier();
    }
    let directory = host.experiment_dir().ok_or("the host has no experiment directory")?;
    let mut path = Path::new(OsStr::from_bytes(CStr::to_bytes(directory))).join(NAME);
    if size > 1 {
        path.push(format!("rank-{rank}"));
    }
    let open = || -> std::io::Result<Directory> {
        let storage = Directory::make(&path, kymo_otf2::archive::DEFAULT_NAME)?;
        storage.create()?;
        Ok(storage)
    };
    let storage = open().map_err(|error| format!("cannot make an archive in {}: {error}", path.display()))?;
    Ok(Box::new(storage))
}

/// The process as location group below its node: what the public interface does not tell is asked of the system.
fn define_process(log: &mut Log, host: &Host) {
    let node = SystemTreeNodeRef(0);
    let name = log.string(rustix::system::uname().nodename().to_bytes());
    let class_name = log.string(b"node");
    log.define(&SystemTreeNode { id: node, name, class_name, parent: SystemTreeNodeRef::UNDEFINED });
    let system_tree_domain = SystemTreeDomain::SHARED_MEMORY;
    log.define(&SystemTreeNodeDomain { system_tree_node: node, system_tree_domain });
    let name = match (host.ipc_size(), host.ipc_rank()) {
        (Ok(2..), Ok(rank)) => log.string(format!("MPI Rank {rank}").as_bytes()),
        _ => log.string(b"Process"),
    };
    log.define(&LocationGroup {
        id: PROCESS,
        name,
        location_group_type: LocationGroupType::PROCESS,
        system_tree_parent: node,
        creating_location_group: LocationGroupRef::UNDEFINED,
    });
}

/// The location group of this process.
const PROCESS: LocationGroupRef = LocationGroupRef(0);

fn define_location(completed: &mut Completed, location: Location, host: &Host, number_of_events: u64) {
    // Without an id it has no file either, and its events are counted as lost.
    let Some(id) = host.location_global_id(location) else { return };
    let name = completed.log.string(host.location_name(location).map_or(b"", CStr::to_bytes));
    let group = completed.groups.iter().find(|(location, _)| *location == id);
    completed.log.define(&LocationDefinition {
        id: LocationRef(id),
        name,
        location_type: mapping::location_type(host.location_type(location)),
        number_of_events,
        location_group: group.map_or(PROCESS, |(_, group)| *group),
    });
}

/// Takes the place of a storage that could not be opened: every write fails, so that memory does not fill instead.
#[derive(Debug)]
struct Nowhere;

impl Storage for Nowhere {
    fn create(&self) -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }

    fn write_at(&self, _: kymo_otf2::FileName, _: u64, _: &[u8]) -> std::io::Result<()> {
        self.create()
    }

    fn set_len(&self, _: kymo_otf2::FileName, _: u64) -> std::io::Result<()> {
        self.create()
    }

    fn open(&self, _: kymo_otf2::FileName) -> std::io::Result<Box<dyn kymo_otf2::storage::Content>> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
}
