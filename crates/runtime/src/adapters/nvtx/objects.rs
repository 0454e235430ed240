//! The objects that a program makes with NVTX: domains and registered strings.
//!
//! A handle in the program is the address of an object here, or a handle that another tool has
//! returned. Invariants: objects are never freed; a handle that is not known is that of the default
//! domain, or of no string.

use std::borrow::Cow;
use std::sync::MutexGuard;

use super::{NVTX, group_of};
use crate::adapters::annotations::domains::{self, AnnotationDomain, AnnotationDomains, NamedDomains};
use crate::adapters::annotations::{RangeOwner, text};
use crate::adapters::lazy_handle::LazyHandle;
use crate::address_table::{AddressTable, UNKNOWN};
use crate::measurement::{self, Region};
use crate::next::keeping_errno;
use crate::processes::may_allocate;

/// The objects by the handles of the program.
static DOMAINS: AddressTable = AddressTable::new();
static STRINGS: AddressTable = AddressTable::new();
/// The domains that have a name. Objects are made under their lock.
static NAMED: AnnotationDomains = AnnotationDomains::new();

pub(super) type NvtxObjectsHold = MutexGuard<'static, NamedDomains>;

pub(super) fn hold() -> NvtxObjectsHold {
    NAMED.hold()
}

/// Returns the domain of a handle.
pub(super) fn domain(handle: usize) -> &'static AnnotationDomain {
    match handle {
        0 => default_domain(),
        _ => object(&DOMAINS, handle).unwrap_or_else(default_domain),
    }
}

/// Returns the domain of ranges without one.
pub(super) fn default_domain() -> &'static AnnotationDomain {
    static DEFAULT: AnnotationDomain = AnnotationDomain::default_one(group_of(Cow::Borrowed(b"NVTX range")));
    &DEFAULT
}

/// Makes the domain of a name, the same one for the same name. Returns its handle, which is
/// `theirs` if another tool has returned one; 0 if it cannot be made now.
pub(super) fn create_domain(name: &str, theirs: Option<usize>) -> usize {
    let group = || group_of(Cow::Owned(format!("NVTX range of domain '{name}'").into_bytes()));
    make(&DOMAINS, theirs, |named| domains::named(named, name, group))
}

/// Returns the owner of a domain's ranges.
pub(super) fn owner(domain: &AnnotationDomain) -> RangeOwner {
    NVTX.owner(domain.number().into())
}

/// A registered string.
#[derive(Debug)]
pub(super) struct RegisteredString {
    domain: &'static AnnotationDomain,
    text: Box<[u8]>,
    /// Its region in the domain, from the first range on.
    region: LazyHandle,
}

impl RegisteredString {
    /// Returns the string of a handle.
    pub(super) fn of(handle: usize) -> Option<&'static Self> {
        object(&STRINGS, handle)
    }

    /// Registers a string. Returns its handle as [`create_domain`] does.
    pub(super) fn register(domain: &'static AnnotationDomain, text: &[u8], theirs: Option<usize>) -> usize {
        let new = || Self { domain, text: text.into(), region: LazyHandle::new() };
        make(&STRINGS, theirs, |_| Box::leak(Box::new(new())))
    }

    /// Returns the region of the string in a domain.
    pub(super) fn region(&self, domain: &'static AnnotationDomain) -> Region {
        if domain.number() != self.domain.number() {
            return NVTX.region(&domain.group, &self.text);
        }
        Region(self.region.get(|| NVTX.region(&domain.group, &self.text).0))
    }

    /// Returns the text.
    pub(super) fn text(&self) -> Cow<'_, str> {
        text::valid(&self.text)
    }
}

/// Returns the object of a handle.
fn object<T>(table: &AddressTable, handle: usize) -> Option<&'static T> {
    if handle == 0 {
        return None;
    }
    let address = table.get(handle);
    // SAFETY: the table has addresses of objects of this type, which are never freed.
    (address != UNKNOWN).then(|| unsafe { &*std::ptr::with_exposed_provenance::<T>(address as usize) })
}

/// Makes an object, and returns its handle.
fn make<T: 'static>(
    table: &AddressTable,
    theirs: Option<usize>,
    new: impl FnOnce(&mut NamedDomains) -> &'static T,
) -> usize {
    let none = theirs.unwrap_or(0);
    if !may_allocate() {
        return none;
    }
    // The thread counts as inside the runtime: nothing that is called here may be recorded.
    keeping_errno(|| {
        let Some(_here) = measurement::here_or_orphan() else { return none };
        let mut named = hold();
        let address = std::ptr::from_ref(new(&mut named)).expose_provenance();
        let handle = theirs.filter(|&theirs| theirs != 0).unwrap_or(address);
        table.set(handle, address as u64);
        handle
    })
}
