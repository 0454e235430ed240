//! Definitions that the public interface announces without any details.
//!
//! Each keeps its identity, so that events can refer to it. Everything else in it is unknown: it
//! has no name and no file, and its group has no members. Nothing is invented.

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

use kymo_otf2::{
    definitions::{
        Comm, GlobalDefinition, Group, InterruptGenerator, IoHandle, IoParadigm, IoRegularFile, RmaWin,
    },
    enums::{Base, GroupType, InterruptGeneratorMode, IoParadigmClass, Paradigm},
    flags::{CommFlag, GroupFlag, IoHandleFlag, IoParadigmFlag, RmaWinFlag},
    list::List,
    references::{
        CommRef, GroupRef, InterruptGeneratorRef, IoFileRef, IoHandleRef, IoParadigmRef, RmaWinRef, Space,
        StringRef, SystemTreeNodeRef,
    },
};
use kymo_recorder::{
    DefinitionLog,
    unification::{Key, Keys},
};
use kymo_substrate::{
    Definition, GroupHandle, InterimCommunicatorHandle, InterruptGeneratorHandle, IoFileHandle,
    IoHandleHandle, IoParadigmHandle, RmaWindowHandle,
};

use super::{DefinitionIds, DefinitionState, counters::CountedSpace, text};

impl DefinitionIds {
    /// Defines a communicator without a group. If no more becomes known of it,
    /// [`define_unknown_groups`] gives it one at the end.
    ///
    /// [`define_unknown_groups`]: Self::define_unknown_groups
    pub(super) fn define_unknown_comm(&self, state: &mut DefinitionState, handle: InterimCommunicatorHandle) {
        let id = CommRef(self.assign(state, CountedSpace::Comm, handle));
        define_comm(&mut state.log, id, GroupRef::UNDEFINED);
    }

    /// Assigns a group its id. Without definition memory, the first id is reserved for the
    /// locations of the unknown paradigm, because readers require these before all groups of the
    /// paradigm.
    pub(super) fn number_group(&self, state: &mut DefinitionState, handle: GroupHandle) {
        if !self.arena.is_on() && state.locations.is_none() {
            state.locations = Some(GroupRef(state.counters.next(CountedSpace::Group, None)));
        }
        self.assign(state, CountedSpace::Group, handle);
    }

    /// Defines the groups of communicators. Each communicator has an empty group of its own,
    /// because it is unknown which of them have the same members. The exceptions are the predefined
    /// ones of MPI.
    pub(super) fn define_unknown_groups(&self, state: &mut DefinitionState, processes: i32) {
        let is_group = |definition: &Definition| {
            matches!(definition, Definition::Group(_) | Definition::InterimCommunicator(_))
        };
        if state.announced.iter().any(is_group) {
            let counters = &mut state.counters;
            let locations =
                state.locations.unwrap_or_else(|| GroupRef(counters.next(CountedSpace::Group, None)));
            define_group(&mut state.log, locations, GroupType::COMM_LOCATIONS);
        }
        let mut predefined = if processes > 1 { state.predefined() } else { None };
        for at in 0..state.announced.len() {
            match state.announced[at] {
                Definition::Group(group) => {
                    define_group(&mut state.log, GroupRef(self.id(group.raw())), GroupType::COMM_GROUP);
                }
                Definition::InterimCommunicator(comm) => {
                    let id = CommRef(self.id(comm.raw()));
                    if predefined.take_if(|predefined| predefined.own == comm).is_some() {
                        define_own(state, id);
                    } else if predefined.is_some_and(|predefined| predefined.world == comm) {
                        define_world(state, id, processes);
                    } else {
                        let group = state.unknown_group();
                        define_comm(&mut state.log, id, group);
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn define_unknown_window(&self, state: &mut DefinitionState, handle: RmaWindowHandle) {
        let id = RmaWinRef(self.assign(state, CountedSpace::RmaWin, handle));
        let name = text(&mut state.log, None);
        state.log.define(&RmaWin { id, name, comm: CommRef::UNDEFINED, flags: RmaWinFlag::empty() });
    }

    pub(super) fn define_unknown_interrupt_generator(
        &self,
        state: &mut DefinitionState,
        handle: InterruptGeneratorHandle,
    ) {
        let record = InterruptGenerator {
            id: InterruptGeneratorRef(self.assign(state, CountedSpace::InterruptGenerator, handle)),
            name: text(&mut state.log, None),
            interrupt_generator_mode: InterruptGeneratorMode(u8::MAX),
            base: Base::DECIMAL,
            exponent: 0,
            period: u64::MAX,
        };
        state.log.define(&record);
    }

    pub(super) fn define_unknown_io_file(&self, state: &mut DefinitionState, handle: IoFileHandle) {
        let id = IoFileRef(self.assign(state, CountedSpace::IoFile, handle));
        let name = text(&mut state.log, None);
        state.log.define(&IoRegularFile { id, name, scope: SystemTreeNodeRef::UNDEFINED });
    }

    pub(super) fn define_unknown_io_handle(&self, state: &mut DefinitionState, handle: IoHandleHandle) {
        let record = IoHandle {
            id: IoHandleRef(self.assign(state, CountedSpace::IoHandle, handle)),
            name: text(&mut state.log, None),
            file: IoFileRef::UNDEFINED,
            io_paradigm: UNKNOWN_IO_PARADIGM,
            io_handle_flags: IoHandleFlag::empty(),
            comm: CommRef::UNDEFINED,
            parent: IoHandleRef::UNDEFINED,
        };
        state.log.define(&record);
    }
}

/// The communicators that MPI has from the start.
#[derive(Clone, Copy)]
struct Predefined {
    world: InterimCommunicatorHandle,
    own: InterimCommunicatorHandle,
}

impl DefinitionState {
    /// The first two communicators that were announced once the processes were initialised
    /// (docs/spec/scorep-substrate-abi.md, §13).
    fn predefined(&self) -> Option<Predefined> {
        let announced = self.announced.get(self.announced_before_processes?..)?;
        let mut communicators = announced.iter().filter_map(|definition| match *definition {
            Definition::InterimCommunicator(communicator) => Some(communicator),
            _ => None,
        });
        Some(Predefined { world: communicators.next()?, own: communicators.next()? })
    }
}

/// Defines the communicator of all processes. In each process, the first thread's location has the
/// rank as its id.
fn define_world(state: &mut DefinitionState, id: CommRef, processes: i32) {
    let ranks: Vec<u64> = (0..u64::try_from(processes).unwrap_or(0)).collect();
    define_mpi_group(state, GroupType::COMM_LOCATIONS, &ranks);
    let group = define_mpi_group(state, GroupType::COMM_GROUP, &ranks);
    define_mpi_comm(state, id, b"MPI_COMM_WORLD", group);
}

/// Defines the communicator that each process has for itself.
fn define_own(state: &mut DefinitionState, id: CommRef) {
    let group = define_mpi_group(state, GroupType::COMM_SELF, &[]);
    define_mpi_comm(state, id, b"MPI_COMM_SELF", group);
}

fn define_mpi_group(state: &mut DefinitionState, group_type: GroupType, members: &[u64]) -> GroupRef {
    let id = GroupRef(state.counters.next(CountedSpace::Group, None));
    let name = state.log.string(b"");
    state.log.define(&Group {
        id,
        name,
        members: List::truncated(members),
        group_type,
        paradigm: Paradigm::MPI,
        group_flags: GroupFlag::empty(),
    });
    id
}

fn define_mpi_comm(state: &mut DefinitionState, id: CommRef, name: &[u8], group: GroupRef) {
    let name = state.log.string(name);
    state.log.define(&Comm { id, name, group, parent: CommRef::UNDEFINED, flags: CommFlag::empty() });
}

/// Returns keys that make unknown definitions unique, because they look the same but are not.
pub(super) fn keys(log: &DefinitionLog) -> Keys {
    let mut keys = Keys::new();
    for record in kymo_otf2::read::log(log.log()).filter_map(Result::ok) {
        let (space, id) = match record {
            GlobalDefinition::Group(it)
                if it.group_type == GroupType::COMM_GROUP && it.paradigm == Paradigm::UNKNOWN =>
            {
                (Space::Group, it.id.0)
            }
            // Only communicators of MPI have names.
            GlobalDefinition::Comm(it) if it.name != StringRef(0) => {
                keys.set(Space::Comm, it.id.0.into(), Key::Number(0));
                continue;
            }
            GlobalDefinition::Comm(it) => (Space::Comm, it.id.0),
            GlobalDefinition::RmaWin(it) => (Space::RmaWin, it.id.0),
            GlobalDefinition::InterruptGenerator(it) => (Space::InterruptGenerator, it.id.0),
            GlobalDefinition::IoRegularFile(it) => (Space::IoFile, it.id.0),
            GlobalDefinition::IoHandle(it) => (Space::IoHandle, it.id.0),
            _ => continue,
        };
        keys.set(space, id.into(), Key::Unique);
    }
    keys
}

impl DefinitionState {
    /// Defines another group of unknown members.
    pub(super) fn unknown_group(&mut self) -> GroupRef {
        let id = GroupRef(self.counters.next(CountedSpace::Group, None));
        define_group(&mut self.log, id, GroupType::COMM_GROUP);
        id
    }
}

fn define_comm(log: &mut DefinitionLog, id: CommRef, group: GroupRef) {
    let name = text(log, None);
    log.define(&Comm { id, name, group, parent: CommRef::UNDEFINED, flags: CommFlag::empty() });
}

/// Defines a group of unknown members. Its type is one for communicators: for the type UNKNOWN,
/// otf2-print complains when a communicator refers to the group, and the Python bindings reject the
/// archive.
fn define_group(log: &mut DefinitionLog, id: GroupRef, group_type: GroupType) {
    let name = log.string(b"unknown");
    log.define(&Group {
        id,
        name,
        members: List::truncated(&[]),
        group_type,
        paradigm: Paradigm::UNKNOWN,
        group_flags: GroupFlag::empty(),
    });
}

/// The number of I/O paradigms.
pub(super) const IO_PARADIGMS: usize = 3;

/// The id of each I/O paradigm while the order of their registration is unknown: the number of its
/// type.
pub(super) fn io_paradigm_ids() -> [AtomicU8; IO_PARADIGMS] {
    [AtomicU8::new(0), AtomicU8::new(1), AtomicU8::new(2)]
}

/// The paradigm of I/O handles whose paradigm is unknown. An undefined reference in its place
/// crashes otf2-print 3.0.2.
const UNKNOWN_IO_PARADIGM: IoParadigmRef = IoParadigmRef(IO_PARADIGMS as u8);

impl DefinitionIds {
    /// Stores the number of an I/O paradigm if the definition memory contains it: events refer to
    /// paradigms by type.
    pub(super) fn number_io_paradigm(&self, handle: IoParadigmHandle) {
        let Some(facts) = self.arena.io_paradigm(handle) else { return };
        let place = self.io_paradigms.get(facts.paradigm_type.0 as usize);
        if let (Some(place), Ok(number)) = (place, u8::try_from(facts.number)) {
            place.store(number, Relaxed);
        }
    }

    /// Defines all three I/O paradigms and the unknown one, because the interface does not report
    /// which of them was announced.
    pub(super) fn define_unknown_io_paradigms(&self, log: &mut DefinitionLog) {
        let paradigms: [(&[u8], &[u8], _, _); IO_PARADIGMS] = [
            (b"POSIX", b"POSIX I/O", IoParadigmClass::SERIAL, IoParadigmFlag::OS),
            (b"ISOC", b"ISO C I/O", IoParadigmClass::SERIAL, IoParadigmFlag::empty()),
            (b"MPI-IO", b"MPI I/O", IoParadigmClass::PARALLEL, IoParadigmFlag::empty()),
        ];
        let unknown: (&[u8], &[u8], _, _) =
            (b"UNKNOWN", b"unknown", IoParadigmClass::SERIAL, IoParadigmFlag::empty());
        let ids =
            self.io_paradigms.iter().map(|id| IoParadigmRef(id.load(Relaxed))).chain([UNKNOWN_IO_PARADIGM]);
        for (id, (identification, name, class, flags)) in ids.zip(paradigms.into_iter().chain([unknown])) {
            let (identification, name) = (log.string(identification), log.string(name));
            log.define(&IoParadigm {
                id,
                identification,
                name,
                io_paradigm_class: class,
                io_paradigm_flags: flags,
                properties: List::truncated(&[]),
            });
        }
    }
}
