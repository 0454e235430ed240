//! The functions that a host provides to its plugins.
//!
//! [`Host`] covers all 53 entries of the callback table. An entry that the table lacks (a null
//! pointer, or a table that ends before it) returns the neutral value, and so does a call in a part
//! of the life cycle in which the host cannot answer it. Nothing here allocates.

mod definitions;
mod events;
mod ipc;
mod locations;
mod manifest;
mod metrics;
pub(crate) mod runtime;
mod timer;

use core::ffi::{CStr, c_char};
use core::mem::offset_of;
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU8, AtomicUsize, Ordering};

pub(crate) use events::known_events;
pub use ipc::{IpcError, IpcType};
pub use manifest::Manifest;
pub use metrics::WriteMetrics;

use crate::bindings::SCOREP_SubstratePluginCallbacks as Callbacks;
use crate::glue::Export;

/// The phase of the measurement, which determines the functions of the host that can be called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(crate) enum Phase {
    /// Before `init_mpp`: definitions and locations are available, but no ranks.
    BeforeProcesses,
    /// From `init_mpp` to the end of `write_data`: everything is available.
    Processes,
    /// After `write_data`: definitions are no longer available.
    Written,
    /// After `finalize`.
    Over,
}

/// The data about the host, stored in the plugin's slot.
#[derive(Debug)]
pub(crate) struct HostCell {
    table: AtomicPtr<Callbacks>,
    size: AtomicUsize,
    plugin_id: AtomicUsize,
    phase: AtomicU8,
}

/// The plugin id before the host has assigned one.
const NO_ID: usize = usize::MAX;

impl HostCell {
    pub(crate) const fn new() -> Self {
        Self {
            table: AtomicPtr::new(ptr::null_mut()),
            size: AtomicUsize::new(0),
            plugin_id: AtomicUsize::new(NO_ID),
            phase: AtomicU8::new(Phase::BeforeProcesses as u8),
        }
    }

    /// Stores the host's table.
    ///
    /// # Safety
    ///
    /// `table` is null or points to a callback table, of which `size` bytes exist for the rest of
    /// the process.
    pub(crate) unsafe fn set(&self, table: *const Callbacks, size: usize) {
        self.size.store(size, Ordering::Relaxed);
        self.table.store(table.cast_mut(), Ordering::Release);
    }

    pub(crate) fn assign_id(&self, id: usize) {
        self.plugin_id.store(id, Ordering::Relaxed);
    }

    pub(crate) fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Relaxed);
    }

    /// Whether definitions can be accessed.
    pub(crate) fn has_definitions(&self) -> bool {
        self.phase.load(Ordering::Relaxed) < Phase::Written as u8
    }
}

/// The host of a plugin.
///
/// Definitions and names are available from the announcement of the definition to the end of
/// `write_data`; ranks, global ids and communication from `init_mpp` on. Names are in the memory of
/// the host: copy those that are required after `write_data`.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    cell: &'static HostCell,
}

impl Host {
    pub(crate) const fn new(cell: &'static HostCell) -> Self {
        Self { cell }
    }

    pub(crate) const fn cell(&self) -> &'static HostCell {
        self.cell
    }

    /// The host of plugin `P`. All of its functions are missing before `set_callbacks`.
    pub fn of<P: Export>() -> Self {
        P::slot().host()
    }

    /// The absolute name of the experiment directory, without the rename at the end of the
    /// measurement. The name is available from `set_callbacks` on. The directory exists from
    /// `dump_manifest` on, and on ranks other than 0 after a barrier in `init_mpp`. From then on
    /// the result is `None` if no plugin required the directory.
    pub fn experiment_dir(&self) -> Option<&CStr> {
        let get = entry!(self, SCOREP_GetExperimentDirName)?;
        // SAFETY: the function has no arguments and returns null or a string that lives as long as
        // the host.
        unsafe { host_string(get()) }
    }

    /// Reads the entry that ends `end` bytes into the table.
    #[inline]
    fn entry<F>(&self, end: usize, read: impl FnOnce(*const Callbacks) -> Option<F>) -> Option<F> {
        let table = self.cell.table.load(Ordering::Acquire);
        if table.is_null() || end > self.cell.size.load(Ordering::Relaxed) {
            return None;
        }
        read(table)
    }

    fn phase_is(&self, wanted: impl FnOnce(u8) -> bool) -> bool {
        wanted(self.cell.phase.load(Ordering::Relaxed))
    }

    /// Whether definitions can be accessed.
    fn has_definitions(&self) -> bool {
        self.cell.has_definitions()
    }

    /// Whether the processes of the program are initialised.
    fn has_processes(&self) -> bool {
        self.phase_is(|phase| phase == Phase::Processes as u8 || phase == Phase::Written as u8)
    }
}

/// The function pointer of a table entry, or `None` if the host has no such entry.
macro_rules! entry {
    ($host:expr, $name:ident) => {
        $host.entry(
            core::mem::offset_of!($crate::bindings::SCOREP_SubstratePluginCallbacks, $name)
                + size_of::<usize>(),
            // SAFETY: the table has at least the bytes up to the end of this entry. It is read by
            // place, so the part of the structure that a short table lacks is not accessed.
            |table| unsafe { (*table).$name },
        )
    };
}
use entry;

/// Converts a string of the host.
///
/// # Safety
///
/// `text` is null or zero terminated and lives as long as the result is used.
pub(crate) unsafe fn host_string<'a>(text: *const c_char) -> Option<&'a CStr> {
    if text.is_null() {
        return None;
    }
    // SAFETY: `text` is not null, so it is zero terminated and lives as long as the result is used.
    Some(unsafe { CStr::from_ptr(text) })
}

// A table of full size ends after the last entry.
const _: () = assert!(offset_of!(Callbacks, SCOREP_ConfigManifestSectionEntry) + 8 == size_of::<Callbacks>());
