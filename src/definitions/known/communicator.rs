//! Communicators, thread teams and windows.
//!
//! Events refer to the interim communicators of this process. Several of these can be the same
//! communicator: for a team, each thread has its own. The host's unification creates final
//! communicators with groups. These are defined here, and a mapping leads to them from the interim
//! ones.

use kymo_otf2::{
    definitions::{Comm, InterComm, RmaWin},
    flags::{CommFlag, RmaWinFlag},
    references::{CommRef, RmaWinRef, Space, StringRef},
};
use kymo_recorder::journal::{CommunicatorEntry, Payload};
use kymo_substrate::{
    CommunicatorHandle, InterimCommunicatorHandle, RmaWindowHandle, StringHandle,
    arena::{AnyCommunicator, Arena},
};

use super::Known;
use crate::{definitions::DefinitionIds, mapping};

impl Known<'_> {
    /// The id of a final communicator, which is its number in the definition memory.
    pub(super) fn communicator(&self, communicator: CommunicatorHandle) -> CommRef {
        if communicator.is_none() {
            return CommRef::UNDEFINED;
        }
        self.arena.sequence(communicator).map_or(CommRef::UNDEFINED, CommRef)
    }

    /// The id of a communicator. An interim one is replaced by its final one, except in the
    /// journal.
    pub(super) fn any_communicator(&self, communicator: AnyCommunicator) -> CommRef {
        match communicator {
            AnyCommunicator::None => CommRef::UNDEFINED,
            AnyCommunicator::Final(communicator) => self.communicator(communicator),
            AnyCommunicator::Interim(communicator) if self.journal.is_some() => {
                CommRef(self.id(communicator.raw()))
            }
            AnyCommunicator::Interim(communicator) => self
                .arena
                .unified(communicator)
                .map_or(CommRef::UNDEFINED, |unified| self.communicator(unified)),
        }
    }

    pub(super) fn define_communicator(&mut self, interim: InterimCommunicatorHandle) -> Option<()> {
        let handle = self.arena.unified(interim)?;
        let facts = self.arena.communicator(handle)?;
        let id = self.communicator(handle);
        self.map(self.id(interim.raw()), id);
        self.set_number(Space::Comm, id.0, facts.unify_key, false);
        let (name, parent) = (self.string(facts.name), self.communicator(facts.parent));
        let flags = facts.flags.map_or(CommFlag::empty(), mapping::comm_flags);
        let (group_a, group_b) = (self.group(facts.group_a), self.group(facts.group_b));
        match group_a == group_b {
            true => self.log.define(&Comm { id, name, group: group_a, parent, flags }),
            false => {
                self.log.define(&InterComm { id, name, group_a, group_b, common_communicator: parent, flags })
            }
        }
        Some(())
    }

    fn map(&mut self, interim: u32, id: CommRef) {
        let at = interim as usize;
        if self.communicators.len() <= at {
            // Interim communicators without a final one stay undefined.
            self.communicators.resize(at + 1, CommRef::UNDEFINED.0.into());
        }
        self.communicators[at] = id.0.into();
    }

    /// Defines a window. Hosts up to 7.1 have no flags of windows; a record without flags describes
    /// a window with create and destroy events.
    pub(super) fn define_window(&mut self, handle: RmaWindowHandle) -> Option<()> {
        let facts = self.arena.rma_window(handle)?;
        let id = self.id(handle.raw());
        self.set_number(Space::RmaWin, id, facts.creation_id, false);
        let record = RmaWin {
            id: RmaWinRef(id),
            name: self.string(facts.name),
            comm: self.any_communicator(facts.communicator),
            flags: facts.flags.map_or(RmaWinFlag::CREATE_DESTROY_EVENTS, mapping::rma_win_flags),
        };
        self.log.define(&record);
        Some(())
    }
}

/// The journal entry with the current details of an interim communicator.
pub(in crate::definitions) fn entry(
    ids: &DefinitionIds,
    communicator: InterimCommunicatorHandle,
    name: impl FnOnce(StringHandle) -> StringRef,
) -> Option<CommunicatorEntry> {
    let arena = &ids.arena;
    let facts = arena.interim_communicator(communicator)?;
    let reference =
        |handle: InterimCommunicatorHandle| if handle.is_none() { u32::MAX } else { ids.id(handle.raw()) };
    Some(CommunicatorEntry {
        id: ids.id(communicator.raw()),
        paradigm: mapping::paradigm(facts.paradigm).0,
        parent: reference(facts.parent),
        name: if facts.name.is_none() { u32::MAX } else { name(facts.name).0 },
        payload: payload(arena, communicator),
    })
}

fn payload(arena: &Arena, communicator: InterimCommunicatorHandle) -> Payload {
    let mpi = arena.mpi_payload(communicator).map(|it| Payload::Mpi {
        size: it.size,
        rank: it.rank,
        remote_size: it.remote_size,
        is_group_b: it.is_group_b,
        root: it.global_root_rank,
        number: it.root_id,
    });
    let team = || {
        let it = arena.openmp_payload(communicator)?;
        Some(Payload::Team { size: it.size, thread: it.thread_number, singleton: it.singleton_counter })
    };
    mpi.or_else(team).unwrap_or(Payload::Unknown)
}
