//! The definitions of accelerators, in the layout of Score-P 8.4
//! (docs/spec/scorep-substrate-abi.md, §14.3): devices, contexts and streams, and the windows
//! through which data moves.

use kymo_substrate::bindings::*;

use crate::definitions::{DefinitionBody, DefinitionStore, UNIFIED};

/// The flag of a paradigm whose communicators are used only for one-sided communication.
const RMA_ONLY: u32 = 1;
/// The domain of a device in the system tree.
const DEVICE: u32 = 128;
/// The type of the location group of a context.
const ACCELERATOR: u32 = 1;
/// The type of a group of locations of no paradigm.
const LOCATIONS: u32 = 1;

/// The place of the communicator in a window.
const COMMUNICATOR: usize = 24;

/// The types of the groups of a paradigm: all locations that take part, and those of a process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AcceleratorGroups {
    pub(crate) locations: u32,
    pub(crate) process: u32,
}

impl DefinitionStore {
    /// Defines the paradigm of an interface to accelerators.
    pub(crate) fn accelerator_paradigm(&self, paradigm: SCOREP_ParadigmType, name: &[u8]) {
        let paradigm = self.paradigm(paradigm, SCOREP_PARADIGM_CLASS_ACCELERATOR, name);
        if paradigm != 0 {
            self.arena.set_word(paradigm, 32, RMA_ONLY);
        }
    }

    /// Defines a device, a node of the system tree. Devices can have the same name.
    pub(crate) fn device(&self, parent: u32, class: &[u8], name: &[u8]) -> u32 {
        let (class, name) = (self.string(class), self.string(name));
        let body = DefinitionBody::of(56).word(20, parent).word(24, DEVICE).word(28, name).word(32, class);
        self.own(SCOREP_HANDLE_TYPE_SYSTEM_TREE_NODE, &body)
    }

    /// Defines a context on a device, the location group of its streams, which the group of a
    /// process has created.
    pub(crate) fn device_context(&self, device: u32, name: &[u8], creator: u32) -> u32 {
        let name = self.string(name);
        let body =
            DefinitionBody::of(40).word(20, name).word(24, device).word(28, ACCELERATOR).word(32, creator);
        let group = self.own(SCOREP_HANDLE_TYPE_LOCATION_GROUP, &body);
        if group != 0 {
            self.arena.set_word(creator, 36, 1);
        }
        group
    }

    /// Defines the window of a paradigm on its communicator. No events create or destroy it.
    pub(crate) fn device_window(&self, name: &[u8], communicator: u32) -> u32 {
        let name = self.string(name);
        self.own(
            SCOREP_HANDLE_TYPE_RMA_WINDOW,
            &DefinitionBody::of(40).word(20, name).word(COMMUNICATOR, communicator),
        )
    }

    /// Defines all locations of the job that take part in a paradigm.
    pub(crate) fn device_locations(&self, groups: AcceleratorGroups, name: &[u8], locations: &[u64]) {
        self.group(groups.locations, name, locations);
    }

    /// Defines the final communicator of this process, with these places in the list of all
    /// locations as members, and lets the window refer to it.
    pub(crate) fn unify_devices(
        &self,
        groups: AcceleratorGroups,
        name: &[u8],
        (interim, window): (u32, u32),
        ranks: &[u64],
    ) {
        let group = self.group(groups.process, name, ranks);
        let Some(communicator) = self.final_communicator() else { return };
        self.arena.set_word(communicator, 20, group);
        self.arena.set_word(communicator, 24, group);
        self.arena.set_word(interim, UNIFIED, communicator);
        self.arena.set_word(window, COMMUNICATOR, communicator);
    }

    /// Defines the streams of all processes of the job.
    pub(crate) fn all_streams(&self, name: &[u8], locations: &[u64]) {
        self.group(LOCATIONS, name, locations);
    }
}
