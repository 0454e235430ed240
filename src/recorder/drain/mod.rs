//! The way of the pieces into the event files, and of everything else into the files beside the archive.
//!
//! Locations hand full pieces over; a thread of ours writes them, in order, and gives their memory back. Without the thread (before
//! the archive is open, if none could be made, in the end) whoever hands over does the work itself, unless somebody is at it. Once in
//! an interval what has been committed meanwhile is put into the files as well: that is what survives the node.
//!
//! Invariant: of the pieces of a location a later one is written only after the earlier ones, and a piece is given back only after
//! it was written or its location has ended.

mod nap;
mod own_thread;
mod sides;
mod signals;
mod thread;
mod work;

use core::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Relaxed, Release},
};
use std::{
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError, TryLockError},
    time::Duration,
};

use kymo_otf2::FileName;

#[cfg(all(test, kymo_loom))]
pub(crate) use self::nap::Nap;
pub use self::{sides::Note, signals::QuietFileLimit};
use self::{sides::Sides, thread::WriterThread, work::Work};
use crate::{
    journal::Journal,
    output::Output,
    scratch::{Patch, Pool, Run, ScratchFile, Slots, layout::Slot},
};

/// What a process does about its storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrainSettings {
    /// How often what was committed is put into files.
    pub interval: Duration,
    /// How often the files are made to survive a loss of power, if at all.
    pub sync: Option<Duration>,
}

impl Default for DrainSettings {
    fn default() -> Self {
        Self { interval: Duration::from_secs(1), sync: None }
    }
}

/// The writer of a process, with or without its thread.
#[derive(Debug)]
pub struct Drain {
    pub(crate) pool: &'static Pool,
    pub(crate) slots: Slots,
    journal: Journal,
    output: Output,
    settings: DrainSettings,
    work: Mutex<Work>,
    thread: WriterThread,
    /// All events have been handed over: nobody waits for what is refused now.
    ending: AtomicBool,
}

impl Drain {
    pub(crate) fn new(pool: &'static Pool, slots: Slots, journal: Journal, settings: DrainSettings) -> Self {
        Self {
            pool,
            slots,
            journal,
            output: Output::new(),
            settings,
            work: Mutex::new(Work::default()),
            thread: WriterThread::default(),
            ending: AtomicBool::new(false),
        }
    }

    /// Where the files go.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// The journal.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The memory of the events.
    pub fn pool(&self) -> &'static Pool {
        self.pool
    }

    /// Starts the thread, and keeps the files beside the archive in its folder. The output is open by then. The errors say why there is no
    /// thread, and why there are no such files.
    pub fn start(&'static self, folder: &Path, note: &Note) -> [std::io::Result<()>; 2] {
        let syncs = self.settings.sync.is_some();
        let sides =
            Sides::make(folder, note, self.pool.file(), syncs).map(|sides| self.work().sides = Some(sides));
        [self.thread.start(self), sides]
    }

    /// The same where a recovery finds the scratch file without a note. Files of short processes, of which there can be thousands,
    /// are not made then: they come with the first interval.
    pub fn start_found(&'static self, folder: &Path, note: &Note) -> [std::io::Result<()>; 2] {
        if self.settings.sync.is_some() || self.pool.file().is_none() {
            return self.start(folder, note);
        }
        self.work().planned = Some((folder.to_owned(), *note));
        [self.thread.start(self), Ok(())]
    }

    /// Takes a full piece with what belongs into an earlier place of the file.
    pub(crate) fn hand_over(&self, run: Run, patch: Option<Patch>) {
        let number = run.place().number();
        let handed = self.pool.handed(run.place());
        handed.set_patch(patch);
        handed.set_waits(true);
        self.pool.queue.push(number, self.pool.link(number));
        match self.thread.is_running() {
            true => self.thread.handed(),
            false => self.turn_here(),
        }
    }

    /// Without a thread, writes what was handed over.
    #[cold]
    pub(crate) fn catch_up(&self) {
        if !self.thread.is_running() {
            self.turn_here();
        }
    }

    /// The same as the thread does, in a thread of the program.
    fn turn_here(&self) {
        let _quiet = QuietFileLimit::begin();
        self.turn();
    }

    /// Has what was handed over written now: a location waits for its memory.
    pub(crate) fn hurry(&self) {
        self.thread.wake();
    }

    /// Whether pieces are on their way into files, so that their memory comes back.
    pub(crate) fn is_behind(&self) -> bool {
        let is_writing = || matches!(self.work.try_lock(), Err(TryLockError::WouldBlock));
        self.thread.is_running() && (!self.pool.queue.is_empty() || is_writing())
    }

    /// Whether waiting for a piece to come back makes sense.
    pub(crate) fn frees(&self, slot: &Slot) -> bool {
        self.thread.is_running() && slot.refused.load(Relaxed) == 0 && !self.ending.load(Relaxed)
    }

    /// Writes what was handed over, if nobody is at it and the archive is there.
    fn turn(&self) {
        let Ok(storage) = self.output.storage() else { return };
        let mut work = match self.work.try_lock() {
            Ok(work) => work,
            Err(TryLockError::Poisoned(work)) => work.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        work.turn(self, storage);
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the thread and writes what is left; from now on locations write by themselves. What the storage refuses stays in the scratch
    /// file; without one it is given up. Its locations say so when they close.
    pub fn finish(&self) {
        let _quiet = QuietFileLimit::begin();
        self.thread.stop();
        self.ending.store(true, Release);
        let mut work = self.work();
        if let Ok(storage) = self.output.storage() {
            work.retry(self, storage);
        }
        if !self.pool.survives() {
            work.give_up(self);
        }
    }

    /// Writes a piece at once, as locations do when they close.
    pub(crate) fn write_now(
        &self,
        run: &Run,
        used: usize,
        patch: Option<Patch>,
        file: FileName,
        base: u64,
    ) -> std::io::Result<()> {
        let storage = self.output.storage()?;
        storage.write_at(file, base, run.get(..used).unwrap_or_default())?;
        match patch {
            Some((at, bytes)) => storage.write_at(file, at, &bytes),
            None => Ok(()),
        }
    }

    /// Writes what was handed over and what was committed, once in an interval.
    fn tick(&self, sync: bool) {
        if let Ok(storage) = self.output.storage() {
            self.work().tick(self, storage, sync);
        }
    }

    /// Why the storage refused something, the first time.
    pub(crate) fn refusal(&self) -> Option<std::io::Error> {
        self.work().refusal()
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.ending.load(Acquire)
    }

    /// Takes away what lies beside the complete archive, and the scratch file; the error of the first that stays.
    pub fn clean_up(&self) -> std::io::Result<()> {
        let sides = self.work().sides.take().map_or(Ok(()), Sides::remove);
        sides.and(self.remove_scratch())
    }

    /// Whether recovery finds something of what was recorded.
    pub fn is_recoverable(&self) -> bool {
        self.pool.file().is_some() || self.work().sides.as_ref().is_some_and(Sides::are_there)
    }

    /// Takes the scratch file away.
    pub fn remove_scratch(&self) -> std::io::Result<()> {
        self.pool.file().map_or(Ok(()), ScratchFile::remove)
    }
}
