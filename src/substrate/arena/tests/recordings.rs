//! Tests of the arena with every recorded process: its definitions as they were at each
//! announcement, at `pre_unify` and at `write_data`.
//!
//! The host's getters return the values that they returned in that process, so that recorded memory
//! is compared with recorded results.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::Value;

use super::block::{Block, PAGE};
use super::host::{self, Getter, set_answer};
use super::reference;
use crate::arena::*;
use crate::handles::*;
use crate::host::Host;
use crate::kinds::HandleType;

/// The distance of handle 0 from the start of a page.
const SKEW: usize = 40;

/// The folders of recordings, each with the generation of its host.
fn cases() -> Vec<(PathBuf, Generation)> {
    let sets = [("scorep-recordings", Generation::From8, 9), ("scorep-recordings-7.1", Generation::UpTo7, 3)];
    let mut cases = Vec::new();
    for (set, generation, count) in sets {
        let mut found = kymo_testdata::cases(set);
        found.retain(|path| path.join("rank0.jsonl.gz").exists());
        assert!(found.len() >= count, "{set} has too few recordings");
        cases.extend(found.into_iter().map(|path| (path, generation)));
    }
    cases
}

fn open(path: &Path) -> GzDecoder<File> {
    GzDecoder::new(File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// A recorded process at some point of its life.
pub(super) struct Process {
    pub(super) arena: Arena,
    pub(super) definitions: Vec<(Definition, Value)>,
    host: Host,
    block: Block,
    /// The addresses of the texts.
    texts: HashMap<String, u64>,
}

impl Process {
    fn new(size: usize) -> Self {
        let block = Block::new((size + SKEW).next_multiple_of(PAGE));
        Self { arena: Arena::new(), definitions: Vec::new(), host: host::new(), block, texts: HashMap::new() }
    }

    fn address(&self, handle: u32, offset: usize) -> u64 {
        (self.block.start() + SKEW + handle as usize + offset) as u64
    }

    /// Replays an announcement, and compares the results of the arena at this point.
    fn announce(&mut self, line: &Value) {
        let handle = number(line, "handle");
        let raw = line["raw"].as_str().expect("hexadecimal digits");
        let byte = |at| u8::from_str_radix(&raw[at..at + 2], 16).expect("hexadecimal digits");
        let raw: Vec<u8> = (0..raw.len()).step_by(2).map(byte).collect();
        self.block.write(SKEW + handle as usize, &raw);
        // SAFETY: this test's host follows no handle.
        let definition = unsafe { Definition::from_raw(handle, HandleType(number(line, "type_id"))) };
        self.answer(definition, line);
        if let Err(mismatch) = self.arena.check(&self.host, definition) {
            panic!("{mismatch}: {line}");
        }
        self.compare(definition, line);
        self.definitions.push((definition, line.clone()));
    }

    /// Sets the values that the getters returned in the process.
    fn answer(&mut self, definition: Definition, line: &Value) {
        let handle = definition.handle().raw();
        let text =
            |name: &str| line[name].as_str().and_then(|text| self.texts.get(text)).copied().unwrap_or(0);
        let set_answer = |getter, name| set_answer(getter, handle, number(line, name).into());
        match definition {
            Definition::String(_) => {
                let address = self.address(handle, 24);
                host::set_answer(Getter::SCOREP_StringHandle_Get, handle, address);
                self.texts.insert(line["value"].as_str().expect("a text").to_owned(), address);
            }
            Definition::Region(_) => {
                host::set_answer(Getter::SCOREP_RegionHandle_GetName, handle, text("name"));
                set_answer(Getter::SCOREP_RegionHandle_GetId, "id");
                set_answer(Getter::SCOREP_RegionHandle_GetType, "region_type");
                set_answer(Getter::SCOREP_RegionHandle_GetBeginLine, "begin_line");
                set_answer(Getter::SCOREP_RegionHandle_GetEndLine, "end_line");
                set_answer(Getter::SCOREP_RegionHandle_GetParadigmType, "paradigm");
            }
            Definition::Metric(_) => {
                set_answer(Getter::SCOREP_MetricHandle_GetValueType, "value_type");
                set_answer(Getter::SCOREP_MetricHandle_GetMode, "mode");
                set_answer(Getter::SCOREP_MetricHandle_GetSourceType, "source_type");
                set_answer(Getter::SCOREP_MetricHandle_GetProfilingType, "profiling_type");
            }
            Definition::SamplingSet(_) => {
                let count = line["metrics"].as_array().map_or(0, Vec::len);
                host::set_answer(Getter::SCOREP_SamplingSetHandle_GetNumberOfMetrics, handle, count as u64);
                let metrics = self.address(self.class_of(handle, line), 60);
                host::set_answer(Getter::SCOREP_SamplingSetHandle_GetMetricHandles, handle, metrics);
                set_answer(Getter::SCOREP_SamplingSetHandle_IsScoped, "scoped");
            }
            Definition::Parameter(_) => set_answer(Getter::SCOREP_ParameterHandle_GetType, "parameter_type"),
            Definition::Paradigm(_) => {
                set_answer(Getter::SCOREP_ParadigmHandle_GetType, "paradigm");
                set_answer(Getter::SCOREP_ParadigmHandle_GetClass, "class");
            }
            Definition::SourceFile(_) => {
                host::set_answer(Getter::SCOREP_SourceFileHandle_GetName, handle, text("name"));
            }
            Definition::CallingContext(_) => {
                set_answer(Getter::SCOREP_CallingContextHandle_GetRegion, "region");
                set_answer(Getter::SCOREP_CallingContextHandle_GetParent, "parent");
            }
            _ => {}
        }
    }

    /// The set without scope that has the same metrics.
    fn class_of(&self, set: u32, line: &Value) -> u32 {
        if number(line, "scoped") == 0 {
            return set;
        }
        let is_class = |other: &Value| other["metrics"] == line["metrics"] && other["scoped"] == 0;
        let class = self
            .definitions
            .iter()
            .find(|(definition, other)| matches!(definition, Definition::SamplingSet(_)) && is_class(other));
        class.expect("a set with the metrics of a scoped one").0.handle().raw()
    }

    /// Compares the results of the arena with those of the getters.
    fn compare(&self, definition: Definition, line: &Value) {
        let word = |name| number(line, name);
        let same_text = |string, name: &str| {
            assert_eq!(self.text(string).as_deref(), line[name].as_str(), "{name} of {line}");
        };
        match definition {
            Definition::String(string) => same_text(string, "value"),
            Definition::Region(region) => {
                let facts = self.arena.region(region).expect("a region");
                same_text(facts.name, "name");
                same_text(facts.canonical_name, "canonical_name");
                same_text(facts.file_name, "file");
                let found = [facts.region_type.0, facts.paradigm.0, facts.begin_line, facts.end_line];
                assert_eq!(found, ["region_type", "paradigm", "begin_line", "end_line"].map(word), "{line}");
                assert_eq!(self.arena.sequence(region), Some(word("id")));
            }
            Definition::Metric(metric) => {
                let facts = self.arena.metric(metric).expect("a metric");
                same_text(facts.name, "name");
                let found = [facts.value_type.0, facts.mode.0, facts.source_type.0, facts.profiling_type.0];
                assert_eq!(found, ["value_type", "mode", "source_type", "profiling_type"].map(word));
            }
            Definition::SamplingSet(set) => self.compare_sampling_set(set, line),
            Definition::Parameter(parameter) => {
                let facts = self.arena.parameter(parameter).expect("a parameter");
                same_text(facts.name, "name");
                assert_eq!(facts.parameter_type.0, word("parameter_type"));
            }
            Definition::Paradigm(paradigm) => {
                let facts = self.arena.paradigm(paradigm).expect("a paradigm");
                same_text(facts.name, "name");
                assert_eq!([facts.paradigm_type.0, facts.class.0], ["paradigm", "class"].map(word));
            }
            Definition::SourceFile(file) => {
                same_text(self.arena.source_file(file).expect("a source file").name, "name");
            }
            Definition::CallingContext(context) => {
                let facts = self.arena.calling_context(context).expect("a calling context");
                assert_eq!([facts.region.raw(), facts.parent.raw()], ["region", "parent"].map(word));
            }
            _ => {}
        }
    }

    fn compare_sampling_set(&self, set: SamplingSetHandle, line: &Value) {
        let class = match self.arena.scoped_sampling_set(set) {
            Some(scoped) => scoped.sampling_set,
            None => set,
        };
        assert_eq!(class == set, number(line, "scoped") == 0);
        let facts = self.arena.sampling_set(class).expect("a sampling set");
        assert_eq!(
            [facts.occurrence.0, facts.class.0],
            ["occurrence", "class"].map(|name| number(line, name))
        );
        let metrics =
            self.arena.metrics(class).expect("metrics").iter().map(|metric| Value::from(metric.raw()));
        assert_eq!(Some(&metrics.collect()), line["metrics"].as_array());
    }

    /// Asserts that the details of every definition can be read.
    fn all_can_be_read(&self) {
        for &(definition, ref line) in &self.definitions {
            assert!(is_known(&self.arena, definition), "{line}");
        }
    }

    fn load(&self, bytes: &[u8]) {
        self.block.write(SKEW, bytes);
    }

    pub(super) fn text(&self, string: StringHandle) -> Option<String> {
        let text = self.arena.string(string)?;
        Some(text.to_str().expect("UTF-8 in these recordings").to_owned())
    }

    /// The announced definitions of a kind.
    pub(super) fn all<'a, H: 'a>(
        &'a self,
        pick: impl Fn(Definition) -> Option<H> + 'a,
    ) -> impl Iterator<Item = H> + 'a {
        self.definitions.iter().filter_map(move |&(definition, _)| pick(definition))
    }
}

fn is_known(arena: &Arena, definition: Definition) -> bool {
    match definition {
        Definition::CallingContext(handle) => arena.calling_context(handle).is_some(),
        Definition::Group(handle) => arena.group(handle).is_some() && arena.group_members(handle).is_some(),
        Definition::InterimCommunicator(handle) => arena.interim_communicator(handle).is_some(),
        Definition::InterruptGenerator(handle) => arena.interrupt_generator(handle).is_some(),
        Definition::Location(handle) => arena.location(handle).is_some(),
        Definition::LocationGroup(handle) => arena.location_group(handle).is_some(),
        Definition::LocationProperty(handle) => arena.location_property(handle).is_some(),
        Definition::Metric(handle) => arena.metric(handle).is_some(),
        Definition::Paradigm(handle) => arena.paradigm(handle).is_some(),
        Definition::Parameter(handle) => arena.parameter(handle).is_some(),
        Definition::Region(handle) => arena.region(handle).is_some(),
        Definition::RmaWindow(handle) => arena.rma_window(handle).is_some(),
        Definition::SamplingSet(handle) => {
            arena.scoped_sampling_set(handle).is_some() || arena.recorders(handle).is_some()
        }
        Definition::SamplingSetRecorder(handle) => arena.sampling_set_recorder(handle).is_some(),
        Definition::SourceCodeLocation(handle) => arena.source_code_location(handle).is_some(),
        Definition::SourceFile(handle) => arena.source_file(handle).is_some(),
        Definition::String(handle) => arena.string(handle).is_some(),
        Definition::SystemTreeNode(handle) => arena.system_tree_node_properties(handle).is_some(),
        Definition::SystemTreeNodeProperty(handle) => arena.system_tree_node_property(handle).is_some(),
        Definition::CartesianTopology(handle) => arena.dimensions(handle).is_some(),
        Definition::CartesianCoords(handle) => arena.coordinates(handle).is_some(),
        Definition::IoFile(handle) => arena.io_file_properties(handle).is_some(),
        Definition::IoFileProperty(handle) => arena.io_file_property(handle).is_some(),
        Definition::IoHandle(handle) => arena.io_handle(handle).is_some(),
        Definition::IoParadigm(handle) => arena.io_paradigm(handle).is_some(),
        Definition::Other(..) => false,
    }
}

fn number(line: &Value, name: &str) -> u32 {
    let number = line[name].as_u64().and_then(|number| u32::try_from(number).ok());
    number.unwrap_or_else(|| panic!("no number `{name}` in {line}"))
}

/// Replays a process up to `write_data`.
fn play(folder: &Path, rank: u32, generation: Generation) -> Process {
    let file = |what: &str| folder.join(format!("rank{rank}.{what}.gz"));
    let snapshot = |what: &str| {
        let mut bytes = Vec::new();
        open(&file(what)).read_to_end(&mut bytes).expect("a snapshot");
        bytes
    };
    let (pre_unify, write_data) = (snapshot("pre_unify.arena"), snapshot("write_data.arena"));
    let mut process = Process::new(pre_unify.len().max(write_data.len()));
    let mut payloads = HashMap::new();
    for line in BufReader::new(open(&file("jsonl"))).lines() {
        let line = line.expect("a line");
        // Most lines are events.
        if line.starts_with("{\"call\": \"event\"") {
            continue;
        }
        let line: Value = serde_json::from_str(&line).expect("an object");
        match line["call"].as_str() {
            Some("new_definition_handle") => process.announce(&line),
            Some("pre_unify") => {
                process.load(&pre_unify);
                process.all_can_be_read();
                let unchanged = process.definitions.iter();
                unchanged.for_each(|(definition, line)| process.compare(*definition, line));
                payloads = before_unification(&process);
            }
            Some("write_data") => {
                process.load(&write_data);
                process.all_can_be_read();
                after_unification(&process, rank, &payloads);
            }
            _ => {}
        }
    }
    assert_eq!((process.arena.generation(), process.arena.is_on()), (generation, true));
    assert!(process.definitions.len() > 20);
    process
}

fn interim(definition: Definition) -> Option<InterimCommunicatorHandle> {
    match definition {
        Definition::InterimCommunicator(handle) => Some(handle),
        _ => None,
    }
}

/// Checks that no definition is unified yet. Returns the payloads of MPI communicators.
fn before_unification(process: &Process) -> HashMap<InterimCommunicatorHandle, MpiPayload> {
    for handle in process.all(interim) {
        assert_eq!(process.arena.unified(handle), None);
    }
    for window in process.all(window) {
        let communicator = process.arena.rma_window(window).expect("a window").communicator;
        assert!(matches!(communicator, AnyCommunicator::Interim(_)));
    }
    process.all(interim).filter_map(|handle| Some((handle, process.arena.mpi_payload(handle)?))).collect()
}

fn window(definition: Definition) -> Option<RmaWindowHandle> {
    match definition {
        Definition::RmaWindow(handle) => Some(handle),
        _ => None,
    }
}

/// Checks that every interim communicator has a final one whose groups were announced and agree
/// with the payload.
fn after_unification(
    process: &Process,
    rank: u32,
    payloads: &HashMap<InterimCommunicatorHandle, MpiPayload>,
) {
    let groups: BTreeSet<u32> = process
        .definitions
        .iter()
        .filter(|(definition, _)| matches!(definition, Definition::Group(_)))
        .map(|(definition, _)| definition.handle().raw())
        .collect();
    for handle in process.all(interim) {
        let unified = process.arena.unified(handle).expect("a final communicator");
        let communicator = process.arena.communicator(unified).expect("a communicator");
        assert!(groups.contains(&communicator.group_a.raw()) && groups.contains(&communicator.group_b.raw()));
        let Some(payload) = payloads.get(&handle) else { continue };
        let local = if payload.is_group_b { communicator.group_b } else { communicator.group_a };
        let members = process.arena.group_members(local).expect("members");
        if process.arena.group(local).map(|group| group.group_type) == Some(GroupType::MPI_SELF) {
            assert_eq!((payload.size, payload.rank, members.len()), (1, 0, 0));
            continue;
        }
        assert_eq!(members.len(), payload.size as usize);
        assert_eq!(members.get(payload.rank as usize), Some(rank.into()));
        // In an inter-communicator, the root is in group A, which both sides can read.
        let first = process.arena.group_members(communicator.group_a).expect("members");
        assert_eq!(first.get(0), Some(payload.global_root_rank.into()));
        assert_eq!(communicator.unify_key, payload.root_id);
        let interim = process.arena.interim_communicator(handle).expect("an interim communicator");
        let parent = process.arena.unified(interim.parent).unwrap_or(CommunicatorHandle::NONE);
        assert!(communicator.parent == parent || communicator.parent.is_none());
    }
}

#[test]
fn every_recorded_process_passes_every_check() {
    let mut processes = 0;
    for (folder, generation) in cases() {
        let mut defined = BTreeSet::new();
        let mut ranks = 0;
        while folder.join(format!("rank{ranks}.jsonl.gz")).exists() {
            defined.extend(reference::of_arena(&play(&folder, ranks, generation)));
            ranks += 1;
        }
        let mut text = String::new();
        open(&folder.join("otf2-print.txt.gz")).read_to_string(&mut text).expect("the output of otf2-print");
        reference::compare(&folder, &defined, &reference::of_text(&text), ranks);
        processes += ranks;
    }
    eprintln!("{processes} processes");
}
