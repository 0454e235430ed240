//! From the first reading of all locations to the second one.

use super::chains::{Chains, LastWaitsFirst};
use super::critical_path::CriticalPath;
use super::first_findings::FirstFindings;
use super::path_search::last_event;
use super::results::{Causes, Extras, Kept};
use super::run_tables::{RunRow, RunTables, TableRows};
use super::second_reading::{self, Searched, SecondReading};
use super::thread_selection::{first_threads, is_thread};
use crate::delays::{DelayIntervals, Encounters};
use crate::error::Error;
use crate::functions::CommunicationFunctions;
use crate::pass::Selection;
use crate::spill::{Spill, SpilledRows};
use crate::statistics::{Communicated, Joining, Noted};
use crate::trace::{Location, Trace};
use crate::waits::{CommunicationFacts, EventCall};
use kymo_otf2::references::LocationRef;
use std::collections::HashMap;
use std::sync::Mutex;

/// Joins the findings of the first reading of locations.
#[derive(Debug)]
pub struct CauseJoin<'t, 's> {
    trace: &'t Trace,
    spill: &'s Spill,
    extras: Extras,
    causes: Causes,
    joining: Joining<'t>,
    searched: HashMap<LocationRef, Searched>,
    starts: Vec<EventCall>,
}

impl<'t, 's> CauseJoin<'t, 's> {
    /// Starts without locations. For delay costs the first reading must have been told.
    pub fn new(trace: &'t Trace, spill: &'s Spill, extras: Extras) -> Self {
        Self {
            trace,
            spill,
            extras,
            causes: Causes::default(),
            joining: Joining::new(trace).with_sends(extras.sends),
            searched: HashMap::new(),
            starts: Vec::new(),
        }
    }

    /// Adds the findings of a location, whose rows are in the spill.
    pub fn add(&mut self, location: &Location, findings: FirstFindings, rows: SpilledRows) {
        let FirstFindings { contribution, repeated, start } = findings;
        if let Some(span) = contribution.known_time() {
            self.causes.spans.insert(location.id, span);
            let CommunicationFacts { completes_sends, exchanges, .. } = contribution.communication();
            self.searched.insert(location.id, Searched { repeated, completes_sends, exchanges });
        }
        self.starts.extend(start);
        self.joining.add(location, contribution, rows);
    }

    /// Finds the causes. The locations of the selection are read again.
    ///
    /// # Errors
    ///
    /// Like [`of`](super::of).
    pub fn finish(self, selection: &Selection, kept: Kept) -> Result<Causes, Error> {
        self.finish_with(selection, kept, RunTables::default(), |_| ())
    }

    /// Does the same, and passes the rows of tables, each in its order, one table after the other.
    ///
    /// # Errors
    ///
    /// Like [`of`](super::of).
    pub fn finish_with(
        self,
        selection: &Selection,
        kept: Kept,
        tables: RunTables,
        each: impl FnMut(RunRow),
    ) -> Result<Causes, Error> {
        let Self { trace, spill, extras, mut causes, joining, mut searched, starts } = self;
        let mut encounters = extras.delays.then(|| Encounters::new(trace, spill));
        if let Some(encounters) = &mut encounters {
            encounters.starts(&starts)?;
        }
        let mut rows = TableRows::new(tables, spill);
        let functions = CommunicationFunctions::of(trace);
        let (mut waits, mut failure) = (LastWaitsFirst::new(spill), None);
        let noted =
            Noted { encounters, steps: rows.steps.take(), has_lateness: extras.lateness, ..Noted::default() };
        let (statistics, noted) = joining.finish_noting(spill, noted, |it| {
            let pushed = match it {
                Communicated::Wait(wait) => {
                    causes.caused(wait);
                    waits.push(wait)
                }
                Communicated::Creation(creation) => waits.push_creation(creation),
                Communicated::Operation(matched) => {
                    causes.message_times.add(trace, &functions, matched);
                    Ok(())
                }
            };
            if let Err(error) = pushed {
                failure.get_or_insert(error);
            }
        })?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        (causes.statistics, rows.steps, causes.lateness) = (statistics, noted.steps, noted.lateness);
        let end = last_event(trace, causes.spans.iter().map(|(id, span)| (*id, span.1)));
        let path = CriticalPath::new(spill, end, kept.most).with_table(rows.segments.take());
        let mut chains = Chains::of(waits, path, spill)?;
        causes.path = chains.path.finish(|it| causes.spans.get(&it).map_or(0, |span| span.0))?;
        rows.segments = chains.path.table.take();
        causes.of_nobody = chains.of_nobody;
        causes.threads = causes.spans.keys().filter(|id| is_thread(trace, **id)).count() as u64;
        let all_others = if causes.threads > 2 { causes.threads - 1 } else { u64::MAX };
        let delays = noted.encounters.map(|it| DelayIntervals::of(trace, it, spill)).transpose()?;
        let first_threads = first_threads(trace, &causes.spans);
        for (id, it) in &mut searched {
            it.repeated.take_if(|_| !first_threads.contains(id));
        }
        // Only repeated calls with the usual count are wanted, unless all rows are.
        if kept.most < usize::MAX {
            let counts = searched.values().filter_map(|it| Some(it.repeated.as_ref()?.count));
            let usual = usual(counts);
            searched.values_mut().for_each(|it| drop(it.repeated.take_if(|it| Some(it.count) != usual)));
        }
        searched.retain(|_, it| it.repeated.is_some() || it.exchanges);
        let of_locations = Mutex::new(second_reading::rows(chains)?);
        let intervals =
            SecondReading { spill, rows: of_locations, all_others, searched, first_threads, delays };
        let (times, iterations) =
            causes.read_again(trace, selection, &intervals, kept, rows.iterations.take())?;
        rows.iterations = iterations;
        causes.delays = intervals.delays.map(|it| it.costs(times)).transpose()?;
        causes.sort();
        rows.each(each)?;
        Ok(causes)
    }
}

/// Returns the number that occurs most often; of several, the largest one.
fn usual(numbers: impl Iterator<Item = u64>) -> Option<u64> {
    let mut times: HashMap<u64, u64> = HashMap::new();
    numbers.for_each(|number| *times.entry(number).or_default() += 1);
    times.into_iter().max_by_key(|(number, times)| (*times, *number)).map(|it| it.0)
}
