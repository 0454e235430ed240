//! The entries of a journal.
//!
//! An entry consists of the length of its tag and content, their CRC-32 (IEEE), the tag, and the
//! content. It begins at a multiple of 8 bytes. Numbers are in the byte order of the machine. If
//! several entries describe the same thing, the last one counts.

use kymo_otf2::references::Space;

use crate::{clock::Reading, unification::Key};

/// The number of bytes before the tag.
pub const HEADER: usize = 8;
/// The alignment of entries in bytes.
pub const ALIGN: usize = 8;
/// The maximum size of an entry's content in bytes, including the tag.
pub const MOST: usize = 1 << 20;

/// An entry. Its ids are those of the process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Entry<'a> {
    /// Records of OTF2 definitions, as written by [`kymo_otf2::write::definition_bytes`].
    Definitions(&'a [u8]),
    /// The key of a definition, which is not part of its record.
    Key {
        /// The kind of the definition.
        space: Space,
        /// Its id.
        id: u64,
        /// Its key.
        key: Key,
    },
    /// A location.
    Location(LocationEntry<'a>),
    /// The identity of this process in the program.
    Process {
        /// Its rank.
        rank: u32,
        /// The number of ranks.
        size: u32,
    },
    /// The clock of the timestamps.
    Clock(ClockEntry),
    /// The data known about a communicator, a thread team or the like.
    Communicator(CommunicatorEntry),
    /// The times of the program's begin and end in ticks; all ones while unknown.
    Program {
        /// The begin.
        begin: u64,
        /// The end.
        end: u64,
    },
    /// The promises of the archive that were not kept: bit `n` represents the event class with
    /// number `n`, and bit 31 a reused location.
    Broken(u32),
    /// An attribute that events may have.
    Attribute {
        /// Its id.
        id: u32,
        /// The OTF2 number of its type.
        value_type: u8,
        /// Its name, a zero byte, and its description.
        texts: &'a [u8],
    },
}

/// The data known about a location.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocationEntry<'a> {
    /// The index of its slot.
    pub slot: u32,
    /// The number of the location in its process.
    pub number: u32,
    /// Its id in the archive; all ones if unknown.
    pub id: u64,
    /// Its location group, an id of this process; all ones if unknown.
    pub group: u32,
    /// The OTF2 number of its type.
    pub location_type: u8,
    /// Its name.
    pub name: &'a [u8],
}

/// The state of a process's clock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockEntry {
    /// The index in [`Clock::ALL`](crate::clock::Clock::ALL) of the clock of the timestamps; all
    /// ones if it is none of them.
    pub clock: u32,
    /// All clocks at one moment.
    pub reading: Reading,
    /// The machine; 0 if unknown. Machines with equal numbers have the same clocks.
    pub node: u64,
    /// The offset to add to `reading` to obtain the readings of rank 0's clocks at that moment; 0
    /// for rank 0 and on its node.
    pub ahead: i64,
}

/// The data known about a communicator, thread team or the like of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommunicatorEntry {
    /// Its id, as used in events.
    pub id: u32,
    /// The OTF2 number of its paradigm.
    pub paradigm: u8,
    /// The communicator that it was created from; all ones if there is none.
    pub parent: u32,
    /// The id of its name; all ones if it has none.
    pub name: u32,
    /// The data specific to its paradigm.
    pub payload: Payload,
}

/// The data specific to a communicator's paradigm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload {
    /// Nothing, or nothing yet.
    Unknown,
    /// MPI. The pair of `root` and `number` identifies a communicator of more than one process in
    /// the whole program.
    Mpi {
        /// The number of processes in the local group.
        size: u32,
        /// The own rank in the local group.
        rank: u32,
        /// The number of processes in the remote group; 0 for an intra-communicator.
        remote_size: u32,
        /// Whether the local group is group B.
        is_group_b: bool,
        /// The world rank of its rank 0.
        root: u32,
        /// The number assigned by that rank.
        number: u32,
    },
    /// A team of threads. Each of its threads has its own communicator for it.
    Team {
        /// The number of threads.
        size: u32,
        /// The number of this thread in the team.
        thread: u32,
        /// The sequence number among teams of one thread.
        singleton: u32,
    },
}

mod tag {
    pub(super) const DEFINITIONS: u8 = 1;
    pub(super) const KEY: u8 = 2;
    pub(super) const LOCATION: u8 = 3;
    pub(super) const PROCESS: u8 = 4;
    pub(super) const CLOCK: u8 = 5;
    pub(super) const COMMUNICATOR: u8 = 6;
    pub(super) const PROGRAM: u8 = 7;
    pub(super) const BROKEN: u8 = 8;
    pub(super) const ATTRIBUTE: u8 = 9;
}

/// The maximum size of an entry without its definitions and names.
const MOST_FIXED: usize = 80;

/// The fixed part of an entry; names and records follow it.
struct Fixed {
    bytes: [u8; MOST_FIXED],
    length: usize,
}

impl Fixed {
    fn new(tag: u8) -> Self {
        let mut this = Self { bytes: [0; MOST_FIXED], length: 0 };
        this.put(&[tag]);
        this
    }

    fn put(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes[self.length..][..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
        self
    }

    fn u32(&mut self, value: u32) -> &mut Self {
        self.put(&value.to_ne_bytes())
    }

    fn u64(&mut self, value: u64) -> &mut Self {
        self.put(&value.to_ne_bytes())
    }
}

impl<'a> Entry<'a> {
    /// Passes the entry, tag included, to `put` in two parts. Allocates nothing.
    pub fn parts<R>(&self, put: impl FnOnce(&[u8], &[u8]) -> R) -> R {
        let (fixed, rest) = self.encode();
        put(&fixed.bytes[..fixed.length], rest)
    }

    fn encode(&self) -> (Fixed, &'a [u8]) {
        let mut rest: &[u8] = &[];
        let fixed = match *self {
            Entry::Definitions(records) => {
                rest = records;
                Fixed::new(tag::DEFINITIONS)
            }
            Entry::Key { space, id, key } => {
                let mut fixed = Fixed::new(tag::KEY);
                let (is_number, number) = match key {
                    Key::Unique => (0, 0),
                    Key::Number(number) => (1, number),
                };
                fixed.put(&[space as u8, is_number]).u64(id).u64(number);
                fixed
            }
            Entry::Location(LocationEntry { slot, number, id, group, location_type, name }) => {
                let mut fixed = Fixed::new(tag::LOCATION);
                fixed.u32(slot).u32(number).u64(id).u32(group).put(&[location_type]);
                rest = name;
                fixed
            }
            Entry::Process { rank, size } => {
                let mut fixed = Fixed::new(tag::PROCESS);
                fixed.u32(rank).u32(size);
                fixed
            }
            Entry::Clock(ClockEntry { clock, reading, node, ahead }) => {
                let mut fixed = Fixed::new(tag::CLOCK);
                fixed.u32(clock);
                for number in reading.numbers() {
                    fixed.u64(number);
                }
                fixed.u64(node).u64(ahead.cast_unsigned());
                fixed
            }
            Entry::Communicator(it) => {
                let mut fixed = Fixed::new(tag::COMMUNICATOR);
                fixed.u32(it.id).put(&[it.paradigm]).u32(it.parent).u32(it.name);
                it.payload.put(&mut fixed);
                fixed
            }
            Entry::Program { begin, end } => {
                let mut fixed = Fixed::new(tag::PROGRAM);
                fixed.u64(begin).u64(end);
                fixed
            }
            Entry::Broken(bits) => {
                let mut fixed = Fixed::new(tag::BROKEN);
                fixed.u32(bits);
                fixed
            }
            Entry::Attribute { id, value_type, texts } => {
                let mut fixed = Fixed::new(tag::ATTRIBUTE);
                fixed.u32(id).put(&[value_type]);
                rest = texts;
                fixed
            }
        };
        (fixed, rest)
    }

    /// Decodes an entry from its tag and content. Returns `None` if this version does not know it.
    pub fn decode(bytes: &'a [u8]) -> Option<Self> {
        let (&tag, rest) = bytes.split_first()?;
        let mut from = Cut(rest);
        let entry = match tag {
            tag::DEFINITIONS => Entry::Definitions(rest),
            tag::KEY => {
                let [space, is_number] = from.array()?;
                let (id, number) = (from.u64()?, from.u64()?);
                let key = if is_number == 0 { Key::Unique } else { Key::Number(number) };
                Entry::Key { space: *Space::ALL.get(usize::from(space))?, id, key }
            }
            tag::LOCATION => {
                let (slot, number, id, group) = (from.u32()?, from.u32()?, from.u64()?, from.u32()?);
                let [location_type] = from.array()?;
                Entry::Location(LocationEntry { slot, number, id, group, location_type, name: from.0 })
            }
            tag::PROCESS => Entry::Process { rank: from.u32()?, size: from.u32()? },
            tag::CLOCK => {
                let clock = from.u32()?;
                let numbers = [from.u64()?, from.u64()?, from.u64()?, from.u64()?];
                let reading = Reading::from_numbers(numbers);
                Entry::Clock(ClockEntry {
                    clock,
                    reading,
                    node: from.u64()?,
                    ahead: from.u64()?.cast_signed(),
                })
            }
            tag::COMMUNICATOR => {
                let id = from.u32()?;
                let [paradigm] = from.array()?;
                let (parent, name) = (from.u32()?, from.u32()?);
                let payload = Payload::cut(&mut from)?;
                Entry::Communicator(CommunicatorEntry { id, paradigm, parent, name, payload })
            }
            tag::PROGRAM => Entry::Program { begin: from.u64()?, end: from.u64()? },
            tag::BROKEN => Entry::Broken(from.u32()?),
            tag::ATTRIBUTE => {
                let id = from.u32()?;
                let [value_type] = from.array()?;
                Entry::Attribute { id, value_type, texts: from.0 }
            }
            _ => return None,
        };
        Some(entry)
    }
}

impl Payload {
    fn put(&self, fixed: &mut Fixed) {
        match *self {
            Self::Unknown => fixed.put(&[0]),
            Self::Mpi { size, rank, remote_size, is_group_b, root, number } => fixed
                .put(&[1, u8::from(is_group_b)])
                .u32(size)
                .u32(rank)
                .u32(remote_size)
                .u32(root)
                .u32(number),
            Self::Team { size, thread, singleton } => fixed.put(&[2]).u32(size).u32(thread).u32(singleton),
        };
    }

    fn cut(from: &mut Cut<'_>) -> Option<Self> {
        let [form] = from.array()?;
        Some(match form {
            0 => Self::Unknown,
            1 => {
                let [is_group_b] = from.array()?;
                let (size, rank, remote_size) = (from.u32()?, from.u32()?, from.u32()?);
                let (root, number) = (from.u32()?, from.u32()?);
                Self::Mpi { size, rank, remote_size, is_group_b: is_group_b != 0, root, number }
            }
            2 => Self::Team { size: from.u32()?, thread: from.u32()?, singleton: from.u32()? },
            _ => return None,
        })
    }
}

/// Bytes that numbers are taken from, starting at the front.
struct Cut<'a>(&'a [u8]);

impl Cut<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (front, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*front)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_ne_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_ne_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Entry<'static>> {
        let reading = Reading { counter: 1, monotonic_raw: 2, monotonic: 3, realtime: u64::MAX };
        let communicator = |payload| {
            Entry::Communicator(CommunicatorEntry { id: 3, paradigm: 5, parent: u32::MAX, name: 2, payload })
        };
        vec![
            Entry::Definitions(b"records"),
            Entry::Key { space: Space::Comm, id: 7, key: Key::Number(u64::MAX) },
            Entry::Key { space: Space::IoHandle, id: 0, key: Key::Unique },
            Entry::Location(LocationEntry {
                slot: 1,
                number: 2,
                id: 3,
                group: 4,
                location_type: 1,
                name: b"n",
            }),
            Entry::Process { rank: 3, size: 4 },
            Entry::Clock(ClockEntry { clock: 4, reading, node: 9, ahead: -5 }),
            communicator(Payload::Unknown),
            communicator(Payload::Mpi {
                size: 1,
                rank: 2,
                remote_size: 3,
                is_group_b: true,
                root: 4,
                number: 5,
            }),
            communicator(Payload::Team { size: 8, thread: 7, singleton: 6 }),
            Entry::Program { begin: 1, end: u64::MAX },
            Entry::Broken(0x8000_0001),
            Entry::Attribute { id: 1, value_type: 3, texts: b"n\0d" },
        ]
    }

    fn bytes(entry: &Entry<'_>) -> Vec<u8> {
        entry.parts(|fixed, rest| [fixed, rest].concat())
    }

    #[test]
    fn entries_survive_a_round_trip() {
        for entry in all() {
            assert_eq!(Entry::decode(&bytes(&entry)), Some(entry));
        }
    }

    #[test]
    fn truncated_entries_and_unknown_tags_are_rejected() {
        for entry in all() {
            let bytes = bytes(&entry);
            let fixed = bytes.len() - entry.encode().1.len();
            assert!((0..fixed).all(|length| Entry::decode(&bytes[..length]).is_none()), "{entry:?}");
        }
        assert_eq!(Entry::decode(&[99, 1, 2]), None);
    }
}
