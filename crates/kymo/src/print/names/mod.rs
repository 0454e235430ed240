//! The names in the global definitions by id, and the locations of ranks.
//!
//! Definitions take effect in the order of the file: a reference sees only earlier definitions, as
//! in the reference tool. The last definition with an id counts. Everything borrows from the bytes
//! of the definition file.

mod define;
mod name;
mod ranks;

use std::rc::Rc;

use kymo_otf2::enums::Type;
use kymo_otf2::references::*;
use kymo_otf2::value::Value;

use super::end::End;
use kymo_analysis::index::Index;
pub(crate) use name::{Name, Named};
pub(crate) use ranks::Member;
use ranks::{Comm, Groups};

/// Receives remarks while definitions are read.
pub(crate) trait Report {
    /// Reports an irregularity in the definitions. Returns an error if warnings are errors.
    fn warn(&mut self, kind: &str, id: u64, what: &str) -> Result<(), End>;

    /// Reports a step of reading, which is of interest only for debugging.
    fn step(&mut self, what: std::fmt::Arguments<'_>);
}

/// A definition: its name and other required data.
#[derive(Debug, Default)]
struct Entry<'a, T = ()> {
    named: Named<'a>,
    data: T,
}

type Space<'a, T = ()> = Index<Entry<'a, T>>;

/// The names of all definitions.
#[derive(Debug, Default)]
pub(crate) struct Names<'a> {
    /// The offset of the last valid clock properties.
    global_offset: Option<u64>,
    paradigms: Space<'a>,
    io_paradigms: Space<'a>,
    strings: Space<'a>,
    attributes: Space<'a>,
    system_tree_nodes: Space<'a>,
    location_groups: Space<'a>,
    /// With the location groups.
    locations: Space<'a, LocationGroupRef>,
    regions: Space<'a>,
    callsites: Space<'a>,
    callpaths: Space<'a>,
    metric_members: Space<'a>,
    /// With the members, which instances share with their class.
    metrics: Space<'a, Rc<[MetricMemberRef]>>,
    parameters: Space<'a>,
    cart_dimensions: Space<'a>,
    source_code_locations: Space<'a>,
    interrupt_generators: Space<'a>,
    io_files: Space<'a>,
    io_handles: Space<'a>,
    /// With the parents.
    calling_contexts: Space<'a, CallingContextRef>,
    /// With their positions in `members`.
    groups: Space<'a, usize>,
    members: Groups,
    comms: Space<'a, Comm>,
    /// With the communicators, if they exist.
    rma_wins: Space<'a, Option<CommRef>>,
    /// With the communicators, if they exist.
    cart_topologies: Space<'a, Option<CommRef>>,
}

/// An id of a definition.
pub(crate) trait Reference: Copy {
    /// The name of the kind of definition.
    const KIND: &'static str;

    /// Returns the number, unless the id is undefined.
    fn number(self) -> Option<u64>;

    /// Returns the definition with this id.
    fn find<'n, 'a>(self, names: &'n Names<'a>) -> Option<&'n Named<'a>>;

    /// Returns the definition to which the id refers.
    #[inline]
    fn look_up<'n, 'a>(self, names: &'n Names<'a>) -> Found<'n, 'a> {
        Found { number: self.number(), named: self.find(names) }
    }
}

/// The definition to which an id refers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'n, 'a> {
    /// The id, unless it is undefined.
    pub(crate) number: Option<u64>,
    /// Its definition, if there is one.
    pub(crate) named: Option<&'n Named<'a>>,
}

macro_rules! references {
    ($($reference:ident $kind:literal $space:ident $($always:literal)?;)*) => {$(
        impl Reference for $reference {
            const KIND: &'static str = $kind;

            #[inline]
            fn number(self) -> Option<u64> {
                let is_defined = self.is_defined() $(|| $always)?;
                is_defined.then_some(self.0.into())
            }

            #[inline]
            fn find<'n, 'a>(self, names: &'n Names<'a>) -> Option<&'n Named<'a>> {
                names.$space.get(self.0.into()).map(|entry| &entry.named)
            }
        }
    )*

    impl<'a> Names<'a> {
        /// Returns the definition to which an id of a kind refers, if the kind exists. All ones of
        /// any width are undefined.
        pub(crate) fn in_space(&self, space: &str, id: u64) -> Option<Found<'_, 'a>> {
            Some(match space {
                $($reference::KIND => match id.try_into() {
                    Ok(id) => $reference(id).look_up(self),
                    Err(_) => Found { number: (id != u64::MAX).then_some(id), named: None },
                },)*
                _ => return None,
            })
        }
    }
    };
}

references! {
    StringRef "String" strings;
    AttributeRef "Attribute" attributes;
    SystemTreeNodeRef "SystemTreeNode" system_tree_nodes;
    LocationGroupRef "LocationGroup" location_groups;
    LocationRef "Location" locations;
    RegionRef "Region" regions;
    CallsiteRef "Callsite" callsites;
    CallpathRef "Callpath" callpaths;
    GroupRef "Group" groups;
    MetricMemberRef "MetricMember" metric_members;
    MetricRef "Metric" metrics;
    CommRef "Comm" comms;
    ParameterRef "Parameter" parameters;
    RmaWinRef "RmaWin" rma_wins;
    CartDimensionRef "CartDimension" cart_dimensions;
    CartTopologyRef "CartTopology" cart_topologies;
    SourceCodeLocationRef "SourceCodeLocation" source_code_locations;
    CallingContextRef "CallingContext" calling_contexts;
    InterruptGeneratorRef "InterruptGenerator" interrupt_generators;
    IoFileRef "IoFile" io_files;
    IoHandleRef "IoHandle" io_handles;
    // The reference tool prints the undefined id as a number.
    IoParadigmRef "IoParadigm" io_paradigms true;
}

impl<'a> Names<'a> {
    /// Returns the definition to which a value refers, if its type is that of a reference.
    pub(crate) fn referred(&self, value: Value) -> Option<Found<'_, 'a>> {
        let id = value.bits() as u32;
        Some(match value.type_() {
            Type::STRING => StringRef(id).look_up(self),
            Type::ATTRIBUTE => AttributeRef(id).look_up(self),
            Type::LOCATION => LocationRef(value.bits()).look_up(self),
            Type::REGION => RegionRef(id).look_up(self),
            Type::GROUP => GroupRef(id).look_up(self),
            Type::METRIC => MetricRef(id).look_up(self),
            Type::COMM => CommRef(id).look_up(self),
            Type::PARAMETER => ParameterRef(id).look_up(self),
            Type::RMA_WIN => RmaWinRef(id).look_up(self),
            Type::SOURCE_CODE_LOCATION => SourceCodeLocationRef(id).look_up(self),
            Type::CALLING_CONTEXT => CallingContextRef(id).look_up(self),
            Type::INTERRUPT_GENERATOR => InterruptGeneratorRef(id).look_up(self),
            Type::IO_FILE => IoFileRef(id).look_up(self),
            Type::IO_HANDLE => IoHandleRef(id).look_up(self),
            Type::LOCATION_GROUP => LocationGroupRef(id).look_up(self),
            _ => return None,
        })
    }
}
