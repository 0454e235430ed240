//! Parameters and attributes: values have the type of their definition, and no event has the same
//! attribute twice.

use kymo_otf2::enums::{ParameterType, Type};
use kymo_otf2::events::Event;

use super::{CheckedEvent, EventRule};
use crate::check::definitions::DefinitionIndex;
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::tables::HashSet;

pub(super) struct Values<'a> {
    definitions: &'a DefinitionIndex<'a>,
    /// The attributes of the current event.
    seen: HashSet<u32>,
}

impl<'a> Values<'a> {
    pub(super) fn new(definitions: &'a DefinitionIndex<'a>) -> Self {
        Values { definitions, seen: HashSet::default() }
    }

    fn parameter(&self, id: u32, type_: ParameterType, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        if let Some(&expected) = self.definitions.parameters.get(&id)
            && expected != type_
        {
            findings.find(
                FindingKind::ParameterValueType,
                here.spot,
                format_args!("parameter {id} is {expected}, but its value is {type_}"),
            );
        }
    }

    fn attributes(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        if here.attributes.is_empty() {
            return;
        }
        self.seen.clear();
        for entry in here.attributes {
            let (id, type_) = (entry.attribute.0, entry.value.type_());
            if let Some(&expected) = self.definitions.attributes.get(&id)
                && expected != type_
                && expected != Type::NONE
            {
                findings.find(
                    FindingKind::AttributeType,
                    here.spot,
                    format_args!("attribute {id} is {expected}, but its value is {type_}"),
                );
            }
            if !self.seen.insert(id) {
                findings.find(
                    FindingKind::DuplicateAttribute,
                    here.spot,
                    format_args!("attribute {id} occurs twice"),
                );
            }
        }
    }
}

impl EventRule for Values<'_> {
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        match here.event {
            Event::ParameterString(it) => {
                self.parameter(it.parameter.0, ParameterType::STRING, here, findings)
            }
            Event::ParameterInt(it) => self.parameter(it.parameter.0, ParameterType::INT64, here, findings),
            Event::ParameterUnsignedInt(it) => {
                self.parameter(it.parameter.0, ParameterType::UINT64, here, findings)
            }
            _ => {}
        }
        self.attributes(here, findings);
    }
}
