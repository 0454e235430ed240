//! One check of one archive, from opening it to the summary.

use std::io::Write;
use std::path::Path;

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::read::whole::GlobalDefinitions;
use kymo_otf2::read::{Archive, Options};
use kymo_otf2::records::AnyRecord;
use kymo_otf2::{Error, FileName};

use super::definitions::{DefinitionIndex, Position};
use super::event_file::end_of_file;
use super::files::Files;
use super::findings::{Findings, Place};
use super::kinds::{FindingKind, Severity};
use super::placed::each;
use super::report::{Form, Totals};
use super::rules::{self, CheckedEvent, Claims, EventRule, EventSpot};
use super::trouble::Trouble;
use super::{definition_rules, markers, properties, seal, thumbnails, written};
use crate::output::complain;
use crate::progress::Progress;
use crate::status::Status;

/// The archive to check, and the options.
#[derive(Debug)]
pub(crate) struct Examination<'a> {
    pub(crate) anchor: &'a Path,
    pub(crate) form: Form,
    pub(crate) limit: u64,
    pub(crate) ignored: &'a [FindingKind],
}

/// The numbers of items that were checked.
#[derive(Debug, Default)]
struct Counts {
    locations: u64,
    events: u64,
}

impl Examination<'_> {
    /// Checks the archive and reports the findings.
    pub(crate) fn run(&self, out: &mut dyn Write) -> Status {
        let as_it_is = Options { mapping: false, clock_correction: false, ..Options::default() };
        let archives = Archive::open(self.anchor)
            .and_then(|archive| Ok((archive, Archive::open_with(self.anchor, as_it_is)?)));
        match archives {
            Ok((archive, raw)) => self.check(&archive, &raw, out),
            Err(error @ Error::Format(_)) => self.bad_anchor(&error, out),
            Err(error) => {
                let (status, what) = match &error {
                    Error::Io { source, .. } => (Status::Environment, source.to_string()),
                    Error::Usage(error) => (Status::Usage, error.to_string()),
                    other => (Status::Limit, other.to_string()),
                };
                complain(&format!("{}: {what}", self.anchor.display()));
                status
            }
        }
    }

    fn bad_anchor(&self, error: &Error, out: &mut dyn Write) -> Status {
        let path = |_: FileName| self.anchor.to_owned();
        let mut findings = Findings::new(out, self.form, &path, self.limit, self.ignored);
        Trouble::default().report(FileName::Anchor, error, &mut findings);
        self.finish(findings, &Counts::default(), &Trouble::default())
    }

    fn check(&self, archive: &Archive, raw: &Archive, out: &mut dyn Write) -> Status {
        let path = |file| archive.path(file);
        let mut findings = Findings::new(out, self.form, &path, self.limit, self.ignored);
        findings.of_version(&archive.anchor());
        let mut trouble = Trouble::default();
        seal::check(archive, &mut trouble, &mut findings);
        properties::check(&archive.anchor(), &mut findings);
        let counts = check(archive, raw, &mut trouble, &mut findings).unwrap_or_else(|error| {
            trouble.report(FileName::GlobalDefinitions, &error, &mut findings);
            Counts::default()
        });
        self.finish(findings, &counts, &trouble)
    }

    fn finish(&self, findings: Findings<'_>, counts: &Counts, trouble: &Trouble) -> Status {
        let faulty = if findings.of(Severity::Error) > 0 { Status::Faulty } else { Status::Done };
        let status = faulty.max(trouble.status());
        let totals = Totals {
            archive: self.anchor.display().to_string(),
            locations: counts.locations,
            events: counts.events,
            partly_read: trouble.partly_read,
            status,
        };
        status.max(written(findings.finish(&totals)))
    }
}

/// The property that states how many events are missing; Kymo writes it.
const EVENTS_LOST: &[u8] = b"KYMO::EVENTS_LOST";

/// Checks everything. Fails if the global definitions cannot be read.
fn check(
    archive: &Archive,
    raw: &Archive,
    trouble: &mut Trouble,
    findings: &mut Findings<'_>,
) -> Result<Counts, Error> {
    let file = archive.global_definitions()?;
    let definitions = DefinitionIndex::of(file.records()?);
    let mut rules = definition_rules::all(&definitions);
    let (records, complete) =
        read_definitions(archive, &file, trouble, findings, |offset, record, findings| {
            let here = definition_rules::CheckedDefinition { offset, record };
            rules.iter_mut().for_each(|rule| rule.definition(&here, findings));
        })?;
    rules.iter_mut().for_each(|rule| rule.end(complete, findings));
    if complete {
        count_definitions(archive, &definitions, records, findings);
    }
    lost(archive, findings);
    let markers = markers::check(archive, &definitions, findings);
    trouble.note(FileName::Markers, markers, findings);
    thumbnails::check(archive, &definitions, trouble, findings);
    let files = Files { archive, raw, definitions: &definitions };
    let events = files.check(trouble, findings);
    let claims = if trouble.is_none() { claims(archive, events.has_gap) } else { Claims::NONE };
    let mut rules = rules::all(&definitions, claims, &events.disordered);
    in_order(archive, &events.readable, &definitions, &mut rules, trouble, findings);
    Ok(Counts { locations: definitions.locations.len() as u64, events: events.count })
}

/// Passes all global definitions to `visit`. Returns their number, and whether the file could be
/// read to its end.
pub(super) fn read_definitions<'a>(
    archive: &Archive,
    file: &'a GlobalDefinitions,
    trouble: &mut Trouble,
    findings: &mut Findings<'_>,
    mut visit: impl FnMut(u64, GlobalDefinition<'a>, &mut Findings<'_>),
) -> Result<(u64, bool), Error> {
    let (name, mut records) = (FileName::GlobalDefinitions, 0);
    let end = each(file.records()?, |offset, record| {
        records += 1;
        if let GlobalDefinition::Unknown { id, .. } = record {
            findings.unknown_record(id, Place::byte(name, offset));
        }
        visit(offset, record, findings);
    });
    if let (Ok(mark), Some(mut bytes)) = (&end, Files::bytes(archive, name)) {
        end_of_file(name, &mut bytes, *mark, findings);
        trouble.note(name, bytes.failure(), findings);
    }
    Ok((records, trouble.note(name, end.map(|_| ()), findings)))
}

/// Compares the numbers of definitions with those in the anchor.
pub(super) fn count_definitions(
    archive: &Archive,
    definitions: &DefinitionIndex<'_>,
    records: u64,
    findings: &mut Findings<'_>,
) {
    let anchor = archive.anchor();
    let place = Place::file(FileName::Anchor);
    let locations = definitions.locations.len() as u64;
    if anchor.number_of_locations != locations {
        findings.find(
            FindingKind::LocationCount,
            place,
            format_args!("{} locations, but {locations} are defined", anchor.number_of_locations),
        );
    }
    if anchor.number_of_global_definitions != records {
        let stated = anchor.number_of_global_definitions;
        findings.find(
            FindingKind::DefinitionCount,
            place,
            format_args!("{stated} global definitions, but the file has {records}"),
        );
    }
}

/// Reports lost events, which users of the archive should be aware of.
fn lost(archive: &Archive, findings: &mut Findings<'_>) {
    let properties = archive.anchor().properties.iter();
    for property in properties.filter(|it| it.name.as_bytes() == EVENTS_LOST) {
        findings.find(
            FindingKind::EventsLost,
            Place::file(FileName::Anchor),
            format_args!("{} events were lost while recording", property.value),
        );
    }
}

/// Passes all events to the rules, in order of time.
fn in_order(
    archive: &Archive,
    locations: &[u64],
    definitions: &DefinitionIndex<'_>,
    rules: &mut [Box<dyn EventRule + '_>],
    trouble: &mut Trouble,
    findings: &mut Findings<'_>,
) {
    let mut events = match archive.events_in_order(locations) {
        Ok(events) => events,
        Err(error) => return trouble.report(file_of(&error), &error, findings),
    };
    let mut progress = Progress::of(archive, false);
    loop {
        match events.next() {
            Ok(Some((location, event))) => {
                progress.step();
                let (time, offset, number) = (event.time, event.offset, event.number);
                let spot = EventSpot { time, location, number, offset, record: event.record.name() };
                // Only the files of defined locations are read.
                let Some(position) = definitions.position(location) else { continue };
                let Position { process, location_index, process_index } = position;
                let (attributes, event) = (event.attributes, event.record);
                let here = CheckedEvent { spot, process, location_index, process_index, attributes, event };
                rules.iter_mut().for_each(|rule| rule.event(&here, findings));
            }
            Ok(None) => break,
            // Faults of the files were reported when they were read individually.
            Err(Error::Format(_)) => {}
            Err(error) => trouble.report(file_of(&error), &error, findings),
        }
    }
    rules.iter_mut().for_each(|rule| rule.end(trouble.is_none(), findings));
}

fn file_of(error: &Error) -> FileName {
    match error {
        Error::Io { file: Some(file), .. } => *file,
        Error::Format(error) => error.file.unwrap_or(FileName::Anchor),
        Error::Limit(limit) => limit.file,
        _ => FileName::Anchor,
    }
}

/// Returns the claims in the properties of the archive. By default, it is complete unless
/// measurement was off for a while.
fn claims(archive: &Archive, has_gap: bool) -> Claims {
    let anchor = archive.anchor();
    let is_complete = |what: &str| {
        let name = format!("OTF2::{what}_COMPLETE");
        let mut properties = anchor.properties.iter();
        let property = properties.find(|it| it.name.as_bytes().eq_ignore_ascii_case(name.as_bytes()));
        property.map_or(!has_gap, |property| property.value.as_bytes() != b"false")
    };
    Claims {
        mpi: is_complete("MPI_COMMUNICATION"),
        fork_join: is_complete("THREAD_FORK_JOIN_EVENT"),
        create_wait: is_complete("THREAD_CREATE_WAIT_EVENT"),
        locks: is_complete("THREAD_LOCK_EVENT"),
        others: !has_gap,
    }
}
