//! The local definitions of a location in the result: what its ids and times mean there.

use kymo_otf2::definitions::{ClockOffset, LocalDefinition, MappingTable};
use kymo_otf2::mappings::space_of;
use kymo_otf2::read::{Archive, Clock};
use kymo_otf2::references::Space;
use kymo_otf2::value::Timestamp;
use kymo_otf2::write::{LocalDefinitionWriter, StoragePieces};
use kymo_otf2::{Error, FileName, Storage};
use std::io::ErrorKind;

use super::id_table::IdTable;
use super::times::Line;

/// First and last time in an event file, as they stand there.
pub(super) type Span = Option<(u64, u64)>;

/// The tables of the ids that locations without own tables have.
#[derive(Debug)]
pub(super) struct Tables(Vec<Option<IdTable>>);

impl Tables {
    /// Those of an archive.
    pub(super) fn new(ids: &kymo_otf2::mappings::Mappings) -> Self {
        Self(Space::ALL.iter().map(|&space| IdTable::new(&ids.pairs(space))).collect())
    }
}

/// The local definitions of a location as its archive has them.
#[derive(Debug)]
pub(super) struct Local {
    file: Option<kymo_otf2::read::whole::LocalDefinitions>,
    offsets: Vec<ClockOffset>,
    clock: Clock,
}

impl Local {
    /// Reads them; a file that is missing has none.
    pub(super) fn read(archive: &Archive, location: u64) -> Result<Self, Error> {
        let file = match archive.local_definitions(location) {
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => None,
            file => Some(file?),
        };
        let mut local = Self { file: None, offsets: Vec::new(), clock: Clock::default() };
        if let Some(file) = &file {
            let mut records = file.records()?;
            while let Some(record) = records.next().transpose()? {
                if let LocalDefinition::ClockOffset(offset) = record {
                    local.clock.add(&offset).map_err(|problem| {
                        let (offset, record) = (records.offset(), Some("ClockOffset"));
                        let (file, is_counted) = (Some(file.name()), None);
                        Error::Format(kymo_otf2::error::FormatError {
                            file,
                            offset,
                            record,
                            problem,
                            is_counted,
                        })
                    })?;
                    local.offsets.push(offset);
                }
            }
        }
        Ok(Self { file, ..local })
    }

    /// The clock offsets in the result; none if a time would lie outside of what a time can be.
    ///
    /// Readers draw straight lines between two offsets and beyond the first and last. So a shift moves the offsets, and at least two
    /// are needed. Offsets of another rate are rounded to ticks: then the first and the last event have one, that nothing lies beyond.
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

    /// A time in the clock of the archive.
    pub(super) fn corrected(&self, time: u64) -> u64 {
        self.clock.clone().correct(time)
    }

    fn offset(&mut self, line: &Line, time: u64) -> Option<ClockOffset> {
        let known = self.offsets.binary_search_by_key(&time, |offset| offset.time.0);
        let standard_deviation =
            known.ok().and_then(|at| self.offsets.get(at)).map_or(0.0, |it| it.standard_deviation);
        let corrected = self.clock.correct(time);
        let moved = match line.is_shift() {
            // Offsets may lie where times can not.
            true => i128::from(corrected.wrapping_sub(time) as i64).checked_add(line.shift)?,
            false => i128::from(line.apply(corrected)?) - i128::from(time),
        };
        Some(ClockOffset { time: Timestamp(time), offset: i64::try_from(moved).ok()?, standard_deviation })
    }

    /// Writes them.
    pub(super) fn write(
        &self,
        storage: &dyn Storage,
        location: u64,
        chunk_size: u64,
        (ids, tables): (&kymo_otf2::mappings::Mappings, &Tables),
        offsets: &[ClockOffset],
    ) -> Result<(), Error> {
        let pieces = StoragePieces::new(storage, FileName::LocalDefinitions(location), super::files::PIECE);
        let mut writer = LocalDefinitionWriter::new(pieces, chunk_size)?;
        let mut others = Vec::new();
        let mut own: Vec<Option<Option<IdTable>>> = vec![None; Space::ALL.len()];
        for record in
            self.file.iter().map(|file| file.records()).collect::<Result<Vec<_>, _>>()?.into_iter().flatten()
        {
            match record? {
                LocalDefinition::MappingTable(table) => match space_of(table.mapping_type) {
                    Some(space) => {
                        let own = own.get_mut(space as usize);
                        // Of several tables for the same ids readers take the first.
                        own.into_iter().for_each(|own| {
                            own.get_or_insert_with(|| IdTable::composed(&table.id_map, space, ids));
                        });
                    }
                    None => others.push(LocalDefinition::MappingTable(table)),
                },
                LocalDefinition::ClockOffset(_) => {}
                other => others.push(other),
            }
        }
        for ((space, own), shared) in Space::ALL.iter().zip(&own).zip(&tables.0) {
            let table = own.as_ref().unwrap_or(shared);
            let id_map = table.as_ref().and_then(IdTable::id_map);
            if let (Some(mapping_type), Some(id_map)) = (space.mapping(), id_map) {
                writer.record(&MappingTable { mapping_type, id_map })?;
            }
        }
        offsets.iter().try_for_each(|offset| writer.record(offset))?;
        others.iter().try_for_each(|other| writer.record(other))?;
        writer.finish().map(|_| ())
    }
}
