//! The local definitions of a location in the result, which state the meaning of its ids and times
//! there.

use std::collections::HashMap;
use std::io::ErrorKind;

use kymo_otf2::definitions::{ClockOffset, LocalDefinition, MappingTable};
use kymo_otf2::error::FormatError;
use kymo_otf2::mappings::{Mappings, space_of};
use kymo_otf2::read::whole::LocalDefinitions;
use kymo_otf2::read::{Archive, Clock};
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::Space;
use kymo_otf2::value::Timestamp;
use kymo_otf2::write::{LocalDefinitionWriter, StoragePieces};
use kymo_otf2::{Error, FileName, Storage};

use super::files::PIECE;
use super::id_table::IdTable;
use super::times::Line;

/// The first and the last time in an event file, uncorrected.
pub(super) type Span = Option<(u64, u64)>;

/// The tables of locations that have none of their own, by id space.
#[derive(Debug)]
pub(super) struct Tables(Vec<Option<IdTable>>);

impl Tables {
    /// Creates the tables of an archive whose definitions have these new ids.
    pub(super) fn new(ids: &Mappings) -> Self {
        Self(Space::ALL.iter().map(|&space| IdTable::new(&ids.pairs(space))).collect())
    }
}

/// The new ids of an archive.
#[derive(Debug)]
pub(super) struct Ids<'a> {
    pub(super) new: &'a Mappings,
    pub(super) tables: &'a Tables,
}

/// The local definitions of a location, as in its archive.
#[derive(Debug)]
pub(super) struct Local {
    file: Option<LocalDefinitions>,
    offsets: Vec<ClockOffset>,
    clock: Clock,
}

impl Local {
    /// Reads the local definitions. A missing file contains none.
    pub(super) fn read(archive: &Archive, location: u64) -> Result<Self, Error> {
        let file = match archive.local_definitions(location) {
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => None,
            file => Some(file?),
        };
        let mut local = Self { file: None, offsets: Vec::new(), clock: Clock::default() };
        if let Some(file) = &file {
            local.read_offsets(file)?;
        }
        Ok(Self { file, ..local })
    }

    fn read_offsets(&mut self, file: &LocalDefinitions) -> Result<(), Error> {
        let mut records = file.records()?;
        while let Some(record) = records.next().transpose()? {
            if let LocalDefinition::ClockOffset(offset) = record {
                self.clock.add(&offset).map_err(|problem| {
                    let (file, offset, record) = (Some(file.name()), records.offset(), Some(record.name()));
                    Error::Format(FormatError { file, offset, record, problem, is_counted: None })
                })?;
                self.offsets.push(offset);
            }
        }
        Ok(())
    }

    /// Returns the clock offsets in the result; `None` if a time would be out of range.
    ///
    /// Readers interpolate linearly between two offsets, and extrapolate beyond the first and the
    /// last. So a shift moves the offsets, and at least two are needed. Offsets of another rate are
    /// rounded to ticks; therefore, the first and the last event each have one, so that nothing is
    /// extrapolated.
    pub(super) fn offsets(&mut self, line: &Line, span: Span) -> Option<Vec<ClockOffset>> {
        if line.is_identity() {
            return Some(self.offsets.clone());
        }
        let Some((first, last)) = span else { return Some(Vec::new()) };
        if self.offsets.len() < 2 {
            self.offsets.clear();
        }
        let mut times: Vec<u64> = self.offsets.iter().map(|offset| offset.time.0).collect();
        if times.is_empty() || !line.is_shift() {
            times.extend([first, last]);
        }
        times.sort_unstable();
        times.dedup();
        if let [time] = times[..] {
            times.push(time.checked_add(1)?);
        }
        self.clock.reset();
        times.into_iter().map(|time| self.offset(line, time)).collect()
    }

    /// Converts a time to the clock of the archive.
    pub(super) fn corrected(&self, time: u64) -> u64 {
        self.clock.clone().correct(time)
    }

    fn offset(&mut self, line: &Line, time: u64) -> Option<ClockOffset> {
        let known = self.offsets.binary_search_by_key(&time, |offset| offset.time.0);
        let standard_deviation =
            known.ok().and_then(|at| self.offsets.get(at)).map_or(0.0, |it| it.standard_deviation);
        let corrected = self.clock.correct(time);
        let moved = match line.is_shift() {
            // Offsets may be out of the range of times.
            true => i128::from(corrected.wrapping_sub(time) as i64).checked_add(line.shift)?,
            false => i128::from(line.apply(corrected)?) - i128::from(time),
        };
        Some(ClockOffset { time: Timestamp(time), offset: i64::try_from(moved).ok()?, standard_deviation })
    }

    /// Writes the local definitions.
    pub(super) fn write(
        &self,
        storage: &dyn Storage,
        location: u64,
        chunk_size: u64,
        ids: &Ids<'_>,
        offsets: &[ClockOffset],
    ) -> Result<(), Error> {
        let pieces = StoragePieces::new(storage, FileName::LocalDefinitions(location), PIECE);
        let mut writer = LocalDefinitionWriter::new(pieces, chunk_size)?;
        let own = self.tables(ids)?;
        for (place, space) in Space::ALL.iter().enumerate() {
            let table = own.get(space).or(ids.tables.0.get(place)).and_then(Option::as_ref);
            let id_map = table.and_then(IdTable::id_map);
            if let (Some(mapping_type), Some(id_map)) = (space.mapping(), id_map) {
                writer.record(&MappingTable { mapping_type, id_map })?;
            }
        }
        offsets.iter().try_for_each(|offset| writer.record(offset))?;
        self.each(|other| if is_other(other) { writer.record(other) } else { Ok(()) })?;
        writer.finish().map(|_| ())
    }

    /// Returns the tables of the location itself. If a table occurs more than once, readers use the
    /// first one.
    fn tables(&self, ids: &Ids<'_>) -> Result<HashMap<Space, Option<IdTable>>, Error> {
        let mut own = HashMap::new();
        self.each(|record| {
            if let LocalDefinition::MappingTable(table) = record
                && let Some(space) = space_of(table.mapping_type)
            {
                own.entry(space).or_insert_with(|| IdTable::composed(&table.id_map, space, ids.new));
            }
            Ok(())
        })?;
        Ok(own)
    }

    fn each(&self, mut visit: impl FnMut(&LocalDefinition<'_>) -> Result<(), Error>) -> Result<(), Error> {
        let Some(file) = &self.file else { return Ok(()) };
        file.records()?.try_for_each(|record| visit(&record?))
    }
}

/// Whether a record is copied unchanged: definitions in ids of the location, and tables of unknown
/// ids.
fn is_other(record: &LocalDefinition<'_>) -> bool {
    match record {
        LocalDefinition::MappingTable(table) => space_of(table.mapping_type).is_none(),
        LocalDefinition::ClockOffset(_) => false,
        _ => true,
    }
}
