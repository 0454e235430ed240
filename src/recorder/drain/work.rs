//! What the writer does: pieces into event files.

use core::sync::atomic::{
    Ordering::{Acquire, Relaxed, Release},
    fence,
};
use std::{
    io::{self, IoSlice},
    path::PathBuf,
};

use kymo_otf2::{FileName, Storage, hash::HashMap};

use super::{
    Drain,
    sides::{Note, Sides},
};
use crate::scratch::{
    Content, Run,
    layout::{Descriptor, Slot, kind},
};

/// The writer's own state.
#[derive(Debug, Default)]
pub(super) struct Work {
    pub(super) sides: Option<Sides>,
    /// Where they are to be made.
    pub(super) planned: Option<(PathBuf, Note)>,
    /// Index + 1 of the first slot with runs that wait, and of the last; 0 if there is none.
    first: u32,
    last: u32,
    /// How far the pieces that are not full yet have been put into their files: by place.
    drained: HashMap<u32, Piece>,
    /// The first refusal: number of the system's error and kind.
    refusal: Option<(Option<i32>, io::ErrorKind)>,
}

/// How much of a piece is in the event file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Piece {
    sequence: u64,
    base: u64,
    committed: u64,
}

/// Free blocks that there shall be: locations then never ask the system.
const LOW: usize = 6;
/// Blocks that are taken from the system at once.
const GROWTH: [usize; 3] = [16, 4, 1];

impl Work {
    /// Writes what was handed over.
    pub(super) fn turn(&mut self, drain: &Drain, storage: &dyn Storage) {
        self.take_in(drain);
        self.write_waiting(drain, storage);
        keep_some_free(drain);
    }

    /// The same, and what the storage refused before.
    pub(super) fn retry(&mut self, drain: &Drain, storage: &dyn Storage) {
        let mut next = self.first;
        while let Some(slot) = slot_after(drain, next) {
            slot.refused.store(0, Relaxed);
            next = slot.next.load(Relaxed);
        }
        self.turn(drain, storage);
    }

    /// Takes the queue, newest on top, into the lists of what waits.
    fn take_in(&mut self, drain: &Drain) {
        let link = |number| drain.pool.link(number);
        let (mut number, mut newer) = (drain.pool.queue.take_all(), 0);
        while number != 0 {
            let older = link(number).swap(newer, Relaxed);
            (newer, number) = (number, older);
        }
        let mut number = newer;
        while number != 0 {
            let next = link(number).swap(0, Relaxed);
            self.append(drain, number);
            number = next;
        }
    }

    fn append(&mut self, drain: &Drain, number: u32) {
        let index = drain.pool.descriptor(number).location.load(Relaxed);
        let Some(slot) = drain.slots.get(index) else { return };
        if join(drain, slot, number) {
            return drain.pool.give_back(drain.pool.handed_over(number));
        }
        match slot.newest.swap(number, Relaxed) {
            0 => {
                slot.oldest.store(number, Relaxed);
                self.append_slot(drain, slot, index + 1);
            }
            newest => drain.pool.link(newest).store(number, Relaxed),
        }
    }

    fn append_slot(&mut self, drain: &Drain, slot: &Slot, number: u32) {
        slot.next.store(0, Relaxed);
        match slot_after(drain, core::mem::replace(&mut self.last, number)) {
            None => self.first = number,
            Some(last) => last.next.store(number, Relaxed),
        }
    }

    /// Writes what waits, of each location in order. After a refusal the rest of a location waits on.
    fn write_waiting(&mut self, drain: &Drain, storage: &dyn Storage) {
        let mut number = core::mem::take(&mut self.first);
        self.last = 0;
        while let Some(slot) = slot_after(drain, number) {
            let next = slot.next.load(Relaxed);
            while slot.oldest.load(Relaxed) != 0
                && slot.refused.load(Relaxed) == 0
                && self.is_written(drain, storage, slot)
            {}
            if slot.oldest.load(Relaxed) != 0 {
                slot.refused.store(1, Relaxed);
                self.append_slot(drain, slot, number);
            }
            number = next;
        }
    }

    /// Writes the oldest runs of a location; whether that went well.
    fn is_written(&mut self, drain: &Drain, storage: &dyn Storage, slot: &Slot) -> bool {
        let written = Batch::of(drain, slot).write(drain, storage, slot);
        if let Err(error) = &written {
            self.refusal.get_or_insert((error.raw_os_error(), error.kind()));
        }
        written.is_ok()
    }

    /// Why the storage refused something, the first time.
    pub(super) fn refusal(&self) -> Option<io::Error> {
        let (number, kind) = self.refusal?;
        Some(number.map_or_else(|| kind.into(), io::Error::from_raw_os_error))
    }

    /// Puts what was committed since the last time into the files, also of pieces that are not full, and the files beside the archive
    /// up to date; with `sync` on the disk.
    pub(super) fn tick(&mut self, drain: &Drain, storage: &dyn Storage, sync: bool) {
        self.retry(drain, storage);
        let mut drained = HashMap::default();
        let mut pieces: HashMap<u32, Vec<Piece>> = HashMap::default();
        drain.pool.each_run(|number, descriptor, content| {
            // What was handed over meanwhile is written below, together.
            if drain.pool.handed_at(number).waits() {
                return;
            }
            let before = self.drained.get(&number);
            if let Some((location, piece)) = drain_piece(drain, storage, descriptor, content, before) {
                drained.insert(number, piece);
                pieces.entry(location).or_default().push(piece);
            }
        });
        self.drained = drained;
        self.turn(drain, storage);
        let lengths = pieces
            .into_iter()
            .filter_map(|(location, pieces)| Some((location, length(drain.slots.get(location)?, pieces))));
        let lengths = lengths.collect();
        if let Some((folder, note)) = self.planned.take() {
            // The scratch file is there without them.
            self.sides = Sides::make(&folder, &note, drain.pool.file(), false).ok();
        }
        if let Some(sides) = &mut self.sides {
            sides.update(drain, &lengths);
            // What fails is tried again the next time; what was said to be on the disk before is still there.
            if sync && sync_files(drain, storage).is_ok() {
                let _ = sides.sync();
            }
        }
    }

    /// Gives back what waits, unwritten.
    pub(super) fn give_up(&mut self, drain: &Drain) {
        self.take_in(drain);
        let mut next = core::mem::take(&mut self.first);
        self.last = 0;
        while let Some(slot) = slot_after(drain, next) {
            slot.refused.store(1, Relaxed);
            while let Some(run) = take_oldest(drain, slot) {
                drain.pool.give_back(run);
            }
            next = slot.next.load(Relaxed);
        }
    }
}

/// The slot of a link in the list of slots: its index is one less; `None` at the end.
fn slot_after(drain: &Drain, number: u32) -> Option<&'static Slot> {
    drain.slots.get(number.checked_sub(1)?)
}

/// Takes away the oldest run of a location that waits.
fn take_oldest(drain: &Drain, slot: &Slot) -> Option<Run> {
    let number = slot.oldest.load(Relaxed);
    if number == 0 {
        return None;
    }
    let next = drain.pool.link(number).swap(0, Relaxed);
    slot.oldest.store(next, Relaxed);
    if next == 0 {
        slot.newest.store(0, Relaxed);
    }
    Some(drain.pool.handed_over(number))
}

/// Runs of a location that are written together: each goes on where the one before ends.
struct Batch {
    runs: [Run; MOST_TOGETHER],
    count: usize,
    /// Their place in the file.
    base: u64,
    length: u64,
}

/// With usual pieces the runs of a batch are as long as a chunk.
const MOST_TOGETHER: usize = 16;

impl Batch {
    /// The oldest runs of a location.
    fn of(drain: &Drain, slot: &Slot) -> Self {
        let mut this = Self { runs: [const { Run::none() }; MOST_TOGETHER], count: 0, base: 0, length: 0 };
        let mut number = slot.oldest.load(Relaxed);
        while number != 0 && this.count < MOST_TOGETHER {
            let descriptor = drain.pool.descriptor(number);
            let (base, used) = (descriptor.base.load(Relaxed), descriptor.committed.load(Relaxed));
            match this.count {
                0 => this.base = base,
                _ if base != this.base + this.length => break,
                _ => {}
            }
            this.runs[this.count] = drain.pool.handed_over(number);
            (this.count, this.length) = (this.count + 1, this.length + used);
            number = drain.pool.link(number).load(Relaxed);
        }
        this
    }

    fn write(&self, drain: &Drain, storage: &dyn Storage, slot: &Slot) -> io::Result<()> {
        let file = event_file(slot).ok_or(io::ErrorKind::NotConnected)?;
        if self.base > slot.length.load(Relaxed) {
            // The file would have a hole. It stays as it is, and so do the runs.
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
            if let Some((at, bytes)) = drain.pool.handed(run.place()).patch() {
                storage.write_at(file, at, &bytes)?;
            }
        }
        for _ in runs {
            take_oldest(drain, slot).into_iter().for_each(|run| give_back_written(drain, slot, run));
        }
        Ok(())
    }
}

/// Gives a run back that is in its file.
fn give_back_written(drain: &Drain, slot: &Slot, run: Run) {
    if let Some(descriptor) = run.descriptor() {
        let (base, used) = (descriptor.base.load(Relaxed), descriptor.committed.load(Relaxed));
        let sequence = descriptor.sequence.load(Relaxed);
        if descriptor.mark_used.load(Relaxed) != 0 {
            keep_mark(slot, descriptor, base, sequence);
        }
        slot.length.store(base + used, Relaxed);
        slot.written.store(sequence, Release);
    }
    drain.pool.give_back(run);
}

/// Puts a run behind the one of its location that waits, if it continues that and there is room; whether it did. A location that rests
/// often hands over runs that are nearly empty, and while the storage does not keep up they would fill the memory.
fn join(drain: &Drain, slot: &Slot, number: u32) -> bool {
    let waiting = slot.newest.load(Relaxed);
    if waiting == 0 {
        return false;
    }
    let (mut to, from) = (drain.pool.handed_over(waiting), drain.pool.handed_over(number));
    let (target, source) = (drain.pool.descriptor(waiting), drain.pool.descriptor(number));
    let [used, more] = [target, source].map(|descriptor| descriptor.committed.load(Relaxed) as usize);
    let patches = [&to, &from].map(|run| drain.pool.handed(run.place()).patch());
    let continues = target.base.load(Relaxed) + used as u64 == source.base.load(Relaxed);
    let (Some(room), Some(bytes)) = (to.get_mut(used..used + more), from.get(..more)) else { return false };
    if !continues || patches.iter().all(Option::is_some) {
        return false;
    }
    room.copy_from_slice(bytes);
    // Until the source is given back both have these bytes for the same place of the file.
    to.commit(used + more);
    let place = to.place();
    drain.pool.handed(place).set_patch(patches[0].or(patches[1]));
    target.sequence.store(source.sequence.load(Relaxed), Relaxed);
    let mark = source.mark_used.load(Relaxed);
    if mark != 0 {
        let numbers = |it: &'static Descriptor| [&it.mark_events, &it.mark_time, &it.mark_chunk];
        let pairs = numbers(target).into_iter().zip(numbers(source));
        pairs.for_each(|(to, from)| to.store(from.load(Relaxed), Relaxed));
        target.mark_used.store(used as u32 + mark, Relaxed);
    }
    true
}

pub(super) fn event_file(slot: &Slot) -> Option<FileName> {
    Some(slot.file.load(Acquire)).filter(|&file| file != u64::MAX).map(FileName::Events)
}

fn keep_mark(slot: &Slot, descriptor: &Descriptor, base: u64, sequence: u64) {
    let marks = [
        base + u64::from(descriptor.mark_used.load(Relaxed)),
        descriptor.mark_events.load(Relaxed),
        descriptor.mark_time.load(Relaxed),
        descriptor.mark_chunk.load(Relaxed),
    ];
    slot.mark.iter().zip(marks).for_each(|(place, value)| place.store(value, Relaxed));
    slot.mark_sequence.store(sequence, Relaxed);
}

/// Puts what a piece holds by now into the file, unless it is there; the location and how much there is.
fn drain_piece(
    drain: &Drain,
    storage: &dyn Storage,
    descriptor: &Descriptor,
    content: Content,
    drained: Option<&Piece>,
) -> Option<(u32, Piece)> {
    let (location, piece) = published(descriptor)?;
    let slot = drain.slots.get(location).filter(|slot| slot.refused.load(Relaxed) == 0)?;
    if drained != Some(&piece) {
        // After a rewind what is copied may be torn, which recovery sees, and the next time puts it right.
        let content = content.committed(piece.committed as usize);
        storage.write_at(event_file(slot)?, piece.base, content).ok()?;
    }
    // The run may have been given back and become another one meanwhile.
    let is_same =
        published(descriptor).is_some_and(|(at, it)| (at, it.sequence) == (location, piece.sequence));
    is_same.then_some((location, piece))
}

/// The piece that a run is, with its location. It may be given back while it is looked at (by a rewind) and become another location's: what
/// is told belongs together.
fn published(descriptor: &Descriptor) -> Option<(u32, Piece)> {
    let is_piece = || descriptor.kind.load(Acquire) == kind::PIECE;
    let which = || (descriptor.location.load(Relaxed), descriptor.sequence.load(Relaxed));
    let (location, sequence) = which();
    // Pairs with that in `Run::publish`: the kind that is seen from here on is that of this piece or of a later one, and so are the numbers.
    fence(Acquire);
    if !is_piece() {
        return None;
    }
    let (base, committed) = (descriptor.base.load(Relaxed), descriptor.committed.load(Acquire));
    // Who has seen anything of a later piece sees now that it is another one.
    fence(Acquire);
    (is_piece() && which() == (location, sequence)).then_some((location, Piece { sequence, base, committed }))
}

/// How much of an event file is content if these pieces are in it, also in part. A piece that was handed over while others were
/// looked at leaves a gap: the file ends there.
fn length(slot: &Slot, mut pieces: Vec<Piece>) -> u64 {
    let sequence = slot.written.load(Acquire);
    pieces.retain(|piece| piece.sequence > sequence);
    pieces.sort_unstable();
    let written = slot.length.load(Relaxed);
    let joins = |end: u64, piece: &Piece| (piece.base <= end).then_some(piece.base + piece.committed);
    pieces.iter().try_fold(written, |end, piece| joins(end, piece).ok_or(end)).unwrap_or_else(|end| end)
}

/// Puts all that was written of the event files, and their names, on the disk.
fn sync_files(drain: &Drain, storage: &dyn Storage) -> io::Result<()> {
    for number in 0..drain.slots.count() {
        let Some(file) = drain.slots.get(number).and_then(event_file) else { continue };
        match storage.sync(file) {
            // Nothing was written of it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            synced => synced?,
        }
    }
    storage.sync_names()
}

/// Takes memory from the system before locations need it.
fn keep_some_free(drain: &Drain) {
    let pool = drain.pool;
    while pool.free_blocks() < LOW && GROWTH.iter().any(|&blocks| pool.grow_ahead(blocks)) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{memory::Budget, scratch::Pool};

    /// The numbers of one piece and the location of another would be written into the file of that one.
    #[test]
    fn a_piece_that_became_another_one_was_taken_for_half_of_each() {
        static BUDGET: Budget = Budget::new(usize::MAX);
        const PIECES: u64 = if cfg!(miri) { 50 } else { 2_000_000 };
        let pool = Pool::new(&BUDGET, None, 1 << 20).unwrap();
        let run = pool.take(1, crate::scratch::Need::Usual).unwrap();
        let descriptor = run.descriptor().unwrap();
        let publish = || {
            for n in 1..=PIECES {
                run.publish(kind::PIECE, |descriptor| {
                    descriptor.location.store(n as u32, Relaxed);
                    descriptor.base.store(1000 * n, Relaxed);
                    descriptor.sequence.store(n, Relaxed);
                });
                run.commit(n as usize);
            }
        };
        std::thread::scope(|scope| {
            let thread = scope.spawn(publish);
            while !thread.is_finished() {
                let Some((location, piece)) = published(descriptor) else { continue };
                let n = u64::from(location);
                assert_eq!((piece.sequence, piece.base), (n, 1000 * n));
                assert!([0, n].contains(&piece.committed), "{piece:?} of location {location}");
            }
        });
    }
}
