//! Accelerators: their devices, contexts and streams, and the data that moves to and from them.
//!
//! Each interface to accelerators is an adapter of its own, next to this folder; the code that they
//! share is here. Definitions are those of Score-P: a device is a node of the system tree, a
//! context a location group, a stream a location. An operation of a device is known later than it
//! happened, and any thread can record it. Invariant: a thread records on a stream only inside the
//! runtime, so that none does when the measurement ends.

mod clock_line;
mod definitions;
mod streams;

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use kymo_substrate::bindings::SCOREP_ParadigmType;

pub(super) use self::clock_line::{ClockLine, ClockPoint};
pub(super) use self::definitions::AcceleratorGroups;
pub(super) use self::streams::{DeviceOperation, DeviceStream, DeviceWork};
use crate::host::Host;
use crate::job;
use crate::locations::Location;
use crate::slots::Key;

/// An interface to accelerators, as its definitions call it.
#[derive(Debug)]
pub(super) struct AcceleratorParadigm {
    pub(super) paradigm: SCOREP_ParadigmType,
    /// The name of the paradigm.
    pub(super) name: &'static str,
    /// The name in those of groups and windows.
    pub(super) short_name: &'static str,
    pub(super) groups: AcceleratorGroups,
    /// The state of a measurement.
    pub(super) state: Key<Accelerators>,
}

/// The state of a measurement for the accelerators of a paradigm.
#[derive(Debug, Default)]
pub(super) struct Accelerators {
    is_defined: OnceLock<()>,
    /// The communicator, which is not final, and the window.
    window: OnceLock<(u32, u32)>,
    /// The locations that moved data, in the order of their first transfers.
    members: Mutex<Vec<&'static Location>>,
    streams: Mutex<Vec<&'static DeviceStream>>,
}

impl AcceleratorParadigm {
    /// Begins a measurement.
    pub(super) fn begin(&self, host: &Host) {
        host.slots.set(&self.state, Some(Box::leak(Box::default())));
    }

    fn state(&self, host: &Host) -> Option<&'static Accelerators> {
        host.slots.get(&self.state)
    }

    /// Defines the paradigm, once.
    pub(super) fn define(&self, host: &Host) {
        if let Some(state) = self.state(host) {
            let define = || host.definitions.accelerator_paradigm(self.paradigm, self.name.as_bytes());
            state.is_defined.get_or_init(define);
        }
    }

    /// Defines a device.
    pub(super) fn device(&self, host: &Host, name: &[u8]) -> u32 {
        self.define(host);
        let parent = host.process.get().map_or(0, |process| process.node);
        host.definitions.device(parent, format!("{} Device", self.name).as_bytes(), name)
    }

    /// Defines a context of the process on a device, which has this number.
    pub(super) fn context(&self, host: &Host, device: u32, number: usize) -> u32 {
        let creator = host.group();
        let name = format!("{} Context {number}", self.name);
        host.definitions.device_context(device, name.as_bytes(), creator)
    }

    /// Returns the window through which data moves.
    fn window(&self, host: &Host) -> u32 {
        let define = || {
            let communicator = host.definitions.interim_communicator(self.paradigm);
            let name = format!("{}_WINDOW", self.short_name);
            (communicator, host.definitions.device_window(name.as_bytes(), communicator))
        };
        self.state(host).map_or(0, |state| state.window.get_or_init(define).1)
    }

    /// Returns the rank of a location in the communicator, a new one for its first transfer.
    fn rank(&self, host: &Host, location: &'static Location) -> u32 {
        let Some(state) = self.state(host) else { return 0 };
        let mut members = state.members();
        let known = members.iter().position(|member| member.id == location.id);
        known.unwrap_or_else(|| {
            members.push(location);
            members.len() - 1
        }) as u32
    }

    /// Completes the definitions, together with the other processes of the job.
    pub(super) fn unify(&self, host: &Host) {
        let Some(state) = self.state(host) else { return };
        // No lock is held while another one is taken.
        let (members, streams) = (state.members().clone(), state.streams().clone());
        let own: Vec<u64> = members.iter().map(|member| member.global_id()).collect();
        if let Some((all, before)) = job::gather_lists(&own).filter(|(all, _)| !all.is_empty()) {
            let name = self.short_name.as_bytes();
            host.definitions.device_locations(self.groups, name, &all);
            if let Some(&window) = state.window.get() {
                let ranks: Vec<u64> = (before..).take(own.len()).collect();
                let name = format!("{}_GROUP", self.short_name);
                host.definitions.unify_devices(self.groups, name.as_bytes(), window, &ranks);
            }
        }
        let own: Vec<u64> = streams.iter().flat_map(|stream| stream.locations()).collect();
        let all = job::gather_lists(&own).filter(|(all, _)| !all.is_empty() && job::rank() == 0);
        if let Some((all, _)) = all {
            host.definitions.all_streams(self.short_name.as_bytes(), &all);
        }
    }
}

impl Accelerators {
    fn members(&self) -> MutexGuard<'_, Vec<&'static Location>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn streams(&self) -> MutexGuard<'_, Vec<&'static DeviceStream>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
