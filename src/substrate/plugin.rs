//! The trait that a plugin implements.
//!
//! [`SubstratePlugin`] is the management half of the interface (the info structure); the event half
//! is [`Events`]. The host calls the methods in the order in which they are listed below, with the
//! exceptions that they document.

use std::error::Error;

use crate::events::Events;
use crate::handles::{Definition, Location, Task};
use crate::host::{Host, Manifest};
use crate::kinds::Requirement;

/// A call in which the processes of a program can communicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// [`SubstratePlugin::init_mpp`].
    InitMpp,
    /// [`SubstratePlugin::pre_unify`].
    PreUnify,
    /// [`SubstratePlugin::write_data`].
    WriteData,
}

/// A substrate plugin. There is one value per process, made by [`init`](Self::init) and never
/// dropped.
///
/// Methods take `&self` because the event functions of many locations, and most of the methods, run
/// concurrently.
///
/// A panic anywhere in the plugin's library, including one on its own threads, switches the plugin
/// off: one line is written to standard error, the plugin is not called again, and the host
/// receives the neutral value from each later call.
pub trait SubstratePlugin: Sync + Sized + 'static {
    /// The event functions while recording is on, which is the initial state.
    const ENABLED: Events<Self> = Events::NONE;

    /// The event functions while recording is off. The host still delivers every event. If the user
    /// left recording off, the end of the program is delivered here, too.
    const DISABLED: Events<Self> = Events::NONE;

    /// Whether the plugins of other processes wait for this one's because they communicate. If so,
    /// a plugin that could not be made, or that was switched off, still takes part through
    /// [`absent`](Self::absent).
    const IS_AWAITED: bool = false;

    /// Makes the plugin. It can read environment variables, but cannot use the host yet.
    ///
    /// # Errors
    ///
    /// An error is reported on standard error. The host then continues without the plugin, unless
    /// [`IS_AWAITED`](Self::IS_AWAITED) is set.
    fn init() -> Result<Self, Box<dyn Error>>;

    /// Passes the functions of the host, which are also available as [`Host::of`].
    fn set_callbacks(&self, _host: Host) {}

    /// Passes the plugin's number; plugins are numbered from 0 in the order of loading.
    /// [`Host::location_data`] uses it automatically.
    fn assign_id(&self, _id: usize) {}

    /// Whether the plugin has a requirement. Called at any time from now on, on any thread. The
    /// answer must be constant.
    fn get_requirement(&self, _requirement: Requirement) -> bool {
        false
    }

    /// A definition was made. Called on any thread, before the first location and up to
    /// `write_data`, often under a lock of the host: do not block on another thread. The getters
    /// may be called for the definition.
    fn new_definition_handle(&self, _definition: Definition) {}

    /// A location was made. Called on the thread of the location or, for accelerators and metrics,
    /// on that of its creator.
    fn create_location(&self, _location: Location, _parent: Option<Location>) {}

    /// A thread starts to use its location, for the first time or again.
    fn activate_cpu_location(
        &self,
        _location: Location,
        _parent: Option<Location>,
        _fork_sequence_count: u32,
    ) {
    }

    /// A thread has stopped using its location.
    fn deactivate_cpu_location(&self, _location: Location, _parent: Option<Location>) {}

    /// A task was created: the implicit task of a location, or an explicit one that runs for the
    /// first time.
    fn core_task_create(&self, _location: Location, _task: Task) {}

    /// A task is complete, and the host may reuse its address. For implicit tasks this is called
    /// after `write_data`.
    fn core_task_complete(&self, _location: Location, _task: Task) {}

    /// Describes the plugin's files in the manifest of the experiment directory. Called only on
    /// rank 0, right before `init_mpp`.
    fn dump_manifest(&self, _manifest: &Manifest<'_>) {}

    /// The processes of the program are initialised: ranks, global ids and communication can be
    /// used from now on. In an MPI program this is called from `MPI_Init`, after the first events.
    fn init_mpp(&self) {}

    /// All events have been delivered. The host makes the definitions global next, and announces
    /// some more for this purpose.
    fn pre_unify(&self) {}

    /// The definitions are complete. All data must be in files when this returns, and definitions
    /// cannot be accessed later.
    fn write_data(&self) {}

    /// Replaces these three calls if the plugin is awaited but was not made or was switched off. It
    /// takes part in the communication between the processes, if only to report that it has no
    /// data.
    fn absent(_step: Step, _host: Host) {}

    /// Ends the threads of the plugin (true), or starts them again (false): the program makes a
    /// call that the system refuses to a process with several threads. Only under `kymo record`.
    fn pause(&self, _pauses: bool) {}

    /// A location is deleted when this returns. Called after `write_data`.
    fn delete_location(&self, _location: Location) {}

    /// The last call. Communication still works. No code of the plugin may run after it returns.
    fn finalize(&self) {}

    /// The program has called `exit` or returned from `main`. Called by the C library, not by the
    /// host: before or after the host ends its measurement, or without that. Also called in a child
    /// made by `fork`.
    fn exit(&self) {}
}
