//! The known events, groups and threads, and the handling of records with unknown ones.
//!
//! An unknown event causes the whole event file to be read again; new entries are reported in file
//! order. Groups are numbered in the order in which they appear, on lines of any kind; the group of
//! a line with a known id is ignored. Invariant: nothing is reported twice, and definitions use a
//! bounded amount of memory.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::by_id::ById;
use crate::callbacks::{Callbacks, StateDefinition, UserEvent};
use crate::error::{Complaint, Error, LineProblem, Result};
use crate::event_file::{EventFile, EventLine, Parameter};
use crate::kind::EventKind;
use crate::record::Record;
use crate::threads::Threads;

/// The maximum number of bytes for known events and groups.
const MEMORY: usize = 256 << 20;
/// The approximate number of bytes of each one, without its name.
const ENTRY: usize = 64;

/// The known definitions of a trace.
#[derive(Debug)]
pub(crate) struct TraceDefinitions {
    pub(crate) event_file: PathBuf,
    pub(crate) kinds: ById<EventKind>,
    pub(crate) threads: Threads,
    /// Threads that are about to end.
    closing: Threads,
    groups: HashMap<Box<[u8]>, u32>,
    memory: usize,
    /// The last line that caused a complaint.
    complained: u64,
    /// The state of the event file when an event was missing from it.
    lacking: Option<Option<Stamp>>,
}

/// The properties of a file that change when it is rewritten.
type Stamp = (u64, Option<SystemTime>);

impl TraceDefinitions {
    /// Creates an empty set of definitions.
    pub(crate) fn new(event_file: &Path) -> Self {
        TraceDefinitions {
            event_file: event_file.to_owned(),
            kinds: ById::default(),
            threads: Threads::default(),
            closing: Threads::default(),
            groups: HashMap::new(),
            memory: 0,
            complained: 0,
            lacking: None,
        }
    }

    /// Returns the kind of a record's event, if neither its event nor its thread is new.
    #[inline(always)]
    pub(crate) fn known(&self, record: &Record) -> Option<EventKind> {
        let kind = self.kinds.get(record.event);
        (kind != EventKind::UNKNOWN && self.threads.contains(record.thread)).then_some(kind)
    }

    /// Returns the kind of a record's event if nothing in the record is new and the kind has a
    /// single meaning. May return `None` for rare ids and threads.
    #[inline(always)]
    pub(crate) fn usual(&self, record: &Record) -> Option<EventKind> {
        let kind = self.kinds.in_table(record.event);
        (kind.is_single() && self.threads.table_has(record.thread)).then_some(kind)
    }

    /// Reports the new parts of the record at an offset. Returns `EventKind::UNKNOWN` if the record
    /// must be skipped, `None` if reading must stop.
    #[cold]
    #[inline(never)]
    pub(crate) fn report_new<C: Callbacks + ?Sized>(
        &mut self,
        offset: u64,
        record: &Record,
        callbacks: &mut C,
    ) -> Result<Option<EventKind>> {
        if self.kinds.get(record.event) == EventKind::UNKNOWN {
            self.look_for_more(callbacks)?;
        }
        let kind = self.kinds.get(record.event);
        if kind == EventKind::UNKNOWN {
            let passed_over = callbacks.unknown(offset, record);
            self.lacking = passed_over.then(|| self.stamp());
            return Ok(passed_over.then_some(kind));
        }
        if self.threads.insert(record.thread) {
            callbacks.thread(record.thread);
        }
        Ok(Some(kind))
    }

    /// Reads the event file again, unless records are being skipped and the file is unchanged.
    fn look_for_more<C: Callbacks + ?Sized>(&mut self, callbacks: &mut C) -> Result<()> {
        match &self.lacking {
            Some(stamp) if *stamp == self.stamp() => Ok(()),
            _ => self.refresh(callbacks),
        }
    }

    fn stamp(&self) -> Option<Stamp> {
        let metadata = fs::metadata(&self.event_file).ok()?;
        Some((metadata.len(), metadata.modified().ok()))
    }

    /// Reads the event file and reports new entries.
    pub(crate) fn refresh<C: Callbacks + ?Sized>(&mut self, callbacks: &mut C) -> Result<()> {
        let mut file = EventFile::open(&self.event_file)?;
        while let Some(line) = file.next()? {
            let problem = match line {
                Ok(line) if self.kinds.get(line.id) == EventKind::UNKNOWN => {
                    let negative = line.id < 0;
                    self.add(&line, callbacks);
                    negative.then_some(LineProblem::NegativeId)
                }
                Ok(_) => None,
                Err(problem) => Some(problem),
            };
            if let Some(problem) = problem {
                self.complain(&file.complaint(problem), file.number(), callbacks);
            }
            if self.memory > MEMORY {
                let line = file.number();
                return Err(Error::Limit { file: self.event_file.clone(), line, limit: MEMORY });
            }
        }
        Ok(())
    }

    fn complain<C: Callbacks + ?Sized>(&mut self, complaint: &Complaint, line: u64, callbacks: &mut C) {
        if line > self.complained {
            self.complained = line;
            callbacks.complaint(complaint);
        }
    }

    fn add<C: Callbacks + ?Sized>(&mut self, line: &EventLine<'_>, callbacks: &mut C) {
        self.memory += ENTRY;
        self.kinds.insert(line.id, EventKind::of(line));
        let (group, is_new) = self.group(line.group);
        let id = line.id as u32;
        match line.parameter {
            Parameter::EntryExit => {
                if is_new {
                    callbacks.group(group, line.group);
                }
                callbacks.state(&StateDefinition { id, name: line.name, group, group_name: line.group });
            }
            Parameter::TriggerValue => {
                callbacks.user_event(&UserEvent { id, name: line.name, monotonic: line.tag });
            }
            Parameter::Other => {}
        }
        // Callbacks that keep definitions also keep their names.
        self.memory += line.name.len();
    }

    /// Returns the number of a group, and whether the group is new.
    fn group(&mut self, name: &[u8]) -> (u32, bool) {
        if let Some(&number) = self.groups.get(name) {
            return (number, false);
        }
        let number = self.groups.len() as u32 + 1;
        self.memory += ENTRY + name.len();
        self.groups.insert(name.into(), number);
        (number, true)
    }

    /// Handles a record that reports the end of a thread.
    #[cold]
    #[inline(never)]
    pub(crate) fn control<C: Callbacks + ?Sized>(
        &mut self,
        kind: EventKind,
        record: &Record,
        callbacks: &mut C,
    ) {
        if kind.is(EventKind::CLOSE) {
            if record.parameter == 0 {
                self.closing.insert(record.thread);
            }
            return;
        }
        callbacks.wall_clock(record.time, record.thread, record.parameter);
        if record.parameter.unsigned_abs() != 1 && self.closing.contains(record.thread) {
            callbacks.end(record.thread);
        }
    }
}
