//! References in events: they are defined, after the mapping tables have been applied.

use kymo_otf2::references::Space;

use super::{CheckedEvent, EventRule};
use crate::check::definitions::DefinitionIndex;
use crate::check::findings::Findings;
use crate::check::references::{Reference, check};

pub(super) struct References<'a> {
    definitions: &'a DefinitionIndex<'a>,
}

impl<'a> References<'a> {
    pub(super) fn new(definitions: &'a DefinitionIndex<'a>) -> Self {
        References { definitions }
    }
}

impl EventRule for References<'_> {
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        let (place, ids) = (here.spot.into(), &self.definitions.ids);
        check(&here.event, place, ids, findings);
        for attribute in here.attributes {
            let id = attribute.attribute.0;
            Reference::new(Space::Attribute, id.into(), 4).check("attribute", place, ids, findings);
            if let Some(reference) = Reference::of(attribute.value).filter(|reference| !reference.undefined) {
                reference.check("value of an attribute", place, ids, findings);
            }
        }
    }
}
