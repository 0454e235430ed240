//! Reads anchor files, docs/spec/otf2-format.md, "Anchor file". Newer anchor formats are read as
//! format 3.

use crate::TRACE_FORMAT;
use crate::anchor::{ANCHOR_FORMAT, Anchor, Properties};
use crate::byte_order::{BIG_TAG, LITTLE_TAG};
use crate::control;
use crate::error::{Error, Problem, Result};
use crate::records::enums::{Compression, FileSubstrate};
use crate::records::field::Get;
use crate::records::text::Text;
use crate::wire::Cursor;

/// Reads the content of an anchor file.
pub fn anchor(file: &[u8]) -> Result<Anchor<'_>> {
    let mut cursor = Cursor::new(file, 0, false);
    get(file, &mut cursor).map_err(|problem| Error::format(cursor.position() as u64, Some("Anchor"), problem))
}

fn get<'a>(file: &'a [u8], cursor: &mut Cursor<'a>) -> Result<Anchor<'a>, Problem> {
    check(cursor, Cursor::u8, |byte| byte == control::CHUNK_HEADER, |_| Problem::Magic)?;
    let tag = check(cursor, Cursor::u8, |tag| [LITTLE_TAG, BIG_TAG].contains(&tag), Problem::ByteOrder)?;
    *cursor = Cursor::new(file, cursor.position(), tag == BIG_TAG);
    check(cursor, Cursor::text, |magic| magic == b"OTF2", |_| Problem::Magic)?;
    let anchor_format = check(cursor, Cursor::u8, |format| format != 0, Problem::AnchorFormat)?;
    let mut anchor = Anchor {
        anchor_format,
        trace_format: check(cursor, Cursor::u8, |format| format <= TRACE_FORMAT, Problem::TraceFormat)?,
        version: [cursor.u8()?, cursor.u8()?, cursor.u8()?],
        event_chunk_size: chunk_size(cursor)?,
        definition_chunk_size: chunk_size(cursor)?,
        substrate: FileSubstrate(check(cursor, Cursor::u8, |it| matches!(it, 1..=3), Problem::Substrate)?),
        compression: Compression(check(cursor, Cursor::u8, |it| matches!(it, 1..=2), Problem::Compression)?),
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
    if anchor_format == ANCHOR_FORMAT {
        check(cursor, Cursor::u8, |byte| byte == control::END_OF_FILE, |_| Problem::MissingEnd)?;
    }
    Ok(anchor)
}

/// Reads a value and checks it. If the value is invalid, the cursor does not move.
fn check<'a, T: Copy>(
    cursor: &mut Cursor<'a>,
    take: impl FnOnce(&mut Cursor<'a>) -> Result<T, Problem>,
    is_good: impl FnOnce(T) -> bool,
    problem: impl FnOnce(T) -> Problem,
) -> Result<T, Problem> {
    let begin = *cursor;
    let value = take(cursor)?;
    if is_good(value) {
        return Ok(value);
    }
    *cursor = begin;
    Err(problem(value))
}

fn chunk_size(cursor: &mut Cursor<'_>) -> Result<u64, Problem> {
    check(cursor, Cursor::u64, |size| crate::CHUNK_SIZES.contains(&size), Problem::ChunkSize)
}
