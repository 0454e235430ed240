//! The objects of a program: domains and strings, which a static part or this library has made.
//!
//! Their structures are the program's, with a field that is reserved for the tool. Invariants: that
//! field is null, or the address of an object here that is never freed; two objects with one name
//! are one domain here.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::Acquire, Ordering::Release};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kymo_substrate::bindings::SCOREP_REGION_USER;

use super::{ITT, group_of};
use crate::adapters::annotations::domains::{self, AnnotationDomain, AnnotationDomains, NamedDomains};
use crate::adapters::annotations::text::{self, WideText};
use crate::measurement::{self, Region};
use crate::next::keeping_errno;
use crate::processes::may_allocate;

/// A text in one of the two forms in which objects have theirs; none is null.
#[derive(Debug)]
#[repr(C)]
pub(super) struct IttText {
    bytes: *const c_char,
    wide: *const u32,
}

impl IttText {
    const NONE: Self = Self { bytes: ptr::null(), wide: ptr::null() };

    /// Copies a text, which then lives forever.
    pub(super) fn kept(bytes: &[u8]) -> Self {
        let copy = CString::new(bytes).unwrap_or_default();
        Self { bytes: copy.into_raw(), wide: ptr::null() }
    }

    /// Passes the text to an action, nothing for null.
    pub(super) fn with<T>(&self, action: impl FnOnce(&[u8]) -> T) -> T {
        // SAFETY: null, or a string that ends with 0, of an object that lives forever.
        if let Some(bytes) = unsafe { text::bytes(self.bytes) } {
            return action(bytes);
        }
        // SAFETY: null, or a wide string that ends with 0, of such an object.
        let wide = unsafe { WideText::of(self.wide) };
        action(wide.as_ref().map_or(b"", WideText::bytes))
    }
}

/// A domain of the program (`__itt_domain`).
#[derive(Debug)]
#[repr(C)]
pub(super) struct IttDomain {
    /// The static part calls nothing if this is 0.
    flags: c_int,
    name: IttText,
    reserved: c_int,
    /// The domain here; null before its first use.
    known: AtomicPtr<AnnotationDomain>,
    next: *const c_void,
}

/// A string of the program (`__itt_string_handle`).
#[derive(Debug)]
#[repr(C)]
pub(super) struct IttString {
    pub(super) text: IttText,
    reserved: c_int,
    /// The region of the first domain in which it names a task; null before.
    known: AtomicPtr<TaskRegion>,
    next: *const c_void,
}

/// The region of a string in a domain.
#[derive(Debug)]
struct TaskRegion {
    domain: &'static AnnotationDomain,
    region: Region,
}

/// The objects that were made here, by their names.
#[derive(Debug)]
pub(super) struct MadeObjects {
    domains: BTreeMap<Box<[u8]>, &'static IttDomain>,
    strings: BTreeMap<Box<[u8]>, &'static IttString>,
}

static NAMED: AnnotationDomains = AnnotationDomains::new();
static MADE: Mutex<MadeObjects> =
    Mutex::new(MadeObjects { domains: BTreeMap::new(), strings: BTreeMap::new() });

pub(super) type IttObjectsHold = (MutexGuard<'static, NamedDomains>, MutexGuard<'static, MadeObjects>);

pub(super) fn hold() -> IttObjectsHold {
    (NAMED.hold(), made())
}

fn made() -> MutexGuard<'static, MadeObjects> {
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

// SAFETY: the pointers lead to memory that lives forever, and that no thread changes.
unsafe impl Sync for IttDomain {}
// SAFETY: as above.
unsafe impl Sync for IttString {}

impl IttDomain {
    const fn new(flags: c_int, name: IttText) -> Self {
        Self { flags, name, reserved: 0, known: AtomicPtr::new(ptr::null_mut()), next: ptr::null() }
    }

    /// Makes the domain of a name, the same one for the same name. One that calls nothing if it
    /// cannot be made now.
    pub(super) fn create(name: &[u8]) -> *const Self {
        static DISABLED: IttDomain = IttDomain::new(0, IttText::NONE);
        let made = defining(|| {
            let new = || &*Box::leak(Box::new(Self::new(1, IttText::kept(name))));
            *made().domains.entry(name.into()).or_insert_with(new)
        });
        made.unwrap_or(&DISABLED)
    }

    /// Returns the domain here; `None` without a domain, or if it cannot be made now.
    ///
    /// # Safety
    ///
    /// Null, or a domain of the program, which lives forever.
    #[inline]
    pub(super) unsafe fn known(domain: *const Self) -> Option<&'static AnnotationDomain> {
        // SAFETY: null, or a domain that lives forever.
        let domain = unsafe { domain.as_ref() }?;
        // SAFETY: null, or a domain that is never freed.
        let known: Option<&'static AnnotationDomain> = unsafe { domain.known.load(Acquire).as_ref() };
        known.or_else(|| domain.find())
    }

    #[cold]
    fn find(&self) -> Option<&'static AnnotationDomain> {
        defining(|| {
            let found = self.name.with(|name| {
                let name = text::valid(name);
                let description = || Cow::Owned(format!("ITT task of domain '{name}'").into_bytes());
                domains::named(&mut NAMED.hold(), &name, || group_of(description(), SCOREP_REGION_USER))
            });
            self.known.store(ptr::from_ref(found).cast_mut(), Release);
            found
        })
    }
}

impl IttString {
    const fn new(text: IttText) -> Self {
        Self { text, reserved: 0, known: AtomicPtr::new(ptr::null_mut()), next: ptr::null() }
    }

    /// Makes the string of a text, the same one for the same text. The empty one if it cannot be
    /// made now.
    pub(super) fn create(bytes: &[u8]) -> *const Self {
        static EMPTY: IttString = IttString::new(IttText::NONE);
        let made = defining(|| {
            let new = || &*Box::leak(Box::new(Self::new(IttText::kept(bytes))));
            *made().strings.entry(bytes.into()).or_insert_with(new)
        });
        made.unwrap_or(&EMPTY)
    }

    /// Returns the region of tasks with this name in a domain.
    #[inline]
    pub(super) fn region(&self, domain: &'static AnnotationDomain) -> Region {
        // SAFETY: null, or an object that is never freed.
        match unsafe { self.known.load(Acquire).as_ref() } {
            Some(known) if ptr::eq(known.domain, domain) => known.region,
            known => self.find(domain, known.is_none()),
        }
    }

    #[cold]
    fn find(&self, domain: &'static AnnotationDomain, is_first: bool) -> Region {
        let region = self.text.with(|name| ITT.region(&domain.group, name));
        if is_first && region != Region::default() {
            let keep = || self.known.store(Box::leak(Box::new(TaskRegion { domain, region })), Release);
            defining(keep);
        }
        region
    }
}

/// Makes something that lives forever; `None` if nothing can be made now.
fn defining<T>(make: impl FnOnce() -> T) -> Option<T> {
    if !may_allocate() {
        return None;
    }
    keeping_errno(|| {
        // The thread counts as inside the runtime: nothing that is called here may be recorded.
        let _here = measurement::here_or_orphan()?;
        Some(make())
    })
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;

    #[test]
    fn objects_have_the_layout_of_the_static_part() {
        assert_eq!((offset_of!(IttDomain, name), offset_of!(IttDomain, known)), (8, 32));
        assert_eq!((offset_of!(IttString, text), offset_of!(IttString, known)), (0, 24));
        assert_eq!((size_of::<IttDomain>(), size_of::<IttString>()), (48, 40));
    }
}
