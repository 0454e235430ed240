//! The processing of definitions at the end: fields that are final at `pre_unify`, and unification.
//! In one process, unification makes each definition its own unified definition, and turns an
//! interim communicator into a communicator with a group.

use super::store::{DefinitionState, DefinitionStore, NEXT, UNIFIED};
use kymo_substrate::bindings::*;
use std::collections::BTreeMap;

/// The group type of a paradigm's locations and that of a communicator's members (POSIX threads).
const THREAD_LOCATIONS: u32 = 14;
const THREAD_GROUP: u32 = 15;

impl DefinitionStore {
    /// Sets the name of the process.
    pub(crate) fn finish_process(&self, group: u32, name: &str) {
        let name = self.string(name.as_bytes());
        self.arena.set_word(group, 20, name);
    }

    /// Returns the name of a region.
    pub(crate) fn region_name(&self, region: u32) -> Vec<u8> {
        let name = self.arena.word(region, 20);
        self.arena.bytes(name, 24, self.arena.word(name, 20) as usize).to_vec()
    }

    /// Renames a location.
    pub(crate) fn set_location_name(&self, location: u32, name: &[u8]) {
        match self.string(name) {
            0 => {}
            name => self.arena.set_word(location, 32, name),
        }
    }

    /// Sets the field that contains a location's number in the job.
    pub(crate) fn set_global_id(&self, location: u32, id: u64) {
        self.arena.set_double(location, 24, id);
    }

    /// Defines the locations of all threads of the job.
    pub(crate) fn thread_locations(&self, locations: &[u64]) {
        self.group(THREAD_LOCATIONS, b"PTHREAD", locations);
    }

    /// Defines the communicator of the threads of this process, with these places in the list of
    /// all threads as members.
    pub(crate) fn unify_threads(&self, interim: u32, ranks: &[u64]) {
        let group = self.group(THREAD_GROUP, b"SCOREP_GROUP_PTHREAD", ranks);
        let Some(communicator) = self.final_communicator() else { return };
        self.arena.set_word(communicator, 20, group);
        self.arena.set_word(communicator, 24, group);
        self.arena.set_word(interim, UNIFIED, communicator);
    }

    /// Marks all definitions as unified and links those of each kind in order. Nothing is defined
    /// after this.
    pub(crate) fn unify(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        let mut last: BTreeMap<u32, u32> = BTreeMap::new();
        for (handle, kind) in state.with_header() {
            if self.arena.word(handle, UNIFIED) == 0 {
                self.arena.set_word(handle, UNIFIED, handle);
            }
            if let Some(previous) = last.insert(kind, handle) {
                self.arena.set_word(previous, NEXT, handle);
            }
        }
    }
}

impl DefinitionState {
    fn with_header(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let has_header = |kind| kind != SCOREP_HANDLE_TYPE_PARADIGM && kind != SCOREP_HANDLE_TYPE_IO_PARADIGM;
        self.announced.iter().copied().filter(move |&(_, kind)| has_header(kind))
    }
}
