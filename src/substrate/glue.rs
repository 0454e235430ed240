//! The connection between the C interface and a plugin: the slot in which the plugin is stored, the
//! guard around every call, and the info structure.
//!
//! Every function that a host can call goes through `PluginSlot::run`. A plugin that is not
//! available (before `init`, after `finalize`, after a panic) is not called, and nothing unwinds
//! into C. Public only for [`export!`](crate::export).

use core::cell::UnsafeCell;
use core::ffi::{c_char, c_int};
use core::mem::MaybeUninit;
use core::ptr;
use core::sync::atomic::{AtomicBool, Ordering};
use std::any::Any;
use std::fmt;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};

use crossbeam_utils::CachePadded;

use crate::bindings::{self, SCOREP_Location as RawLocation, SCOREP_SubstratePluginInfo as Info};
use crate::cancellation::uncancelled;
use crate::events::{Disabled, Enabled, functions};
use crate::handles::{Definition, Location, Task};
use crate::host::runtime::offer_pause;
use crate::host::{Host, HostCell, Manifest, Phase, host_string, known_events};
use crate::kinds::{HandleType, Requirement};
use crate::message::report;
use crate::plugin::{Step, SubstratePlugin};

/// The interface version in the info structure. Hosts only compare it with their own and warn about
/// a greater one. The value 2 is that of Score-P 6.0, so no released host warns.
const PLUGIN_VERSION: u32 = 2;

/// The result of `init` that makes the host drop the plugin.
const INIT_FAILED: c_int = 1;

/// A plugin with a name and a slot.
///
/// # Safety
///
/// `slot` always returns the same slot.
pub unsafe trait Export: SubstratePlugin {
    /// The name under which the plugin is loaded, which is also the prefix of its messages.
    const NAME: &'static str;

    /// The slot of the plugin.
    fn slot() -> &'static PluginSlot<Self>;
}

/// The storage of a plugin. It is written once by `init` and from then on checked with one load,
/// also in signal handlers.
pub struct PluginSlot<P> {
    on: AtomicBool,
    /// Whether `init` was called. There is no second one.
    taken: AtomicBool,
    /// Whether a panic was reported.
    reported: AtomicBool,
    host: HostCell,
    /// Padded, so that writes to a plugin's own fields do not slow down reads of `on`.
    plugin: CachePadded<UnsafeCell<MaybeUninit<P>>>,
}

// SAFETY: the plugin is written once, by the call that set `taken` first, before `on` is set.
// Afterwards it is only shared, and `P` is `Sync`. It is never moved out or dropped.
unsafe impl<P: Sync> Sync for PluginSlot<P> {}

impl<P> fmt::Debug for PluginSlot<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PluginSlot")
            .field("on", &self.on)
            .field("host", &self.host)
            .finish_non_exhaustive()
    }
}

impl<P: SubstratePlugin> PluginSlot<P> {
    /// Creates an empty slot.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Self {
            on: AtomicBool::new(false),
            taken: AtomicBool::new(false),
            reported: AtomicBool::new(false),
            host: HostCell::new(),
            plugin: CachePadded::new(UnsafeCell::new(MaybeUninit::uninit())),
        }
    }

    /// The host's functions, all of which are missing until the host passes them.
    pub const fn host(&'static self) -> Host {
        Host::new(&self.host)
    }

    /// Calls into the plugin if it is on. Otherwise, and after a panic, returns `neutral`.
    #[inline(always)]
    pub(crate) fn run<R>(
        &'static self,
        what: &'static str,
        neutral: R,
        call: impl FnOnce(&'static P) -> R,
    ) -> R
    where
        P: Export,
    {
        if !self.on.load(Ordering::Acquire) {
            return neutral;
        }
        // SAFETY: `on` is set only after the plugin was written.
        let plugin = unsafe { (*self.plugin.get()).assume_init_ref() };
        // The state that a panic leaves is never accessed again, because the plugin is off from
        // then on.
        match catch_unwind(AssertUnwindSafe(|| call(plugin))) {
            Ok(value) => value,
            Err(payload) => {
                self.give_up(what, payload);
                neutral
            }
        }
    }

    /// Like [`run`](Self::run), for calls that are not events and may take longer: the thread
    /// cannot be cancelled during the call.
    fn manage<R>(&'static self, what: &'static str, neutral: R, call: impl FnOnce(&'static P) -> R) -> R
    where
        P: Export,
    {
        uncancelled(|| self.run(what, neutral, call))
    }

    /// Like [`manage`](Self::manage), for calls in which processes communicate: if the plugin is
    /// not available, others may still wait for it.
    fn run_collective(&'static self, step: Step, what: &'static str, call: impl FnOnce(&'static P))
    where
        P: Export,
    {
        if self.on.load(Ordering::Acquire) || !P::IS_AWAITED {
            return self.manage(what, (), call);
        }
        uncancelled(|| {
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| P::absent(step, self.host()))) {
                self.give_up(what, payload);
            }
        });
    }

    /// Makes the plugin. Returns 0 if the host keeps it, which an awaited plugin requires even if
    /// it could not be made.
    fn init(&'static self) -> c_int
    where
        P: Export,
    {
        if self.taken.swap(true, Ordering::Relaxed) {
            report(P::NAME, format_args!("cannot be initialised a second time"));
            return INIT_FAILED;
        }
        // The standard hook would print a multi-line message, with a backtrace if the user's
        // program runs with RUST_BACKTRACE. A plugin is a cdylib with its own standard library, so
        // only its own hook is replaced.
        panic::set_hook(Box::new(|info| P::slot().on_panic(info)));
        match catch_unwind(P::init) {
            Ok(Ok(plugin)) => {
                // SAFETY: `taken` lets only one call get here, and no thread reads the plugin
                // before `on` is set.
                unsafe { (*self.plugin.get()).write(plugin) };
                self.on.store(true, Ordering::Release);
                // SAFETY: the C library associates the function with this library and calls it
                // before the library is unloaded. Without memory for the entry, the function is
                // never called, as if the program did not exit.
                let _ = unsafe { libc::atexit(exit::<P>) };
                0
            }
            Ok(Err(error)) => {
                report(P::NAME, format_args!("{error}"));
                if P::IS_AWAITED { 0 } else { INIT_FAILED }
            }
            Err(payload) => {
                self.give_up("init", payload);
                if P::IS_AWAITED { 0 } else { INIT_FAILED }
            }
        }
    }

    /// Switches the plugin off and reports this, unless it was reported before.
    #[cold]
    #[inline(never)]
    fn give_up(&'static self, what: &'static str, payload: Box<dyn Any + Send>)
    where
        P: Export,
    {
        self.off();
        if !self.reported.swap(true, Ordering::Relaxed) {
            report(P::NAME, format_args!("panic in {what}: {}; switched off", text(&*payload)));
        }
        // Dropping a payload of an unknown type runs foreign code, which may panic again.
        if !payload.is::<String>() && !payload.is::<&str>() {
            core::mem::forget(payload);
        }
    }

    /// The panic hook. It has the location of the panic, so the message is written here if the hook
    /// was not replaced.
    fn on_panic(&'static self, info: &PanicHookInfo<'_>)
    where
        P: Export,
    {
        self.off();
        if self.reported.swap(true, Ordering::Relaxed) {
            return;
        }
        let payload = text(info.payload());
        match info.location() {
            Some(place) => report(P::NAME, format_args!("panic at {place}: {payload}; switched off")),
            None => report(P::NAME, format_args!("panic: {payload}; switched off")),
        }
    }

    fn off(&self) {
        self.on.store(false, Ordering::Release);
    }
}

/// The message of a panic.
fn text(payload: &(dyn Any + Send)) -> &str {
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// The info structure of a plugin.
pub const fn info<P: Export>() -> Info {
    Info {
        plugin_version: PLUGIN_VERSION,
        init: Some(init::<P>),
        assign_id: Some(assign_id::<P>),
        init_mpp: Some(init_mpp::<P>),
        finalize: Some(finalize::<P>),
        create_location: Some(create_location::<P>),
        activate_cpu_location: Some(activate_cpu_location::<P>),
        deactivate_cpu_location: Some(deactivate_cpu_location::<P>),
        delete_location: Some(delete_location::<P>),
        pre_unify: Some(pre_unify::<P>),
        write_data: Some(write_data::<P>),
        core_task_create: Some(core_task_create::<P>),
        core_task_complete: Some(core_task_complete::<P>),
        new_definition_handle: Some(new_definition_handle::<P>),
        get_event_functions: Some(get_event_functions::<P>),
        set_callbacks: Some(set_callbacks::<P>),
        get_requirement: Some(get_requirement::<P>),
        dump_manifest: Some(dump_manifest::<P>),
        undeclared: [None; bindings::SCOREP_SUBSTRATE_PLUGIN_UNDEFINED_MANAGEMENT_FUNCTIONS as usize],
    }
}

unsafe extern "C" fn init<P: Export>() -> c_int {
    uncancelled(|| P::slot().init())
}

unsafe extern "C" fn assign_id<P: Export>(id: usize) {
    P::slot().host.assign_id(id);
    P::slot().manage("assign_id", (), |plugin| plugin.assign_id(id));
}

unsafe extern "C" fn init_mpp<P: Export>() {
    P::slot().host.enter(Phase::Processes);
    P::slot().run_collective(Step::InitMpp, "init_mpp", P::init_mpp);
}

unsafe extern "C" fn finalize<P: Export>() {
    P::slot().manage("finalize", (), P::finalize);
    P::slot().off();
    P::slot().host.enter(Phase::Over);
}

unsafe extern "C" fn create_location<P: Export>(location: *const RawLocation, parent: *const RawLocation) {
    // SAFETY: the host passes locations that exist, or null.
    let (location, parent) = unsafe { (Location::from_raw(location), Location::from_raw(parent)) };
    let Some(location) = location else { return };
    P::slot().manage("create_location", (), |plugin| plugin.create_location(location, parent));
}

unsafe extern "C" fn activate_cpu_location<P: Export>(
    location: *const RawLocation,
    parent: *const RawLocation,
    count: u32,
) {
    // SAFETY: the host passes locations that exist, or null.
    let (location, parent) = unsafe { (Location::from_raw(location), Location::from_raw(parent)) };
    let Some(location) = location else { return };
    P::slot()
        .manage("activate_cpu_location", (), |plugin| plugin.activate_cpu_location(location, parent, count));
}

unsafe extern "C" fn deactivate_cpu_location<P: Export>(
    location: *const RawLocation,
    parent: *const RawLocation,
) {
    // SAFETY: the host passes locations that exist, or null.
    let (location, parent) = unsafe { (Location::from_raw(location), Location::from_raw(parent)) };
    let Some(location) = location else { return };
    P::slot()
        .manage("deactivate_cpu_location", (), |plugin| plugin.deactivate_cpu_location(location, parent));
}

unsafe extern "C" fn delete_location<P: Export>(location: *const RawLocation) {
    // SAFETY: the host passes a location that exists until this returns, or null.
    let Some(location) = (unsafe { Location::from_raw(location) }) else { return };
    P::slot().manage("delete_location", (), |plugin| plugin.delete_location(location));
}

extern "C" fn exit<P: Export>() {
    P::slot().manage("exit", (), P::exit);
}

unsafe extern "C" fn pre_unify<P: Export>() {
    P::slot().run_collective(Step::PreUnify, "pre_unify", P::pre_unify);
}

unsafe extern "C" fn write_data<P: Export>() {
    P::slot().run_collective(Step::WriteData, "write_data", P::write_data);
    P::slot().host.enter(Phase::Written);
}

unsafe extern "C" fn core_task_create<P: Export>(
    location: *const RawLocation,
    task: bindings::SCOREP_TaskHandle,
) {
    // SAFETY: the host passes a location that exists, or null.
    let Some(location) = (unsafe { Location::from_raw(location) }) else { return };
    P::slot().run("core_task_create", (), |plugin| plugin.core_task_create(location, Task::from_raw(task)));
}

unsafe extern "C" fn core_task_complete<P: Export>(
    location: *const RawLocation,
    task: bindings::SCOREP_TaskHandle,
) {
    // SAFETY: the host passes a location that exists, or null.
    let Some(location) = (unsafe { Location::from_raw(location) }) else { return };
    P::slot()
        .run("core_task_complete", (), |plugin| plugin.core_task_complete(location, Task::from_raw(task)));
}

unsafe extern "C" fn new_definition_handle<P: Export>(
    handle: bindings::SCOREP_AnyHandle,
    kind: bindings::SCOREP_HandleType,
) {
    // SAFETY: the host announces this handle as this kind.
    let definition = unsafe { Definition::from_raw(handle, HandleType(kind)) };
    P::slot().manage("new_definition_handle", (), |plugin| plugin.new_definition_handle(definition));
}

/// Returns the table of a mode. This requires no plugin; the functions in the table check for one
/// when they are called.
unsafe extern "C" fn get_event_functions<P: Export>(
    mode: bindings::SCOREP_Substrates_Mode,
    array: *mut *mut bindings::SCOREP_Substrates_Callback,
) -> u32 {
    let table = match mode {
        bindings::SCOREP_SUBSTRATES_RECORDING_ENABLED => functions::<P, Enabled>(),
        bindings::SCOREP_SUBSTRATES_RECORDING_DISABLED => functions::<P, Disabled>(),
        _ => return 0,
    };
    if array.is_null() {
        return 0;
    }
    // SAFETY: the host passes the address of a pointer. It only reads the array.
    unsafe { *array = table.as_ptr().cast_mut() };
    known_events() as u32
}

unsafe extern "C" fn set_callbacks<P: Export>(
    table: *const bindings::SCOREP_SubstratePluginCallbacks,
    size: usize,
) {
    // SAFETY: the host's table has this size and lives as long as the host.
    unsafe { P::slot().host.set(table, size) };
    P::slot().manage("set_callbacks", (), |plugin| plugin.set_callbacks(P::slot().host()));
    offer_pause(pause::<P>);
}

extern "C" fn pause<P: Export>(pauses: c_int) {
    P::slot().manage("pause", (), |plugin| plugin.pause(pauses != 0));
}

unsafe extern "C" fn get_requirement<P: Export>(flag: bindings::SCOREP_Substrates_RequirementFlag) -> bool {
    if flag >= bindings::SCOREP_SUBSTRATES_NUM_REQUIREMENTS {
        return false;
    }
    P::slot().manage("get_requirement", false, |plugin| plugin.get_requirement(Requirement(flag)))
}

unsafe extern "C" fn dump_manifest<P: Export>(
    stream: *mut bindings::FILE,
    source_dir: *const c_char,
    target_dir: *const c_char,
) {
    if ptr::eq(stream, ptr::null()) {
        return;
    }
    P::slot().manage("dump_manifest", (), |plugin| {
        // SAFETY: the host passes an open stream, and strings that are zero terminated or null,
        // valid during the call.
        let manifest = unsafe {
            Manifest::new(P::slot().host(), stream, host_string(source_dir), host_string(target_dir))
        };
        plugin.dump_manifest(&manifest);
    });
}
