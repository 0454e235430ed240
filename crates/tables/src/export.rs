//! A trace as tables: groups of locations in parallel, each into files of its own, then the
//! datasets that need several locations.
//!
//! Invariant: the groups depend on the trace alone, so the files do not depend on the number of
//! threads or parts.

use crate::calls::{CallRows, Places, Row};
use crate::collect::Collecting;
use crate::dataset::{self, Dataset, Value};
use crate::definitions;
use crate::error::Error;
use crate::messages;
use crate::names::Names;
use crate::run;
use crate::sink::{Format, Rows};
use kymo_analysis::spill::{Spill, SpilledRows};
use kymo_analysis::waits::CommunicationFacts;
use kymo_analysis::{CommunicationFunctions, Location, Remarks, Selection, Trace, pass};
use kymo_otf2::references::LocationRef;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// The irregularities that an export found, and the locations that it left out.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// The number of events that were read.
    pub events: u64,
    /// The irregularities of the trace.
    pub remarks: Remarks,
    /// The locations whose events could not all be read.
    pub failures: Vec<(LocationRef, kymo_analysis::Error)>,
}

/// The part of a context's number that counts within its location.
const CONTEXT_BITS: u32 = 24;
/// The number of bytes of rows of calls in memory, of all threads together.
const ROW_MEMORY: usize = 16 << 20;
/// The smallest and the largest number of events of a group, and how many groups there are between.
const GROUP: Range<u64> = 1 << 20..1 << 25;
const GROUPS: u64 = 16;

/// Writes the wanted datasets of a trace.
///
/// # Errors
///
/// If a file cannot be written, or the trace has too many calling contexts. Locations that cannot
/// be read are in [`Report::failures`].
pub fn export(
    trace: &Trace,
    selection: &Selection,
    names: &Names,
    wanted: &[&'static Dataset],
    format: &dyn Format,
) -> Result<Report, Error> {
    let spill = Spill::default();
    let functions = CommunicationFunctions::of(trace);
    let work = Work { trace, selection, functions: &functions, names, wanted, format, spill: &spill };
    let (report, waiting) = work.groups()?;
    work.rest(waiting)?;
    Ok(report)
}

/// Everything that an export needs.
#[derive(Debug, Clone, Copy)]
pub struct Work<'t> {
    /// The trace.
    pub trace: &'t Trace,
    /// The part of it.
    pub selection: &'t Selection,
    /// The functions in it that communicate.
    pub functions: &'t CommunicationFunctions,
    /// The names in it.
    pub names: &'t Names,
    /// The datasets to write.
    pub wanted: &'t [&'static Dataset],
    /// How to write them.
    pub format: &'t dyn Format,
    /// Where operations wait.
    pub spill: &'t Spill,
}

/// The operations of a location that wait for their other sides.
#[derive(Debug)]
pub struct Waiting {
    /// The number of the location in the trace.
    pub number: usize,
    /// The operations.
    pub rows: SpilledRows,
    /// The facts about its communication beyond them.
    pub facts: CommunicationFacts,
    /// Where their calls are in the end.
    pub places: Places,
}

/// Returns the locations of each group of all parts, as numbers in the list of locations.
fn groups(trace: &Trace, selection: &Selection) -> Vec<Vec<usize>> {
    let all: u64 = trace.locations().iter().map(|it| it.events).fold(0, u64::saturating_add);
    let most = (all / GROUPS).clamp(GROUP.start, GROUP.end);
    let (mut groups, mut events) = (vec![Vec::new()], 0_u64);
    for (number, location) in trace.locations().iter().enumerate() {
        if events >= most {
            groups.push(Vec::new());
            events = 0;
        }
        events = events.saturating_add(location.events);
        if let Some(group) = groups.last_mut().filter(|_| selection.contains(location.id)) {
            group.push(number);
        }
    }
    groups
}

/// Returns the numbers of the groups of the selected part, in the order of their locations.
pub fn group_numbers(trace: &Trace, selection: &Selection) -> Vec<usize> {
    (0..groups(trace, selection).len()).filter(|number| selection.part.contains(*number)).collect()
}

impl Work<'_> {
    /// Writes the groups of the selected part, in several threads. Each has files of its own.
    ///
    /// # Errors
    ///
    /// Like [`export()`].
    pub fn groups(&self) -> Result<(Report, Vec<Waiting>), Error> {
        let groups: Vec<_> = groups(self.trace, self.selection).into_iter().enumerate().collect();
        let groups: Vec<_> = groups.iter().filter(|it| self.selection.part.contains(it.0)).collect();
        let next = AtomicUsize::new(0);
        let result = Mutex::new(Ok((Report::default(), Vec::new())));
        let run = || {
            while let Some((number, group)) = groups.get(next.fetch_add(1, Relaxed)) {
                let written = self.group(*number, group);
                self.format.end_group(*number);
                let Ok(mut result) = result.lock() else { return };
                let Ok((report, streams)) = &mut *result else { return };
                match written {
                    Ok((part, rows)) => {
                        report.add(part);
                        streams.extend(rows);
                    }
                    Err(error) => *result = Err(error),
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.selection.threads.get().min(groups.len()) {
                // With fewer threads than wanted, the others do the work.
                let _ = thread::Builder::new().spawn_scoped(scope, run);
            }
            run();
        });
        let result = result.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        result.map(|(mut report, mut waiting): (Report, Vec<Waiting>)| {
            report.failures.sort_by_key(|(location, _)| *location);
            waiting.sort_by_key(|it| it.number);
            (report, waiting)
        })
    }

    /// Writes the rows that need all locations, in the order of their numbers, and completes the
    /// datasets.
    ///
    /// # Errors
    ///
    /// Like [`export()`].
    pub fn rest(&self, waiting: Vec<Waiting>) -> Result<(), Error> {
        self.global(waiting)?;
        let files = groups(self.trace, self.selection).len().max(1);
        self.wanted.iter().try_for_each(|dataset| self.format.finish(dataset, files))
    }

    fn group(&self, number: usize, group: &[usize]) -> Result<(Report, Vec<Waiting>), Error> {
        let mut rows = Rows::new(self.format, self.wanted, number);
        if number == 0 {
            // A dataset without rows has a file with its columns.
            self.wanted.iter().filter(|it| !it.is_global()).try_for_each(|it| rows.start(it))?;
        }
        let (mut report, mut waiting) = (Report::default(), Vec::new());
        for &number in group {
            let Some(location) = self.trace.locations().get(number) else { continue };
            waiting.push(self.location(location, number, &mut rows, &mut report)?);
        }
        rows.finish()?;
        Ok((report, waiting))
    }

    fn location(
        &self,
        location: &Location,
        number: usize,
        rows: &mut Rows<'_>,
        report: &mut Report,
    ) -> Result<Waiting, Error> {
        let most = ROW_MEMORY / self.selection.threads.get() / size_of::<Row>();
        let calls = match rows.wants(&dataset::CALLS) {
            true => CallRows::new(most.max(1 << 15)),
            false => CallRows::numbers(),
        };
        let stream = self.spill.stream();
        let collecting =
            Collecting::new(self.trace, self.functions, self.names, location.id, rows, calls, stream)
                .since(self.selection.from);
        let read = pass::location(self.trace, self.selection, location.id, collecting);
        let (calls, stream) = read.visitor.into_parts();
        let (stream, facts) = stream?;
        let waiting = Waiting { number, rows: stream, facts, places: calls.places() };
        report.events += read.events;
        report.remarks += read.remarks;
        report.failures.extend(read.failure.map(|failure| (location.id, failure)));
        let first = (number as i64) << CONTEXT_BITS;
        let here = Value::Integer(location.id.0 as i64);
        let context = |id: u32| Value::Integer(first + i64::from(id));
        let contexts = read.contexts;
        // Depths by context, of the root 0. Parents come first.
        let mut depths = vec![0_u32];
        for id in contexts.iter() {
            let parent = contexts.parent(id);
            let depth = depths[parent.index()];
            depths.push(depth + 1);
            let parent = if parent.0 == 0 { Value::None } else { context(parent.0) };
            let region = self.names.region(contexts.region(id));
            rows.push(&dataset::CONTEXTS, [context(id.0), here.clone(), parent, depth.into(), region])?;
        }
        if !rows.wants(&dataset::CALLS) {
            return Ok(waiting);
        }
        let regions: Vec<_> = [kymo_analysis::ContextId::ROOT]
            .into_iter()
            .chain(contexts.iter())
            .map(|id| match self.names.region(contexts.region(id)) {
                Value::Name(place) => Some(place),
                _ => None,
            })
            .collect();
        // Cell by cell, as all others, this would take a third of the time of the whole export.
        calls.each(|some| {
            rows.extend(&dataset::CALLS, some.len(), |cells| {
                let [place, time, duration, exclusive, depth, region, parent, context] = cells else {
                    return;
                };
                place.extend(some.iter().map(|_| location.id.0 as i64));
                time.extend(some.iter().map(|row| row.time as i64));
                duration.extend(some.iter().map(|row| row.duration as i64));
                exclusive.extend(some.iter().map(|row| row.exclusive as i64));
                depth.extend(some.iter().map(|row| row.depth.into()));
                region.extend_names(
                    some.iter().map(|row| regions.get(row.context as usize).copied().flatten()),
                );
                parent.extend(some.iter().map(|row| row.parent as i64 - 1));
                context.extend(some.iter().map(|row| first + i64::from(row.context)));
            })
        })?;
        Ok(waiting)
    }

    /// Writes definitions, markers, messages, wait states, and the tables of the whole run.
    fn global(&self, waiting: Vec<Waiting>) -> Result<(), Error> {
        let mut rows = Rows::new(self.format, self.wanted, 0);
        let global = self.wanted.iter().filter(|it| it.is_global());
        global.clone().try_for_each(|it| rows.start(it))?;
        definitions::write(self.trace, &mut rows)?;
        let wanted = [&dataset::MESSAGES, &dataset::WAITS].into_iter().filter(|it| rows.wants(it));
        let wanted: Vec<_> = wanted.collect();
        if !wanted.is_empty() {
            wanted.iter().try_for_each(|it| rows.start(it))?;
            messages::write(self, waiting, &mut rows)?;
        }
        if self.wanted.iter().any(|it| it.is_of_run()) {
            run::write(self, &mut rows)?;
        }
        rows.finish()
    }
}

impl Report {
    /// Adds the report of another part.
    pub fn add(&mut self, other: Self) {
        self.events += other.events;
        self.remarks += other.remarks;
        self.failures.extend(other.failures);
        self.failures.sort_by_key(|(location, _)| *location);
    }
}
