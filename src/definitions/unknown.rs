//! Definitions that the public interface announces but tells nothing about.
//!
//! Each keeps its identity, so that events can refer to it, and says of everything else that it is unknown: no name, no file, a
//! group of unknown type without members. Nothing is invented.

use kymo_otf2::{
    definitions::{Comm, Group, InterruptGenerator, IoHandle, IoParadigm, IoRegularFile, RmaWin},
    enums::{Base, GroupType, InterruptGeneratorMode, IoParadigmClass, Paradigm},
    flags::{CommFlag, GroupFlag, IoHandleFlag, IoParadigmFlag, RmaWinFlag},
    list::List,
    references::{
        CommRef, GroupRef, InterruptGeneratorRef, IoFileRef, IoHandleRef, IoParadigmRef, RmaWinRef,
        SystemTreeNodeRef,
    },
};
use kymo_substrate::{
    GroupHandle, InterimCommunicatorHandle, InterruptGeneratorHandle, IoFileHandle, IoHandleHandle,
    RmaWindowHandle,
};

use super::{Definitions, Space, State};

impl Definitions {
    /// Every communicator gets an empty group of its own: that two have the same members is not known either.
    pub(super) fn define_unknown_comm(&self, state: &mut State, handle: InterimCommunicatorHandle) {
        let id = CommRef(self.assign(state, Space::Comm, handle.raw()));
        let group = state.unknown_group();
        let name = state.string(None);
        state.log.define(&Comm { id, name, group, parent: CommRef::UNDEFINED, flags: CommFlag::empty() });
    }

    pub(super) fn define_unknown_group(&self, state: &mut State, handle: GroupHandle) {
        let id = state.unknown_group();
        self.set_id(state, handle.raw(), id.0);
    }

    pub(super) fn define_unknown_window(&self, state: &mut State, handle: RmaWindowHandle) {
        let id = RmaWinRef(self.assign(state, Space::RmaWin, handle.raw()));
        let name = state.string(None);
        state.log.define(&RmaWin { id, name, comm: CommRef::UNDEFINED, flags: RmaWinFlag::empty() });
    }

    pub(super) fn define_unknown_interrupt_generator(
        &self,
        state: &mut State,
        handle: InterruptGeneratorHandle,
    ) {
        let record = InterruptGenerator {
            id: InterruptGeneratorRef(self.assign(state, Space::InterruptGenerator, handle.raw())),
            name: state.string(None),
            interrupt_generator_mode: InterruptGeneratorMode(u8::MAX),
            base: Base::DECIMAL,
            exponent: 0,
            period: u64::MAX,
        };
        state.log.define(&record);
    }

    pub(super) fn define_unknown_io_file(&self, state: &mut State, handle: IoFileHandle) {
        let id = IoFileRef(self.assign(state, Space::IoFile, handle.raw()));
        let name = state.string(None);
        state.log.define(&IoRegularFile { id, name, scope: SystemTreeNodeRef::UNDEFINED });
    }

    pub(super) fn define_unknown_io_handle(&self, state: &mut State, handle: IoHandleHandle) {
        let record = IoHandle {
            id: IoHandleRef(self.assign(state, Space::IoHandle, handle.raw())),
            name: state.string(None),
            file: IoFileRef::UNDEFINED,
            io_paradigm: UNKNOWN_IO_PARADIGM,
            io_handle_flags: IoHandleFlag::empty(),
            comm: CommRef::UNDEFINED,
            parent: IoHandleRef::UNDEFINED,
        };
        state.log.define(&record);
    }
}

impl State {
    /// Defines one more group of unknown members. Its type is that of communicators: of the type UNKNOWN, otf2-print complains
    /// when a communicator has it, and the Python bindings refuse the archive. The first comes behind the locations of the
    /// unknown paradigm, which readers want before all groups that have it.
    pub(super) fn unknown_group(&mut self) -> GroupRef {
        let mut id = GroupRef(self.counters.next(Space::Group));
        if id == GroupRef(0) {
            define_members(self, id, GroupType::COMM_LOCATIONS);
            id = GroupRef(self.counters.next(Space::Group));
        }
        define_members(self, id, GroupType::COMM_GROUP);
        id
    }
}

fn define_members(state: &mut State, id: GroupRef, group_type: GroupType) {
    let record = Group {
        id,
        name: state.log.string(b"unknown"),
        members: List::truncated(&[]),
        group_type,
        paradigm: Paradigm::UNKNOWN,
        group_flags: GroupFlag::empty(),
    };
    state.log.define(&record);
}

/// Stands for the paradigm of an I/O handle: an undefined reference in its place crashes otf2-print 3.0.2.
const UNKNOWN_IO_PARADIGM: IoParadigmRef = IoParadigmRef(3);

/// Which I/O paradigm was announced is not public, but there are only three and events name them by type: all are defined,
/// under the number of their type, and behind them the unknown one.
pub(super) fn define_io_paradigms(state: &mut State) {
    let paradigms: [(&[u8], &[u8], _, _); 4] = [
        (b"POSIX", b"POSIX I/O", IoParadigmClass::SERIAL, IoParadigmFlag::OS),
        (b"ISOC", b"ISO C I/O", IoParadigmClass::SERIAL, IoParadigmFlag::empty()),
        (b"MPI-IO", b"MPI I/O", IoParadigmClass::PARALLEL, IoParadigmFlag::empty()),
        (b"UNKNOWN", b"unknown", IoParadigmClass::SERIAL, IoParadigmFlag::empty()),
    ];
    for (number, (identification, name, io_paradigm_class, io_paradigm_flags)) in
        paradigms.into_iter().enumerate()
    {
        let identification = state.log.string(identification);
        let name = state.log.string(name);
        state.log.define(&IoParadigm {
            id: IoParadigmRef(number as u8),
            identification,
            name,
            io_paradigm_class,
            io_paradigm_flags,
            properties: List::truncated(&[]),
        });
    }
}
