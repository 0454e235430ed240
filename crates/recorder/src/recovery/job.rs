//! Builds one archive from everything that is left of a run.
//!
//! The events are written first, location by location. Then the definitions of each process are
//! completed and merged with those of the others, as the ranks do at the end of a run. The anchor
//! is written last. Invariant: a fact that a process did not record is unknown in the archive, and
//! everything omitted is in the [`Report`].

use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
};

use kymo_otf2::{Storage, definitions::ClockProperties};

use super::{
    communicators::Program,
    member::{Ids, Member, Prepared, prepare},
    repair::Repaired,
    report::{RankReport, Report, missing, ranges},
    settings::{Result, Settings},
    times::{ahead, offsets, span},
};
use crate::{
    EventClass,
    archive::{Description, GlobalDefinitions, LocalDefinitions},
    clock::ThisMachine,
    unification::Unified,
};

/// The ticks per second to use if the clock is unknown or its rate cannot be measured.
const UNKNOWN_RESOLUTION: u64 = 1_000_000_000;
/// The maximum number of locations to write concurrently.
const MOST_THREADS: usize = 8;
/// The bit among the broken promises for a reused location.
const REUSED: u32 = 1 << 31;

/// A run to be recovered.
pub struct Job {
    members: Vec<Prepared>,
    /// The number of ranks.
    size: u32,
    missing: Vec<(u32, u32)>,
    known: Known,
}

/// Information from sources other than the remains of the processes.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Properties of the first location of each process.
    pub properties: Vec<(String, String)>,
    /// The ticks per second.
    pub resolution: Option<u64>,
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("missing", &self.missing).finish_non_exhaustive()
    }
}

impl Job {
    /// Prepares the recovery of these processes, whose event files are in `files`. The program has
    /// at least `size` ranks. If several processes have the same rank, the first one is used.
    pub fn new(mut members: Vec<Member>, size: u32, files: &Arc<dyn Storage>) -> Result<Self> {
        members.sort_by_key(|member| member.rank);
        members.dedup_by_key(|member| member.rank);
        let stated = members.iter().filter_map(|member| member.remains.size()).max();
        let ranks: Vec<u32> = members.iter().map(|member| member.rank).collect();
        let mut ids = Ids::default();
        let prepare = |member| prepare(member, files, &mut ids);
        let members = members.into_iter().map(prepare).collect::<Result<_>>()?;
        let size = size.max(stated.unwrap_or(0));
        Ok(Self { members, size, missing: missing(&ranks, size), known: Known::default() })
    }

    /// Adds information from other sources.
    pub fn with(self, known: Known) -> Self {
        Self { known, ..self }
    }

    /// Writes the archive into a storage without files.
    pub fn write(&self, storage: &dyn Storage, settings: &Settings<'_>) -> Result<Report> {
        storage.create()?;
        let events = self.write_events(storage, settings)?;
        let report = self.report(&events);
        let has_events = report.locations().any(|location| location.events.has_communicators);
        let processes = self.members.iter().map(Prepared::process);
        let program = Program::new(processes, self.size, has_events);
        let mut unified = Unified::new();
        let mut mappings = Vec::new();
        for (member, events) in self.members.iter().zip(&events) {
            mappings.push(member.define(&program, events, &self.known.properties, &mut unified)?);
        }
        unified.name_topologies();
        let log = unified.log();
        let resolution = self.known.resolution.or_else(|| self.resolution());
        let clock = self.clock(&report, resolution);
        let definitions = GlobalDefinitions::from_log(clock, &log)?;
        for ((member, events), mappings) in self.members.iter().zip(&events).zip(&mappings) {
            let local =
                LocalDefinitions { mappings, clock_offsets: &offsets(&member.member.remains.facts, events) };
            local.write(
                storage,
                definitions.chunk_size(),
                member.locations.iter().map(|location| location.id),
            )?;
        }
        let mut properties = self.properties(&report);
        if !report.is_partial() {
            properties.extend_from_slice(settings.properties);
        }
        let properties: Vec<_> = properties.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let trace_id = self.trace_id(clock.global_offset);
        let is_resolution_unknown = resolution.is_none();
        definitions
            .write(storage, &Description { creator: settings.creator, properties: &properties, trace_id })?;
        Ok(Report { is_resolution_unknown, ..report })
    }

    /// Writes the events of all locations, several of them concurrently. Returns the outcomes by
    /// process.
    fn write_events(&self, storage: &dyn Storage, settings: &Settings<'_>) -> Result<Vec<Vec<Repaired>>> {
        let locations = |member| (0..member_locations(member)).map(move |at| (member, at));
        let work: Vec<(&Prepared, usize)> = self.members.iter().flat_map(locations).collect();
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        let failed = Mutex::new(None);
        let run = || {
            while let Some((number, (member, at))) = take(&next, &work) {
                match member.repair(at, storage, settings) {
                    Ok(events) => done.lock().unwrap_or_else(PoisonError::into_inner).push((number, events)),
                    Err(error) => {
                        next.store(work.len(), Relaxed);
                        failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    }
                }
            }
        };
        let threads =
            thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS).min(work.len());
        thread::scope(|scope| {
            for _ in 1..threads {
                // If a thread cannot be started, the others do its work.
                let _ = thread::Builder::new().spawn_scoped(scope, run);
            }
            run();
        });
        if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error.into());
        }
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|&(number, _)| number);
        let mut done = done.into_iter().map(|(_, events)| events);
        Ok(self.members.iter().map(|member| done.by_ref().take(member_locations(member)).collect()).collect())
    }

    fn report(&self, events: &[Vec<Repaired>]) -> Report {
        let rank = |(member, events): (&Prepared, &Vec<Repaired>)| RankReport {
            rank: member.member.rank,
            is_from_scratch: member.member.remains.image.is_some(),
            had_more: member.member.remains.image.as_ref().is_some_and(|image| image.has_more),
            untracked: member.member.remains.untracked(),
            damaged: member.damaged(),
            locations: member
                .locations
                .iter()
                .zip(events)
                .map(|(location, events)| location.report(events))
                .collect(),
        };
        let ranks = self.members.iter().zip(events).map(rank).collect();
        Report { ranks, missing: self.missing.clone(), is_resolution_unknown: false }
    }

    fn resolution(&self) -> Option<u64> {
        self.members.iter().find_map(|member| member.member.remains.facts.resolution(&ThisMachine))
    }

    /// Returns the clock properties, from the first to the last event.
    fn clock(&self, report: &Report, resolution: Option<u64>) -> ClockProperties {
        let (mut begin, mut end) = (u64::MAX, 0);
        for (member, rank) in self.members.iter().zip(&report.ranks) {
            let ahead = ahead(&member.member.remains.facts, span(rank.locations.iter().map(|it| &it.events)));
            for (first, last) in rank.locations.iter().filter_map(|location| location.events.times) {
                begin = begin.min(first.saturating_add_signed(ahead));
                end = end.max(last.saturating_add_signed(ahead));
            }
        }
        let global_offset = if begin == u64::MAX { 0 } else { begin };
        // On the clock of rank 0, or of the first rank whose clock is known.
        let realtime = self.members.iter().find_map(|member| {
            let facts = &member.member.remains.facts;
            facts.realtime(global_offset.saturating_add_signed(facts.ahead().checked_neg()?), resolution?)
        });
        ClockProperties {
            timer_resolution: resolution.unwrap_or(UNKNOWN_RESOLUTION),
            global_offset,
            trace_length: end.saturating_sub(global_offset),
            realtime_timestamp: realtime.unwrap_or(u64::MAX),
        }
    }

    fn properties(&self, report: &Report) -> Vec<(&'static str, String)> {
        let broken = self.members.iter().fold(0, |bits, member| bits | member.member.remains.facts.broken);
        let lost = report.lost();
        let is_whole = lost == 0 && !report.is_partial();
        // If ranks did not end properly, some messages have only one side.
        let has_ended = |member: &Prepared| member.member.remains.facts.program.1.is_some();
        let has_loose_ends = self.members.len() > 1 && !self.members.iter().all(has_ended);
        let kept = |class: EventClass| {
            let is_loose = has_loose_ends && class == EventClass::MpiCommunication;
            is_whole && !is_loose && broken & 1 << class as u32 == 0
        };
        let mut properties: Vec<_> =
            EventClass::ALL.map(|class| (class.property(), kept(class).to_string())).to_vec();
        properties.push(("OTF2::PTHREAD_LOCATION_REUSED", (broken & REUSED != 0).to_string()));
        properties.push(("KYMO::RECOVERED", true.to_string()));
        let counts = [
            ("KYMO::EVENTS_LOST", lost),
            ("KYMO::BYTES_CUT", report.sum(|it| it.events.cut)),
            ("KYMO::REGIONS_CLOSED", report.sum(|it| it.events.closed)),
        ];
        properties.extend(
            counts.iter().filter(|(_, count)| *count > 0).map(|(name, count)| (*name, count.to_string())),
        );
        if !report.missing.is_empty() {
            properties.push(("KYMO::RANKS_MISSING", ranges(&report.missing)));
        }
        properties
    }

    /// Returns a trace id that is always the same for the same run (FNV-1a).
    fn trace_id(&self, begin: u64) -> u64 {
        let origins = self.members.iter().filter_map(|member| member.member.remains.origin());
        let numbers = origins.flat_map(|origin| [u64::from(origin.process), origin.started]).chain([begin]);
        numbers
            .flat_map(u64::to_le_bytes)
            .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
    }
}

fn member_locations(member: &Prepared) -> usize {
    member.locations.len()
}

/// Takes the next piece of work, with its index.
fn take<'a>(next: &AtomicUsize, work: &[(&'a Prepared, usize)]) -> Option<(usize, (&'a Prepared, usize))> {
    let number = next.fetch_add(1, Relaxed);
    work.get(number).map(|&work| (number, work))
}
