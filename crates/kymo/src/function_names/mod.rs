//! Looks up the names of sampled functions, after the program has ended.
//!
//! The runtime knows only files and addresses: the calling contexts that it defines have
//! [placeholders](kymo_symbols::placeholder) as regions. [`code`] finds the functions at the
//! addresses, [`generated`] those at addresses of code that no file contains, [`functions`] which
//! of them are one, [`contexts`] puts them in the place of the placeholders, [`local_tables`] gives
//! the contexts in events their new ids, and [`distances`] corrects the unwind distances of events,
//! which count contexts. Invariants: each file is read once, whatever the number of processes; the
//! global definitions are replaced last and as a whole, so that a lookup that did not end is
//! repeated; an archive without placeholders is not changed.

mod code;
mod contexts;
#[expect(unsafe_code, reason = "calls a function of the C++ library")]
mod cpp_library;
mod distances;
mod functions;
mod generated;
mod local_tables;
mod new_definitions;

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::Paradigm;
use kymo_otf2::read::Archive;
use kymo_otf2::{Anchor, Error, FileName};
use kymo_recorder::archive::GlobalDefinitions;
use kymo_symbols::placeholder::{FramePart, GENERATED};

use self::code::CodeFiles;
use self::contexts::{NamedContexts, SampledContexts};
use self::generated::GeneratedNames;
use crate::amendment::Amendment;
use crate::new_archive::NewArchive;
use crate::output::complain;
use crate::problem::Problem;
use crate::status::Status;

/// Looks up the functions in an archive. States which files have no names any more.
pub(crate) fn look_up(anchor: &Path) -> Result<(), Problem> {
    for path in missing_after_lookup(anchor)? {
        complain(&format!(
            "{path}: the names of its functions are unknown: it has changed or is gone since the program ran it"
        ));
    }
    Ok(())
}

/// Looks up the functions in a new archive, if that is `wanted` and it was `written`, before it
/// appears under its name.
pub(crate) fn look_up_in_new<T>(
    output: &NewArchive,
    written: Result<T, Problem>,
    wanted: bool,
) -> Result<T, Problem> {
    let result = written?;
    output.staged_anchor().filter(|_| wanted).map_or(Ok(()), |anchor| look_up(&anchor))?;
    Ok(result)
}

/// Looks up the functions. Returns the files that no longer exist, or have changed since the
/// program has loaded them.
fn missing_after_lookup(anchor: &Path) -> Result<BTreeSet<String>, Problem> {
    let archive = Archive::open(anchor).map_err(|error| Problem::of_anchor(anchor, &error))?;
    if !has_placeholders(&archive)? {
        return Ok(BTreeSet::new());
    }
    drop(archive);
    let amendment = Amendment::begin(anchor)?;
    let archive = &amendment.archive;
    let cannot_read = |error: Error| Problem::of_archive(archive, &error);
    let file = archive.global_definitions().map_err(cannot_read)?;
    let records: Vec<_> =
        file.records().and_then(|records| records.collect::<Result<_, _>>()).map_err(cannot_read)?;
    let clock = records.iter().find_map(|record| match record {
        GlobalDefinition::ClockProperties(clock) => Some(*clock),
        _ => None,
    });
    let no_clock = || Problem::of(anchor, "the trace has no clock", Status::Faulty);
    let clock = clock.ok_or_else(no_clock)?;
    let mut files = CodeFiles::default();
    let mut sampled = SampledContexts::of(&records);
    let generated = GeneratedNames::look_up(archive, &sampled.generated())?;
    let NamedContexts { log, distances, ids } = sampled.named(&records, &mut files, &generated);
    distances::correct(archive, &distances)?;
    let cannot_write = |error: Error| amendment.problem(&error);
    let locations = archive.locations().map_err(cannot_read)?;
    for &location in &locations {
        local_tables::write(archive, location, &ids, &amendment.storage).map_err(cannot_write)?;
    }
    let definitions = GlobalDefinitions::from_log(clock, &log)
        .map_err(cannot_write)?
        .in_chunks_from(archive.anchor().definition_chunk_size);
    let number_of_global_definitions = definitions.write_file(&amendment.storage).map_err(cannot_write)?;
    let bytes = amendment.anchor_bytes(&Anchor { number_of_global_definitions, ..archive.anchor() })?;
    amendment.write(FileName::Anchor, &bytes)?;
    drop(records);
    drop(file);
    let of_locations = locations.into_iter().map(FileName::LocalDefinitions);
    let changed: Vec<_> = of_locations.chain([FileName::GlobalDefinitions, FileName::Anchor]).collect();
    amendment.commit(&changed)?;
    Ok(files.missing())
}

/// Whether functions are to be looked up in an archive.
fn has_placeholders(archive: &Archive) -> Result<bool, Problem> {
    let (mut names, mut found) = (HashSet::new(), false);
    let visit = |record: &GlobalDefinition<'_>| {
        match record {
            GlobalDefinition::String(it) => {
                let text = str::from_utf8(it.string.as_bytes());
                let is_name = |text: &&str| *text == GENERATED || FramePart::of_name(text).is_some();
                names.extend(text.ok().filter(is_name).map(|_| it.id));
            }
            GlobalDefinition::Region(it) => {
                found |= it.paradigm == Paradigm::SAMPLING && names.contains(&it.canonical_name);
            }
            _ => {}
        }
        Ok::<_, Error>(())
    };
    archive.each_global_definition(visit).map_err(|error| Problem::of_archive(archive, &error))?;
    Ok(found)
}
