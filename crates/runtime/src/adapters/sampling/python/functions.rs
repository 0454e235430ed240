//! The functions of Python that samples and events have met.
//!
//! Code objects come and go, and another function can be at the address of an earlier one: a
//! function is known by its code object, the objects that this refers to, and the hash of its name.
//! The table is searched and extended without a lock. Invariants: the content of an entry is
//! complete before it is found, and never changes; an entry is never removed.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering::*};

use kymo_substrate::bindings::{SCOREP_PARADIGM_SAMPLING, SCOREP_REGION_FUNCTION};

use crate::definitions::{DefinitionStore, RegionDefinition};
use crate::mapped::{Zeroed, zeroed};
use crate::message::report;

/// The number of functions, at most.
const FUNCTIONS: usize = 1 << 16;
const BUCKETS: usize = 1 << 12;
/// The bytes of all names and files.
const TEXT: usize = 16 << 20;
/// The bytes of a name and of a file, at most. The rest is cut off.
pub(super) const NAME: usize = 1024;
pub(super) const FILE: usize = 4096;
/// The bits of the length of both.
const LENGTH: u32 = 16;
/// The name of all functions for which there is no room.
const WITHOUT_ROOM: &[u8] = b"[Python]";

/// A function; 0 stands for all that have no room in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct FunctionNumber(pub(in super::super) u32);

/// The identity of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FunctionIdentity {
    /// The addresses of its code object and of the objects that this refers to.
    pub(super) code: u64,
    pub(super) file: u64,
    pub(super) name: u64,
    pub(super) lines: u64,
    pub(super) first_line: u32,
    pub(super) name_hash: u64,
}

/// The qualified name of a function and the name of its file, in UTF-8.
#[derive(Debug)]
pub(super) struct FunctionTexts {
    bytes: [u8; NAME + FILE],
    name: usize,
    file: usize,
}

impl FunctionTexts {
    /// Returns the texts that `read` writes, whose lengths it returns.
    pub(super) fn read(
        read: impl Fn(u64, &mut [u8]) -> Option<usize>,
        identity: &FunctionIdentity,
    ) -> Option<Self> {
        let mut bytes = [0; NAME + FILE];
        let name = read(identity.name, bytes.get_mut(..NAME)?)?;
        let file = read(identity.file, bytes.get_mut(name..name + FILE)?)?;
        Some(Self { bytes, name, file })
    }

    fn name(&self) -> &[u8] {
        self.bytes.get(..self.name).unwrap_or_default()
    }

    fn file(&self) -> &[u8] {
        self.bytes.get(self.name..self.name + self.file).unwrap_or_default()
    }

    fn is_lasting(&self) -> bool {
        let is_file = !self.file().starts_with(b"<") || self.file().starts_with(b"<frozen ");
        is_file && self.name() != b"<module>"
    }

    fn all(&self) -> &[u8] {
        self.bytes.get(..self.name + self.file).unwrap_or_default()
    }
}

struct FunctionEntry {
    code: AtomicU64,
    file: AtomicU64,
    name: AtomicU64,
    lines: AtomicU64,
    name_hash: AtomicU64,
    first_line: AtomicU32,
    is_lasting: AtomicBool,
    /// The next entry of the bucket; 0 after the last one.
    next: AtomicU32,
    /// Where its texts begin, with their lengths.
    texts: AtomicU64,
}

// SAFETY: atomics are integers.
unsafe impl Zeroed for FunctionEntry {}

impl FunctionEntry {
    fn identity(&self) -> FunctionIdentity {
        FunctionIdentity {
            code: self.code.load(Relaxed),
            file: self.file.load(Relaxed),
            name: self.name.load(Relaxed),
            lines: self.lines.load(Relaxed),
            first_line: self.first_line.load(Relaxed),
            name_hash: self.name_hash.load(Relaxed),
        }
    }

    fn set(&self, identity: &FunctionIdentity) {
        self.code.store(identity.code, Relaxed);
        self.file.store(identity.file, Relaxed);
        self.name.store(identity.name, Relaxed);
        self.lines.store(identity.lines, Relaxed);
        self.first_line.store(identity.first_line, Relaxed);
        self.name_hash.store(identity.name_hash, Relaxed);
    }
}

struct TextByte(AtomicU8);

// SAFETY: atomics are integers.
unsafe impl Zeroed for TextByte {}

struct FunctionTable {
    entries: &'static [FunctionEntry],
    text: &'static [TextByte],
}

static TABLE: OnceLock<Option<FunctionTable>> = OnceLock::new();
static BUCKET_HEADS: [AtomicU32; BUCKETS] = [const { AtomicU32::new(0) }; BUCKETS];
/// The number of entries that were taken, and of bytes. The first entry stays empty.
static TAKEN: AtomicUsize = AtomicUsize::new(1);
static TEXT_TAKEN: AtomicUsize = AtomicUsize::new(0);

/// Takes the memory of the table.
pub(super) fn prepare() {
    TABLE.get_or_init(|| Some(FunctionTable { entries: zeroed(FUNCTIONS)?, text: zeroed(TEXT)? }));
}

fn table() -> Option<&'static FunctionTable> {
    TABLE.get()?.as_ref()
}

fn bucket(identity: &FunctionIdentity) -> &'static AtomicU32 {
    let mixed = identity.code.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    &BUCKET_HEADS[(mixed >> (u64::BITS - BUCKETS.trailing_zeros())) as usize]
}

/// Returns the number of a function, whose texts `read` returns if it is not known yet. Returns
/// `None` if it has none.
pub(super) fn number(
    identity: &FunctionIdentity,
    read: impl FnOnce() -> Option<FunctionTexts>,
) -> Option<FunctionNumber> {
    let found = table().and_then(|table| table.find(identity, bucket(identity).load(Acquire), 0));
    if let Some(number) = found {
        return Some(FunctionNumber(number));
    }
    let texts = read()?;
    Some(FunctionNumber(table().and_then(|table| table.add(identity, &texts)).unwrap_or_else(without_room)))
}

/// States once that further functions have no place.
#[cold]
fn without_room() -> u32 {
    static IS_REPORTED: AtomicBool = AtomicBool::new(false);
    if !IS_REPORTED.swap(true, Relaxed) {
        report(format_args!(
            "there is room for {FUNCTIONS} functions of Python: further ones are one region"
        ));
    }
    0
}

impl FunctionTable {
    /// Searches a bucket from an entry up to another one.
    fn find(&self, identity: &FunctionIdentity, first: u32, last: u32) -> Option<u32> {
        let mut at = first;
        while at != last {
            let entry = self.entries.get(at as usize)?;
            if entry.identity() == *identity {
                return Some(at);
            }
            at = entry.next.load(Relaxed);
        }
        None
    }

    /// Adds a function. Returns that which another thread has added meanwhile, if there is one.
    fn add(&self, identity: &FunctionIdentity, texts: &FunctionTexts) -> Option<u32> {
        let all = texts.all();
        let has_room =
            TAKEN.load(Relaxed) < self.entries.len() && TEXT_TAKEN.load(Relaxed) + all.len() < TEXT;
        let number = has_room.then(|| TAKEN.fetch_add(1, Relaxed))?;
        let begin = TEXT_TAKEN.fetch_add(all.len(), Relaxed);
        let (entry, text) = (self.entries.get(number)?, self.text.get(begin..begin + all.len())?);
        text.iter().zip(all).for_each(|(to, from)| to.0.store(*from, Relaxed));
        let lengths = (texts.name << LENGTH | texts.file) as u64;
        entry.texts.store((begin as u64) << (2 * LENGTH) | lengths, Relaxed);
        entry.is_lasting.store(texts.is_lasting(), Relaxed);
        entry.set(identity);
        let (bucket, number) = (bucket(identity), number as u32);
        let (mut first, mut seen) = (bucket.load(Acquire), 0);
        loop {
            if let Some(known) = self.find(identity, first, seen) {
                return Some(known);
            }
            entry.next.store(first, Relaxed);
            seen = first;
            match bucket.compare_exchange(first, number, Release, Acquire) {
                Ok(_) => return Some(number),
                Err(newer) => first = newer,
            }
        }
    }

    /// Returns the texts of a function, with the number of its first line.
    fn texts(&self, number: FunctionNumber) -> Option<(FunctionTexts, u32)> {
        let entry = self.entries.get(number.0 as usize).filter(|_| number.0 != 0)?;
        let place = entry.texts.load(Relaxed);
        let length = |bits: u64| bits as usize & ((1 << LENGTH) - 1);
        let (name, file) = (length(place >> LENGTH), length(place));
        let stored = self.text.get((place >> (2 * LENGTH)) as usize..)?.get(..name + file)?;
        let mut bytes = [0; NAME + FILE];
        bytes.iter_mut().zip(stored).for_each(|(to, from)| *to = from.0.load(Relaxed));
        Some((FunctionTexts { bytes, name, file }, entry.first_line.load(Relaxed)))
    }
}

/// Returns whether no other function takes the place of this one from one sample to the next: that
/// of a module ends, and code that is made while the program runs can be replaced.
pub(super) fn is_lasting(number: FunctionNumber) -> bool {
    let entry = table().and_then(|table| table.entries.get(number.0 as usize));
    entry.is_some_and(|entry| entry.is_lasting.load(Relaxed))
}

/// Defines the region of a function; returns 0 without memory for definitions.
pub(in super::super) fn region(definitions: &DefinitionStore, function: FunctionNumber) -> u32 {
    let region = |name, file, begin| {
        definitions.region(&RegionDefinition {
            name,
            canonical: name,
            description: b"",
            file,
            begin,
            end: 0,
            paradigm: SCOREP_PARADIGM_SAMPLING,
            region_type: SCOREP_REGION_FUNCTION,
        })
    };
    match table().and_then(|table| table.texts(function)) {
        None => region(WITHOUT_ROOM, None, 0),
        Some((texts, first_line)) => region(texts.name(), Some(texts.file()), first_line),
    }
}

/// Defines a line of a function; returns 0 for a function without a file.
pub(in super::super) fn source_line(
    definitions: &DefinitionStore,
    function: FunctionNumber,
    line: u32,
) -> u32 {
    let texts = table().and_then(|table| table.texts(function));
    texts.map_or(0, |(texts, _)| definitions.source_line(texts.file(), line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_one_number_as_long_as_it_is_the_same() {
        prepare();
        let identity =
            FunctionIdentity { code: 16, file: 32, name: 48, lines: 64, first_line: 3, name_hash: 5 };
        let read = |address: u64, into: &mut [u8]| {
            let text = if address == 48 { &b"Model.train"[..] } else { b"/a/p.py" };
            into.get_mut(..text.len())?.copy_from_slice(text);
            Some(text.len())
        };
        let added = number(&identity, || FunctionTexts::read(read, &identity)).unwrap();
        assert_eq!(number(&identity, || unreachable!()), Some(added));
        let (texts, first_line) = table().unwrap().texts(added).unwrap();
        assert_eq!((texts.name(), texts.file(), first_line), (&b"Model.train"[..], &b"/a/p.py"[..], 3));
        assert!(is_lasting(added) && !is_lasting(FunctionNumber(0)));
        // Another function at the same address.
        let other = FunctionIdentity { name_hash: 6, ..identity };
        assert_eq!(number(&other, || None), None);
        assert_ne!(number(&other, || FunctionTexts::read(read, &other)), Some(added));
    }
}
