//! Adds definitions to the names, and reports faults in them.

use kymo_otf2::definitions::{
    self, CallingContext, ClockProperties, GlobalDefinition, IoHandle, SystemTreeNode,
};
use kymo_otf2::enums::Paradigm;
use kymo_otf2::references::*;

use super::ranks::Comm;
use super::{Entry, Name, Named, Names, Reference, Report, Space};
use crate::print::end::End;

impl<'a> Names<'a> {
    /// Adds a definition.
    pub(crate) fn add(
        &mut self,
        definition: &GlobalDefinition<'a>,
        report: &mut impl Report,
    ) -> Result<(), End> {
        match *definition {
            GlobalDefinition::ClockProperties(it) => self.clock(&it, report),
            GlobalDefinition::Paradigm(it) => self.paradigm(&it, report),
            GlobalDefinition::IoParadigm(it) if it.id.is_defined() => {
                define(self.string(it.name), it.id, (), &mut self.io_paradigms, report)
            }
            GlobalDefinition::String(it) => {
                define(Name::Text(it.string.as_bytes()), it.id, (), &mut self.strings, report)
            }
            GlobalDefinition::Attribute(it) => {
                define(self.string(it.name), it.id, (), &mut self.attributes, report)
            }
            GlobalDefinition::SystemTreeNode(it) => {
                let name = composed(self.node_name(&it), report);
                define(name, it.id, (), &mut self.system_tree_nodes, report)
            }
            GlobalDefinition::LocationGroup(it) => {
                define(self.string(it.name), it.id, (), &mut self.location_groups, report)
            }
            GlobalDefinition::Location(it) => {
                define(self.string(it.name), it.id, it.location_group, &mut self.locations, report)
            }
            GlobalDefinition::Region(it) => {
                define(self.string(it.name), it.id, (), &mut self.regions, report)
            }
            GlobalDefinition::Callsite(it) => define(Name::None, it.id, (), &mut self.callsites, report),
            GlobalDefinition::Callpath(it) => define(Name::None, it.id, (), &mut self.callpaths, report),
            GlobalDefinition::Group(it) if it.id.is_defined() => {
                define(self.string(it.name), it.id, self.members.next(), &mut self.groups, report)?;
                self.members.add(&it, report)
            }
            GlobalDefinition::MetricMember(it) => {
                define(self.string(it.name), it.id, (), &mut self.metric_members, report)
            }
            GlobalDefinition::MetricClass(it) => {
                define(Name::None, it.id, it.metric_members.iter().collect(), &mut self.metrics, report)
            }
            GlobalDefinition::MetricInstance(it) => {
                let class = self.metrics.get(it.metric_class.0.into());
                let members = class.map(|class| class.data.clone()).unwrap_or_default();
                define(Name::None, it.id, members, &mut self.metrics, report)
            }
            GlobalDefinition::Comm(it) => {
                self.comm(it.id, it.name, [it.group, GroupRef::UNDEFINED], it.parent, report)
            }
            GlobalDefinition::InterComm(it) => {
                self.comm(it.id, it.name, [it.group_a, it.group_b], it.common_communicator, report)
            }
            GlobalDefinition::Parameter(it) => {
                define(self.string(it.name), it.id, (), &mut self.parameters, report)
            }
            GlobalDefinition::RmaWin(it) if it.id.is_defined() => {
                let comm = self.comm_of(it.comm);
                define(self.string(it.name), it.id, comm, &mut self.rma_wins, report)?;
                expect(comm.is_some(), it.id, NO_COMM, report)
            }
            GlobalDefinition::CartDimension(it) => {
                define(self.string(it.name), it.id, (), &mut self.cart_dimensions, report)
            }
            GlobalDefinition::CartTopology(it) if it.id.is_defined() => {
                let comm = self.comm_of(it.communicator);
                define(self.string(it.name), it.id, comm, &mut self.cart_topologies, report)?;
                expect(comm.is_some(), it.id, NO_COMM, report)
            }
            GlobalDefinition::SourceCodeLocation(it) => {
                let name = self.raw(it.file).map_or(Name::None, |file| Name::Line(file, it.line_number));
                define(composed(name, report), it.id, (), &mut self.source_code_locations, report)
            }
            GlobalDefinition::CallingContext(it) if it.id.is_defined() => self.calling_context(&it, report),
            GlobalDefinition::CallingContextProperty(it) => {
                let is_known = it.calling_context.find(self).is_some();
                expect(is_known, it.calling_context, "has a property, but is not defined yet", report)?;
                if is_known {
                    report.step(format_args!("Out of memory for an CallingContextProperty definition."));
                }
                Ok(())
            }
            GlobalDefinition::InterruptGenerator(it) => {
                define(self.string(it.name), it.id, (), &mut self.interrupt_generators, report)
            }
            GlobalDefinition::IoRegularFile(it) => self.io_file(it.id, "file://", it.name, report),
            GlobalDefinition::IoDirectory(it) => self.io_file(it.id, "directory://", it.name, report),
            GlobalDefinition::IoHandle(it) => {
                let name = self.handle_name(&it, report);
                define(name, it.id, (), &mut self.io_handles, report)
            }
            _ => Ok(()),
        }
    }

    /// Returns the bytes of a string.
    pub(crate) fn raw(&self, string: StringRef) -> Option<&'a [u8]> {
        match string.find(self)?.name {
            Name::Text(text) => Some(text),
            _ => None,
        }
    }

    fn string(&self, string: StringRef) -> Name<'a> {
        Name::text(self.raw(string))
    }

    /// Returns the name of a paradigm, if it is defined.
    pub(crate) fn paradigm_name(&self, paradigm: Paradigm) -> Option<&Named<'a>> {
        self.paradigms.get(paradigm.0.into()).map(|entry| &entry.named)
    }

    /// Returns the metrics of a metric class or instance.
    pub(crate) fn metric_members(&self, metric: MetricRef) -> &[MetricMemberRef] {
        self.metrics.get(metric.0.into()).map_or(&[], |entry| &entry.data)
    }

    /// Returns the communicator of a window.
    pub(crate) fn comm_of_window(&self, window: RmaWinRef) -> CommRef {
        self.rma_wins.get(window.0.into()).and_then(|entry| entry.data).unwrap_or_default()
    }

    /// Returns the communicator of a topology.
    pub(crate) fn comm_of_topology(&self, topology: CartTopologyRef) -> CommRef {
        self.cart_topologies.get(topology.0.into()).and_then(|entry| entry.data).unwrap_or_default()
    }

    /// Returns the context that called this one.
    pub(crate) fn caller(&self, context: CallingContextRef) -> CallingContextRef {
        self.calling_contexts.get(context.0.into()).map_or(CallingContextRef::UNDEFINED, |entry| entry.data)
    }

    /// Returns the number of calling contexts that were defined.
    pub(crate) fn calling_contexts(&self) -> u64 {
        self.calling_contexts.insertions()
    }

    /// Returns the global offset, to which times can be relative.
    #[inline]
    pub(crate) fn global_offset(&self) -> Option<u64> {
        self.global_offset
    }

    fn clock(&mut self, it: &ClockProperties, report: &mut impl Report) -> Result<(), End> {
        if self.global_offset.is_some() {
            report.warn("ClockProperties", 0, TWICE)?;
        }
        match it.timer_resolution {
            0 => report.warn("ClockProperties", 0, "the clock does not tick"),
            _ => {
                self.global_offset = Some(it.global_offset);
                Ok(())
            }
        }
    }

    fn comm_of(&self, comm: CommRef) -> Option<CommRef> {
        comm.is_defined().then_some(comm).filter(|comm| comm.find(self).is_some())
    }

    fn paradigm(&mut self, it: &definitions::Paradigm, report: &mut impl Report) -> Result<(), End> {
        let id = it.paradigm.0.into();
        if self.paradigms.get(id).is_some() {
            report.warn("Paradigm", id, TWICE)?;
        }
        report.step(format_args!("Allocating memory for Paradigm definition."));
        self.paradigms.insert(id, Entry { named: Named::new(self.string(it.name), id), data: () });
        Ok(())
    }

    fn node_name(&self, it: &SystemTreeNode) -> Name<'a> {
        match (self.raw(it.class_name), self.raw(it.name)) {
            (Some(class), Some(name)) => Name::Node(class, name),
            _ => Name::None,
        }
    }

    fn io_file(
        &mut self,
        id: IoFileRef,
        scheme: &'static str,
        name: StringRef,
        report: &mut impl Report,
    ) -> Result<(), End> {
        let name = self.raw(name).map_or(Name::None, |name| Name::File(scheme, name));
        define(composed(name, report), id, (), &mut self.io_files, report)
    }

    /// Returns the name of a handle. A handle without a name is named after its file.
    fn handle_name(&self, it: &IoHandle, report: &mut impl Report) -> Name<'a> {
        match self.raw(it.name) {
            Some(name) if !name.is_empty() => return Name::Text(name),
            None if it.name.is_defined() => return Name::None,
            _ => {}
        }
        let file = match it.file.find(self).map(|named| named.name) {
            _ if !it.file.is_defined() => Some(("", &b"UNDEFINED"[..])),
            Some(Name::File(scheme, name)) => Some((scheme, name)),
            _ => None,
        };
        let paradigm = it.io_paradigm.find(self).map(|named| named.name);
        composed(
            match (paradigm, file) {
                (Some(Name::Text(paradigm)), Some((scheme, file))) => Name::Handle(paradigm, scheme, file),
                _ => Name::None,
            },
            report,
        )
    }

    fn comm(
        &mut self,
        id: CommRef,
        name: StringRef,
        groups: [GroupRef; 2],
        parent: CommRef,
        report: &mut impl Report,
    ) -> Result<(), End> {
        if !id.is_defined() {
            return Ok(());
        }
        let has_parent = !parent.is_defined() || parent.find(self).is_some();
        let places = groups.map(|group| self.groups.get(group.0.into()).map(|entry| entry.data));
        let are_good = self.members.is_of_comm(places[0])
            && (!groups[1].is_defined() || self.members.is_of_comm(places[1]));
        let comm = Comm::new(&self.members, places[0], places[1]);
        define(self.string(name), id, comm, &mut self.comms, report)?;
        expect(are_good, id, "a group is not a communicator group", report)?;
        expect(has_parent, id, "its parent is not defined yet", report)
    }

    fn calling_context(&mut self, it: &CallingContext, report: &mut impl Report) -> Result<(), End> {
        let name = composed(self.call_name(it), report);
        let has_parent = !it.parent.is_defined() || it.parent.find(self).is_some();
        define(name, it.id, it.parent, &mut self.calling_contexts, report)?;
        expect(has_parent, it.id, "its parent is not defined yet", report)
    }

    fn call_name(&self, it: &CallingContext) -> Name<'a> {
        let region = match it.region.find(self).map(|named| named.name) {
            None => &b"UNDEFINED"[..],
            Some(Name::Text(name)) => name,
            Some(_) => return Name::None,
        };
        match it.source_code_location.find(self).map(|named| named.name) {
            Some(Name::Line(file, line)) => Name::Call(region, file, line),
            _ => Name::Text(region),
        }
    }
}

const TWICE: &str = "defined twice";
const NO_COMM: &str = "its communicator is not defined yet";

/// The reference tool keeps composed names as strings of its own.
fn composed<'a>(name: Name<'a>, report: &mut impl Report) -> Name<'a> {
    report.step(format_args!("Allocating memory for String definition."));
    name
}

fn expect(is_good: bool, id: impl Reference, what: &str, report: &mut impl Report) -> Result<(), End> {
    match is_good {
        true => Ok(()),
        false => report.warn(kind(id), id.number().unwrap_or(u64::MAX), what),
    }
}

fn kind<R: Reference>(_: R) -> &'static str {
    R::KIND
}

/// Inserts a definition. Except for strings and locations, definitions should be in order of their
/// ids.
fn define<'a, R: Reference, T>(
    name: Name<'a>,
    id: R,
    data: T,
    space: &mut Space<'a, T>,
    report: &mut impl Report,
) -> Result<(), End> {
    let Some(number) = id.number() else { return Ok(()) };
    if space.get(number).is_some() {
        report.warn(R::KIND, number, TWICE)?;
    }
    let what = if R::KIND == "CallingContext" { "Out of memory for a" } else { "Allocating memory for" };
    report.step(format_args!("{what} {} definition.", R::KIND));
    let in_order = matches!(R::KIND, "String" | "Location") || number == space.insertions();
    space.insert(number, Entry { named: Named::new(name, number), data });
    expect(in_order, id, "out of order", report)
}
