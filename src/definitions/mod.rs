//! The host's definitions. Each announcement is written to the definition log, and each handle is
//! assigned its process-local id.
//!
//! Ids are dense in each id space, in the order of announcement. Events look ids up without a lock.
//! The value 0 in the table means that the handle was never announced, and maps to the undefined
//! reference. Announcements may be made in a signal handler, so handling them allocates nothing,
//! and only getters of the host are called while the lock is held.

pub(crate) mod attribute;
mod counters;
mod known;
mod memory;
mod metric;
mod unknown;

use core::{
    ffi::CStr,
    sync::atomic::{AtomicU8, Ordering::Relaxed},
};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kymo_otf2::{
    definitions::{CallingContext, Paradigm, ParadigmProperty, Parameter, Region},
    enums,
    hash::HashMap,
    references::{
        self, CallingContextRef, GroupRef, IoParadigmRef, LocationGroupRef, LocationRef, ParameterRef,
        RegionRef, SourceCodeLocationRef, StringRef,
    },
    value::Value,
};
use kymo_recorder::{
    DefinitionLog,
    journal::{Entry, Journal},
    memory::{Budget, Bump, PageVec},
    tables::{AddressTable, SparseTable},
};
use kymo_substrate::{
    CallingContextHandle, Definition, Host, InterimCommunicatorHandle, IoParadigmType, ParadigmHandle,
    ParadigmType, ParameterHandle, RegionHandle, StringHandle,
    arena::{Arena, Generation, Numbered},
    report,
};

use self::counters::{CountedSpace, Counters};
pub(crate) use self::known::{Completed, Mapping};
pub(crate) use self::{memory::MemoryRegion, metric::SamplingSet};
use crate::{BUDGET, NAME, mapping};

/// The number of handles in 16 MB, the default limit of Score-P's definition memory. Regions with
/// these handles are found without a function call.
const NEAR_REGIONS: usize = (16 << 20) / 8;

/// Handles are offsets of records, which are multiples of this many bytes
/// (docs/spec/scorep-substrate-abi.md, §14).
const HANDLE_STEP: u32 = 8;

/// Marks the id of a communicator that no event has referred to yet.
const UNSETTLED: u32 = 1 << 31;

/// All definitions of the process.
#[derive(Debug)]
pub(crate) struct DefinitionIds {
    /// Id + 1 by handle.
    ids: SparseTable,
    /// Id + 1 by handle, for the regions that are not allocation functions.
    plain_regions: SparseTable<NEAR_REGIONS>,
    /// The kind of allocation function, by the handle of its region or calling context.
    memory_regions: SparseTable,
    sets: AddressTable<SamplingSet>,
    /// Ids of I/O paradigms, by type.
    io_paradigms: [AtomicU8; unknown::IO_PARADIGMS],
    /// The host's definition memory.
    arena: Arena,
    bump: Bump,
    /// Receives the data about definitions that recovery requires.
    journal: &'static Journal,
    state: Mutex<DefinitionState>,
}

/// The state that is modified under the lock.
#[derive(Debug)]
pub(crate) struct DefinitionState {
    pub(crate) log: DefinitionLog,
    counters: Counters,
    announced: PageVec<Definition>,
    /// The number of announcements whose handle cannot be that of a definition.
    unreadable: u64,
    /// The group of the locations of the unknown paradigm, if there is one.
    locations: Option<GroupRef>,
    /// The number of definitions that were announced before the processes were initialised.
    announced_before_processes: Option<usize>,
}

impl DefinitionIds {
    /// Creates an empty set of definitions. Returns `None` if there is no memory for the tables.
    pub(crate) fn new(budget: &'static Budget, journal: &'static Journal) -> Option<Self> {
        attribute::note_all(journal);
        let log = DefinitionLog::in_journal(budget, journal);
        let state = DefinitionState {
            log,
            counters: Counters::default(),
            announced: PageVec::new(budget),
            unreadable: 0,
            locations: None,
            announced_before_processes: None,
        };
        Some(Self {
            ids: SparseTable::new(budget)?,
            plain_regions: SparseTable::new(budget)?,
            memory_regions: SparseTable::new(budget)?,
            sets: AddressTable::new(budget)?,
            io_paradigms: unknown::io_paradigm_ids(),
            arena: Arena::new(),
            bump: Bump::new(budget),
            journal,
            state: Mutex::new(state),
        })
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, DefinitionState> {
        // A thread that panicked under the lock has switched the plugin off. The log still consists
        // of complete records.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The id of an announced definition, or all ones for any other handle.
    pub(crate) fn id(&self, handle: u32) -> u32 {
        (self.ids.get(handle) & !UNSETTLED).wrapping_sub(1)
    }

    /// The id of a communicator that an event refers to. At its first event the communicator is
    /// complete and is noted in the journal.
    #[inline]
    pub(crate) fn communicator(&self, communicator: InterimCommunicatorHandle) -> u32 {
        match self.ids.get(communicator.raw()) {
            unsettled if unsettled & UNSETTLED != 0 => self.settle(communicator, unsettled),
            settled => settled.wrapping_sub(1),
        }
    }

    #[cold]
    fn settle(&self, communicator: InterimCommunicatorHandle, value: u32) -> u32 {
        // This cannot fail: the table has an entry for the handle.
        let _ = self.ids.set(communicator.raw(), value & !UNSETTLED);
        if let Some(entry) = known::communicator::entry(self, communicator, |_| StringRef::UNDEFINED) {
            self.journal.append(&Entry::Communicator(entry));
        }
        (value & !UNSETTLED).wrapping_sub(1)
    }

    /// The id of a region that is not an allocation function, for most handles, without a function
    /// call.
    #[inline(always)]
    pub(crate) fn plain_region(&self, region: RegionHandle) -> Option<RegionRef> {
        self.plain_regions.get_near(region.raw())?.checked_sub(1).map(RegionRef)
    }

    /// The kind of allocation function of a region or calling context, if it is one.
    pub(crate) fn memory_region(&self, handle: u32) -> Option<MemoryRegion> {
        Some(MemoryRegion(self.memory_regions.get(handle))).filter(|region| region.0 != 0)
    }

    /// The region of a calling context and the context that called it; none of both if the host's
    /// memory does not show them.
    pub(crate) fn region_and_caller(
        &self,
        context: CallingContextHandle,
    ) -> (RegionHandle, CallingContextHandle) {
        let facts = self.arena.calling_context(context);
        facts.map_or((RegionHandle::NONE, CallingContextHandle::NONE), |facts| (facts.region, facts.parent))
    }

    /// The id of an I/O paradigm, which events refer to by type.
    pub(crate) fn io_paradigm(&self, paradigm: IoParadigmType) -> IoParadigmRef {
        let id = self.io_paradigms.get(paradigm.0 as usize);
        id.map_or(IoParadigmRef::UNDEFINED, |id| IoParadigmRef(id.load(Relaxed)))
    }

    /// Whether the host is of release 8.0 or later, or `None` if its definition memory does not
    /// show it.
    pub(crate) fn is_host_since_8(&self) -> Option<bool> {
        match self.arena.generation() {
            Generation::Unknown => None,
            generation => Some(generation == Generation::From8),
        }
    }

    /// Handles the announcement of a definition.
    pub(crate) fn announce(&self, definition: Definition, host: &Host) {
        let mut state = self.state();
        if !definition.handle().raw().is_multiple_of(HANDLE_STEP) {
            state.unreadable += 1;
            return;
        }
        if let Err(mismatch) = self.arena.check(host, definition) {
            report(
                NAME,
                format_args!(
                    "definitions are incomplete because the host's memory has an unexpected layout: {mismatch}"
                ),
            );
        }
        self.define(&mut state, definition, host);
        self.note(&mut state, definition, host);
        if state.announced.push(definition).is_none() {
            state.log.count_lost();
        }
    }

    /// Notes in the journal the known details of a definition that `define` did not write.
    fn note(&self, state: &mut DefinitionState, definition: Definition, host: &Host) {
        match definition {
            Definition::InterimCommunicator(communicator) => {
                let name = |name| text(&mut state.log, self.arena.string(name));
                if let Some(entry) = known::communicator::entry(self, communicator, name) {
                    self.journal.append(&Entry::Communicator(entry));
                }
            }
            definition => {
                let DefinitionState { log, announced, .. } = state;
                known::note(self, announced, log, definition, host, self.journal)
            }
        }
    }

    /// Notes the known details of all definitions again, because some were incomplete when they
    /// were announced.
    pub(crate) fn note_all(&self, host: &Host) {
        let mut state = self.state();
        for at in 0..state.announced.len() {
            let definition = state.announced[at];
            self.note(&mut state, definition, host);
        }
    }

    /// The location group of the location with this number in its process.
    pub(crate) fn location_group(&self, number: u32) -> Option<LocationGroupRef> {
        let state = self.state();
        // Most locations are looked up right after their announcement.
        let mut groups = state.announced.iter().rev().filter_map(|&definition| self.group_of(definition));
        groups.find_map(|(other, group)| (other == number).then_some(group))
    }

    /// The location groups of all locations, by location number.
    pub(crate) fn location_groups(&self) -> HashMap<u32, LocationGroupRef> {
        self.state().announced.iter().filter_map(|&definition| self.group_of(definition)).collect()
    }

    /// The number and location group of a definition that is a location.
    fn group_of(&self, definition: Definition) -> Option<(u32, LocationGroupRef)> {
        let Definition::Location(location) = definition else { return None };
        let (number, group) = (self.arena.sequence(location)?, self.arena.location(location)?.location_group);
        let group = group.map_or(LocationGroupRef(0), |group| LocationGroupRef(self.id(group.raw())));
        Some((number, group))
    }

    /// Marks the point at which the host has initialised its processes.
    pub(crate) fn init_processes(&self) {
        let mut state = self.state();
        let announced = state.announced.len();
        state.announced_before_processes.get_or_insert(announced);
    }

    /// The approximate size of the definitions in bytes.
    pub(crate) fn bytes(&self) -> usize {
        /// The size of a typical definition with its name.
        const USUAL: usize = 64;
        let state = self.state();
        state.log.log().len().saturating_add(state.announced.len().saturating_mul(USUAL))
    }

    /// Returns the definitions with all details known at the end. `number` returns the id of the
    /// location at an address.
    pub(crate) fn complete(
        &self,
        host: &Host,
        facts: attribute::Facts,
        number: impl Fn(usize) -> Option<LocationRef>,
    ) -> Completed {
        let mut state = self.state();
        let lost_before = state.log.lost();
        let is_readable = self.arena.is_on();
        let known = is_readable.then(|| known::complete(self, &state, host)).flatten();
        if is_readable && known.is_none() {
            // Each of them has details that are not in the archive.
            for _ in 0..state.announced.len() {
                state.log.count_lost();
            }
        }
        let mut completed = known.unwrap_or_else(|| self.complete_without_memory(&mut state, host, number));
        completed.lost_before = lost_before;
        completed.unreadable += state.unreadable;
        let strings = state.announced.iter().filter_map(|definition| match *definition {
            Definition::String(string) => host.string(string).map(CStr::to_bytes),
            _ => None,
        });
        let attributes = attribute::define_all(&mut completed.log, facts, strings);
        completed.mappings.push((references::Space::Attribute, attributes));
        completed
    }

    /// Completes the definitions with the getters only. Other definitions are written with unknown
    /// details.
    fn complete_without_memory(
        &self,
        state: &mut DefinitionState,
        host: &Host,
        number: impl Fn(usize) -> Option<LocationRef>,
    ) -> Completed {
        self.define_unknown_groups(state, host.ipc_size().unwrap_or(1));
        self.define_instances(state, host, number);
        for at in 0..state.announced.len() {
            match state.announced[at] {
                // The file and lines of sampled functions have become known since the announcement.
                Definition::Region(region) => {
                    let record = self.region_record(&mut state.log, region, host);
                    state.log.define(&record);
                }
                Definition::IoParadigm(_) => self.define_unknown_io_paradigms(&mut state.log),
                _ => {}
            }
        }
        let log = core::mem::replace(&mut state.log, DefinitionLog::new(&BUDGET));
        Completed {
            keys: unknown::keys(&log),
            log,
            mappings: Vec::new(),
            has_system_tree: false,
            unreadable: 0,
            lost_before: 0,
            groups: HashMap::default(),
        }
    }

    /// Assigns the definition its id and writes its known details.
    fn define(&self, state: &mut DefinitionState, definition: Definition, host: &Host) {
        match definition {
            Definition::String(string) => self.define_string(state, string, host),
            Definition::Region(region) => self.define_region(state, region, host),
            Definition::Metric(metric) => self.define_metric(state, metric, host),
            Definition::SamplingSet(set) => self.define_sampling_set(state, set, host),
            Definition::Parameter(parameter) => self.define_parameter(state, parameter, host),
            Definition::Paradigm(paradigm) => define_usual_paradigm(&mut state.log, paradigm, host),
            Definition::CallingContext(context) => self.define_calling_context(state, context, host),
            Definition::InterimCommunicator(handle) => {
                self.define_unknown_comm(state, handle);
                self.set_id(state, handle.raw(), self.id(handle.raw()) | UNSETTLED);
            }
            Definition::RmaWindow(handle) => self.define_unknown_window(state, handle),
            Definition::InterruptGenerator(handle) => self.define_unknown_interrupt_generator(state, handle),
            Definition::IoFile(handle) => self.define_unknown_io_file(state, handle),
            Definition::IoHandle(handle) => self.define_unknown_io_handle(state, handle),
            Definition::IoParadigm(handle) => self.number_io_paradigm(handle),
            // These get only an id now; their records are written at the end.
            Definition::Group(handle) => self.number_group(state, handle),
            Definition::SystemTreeNode(handle) => {
                _ = self.assign(state, CountedSpace::SystemTreeNode, handle)
            }
            Definition::LocationGroup(handle) => _ = self.assign(state, CountedSpace::LocationGroup, handle),
            Definition::SourceCodeLocation(handle) => {
                _ = self.assign(state, CountedSpace::SourceCodeLocation, handle)
            }
            Definition::CartesianTopology(handle) => {
                _ = self.assign(state, CountedSpace::CartTopology, handle)
            }
            _ => {}
        }
    }

    /// The id of `handle`. A handle without one is assigned the number that the host gave it, or
    /// else the next free id of `space`.
    fn assign(&self, state: &mut DefinitionState, space: CountedSpace, handle: impl Numbered) -> u32 {
        match self.ids.get(handle.raw()) {
            0 => {
                let id = state.counters.next(space, self.arena.sequence(handle));
                self.set_id(state, handle.raw(), id);
                id
            }
            known => (known & !UNSETTLED).wrapping_sub(1),
        }
    }

    fn set_id(&self, state: &mut DefinitionState, handle: u32, id: u32) {
        if self.ids.set(handle, id.wrapping_add(1)).is_none() {
            state.log.count_lost();
        }
    }

    fn define_string(&self, state: &mut DefinitionState, string: StringHandle, host: &Host) {
        let id = text(&mut state.log, host.string(string));
        self.set_id(state, string.raw(), id.0);
    }

    fn define_region(&self, state: &mut DefinitionState, region: RegionHandle, host: &Host) {
        let id = self.assign(state, CountedSpace::Region, region);
        let kept = match MemoryRegion::of(region, host) {
            Some(memory) => self.memory_regions.set(region.raw(), memory.0),
            None => self.plain_regions.set(region.raw(), id.wrapping_add(1)),
        };
        if kept.is_none() {
            state.log.count_lost();
        }
        let record = self.region_record(&mut state.log, region, host);
        let facts = self.arena.region(region);
        let description = facts
            .map_or(record.description, |facts| text(&mut state.log, self.arena.string(facts.description)));
        state.log.define(&Region { description, ..record });
    }

    /// The record of a region as the getters currently describe it.
    fn region_record(&self, log: &mut DefinitionLog, region: RegionHandle, host: &Host) -> Region {
        let region_type = host.region_type(region);
        let name = host.region_name(region);
        let file = host.region_file_name(region);
        Region {
            id: RegionRef(self.id(region.raw())),
            name: text(log, name),
            description: text(log, None),
            source_file: file.map_or(StringRef::UNDEFINED, |file| text(log, Some(file))),
            begin_line_number: host.region_begin_line(region).unwrap_or(0),
            end_line_number: host.region_end_line(region).unwrap_or(0),
            canonical_name: text(log, host.region_canonical_name(region).or(name)),
            region_role: mapping::region_role(region_type),
            paradigm: mapping::paradigm(host.region_paradigm(region)),
            region_flags: mapping::region_flags(region_type),
        }
    }

    fn define_parameter(&self, state: &mut DefinitionState, parameter: ParameterHandle, host: &Host) {
        let record = Parameter {
            id: ParameterRef(self.assign(state, CountedSpace::Parameter, parameter)),
            name: text(&mut state.log, host.parameter_name(parameter)),
            parameter_type: mapping::parameter_type(host.parameter_type(parameter)),
        };
        state.log.define(&record);
    }

    fn define_calling_context(
        &self,
        state: &mut DefinitionState,
        context: CallingContextHandle,
        host: &Host,
    ) {
        let region = host.calling_context_region(context);
        let memory = self.memory_regions.get(region.raw());
        if memory != 0 && self.memory_regions.set(context.raw(), memory).is_none() {
            state.log.count_lost();
        }
        let record = CallingContext {
            id: CallingContextRef(self.assign(state, CountedSpace::CallingContext, context)),
            region: RegionRef(self.id(region.raw())),
            source_code_location: SourceCodeLocationRef::UNDEFINED,
            parent: CallingContextRef(self.id(host.calling_context_parent(context).raw())),
        };
        state.log.define(&record);
    }
}

/// The id of a text, or of the empty text if there is none.
fn text(log: &mut DefinitionLog, text: Option<&CStr>) -> StringRef {
    log.string(text.map_or(b"", CStr::to_bytes))
}

fn define_paradigm(log: &mut DefinitionLog, handle: ParadigmHandle, host: &Host) -> enums::Paradigm {
    let paradigm = mapping::paradigm(host.paradigm_type(handle));
    let name = text(log, host.paradigm_name(handle));
    let paradigm_class = mapping::paradigm_class(host.paradigm_class(handle));
    log.define(&Paradigm { paradigm, name, paradigm_class });
    paradigm
}

/// Defines a paradigm and the templates with which Score-P names its nameless communicators and
/// windows.
fn define_usual_paradigm(log: &mut DefinitionLog, handle: ParadigmHandle, host: &Host) {
    let paradigm = define_paradigm(log, handle, host);
    let (comm, window): (&[u8], &[u8]) = match host.paradigm_type(handle) {
        ParadigmType::MPI => (b"Comm ${id}", b"Win ${id}"),
        ParadigmType::OPENMP => (b"Thread team ${id}", b""),
        _ => return,
    };
    for (property, template) in [
        (enums::ParadigmProperty::COMM_NAME_TEMPLATE, comm),
        (enums::ParadigmProperty::RMA_WIN_NAME_TEMPLATE, window),
    ] {
        if !template.is_empty() {
            let value = Value::from(log.string(template));
            log.define(&ParadigmProperty { paradigm, property, value });
        }
    }
}
