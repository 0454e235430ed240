//! The host's location objects: opaque to plugins, at a stable address throughout the replay.
//!
//! A location may be used from `create_location` to `delete_location`. A plugin that uses one
//! earlier or later, or passes any other address, ends the program with a message.

use crate::replay::host::fail;
use kymo_substrate::bindings::SCOREP_Location;
use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_void};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// The first word of every location object.
const MARK: u64 = 0x6e6f_6974_6163_6f6c;

/// The address of a location, kept until it is passed to a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Address(pub(crate) *mut SCOREP_Location);

// SAFETY: a location's object can be shared, and lives as long as the process plays.
unsafe impl Send for Address {}
// SAFETY: as above.
unsafe impl Sync for Address {}

/// The host's object for a location.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Location {
    mark: u64,
    pub(crate) id: u32,
    pub(crate) kind: u32,
    name: CString,
    final_name: CString,
    usable: AtomicBool,
    /// One slot per plugin; set when the first location is created, because plugins are loaded by
    /// then.
    data: OnceLock<Box<[AtomicPtr<c_void>]>>,
}

impl Location {
    /// Returns the object at an address that a plugin passed to `function`.
    ///
    /// # Safety
    /// The address must be null, or aligned and readable for the length of a location.
    pub(crate) unsafe fn at<'a>(address: *const SCOREP_Location, function: &str) -> &'a Self {
        // SAFETY: the address is null, or aligned and readable for the length of a location; the
        // mark shows whether it is one.
        let Some(location) = (unsafe { address.cast::<Self>().as_ref() }) else {
            fail(&format!("{function}: the location is a null pointer"))
        };
        if location.mark != MARK {
            fail(&format!("{function}: {address:p} is not a location"));
        }
        if !location.usable.load(Ordering::Acquire) {
            fail(&format!("{function}: location {} is not created yet, or deleted", location.id));
        }
        location
    }

    /// Returns the address that plugins use.
    pub(crate) fn address(&self) -> *mut SCOREP_Location {
        ptr::from_ref(self).cast_mut().cast()
    }

    /// Like [`address`](Self::address), for a script that several threads play.
    pub(crate) fn shared_address(&self) -> Address {
        Address(self.address())
    }

    /// Returns the name, which may change until `pre_unify`.
    pub(crate) fn name(&self, final_name: bool) -> *const c_char {
        if final_name { self.final_name.as_ptr() } else { self.name.as_ptr() }
    }

    /// Makes the location usable, with a slot for each plugin.
    pub(crate) fn create(&self, plugins: usize) {
        self.data.get_or_init(|| (0..plugins).map(|_| AtomicPtr::default()).collect());
        self.usable.store(true, Ordering::Release);
    }

    pub(crate) fn delete(&self) {
        self.usable.store(false, Ordering::Release);
    }

    /// Returns a plugin's slot.
    pub(crate) fn slot(&self, plugin: usize, function: &str) -> &AtomicPtr<c_void> {
        let slot = self.data.get().and_then(|slots| slots.get(plugin));
        slot.unwrap_or_else(|| fail(&format!("{function}: there is no plugin {plugin}")))
    }
}

/// All locations of a recording, by number.
#[derive(Debug, Default)]
pub(crate) struct Locations(BTreeMap<u32, Box<Location>>);

impl Locations {
    /// Adds a location; returns false if the number is taken.
    pub(crate) fn add(&mut self, id: u32, kind: u32, name: &str, final_name: &str) -> Result<bool, String> {
        let c_name =
            |name: &str| CString::new(name).map_err(|_| "expected a name without zero bytes".to_owned());
        let location = Location {
            mark: MARK,
            id,
            kind,
            name: c_name(name)?,
            final_name: c_name(final_name)?,
            usable: AtomicBool::new(false),
            data: OnceLock::new(),
        };
        Ok(self.0.insert(id, Box::new(location)).is_none())
    }

    pub(crate) fn get(&self, id: u32) -> Option<&Location> {
        self.0.get(&id).map(Box::as_ref)
    }
}
