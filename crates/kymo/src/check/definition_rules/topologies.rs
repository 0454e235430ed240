//! Topologies: a coordinate has one number per dimension, less than its size, and belongs to a rank
//! of the communicator.

use kymo_otf2::definitions::{CartCoordinate, GlobalDefinition};

use super::{CheckedDefinition, DefinitionRule};
use crate::check::definitions::DefinitionIndex;
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;

pub(super) struct Topologies<'a, 'd> {
    definitions: &'a DefinitionIndex<'d>,
}

impl<'a, 'd> Topologies<'a, 'd> {
    pub(super) fn new(definitions: &'a DefinitionIndex<'d>) -> Self {
        Topologies { definitions }
    }

    fn coordinate(&self, it: &CartCoordinate<'_>, here: &CheckedDefinition<'_>, findings: &mut Findings<'_>) {
        let Some(topology) = self.definitions.topologies.get(&it.cart_topology.0) else { return };
        let mut wrong =
            |what: std::fmt::Arguments<'_>| findings.find(FindingKind::Coordinate, here.place(), what);
        let (has, expected) = (it.coordinates.len(), topology.cart_dimensions.len());
        if has != expected {
            wrong(format_args!("{has} coordinates in a topology of {expected} dimensions"));
        }
        if let Some(communicator) = self.definitions.communicators.get(topology.communicator)
            && !communicator.is_self()
            && it.rank >= communicator.size(0)
        {
            wrong(format_args!("rank {} in a communicator of {} ranks", it.rank, communicator.size(0)));
        }
        for (coordinate, dimension) in it.coordinates.iter().zip(topology.cart_dimensions.iter()) {
            let size = self.definitions.dimensions.get(&dimension.0).map(|dimension| dimension.size);
            if let Some(size) = size.filter(|size| coordinate >= *size) {
                wrong(format_args!("coordinate {coordinate} in dimension {} of size {size}", dimension.0));
            }
        }
    }
}

impl<'d> DefinitionRule<'d> for Topologies<'_, 'd> {
    fn definition(&mut self, here: &CheckedDefinition<'d>, findings: &mut Findings<'_>) {
        if let GlobalDefinition::CartCoordinate(it) = here.record {
            self.coordinate(&it, here, findings);
        }
    }
}
