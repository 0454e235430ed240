//! The messages between a rank and its parent, as bytes.
//!
//! Numbers are little-endian. An empty message means that a rank below could not take part; then
//! there is no common archive.

use kymo_otf2::references::Space;

use super::key::{Key, Keys};

/// Maps from ids to ids, one for each id space.
pub(super) type Tables = Vec<Vec<u64>>;

/// Encodes definitions with their keys.
pub(super) fn put_definitions(log: &[u8], keys: &Keys) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 + log.len());
    bytes.extend((log.len() as u64).to_le_bytes());
    bytes.extend(log);
    for (space, id, key) in keys.iter() {
        let (is_number, number) = match key {
            Key::Unique => (0, 0),
            Key::Number(number) => (1, number),
        };
        bytes.extend([space as u8, is_number]);
        bytes.extend(id.to_le_bytes());
        bytes.extend(number.to_le_bytes());
    }
    bytes
}

/// Decodes the definitions that [`put_definitions`] encoded.
pub(super) fn definitions(bytes: &[u8]) -> Option<(&[u8], Keys)> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (log, mut rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let mut keys = Keys::new();
    while let Some((&[space, is_number], after)) = rest.split_first_chunk() {
        let (id, after) = after.split_first_chunk()?;
        let (number, after) = after.split_first_chunk()?;
        let key = if is_number == 0 { Key::Unique } else { Key::Number(u64::from_le_bytes(*number)) };
        keys.set(*Space::ALL.get(space as usize)?, u64::from_le_bytes(*id), key);
        rest = after;
    }
    Some((log, keys))
}

/// Encodes tables of ids: for each, its length, then its entries with 32 bits each.
pub(super) fn put_tables(tables: &Tables) -> Vec<u8> {
    let mut bytes = Vec::new();
    for table in tables {
        bytes.extend((table.len() as u64).to_le_bytes());
        bytes.extend(table.iter().flat_map(|&id| (id as u32).to_le_bytes()));
    }
    bytes
}

/// Decodes the tables that [`put_tables`] encoded.
pub(super) fn tables(bytes: &[u8]) -> Option<Tables> {
    let mut rest = bytes;
    let mut tables = Tables::new();
    for _ in Space::ALL {
        let (length, after) = rest.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (entries, after) = after.split_at_checked(length.checked_mul(4)?)?;
        tables.push(entries.chunks_exact(4).map(entry).collect());
        rest = after;
    }
    rest.is_empty().then_some(tables)
}

fn entry(bytes: &[u8]) -> u64 {
    let id = bytes.first_chunk().map_or(u32::MAX, |bytes| u32::from_le_bytes(*bytes));
    if id == u32::MAX { u64::MAX } else { id.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_a_round_trip() {
        let mut keys = Keys::new();
        keys.set(Space::Comm, 3, Key::Unique);
        keys.set(Space::IoHandle, u64::MAX, Key::Number(7));
        let bytes = put_definitions(b"log", &keys);
        let (log, read) = definitions(&bytes).unwrap();
        assert_eq!((log, read.get(Space::Comm, 3)), (&b"log"[..], Some(Key::Unique)));
        assert_eq!(read.get(Space::IoHandle, u64::MAX), Some(Key::Number(7)));
        let mut sent: Tables = vec![Vec::new(); Space::ALL.len()];
        sent[3] = vec![0, 7, u64::MAX];
        assert_eq!(tables(&put_tables(&sent)), Some(sent));
    }

    #[test]
    fn truncated_messages_are_refused() {
        let sent: Tables = vec![vec![1]; Space::ALL.len()];
        let bytes = put_tables(&sent);
        assert!((0..bytes.len()).all(|length| tables(&bytes[..length]).is_none()));
        assert!(definitions(&[9, 0, 0, 0, 0, 0, 0, 0, 1]).is_none());
    }
}
