//! The host's definitions: what is announced goes into the definition log, and every handle gets its process-local id.
//!
//! Ids are dense per id space, in the order of announcement. Events look ids up without a lock; 0 in the table means that a
//! handle was never announced, which gives the undefined reference. Announcements may come from a signal handler: nothing on
//! their way allocates, and the lock is held only while nobody else is called but getters of the host.

pub(crate) mod attribute;
mod counters;
mod memory;
mod metric;
mod unknown;

use core::ffi::CStr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kymo_otf2::{
    definitions::{CallingContext, Paradigm, ParadigmProperty, Parameter, Region},
    enums,
    references::{CallingContextRef, LocationRef, ParameterRef, RegionRef, SourceCodeLocationRef, StringRef},
    value::Value,
};
use kymo_recorder::{
    Definitions as Log,
    memory::{Arena, Budget, PageVec},
    tables::{AddressTable, SparseTable},
};
use kymo_substrate::{
    CallingContextHandle, Definition, Host, ParadigmHandle, ParadigmType, ParameterHandle, RegionHandle,
    StringHandle,
};

use self::counters::{Counters, Space};
pub(crate) use self::{memory::MemoryRegion, metric::SamplingSet};
use crate::mapping;

/// Score-P's definition memory ends at 16 MB unless the user asks for more: regions below that are found at once.
const NEAR_REGIONS: usize = (16 << 20) / 8;

/// All definitions of the process.
#[derive(Debug)]
pub(crate) struct Definitions {
    /// Id + 1 by handle.
    ids: SparseTable,
    /// The same of the regions whose enters and leaves are nothing but that.
    plain_regions: SparseTable<NEAR_REGIONS>,
    /// What allocation functions do, by the handle of their regions and calling contexts.
    memory_regions: SparseTable,
    sets: AddressTable<SamplingSet>,
    arena: Arena,
    state: Mutex<State>,
}

/// What is written under the lock.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) log: Log,
    counters: Counters,
    announced: PageVec<Definition>,
}

impl Definitions {
    /// No definitions but the attributes this plugin writes; `None` if there is no memory for the tables.
    pub(crate) fn new(budget: &'static Budget) -> Option<Self> {
        let mut log = Log::new(budget);
        attribute::define_constant(&mut log);
        let state = State { log, counters: Counters::default(), announced: PageVec::new(budget) };
        Some(Self {
            ids: SparseTable::new(budget)?,
            plain_regions: SparseTable::new(budget)?,
            memory_regions: SparseTable::new(budget)?,
            sets: AddressTable::new(budget)?,
            arena: Arena::new(budget),
            state: Mutex::new(state),
        })
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // Whoever panicked under the lock has switched the plugin off; what is in the log is whole records all the same.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The id of an announced definition, all ones for any other handle.
    pub(crate) fn id(&self, handle: u32) -> u32 {
        self.ids.get(handle).wrapping_sub(1)
    }

    /// The id of most regions that are no allocation functions, without a call.
    #[inline(always)]
    pub(crate) fn plain_region(&self, region: RegionHandle) -> Option<RegionRef> {
        self.plain_regions.get_near(region.raw())?.checked_sub(1).map(RegionRef)
    }

    /// What the allocation function of a region or calling context does, if it is one.
    pub(crate) fn memory_region(&self, handle: u32) -> Option<MemoryRegion> {
        Some(MemoryRegion(self.memory_regions.get(handle))).filter(|region| region.0 != 0)
    }

    /// Takes in the announcement of a definition.
    pub(crate) fn announce(&self, definition: Definition, host: &Host) {
        let mut state = self.state();
        if self.define(&mut state, definition, host) && state.announced.push(definition).is_none() {
            state.log.count_lost();
        }
    }

    /// Defines what was not known when it was announced; for the time when everything is final. `number` gives the id of the
    /// location at an address.
    pub(crate) fn complete(&self, host: &Host, number: impl Fn(usize) -> Option<LocationRef>) {
        let mut state = self.state();
        self.define_instances(&mut state, host, number);
        for at in 0..state.announced.len() {
            let definition = state.announced[at];
            if matches!(definition, Definition::Region(_)) {
                self.define(&mut state, definition, host);
            }
        }
    }

    /// Returns whether the kind has a record of its own.
    fn define(&self, state: &mut State, definition: Definition, host: &Host) -> bool {
        match definition {
            Definition::String(string) => self.define_string(state, string, host),
            Definition::Region(region) => self.define_region(state, region, host),
            Definition::Metric(metric) => self.define_metric(state, metric, host),
            Definition::SamplingSet(set) => self.define_sampling_set(state, set, host),
            Definition::Parameter(parameter) => self.define_parameter(state, parameter, host),
            Definition::Paradigm(paradigm) => define_paradigm(state, paradigm, host),
            Definition::CallingContext(context) => self.define_calling_context(state, context, host),
            Definition::InterimCommunicator(handle) => self.define_unknown_comm(state, handle),
            Definition::Group(handle) => self.define_unknown_group(state, handle),
            Definition::RmaWindow(handle) => self.define_unknown_window(state, handle),
            Definition::InterruptGenerator(handle) => self.define_unknown_interrupt_generator(state, handle),
            Definition::IoFile(handle) => self.define_unknown_io_file(state, handle),
            Definition::IoHandle(handle) => self.define_unknown_io_handle(state, handle),
            Definition::IoParadigm(_) => unknown::define_io_paradigms(state),
            _ => return false,
        }
        true
    }

    /// The id of `handle`, the next free one of `space` if it has none yet.
    fn assign(&self, state: &mut State, space: Space, handle: u32) -> u32 {
        match self.ids.get(handle) {
            0 => {
                let id = state.counters.next(space);
                self.set_id(state, handle, id);
                id
            }
            known => known - 1,
        }
    }

    fn set_id(&self, state: &mut State, handle: u32, id: u32) {
        if self.ids.set(handle, id.wrapping_add(1)).is_none() {
            state.log.count_lost();
        }
    }

    fn define_string(&self, state: &mut State, string: StringHandle, host: &Host) {
        let text = host.string(string);
        let id = state.string(text);
        self.set_id(state, string.raw(), id.0);
        attribute::define_named(&mut state.log, text.map_or(b"", CStr::to_bytes));
    }

    fn define_region(&self, state: &mut State, region: RegionHandle, host: &Host) {
        let region_type = host.region_type(region);
        let name = host.region_name(region);
        let id = RegionRef(self.assign(state, Space::Region, region.raw()));
        let memory = MemoryRegion::of(region, host);
        let kept = match memory {
            Some(memory) => self.memory_regions.set(region.raw(), memory.0),
            None => self.plain_regions.set(region.raw(), id.0.wrapping_add(1)),
        };
        if kept.is_none() {
            state.log.count_lost();
        }
        let record = Region {
            id,
            name: state.string(name),
            description: state.string(None),
            source_file: state.optional_string(host.region_file_name(region)),
            begin_line_number: host.region_begin_line(region).unwrap_or(0),
            end_line_number: host.region_end_line(region).unwrap_or(0),
            canonical_name: state.string(host.region_canonical_name(region).or(name)),
            region_role: mapping::region_role(region_type),
            paradigm: mapping::paradigm(host.region_paradigm(region)),
            region_flags: mapping::region_flags(region_type),
        };
        state.log.define(&record);
    }

    fn define_parameter(&self, state: &mut State, parameter: ParameterHandle, host: &Host) {
        let record = Parameter {
            id: ParameterRef(self.assign(state, Space::Parameter, parameter.raw())),
            name: state.string(host.parameter_name(parameter)),
            parameter_type: mapping::parameter_type(host.parameter_type(parameter)),
        };
        state.log.define(&record);
    }

    fn define_calling_context(&self, state: &mut State, context: CallingContextHandle, host: &Host) {
        let region = host.calling_context_region(context);
        let memory = self.memory_regions.get(region.raw());
        if memory != 0 && self.memory_regions.set(context.raw(), memory).is_none() {
            state.log.count_lost();
        }
        let record = CallingContext {
            id: CallingContextRef(self.assign(state, Space::CallingContext, context.raw())),
            region: RegionRef(self.id(region.raw())),
            source_code_location: SourceCodeLocationRef::UNDEFINED,
            parent: CallingContextRef(self.id(host.calling_context_parent(context).raw())),
        };
        state.log.define(&record);
    }
}

impl State {
    /// The id of a text that has to be there: a missing one is the empty string.
    fn string(&mut self, text: Option<&CStr>) -> StringRef {
        self.log.string(text.map_or(b"", CStr::to_bytes))
    }

    /// The id of a text that may be missing.
    fn optional_string(&mut self, text: Option<&CStr>) -> StringRef {
        text.map_or(StringRef::UNDEFINED, |text| self.string(Some(text)))
    }
}

/// A paradigm and the names Score-P gives to its nameless communicators and windows.
fn define_paradigm(state: &mut State, paradigm: ParadigmHandle, host: &Host) {
    let kind = host.paradigm_type(paradigm);
    let id = mapping::paradigm(kind);
    let name = state.string(host.paradigm_name(paradigm));
    let paradigm_class = mapping::paradigm_class(host.paradigm_class(paradigm));
    state.log.define(&Paradigm { paradigm: id, name, paradigm_class });
    let (comm, window): (&[u8], &[u8]) = match kind {
        ParadigmType::MPI => (b"Comm ${id}", b"Win ${id}"),
        ParadigmType::OPENMP => (b"Thread team ${id}", b""),
        _ => return,
    };
    use enums::ParadigmProperty as Property;
    for (property, template) in
        [(Property::COMM_NAME_TEMPLATE, comm), (Property::RMA_WIN_NAME_TEMPLATE, window)]
    {
        if !template.is_empty() {
            let value = Value::from(state.log.string(template));
            state.log.define(&ParadigmProperty { paradigm: id, property, value });
        }
    }
}
