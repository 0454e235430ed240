//! The archive of all ranks, from its directory to its anchor.
//!
//! It is in `<experiment directory>/kymo`. Its event files are written while the program runs; the
//! definitions and the anchor follow in `write_data`, when everything is known. The anchor is
//! written last: an archive that has one is complete.
//!
//! Invariant: every rank takes the collective steps (opening and finishing the archive) in the same
//! order, even if it contributes nothing, so that no rank waits forever for another.

pub(crate) mod absent;
mod counted;
mod finish;
mod locations;
mod open;
mod seal;

use core::sync::atomic::{
    AtomicBool, AtomicU8, AtomicU64,
    Ordering::{Acquire, Release},
};
use std::sync::{Mutex, MutexGuard, PoisonError};

use std::path::Path;

use kymo_otf2::Storage;
use kymo_recorder::{QuietFileLimit, Track, drain::Note, memory::PageVec, ranks::Ipc};
use kymo_substrate::{Location, report};

use self::open::{Absent, open_storage};
use super::{Life, ranks::HostIpc};
use crate::{BUDGET, NAME, events::Sink, host};

/// The locations of the archive, in the order of their creation.
#[derive(Debug)]
pub(crate) struct Archive {
    locations: Mutex<PageVec<(Location, &'static Track)>>,
    destination: AtomicU8,
    /// Whether the archive is being written or complete.
    written: AtomicBool,
    /// The number of events that were lost because the disk is full.
    lost_to_full_disk: AtomicU64,
}

/// Whether there is a place for the archive. A missing place has been reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Destination {
    /// There is a place, or there will be.
    Here,
    /// There is none for this rank.
    NotHere,
    /// There is none for any rank.
    Nowhere,
}

impl Archive {
    pub(crate) fn new() -> Self {
        Self {
            locations: Mutex::new(PageVec::new(&BUDGET)),
            destination: AtomicU8::new(Destination::Here as u8),
            written: AtomicBool::new(false),
            lost_to_full_disk: AtomicU64::new(0),
        }
    }

    fn destination(&self) -> Destination {
        match self.destination.load(Acquire) {
            0 => Destination::Here,
            1 => Destination::NotHere,
            _ => Destination::Nowhere,
        }
    }

    /// Locks and returns the list of locations.
    fn locations(&self) -> MutexGuard<'_, PageVec<(Location, &'static Track)>> {
        self.locations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Life {
    /// Starts to record a location. Its file is set once its global id is known. A second call for
    /// the same location does nothing.
    pub(crate) fn add_location(&self, location: Location, sink: &Sink) {
        let host = host();
        let mut locations = self.archive.locations();
        if sink.has(location) {
            return;
        }
        // Room is reserved in this list first: the events of a location that is missing from it
        // would be neither archived nor counted as lost.
        let room = locations.len() + 1;
        let added = locations.reserve(room).and_then(|()| {
            let track = sink.add(location)?;
            locations.push((location, track))?;
            self.note_location(location, track, sink);
            // If the archive is not open yet, `open_archive` sets the file.
            if self.drain.output().storage().is_ok() {
                self.set_file(location, track);
            }
            Some(())
        });
        if added.is_none() {
            let number = host.location_id(location).unwrap_or(u32::MAX);
            report(NAME, format_args!("no memory for location {number}; its events are lost"));
        }
    }

    /// Returns a copy of the current list of locations.
    pub(crate) fn recorded_locations(&self) -> Vec<(Location, &'static Track)> {
        self.archive.locations().to_vec()
    }

    fn set_file(&self, location: Location, track: &Track) {
        if let Some(global_id) = host().location_global_id(location) {
            track.file().set(global_id);
        }
    }

    /// Opens the archive, once the host has its directory and each process has its rank.
    pub(crate) fn open_archive(&self) {
        if !self.drain.output().is_ours() {
            return;
        }
        let _quiet = QuietFileLimit::begin();
        let host = host();
        let opened = open_storage(&host);
        let folder = opened.as_ref().ok().map(|(_, folder)| folder.clone());
        let storage = opened.map(|(storage, _)| storage).unwrap_or_else(|absent| {
            let destination = match absent {
                Absent::ForAll(what) => {
                    what.inspect(|what| report(NAME, format_args!("{what}; nothing will be recorded")));
                    absent::is_for_none();
                    Destination::Nowhere
                }
                Absent::Here(what) => {
                    report(NAME, format_args!("{what}; nothing of this process will be recorded"));
                    Destination::NotHere
                }
            };
            self.archive.destination.store(destination as u8, Release);
            self.remove_scratch();
            Box::new(Nowhere)
        });
        self.drain.output().open(storage);
        for &(location, track) in self.archive.locations().iter() {
            self.set_file(location, track);
        }
        if let Some(folder) = folder {
            self.start_writer(&folder);
        }
    }

    /// Ends the writer's thread, if it runs, or starts it again.
    pub(crate) fn pause_writer(&self, pauses: bool) {
        match pauses {
            true => self.drain.pause(),
            false => self.drain.resume(),
        }
    }

    /// Starts the thread that writes pieces while the program runs, and the files for recovery next
    /// to the archive.
    fn start_writer(&self, folder: &Path) {
        let (drain, ipc) = (self.drain, HostIpc::new(host()));
        let note = Note { rank: ipc.rank(), size: ipc.size() };
        if let Some(file) = drain.pool().file() {
            file.set_rank(note.rank);
            file.set_directory(folder);
        }
        // `kymo record` finds the scratch files of its own processes, on the same node and right
        // after they end, so they require no note.
        let is_found = note.size < 2 && is_under_record();
        let [thread, sides] =
            if is_found { drain.start_found(folder, &note) } else { drain.start(folder, &note) };
        if let Err(error) = thread {
            report(NAME, format_args!("no writer thread; the program writes its events itself: {error}"));
        }
        if let Err(error) = sides {
            let folder = folder.display();
            report(NAME, format_args!("cannot keep the files for recovery in {folder}: {error}"));
        }
    }
}

/// Whether `kymo record` has started the program.
fn is_under_record() -> bool {
    std::env::var_os("KYMO_RECORD_DIRECTORY").is_some()
}

/// Replaces a storage that could not be opened. Every write fails, so that memory does not fill up.
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
