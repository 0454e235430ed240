//! Finishes the archive: the definitions of all ranks are unified into one set, which rank 0
//! writes.

use core::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use std::{error::Error, fmt::Display, hash::BuildHasher};

use kymo_allocator::Reservation;
use kymo_otf2::{Storage, definitions::ClockProperties, enums::MappingType, hash::Seeded};
use kymo_recorder::{
    EventClass, QuietFileLimit,
    archive::{Description, GlobalDefinitions, LocalDefinitions, mapping},
    ranks::{Ipc, IpcFailed, all_join, broadcast},
    unification::{Joined, Keys, room_for, unify},
};
use kymo_substrate::{Host, report};

use super::{
    Destination,
    counted::Counted,
    is_under_record,
    locations::{Refused, define_locations, define_process, is_full_disk},
};
use crate::{
    NAME,
    definitions::{Completed, Mapping},
    events::Sink,
    host,
    life::{
        Life,
        ranks::{HostIpc, attempt},
    },
};

pub(super) type Result<T = ()> = core::result::Result<T, Box<dyn Error>>;

/// The creator that is written into the archive.
const CREATOR: &str = concat!("Kymo ", env!("CARGO_PKG_VERSION"));

/// The contribution of a rank.
#[derive(Default)]
pub(super) struct RankContribution {
    log: Vec<u8>,
    keys: Keys,
    mappings: Vec<Mapping>,
    clock_offsets: Vec<(u64, i64)>,
    job: Job,
    /// Why the contribution is incomplete: some of its events are only in the scratch file.
    pub(super) refused: Option<Refused>,
    /// The memory set aside for this contribution, which is used if the C library has none.
    _reservation: Option<Reservation>,
}

impl RankContribution {
    /// An empty contribution. If there were events, `refused` is the reason.
    pub(super) fn nothing(refused: Option<Refused>) -> Self {
        Self { refused, ..Self::default() }
    }
}

/// Totals of a rank, or of all ranks together.
#[derive(Clone, Copy)]
pub(super) struct Job {
    /// The number of events that were lost.
    lost: u64,
    /// The number of definitions that were lost.
    lost_definitions: u64,
    /// The begin and the end of the program on the clock of rank 0.
    begin: u64,
    end: u64,
    /// The promises of the archive that were broken, as one bit for each event class.
    broken: u64,
    is_location_reused: bool,
}

impl Default for Job {
    fn default() -> Self {
        Self { lost: 0, lost_definitions: 0, begin: u64::MAX, end: 0, broken: 0, is_location_reused: false }
    }
}

impl Job {
    /// Combines the totals of all ranks.
    fn of_all(self, ipc: &impl Ipc) -> Result<Self> {
        let Self { lost, lost_definitions, begin, end, broken, is_location_reused } = self;
        let values = [lost, begin, end, broken, u64::from(is_location_reused), lost_definitions];
        let [lost, begin, end, broken, reused, lost_definitions] = all_join(ipc, values, |a, b| {
            let sum = |at: usize| a[at].saturating_add(b[at]);
            [sum(0), a[1].min(b[1]), a[2].max(b[2]), a[3] | b[3], a[4] | b[4], sum(5)]
        })?;
        Ok(Self { lost, lost_definitions, begin, end, broken, is_location_reused: reused != 0 })
    }

    /// Writes the files of rank 0.
    fn write(&self, storage: &dyn Storage, definitions: &GlobalDefinitions<'_>) -> Result {
        let properties = self.properties();
        let properties: Vec<_> = properties.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let trace_id = Seeded.hash_one(self.begin);
        Ok(definitions
            .write(storage, &Description { creator: CREATOR, properties: &properties, trace_id })?)
    }

    /// The properties of the archive: all those that Score-P's own tracing writes, and the numbers
    /// of lost events and definitions if there are any.
    fn properties(&self) -> Vec<(&'static str, String)> {
        // Without a definition, events may refer to something that is unknown.
        let kept = |class: EventClass| self.broken & 1 << class as u64 == 0 && self.lost_definitions == 0;
        let mut properties: Vec<_> =
            EventClass::ALL.map(|class| (class.property(), kept(class).to_string())).to_vec();
        properties.push(("OTF2::PTHREAD_LOCATION_REUSED", self.is_location_reused.to_string()));
        for (name, count) in
            [("KYMO::EVENTS_LOST", self.lost), ("KYMO::DEFINITIONS_LOST", self.lost_definitions)]
        {
            if count > 0 {
                properties.push((name, count.to_string()));
            }
        }
        properties
    }
}

/// The least memory for the definitions that every process has, in bytes.
const LEAST: usize = 16 * 1024;

/// Reports a leftover file that could not be removed.
fn report_failed(removed: std::io::Result<()>) {
    if let Err(error) = removed {
        report(NAME, format_args!("{error}"));
    }
}

/// Reports that the archive is incomplete.
pub(super) fn incomplete(why: &dyn Display) {
    let what = "the archive is not complete; `kymo recover` makes one from everything that was recorded";
    report(NAME, format_args!("{what}: {why}"));
}

/// A full disk or quota, which is reported in one line.
struct FullDisk<'e> {
    /// The number of events that were lost.
    lost: u64,
    /// Whether this process has written its files.
    is_complete: bool,
    /// Why it has not, if the recorded events can be recovered.
    kept: Option<&'e (dyn Error + 'static)>,
}

impl FullDisk<'_> {
    /// Whether an error is that the disk or the quota is full.
    fn is_reason(error: &(dyn Error + 'static)) -> bool {
        match (error.downcast_ref::<Refused>(), error.downcast_ref()) {
            (Some(refused), _) => matches!(refused, Refused::FullDisk(_)),
            (None, error) => error.is_some_and(is_full_disk),
        }
    }

    fn report(&self) {
        let lost = (self.lost > 0).then(|| Counted::lost(self.lost).to_string());
        let (what, then) = match self.kept {
            None if self.is_complete => (None, ""),
            None => (Some("the archive is not complete".to_owned()), ""),
            // `kymo record` recovers, or reports that it cannot.
            Some(_) if is_under_record() => (None, ""),
            Some(error) => {
                let kept = error.downcast_ref::<Refused>().map(Refused::to_string);
                let kept = kept.unwrap_or_else(|| "all that was written is kept".to_owned());
                (Some(kept), "; make room, then run `kymo recover`")
            }
        };
        let texts: Vec<_> = what.into_iter().chain(lost).collect();
        if !texts.is_empty() {
            report(NAME, format_args!("the disk is full: {}{then}", texts.join(", ")));
        }
    }
}

/// A process that finishes the archive together with the others.
pub(super) trait Member {
    /// Returns the contribution of this process.
    fn part(&self) -> RankContribution;

    /// Writes the local definition files of this process.
    fn write_local(&self, chunk_size: u64, part: &RankContribution, joined: &Joined) -> Result;

    /// The clock definition of the archive, whose events are within this range.
    fn clock(&self, range: (u64, u64)) -> ClockProperties;

    /// Writes the files of rank 0.
    fn write_global(&self, job: &Job, definitions: &GlobalDefinitions<'_>) -> Result;
}

/// A process that has recorded.
struct Present<'a> {
    life: &'a Life,
    sink: &'a Sink,
    storage: &'a dyn Storage,
}

impl Member for Present<'_> {
    fn part(&self) -> RankContribution {
        match self.life.part_in_memory(&host(), self.sink) {
            Ok((part, reservation)) => RankContribution { _reservation: Some(reservation), ..part },
            Err(why) => RankContribution::nothing(Some(Refused::Other(why.to_string()))),
        }
    }

    fn write_local(&self, chunk_size: u64, part: &RankContribution, joined: &Joined) -> Result {
        attempt(|| self.life.write_local_definitions(self.storage, chunk_size, part, joined))?
    }

    fn clock(&self, range: (u64, u64)) -> ClockProperties {
        self.life.time.properties(&host(), range)
    }

    fn write_global(&self, job: &Job, definitions: &GlobalDefinitions<'_>) -> Result {
        attempt(|| job.write(self.storage, definitions))?
    }
}

/// Runs the steps that all ranks take together, and returns how many other ranks failed. Every rank
/// takes every step, whatever has failed before.
pub(super) fn together(ipc: &impl Ipc, member: &impl Member) -> Result<u64> {
    let part = member.part();
    if part.log.is_empty() && part.refused.is_none() && ipc.size() == 1 {
        return Ok(0);
    }
    let joined = unify(ipc, &part.log, &part.keys);
    if let Ok(Joined { left_out: count @ 1.., .. }) = joined {
        report(NAME, format_args!("{count} definitions left out: their ids are undefined or out of range"));
    }
    let job = part.job.of_all(ipc);
    let log = joined.as_ref().ok().and_then(|joined| Some(joined.definitions.as_ref()?.log()));
    let mut reservation = None;
    let definitions = log.as_deref().map(|log| -> Result<GlobalDefinitions<'_>> {
        let job = job.as_ref().map_err(ToString::to_string)?;
        reservation = Some(room_for(log.len())?);
        Ok(GlobalDefinitions::from_log(member.clock((job.begin, job.end.max(job.begin))), log)?)
    });
    let chunk_size =
        definitions.as_ref().map_or(0, |it| it.as_ref().map_or(0, GlobalDefinitions::chunk_size));
    let chunk_size = chunk_size_of_all(ipc, chunk_size);
    let local = match (&part.refused, &joined, chunk_size) {
        (Some(why), ..) => Err(why.clone().into()),
        (None, Ok(joined), Ok(chunk_size)) => member.write_local(chunk_size, &part, joined),
        (None, Err(error), _) => Err(error.to_string().into()),
        (None, _, Err(error)) => Err(error.into()),
    };
    let failed = all_join(ipc, [u64::from(local.is_err())], |[a], [b]| [a + b]);
    let global = match (definitions, &job, &failed) {
        (Some(Ok(definitions)), Ok(job), Ok([0])) => member.write_global(job, &definitions),
        (Some(definitions), ..) => definitions.map(drop),
        (None, ..) => Ok(()),
    };
    // No rank may clean up before all files are written.
    let incomplete = all_join(ipc, [u64::from(global.is_err())], |[a], [b]| [a + b]);
    local.and(global)?;
    let ([failed], [incomplete], _) = (failed?, incomplete?, job?);
    Ok(failed + incomplete)
}

/// Broadcasts the chunk size from rank 0.
fn chunk_size_of_all(ipc: &impl Ipc, own: u64) -> core::result::Result<u64, IpcFailed> {
    let mut bytes = own.to_le_bytes().to_vec();
    broadcast(ipc, &mut bytes)?;
    bytes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes)).ok_or(IpcFailed)
}

impl Life {
    /// Removes the scratch file, whose contents are no longer required.
    pub(crate) fn remove_scratch(&self) {
        report_failed(self.drain.remove_scratch());
    }

    /// Completes the archive, once. Losses are reported in one line and in the archive's
    /// properties.
    pub(crate) fn write_archive(&self, sink: &Sink) {
        let output = self.drain.output();
        if !output.is_ours() || self.archive.destination() == Destination::Nowhere {
            return;
        }
        let _quiet = QuietFileLimit::begin();
        let Ok(storage) = output.storage() else {
            self.remove_scratch();
            return report(
                NAME,
                format_args!("no archive: the host ended before it initialised its processes"),
            );
        };
        if self.archive.written.swap(true, AcqRel) {
            return;
        }
        let ipc = HostIpc::new(host());
        let written = together(&ipc, &Present { life: self, sink, storage });
        let lost = self.archive.lost_to_full_disk.load(Acquire);
        if lost > 0 || written.as_ref().is_err_and(|error| FullDisk::is_reason(error.as_ref())) {
            let kept = written.as_ref().err().filter(|_| self.drain.is_recoverable());
            FullDisk { lost, is_complete: written.is_ok(), kept: kept.map(AsRef::as_ref) }.report();
        }
        match written {
            Ok(0) => {
                self.seal(storage, &ipc);
                report_failed(self.drain.clean_up());
            }
            Err(error) if FullDisk::is_reason(error.as_ref()) => {}
            // The files are kept for `kymo recover`. Among the ranks that succeeded, only rank 0
            // reports the failure of others.
            Err(error) if !self.drain.is_recoverable() => {
                report(NAME, format_args!("the archive is not complete: {error}"));
            }
            Ok(others) if ipc.rank() == 0 => {
                incomplete(&format_args!("{others} other processes have not written their files"))
            }
            Ok(_) => {}
            Err(error) => incomplete(&error),
        }
    }

    /// Returns the contribution of this rank. It consists only of the losses if there is no place
    /// to write to or no location.
    fn part(&self, host: &Host, sink: &Sink) -> RankContribution {
        let (closed, totals) = self.close_locations(host, sink);
        let mut completed = sink.complete(host, totals.lost > 0, |address| self.location_number(address));
        if !completed.has_system_tree {
            define_process(&mut completed.log, host);
        }
        define_locations(&mut completed, host, &closed);
        let completeness = sink.completeness();
        let broken = EventClass::ALL.iter().filter(|&&class| !completeness.is_complete(class));
        let is_here = self.archive.destination() == Destination::Here;
        let (begin, end) = self.time.range(totals.last_time);
        let end = end.max(totals.last_time);
        // Without a place to write to, kept events are lost as well: the scratch file is gone.
        let lost = if is_here { totals.lost } else { totals.lost + totals.kept };
        let job = Job {
            // The host has reported its own.
            lost: lost + host.missed_events(),
            lost_definitions: completed.log.lost(),
            begin: self.time.correct(begin),
            end: self.time.correct(end),
            broken: broken.fold(0, |bits, &class| bits | 1 << class as u64),
            is_location_reused: completeness.is_location_reused(),
        };
        // Recovery has all definitions unless some were lost before.
        let has_just_lost = completed.log.lost() > 0 && completed.lost_before == 0;
        let is_in_journal = has_just_lost && self.drain.journal().lost() == 0;
        if is_here && is_in_journal && !closed.is_empty() && self.drain.is_recoverable() {
            return RankContribution::nothing(Some(Refused::Other(
                "no memory for the definitions".to_owned(),
            )));
        }
        let is_named = |&(location, _): &_| host.location_global_id(location).is_some();
        if is_here && closed.is_empty() {
            report(
                NAME,
                format_args!("nothing to write: no location was recorded; {}", Counted::lost(job.lost)),
            );
            return RankContribution {
                job: Job { lost: job.lost, ..Job::default() },
                ..RankContribution::default()
            };
        }
        if is_here && !self.archive.locations().iter().any(is_named) {
            return RankContribution::nothing(Some(Refused::Other(
                "the host reports no ids of locations".to_owned(),
            )));
        }
        totals.report(&completed, self.drain);
        self.archive.lost_to_full_disk.store(totals.lost_to_full_disk(), Release);
        if !is_here {
            return RankContribution { job, ..RankContribution::default() };
        }
        let Completed { log, keys, mappings, .. } = completed;
        let clock_offsets = self.time.clock_offsets((begin, end));
        let refused = totals.refused(self.drain);
        RankContribution {
            log: log.log().to_vec(),
            keys,
            mappings,
            clock_offsets,
            job,
            refused,
            _reservation: None,
        }
    }

    /// Returns the contribution of this rank, if there is enough memory to assemble it.
    fn part_in_memory(&self, host: &Host, sink: &Sink) -> Result<(RankContribution, Reservation)> {
        let reservation = room_for(sink.definition_bytes() + LEAST)?;
        Ok((attempt(|| self.part(host, sink))?, reservation))
    }

    fn write_local_definitions(
        &self,
        storage: &dyn Storage,
        chunk_size: u64,
        part: &RankContribution,
        joined: &Joined,
    ) -> Result {
        if self.archive.destination() == Destination::NotHere {
            return Ok(());
        }
        let host = host();
        let global = |space| match part.mappings.iter().find(|(it, _)| *it == space) {
            Some((_, ids)) => ids.iter().map(|&id| joined.global(space, id)).collect(),
            None => joined.table(space).to_vec(),
        };
        let mappings: Vec<_> = MappingType::VALUES.iter().filter_map(|&kind| mapping(kind, global)).collect();
        let local = LocalDefinitions { mappings: &mappings, clock_offsets: &part.clock_offsets };
        let locations = self.archive.locations();
        let ids = locations.iter().filter_map(|&(location, _)| host.location_global_id(location));
        Ok(local.write(storage, chunk_size, ids)?)
    }
}
