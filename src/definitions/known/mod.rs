//! The details of definitions, read from the host's definition memory at the end of the measurement
//! (docs/spec/scorep-to-otf2.md, §2 and §4).
//!
//! The details that the public getters do not provide are added here, in a separate log that keeps
//! the strings of the first. A definition whose memory cannot be read stays as it was announced,
//! with unknown details. This runs in `write_data`, when every field is final, and may allocate.
//! Details that are read earlier, at an announcement or before the end, are written only to the
//! journal.

pub(super) mod communicator;
mod context;
mod group;
mod io;
mod metric;
mod system;
mod topology;

use kymo_otf2::{
    definitions::Region,
    enums::{self, ParadigmProperty},
    hash::HashMap,
    references::{LocationGroupRef, LocationRef, Space, StringRef},
    value::Value,
};
use kymo_recorder::{
    DefinitionLog,
    journal::{Entry, Journal},
    unification::{Key, Keys},
};
use kymo_substrate::{
    Definition, Host, LocationHandle, ParadigmHandle, RegionHandle, StringHandle,
    arena::{Arena, ParadigmFlags},
};

use super::{DefinitionIds, DefinitionState};
use crate::mapping;

/// The ids in the log of one id space, indexed by the ids that events contain.
pub(crate) type Mapping = (Space, Vec<u64>);

/// The definitions that are written at the end.
pub(crate) struct Completed {
    pub(crate) log: DefinitionLog,
    /// Keys that distinguish definitions with the same contents.
    pub(crate) keys: Keys,
    /// The ids in the log, by the ids in events, for the spaces in which these differ.
    pub(crate) mappings: Vec<Mapping>,
    /// Whether the system tree and the location groups are defined.
    pub(crate) has_system_tree: bool,
    /// The number of definitions in the host's memory that do not match their announcement.
    pub(crate) unreadable: u64,
    /// The number of definitions that were lost when they were announced. Those that are lost later
    /// are in the journal.
    pub(crate) lost_before: u64,
    /// The location group of each location, by its global id.
    pub(crate) groups: HashMap<u64, LocationGroupRef>,
}

/// The state of one pass over the definitions.
struct Known<'a> {
    arena: &'a Arena,
    ids: &'a DefinitionIds,
    announced: &'a [Definition],
    log: &'a mut DefinitionLog,
    keys: Keys,
    /// Ids of final communicators, by the ids of interim ones.
    communicators: Vec<u64>,
    unreadable: u64,
    /// Receives the keys in a pass before the end. Communicators are then still interim ones.
    journal: Option<&'a Journal>,
}

impl<'a> Known<'a> {
    fn new(
        ids: &'a DefinitionIds,
        announced: &'a [Definition],
        log: &'a mut DefinitionLog,
        journal: Option<&'a Journal>,
    ) -> Self {
        let (keys, communicators) = (Keys::new(), Vec::new());
        Self { arena: &ids.arena, ids, announced, log, keys, communicators, unreadable: 0, journal }
    }
}

/// Notes in the journal the details that the definition memory currently shows and the public
/// getters do not provide.
pub(super) fn note(
    ids: &DefinitionIds,
    announced: &[Definition],
    log: &mut DefinitionLog,
    definition: Definition,
    host: &Host,
    journal: &Journal,
) {
    // These are fully public, or are noted elsewhere.
    let is_plain = matches!(
        definition,
        Definition::String(_)
            | Definition::Region(_)
            | Definition::Parameter(_)
            | Definition::InterimCommunicator(_)
    );
    if is_plain || !ids.arena.is_on() {
        return;
    }
    log.note_only(true);
    Known::new(ids, announced, log, Some(journal)).define(definition, host);
    log.note_only(false);
}

/// The definitions of `state` with all details, from a definition memory that can be read. Returns
/// `None` if there is no room for them.
pub(super) fn complete(ids: &DefinitionIds, state: &DefinitionState, host: &Host) -> Option<Completed> {
    let mut log = state.log.strings()?;
    let announced = &state.announced;
    let mut known = Known::new(ids, announced, &mut log, None);
    for &definition in announced.iter() {
        known.define(definition, host);
    }
    known.define_region_groups();
    let groups = known.groups_of_locations();
    let Known { keys, communicators, unreadable, .. } = known;
    let mappings = vec![(Space::Comm, communicators)];
    Some(Completed { log, keys, mappings, has_system_tree: true, unreadable, lost_before: 0, groups })
}

impl Known<'_> {
    fn define(&mut self, definition: Definition, host: &Host) {
        let defined = match definition {
            Definition::Region(region) => self.define_region(region, host),
            Definition::Paradigm(paradigm) => self.define_paradigm(paradigm, host),
            Definition::SystemTreeNode(node) => self.define_system_tree_node(node),
            Definition::SystemTreeNodeProperty(property) => self.define_system_tree_node_property(property),
            Definition::LocationGroup(group) => self.define_location_group(group),
            Definition::LocationProperty(property) => self.define_location_property(property),
            Definition::Group(group) => self.define_group(group),
            Definition::InterimCommunicator(communicator) => self.define_communicator(communicator),
            Definition::RmaWindow(window) => self.define_window(window),
            Definition::Metric(metric) => self.define_metric(metric),
            Definition::SamplingSet(set) => self.define_sampling_set(set),
            Definition::SamplingSetRecorder(recorder) => self.define_recorder(recorder),
            Definition::Parameter(parameter) => self.define_parameter(parameter),
            Definition::SourceCodeLocation(line) => self.define_source_code_location(line),
            Definition::CallingContext(context) => self.define_calling_context(context),
            Definition::InterruptGenerator(generator) => self.define_interrupt_generator(generator),
            Definition::CartesianTopology(topology) => self.define_topology(topology),
            Definition::CartesianCoords(coordinates) => self.define_coordinates(coordinates),
            Definition::IoParadigm(paradigm) => self.define_io_paradigm(paradigm),
            Definition::IoFile(file) => self.define_io_file(file),
            Definition::IoFileProperty(property) => self.define_io_file_property(property),
            Definition::IoHandle(handle) => self.define_io_handle(handle),
            _ => Some(()),
        };
        if defined.is_none() {
            self.unreadable += 1;
        }
    }

    /// Sets the number of a definition: definitions with the same contents are unified if their
    /// numbers are equal, and never if `is_unique`.
    fn set_number(&mut self, space: Space, id: u32, number: u32, is_unique: bool) {
        let key = if is_unique { Key::Unique } else { Key::Number(number.into()) };
        match self.journal {
            Some(journal) => journal.append(&Entry::Key { space, id: id.into(), key }),
            None => self.keys.set(space, id.into(), key),
        }
    }

    /// The process-local id of an announced definition.
    fn id(&self, handle: u32) -> u32 {
        self.ids.id(handle)
    }

    /// The id of a string, or of the empty string if there is none.
    fn string(&mut self, string: StringHandle) -> StringRef {
        let text = self.arena.string(string).map_or(&b""[..], |text| text.to_bytes());
        self.log.string(text)
    }

    fn location(&self, location: LocationHandle) -> LocationRef {
        self.arena
            .location(location)
            .map_or(LocationRef::UNDEFINED, |location| LocationRef(location.global_id))
    }

    /// Defines a region with the names, file and lines that the getters currently return: those of
    /// sampled functions have become known since the announcement.
    fn define_region(&mut self, handle: RegionHandle, host: &Host) -> Option<()> {
        let facts = self.arena.region(handle)?;
        let description = self.string(facts.description);
        let record = self.ids.region_record(self.log, handle, host);
        self.log.define(&Region { description, ..record });
        Some(())
    }

    fn define_paradigm(&mut self, handle: ParadigmHandle, host: &Host) -> Option<()> {
        let facts = self.arena.paradigm(handle)?;
        let paradigm = super::define_paradigm(self.log, handle, host);
        self.define_template(paradigm, ParadigmProperty::COMM_NAME_TEMPLATE, facts.communicator_template);
        self.define_template(paradigm, ParadigmProperty::RMA_WIN_NAME_TEMPLATE, facts.window_template);
        if facts.flags.contains(ParadigmFlags::RMA_ONLY) {
            self.define_paradigm_property(paradigm, ParadigmProperty::RMA_ONLY, Value::from(1_u8));
        }
        Some(())
    }

    fn define_template(
        &mut self,
        paradigm: enums::Paradigm,
        property: ParadigmProperty,
        template: StringHandle,
    ) {
        if !template.is_none() {
            let value = Value::from(self.string(template));
            self.define_paradigm_property(paradigm, property, value);
        }
    }

    fn define_paradigm_property(
        &mut self,
        paradigm: enums::Paradigm,
        property: ParadigmProperty,
        value: Value,
    ) {
        self.log.define(&kymo_otf2::definitions::ParadigmProperty { paradigm, property, value });
    }

    /// Defines a parameter. It is fully public; only its layout is verified here.
    fn define_parameter(&mut self, handle: kymo_substrate::ParameterHandle) -> Option<()> {
        let facts = self.arena.parameter(handle)?;
        let record = kymo_otf2::definitions::Parameter {
            id: kymo_otf2::references::ParameterRef(self.id(handle.raw())),
            name: self.string(facts.name),
            parameter_type: mapping::parameter_type(facts.parameter_type),
        };
        self.log.define(&record);
        Some(())
    }
}
