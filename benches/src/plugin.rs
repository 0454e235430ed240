//! The plugin from the host's side: its life cycle and the functions of its event table, called
//! through pointers.

use crate::host::{self, Location};
use crate::{Result, stream};
use kymo_substrate::bindings::*;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::mem::transmute;
use std::path::Path;
use std::ptr;

/// The file of the plugin.
pub(crate) const LIBRARY: &str = "libscorep_substrate_kymo.so";
const ENTRY: &[u8] = b"SCOREP_SubstratePlugin_kymo_get_info";

/// A plugin that is ready for events.
#[derive(Debug)]
pub(crate) struct Plugin {
    info: SCOREP_SubstratePluginInfo,
    functions: Functions,
}

impl Plugin {
    /// Loads the plugin and makes all calls that precede the first event; `metrics` chooses the
    /// sampling set.
    pub(crate) fn start(file: &Path, metrics: bool) -> Result<Self> {
        // SAFETY: the plugin of this workspace, which was built for this run.
        let library = unsafe { Library::open(Some(file), RTLD_NOW | RTLD_LOCAL) }?;
        // SAFETY: the interface specifies the type of the entry.
        let entry = unsafe { library.get::<unsafe extern "C" fn() -> SCOREP_SubstratePluginInfo>(ENTRY) }?;
        // SAFETY: the order of the calls is that of a real host, and all arguments live as long as
        // the process.
        unsafe {
            let info = entry();
            if info.init.map_or(0, |init| init()) != 0 {
                return Err("the plugin's init failed".into());
            }
            info.assign_id.inspect(|assign_id| assign_id(0));
            let size = size_of::<SCOREP_SubstratePluginCallbacks>();
            info.set_callbacks.inspect(|set_callbacks| set_callbacks(&raw const host::CALLBACKS, size));
            let functions = Functions::of(&info).ok_or("the plugin's event table lacks a function")?;
            info.new_definition_handle.inspect(|announce| {
                host::definitions(metrics).into_iter().for_each(|(handle, kind)| announce(handle, kind));
            });
            info.init_mpp.inspect(|init_mpp| init_mpp());
            let _ = library.into_raw();
            Ok(Self { info, functions })
        }
    }

    /// Returns the plugin's event functions.
    pub(crate) fn functions(&self) -> Functions {
        self.functions
    }

    pub(crate) fn create(&self, location: &Location) {
        let create = self.info.create_location;
        // SAFETY: a location that lives as long as the process.
        create.inspect(|create| unsafe { create(location.address(), ptr::null()) });
    }

    /// Ends the measurement; everything is in files afterwards.
    pub(crate) fn end(&self) {
        for end in [self.info.pre_unify, self.info.write_data, self.info.finalize].into_iter().flatten() {
            // SAFETY: called once, in the order of a real host.
            unsafe { end() };
        }
    }
}

type RegionFunction = unsafe extern "C" fn(*mut SCOREP_Location, u64, u32, *mut u64);
type MessageFunction = unsafe extern "C" fn(*mut SCOREP_Location, u64, SCOREP_MpiRank, u32, u32, u64);
type ValueFunction = unsafe extern "C" fn(*mut SCOREP_Location, u64, u32, u64);
type BeginFunction = unsafe extern "C" fn(*mut SCOREP_Location, u64, u32, u32, *mut u32, u32, u64, u64);
type EndFunction = unsafe extern "C" fn(*mut SCOREP_Location, u64, SCOREP_ExitStatus, u32);

/// The event functions that the benches call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Functions {
    enter: RegionFunction,
    exit: RegionFunction,
    send: MessageFunction,
    receive: MessageFunction,
    parameter: ValueFunction,
    counter: ValueFunction,
    program_begin: BeginFunction,
    program_end: EndFunction,
}

impl Functions {
    /// Functions that do nothing, which leave only the loop.
    pub(crate) const EMPTY: Self = Self {
        enter: empty_region,
        exit: empty_region,
        send: empty_message,
        receive: empty_message,
        parameter: empty_value,
        counter: empty_value,
        program_begin: empty_begin,
        program_end: empty_end,
    };

    /// Returns the functions of a plugin; `None` if it lacks one.
    ///
    /// # Safety
    /// `info` must come from an initialised plugin.
    unsafe fn of(info: &SCOREP_SubstratePluginInfo) -> Option<Self> {
        let mut table = ptr::null_mut();
        // SAFETY: the plugin stores the address of its table, which lives as long as the plugin.
        let table = unsafe {
            let length = info.get_event_functions?(SCOREP_SUBSTRATES_RECORDING_ENABLED, &raw mut table);
            std::slice::from_raw_parts(table, length as usize)
        };
        let function = |event: u32| *table.get(event as usize)?;
        // SAFETY: the interface specifies the signature of each event's function.
        unsafe {
            Some(Self {
                enter: transmute::<unsafe extern "C" fn(), RegionFunction>(function(
                    SCOREP_EVENT_ENTER_REGION,
                )?),
                exit: transmute::<unsafe extern "C" fn(), RegionFunction>(function(
                    SCOREP_EVENT_EXIT_REGION,
                )?),
                send: transmute::<unsafe extern "C" fn(), MessageFunction>(function(SCOREP_EVENT_MPI_SEND)?),
                receive: transmute::<unsafe extern "C" fn(), MessageFunction>(function(
                    SCOREP_EVENT_MPI_RECV,
                )?),
                parameter: transmute::<unsafe extern "C" fn(), ValueFunction>(function(
                    SCOREP_EVENT_TRIGGER_PARAMETER_UINT64,
                )?),
                counter: transmute::<unsafe extern "C" fn(), ValueFunction>(function(
                    SCOREP_EVENT_TRIGGER_COUNTER_UINT64,
                )?),
                program_begin: transmute::<unsafe extern "C" fn(), BeginFunction>(function(
                    SCOREP_EVENT_PROGRAM_BEGIN,
                )?),
                program_end: transmute::<unsafe extern "C" fn(), EndFunction>(function(
                    SCOREP_EVENT_PROGRAM_END,
                )?),
            })
        }
    }
}

// SAFETY (for all calls below): the location was created and lives as long as the process, as do
// the values; handles were announced; the functions are those of a loaded plugin, or empty.
impl Functions {
    #[inline(always)]
    pub(crate) fn enter(&self, at: &Location, time: u64, region: u32, values: *mut u64) {
        // SAFETY: see above.
        unsafe { (self.enter)(at.address(), time, host::region_handle(region), values) };
    }

    #[inline(always)]
    pub(crate) fn exit(&self, at: &Location, time: u64, region: u32, values: *mut u64) {
        // SAFETY: see above.
        unsafe { (self.exit)(at.address(), time, host::region_handle(region), values) };
    }

    #[inline(always)]
    pub(crate) fn send(&self, at: &Location, time: u64) {
        let (peer, tag, bytes) = stream::MESSAGE;
        // SAFETY: see above.
        unsafe { (self.send)(at.address(), time, peer as SCOREP_MpiRank, host::COMMUNICATOR, tag, bytes) };
    }

    #[inline(always)]
    pub(crate) fn receive(&self, at: &Location, time: u64) {
        let (peer, tag, bytes) = stream::MESSAGE;
        // SAFETY: see above.
        unsafe { (self.receive)(at.address(), time, peer as SCOREP_MpiRank, host::COMMUNICATOR, tag, bytes) };
    }

    #[inline(always)]
    pub(crate) fn parameter(&self, at: &Location, time: u64, value: u64) {
        // SAFETY: see above.
        unsafe { (self.parameter)(at.address(), time, host::PARAMETER, value) };
    }

    #[inline(always)]
    pub(crate) fn counter(&self, at: &Location, time: u64, value: u64) {
        // SAFETY: see above.
        unsafe { (self.counter)(at.address(), time, host::COUNTER, value) };
    }

    pub(crate) fn program_begin(&self, at: &Location, time: u64) {
        let region = host::region_handle(0);
        let process = u64::from(std::process::id());
        // SAFETY: see above; the list of the program's arguments is null, and its length is 0.
        unsafe {
            (self.program_begin)(
                at.address(),
                time,
                host::PROGRAM,
                0,
                ptr::null_mut(),
                region,
                process,
                process,
            );
        }
    }

    pub(crate) fn program_end(&self, at: &Location, time: u64) {
        // SAFETY: see above.
        unsafe { (self.program_end)(at.address(), time, 0, host::region_handle(0)) };
    }
}

unsafe extern "C" fn empty_region(_: *mut SCOREP_Location, _: u64, _: u32, _: *mut u64) {}

unsafe extern "C" fn empty_message(
    _: *mut SCOREP_Location,
    _: u64,
    _: SCOREP_MpiRank,
    _: u32,
    _: u32,
    _: u64,
) {
}

unsafe extern "C" fn empty_value(_: *mut SCOREP_Location, _: u64, _: u32, _: u64) {}

unsafe extern "C" fn empty_begin(
    _: *mut SCOREP_Location,
    _: u64,
    _: u32,
    _: u32,
    _: *mut u32,
    _: u32,
    _: u64,
    _: u64,
) {
}

unsafe extern "C" fn empty_end(_: *mut SCOREP_Location, _: u64, _: SCOREP_ExitStatus, _: u32) {}
