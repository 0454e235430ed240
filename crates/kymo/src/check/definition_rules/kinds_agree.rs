//! Agreement of kinds: locations and their groups, metrics, parameters, I/O handles. Also checks
//! that the clock ticks.

use std::collections::BTreeMap;

use kymo_otf2::FileName;
use kymo_otf2::definitions::{
    ClockProperties, GlobalDefinition, IoHandle, Location, LocationGroup, MetricInstance,
};
use kymo_otf2::enums::{IoParadigmClass, LocationGroupType, LocationType, ParameterType, RecorderKind, Type};
use kymo_otf2::flags::IoHandleFlag;

use super::{CheckedDefinition, DefinitionRule};
use crate::check::definitions::DefinitionIndex;
use crate::check::findings::{Findings, Place};
use crate::check::kinds::FindingKind;
use crate::check::tables::HashSet;

pub(super) struct KindsAgree<'a, 'd> {
    definitions: &'a DefinitionIndex<'d>,
    clocks: u32,
    /// The handles that are open from the start, and those with a state.
    pre_created: BTreeMap<u32, Place>,
    states: HashSet<u32>,
}

impl<'a, 'd> KindsAgree<'a, 'd> {
    pub(super) fn new(definitions: &'a DefinitionIndex<'d>) -> Self {
        KindsAgree { definitions, clocks: 0, pre_created: BTreeMap::new(), states: HashSet::default() }
    }

    fn clock(&mut self, it: &ClockProperties, here: &CheckedDefinition<'_>, findings: &mut Findings<'_>) {
        self.clocks += 1;
        if it.timer_resolution == 0 {
            findings.find(FindingKind::ClockStands, here.place(), format_args!("0 ticks per second"));
        }
        if self.clocks == 2 {
            findings.find(FindingKind::ClockProperties, here.place(), format_args!("a second clock"));
        }
    }

    fn location(&self, it: &Location, here: &CheckedDefinition<'_>, findings: &mut Findings<'_>) {
        let Some(group) = self.definitions.location_groups.get(&it.location_group.0) else { return };
        // The reverse is allowed: before OTF2 3.0, the streams of accelerators belonged to
        // processes.
        if group.location_group_type == LocationGroupType::ACCELERATOR
            && it.location_type == LocationType::CPU_THREAD
        {
            findings.find(
                FindingKind::MisplacedLocation,
                here.place(),
                format_args!(
                    "{} in location group {}, which is a {}",
                    it.location_type, it.location_group.0, group.location_group_type,
                ),
            );
        }
    }

    fn location_group(&self, it: &LocationGroup, here: &CheckedDefinition<'_>, findings: &mut Findings<'_>) {
        let creator = self.definitions.location_groups.get(&it.creating_location_group.0);
        if let Some(creator) = creator
            && creator.location_group_type != LocationGroupType::PROCESS
        {
            findings.find(
                FindingKind::MisplacedLocation,
                here.place(),
                format_args!("created by location group {}, which is not a process", creator.id.0),
            );
        }
    }

    fn instance(&self, it: &MetricInstance, here: &CheckedDefinition<'_>, findings: &mut Findings<'_>) {
        let id = it.metric_class.0;
        match self.definitions.classes.get(&id) {
            None if self.definitions.instances.contains_key(&id) => {
                findings.find(
                    FindingKind::InstanceClass,
                    here.place(),
                    format_args!("metric {id} is itself an instance"),
                );
            }
            Some(class) if class.recorder_kind != RecorderKind::ABSTRACT => {
                findings.find(
                    FindingKind::InstanceClass,
                    here.place(),
                    format_args!("metric class {id} has recorder kind {}", class.recorder_kind),
                );
            }
            _ => {}
        }
    }

    fn handle(&mut self, it: &IoHandle, here: &CheckedDefinition<'_>, findings: &mut Findings<'_>) {
        if it.io_handle_flags.contains(IoHandleFlag::PRE_CREATED) {
            self.pre_created.insert(it.id.0, here.place());
        }
        let class = self.definitions.io_paradigms.get(&it.io_paradigm.0);
        if it.comm.is_defined() && class == Some(&IoParadigmClass::SERIAL) {
            findings.find(
                FindingKind::CollectiveIo,
                here.place(),
                format_args!("communicator {} for a serial I/O paradigm", it.comm.0),
            );
        }
    }

    fn state(&mut self, handle: u32, here: &CheckedDefinition<'_>, findings: &mut Findings<'_>) {
        let flags = self.definitions.handles.get(&handle).map(|handle| handle.io_handle_flags);
        if flags.is_some_and(|flags| !flags.contains(IoHandleFlag::PRE_CREATED)) {
            findings.find(
                FindingKind::PreCreatedState,
                here.place(),
                format_args!("I/O handle {handle} is not flagged as pre-created"),
            );
        }
        if !self.states.insert(handle) {
            findings.find(
                FindingKind::PreCreatedState,
                here.place(),
                format_args!("a second state of I/O handle {handle}"),
            );
        }
    }

    fn parameter(
        &self,
        parameter: u32,
        type_: Type,
        here: &CheckedDefinition<'_>,
        findings: &mut Findings<'_>,
    ) {
        let expected = match self.definitions.parameters.get(&parameter) {
            Some(&ParameterType::STRING) => Type::STRING,
            Some(&ParameterType::INT64) => Type::INT64,
            Some(&ParameterType::UINT64) => Type::UINT64,
            _ => return,
        };
        if type_ != expected {
            findings.find(
                FindingKind::ParameterValueType,
                here.place(),
                format_args!("parameter {parameter} is {expected}, but its value is {type_}"),
            );
        }
    }
}

fn value_type(type_: Type, here: &CheckedDefinition<'_>, findings: &mut Findings<'_>) {
    if ![Type::INT64, Type::UINT64, Type::DOUBLE].contains(&type_) {
        findings.find(FindingKind::MetricValueType, here.place(), format_args!("values of type {type_}"));
    }
}

impl<'d> DefinitionRule<'d> for KindsAgree<'_, 'd> {
    fn definition(&mut self, here: &CheckedDefinition<'d>, findings: &mut Findings<'_>) {
        match here.record {
            GlobalDefinition::ClockProperties(it) => self.clock(&it, here, findings),
            GlobalDefinition::Location(it) => self.location(&it, here, findings),
            GlobalDefinition::LocationGroup(it) => self.location_group(&it, here, findings),
            GlobalDefinition::MetricMember(it) => value_type(it.value_type, here, findings),
            GlobalDefinition::MetricInstance(it) => self.instance(&it, here, findings),
            GlobalDefinition::IoHandle(it) => self.handle(&it, here, findings),
            GlobalDefinition::IoPreCreatedHandleState(it) => self.state(it.io_handle.0, here, findings),
            GlobalDefinition::CallpathParameter(it) => {
                self.parameter(it.parameter.0, it.value.type_(), here, findings);
            }
            _ => {}
        }
    }

    fn end(&mut self, complete: bool, findings: &mut Findings<'_>) {
        if !complete {
            return;
        }
        if self.clocks == 0 {
            let place = Place::file(FileName::GlobalDefinitions);
            findings.find(FindingKind::ClockProperties, place, format_args!("no ClockProperties"));
        }
        for (&handle, &place) in self.pre_created.iter().filter(|(handle, _)| !self.states.contains(handle)) {
            findings.find(
                FindingKind::PreCreatedState,
                place,
                format_args!("I/O handle {handle} is pre-created, but its state is not defined"),
            );
        }
    }
}
