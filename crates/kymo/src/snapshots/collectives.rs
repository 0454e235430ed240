//! Collective operations: they are active on all locations that have begun until all have ended.
//!
//! The operations of a communicator have the same order on all its members, so the n-th end of a
//! location belongs to the n-th operation.

use std::collections::{HashMap, VecDeque};

use kymo_otf2::references::{CommRef, LocationRef};

use super::state::Key;
use crate::check::definitions::DefinitionIndex;

/// The most operations of a communicator that are under way. More are seen only if a member has no
/// events; the first one then counts as ended.
const MOST: usize = 1 << 10;

/// The operations that are under way.
pub(super) struct Collectives<'d> {
    definitions: &'d DefinitionIndex<'d>,
    /// The ids of the locations.
    ids: &'d [u64],
    comms: HashMap<u32, Comm>,
}

#[derive(Debug, Default)]
struct Comm {
    /// The number of operations before the first one in `open`.
    ended: u64,
    open: VecDeque<Operation>,
    /// The number of operations that each location has ended.
    locations: HashMap<usize, u64>,
}

#[derive(Debug, Default)]
struct Operation {
    members: u64,
    records: Vec<Key>,
}

impl<'d> Collectives<'d> {
    pub(super) fn new(definitions: &'d DefinitionIndex<'d>, ids: &'d [u64]) -> Self {
        Self { definitions, ids, comms: HashMap::new() }
    }

    /// Returns the number of members, if a location is one and there are others.
    fn members(&self, location: usize, comm: u32) -> Option<u64> {
        let communicator = self.definitions.communicators.get(CommRef(comm)).filter(|it| !it.is_self())?;
        let &id = self.ids.get(location)?;
        communicator.rank(LocationRef(id), self.definitions.process(id))?;
        Some(communicator.members()).filter(|&members| members > 1)
    }

    /// A location has ended an operation, which has these records there. Returns the records that
    /// are no longer active.
    pub(super) fn ended(
        &mut self,
        location: usize,
        comm: u32,
        records: impl Iterator<Item = Key>,
    ) -> Vec<Key> {
        let Some(members) = self.members(location, comm) else { return records.collect() };
        let comm = self.comms.entry(comm).or_default();
        let number = comm.locations.entry(location).or_default();
        let place = number.checked_sub(comm.ended);
        *number += 1;
        // The operation has been given up.
        let Some(place) = place.and_then(|place| usize::try_from(place).ok()) else {
            return records.collect();
        };
        if comm.open.len() <= place {
            comm.open.resize_with(place + 1, Operation::default);
        }
        if let Some(operation) = comm.open.get_mut(place) {
            operation.members += 1;
            operation.records.extend(records);
        }
        let mut ended = Vec::new();
        while comm.open.front().is_some_and(|first| first.members >= members) || comm.open.len() > MOST {
            ended.extend(comm.open.pop_front().unwrap_or_default().records);
            comm.ended += 1;
        }
        ended
    }
}
