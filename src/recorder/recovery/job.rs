//! Everything that is left of a run becomes one archive.
//!
//! Events first, location by location; then the definitions of each process are completed and joined with those of the others, as the
//! ranks do it at the end of a run; the anchor comes last. Invariant: what a process did not tell is unknown in the archive, and
//! everything that is left out is in the [`Report`].

use std::{
    collections::{HashMap, HashSet},
    error::Error,
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
};

use kymo_otf2::{
    Storage,
    definitions::ClockProperties,
    enums::{LocationType, MappingType},
    mappings::{Mappings, space_of},
    read::Archive,
    references::{MetricRef, Space},
};

use super::{
    communicators::{Process, Program},
    facts::Facts,
    log::Log,
    remains::Remains,
    repair::{Repair, Repaired, Streams, open},
    stream::Places,
    system::{define_attributes, define_location, define_process},
};
use crate::{
    EventClass,
    archive::{Description, GlobalDefinitions, LocalDefinitions},
    unification::{Keys, Unified},
};

type Result<T = (), E = Box<dyn Error + Send + Sync>> = core::result::Result<T, E>;

/// Ticks per second where neither the clock is known nor its rate can be measured.
const UNKNOWN_RESOLUTION: u64 = 1_000_000_000;
/// Bit of the broken promises that says that a location was reused.
const REUSED: u32 = 1 << 31;

/// A location of the archive.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) slot: u32,
    pub(super) id: u64,
    pub(super) group: u32,
    pub(super) location_type: LocationType,
    pub(super) name: Vec<u8>,
    places: Places,
    file: Option<u64>,
    dropped: u64,
}

/// A process and what it is called in the archive.
pub struct Member {
    /// Its rank; one of its own if it had none yet.
    pub rank: u32,
    /// Name of its location group, if it tells none itself.
    pub name: String,
    /// Node that it ran on.
    pub node: String,
    /// What is left of it.
    pub remains: Remains,
}

impl fmt::Debug for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Member").field("rank", &self.rank).field("node", &self.node).finish_non_exhaustive()
    }
}

/// How to write the archive.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// Whether regions that were not left get a leave.
    pub closes: bool,
    /// Who writes it.
    pub creator: &'a str,
    /// Is told of events that were written.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl fmt::Debug for Settings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("closes", &self.closes).finish_non_exhaustive()
    }
}

/// What became of a location.
#[derive(Debug, Clone)]
pub struct LocationReport {
    /// Its id.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Records that the process itself dropped.
    pub dropped: u64,
    /// What became of its events.
    pub events: Repaired,
}

/// What became of a process.
#[derive(Debug, Clone)]
pub struct RankReport {
    /// Its rank.
    pub rank: u32,
    /// Whether its scratch file was there.
    pub is_from_scratch: bool,
    /// Its locations.
    pub locations: Vec<LocationReport>,
    /// Definitions and entries of the journal that could not be read.
    pub damaged: u64,
}

/// What became of a run.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The processes, by rank.
    pub ranks: Vec<RankReport>,
    /// Ranks that are missing: from, to.
    pub missing: Vec<(u32, u32)>,
    /// Whether the rate of the clock is only assumed.
    pub is_resolution_unknown: bool,
}

impl Report {
    /// The locations of all ranks.
    pub fn locations(&self) -> impl Iterator<Item = &LocationReport> {
        self.ranks.iter().flat_map(|rank| &rank.locations)
    }

    /// Sum of something over all locations.
    pub fn sum(&self, of: impl Fn(&LocationReport) -> u64) -> u64 {
        self.locations().fold(0, |sum, location| sum.saturating_add(of(location)))
    }

    /// Whether something of what was recorded is not in the archive, or may not be.
    pub fn is_partial(&self) -> bool {
        let is_cut =
            |it: &LocationReport| it.events.cut > 0 || it.events.missing > 0 || it.events.fault.is_some();
        !self.missing.is_empty()
            || self.ranks.iter().any(|rank| rank.damaged > 0 || !rank.is_from_scratch)
            || self.locations().any(is_cut)
    }
}

/// A run that is recovered.
pub struct Job {
    members: Vec<Prepared>,
    /// Number of ranks.
    size: u32,
    missing: Vec<(u32, u32)>,
}

/// A process whose locations are known.
struct Prepared {
    member: Member,
    places: Vec<Place>,
    archive: Archive,
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("missing", &self.missing).finish_non_exhaustive()
    }
}

impl Job {
    /// Of these processes, whose event files are in `files`; there are at least `size` in the program. Of several with one rank the
    /// first counts.
    pub fn new(mut members: Vec<Member>, size: u32, files: &Arc<dyn Storage>) -> Result<Self> {
        members.sort_by_key(|member| member.rank);
        members.dedup_by_key(|member| member.rank);
        let said = members.iter().filter_map(|member| member.remains.size()).max();
        let ranks: Vec<u32> = members.iter().map(|member| member.rank).collect();
        let mut ids = Ids::default();
        let prepare = |member| prepare(member, files, &mut ids);
        let members = members.into_iter().map(prepare).collect::<Result<_>>()?;
        let size = size.max(said.unwrap_or(0));
        Ok(Self { members, size, missing: missing(&ranks, size) })
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
            mappings.push(member.define(&program, events, &mut unified)?);
        }
        let log = unified.log();
        let clock = self.clock(&report);
        let definitions = GlobalDefinitions::from_log(clock, &log)?;
        for ((member, events), mappings) in self.members.iter().zip(&events).zip(&mappings) {
            let local =
                LocalDefinitions { mappings, clock_offsets: &offsets(&member.member.remains.facts, events) };
            for place in &member.places {
                local.write(storage, definitions.chunk_size(), place.id)?;
            }
        }
        let properties = self.properties(&report);
        let properties: Vec<_> = properties.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let trace_id = self.trace_id(clock.global_offset);
        let is_resolution_unknown = self.resolution().is_none();
        definitions
            .write(storage, &Description { creator: settings.creator, properties: &properties, trace_id })?;
        Ok(Report { is_resolution_unknown, ..report })
    }

    /// The events of all locations, by process; several locations at once.
    fn write_events(&self, storage: &dyn Storage, settings: &Settings<'_>) -> Result<Vec<Vec<Repaired>>> {
        let work: Vec<(&Prepared, usize)> = self
            .members
            .iter()
            .flat_map(|member| (0..member.places.len()).map(move |at| (member, at)))
            .collect();
        let done: Vec<Mutex<Option<kymo_otf2::Result<Repaired>>>> =
            work.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let threads = thread::available_parallelism().map_or(1, usize::from).min(8).min(work.len());
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some((&(member, at), done)) = {
                        let number = next.fetch_add(1, Relaxed);
                        work.get(number).zip(done.get(number))
                    } {
                        let repaired = member.repair(at, storage, settings);
                        if repaired.is_err() {
                            next.store(work.len(), Relaxed);
                        }
                        *done.lock().unwrap_or_else(PoisonError::into_inner) = Some(repaired);
                    }
                });
            }
        });
        let mut done = done.into_iter().map(|it| it.into_inner().unwrap_or_else(PoisonError::into_inner));
        let mut all = Vec::new();
        let mut failed = None;
        for member in &self.members {
            let mut events = Vec::new();
            for repaired in done.by_ref().take(member.places.len()) {
                match repaired {
                    Some(Ok(repaired)) => events.push(repaired),
                    Some(Err(error)) => failed = failed.or(Some(error)),
                    None => {}
                }
            }
            all.push(events);
        }
        failed.map_or(Ok(all), |error| Err(error.into()))
    }

    fn report(&self, events: &[Vec<Repaired>]) -> Report {
        let rank = |(member, events): (&Prepared, &Vec<Repaired>)| RankReport {
            rank: member.member.rank,
            is_from_scratch: member.member.remains.image.is_some(),
            damaged: member.damaged(),
            locations: member.places.iter().zip(events).map(|(place, events)| place.report(events)).collect(),
        };
        let ranks = self.members.iter().zip(events).map(rank).collect();
        Report { ranks, missing: self.missing.clone(), is_resolution_unknown: false }
    }

    fn resolution(&self) -> Option<u64> {
        self.members.iter().find_map(|member| member.member.remains.facts.resolution())
    }

    /// From the first to the last event.
    fn clock(&self, report: &Report) -> ClockProperties {
        let (mut begin, mut end) = (u64::MAX, 0);
        for (member, rank) in self.members.iter().zip(&report.ranks) {
            let ahead = ahead(&member.member.remains.facts, span(rank.locations.iter().map(|it| &it.events)));
            for (first, last) in rank.locations.iter().filter_map(|location| location.events.times) {
                begin = begin.min(first.saturating_add_signed(ahead));
                end = end.max(last.saturating_add_signed(ahead));
            }
        }
        let global_offset = if begin == u64::MAX { 0 } else { begin };
        ClockProperties {
            timer_resolution: self.resolution().unwrap_or(UNKNOWN_RESOLUTION),
            global_offset,
            trace_length: end.saturating_sub(global_offset),
            realtime_timestamp: u64::MAX,
        }
    }

    fn properties(&self, report: &Report) -> Vec<(&'static str, String)> {
        let broken = self.members.iter().fold(0, |bits, member| bits | member.member.remains.facts.broken);
        let is_partial = report.is_partial();
        // Of ranks that did not come to an end some messages have only one side.
        let has_ended = |member: &Prepared| member.member.remains.facts.program.1.is_some();
        let has_loose_ends = self.members.len() > 1 && !self.members.iter().all(has_ended);
        let kept = |class: EventClass| {
            let is_loose = has_loose_ends && class == EventClass::MpiCommunication;
            !is_partial && !is_loose && broken & 1 << class as u32 == 0
        };
        let mut properties: Vec<_> =
            EventClass::ALL.map(|class| (class.property(), kept(class).to_string())).to_vec();
        properties.push(("OTF2::PTHREAD_LOCATION_REUSED", (broken & REUSED != 0).to_string()));
        properties.push(("KYMO::RECOVERED", true.to_string()));
        let lost = report.sum(|it| it.dropped.saturating_add(it.events.missing));
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

    /// The same for the same run: FNV-1a.
    fn trace_id(&self, begin: u64) -> u64 {
        let origins = self.members.iter().filter_map(|member| member.member.remains.origin());
        let numbers = origins.flat_map(|origin| [u64::from(origin.process), origin.started]).chain([begin]);
        numbers
            .flat_map(u64::to_le_bytes)
            .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
    }
}

impl Prepared {
    fn process(&self) -> Process<'_> {
        let entries = &self.member.remains.facts.communicators;
        Process { rank: self.member.rank, entries, locations: &self.places }
    }

    fn damaged(&self) -> u64 {
        let Remains { facts, damaged, .. } = &self.member.remains;
        damaged + facts.unknown + u64::from(facts.gaps.is_cut) + Log::new(&facts.log, "", |_| None).damaged
    }

    fn repair(
        &self,
        at: usize,
        storage: &dyn Storage,
        settings: &Settings<'_>,
    ) -> kymo_otf2::Result<Repaired> {
        let Some(place) = self.places.get(at) else { return Ok(Repaired::default()) };
        let Settings { closes, progress, .. } = *settings;
        let repair = Repair { archive: &self.archive, index: at as u64, places: &place.places, closes };
        repair.write(storage, place.id, progress)
    }

    /// Completes the definitions and joins them with those of others. Gives the mapping tables.
    fn define(
        &self,
        program: &Program,
        events: &[Repaired],
        unified: &mut Unified,
    ) -> Result<Vec<(MappingType, Vec<u64>)>> {
        let facts = &self.member.remains.facts;
        let recorder = |metric: MetricRef| {
            let mut recorders = self.places.iter().zip(events);
            recorders.find(|(_, events)| events.metrics.contains(&metric.0)).map(|(place, _)| place.id)
        };
        let mut log = Log::new(&facts.log, &self.member.name, recorder);
        let mut keys: Keys = facts.keys.clone();
        define_attributes(&mut log, facts, events.iter().fold(0, |all, events| all | events.attributes));
        let group = define_process(&mut log, &self.member.node, &self.member.name);
        let mut teams = HashMap::new();
        for (place, events) in self.places.iter().zip(events) {
            define_location(&mut log, place, events.events + events.closed, group);
            teams.extend(events.teams.iter().map(|&team| (team, place.id)));
        }
        let communicators = program.define(&self.process(), &teams, &mut log, &mut keys);
        let ids = unified.take(log.bytes(), &keys)?;
        Ok(MappingType::VALUES.iter().filter_map(|&kind| table(kind, &ids, &communicators)).collect())
    }
}

/// The ids of the archive by those in events.
fn table(kind: MappingType, ids: &Mappings, communicators: &[u64]) -> Option<(MappingType, Vec<u64>)> {
    let space = space_of(kind).filter(|&space| space != Space::Location)?;
    let mut table = match space {
        Space::Comm => communicators.iter().map(|&id| ids.global(space, id)).collect(),
        space => ids.table(space),
    };
    let used = table.iter().rposition(|&id| id != u64::MAX).map_or(0, |last| last + 1);
    table.truncate(used);
    Some((kind, table))
}

impl Place {
    fn report(&self, events: &Repaired) -> LocationReport {
        let name = String::from_utf8_lossy(&self.name).into_owned();
        LocationReport { id: self.id, name, dropped: self.dropped, events: events.clone() }
    }
}

/// Ids of locations that are taken.
#[derive(Debug, Default)]
struct Ids {
    taken: HashSet<u64>,
    spare: u64,
}

impl Ids {
    /// This id, or another if it is taken.
    fn take(&mut self, id: u64) -> u64 {
        if self.taken.insert(id) {
            return id;
        }
        loop {
            self.spare += 1;
            let id = 1 << 62 | self.spare;
            if self.taken.insert(id) {
                return id;
            }
        }
    }
}

fn prepare(member: Member, files: &Arc<dyn Storage>, ids: &mut Ids) -> Result<Prepared> {
    let Remains { image, slots, facts, .. } = &member.remains;
    let pieces = image.iter().flat_map(|image| image.pieces.keys());
    let mut numbers: Vec<u32> = slots.keys().chain(facts.locations.keys()).chain(pieces).copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut places: Vec<Place> = numbers.into_iter().map(|slot| place(slot, &member, ids)).collect();
    places.sort_by_key(|place| place.id);
    let streams = places.iter().map(|place| (place.places.clone(), place.file)).collect();
    let archive = open(Streams::new(image.clone(), files.clone(), streams)?)?;
    Ok(Prepared { member, places, archive })
}

fn place(slot: u32, member: &Member, ids: &mut Ids) -> Place {
    let Remains { image, slots, facts, .. } = &member.remains;
    let kept = slots.get(&slot).copied().unwrap_or_default();
    let known = facts.locations.get(&slot);
    // As the host numbers them.
    let number = known.map(|location| location.number).filter(|&number| number != u32::MAX).unwrap_or(slot);
    let id = kept.file.or_else(|| known?.id);
    let id = id.unwrap_or(u64::from(number) << 32 | u64::from(member.rank));
    let pieces = image.as_ref().and_then(|image| image.pieces.get(&slot));
    Place {
        slot,
        id: ids.take(id),
        group: known.map_or(u32::MAX, |location| location.group),
        location_type: known.map_or(LocationType::UNKNOWN, |location| LocationType(location.location_type)),
        name: known.map_or_else(Vec::new, |location| location.name.clone()),
        places: Places::new(pieces.map_or(&[], Vec::as_slice), kept.length),
        file: kept.file,
        dropped: kept.dropped,
    }
}

/// First and last time of all.
fn span<'a>(events: impl Iterator<Item = &'a Repaired>) -> Option<(u64, u64)> {
    let join = |(a, b): (u64, u64), (c, d): (u64, u64)| (a.min(c), b.max(d));
    events.filter_map(|events| events.times).reduce(join)
}

/// How far the clock of rank 0 is ahead, if all times stay times.
fn ahead(facts: &Facts, span: Option<(u64, u64)>) -> i64 {
    let ahead = facts.ahead();
    let is_time = |time: u64| time.checked_add_signed(ahead).is_some();
    if span.is_none_or(|(first, last)| is_time(first) && is_time(last)) { ahead } else { 0 }
}

/// The clock offsets of a process at its first and its last event.
fn offsets(facts: &Facts, events: &[Repaired]) -> Vec<(u64, i64)> {
    let span = span(events.iter());
    let ahead = ahead(facts, span);
    match span {
        None => Vec::new(),
        Some((first, last)) if first == last => vec![(first, ahead)],
        Some((first, last)) => vec![(first, ahead), (last, ahead)],
    }
}

/// The ranks below `size` that are not among these, which are sorted.
fn missing(ranks: &[u32], size: u32) -> Vec<(u32, u32)> {
    let mut missing = Vec::new();
    let mut next = 0;
    for &rank in ranks.iter().filter(|&&rank| rank < size).chain([&size]) {
        if next < rank {
            missing.push((next, rank - 1));
        }
        next = rank.saturating_add(1);
    }
    missing
}

/// `1, 3-5`
pub fn ranges(ranges: &[(u32, u32)]) -> String {
    const MOST: usize = 1000;
    let text = |&(from, to): &(u32, u32)| if from == to { from.to_string() } else { format!("{from}-{to}") };
    let mut texts: Vec<String> = ranges.iter().take(MOST).map(text).collect();
    if ranges.len() > MOST {
        texts.push("...".to_owned());
    }
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_ranks() {
        let all = |ranks: &[u32], size| ranges(&missing(ranks, size));
        assert_eq!(all(&[0, 1, 2], 3), "");
        assert_eq!(all(&[], 1), "0");
        assert_eq!(all(&[1, 5], 8), "0, 2-4, 6-7");
        assert_eq!(all(&[7], 0), "");
        assert_eq!(all(&[0], u32::MAX), format!("1-{}", u32::MAX - 1));
    }
}
