//! Writes pieces into the event files, and everything else into the side files next to the archive.
//!
//! Locations hand over full pieces. A dedicated thread writes them in order and returns their
//! memory. Without that thread (before the archive is open, if it could not be created, or at the
//! end), the caller that hands over a piece does this work, unless another thread is doing it. Once
//! per interval, data committed in the meantime is also written to the files: these data survive
//! a failure of the node.
//!
//! Invariant: a piece of a location is written only after the location's earlier pieces, and a
//! piece is returned only after it was written or its location has ended.

mod buffers;
mod nap;
mod own_thread;
mod piece;
mod sides;
mod signals;
mod thread;
mod work;
mod writer;

use core::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Relaxed, Release},
};
use std::path::Path;

use kymo_otf2::FileName;

pub(crate) use self::buffers::Buffers;
#[cfg(all(test, kymo_loom))]
pub(crate) use self::nap::Nap;
pub use self::{sides::Note, writer::DrainSettings};
use self::{sides::Sides, thread::WriterThread, writer::Writer};
use crate::{
    file_limit::QuietFileLimit,
    journal::Journal,
    output::Output,
    scratch::{Patch, Pool, Run, ScratchFile, layout::LocationSlot},
};

/// The writer of a process, with or without its thread.
#[derive(Debug)]
pub struct Drain {
    thread: WriterThread,
    /// The thread was ended and is to be started again.
    is_paused: AtomicBool,
    /// Whether all events have been handed over. After that, no location waits for memory.
    ending: AtomicBool,
}

impl Drain {
    pub(crate) fn new(buffers: Buffers, settings: DrainSettings) -> Self {
        Self {
            thread: WriterThread::new(Writer::new(buffers, settings)),
            is_paused: AtomicBool::new(false),
            ending: AtomicBool::new(false),
        }
    }

    fn writer(&self) -> &Writer {
        self.thread.writer()
    }

    fn buffers(&self) -> &Buffers {
        &self.writer().buffers
    }

    /// Returns the output, which the files are written to.
    pub fn output(&self) -> &Output {
        &self.writer().output
    }

    /// Returns the journal.
    pub fn journal(&self) -> &Journal {
        &self.buffers().journal
    }

    /// Returns the pool, which manages the memory of the events.
    pub fn pool(&self) -> &'static Pool {
        self.buffers().pool
    }

    /// Adds a slot for a location, and returns its number, too.
    pub(crate) fn add_slot(&self) -> Option<(u32, &'static LocationSlot)> {
        self.buffers().slots.add(self.pool())
    }

    /// Starts the thread, and creates the side files in the archive's folder. The output must
    /// already be open. The two results report why the thread, or the side files, could not be
    /// created.
    pub fn start(&'static self, folder: &Path, note: &Note) -> [std::io::Result<()>; 2] {
        let syncs = self.writer().settings.sync.is_some();
        let sides = Sides::make(folder, note, self.pool().file(), syncs)
            .map(|sides| self.writer().work().sides = Some(sides));
        [self.thread.start(), sides]
    }

    /// Like [`start`](Self::start), but for a scratch file that recovery finds without a note. The
    /// side files are then created only after the first interval, because short-lived processes
    /// could otherwise create thousands of them.
    pub fn start_found(&'static self, folder: &Path, note: &Note) -> [std::io::Result<()>; 2] {
        if self.writer().settings.sync.is_some() || self.pool().file().is_none() {
            return self.start(folder, note);
        }
        self.writer().work().planned = Some((folder.to_owned(), *note));
        [self.thread.start(), Ok(())]
    }

    /// Ends the thread until [`resume`](Self::resume). Meanwhile, locations write their pieces.
    pub fn pause(&self) {
        if self.thread.stop() {
            self.is_paused.store(true, Relaxed);
        }
    }

    /// Starts the thread again. If the system refuses that, locations continue to write.
    pub fn resume(&'static self) {
        if self.is_paused.swap(false, Relaxed) && !self.is_ending() {
            let _ = self.thread.start();
        }
    }

    /// Takes a full piece, and the patch for an earlier place of the file.
    pub(crate) fn hand_over(&self, run: Run, patch: Option<Patch>) {
        let number = run.position().number();
        let handed = self.pool().handed(run.position());
        handed.set_patch(patch);
        self.pool().queue.push(number, self.pool().link(number));
        match self.thread.is_running() {
            true => self.thread.handed(),
            false => self.turn_here(),
        }
    }

    /// Writes the pieces that were handed over if there is no thread.
    #[cold]
    pub(crate) fn catch_up(&self) {
        if !self.thread.is_running() {
            self.turn_here();
        }
    }

    /// Does the work of the writer's thread in a thread of the program.
    fn turn_here(&self) {
        let _quiet = QuietFileLimit::begin();
        self.writer().turn();
    }

    /// Wakes the writer because a location is waiting for memory.
    pub(crate) fn hurry(&self) {
        self.thread.wake();
    }

    /// Returns whether pieces are on their way into files, so that their memory will be returned.
    pub(crate) fn has_backlog(&self) -> bool {
        self.thread.is_running() && (!self.pool().queue.is_empty() || self.writer().is_writing())
    }

    /// Returns whether waiting for a piece to be returned can succeed.
    pub(crate) fn frees(&self, slot: &LocationSlot) -> bool {
        self.thread.is_running() && slot.refused.load(Relaxed) == 0 && !self.ending.load(Relaxed)
    }

    /// Stops the thread and writes the remaining pieces; from now on, locations write directly.
    /// Pieces that the storage refuses stay in the scratch file. Without a scratch file they are
    /// lost, and their locations report this when they close.
    pub fn finish(&self) {
        let _quiet = QuietFileLimit::begin();
        self.thread.stop();
        self.ending.store(true, Release);
        let mut work = self.writer().work();
        if let Ok(storage) = self.output().storage() {
            work.retry(self.buffers(), storage);
        }
        if !self.pool().survives() {
            work.give_up(self.buffers());
        }
    }

    /// Writes a piece immediately, for a location that is closing.
    pub(crate) fn write_now(
        &self,
        run: &Run,
        used: usize,
        patch: Option<Patch>,
        file: FileName,
        base: u64,
    ) -> std::io::Result<()> {
        let storage = self.output().storage()?;
        storage.write_at(file, base, run.get(..used).unwrap_or_default())?;
        match patch {
            Some((at, bytes)) => storage.write_at(file, at, &bytes),
            None => Ok(()),
        }
    }

    /// Returns the first error with which the storage refused something.
    pub(crate) fn refusal(&self) -> Option<std::io::Error> {
        self.writer().work().refusal()
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.ending.load(Acquire)
    }

    /// Removes the side files next to the complete archive, and the scratch file. Returns the error
    /// for the first of the two that could not be removed.
    pub fn clean_up(&self) -> std::io::Result<()> {
        let sides = self.writer().work().sides.take().map_or(Ok(()), Sides::remove);
        sides.and(self.remove_scratch())
    }

    /// Returns whether recovery would find any recorded data.
    pub fn is_recoverable(&self) -> bool {
        self.pool().file().is_some() || self.writer().work().sides.as_ref().is_some_and(Sides::are_there)
    }

    /// Removes the scratch file.
    pub fn remove_scratch(&self) -> std::io::Result<()> {
        self.pool().file().map_or(Ok(()), ScratchFile::remove)
    }
}
