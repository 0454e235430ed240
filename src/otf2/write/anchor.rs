//! Writes anchor files, docs/spec/otf2-format.md, "Anchor file".

use super::SLACK;
use crate::anchor::Anchor;
use crate::byte_order::{ByteOrder, NativeEndian};
use crate::control;
use crate::error::{Result, Usage};
use crate::records::field::Field;
use crate::wire::Encoder;

/// The size in bytes of the largest anchor that the C library writes.
const LIMIT: usize = 256 * 1024;

/// The size in bytes of an anchor file without its strings and properties.
const FIXED: usize = 2 + 5 + 5 + 16 + 2 + 16 + 8 + 8 + 3;

/// Returns the bytes of an anchor file in the byte order of this machine.
pub fn anchor_bytes(anchor: &Anchor<'_>) -> Result<Vec<u8>> {
    anchor_bytes_in::<NativeEndian>(anchor)
}

/// Returns the bytes of an anchor file in byte order `E`. The format numbers are always those of
/// this crate, whatever the anchor contains.
pub fn anchor_bytes_in<E: ByteOrder>(anchor: &Anchor<'_>) -> Result<Vec<u8>> {
    let mut bytes = vec![0; anchor_room(anchor)];
    let length = put_anchor::<E>(anchor, &mut bytes)?;
    bytes.truncate(length);
    Ok(bytes)
}

/// Returns the number of bytes that [`put_anchor`] requires.
pub fn anchor_room(anchor: &Anchor<'_>) -> usize {
    let strings = anchor.machine.size() + anchor.creator.size() + anchor.description.size();
    FIXED + strings + anchor.properties.size() + SLACK
}

/// Writes an anchor file to the start of `out` and returns its length. Allocates nothing.
pub fn put_anchor<E: ByteOrder>(anchor: &Anchor<'_>, out: &mut [u8]) -> Result<usize> {
    let need = anchor_room(anchor);
    if need - SLACK > LIMIT {
        return Err(Usage::AnchorTooLarge(need - SLACK).into());
    }
    if !anchor.properties.are_valid() {
        return Err(Usage::Property.into());
    }
    if out.len() < need {
        return Err(Usage::BufferTooSmall { need }.into());
    }
    let mut cursor = Encoder::<E>::new(out, 0);
    put(anchor, &mut cursor);
    Ok(cursor.position())
}

fn put<E: ByteOrder>(anchor: &Anchor<'_>, cursor: &mut Encoder<'_, E>) {
    cursor.bytes(&[control::CHUNK_HEADER, E::TAG]);
    cursor.bytes(b"OTF2\0");
    cursor.bytes(&[crate::anchor::ANCHOR_FORMAT, crate::TRACE_FORMAT]);
    cursor.bytes(&anchor.version);
    cursor.u64(anchor.event_chunk_size);
    cursor.u64(anchor.definition_chunk_size);
    cursor.bytes(&[anchor.substrate.0, anchor.compression.0]);
    cursor.u64(anchor.number_of_locations);
    cursor.u64(anchor.number_of_global_definitions);
    for text in [anchor.machine, anchor.creator, anchor.description] {
        text.put(cursor);
    }
    anchor.properties.put(cursor);
    cursor.u64(anchor.trace_id);
    cursor.u32(anchor.number_of_snapshots);
    cursor.u32(anchor.number_of_thumbnails);
    cursor.bytes(&[control::END_OF_FILE, control::END_OF_BUFFER, 0]);
}
