//! A process that becomes part of an archive: its locations, their streams, and its definitions.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::Arc,
};

use kymo_otf2::{
    Storage,
    enums::{LocationType, MappingType},
    read::Archive,
    references::{MetricRef, Space},
};

use super::{
    communicators::{Process, Program},
    crashed_process::CrashedProcess,
    image::{Image, Run},
    location::RecoveredLocation,
    log::{Hints, Log},
    repair::{Repair, Repaired, Streams, open},
    settings::{Result, Settings},
    stream::StreamLayout,
    system::{define_attributes, define_location, define_process, define_properties},
};
use crate::{
    EVENT_CHUNK_SIZE,
    archive::mapping,
    unification::{Keys, Unified},
};

/// A process and its names in the archive.
pub struct Member {
    /// Its rank, or an otherwise unused one if it had none yet.
    pub rank: u32,
    /// The name of its location group, if it did not record one itself.
    pub name: String,
    /// The node that it ran on.
    pub node: String,
    /// Its remaining data.
    pub remains: CrashedProcess,
}

impl fmt::Debug for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Member").field("rank", &self.rank).field("node", &self.node).finish_non_exhaustive()
    }
}

/// A process whose locations are known.
pub(super) struct Prepared {
    pub(super) member: Member,
    pub(super) locations: Vec<RecoveredLocation>,
    archive: Archive,
}

impl Prepared {
    pub(super) fn process(&self) -> Process<'_> {
        let entries = &self.member.remains.facts.communicators;
        Process { rank: self.member.rank, entries, locations: &self.locations }
    }

    pub(super) fn damaged(&self) -> u64 {
        let CrashedProcess { facts, damaged, .. } = &self.member.remains;
        damaged
            + facts.unknown
            + u64::from(facts.gaps.is_cut)
            + Log::new(
                &facts.log,
                &Hints { process: "", recorder: &|_| None, place: &Some, has_location: &|_| true },
            )
            .damaged
    }

    pub(super) fn repair(
        &self,
        at: usize,
        storage: &dyn Storage,
        settings: &Settings<'_>,
    ) -> kymo_otf2::Result<Repaired> {
        let Some(location) = self.locations.get(at) else { return Ok(Repaired::default()) };
        let Settings { closes, progress, .. } = *settings;
        let chunk_size = EVENT_CHUNK_SIZE;
        let repair =
            Repair { archive: &self.archive, index: at as u64, layout: &location.layout, chunk_size, closes };
        repair.write(storage, location.id, progress)
    }

    /// Completes the definitions, adding properties to the first location, and merges them with
    /// those of other processes. Returns the mapping tables.
    pub(super) fn define(
        &self,
        program: &Program,
        events: &[Repaired],
        properties: &[(String, String)],
        unified: &mut Unified,
    ) -> Result<Vec<(MappingType, Vec<u64>)>> {
        let facts = &self.member.remains.facts;
        let recorder = |metric: MetricRef| {
            let mut recorders = self.locations.iter().zip(events);
            recorders.find(|(_, events)| events.metrics.contains(&metric.0)).map(|(location, _)| location.id)
        };
        let place = |rank| program.place(rank);
        let has_location = |id| self.locations.iter().any(|location| location.id == id);
        let hints = Hints {
            process: &self.member.name,
            recorder: &recorder,
            place: &place,
            has_location: &has_location,
        };
        let mut log = Log::new(&facts.log, &hints);
        let mut keys: Keys = facts.keys.clone();
        define_attributes(&mut log, facts, events.iter().fold(0, |all, events| all | events.attributes));
        let group = define_process(&mut log, &self.member.node, &self.member.name);
        let mut teams = HashMap::new();
        for (location, events) in self.locations.iter().zip(events) {
            define_location(&mut log, location, events.events + events.closed, group);
            teams.extend(events.teams.iter().map(|&team| (team, location.id)));
        }
        if let Some(first) = self.locations.first() {
            define_properties(&mut log, first, properties);
        }
        let communicators = program.define(&self.process(), &teams, &mut log, &mut keys);
        let ids = unified.take(log.bytes(), &keys)?;
        let global = |space| match space {
            Space::Comm => communicators.iter().map(|&id| ids.global(space, id)).collect(),
            space => ids.table(space),
        };
        Ok(MappingType::VALUES.iter().filter_map(|&kind| mapping(kind, global)).collect())
    }
}

/// The ids of locations that are in use.
#[derive(Debug, Default)]
pub(super) struct Ids {
    taken: HashSet<u64>,
    spare: u64,
}

impl Ids {
    /// Reserves this id, or another if it is in use, and returns it.
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

pub(super) fn prepare(member: Member, files: &Arc<dyn Storage>, ids: &mut Ids) -> Result<Prepared> {
    let CrashedProcess { image, slots, facts, .. } = &member.remains;
    let pieces = image.iter().flat_map(|image| image.pieces.keys());
    let mut numbers: Vec<u32> = slots.keys().chain(facts.locations.keys()).chain(pieces).copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut locations: Vec<RecoveredLocation> =
        numbers.into_iter().map(|slot| location(slot, &member, ids)).collect();
    locations.sort_by_key(|location| location.id);
    let streams = locations.iter().map(|location| (location.layout.clone(), location.file)).collect();
    let archive = open(Streams::new(image.clone(), files.clone(), streams)?)?;
    Ok(Prepared { member, locations, archive })
}

/// Returns all pieces, or only those before the first gap if some memory was outside the scratch
/// file: the missing data was in that memory.
fn joined<'a>(image: Option<&Image>, pieces: &'a [Run], length: u64) -> &'a [Run] {
    if !image.is_some_and(|image| image.has_more) {
        return pieces;
    }
    let join = |end: &mut u64, piece: &Run| {
        let joins = piece.base <= *end;
        *end = piece.base + piece.committed;
        Some(joins).filter(|&joins| joins)
    };
    &pieces[..pieces.iter().scan(length, join).count()]
}

fn location(slot: u32, member: &Member, ids: &mut Ids) -> RecoveredLocation {
    let CrashedProcess { image, slots, facts, .. } = &member.remains;
    let kept = slots.get(&slot).copied().unwrap_or_default();
    let known = facts.locations.get(&slot);
    // This is how the host numbers them.
    let number = known.map(|location| location.number).filter(|&number| number != u32::MAX).unwrap_or(slot);
    let id = kept.file.or_else(|| known?.id);
    let id = id.unwrap_or(u64::from(number) << 32 | u64::from(member.rank));
    let pieces = image.as_ref().and_then(|image| image.pieces.get(&slot));
    RecoveredLocation {
        slot,
        id: ids.take(id),
        group: known.map_or(u32::MAX, |location| location.group),
        location_type: known.map_or(LocationType::UNKNOWN, |location| LocationType(location.location_type)),
        name: known.map_or_else(Vec::new, |location| location.name.clone()),
        layout: StreamLayout::new(
            joined(image.as_deref(), pieces.map_or(&[], Vec::as_slice), kept.length),
            kept.length,
        ),
        file: kept.file,
        dropped: kept.dropped,
    }
}
