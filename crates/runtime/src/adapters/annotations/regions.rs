//! The regions that annotations name: one for each group and name.
//!
//! Invariants: a name that was seen once is found without a lock and without memory; a program that
//! makes up a name for each step does not fill the definitions ([`MOST`]).

use std::borrow::Cow;
use std::panic::{self, AssertUnwindSafe};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::text;
use crate::address_table::{AddressTable, UNKNOWN};
use crate::cancellation::uncancelled;
use crate::definitions::RegionDefinition;
use crate::filtering;
use crate::measurement::{self, Region};
use crate::message::report;
use crate::next::keeping_errno;
use crate::processes::may_allocate;

/// The largest number of names of an interface that have a region of their own.
const MOST: usize = 10_000;
/// The name of the region of all others.
const REST: &[u8] = "…".as_bytes();

/// What the regions of a group have in common.
#[derive(Debug)]
pub(in super::super) struct RegionGroup {
    /// The description of the regions.
    pub(in super::super) description: Cow<'static, [u8]>,
    pub(in super::super) paradigm: u32,
    pub(in super::super) kind: u32,
    /// Returns what a text names.
    pub(in super::super) named: fn(&str) -> NamedPlace<'_>,
}

/// A region as an interface names it.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct NamedPlace<'a> {
    pub(in super::super) name: Cow<'a, str>,
    /// The name in the program's symbols, if that is another one.
    pub(in super::super) canonical: Cow<'a, str>,
    pub(in super::super) file: Option<&'a str>,
    pub(in super::super) line: u32,
}

impl<'a> NamedPlace<'a> {
    /// A name as it is, without a place.
    pub(in super::super) fn plain(name: &'a str) -> Self {
        Self { name: name.into(), canonical: name.into(), file: None, line: 0 }
    }
}

/// The region of a name.
#[derive(Debug)]
struct NamedRegion {
    group: &'static RegionGroup,
    name: Box<[u8]>,
    region: Region,
    /// Another one whose name has the same hash.
    next: *const NamedRegion,
}

/// The regions of an interface.
pub(super) struct AnnotatedRegions {
    interface: &'static str,
    /// The addresses of regions by the hashes of their groups and names.
    table: AddressTable,
    /// The number of names. Names are added under this lock.
    count: Mutex<usize>,
    /// The region of the names beyond the limit; 0 before.
    rest: AtomicU32,
}

impl std::fmt::Debug for AnnotatedRegions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AnnotatedRegions").field("interface", &self.interface).finish_non_exhaustive()
    }
}

pub(in super::super) type Hold = MutexGuard<'static, usize>;

impl AnnotatedRegions {
    pub(super) const fn new(interface: &'static str) -> Self {
        let (table, count) = (AddressTable::new(), Mutex::new(0));
        Self { interface, table, count, rest: AtomicU32::new(0) }
    }

    /// Keeps names from being added, as while the process forks.
    pub(super) fn hold(&'static self) -> Hold {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the region of a name if it is known.
    #[inline]
    pub(super) fn find(&self, group: &'static RegionGroup, name: &[u8]) -> Option<Region> {
        let first = self.table.get(hash(group, name));
        let mut at = ptr::with_exposed_provenance::<NamedRegion>(first as usize);
        // SAFETY: null, or the address of an object that was complete when it was stored, and is
        // never freed nor changed.
        while let Some(named) = unsafe { at.as_ref() } {
            if ptr::eq(named.group, group) && *named.name == *name {
                return Some(named.region);
            }
            at = named.next;
        }
        None
    }

    /// Defines the region of a name; `None` if nothing can be defined now. No region if the name is
    /// left out.
    #[cold]
    pub(super) fn define(&'static self, group: &'static RegionGroup, name: &[u8]) -> Option<Region> {
        match self.rest.load(Relaxed) {
            0 => {}
            rest => return Some(Region(rest)),
        }
        if !may_allocate() {
            return None;
        }
        keeping_errno(|| {
            // The thread counts as inside the runtime: nothing that is called here may be recorded.
            let _here = measurement::here_or_orphan()?;
            panic::catch_unwind(AssertUnwindSafe(|| uncancelled(|| self.add(group, name)))).ok()
        })
    }

    fn add(&'static self, group: &'static RegionGroup, name: &[u8]) -> Region {
        let mut count = self.hold();
        if let Some(known) = self.find(group, name) {
            return known;
        }
        if *count >= MOST {
            let rest = group.define(REST);
            if self.rest.swap(rest.0, Relaxed) == 0 {
                report(format_args!(
                    "{}: after {MOST} names, ranges with others are recorded as `…`",
                    self.interface
                ));
            }
            return rest;
        }
        let region = group.define(name);
        let key = hash(group, name);
        let next = ptr::with_exposed_provenance(self.table.get(key) as usize);
        let named = Box::leak(Box::new(NamedRegion { group, name: name.into(), region, next }));
        self.table.set(key, ptr::from_mut(named).expose_provenance() as u64);
        *count += 1;
        region
    }
}

// SAFETY: the pointer leads to an object that lives forever, and that no thread changes.
unsafe impl Sync for NamedRegion {}

impl RegionGroup {
    /// Defines a region; returns none if a filter leaves it out.
    fn define(&self, name: &[u8]) -> Region {
        let text = text::valid(name);
        let place = (self.named)(&text);
        let (name, file) = (place.name.as_bytes(), place.file.map(str::as_bytes));
        if filtering::excludes(name, None, file) {
            return Region::default();
        }
        measurement::define(&RegionDefinition {
            name,
            canonical: place.canonical.as_bytes(),
            description: &self.description,
            file,
            begin: place.line,
            end: 0,
            paradigm: self.paradigm,
            region_type: self.kind,
        })
    }
}

/// Returns a hash of a group and a name, which is not 0.
#[inline]
fn hash(group: &RegionGroup, name: &[u8]) -> usize {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * u128::from(FACTOR);
        product as u64 ^ (product >> u64::BITS) as u64
    };
    let (words, rest) = name.as_chunks::<8>();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    let start = mix(ptr::from_ref(group).addr() as u64, name.len() as u64 | 1 << 63);
    let hash = words.iter().chain([&last]).fold(start, |hash, word| mix(hash, u64::from_ne_bytes(*word)));
    (hash as usize).max((UNKNOWN + 1) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_groups_have_hashes_of_their_own() {
        let description = || b"".as_slice().into();
        let group = || RegionGroup {
            description: description(),
            paradigm: 0,
            kind: 0,
            named: |text| NamedPlace::plain(text),
        };
        let groups = [group(), group()];
        let names: [&[u8]; 7] = [b"", b"\0", b"a", b"a\0", b"12345678", b"123456789", b"12345678\0"];
        let hashes: std::collections::BTreeSet<_> =
            groups.iter().flat_map(|group| names.map(|name| hash(group, name))).collect();
        assert_eq!(hashes.len(), 14);
    }
}
