//! The writer's work: moving pieces into the event files.

use core::sync::atomic::Ordering::{Relaxed, Release};
use std::{
    io::{self, IoSlice},
    path::PathBuf,
};

use kymo_otf2::{Storage, hash::HashMap};

use super::{
    buffers::Buffers,
    piece::{PublishedPiece, drain_piece, event_file, length},
    sides::{Note, Sides},
};
use crate::scratch::{
    Run,
    layout::{Descriptor, LocationSlot},
};

/// The writer's state.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) sides: Option<Sides>,
    /// The folder and the note for side files that are not created yet.
    pub(super) planned: Option<(PathBuf, Note)>,
    /// `first` and `last` are the index plus 1 of the first and the last slot with waiting runs; 0
    /// if there are none.
    first: u32,
    last: u32,
    /// How much of the pieces that are not full yet has been written to their files, by position.
    drained: HashMap<u32, PublishedPiece>,
    /// The first refusal: the system's error number and the kind of the error.
    refusal: Option<(Option<i32>, io::ErrorKind)>,
}

/// The number of blocks to keep free, so that locations never have to ask the system.
const LOW: usize = 6;
/// How many blocks to take from the system in one step, in order of preference.
const GROWTH: [usize; 3] = [16, 4, 1];

impl Work {
    /// Writes the pieces that were handed over.
    pub(super) fn turn(&mut self, buffers: &Buffers, storage: &dyn Storage) {
        self.take_in(buffers);
        self.write_waiting(buffers, storage);
        keep_some_free(buffers);
    }

    /// Like [`turn`](Self::turn), but also retries the pieces that the storage refused before.
    pub(super) fn retry(&mut self, buffers: &Buffers, storage: &dyn Storage) {
        let mut next = self.first;
        while let Some(slot) = slot_after(buffers, next) {
            slot.refused.store(0, Relaxed);
            next = slot.next.load(Relaxed);
        }
        self.turn(buffers, storage);
    }

    /// Moves the queue, newest run first, into the lists of waiting runs.
    pub(super) fn take_in(&mut self, buffers: &Buffers) {
        let link = |number| buffers.pool.link(number);
        let (mut number, mut newer) = (buffers.pool.queue.take_all(), 0);
        while number != 0 {
            let older = link(number).swap(newer, Relaxed);
            (newer, number) = (number, older);
        }
        let mut number = newer;
        while number != 0 {
            let next = link(number).swap(0, Relaxed);
            self.append(buffers, number);
            number = next;
        }
    }

    fn append(&mut self, buffers: &Buffers, number: u32) {
        let index = buffers.pool.descriptor(number).location.load(Relaxed);
        let Some(slot) = buffers.slots.get(index) else { return };
        if join(buffers, slot, number) {
            return buffers.pool.give_back(buffers.pool.handed_over(number));
        }
        buffers.pool.handed_at(number).set_waits(true);
        match slot.newest.swap(number, Relaxed) {
            0 => {
                slot.oldest.store(number, Relaxed);
                self.append_slot(buffers, slot, index + 1);
            }
            newest => buffers.pool.link(newest).store(number, Relaxed),
        }
    }

    fn append_slot(&mut self, buffers: &Buffers, slot: &LocationSlot, number: u32) {
        slot.next.store(0, Relaxed);
        match slot_after(buffers, core::mem::replace(&mut self.last, number)) {
            None => self.first = number,
            Some(last) => last.next.store(number, Relaxed),
        }
    }

    /// Writes the waiting runs of each location in order. After a refusal, the location's remaining
    /// runs keep waiting.
    fn write_waiting(&mut self, buffers: &Buffers, storage: &dyn Storage) {
        let mut number = core::mem::take(&mut self.first);
        self.last = 0;
        while let Some(slot) = slot_after(buffers, number) {
            let next = slot.next.load(Relaxed);
            while slot.oldest.load(Relaxed) != 0
                && slot.refused.load(Relaxed) == 0
                && self.is_written(buffers, storage, slot)
            {}
            if slot.oldest.load(Relaxed) != 0 {
                slot.refused.store(1, Relaxed);
                self.append_slot(buffers, slot, number);
            }
            number = next;
        }
    }

    /// Writes the oldest runs of a location. Returns whether that succeeded.
    fn is_written(&mut self, buffers: &Buffers, storage: &dyn Storage, slot: &LocationSlot) -> bool {
        let written = Batch::of(buffers, slot).write(buffers, storage, slot);
        if let Err(error) = &written {
            self.refusal.get_or_insert((error.raw_os_error(), error.kind()));
        }
        written.is_ok()
    }

    /// Returns the first error with which the storage refused something.
    pub(super) fn refusal(&self) -> Option<io::Error> {
        let (number, kind) = self.refusal?;
        Some(number.map_or_else(|| kind.into(), io::Error::from_raw_os_error))
    }

    /// Writes data committed since the last tick to the files, including that of pieces that are
    /// not full, and updates the side files. If `sync` is true, also syncs them to disk.
    pub(super) fn tick(&mut self, buffers: &Buffers, storage: &dyn Storage, sync: bool) {
        self.retry(buffers, storage);
        let drained = self.drain_pieces(buffers, storage);
        self.turn(buffers, storage);
        let mut pieces: HashMap<u32, Vec<PublishedPiece>> = HashMap::default();
        for piece in drained.values() {
            pieces.entry(piece.location).or_default().push(*piece);
        }
        self.drained = drained;
        let lengths = pieces
            .into_iter()
            .filter_map(|(location, pieces)| Some((location, length(buffers.slots.get(location)?, pieces))));
        let lengths = lengths.collect();
        if let Some((folder, note)) = self.planned.take() {
            // The scratch file exists even if they cannot be created.
            self.sides = Sides::make(&folder, &note, buffers.pool.file(), false).ok();
        }
        if let Some(sides) = &mut self.sides {
            sides.update(buffers, &lengths);
            // A failure is retried at the next tick. The data recorded as synced before are still
            // on the disk.
            if sync && sync_files(buffers, storage).is_ok() {
                let _ = sides.sync();
            }
        }
    }

    /// Writes the committed part of all pieces that no location has handed over, and returns how
    /// much of each is in its file. Pieces that are begun meanwhile are left to the next tick: if
    /// the storage is slow, the locations may begin them faster than they can be written.
    fn drain_pieces(&mut self, buffers: &Buffers, storage: &dyn Storage) -> HashMap<u32, PublishedPiece> {
        let mut begun = Vec::new();
        buffers.pool.each_run(|number, descriptor, content| {
            begun.extend(PublishedPiece::read(descriptor).map(|piece| (number, piece, descriptor, content)));
        });
        let mut drained = HashMap::default();
        for (number, piece, descriptor, content) in begun {
            // Pieces handed over meanwhile are written later, several at a time.
            self.take_in(buffers);
            let before = self.drained.get(&number).copied().filter(|before| before.begins(&piece));
            let waits = buffers.pool.handed_at(number).waits();
            let written = (!waits).then(|| drain_piece(buffers, storage, descriptor, content, piece, before));
            drained.extend(written.flatten().or(before).map(|piece| (number, piece)));
        }
        drained
    }

    /// Gives back the waiting runs without writing them.
    pub(super) fn give_up(&mut self, buffers: &Buffers) {
        self.take_in(buffers);
        let mut next = core::mem::take(&mut self.first);
        self.last = 0;
        while let Some(slot) = slot_after(buffers, next) {
            slot.refused.store(1, Relaxed);
            while let Some(run) = take_oldest(buffers, slot) {
                buffers.pool.give_back(run);
            }
            next = slot.next.load(Relaxed);
        }
    }
}

/// Returns the slot that a link in the list of slots refers to, which is its index plus 1. Returns
/// `None` at the end of the list.
fn slot_after(buffers: &Buffers, number: u32) -> Option<&'static LocationSlot> {
    buffers.slots.get(number.checked_sub(1)?)
}

/// Removes and returns the oldest waiting run of a location.
fn take_oldest(buffers: &Buffers, slot: &LocationSlot) -> Option<Run> {
    let number = slot.oldest.load(Relaxed);
    if number == 0 {
        return None;
    }
    let next = buffers.pool.link(number).swap(0, Relaxed);
    slot.oldest.store(next, Relaxed);
    if next == 0 {
        slot.newest.store(0, Relaxed);
    }
    Some(buffers.pool.handed_over(number))
}

/// Runs of a location that are written together: each continues where the previous one ends.
struct Batch {
    runs: [Run; MOST_TOGETHER],
    count: usize,
    /// Their offset in the file.
    base: u64,
    length: u64,
}

/// With pieces of the usual size, the runs of a batch are as long as a chunk.
const MOST_TOGETHER: usize = 16;

impl Batch {
    /// Collects the oldest runs of a location.
    fn of(buffers: &Buffers, slot: &LocationSlot) -> Self {
        let mut this = Self { runs: [const { Run::none() }; MOST_TOGETHER], count: 0, base: 0, length: 0 };
        let mut number = slot.oldest.load(Relaxed);
        while number != 0 && this.count < MOST_TOGETHER {
            let descriptor = buffers.pool.descriptor(number);
            let (base, used) = (descriptor.base.load(Relaxed), descriptor.committed.load(Relaxed));
            match this.count {
                0 => this.base = base,
                _ if base != this.base + this.length => break,
                _ => {}
            }
            this.runs[this.count] = buffers.pool.handed_over(number);
            (this.count, this.length) = (this.count + 1, this.length + used);
            number = buffers.pool.link(number).load(Relaxed);
        }
        this
    }

    fn write(&self, buffers: &Buffers, storage: &dyn Storage, slot: &LocationSlot) -> io::Result<()> {
        let file = event_file(slot).ok_or(io::ErrorKind::NotConnected)?;
        if self.base > slot.length.load(Relaxed) {
            // Writing would leave a hole in the file. Leave the file and the runs as they are.
            return Err(io::ErrorKind::InvalidData.into());
        }
        let runs = &self.runs[..self.count];
        let mut parts = [IoSlice::new(&[]); MOST_TOGETHER];
        for (part, run) in parts.iter_mut().zip(runs) {
            let used = run.descriptor().map_or(0, |descriptor| descriptor.committed.load(Relaxed));
            *part = IoSlice::new(run.get(..used as usize).unwrap_or_default());
        }
        storage.write_all_at(file, self.base, &mut parts[..self.count])?;
        for run in runs {
            if let Some((at, bytes)) = buffers.pool.handed(run.position()).patch() {
                storage.write_at(file, at, &bytes)?;
            }
        }
        for _ in runs {
            if let Some(run) = take_oldest(buffers, slot) {
                give_back_written(buffers, slot, run);
            }
        }
        Ok(())
    }
}

/// Gives back a run that is in its file.
fn give_back_written(buffers: &Buffers, slot: &LocationSlot, run: Run) {
    if let Some(descriptor) = run.descriptor() {
        let (base, used) = (descriptor.base.load(Relaxed), descriptor.committed.load(Relaxed));
        let sequence = descriptor.sequence.load(Relaxed);
        if descriptor.mark_used.load(Relaxed) != 0 {
            keep_mark(slot, descriptor, base, sequence);
        }
        slot.length.store(base + used, Relaxed);
        slot.written.store(sequence, Release);
    }
    buffers.pool.give_back(run);
}

/// Appends a run to the newest waiting run of its location, if it continues that run and there is
/// room. Returns whether it did. A location that pauses often hands over runs that are nearly
/// empty; if the storage does not keep up, they would fill the memory.
fn join(buffers: &Buffers, slot: &LocationSlot, number: u32) -> bool {
    let waiting = slot.newest.load(Relaxed);
    if waiting == 0 {
        return false;
    }
    let (mut to, from) = (buffers.pool.handed_over(waiting), buffers.pool.handed_over(number));
    let (target, source) = (buffers.pool.descriptor(waiting), buffers.pool.descriptor(number));
    let [used, more] = [target, source].map(|descriptor| descriptor.committed.load(Relaxed) as usize);
    let patches = [&to, &from].map(|run| buffers.pool.handed(run.position()).patch());
    let continues = target.base.load(Relaxed) + used as u64 == source.base.load(Relaxed);
    let (Some(room), Some(bytes)) = (to.get_mut(used..used + more), from.get(..more)) else { return false };
    if !continues || patches.iter().all(Option::is_some) {
        return false;
    }
    room.copy_from_slice(bytes);
    // Until the source is given back, both runs contain these bytes for the same place in the file.
    to.commit(used + more);
    let position = to.position();
    buffers.pool.handed(position).set_patch(patches[0].or(patches[1]));
    target.sequence.store(source.sequence.load(Relaxed), Relaxed);
    let mark = source.mark_used.load(Relaxed);
    if mark != 0 {
        let numbers = |it: &'static Descriptor| [&it.mark_events, &it.mark_time, &it.mark_chunk];
        let pairs = numbers(target).into_iter().zip(numbers(source));
        for (to, from) in pairs {
            to.store(from.load(Relaxed), Relaxed);
        }
        target.mark_used.store(used as u32 + mark, Relaxed);
    }
    true
}

fn keep_mark(slot: &LocationSlot, descriptor: &Descriptor, base: u64, sequence: u64) {
    let marks = [
        base + u64::from(descriptor.mark_used.load(Relaxed)),
        descriptor.mark_events.load(Relaxed),
        descriptor.mark_time.load(Relaxed),
        descriptor.mark_chunk.load(Relaxed),
    ];
    for (place, value) in slot.mark.iter().zip(marks) {
        place.store(value, Relaxed);
    }
    slot.mark_sequence.store(sequence, Relaxed);
}

/// Syncs the event files, and their names, to disk.
fn sync_files(buffers: &Buffers, storage: &dyn Storage) -> io::Result<()> {
    for number in 0..buffers.slots.count() {
        let Some(file) = buffers.slots.get(number).and_then(event_file) else { continue };
        match storage.sync(file) {
            // Nothing has been written to this file.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            synced => synced?,
        }
    }
    storage.sync_names()
}

/// Takes memory from the system before locations need it.
fn keep_some_free(buffers: &Buffers) {
    let pool = buffers.pool;
    while pool.free_blocks() < LOW && GROWTH.iter().any(|&blocks| pool.grow_ahead(blocks)) {}
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64},
    };

    use kymo_otf2::{
        FileName,
        events::Enter,
        references::RegionRef,
        storage::{Content as FileContent, Memory},
    };

    use super::*;
    use crate::{
        memory::Budget,
        recorder::{MemorySettings, Recorder},
        scratch::layout::BLOCK,
        track::Track,
    };

    static BUDGET: Budget = Budget::new(usize::MAX);

    /// Storage that calls a function after each write, and can refuse writes.
    struct Observed {
        files: Memory,
        refuses: AtomicBool,
        writes: AtomicU64,
        observe: Box<dyn Fn() + Send + Sync>,
    }

    impl Storage for Observed {
        fn create(&self) -> io::Result<()> {
            self.files.create()
        }

        fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> io::Result<()> {
            if self.refuses.load(Relaxed) {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.writes.fetch_add(1, Relaxed);
            self.files.write_at(file, offset, bytes)?;
            (self.observe)();
            Ok(())
        }

        fn set_len(&self, file: FileName, length: u64) -> io::Result<()> {
            self.files.set_len(file, length)
        }

        fn open(&self, file: FileName) -> io::Result<Box<dyn FileContent>> {
            self.files.open(file)
        }
    }

    /// Opens an archive for `count` locations, which have the ids 0, 1, 2, ….
    fn open(
        count: u64,
        observe: impl FnOnce(Vec<&'static Track>) -> Box<dyn Fn() + Send + Sync>,
    ) -> (Recorder, Vec<&'static Track>, Arc<Observed>) {
        let recorder = Recorder::new(&BUDGET, None, &MemorySettings::default()).unwrap();
        let tracks: Vec<_> = (1..=count).map(|n| recorder.add_track(8 * n as usize).unwrap()).collect();
        let observe = observe(tracks.clone());
        let (files, refuses, writes) = (Memory::new(), AtomicBool::default(), AtomicU64::default());
        let storage = Arc::new(Observed { files, refuses, writes, observe });
        storage.create().unwrap();
        recorder.output().open(Box::new(Arc::clone(&storage)));
        tracks.iter().zip(0..).for_each(|(track, id)| track.file().set(id));
        (recorder, tracks, storage)
    }

    fn record(track: &Track) {
        track.record_at(1, |writer| writer.record(1, &Enter { region: RegionRef(0) }));
    }

    /// The writer followed the pieces that locations begin while it writes slowly, until the memory
    /// was full: 265 writes for 15 locations.
    #[test]
    #[cfg_attr(miri, ignore = "too many events for Miri")]
    fn a_drain_does_not_follow_pieces_that_begin_meanwhile() {
        const LOCATIONS: u64 = 4;
        // Each has two bytes.
        const FILLING: usize = BLOCK / 2;
        let (recorder, tracks, storage) = open(LOCATIONS, |tracks| {
            Box::new(move || {
                tracks.iter().for_each(|track| (0..FILLING).for_each(|_| record(track)));
            })
        });
        tracks.iter().for_each(|track| record(track));
        recorder.drain().writer().tick(false);
        // At the begin, for the pieces in use, and at the end.
        let writes = storage.writes.load(Relaxed);
        assert!((LOCATIONS..=3 * LOCATIONS).contains(&writes), "{writes}");
    }

    /// The second piece was taken for the first one, which had the same place and length in the
    /// file of another location.
    #[test]
    fn equal_pieces_of_two_locations_are_both_written() {
        let (recorder, tracks, storage) = open(1, |_| Box::new(|| {}));
        record(tracks[0]);
        recorder.drain().writer().tick(false);
        // The next location takes its run.
        tracks[0].pause();
        let second = recorder.add_track(16).unwrap();
        second.file().set(1);
        record(second);
        recorder.drain().writer().tick(false);
        let [first, second] = [0, 1].map(|id| storage.files.read(FileName::Events(id)).unwrap());
        assert!(first == second && !first.is_empty());
    }

    /// The events of the last drain were not recovered if the storage refused the next one.
    #[test]
    fn a_drain_that_is_refused_shortens_no_file() {
        let (recorder, tracks, storage) = open(1, |_| Box::new(|| {}));
        let (writer, slot) = (recorder.drain().writer(), recorder.drain().buffers().slots.get(0).unwrap());
        let in_file = || {
            let pieces = writer.work().drained.values().copied().collect();
            length(slot, pieces)
        };
        record(tracks[0]);
        writer.tick(false);
        let before = in_file();
        assert!(before > 0);
        storage.refuses.store(true, Relaxed);
        record(tracks[0]);
        writer.tick(false);
        assert_eq!(in_file(), before);
        tracks[0].pause();
        writer.tick(false);
        assert_eq!(in_file(), before);
        storage.refuses.store(false, Relaxed);
        writer.tick(false);
        assert!(in_file() > before);
    }
}
