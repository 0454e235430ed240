//! The final communicators, which take the place of the interim ones when definitions are unified.

use super::store::{DefinitionStore, NUMBER, UNIFIED};

/// Final communicators are numbered like definitions of a kind that is not announced.
const FINAL: u32 = u32::MAX;
/// The size of a final communicator.
const SIZE: usize = 44;

impl DefinitionStore {
    /// Allocates a final communicator with the next number.
    pub(crate) fn final_communicator(&self) -> Option<u32> {
        let mut state = self.lock();
        let communicator = self.arena.allocate(&mut state.fill, SIZE)?;
        let number = state.next_number(FINAL);
        self.arena.set_word(communicator, NUMBER, number);
        self.arena.set_word(communicator, UNIFIED, communicator);
        Some(communicator)
    }
}
