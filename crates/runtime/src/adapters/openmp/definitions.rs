//! The definitions of OpenMP: the paradigm and the communicators of teams, in the layout of Score-P
//! 8.4 (docs/spec/scorep-substrate-abi.md, §14.3), and their unification.

use kymo_substrate::bindings::*;

use crate::definitions::{BODY, DefinitionBody, DefinitionStore, UNIFIED};

/// Types of groups.
const OPENMP_LOCATIONS: u32 = 7;
const OPENMP_GROUP: u32 = 8;

impl DefinitionStore {
    /// Defines the paradigm, with the template for names of communicators.
    pub(crate) fn openmp_paradigm(&self) {
        let template = self.string(b"Thread team ${id}");
        let class = SCOREP_PARADIGM_CLASS_THREAD_FORK_JOIN;
        let paradigm = self.paradigm(SCOREP_PARADIGM_OPENMP, class, b"OpenMP");
        if paradigm != 0 {
            self.arena.set_word(paradigm, 36, template);
        }
    }

    /// Defines the communicator of one member of a team. `singleton` distinguishes teams of one.
    pub(crate) fn thread_team(&self, parent: u32, size: u32, number: u32, singleton: u32) -> u32 {
        let body = DefinitionBody::of(64)
            .word(24, parent)
            .word(28, SCOREP_PARADIGM_OPENMP)
            .word(40, size)
            .word(44, number)
            .word(48, singleton);
        self.own(SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR, &body)
    }

    /// Defines the locations of all threads of the job.
    pub(crate) fn openmp_locations(&self, locations: &[u64]) {
        self.group(OPENMP_LOCATIONS, b"OpenMP", locations);
    }

    /// Defines the communicator of a team whose members have these communicators, and these places
    /// in the list of all threads.
    pub(crate) fn unify_team(&self, parent: u32, members: &[u32], ranks: &[u64]) {
        let group = self.group(OPENMP_GROUP, b"", ranks);
        let Some(communicator) = self.final_communicator() else { return };
        let name = self.string(b"");
        let parent = if parent == 0 { 0 } else { self.arena.word(parent, UNIFIED) };
        let words = [group, group, name, parent];
        (BODY..).step_by(4).zip(words).for_each(|(offset, word)| {
            self.arena.set_word(communicator, offset, word);
        });
        members.iter().for_each(|&member| self.arena.set_word(member, UNIFIED, communicator));
    }
}
