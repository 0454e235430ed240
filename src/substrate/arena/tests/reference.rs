//! The definitions of a process in the format of `otf2-print`, for the comparison with the trace
//! that the built-in tracing wrote in the same run. Ids are omitted, and so are values that only a
//! mapping of enumerations could provide.

use std::collections::BTreeSet;
use std::path::Path;

use super::recordings::Process;
use crate::arena::*;
use crate::handles::*;

/// The kinds of definitions that are compared.
const KINDS: [&str; 22] = [
    "PARADIGM_PROPERTY",
    "IO_PARADIGM",
    "SYSTEM_TREE_NODE",
    "SYSTEM_TREE_NODE_DOMAIN",
    "SYSTEM_TREE_NODE_PROPERTY",
    "LOCATION_GROUP",
    "LOCATION",
    "GROUP",
    "COMM",
    "RMA_WIN",
    "METRIC_MEMBER",
    "METRIC_CLASS",
    "METRIC_INSTANCE",
    "SOURCE_CODE_LOCATION",
    "CALLING_CONTEXT",
    "CALLING_CONTEXT_PROPERTY",
    "INTERRUPT_GENERATOR",
    "CART_DIMENSION",
    "CART_TOPOLOGY",
    "CART_COORDINATE",
    "IO_REGULAR_FILE",
    "IO_HANDLE",
];

/// Returns the comparable lines of the output of otf2-print.
pub(super) fn of_text(text: &str) -> BTreeSet<String> {
    let definitions = text.lines().take_while(|line| !line.starts_with("=== Events"));
    definitions.filter_map(reduced).collect()
}

fn reduced(line: &str) -> Option<String> {
    let (kind, rest) = line.split_once(' ')?;
    if !KINDS.contains(&kind) || rest.contains("Type: REGIONS") {
        return None;
    }
    let rest = rest.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    if kind == "GROUP" {
        return Some(group(rest));
    }
    let rest = without_ids(rest);
    let cut = |from: &str, to: &str| {
        let (before, after) = rest.split_once(from).expect(from);
        format!("{before}{}", after.split_once(to).expect(to).1)
    };
    let rest = match kind {
        "PARADIGM_PROPERTY" => rest.split_once("Value: ").expect("a value").1.to_owned(),
        "METRIC_MEMBER" => cut("Type: ", "Value Type: ").split_once("Base").map(|(names, scale)| {
            format!("{}Base{scale}", &names[..names.rfind("\", ").expect("a description") + 3])
        })?,
        "METRIC_CLASS" => rest
            .split_once("Member")
            .expect("members")
            .1
            .trim_start_matches("s: ")
            .trim_start_matches(": ")
            .to_owned(),
        "METRIC_INSTANCE" => rest.split_once("Recorder: ").expect("a recorder").1.to_owned(),
        "CALLING_CONTEXT" => rest.rsplit_once(", Parent: ").expect("a parent").0.to_owned(),
        "CALLING_CONTEXT_PROPERTY" => rest.rsplit_once("Value: ").expect("a value").1.to_owned(),
        "CART_TOPOLOGY" => rest.replace("1 Dimension: ", "1 Dimensions: "),
        // The name of an MPI topology is that of its communicator, which is known on one rank only.
        "CART_COORDINATE" => rest.rsplit_once(": ").expect("coordinates").1.to_owned(),
        "IO_HANDLE" => rest.rsplit_once(", Parent: ").expect("a parent").0.replace("file://", ""),
        _ => rest,
    };
    Some(format!("{kind} {rest}"))
}

/// Members of `COMM_LOCATIONS` groups are listed by id, those of other groups by number.
fn group(rest: &str) -> String {
    let members = rest.split_once(" Member").expect("members").1;
    let members = members.split_once(": ").map_or("", |(_, members)| members);
    let number = |member: &str| match member.strip_prefix('"') {
        Some(named) => named.rsplit_once('<').expect("an id").1.trim_end_matches('>').to_owned(),
        None => member.split(' ').next().expect("a number").to_owned(),
    };
    let members: Vec<_> = members.split(", ").filter(|member| !member.is_empty()).map(number).collect();
    let name_and_type = without_ids(rest.split_once(", Paradigm").expect("a paradigm").0);
    format!("GROUP {name_and_type} {}", members.join(" "))
}

/// Replaces `"name" <7>` with `"name"`.
fn without_ids(text: &str) -> String {
    let mut parts = text.split(" <");
    let mut result = parts.next().unwrap_or("").to_owned();
    for part in parts {
        result += part.split_once('>').expect("an id ends").1;
    }
    result
}

/// Returns the corresponding lines from the arena, at `write_data`.
pub(super) fn of_arena(process: &Process) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for &(definition, _) in &process.definitions {
        Lines { process, arena: &process.arena, lines: &mut lines }.define(definition);
    }
    lines
}

struct Lines<'a> {
    process: &'a Process,
    arena: &'a Arena,
    lines: &'a mut BTreeSet<String>,
}

impl Lines<'_> {
    fn add(&mut self, line: String) {
        self.lines.insert(line);
    }

    /// A required name, which is the empty one if it is undefined.
    fn name(&self, string: StringHandle) -> String {
        self.process.text(string).unwrap_or_default()
    }

    /// Returns `"name"` or `UNDEFINED`.
    fn quoted(&self, string: Option<StringHandle>) -> String {
        string.map_or("UNDEFINED".to_owned(), |string| format!("\"{}\"", self.name(string)))
    }

    fn is_old(&self) -> bool {
        self.arena.generation() == Generation::UpTo7
    }

    fn define(&mut self, definition: Definition) {
        match definition {
            Definition::Paradigm(handle) => self.paradigm(handle),
            Definition::IoParadigm(handle) => self.io_paradigm(handle),
            Definition::SystemTreeNode(handle) => self.system_tree_node(handle),
            Definition::LocationGroup(handle) => self.location_group(handle),
            Definition::Location(handle) => self.location(handle),
            Definition::Group(handle) => self.group(handle),
            Definition::InterimCommunicator(handle) => self.communicator(handle),
            Definition::RmaWindow(handle) => self.rma_window(handle),
            Definition::Metric(handle) => self.metric(handle),
            Definition::SamplingSet(handle) => self.sampling_set(handle),
            Definition::SourceCodeLocation(handle) => self.source_code_location(handle),
            Definition::CallingContext(handle) => self.calling_context(handle),
            Definition::InterruptGenerator(handle) => self.interrupt_generator(handle),
            Definition::CartesianTopology(handle) => self.topology(handle),
            Definition::CartesianCoords(handle) => self.coordinates(handle),
            Definition::IoFile(handle) => self.io_file(handle),
            Definition::IoHandle(handle) => self.io_handle(handle),
            _ => {}
        }
    }

    fn paradigm(&mut self, handle: ParadigmHandle) {
        let facts = self.arena.paradigm(handle).expect("a paradigm");
        for template in [facts.communicator_template, facts.window_template] {
            if !template.is_none() {
                self.add(format!("PARADIGM_PROPERTY {}", self.quoted(Some(template))));
            }
        }
    }

    fn io_paradigm(&mut self, handle: IoParadigmHandle) {
        let facts = self.arena.io_paradigm(handle).expect("an I/O paradigm");
        let (identification, name) = (self.name(facts.identification), self.name(facts.name));
        let flags = if facts.flags == IoParadigmFlags::OS { "{OS}" } else { "NONE" };
        let class = facts.class;
        self.add(format!(
            "IO_PARADIGM Identification: \"{identification}\", Name: \"{name}\", Class: {class:?}, Flags: {flags}, 0 Properties"
        ));
    }

    fn node_label(&self, handle: SystemTreeNodeHandle) -> String {
        let Some(facts) = self.arena.system_tree_node(handle) else { return "UNDEFINED".to_owned() };
        let (class, name) = (self.name(facts.class), self.name(facts.name));
        if self.is_old() { format!("\"{name}\"") } else { format!("\"{class}::{name}\"") }
    }

    fn system_tree_node(&mut self, handle: SystemTreeNodeHandle) {
        let facts = self.arena.system_tree_node(handle).expect("a node");
        let (name, class) = (self.name(facts.name), self.name(facts.class));
        let (parent, label) = (self.node_label(facts.parent), self.node_label(handle));
        self.add(format!("SYSTEM_TREE_NODE Name: \"{name}\", Class: \"{class}\", Parent: {parent}"));
        for domain in (0..9).map(|bit| SystemTreeDomains(1 << bit)) {
            if facts.domains.contains(domain) {
                self.add(format!("SYSTEM_TREE_NODE_DOMAIN System Tree Node: {label}, Domain: {domain:?}"));
            }
        }
        for property in self.arena.system_tree_node_properties(handle).expect("properties") {
            let (name, value) = (self.name(property.name), self.name(property.value));
            self.add(format!(
                "SYSTEM_TREE_NODE_PROPERTY System Tree Node: {label}, Name: \"{name}\", Type: STRING, Value: \"{value}\""
            ));
        }
    }

    fn location_group(&mut self, handle: LocationGroupHandle) {
        let facts = self.arena.location_group(handle).expect("a location group");
        let (name, parent) = (self.name(facts.name), self.node_label(facts.system_tree_parent));
        let creator = match facts.creating_location_group {
            Some(creator) if creator.is_none() => ", Creator: UNDEFINED",
            Some(_) => ", Creator: another",
            None => "",
        };
        self.add(format!(
            "LOCATION_GROUP Name: \"{name}\", Type: {:?}, Parent: {parent}{creator}",
            facts.group_type
        ));
    }

    fn location(&mut self, handle: LocationHandle) {
        let facts = self.arena.location(handle).expect("a location");
        let groups = self.process.all(|definition| match definition {
            Definition::LocationGroup(group) => Some(group),
            _ => None,
        });
        let group = groups.into_iter().find(|&group| match facts.location_group {
            Some(own) => own == group,
            None => {
                self.arena.location_group(group).and_then(|facts| facts.global_id) == facts.location_group_id
            }
        });
        let group = self.arena.location_group(group.expect("its group")).expect("a location group");
        let kind = facts.location_type.name().expect("a type").trim_start_matches("SCOREP_LOCATION_TYPE_");
        let (name, group) = (self.name(facts.name), self.name(group.name));
        self.add(format!(
            "LOCATION Name: \"{name}\", Type: {kind}, # Events: {}, Group: \"{group}\"",
            facts.event_count
        ));
    }

    fn group(&mut self, handle: GroupHandle) {
        let facts = self.arena.group(handle).expect("a group");
        let kind = facts.group_type.name().expect("a type");
        let kind = match kind.rsplit_once('_').expect("a pair").1 {
            "LOCATIONS" => "COMM_LOCATIONS",
            "GROUP" => "COMM_GROUP",
            other => &format!("COMM_{other}"),
        };
        let members = self.arena.group_members(handle).expect("members").iter();
        let members: Vec<_> = members.map(|member| member.to_string()).collect();
        let name = self.name(facts.name);
        self.add(format!("GROUP Name: \"{name}\", Type: {kind} {}", members.join(" ")));
    }

    fn flags(&self, events: Option<bool>) -> &'static str {
        match events {
            None => "",
            Some(true) => ", Flags: {CREATE_DESTROY_EVENTS}",
            Some(false) => ", Flags: NONE",
        }
    }

    fn communicator_name(&self, communicator: CommunicatorHandle) -> Option<StringHandle> {
        Some(self.arena.communicator(communicator)?.name)
    }

    fn communicator(&mut self, handle: InterimCommunicatorHandle) {
        let unified = self.arena.unified(handle).expect("a final communicator");
        let facts = self.arena.communicator(unified).expect("a communicator");
        let group = self.arena.group(facts.group_a).expect("a group");
        let parent = self.quoted(self.communicator_name(facts.parent));
        let flags = self.flags(facts.flags.map(|flags| flags.0 == 1));
        let (name, group) = (self.name(facts.name), self.name(group.name));
        self.add(format!("COMM Name: \"{name}\", Group: \"{group}\", Parent: {parent}{flags}"));
    }

    fn any_communicator(&self, communicator: AnyCommunicator) -> String {
        match communicator {
            AnyCommunicator::Final(communicator) => self.quoted(self.communicator_name(communicator)),
            AnyCommunicator::None => "UNDEFINED".to_owned(),
            AnyCommunicator::Interim(_) => panic!("an interim communicator at write_data"),
        }
    }

    fn rma_window(&mut self, handle: RmaWindowHandle) {
        let facts = self.arena.rma_window(handle).expect("a window");
        let (name, communicator) = (self.name(facts.name), self.any_communicator(facts.communicator));
        let flags = self.flags(facts.flags.map(|flags| flags.0 == 1));
        self.add(format!("RMA_WIN Name: \"{name}\", Communicator: {communicator}{flags}"));
    }

    fn metric(&mut self, handle: MetricHandle) {
        let facts = self.arena.metric(handle).expect("a metric");
        let [name, description, unit] =
            [facts.name, facts.description, facts.unit].map(|string| self.name(string));
        let base = facts.base.name().expect("a base").trim_start_matches("SCOREP_METRIC_BASE_");
        self.add(format!(
            "METRIC_MEMBER Name: \"{name}\", Descr.: \"{description}\", Base: {base}, Exponent: {}, Unit: \"{unit}\"",
            facts.exponent
        ));
    }

    fn sampling_set(&mut self, handle: SamplingSetHandle) {
        if let Some(scoped) = self.arena.scoped_sampling_set(handle) {
            let recorder = self.arena.location(scoped.recorder).expect("a recorder").name;
            let Scope::LocationGroup(group) = scoped.scope else { panic!("scope {:?}", scoped.scope) };
            let scope = self.arena.location_group(group).expect("a location group").name;
            let (recorder, scope) = (self.name(recorder), self.name(scope));
            return self.add(format!("METRIC_INSTANCE \"{recorder}\", Scope: LOCATION_GROUP \"{scope}\""));
        }
        let metrics = self.arena.metrics(handle).expect("metrics").iter();
        let names: Vec<_> =
            metrics.map(|metric| self.quoted(self.arena.metric(metric).map(|facts| facts.name))).collect();
        self.add(format!("METRIC_CLASS {}", names.join(", ")));
    }

    fn source_code_location(&mut self, handle: SourceCodeLocationHandle) {
        let facts = self.arena.source_code_location(handle).expect("a line");
        self.add(format!(
            "SOURCE_CODE_LOCATION File: \"{}\", Line Number: {}",
            self.name(facts.file),
            facts.line
        ));
    }

    fn calling_context(&mut self, handle: CallingContextHandle) {
        let facts = self.arena.calling_context(handle).expect("a calling context");
        let line = match self.arena.source_code_location(facts.source_code_location) {
            Some(line) => format!("\"{}:{}\"", self.name(line.file), line.line),
            None => "UNDEFINED".to_owned(),
        };
        let region = self.arena.region(facts.region).expect("a region").name;
        self.add(format!("CALLING_CONTEXT Region: \"{}\", Source code location: {line}", self.name(region)));
        if facts.ip_offset != 0 {
            self.add(format!("CALLING_CONTEXT_PROPERTY {}", facts.ip_offset));
            if !facts.file.is_none() {
                self.add(format!("CALLING_CONTEXT_PROPERTY {}", self.quoted(Some(facts.file))));
            }
        }
    }

    fn interrupt_generator(&mut self, handle: InterruptGeneratorHandle) {
        let facts = self.arena.interrupt_generator(handle).expect("a generator");
        let base = facts.base.name().expect("a base").trim_start_matches("SCOREP_METRIC_BASE_");
        let (name, mode, exponent, period) =
            (self.name(facts.name), facts.mode, facts.exponent, facts.period);
        self.add(format!(
            "INTERRUPT_GENERATOR Name: \"{name}\", Mode: {mode:?}, Base: {base}, Exponent: {exponent}, Period: {period}"
        ));
    }

    fn topology(&mut self, handle: CartesianTopologyHandle) {
        let facts = self.arena.cartesian_topology(handle).expect("a topology");
        let mut names = Vec::new();
        for dimension in self.arena.dimensions(handle).expect("dimensions").iter() {
            let (name, size) = (self.quoted(Some(dimension.name)), dimension.size);
            let periodic = if dimension.is_periodic { "TRUE" } else { "FALSE" };
            self.add(format!("CART_DIMENSION Name: {name}, Size: {size}, Periodicity: {periodic}"));
            names.push(name);
        }
        let communicator = self.any_communicator(facts.communicator);
        let is_named = facts.topology_type == TopologyType::MPI && communicator != "\"\"";
        let name = if is_named { communicator.trim_matches('"').to_owned() } else { self.name(facts.name) };
        self.add(format!(
            "CART_TOPOLOGY Name: \"{name}\", Communicator: {communicator}, {} Dimensions: ({})",
            names.len(),
            names.join(", ")
        ));
    }

    fn coordinates(&mut self, handle: CartesianCoordsHandle) {
        let facts = self.arena.cartesian_coords(handle).expect("coordinates");
        let numbers = self.arena.coordinates(handle).expect("numbers").iter();
        let numbers: Vec<_> = numbers.map(|number| number.to_string()).collect();
        assert!(self.arena.cartesian_topology(facts.topology).is_some());
        self.add(format!("CART_COORDINATE ({})", numbers.join(", ")));
    }

    fn io_file(&mut self, handle: IoFileHandle) {
        let facts = self.arena.io_file(handle).expect("a file");
        let scope = self.node_label(facts.scope);
        self.add(format!("IO_REGULAR_FILE Name: \"{}\", Scope: {scope}", self.name(facts.name)));
    }

    fn io_handle(&mut self, handle: IoHandleHandle) {
        let facts = self.arena.io_handle(handle).expect("a handle");
        assert!(facts.is_completed);
        let file = self.quoted(self.arena.io_file(facts.file).map(|file| file.name));
        let paradigms = self.process.all(|definition| match definition {
            Definition::IoParadigm(paradigm) => Some(paradigm),
            _ => None,
        });
        let mut paradigms = paradigms.filter_map(|paradigm| self.arena.io_paradigm(paradigm));
        let paradigm =
            paradigms.find(|paradigm| paradigm.paradigm_type == facts.io_paradigm).expect("its paradigm");
        let flags = match facts.flags {
            IoHandleFlags(0) => "NONE",
            IoHandleFlags(1) => "{PRE_CREATED}",
            IoHandleFlags(2) => "{ALL_PROXY}",
            _ => "{PRE_CREATED, ALL_PROXY}",
        };
        let (name, paradigm) = (self.name(facts.name), self.name(paradigm.name));
        let communicator = self.any_communicator(facts.communicator);
        self.add(format!(
            "IO_HANDLE Name: \"{name}\", File: {file}, I/O Paradigm: \"{paradigm}\", Flags: {flags}, Communicator: {communicator}"
        ));
    }
}

/// Compares the definitions. With several ranks, some lack names that others have; each definition
/// of the trace must be found on at least one rank.
pub(super) fn compare(folder: &Path, defined: &BTreeSet<String>, expected: &BTreeSet<String>, ranks: u32) {
    let missing: Vec<_> = expected.difference(defined).collect();
    let more: Vec<_> = defined.difference(expected).filter(|_| ranks == 1).collect();
    let folder = folder.display();
    assert!(missing.is_empty() && more.is_empty(), "{folder}: missing {missing:#?}, not expected {more:#?}");
    assert!(expected.len() > 10, "{folder}: only {} definitions", expected.len());
}
