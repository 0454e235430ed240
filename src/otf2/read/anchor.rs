//! Reads anchor files, OTF2 format, section "Anchor file". Newer anchor formats are read as format 3.

use super::Cursor;
use crate::TRACE_FORMAT;
use crate::anchor::{ANCHOR_FORMAT, Anchor, Properties};
use crate::byte_order::{BIG_TAG, LITTLE_TAG};
use crate::control;
use crate::error::{Error, Problem, Result};
use crate::records::enums::{Compression, FileSubstrate};
use crate::records::field::Get;
use crate::records::text::Text;

/// Reads the content of an anchor file.
pub fn anchor(file: &[u8]) -> Result<Anchor<'_>> {
    let mut cursor = Cursor::new(file, 0, false);
    get(file, &mut cursor).map_err(|problem| Error::format(cursor.position() as u64, Some("Anchor"), problem))
}

fn get<'a>(file: &'a [u8], cursor: &mut Cursor<'a>) -> Result<Anchor<'a>, Problem> {
    match *cursor.bytes(2)? {
        [control::CHUNK_HEADER, LITTLE_TAG] => {}
        [control::CHUNK_HEADER, BIG_TAG] => *cursor = Cursor::new(file, cursor.position(), true),
        [control::CHUNK_HEADER, other] => return Err(Problem::ByteOrder(other)),
        _ => return Err(Problem::Magic),
    }
    if cursor.text()? != b"OTF2" {
        return Err(Problem::Magic);
    }
    let anchor_format = check(cursor.u8()?, |format| format != 0, Problem::AnchorFormat)?;
    let mut anchor = Anchor {
        anchor_format,
        trace_format: check(cursor.u8()?, |format| format <= TRACE_FORMAT, Problem::TraceFormat)?,
        version: [cursor.u8()?, cursor.u8()?, cursor.u8()?],
        event_chunk_size: chunk_size(cursor)?,
        definition_chunk_size: chunk_size(cursor)?,
        substrate: FileSubstrate(check(cursor.u8()?, |number| matches!(number, 1..=3), Problem::Substrate)?),
        compression: Compression(check(
            cursor.u8()?,
            |number| matches!(number, 1..=2),
            Problem::Compression,
        )?),
        number_of_locations: cursor.u64()?,
        number_of_global_definitions: cursor.u64()?,
        machine: Text::get(cursor)?,
        creator: Text::get(cursor)?,
        description: Text::get(cursor)?,
        ..Anchor::default()
    };
    if anchor_format >= 2 {
        anchor.properties = Properties::get(cursor)?;
        anchor.trace_id = cursor.u64()?;
    }
    if anchor_format >= 3 {
        anchor.number_of_snapshots = cursor.u32()?;
        anchor.number_of_thumbnails = cursor.u32()?;
    }
    match anchor_format != ANCHOR_FORMAT || cursor.u8()? == control::END_OF_FILE {
        true => Ok(anchor),
        false => Err(Problem::MissingEnd),
    }
}

fn check(
    value: u8,
    is_good: impl FnOnce(u8) -> bool,
    problem: impl FnOnce(u8) -> Problem,
) -> Result<u8, Problem> {
    if is_good(value) { Ok(value) } else { Err(problem(value)) }
}

fn chunk_size(cursor: &mut Cursor<'_>) -> Result<u64, Problem> {
    let size = cursor.u64()?;
    if crate::CHUNK_SIZES.contains(&size) { Ok(size) } else { Err(Problem::ChunkSize(size)) }
}
