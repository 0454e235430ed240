//! What the global definitions say: the names of everything by id, and which location a rank means.
//!
//! Definitions take effect in the order of the file: a reference sees what was defined before it, as in the reference tool. The
//! last definition with an id counts. Everything borrows from the bytes of the definition file.

mod define;
mod name;
mod ranks;

use kymo_otf2::enums::Type;
use kymo_otf2::list::List;
use kymo_otf2::references::*;
use kymo_otf2::value::Value;

use super::end::End;
use crate::index::Index;
pub(crate) use name::{Name, Named};
use ranks::{Comm, Groups};

/// What goes on while definitions are read.
pub(crate) trait Report {
    /// Something in the definitions is not as it should be. An error if that shall be one.
    fn warn(&mut self, kind: &str, id: u64, what: &str) -> Result<(), End>;

    /// A step that only people who debug want to hear of.
    fn step(&mut self, what: std::fmt::Arguments<'_>);
}

/// A definition: its name and what else has to be known of it.
#[derive(Debug, Default)]
struct Entry<'a, T = ()> {
    named: Named<'a>,
    data: T,
}

type Space<'a, T = ()> = Index<Entry<'a, T>>;

/// Everything that has a name.
#[derive(Debug, Default)]
pub(crate) struct Names<'a> {
    /// Of the last clock properties that make sense.
    global_offset: Option<u64>,
    paradigms: Space<'a>,
    io_paradigms: Space<'a>,
    strings: Space<'a>,
    attributes: Space<'a>,
    system_tree_nodes: Space<'a>,
    location_groups: Space<'a>,
    locations: Space<'a>,
    regions: Space<'a>,
    callsites: Space<'a>,
    callpaths: Space<'a>,
    metric_members: Space<'a>,
    metrics: Space<'a, Option<List<'a, u8, MetricMemberRef>>>,
    parameters: Space<'a>,
    cart_dimensions: Space<'a>,
    source_code_locations: Space<'a>,
    interrupt_generators: Space<'a>,
    io_files: Space<'a>,
    io_handles: Space<'a>,
    /// With the parent.
    calling_contexts: Space<'a, CallingContextRef>,
    /// With the place in `members`.
    groups: Space<'a, usize>,
    members: Groups,
    comms: Space<'a, Comm>,
    /// With the communicator, if there is one.
    rma_wins: Space<'a, Option<CommRef>>,
    /// With the communicator, if there is one.
    cart_topologies: Space<'a, Option<CommRef>>,
}

/// An id of a definition.
pub(crate) trait Reference: Copy {
    /// Name of the kind of definition.
    const KIND: &'static str;

    /// The number, if it is defined.
    fn number(self) -> Option<u64>;

    /// What is defined with it.
    fn find<'n, 'a>(self, names: &'n Names<'a>) -> Option<&'n Named<'a>>;

    /// What it refers to.
    #[inline]
    fn look_up<'n, 'a>(self, names: &'n Names<'a>) -> Found<'n, 'a> {
        Found { number: self.number(), named: self.find(names) }
    }
}

/// What an id refers to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'n, 'a> {
    /// The id, if it is defined.
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
        /// What an id of a kind of definition refers to, if there is such a kind. All ones of any width are undefined.
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
    // The reference tool shows the undefined one as a number.
    IoParadigmRef "IoParadigm" io_paradigms true;
}

impl<'a> Names<'a> {
    /// What a value refers to, if its type is one of references.
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
