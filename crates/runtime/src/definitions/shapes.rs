//! The bodies of definitions, in the layout of Score-P 8.4 (docs/spec/scorep-substrate-abi.md,
//! §14.3). One function for each kind that the runtime defines.

use super::metric::MetricDefinition;
use super::store::{DefinitionStore, IS_SCOPED};
use crate::arena::Arena;
use kymo_substrate::bindings::*;
use std::ops::Range;

/// The paradigm number of a location without a paradigm.
const NO_PARADIGM: u32 = 17;

/// The properties of a region to be defined.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RegionDefinition<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) canonical: &'a [u8],
    pub(crate) description: &'a [u8],
    pub(crate) file: Option<&'a [u8]>,
    pub(crate) begin: u32,
    pub(crate) end: u32,
    pub(crate) paradigm: u32,
    pub(crate) region_type: u32,
}

/// The properties of a region that stands for functions that are not known yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CodeDefinition<'a> {
    pub(crate) name: &'a [u8],
    pub(crate) canonical: &'a [u8],
    pub(crate) description: &'a [u8],
    pub(crate) paradigm: u32,
}

/// A body under construction. Offsets count from the start of the definition, including its header.
#[derive(Debug)]
pub(crate) struct DefinitionBody(Vec<u8>);

impl DefinitionBody {
    pub(crate) fn of(size: usize) -> Self {
        Self(vec![0; size - super::store::BODY])
    }

    pub(crate) fn word(self, offset: usize, value: u32) -> Self {
        self.bytes(offset, &value.to_ne_bytes())
    }

    pub(crate) fn double(self, offset: usize, value: u64) -> Self {
        self.bytes(offset, &value.to_ne_bytes())
    }

    pub(crate) fn bytes(mut self, offset: usize, bytes: &[u8]) -> Self {
        let start = offset - super::store::BODY;
        self.0[start..start + bytes.len()].copy_from_slice(bytes);
        self
    }

    pub(crate) fn all(&self) -> &[u8] {
        &self.0
    }

    fn whole(&self) -> Range<usize> {
        0..self.0.len()
    }
}

pub(crate) const fn body_part(range: Range<usize>) -> Range<usize> {
    range.start - super::store::BODY..range.end - super::store::BODY
}

impl DefinitionStore {
    /// Defines an object that is identified by its whole body.
    pub(crate) fn one(&self, kind: u32, body: &DefinitionBody) -> u32 {
        self.define(kind, &body.0, core::slice::from_ref(&body.whole()))
    }

    /// Defines an object that is different from every other one.
    pub(crate) fn own(&self, kind: u32, body: &DefinitionBody) -> u32 {
        self.define(kind, &body.0, &[])
    }

    /// Defines a string. The text ends at its first zero byte.
    pub(crate) fn string(&self, text: &[u8]) -> u32 {
        let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        self.one(
            SCOREP_HANDLE_TYPE_STRING,
            &DefinitionBody::of(25 + text.len()).word(20, length).bytes(24, text),
        )
    }

    pub(crate) fn source_file(&self, name: &[u8]) -> u32 {
        let name = self.string(name);
        self.one(SCOREP_HANDLE_TYPE_SOURCE_FILE, &DefinitionBody::of(24).word(20, name));
        name
    }

    /// Defines a region. Regions with the same name, description, file, first line and paradigm are
    /// one.
    pub(crate) fn region(&self, region: &RegionDefinition<'_>) -> u32 {
        let file = region.file.map_or(0, |file| self.source_file(file));
        let name = self.string(region.name);
        let canonical = self.string(region.canonical);
        let body = DefinitionBody::of(56)
            .word(20, name)
            .word(24, canonical)
            .word(28, self.string(region.description))
            .word(32, region.region_type)
            .word(36, file)
            .word(40, region.begin)
            .word(44, region.end)
            .word(48, region.paradigm);
        self.define(
            SCOREP_HANDLE_TYPE_REGION,
            &body.0,
            &[body_part(20..24), body_part(28..32), body_part(36..44), body_part(48..52)],
        )
    }

    /// Defines a region that stands for functions that are not known yet.
    pub(crate) fn code(&self, code: &CodeDefinition<'_>) -> u32 {
        let body = DefinitionBody::of(56)
            .word(20, self.string(code.name))
            .word(24, self.string(code.canonical))
            .word(28, self.string(code.description))
            .word(32, SCOREP_REGION_FUNCTION)
            .word(48, code.paradigm);
        self.one(SCOREP_HANDLE_TYPE_REGION, &body)
    }

    /// Defines a line of a source file.
    pub(crate) fn source_line(&self, file: &[u8], line: u32) -> u32 {
        let body = DefinitionBody::of(28).word(20, self.string(file)).word(24, line);
        self.one(SCOREP_HANDLE_TYPE_SOURCE_CODE_LOCATION, &body)
    }

    /// Defines a calling context: an instruction (its address in memory and in its file, and the
    /// name of the file) in a region, at a source code location, called from `parent`. It is a new
    /// one in any case.
    pub(crate) fn calling_context(
        &self,
        (address, offset, file): (u64, u64, u32),
        region: u32,
        line: u32,
        parent: u32,
    ) -> u32 {
        let body = DefinitionBody::of(56)
            .double(24, address)
            .double(32, offset)
            .word(40, file)
            .word(44, region)
            .word(48, line)
            .word(52, parent);
        self.own(SCOREP_HANDLE_TYPE_CALLING_CONTEXT, &body)
    }

    /// Defines an interrupt generator with a period in units of ten to the power of `exponent`
    /// seconds.
    pub(crate) fn interrupt_generator(&self, name: &[u8], exponent: i64, period: u64) -> u32 {
        const TIME: u32 = 0;
        let name = self.string(name);
        let body = DefinitionBody::of(48)
            .word(20, name)
            .word(24, TIME)
            .word(28, SCOREP_METRIC_BASE_DECIMAL)
            .double(32, exponent.cast_unsigned())
            .double(40, period);
        self.one(SCOREP_HANDLE_TYPE_INTERRUPT_GENERATOR, &body)
    }

    pub(crate) fn parameter(&self, name: &[u8], parameter_type: u32) -> u32 {
        let name = self.string(name);
        self.one(
            SCOREP_HANDLE_TYPE_PARAMETER,
            &DefinitionBody::of(28).word(20, name).word(24, parameter_type),
        )
    }

    pub(crate) fn metric(&self, metric: &MetricDefinition) -> u32 {
        let unit = self.string(metric.unit.as_bytes());
        let description = self.string(metric.description.as_bytes());
        let name = self.string(metric.name.as_bytes());
        let body = DefinitionBody::of(72)
            .word(20, name)
            .word(24, description)
            .word(28, metric.source)
            .word(32, metric.mode)
            .word(36, metric.value_type)
            .word(40, metric.base)
            .double(48, metric.exponent.cast_unsigned())
            .word(56, unit)
            .word(60, metric.profiling);
        self.one(SCOREP_HANDLE_TYPE_METRIC, &body)
    }

    /// Defines a set of metrics, whose `class` states on which locations it is.
    pub(crate) fn sampling_set(&self, metrics: &[u32], occurrence: u32, class: u32) -> u32 {
        let metrics = &metrics[..metrics.len().min(usize::from(u8::MAX))];
        let handles: Vec<u8> = metrics.iter().flat_map(|metric| metric.to_ne_bytes()).collect();
        let body = DefinitionBody::of(64.max(60 + handles.len()))
            .word(32, occurrence)
            .word(36, class)
            .bytes(56, &[metrics.len() as u8])
            .bytes(60, &handles);
        self.one(SCOREP_HANDLE_TYPE_SAMPLING_SET, &body)
    }

    /// Defines a set whose values one location records for a scope: the kind and the handle of the
    /// scope.
    pub(crate) fn scoped_sampling_set(&self, set: u32, location: u32, (kind, scope): (u32, u32)) -> u32 {
        let body = DefinitionBody::of(40)
            .bytes(IS_SCOPED, &[1])
            .word(24, set)
            .word(28, location)
            .word(32, kind)
            .word(36, scope);
        self.one(SCOREP_HANDLE_TYPE_SAMPLING_SET, &body)
    }

    /// Defines a node of the system tree; `domain` is the bit of its domain. The platform's name is
    /// a property, [`Self::tree_property`].
    pub(crate) fn tree_node(&self, parent: u32, domain: u32, class: &[u8], name: &[u8]) -> u32 {
        let class = self.string(class);
        let name = self.string(name);
        let body = DefinitionBody::of(56).word(20, parent).word(24, domain).word(28, name).word(32, class);
        self.one(SCOREP_HANDLE_TYPE_SYSTEM_TREE_NODE, &body)
    }

    pub(crate) fn tree_property(&self, node: u32, name: &[u8], value: &[u8]) -> u32 {
        let name = self.string(name);
        let value = self.string(value);
        let body = DefinitionBody::of(36).word(20, node).word(24, name).word(28, value);
        self.one(SCOREP_HANDLE_TYPE_SYSTEM_TREE_NODE_PROPERTY, &body)
    }

    /// Defines the location group of the process. Its name is set at the end of the measurement.
    pub(crate) fn location_group(&self, node: u32) -> u32 {
        self.one(SCOREP_HANDLE_TYPE_LOCATION_GROUP, &DefinitionBody::of(40).word(24, node))
    }

    /// Defines a location. Its number in the process is the number of the definition.
    pub(crate) fn location(&self, name: &[u8], location_type: u32, group: u32) -> u32 {
        let name = self.string(name);
        let body = DefinitionBody::of(56)
            .double(24, u64::MAX)
            .word(32, name)
            .word(36, location_type)
            .word(40, NO_PARADIGM)
            .word(44, group);
        self.own(SCOREP_HANDLE_TYPE_LOCATION, &body)
    }

    pub(crate) fn location_property(&self, location: u32, name: &[u8], value: &[u8]) -> u32 {
        let name = self.string(name);
        let value = self.string(value);
        let body = DefinitionBody::of(32).word(20, name).word(24, value).word(28, location);
        self.one(SCOREP_HANDLE_TYPE_LOCATION_PROPERTY, &body)
    }

    pub(crate) fn interim_communicator(&self, paradigm: u32) -> u32 {
        self.own(SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR, &DefinitionBody::of(40).word(28, paradigm))
    }

    pub(crate) fn group(&self, group_type: u32, name: &[u8], members: &[u64]) -> u32 {
        let name = self.string(name);
        let list: Vec<u8> = members.iter().flat_map(|member| member.to_ne_bytes()).collect();
        let body = DefinitionBody::of(40 + list.len())
            .word(20, group_type)
            .word(24, name)
            .double(32, members.len() as u64)
            .bytes(40, &list);
        self.one(SCOREP_HANDLE_TYPE_GROUP, &body)
    }

    pub(crate) fn paradigm(&self, paradigm_type: u32, class: u32, name: &[u8]) -> u32 {
        let name = self.string(name);
        self.define_headless(SCOREP_HANDLE_TYPE_PARADIGM, 48, |arena: &Arena, handle| {
            arena.set_word(handle, 8, paradigm_type);
            arena.set_word(handle, 12, class);
            arena.set_word(handle, 16, name);
            arena.set_double(handle, 24, arena.address(name, 24).addr() as u64);
        })
    }
}
