//! Input and output by file.

use super::windows::Amount;
use crate::trace::Trace;
use kymo_otf2::enums::IoOperationMode;
use kymo_otf2::events::Event;
use kymo_otf2::references::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::ops::AddAssign;

/// The operations of one kind on a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transfers {
    /// The number of operations that are complete, and the bytes that they moved.
    pub amount: Amount,
    /// The time from the begin to the completion of all operations, in nanoseconds.
    pub time: u128,
}

impl Transfers {
    /// Returns the bytes per second of operation time, if there is any.
    pub fn bandwidth(&self) -> Option<f64> {
        (self.time > 0).then(|| self.amount.bytes as f64 / self.time as f64 * 1e9)
    }
}

impl AddAssign for Transfers {
    fn add_assign(&mut self, other: Self) {
        self.amount += other.amount;
        self.time += other.time;
    }
}

/// The operations on a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSums {
    /// The reads.
    pub reads: Transfers,
    /// The writes.
    pub writes: Transfers,
    /// The flushes, which move no bytes.
    pub flushes: Transfers,
    /// How often it was opened.
    pub opened: u64,
    /// The number of seeks.
    pub seeks: u64,
    /// The number of operations that never completed.
    pub incomplete: u64,
    /// The number of operations that were cancelled.
    pub cancelled: u64,
}

impl AddAssign<&FileSums> for FileSums {
    fn add_assign(&mut self, other: &Self) {
        self.reads += other.reads;
        self.writes += other.writes;
        self.flushes += other.flushes;
        self.opened += other.opened;
        self.seeks += other.seeks;
        self.incomplete += other.incomplete;
        self.cancelled += other.cancelled;
    }
}

/// A file as one paradigm uses it; a library on top of another one sees the same bytes again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileKey {
    /// The file, or undefined.
    pub file: IoFileRef,
    /// The handle, where no file is known.
    pub handle: IoHandleRef,
    /// The paradigm.
    pub paradigm: IoParadigmRef,
}

impl FileKey {
    fn of(trace: &Trace, id: IoHandleRef) -> Self {
        let Some(handle) = trace.io_handle(id) else {
            return Self { file: IoFileRef::UNDEFINED, handle: id, paradigm: IoParadigmRef::UNDEFINED };
        };
        let is_known = handle.file.is_defined();
        let handle_id = if is_known { IoHandleRef::UNDEFINED } else { id };
        Self { file: handle.file, handle: handle_id, paradigm: handle.paradigm }
    }

    /// Returns the path of the file, or the name or the number of the handle.
    pub fn name(&self, trace: &Trace) -> String {
        if self.file.is_defined() {
            return trace.io_file_name(self.file).into_owned();
        }
        let name = trace.io_handle(self.handle).and_then(|it| trace.string(it.name));
        match name {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("<handle {}>", self.handle.0),
        }
    }
}

/// An operation in progress.
#[derive(Debug, Clone, Copy)]
struct Begun {
    time: u64,
    mode: IoOperationMode,
}

/// The operations of a location.
#[derive(Debug, Default)]
pub(super) struct IoOperations {
    begun: HashMap<(IoHandleRef, u64), Begun>,
    keys: HashMap<IoHandleRef, FileKey>,
    sums: BTreeMap<FileKey, FileSums>,
}

impl IoOperations {
    /// Continues with the next event. Operations that complete before the selected time are not
    /// counted.
    pub(super) fn event(&mut self, trace: &Trace, time: u64, event: &Event<'_>, is_selected: bool) {
        match event {
            Event::IoOperationBegin(it) => {
                self.begun.insert((it.handle, it.matching_id), Begun { time, mode: it.mode });
            }
            Event::IoOperationComplete(it) => {
                let begun = self.begun.remove(&(it.handle, it.matching_id));
                if let Some(begun) = begun.filter(|_| is_selected) {
                    self.complete(trace, it.handle, begun, time, it.bytes_result);
                }
            }
            Event::IoOperationCancelled(it) => {
                let begun = self.begun.remove(&(it.handle, it.matching_id));
                if is_selected {
                    self.of(trace, it.handle).cancelled += u64::from(begun.is_some());
                }
            }
            Event::IoCreateHandle(it) if is_selected => self.of(trace, it.handle).opened += 1,
            Event::IoSeek(it) if is_selected => self.of(trace, it.handle).seeks += 1,
            _ => {}
        }
    }

    fn complete(&mut self, trace: &Trace, handle: IoHandleRef, begun: Begun, time: u64, bytes: u64) {
        let sums = self.of(trace, handle);
        let transfers = match begun.mode {
            IoOperationMode::READ => &mut sums.reads,
            IoOperationMode::WRITE => &mut sums.writes,
            _ => &mut sums.flushes,
        };
        // The largest number means that nothing is known, for example after a failure.
        transfers.amount.one(if bytes == u64::MAX { 0 } else { bytes });
        transfers.time += u128::from(time.saturating_sub(begun.time));
    }

    fn of(&mut self, trace: &Trace, handle: IoHandleRef) -> &mut FileSums {
        let key = *self.keys.entry(handle).or_insert_with(|| FileKey::of(trace, handle));
        self.sums.entry(key).or_default()
    }

    /// Returns the sums by file.
    pub(super) fn into_sums(mut self, trace: &Trace) -> BTreeMap<FileKey, FileSums> {
        let begun = std::mem::take(&mut self.begun);
        for (handle, _) in begun.into_keys() {
            self.of(trace, handle).incomplete += 1;
        }
        self.sums
    }
}
