//! Converts definitions between generations of Score-P, whose layouts 8.x changed.
//!
//! | kind | 6.0, 7.x | 8.x, 9.0 |
//! | --- | --- | --- |
//! | location group | 20 global id, 28 name, 32 type | 20 name, 28 type, 32 creating group, 36 has children |
//! | location | 40 event count, 48 id of the group | 40 paradigm, 44 handle of the group, 48 event count |
//! | payload of an MPI communicator | size, rank, root | size, rank, size of the remote group, root |
//! | communicator | 20 group, 24 name, 28 parent, 32 key | 20 and 24 groups, 28 name, 32 parent, 36 key, 40 flags |
//! | RMA window | – | 36 flags |
//! | system tree node | – | 48 has children |
//! | location group of an accelerator | – | announced |
//!
//! The byte of a node is in the next definition, inside its link to the next one of its kind, which
//! no plugin follows. After the conversion, fields that the source generation lacks contain
//! garbage.

use crate::replay::Error;
use crate::replay::definitions::field;
use crate::replay::recording::{Action, Recording};
use crate::replay::release::{Generation, HostRelease};
use kymo_substrate::bindings as sys;
use std::collections::{BTreeMap, BTreeSet};

/// The value of fields that a release does not have.
const GARBAGE: u32 = 0x5a5a_5a5a;
/// The id of a location group before `pre_unify`.
const NO_ID: u32 = u32::MAX;
/// The type of a location group for an accelerator.
const ACCELERATOR: u32 = 1;
/// The size in bytes of a communicator in 8.x.
const NEW_COMMUNICATOR: usize = 44;

/// Rewrites the definitions of `recording` as `host` would have them.
pub(crate) fn convert(recording: &mut Recording, host: HostRelease) -> Result<(), Error> {
    let from = std::mem::replace(&mut recording.release, host);
    if from.generation() == host.generation() && from.invalid_paradigm() == host.invalid_paradigm() {
        return Ok(());
    }
    let conversion = Conversion {
        turn: (from.generation(), host.generation()),
        invalid: (from.invalid_paradigm(), host.invalid_paradigm()),
        rank: recording.rank,
        group: first_group(recording),
    };
    if host.generation() == Generation::Old {
        leave_accelerators_out(recording);
    }
    let announced = announced(recording);
    conversion.announcements(recording, &announced);
    for snapshot in [&mut recording.pre_unify, &mut recording.write_data] {
        for (&handle, &kind) in &announced {
            let start = handle as usize;
            let Some(end) = start.checked_add(ROOM).filter(|&end| end <= snapshot.len()) else { continue };
            conversion.definition(kind, &mut Bytes(&mut snapshot[start..end]), true);
        }
        if from.generation() == Generation::Old && host.generation() == Generation::New {
            note_children(snapshot, &announced);
        }
    }
    if from.generation() != host.generation() {
        let communicators = final_communicators(recording, &announced, from.generation())?;
        conversion.communicators(&mut recording.write_data, &communicators, &announced);
    }
    Ok(())
}

/// The most bytes after a handle that the conversion of a definition touches.
const ROOM: usize = 64;

fn announced(recording: &Recording) -> BTreeMap<u32, u32> {
    let announcements = recording.calls.iter().filter_map(|call| match &call.action {
        Action::NewDefinitionHandle(announced) => Some((announced.handle, announced.kind)),
        _ => None,
    });
    announcements.collect()
}

fn first_group(recording: &Recording) -> u32 {
    let group =
        announced(recording).into_iter().find(|&(_, kind)| kind == sys::SCOREP_HANDLE_TYPE_LOCATION_GROUP);
    group.map_or(0, |(handle, _)| handle)
}

/// Removes accelerators: up to 7.x, the process is the only location group.
fn leave_accelerators_out(recording: &mut Recording) {
    recording.calls.retain(|call| match &call.action {
        Action::NewDefinitionHandle(announced)
            if announced.kind == sys::SCOREP_HANDLE_TYPE_LOCATION_GROUP =>
        {
            word(&announced.raw, 28) != Some(ACCELERATOR)
        }
        _ => true,
    });
}

/// Sets the byte of each system tree node that marks it as a parent.
fn note_children(snapshot: &mut [u8], announced: &BTreeMap<u32, u32>) {
    let nodes = announced.iter().filter(|&(_, &kind)| kind == sys::SCOREP_HANDLE_TYPE_SYSTEM_TREE_NODE);
    let nodes: Vec<u32> = nodes.map(|(&handle, _)| handle).collect();
    let parents: BTreeSet<u32> =
        nodes.iter().filter_map(|&node| word(snapshot, node as usize + 20)).collect();
    for node in nodes {
        if let Some(byte) = snapshot.get_mut(node as usize + 48) {
            *byte = parents.contains(&node).into();
        }
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(bytes.try_into().expect("four bytes")))
}

/// The bytes of a definition.
struct Bytes<'a>(&'a mut [u8]);

impl Bytes<'_> {
    fn get<const N: usize>(&self, at: [usize; N]) -> [u32; N] {
        at.map(|at| word(self.0, at).unwrap_or(0))
    }

    fn put<const N: usize>(&mut self, start: usize, words: [u32; N]) {
        for (i, word) in words.into_iter().enumerate() {
            self.0[start + 4 * i..][..4].copy_from_slice(&word.to_le_bytes());
        }
    }
}

struct Conversion {
    turn: (Generation, Generation),
    /// The values that mean "no paradigm", before and after the conversion.
    invalid: (u32, u32),
    rank: u32,
    /// The location group of the process.
    group: u32,
}

impl Conversion {
    fn announcements(&self, recording: &mut Recording, announced: &BTreeMap<u32, u32>) {
        for call in &mut recording.calls {
            let Action::NewDefinitionHandle(announcement) = &mut call.action else { continue };
            // Recorded bytes extend into the next definitions, which are converted separately.
            let to_next = announced
                .range(announcement.handle + 1..)
                .next()
                .map_or(usize::MAX, |(&next, _)| (next - announcement.handle) as usize);
            let length = announcement.raw.len().min(to_next);
            announcement.raw.truncate(length);
            if length < ROOM {
                announcement.raw.resize(ROOM, 0);
            }
            self.definition(announcement.kind, &mut Bytes(&mut announcement.raw), false);
            announcement.raw.truncate(length);
        }
    }

    /// Rewrites a definition in its state at the announcement or, with `later`, in a snapshot.
    fn definition(&self, kind: u32, bytes: &mut Bytes<'_>, later: bool) {
        match (kind, self.turn) {
            (sys::SCOREP_HANDLE_TYPE_LOCATION, _) => self.location(bytes, later),
            (_, (from, to)) if from == to => {}
            (sys::SCOREP_HANDLE_TYPE_LOCATION_GROUP, _) => self.location_group(bytes, later),
            (sys::SCOREP_HANDLE_TYPE_RMA_WINDOW, (_, Generation::New)) => {
                bytes.put(36, [sys::SCOREP_RMA_WINDOW_FLAG_CREATE_DESTROY_EVENTS]);
            }
            (sys::SCOREP_HANDLE_TYPE_RMA_WINDOW, (_, Generation::Old)) => bytes.put(36, [GARBAGE]),
            (sys::SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR, _) => self.payload(bytes),
            _ => {}
        }
    }

    fn location(&self, bytes: &mut Bytes<'_>, later: bool) {
        match self.turn {
            (Generation::New, Generation::Old) => {
                let [low, high] = bytes.get([48, 52]);
                bytes.put(40, [low, high, if later { self.rank } else { 0 }, 0]);
            }
            (Generation::Old, Generation::New) => {
                let [low, high] = bytes.get([40, 44]);
                bytes.put(40, [self.invalid.1, self.group, low, high]);
            }
            _ => {
                let [paradigm] = bytes.get([40]);
                bytes.put(40, [if paradigm == self.invalid.0 { self.invalid.1 } else { paradigm }]);
            }
        }
    }

    fn location_group(&self, bytes: &mut Bytes<'_>, later: bool) {
        if self.turn.1 == Generation::Old {
            let [name, parent, kind] = bytes.get([20, 24, 28]);
            let id = if later { self.rank } else { NO_ID };
            bytes.put(20, [id, parent, name, kind, GARBAGE]);
        } else {
            let [parent, name, kind] = bytes.get([24, 28, 32]);
            bytes.put(20, [name, parent, kind, 0, 0]);
        }
    }

    fn payload(&self, bytes: &mut Bytes<'_>) {
        if bytes.get([field::COMMUNICATOR_PARADIGM]) != [sys::SCOREP_PARADIGM_MPI] {
            return;
        }
        let start = field::COMMUNICATOR_PAYLOAD;
        let [a, b, c, d, e, f] = bytes.get([0, 1, 2, 3, 4, 5].map(|i| start + 4 * i));
        match self.turn.1 {
            Generation::Old => bytes.put(start, [a, b, d, e, f, GARBAGE]),
            Generation::New => bytes.put(start, [a, b, 0, c, d, e]),
        }
    }

    /// Rewrites communicators in their state after unification. Those of 8.x are larger and are
    /// moved to the end of the snapshot.
    fn communicators(
        &self,
        snapshot: &mut Vec<u8>,
        communicators: &BTreeSet<u32>,
        announced: &BTreeMap<u32, u32>,
    ) {
        if self.turn.1 == Generation::Old {
            for &handle in communicators {
                let mut bytes = Bytes(&mut snapshot[handle as usize..]);
                let [name, parent, key] = bytes.get([28, 32, 36]);
                bytes.put(24, [name, parent, key, GARBAGE, GARBAGE]);
            }
            return;
        }
        let mut moved = BTreeMap::new();
        for &handle in communicators {
            let place = snapshot.len().next_multiple_of(8);
            let old = snapshot[handle as usize..handle as usize + 36].to_vec();
            snapshot.resize(place + NEW_COMMUNICATOR, 0);
            snapshot[place..place + 20].copy_from_slice(&old[..20]);
            let [group, name, parent, key] = [20, 24, 28, 32].map(|at| word(&old, at).unwrap_or(0));
            let flags = sys::SCOREP_COMMUNICATOR_FLAG_NONE;
            Bytes(&mut snapshot[place..]).put(20, [group, group, name, parent, key, flags]);
            moved.insert(handle, place as u32);
        }
        let parents = moved.values().map(|&handle| handle as usize + 32);
        let places = parents.chain(references(announced).map(|(handle, at)| handle as usize + at));
        for place in places.collect::<Vec<_>>() {
            if let Some(&new) = word(snapshot, place).and_then(|old| moved.get(&old)) {
                Bytes(&mut snapshot[..]).put(place, [new]);
            }
        }
    }
}

/// Returns where announced definitions refer to a communicator after unification: handle and field.
fn references(announced: &BTreeMap<u32, u32>) -> impl Iterator<Item = (u32, usize)> {
    announced.iter().filter_map(|(&handle, &kind)| {
        let field = match kind {
            sys::SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR => 4,
            sys::SCOREP_HANDLE_TYPE_RMA_WINDOW | sys::SCOREP_HANDLE_TYPE_CARTESIAN_TOPOLOGY => 24,
            sys::SCOREP_HANDLE_TYPE_IO_HANDLE => 36,
            _ => return None,
        };
        Some((handle, field))
    })
}

/// Returns the communicators that announced definitions refer to after unification, and their
/// parents.
fn final_communicators(
    recording: &Recording,
    announced: &BTreeMap<u32, u32>,
    generation: Generation,
) -> Result<BTreeSet<u32>, Error> {
    let snapshot = &recording.write_data;
    let (parent, size) = match generation {
        Generation::Old => (28, 36),
        Generation::New => (32, NEW_COMMUNICATOR),
    };
    let named = references(announced).filter_map(|(handle, at)| word(snapshot, handle as usize + at));
    let mut open: Vec<u32> = named.collect();
    let mut found = BTreeSet::new();
    while let Some(handle) = open.pop() {
        if handle == 0 || announced.contains_key(&handle) || !found.insert(handle) {
            continue;
        }
        if snapshot.len() < handle as usize + size {
            let what = format!("expected communicator {handle} inside the arena at `write_data`");
            return Err(Error::recording(&recording.calls_file, what));
        }
        open.extend(word(snapshot, handle as usize + parent));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversion(from: HostRelease, to: HostRelease) -> Conversion {
        Conversion {
            turn: (from.generation(), to.generation()),
            invalid: (from.invalid_paradigm(), to.invalid_paradigm()),
            rank: 3,
            group: 8544,
        }
    }

    fn round_trip(kind: u32, original: &[u8; ROOM]) -> [u8; ROOM] {
        let mut bytes = *original;
        for (from, to) in [(HostRelease::V8_4, HostRelease::V7_1), (HostRelease::V7_1, HostRelease::V8_4)] {
            conversion(from, to).definition(kind, &mut Bytes(&mut bytes), true);
        }
        bytes
    }

    fn definition(words: &[(usize, u32)]) -> [u8; ROOM] {
        let mut bytes = [0; ROOM];
        for &(at, word) in words {
            Bytes(&mut bytes).put(at, [word]);
        }
        bytes
    }

    #[test]
    fn a_round_trip_loses_nothing() {
        let location = definition(&[(32, 9048), (36, 2), (40, 17), (44, 8544), (48, 301)]);
        assert_eq!(round_trip(sys::SCOREP_HANDLE_TYPE_LOCATION, &location), location);
        let group = definition(&[(20, 66936), (24, 8480)]);
        assert_eq!(round_trip(sys::SCOREP_HANDLE_TYPE_LOCATION_GROUP, &group), group);
        let communicator = definition(&[(24, 65744), (28, 6), (40, 4), (44, 1), (52, 2), (56, 7), (60, 9)]);
        assert_eq!(round_trip(sys::SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR, &communicator), communicator);
    }

    #[test]
    fn a_location_of_6_0_refers_to_its_group_by_id() {
        let mut bytes = definition(&[(32, 9048), (40, 17), (44, 8544), (48, 301)]);
        conversion(HostRelease::V8_4, HostRelease::V6_0).definition(
            sys::SCOREP_HANDLE_TYPE_LOCATION,
            &mut Bytes(&mut bytes),
            true,
        );
        assert_eq!(bytes, definition(&[(32, 9048), (40, 301), (48, 3)]));
    }

    #[test]
    fn the_value_for_no_paradigm_changes_in_9() {
        let mut bytes = definition(&[(40, 17), (44, 8544)]);
        conversion(HostRelease::V8_4, HostRelease::V9_0).definition(
            sys::SCOREP_HANDLE_TYPE_LOCATION,
            &mut Bytes(&mut bytes),
            false,
        );
        assert_eq!(bytes, definition(&[(40, 18), (44, 8544)]));
    }
}
