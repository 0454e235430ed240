//! What a plugin implements.
//!
//! [`SubstratePlugin`] is the management half of the interface (the info structure); the event half is
//! [`Events`]. Calls come in the order of the methods below, with the exceptions they name.

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

/// A substrate plugin. There is one value of it per process, made by [`init`](Self::init) and never dropped.
///
/// Methods take `&self`, because event functions of many locations and most of the methods run at the same time.
///
/// A panic anywhere in the plugin's library, also on a thread of its own, switches the plugin off: one line goes to
/// standard error, no further call reaches it, and the host gets the neutral value of each call from then on.
pub trait SubstratePlugin: Sync + Sized + 'static {
    /// Event functions while recording is on, which it is at the start.
    const ENABLED: Events<Self> = Events::NONE;

    /// Event functions while recording is off. The host still delivers every event. The end of the program comes here
    /// if the user left recording off.
    const DISABLED: Events<Self> = Events::NONE;

    /// Whether the plugins of the other processes wait for this one's, because they communicate. Then a plugin that could not be made,
    /// or that has been switched off, still takes part: see [`absent`](Self::absent).
    const IS_AWAITED: bool = false;

    /// Makes the plugin. Environment variables can be read; nothing of the host can be used yet.
    ///
    /// # Errors
    ///
    /// An error is reported on standard error and makes the host go on without the plugin, unless that is awaited.
    fn init() -> Result<Self, Box<dyn Error>>;

    /// Hands over the functions of the host. Also available as [`Host::of`].
    fn set_callbacks(&self, _host: Host) {}

    /// Tells the plugin's number, from 0 in the order of loading. [`Host::location_data`] uses it by itself.
    fn assign_id(&self, _id: usize) {}

    /// Asked at any time from now on, on any thread. The answer must be constant.
    fn get_requirement(&self, _requirement: Requirement) -> bool {
        false
    }

    /// A definition exists now. Comes from any thread, before the first location and up to `write_data`, often under a
    /// lock of the host: do not block on another thread. Getters may be called for the definition.
    fn new_definition_handle(&self, _definition: Definition) {}

    /// A location exists now. The thread is that of the location, for accelerators and metrics that of its creator.
    fn create_location(&self, _location: Location, _parent: Option<Location>) {}

    /// A thread starts to use its location, for the first time or again.
    fn activate_cpu_location(
        &self,
        _location: Location,
        _parent: Option<Location>,
        _fork_sequence_count: u32,
    ) {
    }

    /// A thread has stopped to use its location.
    fn deactivate_cpu_location(&self, _location: Location, _parent: Option<Location>) {}

    /// A task starts to exist: the implicit one of a location, or an explicit one when it first runs.
    fn core_task_create(&self, _location: Location, _task: Task) {}

    /// A task is complete; the host uses its address again. Comes for implicit tasks after `write_data`.
    fn core_task_complete(&self, _location: Location, _task: Task) {}

    /// Describes the plugin's files in the manifest of the experiment directory. Rank 0 only, right before `init_mpp`.
    fn dump_manifest(&self, _manifest: &Manifest<'_>) {}

    /// The processes of the program know each other: ranks, global ids and communication can be used from now on. In
    /// an MPI program this comes from `MPI_Init`, after the first events.
    fn init_mpp(&self) {}

    /// All events have been delivered; definitions become global next, and some more are announced for that.
    fn pre_unify(&self) {}

    /// Definitions are complete. All data must be in files when this returns, and no definition can be looked at later.
    fn write_data(&self) {}

    /// What an awaited plugin that is not there does instead of these three calls: what its process does together with the others, if only
    /// to say that it has nothing.
    fn absent(_step: Step, _host: Host) {}

    /// A location is gone when this returns. Comes after `write_data`.
    fn delete_location(&self, _location: Location) {}

    /// The last call; communication still works. Nothing of the plugin may run when it returns.
    fn finalize(&self) {}

    /// The program has called `exit` or returned from `main`. Comes from the system, not from the host: before or after the host ends
    /// its measurement, or instead of that. Also in a child made by `fork`.
    fn exit(&self) {}
}
