//! A log that is being added: its records by id, in the order in which they are taken.

use kymo_otf2::{
    Result,
    definitions::{CartTopology, GlobalDefinition, Group},
    enums::{GroupType, Paradigm},
    hash::HashMap,
    mappings::Mappings,
    references::{CartDimensionRef, Space},
};

use super::super::{
    key::{Key, Keys},
    signature::{DefinitionSignature, exact_signature, own_id, parent, put_mapped, signature},
};
use crate::archive::{Identity, in_order};

/// A log that is being added.
pub(super) struct Source<'a> {
    /// The records, sorted by kind and id.
    pub(super) records: Vec<GlobalDefinition<'a>>,
    /// The indexes of the records by their ids.
    places: Mappings,
    pub(super) keys: &'a Keys,
    /// The unified ids.
    pub(super) ids: Mappings,
    /// The number of definitions removed from `records`.
    pub(super) left_out: u64,
    /// For an archive: how often each signature has occurred.
    pub(super) repeats: Option<HashMap<DefinitionSignature, u64>>,
}

impl<'a> Source<'a> {
    pub(super) fn new(log: &'a [u8], keys: &'a Keys, limit: u64) -> Result<Self> {
        let mut records = in_order(log)?;
        let before = records.len();
        let is_far = |(space, id)| space != Space::Location && id >= limit;
        records.retain(|record| !own_id(record).is_some_and(is_far));
        let left_out = (before - records.len()) as u64;
        let mut places = Mappings::complete_with_locations();
        for (at, record) in (0..).zip(&records) {
            if let Some((space, id)) = own_id(record) {
                places.set(space, id, at);
            }
        }
        Ok(Self { records, places, keys, ids: Mappings::complete(), repeats: None, left_out })
    }

    pub(super) fn find(&self, space: Space, id: u64) -> Option<GlobalDefinition<'a>> {
        self.places.get(space, id).map(|at| self.records[at as usize])
    }

    /// Returns the indexes of all records in an order in which most records follow those that they
    /// refer to.
    pub(super) fn in_taking_order(&self) -> Vec<usize> {
        let communicating = self.first_comm_groups();
        let is_late =
            |at, group: &Group<'_>| communicating.get(&group.paradigm).is_some_and(|&first| first < at);
        let order = |&at: &usize| match &self.records[at] {
            GlobalDefinition::String(_)
            | GlobalDefinition::IoParadigm(_)
            | GlobalDefinition::SystemTreeNode(_)
            | GlobalDefinition::LocationGroup(_)
            | GlobalDefinition::Location(_) => 0,
            // Readers must know the locations or processes of a paradigm before the groups that
            // refer to them by index.
            GlobalDefinition::Group(group) if group.group_type.lists_paradigm() && is_late(at, group) => 1,
            // Metrics follow groups.
            GlobalDefinition::Group(group) if group.group_type == GroupType::METRIC => 3,
            // The value of a property can refer to any definition.
            record if own_id(record).is_none() => 4,
            _ => 2,
        };
        let mut places = self.parents_first();
        places.sort_by_key(order);
        places
    }

    /// Returns the index of each paradigm's first group that refers to its locations by index.
    fn first_comm_groups(&self) -> HashMap<Paradigm, usize> {
        let mut first = HashMap::default();
        for (at, record) in self.records.iter().enumerate() {
            if let GlobalDefinition::Group(group) = record
                && group.group_type == GroupType::COMM_GROUP
            {
                first.entry(group.paradigm).or_insert(at);
            }
        }
        first
    }

    /// Returns the indexes of all records, with parents before children. Records that belong to a
    /// definition follow all definitions of its kind.
    fn parents_first(&self) -> Vec<usize> {
        let mut done = vec![false; self.records.len()];
        let mut is_on_path = done.clone();
        let mut order = Vec::with_capacity(self.records.len());
        let mut path = Vec::new();
        for start in 0..self.records.len() {
            path.push(start);
            while let Some(&at) = path.last() {
                is_on_path[at] = true;
                match self.parent_of(at).filter(|&parent| !done[parent] && !is_on_path[parent]) {
                    Some(parent) if !done[at] => path.push(parent),
                    _ => {
                        is_on_path[at] = false;
                        path.pop();
                        if !std::mem::replace(&mut done[at], true) {
                            order.push(at);
                        }
                    }
                }
            }
        }
        order
    }

    fn parent_of(&self, at: usize) -> Option<usize> {
        let record = &self.records[at];
        let (space, _) = own_id(record)?;
        self.places.get(space, parent(record)?).map(|at| at as usize)
    }

    /// Returns the signature of a definition of an archive, numbered among the equal ones there.
    /// Equal strings are always merged.
    fn signature_in_archive(&mut self, record: &GlobalDefinition<'_>, at: usize) -> DefinitionSignature {
        let mut bytes = exact_signature(record, &self.ids);
        match record {
            GlobalDefinition::String(_) => return DefinitionSignature { record: bytes, number: None },
            GlobalDefinition::CartTopology(topology) => self.add_dimensions(topology, &mut bytes),
            GlobalDefinition::CallingContext(_)
            | GlobalDefinition::IoRegularFile(_)
            | GlobalDefinition::IoDirectory(_)
            | GlobalDefinition::IoHandle(_) => self.add_parts(at, &mut bytes),
            _ => {}
        }
        let signature = DefinitionSignature { record: bytes, number: None };
        let Some(repeats) = &mut self.repeats else { return signature };
        let repeat = repeats.entry(signature.clone()).or_default();
        *repeat += 1;
        DefinitionSignature { number: Some(*repeat), ..signature }
    }

    pub(super) fn signature(
        &mut self,
        record: &GlobalDefinition<'_>,
        key: Option<Key>,
        at: usize,
    ) -> DefinitionSignature {
        if self.repeats.is_some() {
            return self.signature_in_archive(record, at);
        }
        let mut bytes = signature(record, &self.ids);
        match record {
            GlobalDefinition::CartTopology(topology) => self.add_dimensions(topology, &mut bytes),
            GlobalDefinition::CallingContext(_) => self.add_parts(at, &mut bytes),
            _ => {}
        }
        let number = match key {
            Some(Key::Number(number)) => Some(number),
            _ => None,
        };
        DefinitionSignature { record: bytes, number }
    }

    /// The signature of a topology includes its dimensions.
    fn add_dimensions(&self, topology: &CartTopology<'_>, out: &mut Vec<u8>) {
        for dimension in topology.cart_dimensions {
            if let Some(record) = self.find(Space::CartDimension, dimension.0.into()) {
                // The dimension has no unified id yet.
                put_mapped(&record, &self.ids, out);
            }
        }
    }

    /// Calling contexts on the same line are distinguished by the position of the instruction.
    fn add_parts(&self, at: usize, out: &mut Vec<u8>) {
        let owner = Identity::of(&self.records[at]);
        let parts = self.records[at + 1..].iter().take_while(|part| Identity::of(part).is_of(&owner));
        for part in parts {
            put_mapped(part, &self.ids, out);
        }
    }

    /// Returns the ids of all dimensions of topologies.
    pub(super) fn dimensions(&self) -> Vec<CartDimensionRef> {
        let dimensions = self.records.iter().filter_map(|record| match record {
            GlobalDefinition::CartDimension(dimension) => Some(dimension.id),
            _ => None,
        });
        dimensions.collect()
    }
}
