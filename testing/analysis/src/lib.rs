//! Traces that are made in memory.

use kymo_analysis::profile::{Profile, Sums};
use kymo_analysis::{Selection, Trace, profile, statistics};
use kymo_otf2::definitions::{
    CallingContext, ClockProperties, Comm, GlobalDefinition, Group, InterruptGenerator, IoHandle, IoParadigm,
    IoRegularFile, Location, MetricClass, MetricMember, Region, RmaWin, String,
};
use kymo_otf2::enums::{
    Base, CollectiveOp, GroupType, InterruptGeneratorMode, IoOperationMode, IoParadigmClass, LocationType,
    MetricMode, MetricOccurrence, MetricType, Paradigm, RecorderKind, RegionRole, Type,
};
use kymo_otf2::events::*;
use kymo_otf2::flags::{CommFlag, GroupFlag, IoHandleFlag, IoOperationFlag, IoParadigmFlag, RmaWinFlag};
use kymo_otf2::list::List;
use kymo_otf2::read::{Archive, Options};
use kymo_otf2::references::*;
use kymo_otf2::storage::{Memory, Storage};
use kymo_otf2::write::{EventWriter, GlobalDefinitionWriter, StoragePieces, anchor};
use kymo_otf2::{Anchor, FileName};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Regions are named by letters.
pub const NAMES: &[u8] = b"abcdefghij";
/// A function that samples have found.
pub const FOUND: u8 = b'g';
/// The regions of MPI.
pub const MPI: &[u8] = b"hij";
/// More regions of MPI, with names that mean something.
pub const FUNCTIONS: [&str; 15] = [
    "MPI_Wait",
    "MPI_Test",
    "MPI_Bsend",
    "MPI_Ssend",
    "MPI_Finalize",
    "MPI_Init",
    "MPI_Put",
    "MPI_Win_post",
    "MPI_Win_start",
    "MPI_Win_complete",
    "MPI_Win_wait",
    "MPI_Win_test",
    "MPI_Win_lock",
    "MPI_Win_unlock",
    "MPI_Win_flush",
];
/// Functions of threads, with names that mean something, and constructs of OpenMP.
pub const THREAD_FUNCTIONS: [&str; 14] = [
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_cond_wait",
    "pthread_cond_signal",
    "pthread_join",
    "pthread_barrier_wait",
    "sem_wait",
    "sem_post",
    "!$omp barrier",
    "!$omp taskwait",
    "!$omp taskgroup",
    "!$omp ordered",
    "!$omp parallel",
    "pthread_rwlock_wrlock",
];
/// Functions that use files, with names that mean something.
pub const FILE_FUNCTIONS: [&str; 2] = ["flock", "MPI_File_write_all"];
/// The communicator of all locations.
pub const WORLD: CommRef = CommRef(0);
/// A communicator of which each location has its own.
pub const OWN: CommRef = CommRef(1);
/// A window of [`WORLD`].
pub const WINDOW: RmaWinRef = RmaWinRef(0);
/// The members of the groups of epochs, by the bits of their numbers.
const GROUP_MEMBERS: [&[u64]; 16] = [
    &[],
    &[0],
    &[1],
    &[0, 1],
    &[2],
    &[0, 2],
    &[1, 2],
    &[0, 1, 2],
    &[3],
    &[0, 3],
    &[1, 3],
    &[0, 1, 3],
    &[2, 3],
    &[0, 2, 3],
    &[1, 2, 3],
    &[0, 1, 2, 3],
];
/// The handles: two of a file whose name is `a`, and one without a file whose name is `b`.
pub const HANDLES: [IoHandleRef; 3] = [IoHandleRef(0), IoHandleRef(1), IoHandleRef(2)];
/// A handle that all members of [`WORLD`] use together.
pub const SHARED_HANDLE: IoHandleRef = IoHandleRef(3);
/// A stream of the C library with the file whose name is `a`.
pub const STREAM: IoHandleRef = IoHandleRef(4);
/// The calling contexts by id: region and parent.
pub const CONTEXTS: [(u8, Option<u32>); 5] =
    [(b'a', None), (b'b', Some(0)), (b'c', Some(1)), (b'd', Some(0)), (b'b', Some(2))];
/// The metrics by id, each with a class of its own with the same id: mode and type.
pub const METRICS: [(MetricMode, Type); 4] = [
    (MetricMode::ACCUMULATED_START, Type::UINT64),
    (MetricMode::ACCUMULATED_START, Type::DOUBLE),
    (MetricMode::RELATIVE_LAST, Type::INT64),
    (MetricMode::ABSOLUTE_POINT, Type::UINT64),
];
const MEMBERS: [&[MetricMemberRef]; 4] =
    [&[MetricMemberRef(0)], &[MetricMemberRef(1)], &[MetricMemberRef(2)], &[MetricMemberRef(3)]];
/// The period of interrupt generator 0, in nanoseconds. Generator 1 counts events.
pub const PERIOD: u64 = 1000;

/// An event at a time.
pub type Timed = (u64, Event<'static>);

/// Returns the region with this name.
pub fn region(name: u8) -> RegionRef {
    RegionRef(NAMES.iter().position(|it| *it == name).expect("a name") as u32)
}

/// Returns the region with this name of [`FUNCTIONS`], [`THREAD_FUNCTIONS`] or
/// [`FILE_FUNCTIONS`].
pub fn function(name: &str) -> RegionRef {
    let place = functions().position(|it| it == name).expect("a function");
    RegionRef((NAMES.len() + place) as u32)
}

fn functions() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.into_iter().chain(THREAD_FUNCTIONS).chain(FILE_FUNCTIONS)
}

/// Returns the group of these ranks, below 4.
pub fn group_of(ranks: &[u64]) -> GroupRef {
    GroupRef(2 + ranks.iter().map(|rank| 1 << rank).sum::<u32>())
}

/// Parses enters and leaves: `a` enters the region `a`, `A` leaves it, both at the next time.
pub fn events(script: &str) -> Vec<Timed> {
    (0..)
        .zip(script.bytes())
        .filter(|(_, byte)| *byte != b' ')
        .map(|(time, byte)| (time, event(byte)))
        .collect()
}

/// Returns the event that a letter stands for.
pub fn event(byte: u8) -> Event<'static> {
    match byte.is_ascii_lowercase() {
        true => Event::Enter(Enter { region: region(byte) }),
        false => Event::Leave(Leave { region: region(byte.to_ascii_lowercase()) }),
    }
}

/// Creates a trace with a location for each list of events, and clock properties.
pub fn trace(locations: &[Vec<Timed>], clock: ClockProperties) -> Trace {
    with_definitions(locations, &definitions(locations, clock))
}

/// Like [`trace`], but each location belongs to a process, of which there are as many as ranks. The
/// ranks are processes, or else the first locations of processes.
pub fn trace_of_processes(
    locations: &[Vec<Timed>],
    processes: &[u32],
    are_ranks: bool,
    clock: ClockProperties,
) -> Trace {
    let first = |process| processes.iter().position(|it| *it == process).expect("a location") as u64;
    let ranks = 0..=processes.iter().copied().max().unwrap_or(0);
    let members: Vec<u64> = ranks.map(|rank| if are_ranks { rank.into() } else { first(rank) }).collect();
    let mut all = definitions(locations, clock);
    for definition in &mut all {
        match definition {
            GlobalDefinition::Location(it) => {
                it.location_group = LocationGroupRef(processes[it.id.0 as usize]);
            }
            GlobalDefinition::Group(it) if it.group_type == GroupType::COMM_LOCATIONS => {
                it.members = List::truncated(&members);
                if are_ranks {
                    it.group_type = GroupType::COMM_LOCATION_GROUPS;
                }
            }
            _ => {}
        }
    }
    with_definitions(locations, &all)
}

fn with_definitions(locations: &[Vec<Timed>], all: &[GlobalDefinition<'_>]) -> Trace {
    let storage = Memory::new();
    storage.create().expect("an archive");
    let pieces = StoragePieces::new(&storage, FileName::GlobalDefinitions, 4096);
    let creator = "Kymo tests".into();
    let anchor = Anchor { number_of_locations: locations.len() as u64, creator, ..Anchor::default() };
    let mut writer = GlobalDefinitionWriter::new(pieces, anchor.definition_chunk_size).expect("a writer");
    all.iter().for_each(|it| writer.record(it).expect("a definition"));
    writer.finish().expect("a file");
    for (id, events) in (0..).zip(locations) {
        let pieces = StoragePieces::new(&storage, FileName::Events(id), 4096);
        let mut writer = EventWriter::new(pieces, anchor.event_chunk_size).expect("a writer");
        events.iter().for_each(|(time, event)| writer.record(*time, event).expect("an event"));
        writer.finish().expect("a file");
    }
    let anchor = Anchor { number_of_global_definitions: all.len() as u64, ..anchor };
    let bytes = anchor::anchor_bytes(&anchor).expect("an anchor");
    storage.write_at(FileName::Anchor, 0, &bytes).expect("room");
    let archive = Archive::in_storage(Arc::new(storage), Options::default()).expect("an archive");
    Trace::of(archive).expect("definitions")
}

fn definitions(locations: &[Vec<Timed>], clock: ClockProperties) -> Vec<GlobalDefinition<'static>> {
    let mut all = vec![GlobalDefinition::ClockProperties(clock)];
    for (id, name) in (0..).zip(NAMES.chunks(1)) {
        let text = std::str::from_utf8(name).expect("a letter");
        all.push(GlobalDefinition::String(String { id: StringRef(id), string: text.into() }));
        let mut region = Region::function(RegionRef(id), StringRef(id));
        if MPI.contains(&name[0]) {
            region.paradigm = Paradigm::MPI;
        }
        if name[0] == FOUND {
            region.paradigm = Paradigm::SAMPLING;
        }
        all.push(GlobalDefinition::Region(region));
    }
    for (id, name) in (NAMES.len() as u32..).zip(functions()) {
        all.push(GlobalDefinition::String(String { id: StringRef(id), string: name.into() }));
        let mut region = Region::function(RegionRef(id), StringRef(id));
        region.paradigm = match name {
            name if name.starts_with("!$omp") => Paradigm::OPENMP,
            name if name.starts_with("MPI_") => Paradigm::MPI,
            "flock" => Paradigm::UNKNOWN,
            _ => Paradigm::PTHREAD,
        };
        region.region_role = match name {
            "!$omp ordered" => RegionRole::ORDERED,
            "!$omp parallel" => RegionRole::PARALLEL,
            // Score-P writes waiting for tasks with this role as well.
            name if name.starts_with("!$omp") => RegionRole::BARRIER,
            name if FILE_FUNCTIONS.contains(&name) => RegionRole::FILE_IO,
            _ => region.region_role,
        };
        all.push(GlobalDefinition::Region(region));
    }
    all.extend(communicators(locations.len()));
    all.extend(files());
    for (id, (name, parent)) in (0..).zip(CONTEXTS) {
        all.push(GlobalDefinition::CallingContext(CallingContext {
            id: CallingContextRef(id),
            region: region(name),
            source_code_location: SourceCodeLocationRef::UNDEFINED,
            parent: parent.map_or(CallingContextRef::UNDEFINED, CallingContextRef),
        }));
    }
    for (id, mode) in (0..).zip([InterruptGeneratorMode::TIME, InterruptGeneratorMode::COUNT]) {
        all.push(GlobalDefinition::InterruptGenerator(InterruptGenerator {
            id: InterruptGeneratorRef(id),
            name: StringRef(0),
            interrupt_generator_mode: mode,
            base: Base::DECIMAL,
            exponent: -6,
            period: PERIOD / 1000,
        }));
    }
    for (id, (metric_mode, value_type)) in (0..).zip(METRICS) {
        all.push(GlobalDefinition::MetricMember(MetricMember {
            id: MetricMemberRef(id),
            name: StringRef(id),
            description: StringRef(id),
            metric_type: MetricType::OTHER,
            metric_mode,
            value_type,
            base: Base::DECIMAL,
            exponent: 0,
            unit: StringRef(id),
        }));
        all.push(GlobalDefinition::MetricClass(MetricClass {
            id: MetricRef(id),
            metric_members: List::new(MEMBERS[id as usize]).expect("one member"),
            metric_occurrence: MetricOccurrence::SYNCHRONOUS,
            recorder_kind: RecorderKind::CPU,
        }));
    }
    for (id, events) in (0..).zip(locations) {
        all.push(GlobalDefinition::Location(Location {
            id: LocationRef(id),
            name: StringRef(0),
            location_type: LocationType::CPU_THREAD,
            number_of_events: events.len() as u64,
            location_group: LocationGroupRef::UNDEFINED,
        }));
    }
    all
}

/// The ids of locations, of which a trace has at most this many.
static IDS: [u64; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Returns the communicators of this many locations.
fn communicators(locations: usize) -> Vec<GlobalDefinition<'static>> {
    let members = List::new(&IDS[..locations]).expect("a list");
    let group = |id, group_type, members| {
        GlobalDefinition::Group(Group {
            id: GroupRef(id),
            name: StringRef(0),
            group_type,
            paradigm: Paradigm::MPI,
            group_flags: GroupFlag::empty(),
            members,
        })
    };
    let comm = |id: CommRef, group| {
        let (name, parent, flags) = (StringRef(id.0), CommRef::UNDEFINED, CommFlag::empty());
        GlobalDefinition::Comm(Comm { id, name, group: GroupRef(group), parent, flags })
    };
    let window = RmaWin { id: WINDOW, name: StringRef(3), comm: WORLD, flags: RmaWinFlag::empty() };
    let of_epochs = (2..)
        .zip(GROUP_MEMBERS)
        .map(|(id, members)| group(id, GroupType::COMM_GROUP, List::new(members).expect("a list")));
    let all = vec![
        group(0, GroupType::COMM_LOCATIONS, members),
        group(1, GroupType::COMM_SELF, List::empty()),
        comm(WORLD, 0),
        comm(OWN, 1),
        GlobalDefinition::RmaWin(window),
    ];
    all.into_iter().chain(of_epochs).collect()
}

/// The identification of the paradigm of [`STREAM`].
const C_LIBRARY: StringRef = StringRef(1000);

fn files() -> Vec<GlobalDefinition<'static>> {
    let scope = SystemTreeNodeRef::UNDEFINED;
    let file = IoRegularFile { id: IoFileRef(0), name: StringRef(0), scope };
    let streams = [
        String { id: C_LIBRARY, string: "ISOC".into() }.into(),
        GlobalDefinition::IoParadigm(IoParadigm {
            id: IoParadigmRef(1),
            identification: C_LIBRARY,
            name: StringRef(0),
            io_paradigm_class: IoParadigmClass::SERIAL,
            io_paradigm_flags: IoParadigmFlag::empty(),
            properties: List::empty(),
        }),
    ];
    let handle = |(id, file)| {
        GlobalDefinition::IoHandle(IoHandle {
            id,
            name: StringRef(1),
            file,
            io_paradigm: IoParadigmRef(u8::from(id == STREAM)),
            io_handle_flags: IoHandleFlag::empty(),
            comm: if id == SHARED_HANDLE { WORLD } else { CommRef::UNDEFINED },
            parent: IoHandleRef::UNDEFINED,
        })
    };
    let (a, none) = (IoFileRef(0), IoFileRef::UNDEFINED);
    let handles = HANDLES.into_iter().chain([SHARED_HANDLE, STREAM]).zip([a, a, none, none, a]).map(handle);
    streams.into_iter().chain([GlobalDefinition::IoRegularFile(file)]).chain(handles).collect()
}

/// Returns the properties of a clock that counts nanoseconds for `length`.
pub fn clock(length: u64) -> ClockProperties {
    ClockProperties {
        timer_resolution: 1_000_000_000,
        global_offset: 0,
        trace_length: length,
        realtime_timestamp: u64::MAX,
    }
}

/// Profiles the trace of one location with these events, which ends with the last of them.
pub fn profiled(events: Vec<Timed>) -> Profile {
    let length = events.last().map_or(0, |it| it.0);
    profile::of(&trace(&[events], clock(length)), &Selection::default()).expect("a profile")
}

/// Returns the calls by call path, for example `abc: 2 visits, 10 ns, 7 ns`, with the inclusive
/// before the exclusive time.
pub fn listed(profile: &Profile) -> Vec<std::string::String> {
    let mut rows = BTreeMap::new();
    for (context, sums) in &profile.total().contexts {
        let path = profile.contexts.path(*context).into_iter();
        let path: std::string::String =
            path.map(|it| char::from(NAMES[profile.contexts.region(it).0 as usize])).collect();
        rows.insert(path, *sums);
    }
    rows.into_iter().map(|(path, sums)| format!("{path}: {}", shown(&sums))).collect()
}

fn shown(sums: &Sums) -> std::string::String {
    let samples = if sums.samples > 0 { format!(", {} samples", sums.samples) } else { "".into() };
    format!("{} visits, {} ns, {} ns{samples}", sums.calls.visits, sums.inclusive(), sums.exclusive())
}

/// Profiles the events that bytes describe and checks the invariants of every profile: no time is
/// counted twice, none is negative. Panics otherwise.
///
/// The first byte selects the part of the trace; then each event takes three bytes: the time since
/// the event before, the kind, and the id to which it refers.
pub fn any_events(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    let mut time = 0;
    let mut has_samples = false;
    let events: Vec<Timed> = rest
        .chunks_exact(3)
        .map(|it| {
            time += u64::from(it[0]);
            let event = any_event(it[1], it[2]);
            has_samples |= matches!(
                event,
                Event::ThreadTaskComplete(_)
                    | Event::CallingContextEnter(_)
                    | Event::CallingContextLeave(_)
                    | Event::CallingContextSample(_)
            );
            (time, event)
        })
        .collect();
    let mut selection = Selection { threads: std::num::NonZero::<usize>::MIN, ..Selection::default() };
    if first % 3 == 1 {
        (selection.from, selection.to) = (time / 4, time / 2);
    }
    let length = if first % 2 == 0 { time } else { 0 };
    let trace = trace(&[events.clone(), events], clock(length));
    any_statistics(&trace, &selection);
    selection.locations = Some([LocationRef(0)].into());
    let profile = profile::of(&trace, &selection).expect("a profile");
    assert!(profile.failures.is_empty(), "{:?}", profile.failures);
    let total = profile.total();
    let exclusive: u128 = total.contexts.values().map(Sums::exclusive).sum();
    let regions: u128 = profile.regions(&total).values().map(Sums::exclusive).sum();
    assert_eq!(exclusive, regions);
    assert!(has_samples || exclusive <= time.into(), "{exclusive} ns of {time}");
    for sums in total.contexts.values() {
        assert!(sums.exclusive() <= sums.inclusive(), "{sums:?}");
    }
}

/// Checks the invariants of all statistics: each message is counted once, and no location waits
/// longer than the trace lasts.
fn any_statistics(trace: &Trace, selection: &Selection) {
    let statistics = statistics::of(trace, selection).expect("statistics");
    let messages = &statistics.messages;
    let count = |name| statistics.kinds.get(name).copied().unwrap_or(0);
    let halves =
        2 * messages.total().count + messages.unmatched_sends.count + messages.unmatched_receives.count;
    let recorded = ["MpiSend", "MpiIsend", "MpiRecv", "MpiIrecv", "MpiMrecv", "MpiImrecv"];
    let recorded: u64 = recorded.into_iter().map(count).sum();
    let cancelled = count("MpiRequestCancelled");
    let found = halves + messages.unknown;
    assert!(found <= recorded && recorded <= found + cancelled, "{recorded} messages, {messages:?}");
    for ((wait, region), waited) in &statistics.waits.by_region {
        let longest = waited.longest.0;
        assert!(longest <= statistics.length(), "{wait:?} in {region:?}: {longest}");
        assert!(waited.time <= u128::from(longest) * u128::from(waited.count));
    }
    if let Some(efficiency) = statistics.efficiency() {
        assert!((0.0..=1.0).contains(&efficiency.parallel), "{efficiency:?}");
    }
}

/// Returns an event of communication or I/O with small numbers.
fn any_operation(what: u8) -> Event<'static> {
    let (low, high) = (u32::from(what % 4), u32::from(what / 32));
    let (request_id, msg_length) = (low.into(), high.into());
    let communicator = CommRef(u32::from(what / 4 % 3));
    let (receiver, sender, msg_tag) = (low % 3, low % 3, high % 2);
    let (collective_op, root) = (CollectiveOp(high as u8), low);
    let (handle, matching_id) = (IoHandleRef(low), u64::from(high % 2));
    match what / 16 {
        0 => Event::MpiSend(MpiSend { receiver, communicator, msg_tag, msg_length }),
        1 => Event::MpiIsend(MpiIsend { receiver, communicator, msg_tag, msg_length, request_id }),
        2 => Event::MpiIsendComplete(MpiIsendComplete { request_id }),
        3 => Event::MpiIrecvRequest(MpiIrecvRequest { request_id }),
        4 => Event::MpiRecv(MpiRecv { sender, communicator, msg_tag, msg_length }),
        5 => matched_receive(low, high, communicator),
        6 | 7 => Event::MpiIrecv(MpiIrecv { sender, communicator, msg_tag, msg_length, request_id }),
        8 => Event::MpiRequestCancelled(MpiRequestCancelled { request_id }),
        9 => Event::MpiCollectiveBegin(MpiCollectiveBegin {}),
        10 => Event::MpiCollectiveEnd(MpiCollectiveEnd {
            collective_op,
            communicator,
            root,
            size_sent: 1,
            size_received: 2,
        }),
        11 => Event::NonBlockingCollectiveRequest(NonBlockingCollectiveRequest { request_id }),
        12 => Event::NonBlockingCollectiveComplete(NonBlockingCollectiveComplete {
            collective_op,
            communicator,
            root,
            size_sent: 1,
            size_received: 2,
            request_id,
        }),
        13 => Event::RmaPut(RmaPut { win: RmaWinRef(low), remote: low, bytes: 1, matching_id }),
        14 => Event::IoOperationBegin(IoOperationBegin {
            handle,
            mode: IoOperationMode(high as u8),
            operation_flags: IoOperationFlag::empty(),
            bytes_request: 1,
            matching_id,
        }),
        _ => Event::IoOperationComplete(IoOperationComplete { handle, bytes_result: 1, matching_id }),
    }
}

fn matched_receive(kind: u32, number: u32, communicator: CommRef) -> Event<'static> {
    let (message_id, request_id, msg_length) = (number.into(), number.into(), number.into());
    match kind {
        0 => Event::MpiProbe(MpiProbe { sender: number % 3, communicator, tag: number % 2, message_id }),
        1 => Event::MpiMrecv(MpiMrecv { message_id, msg_length }),
        2 => Event::MpiImrecvRequest(MpiImrecvRequest { message_id, request_id }),
        _ => Event::MpiImrecv(MpiImrecv { request_id, msg_length }),
    }
}

fn any_event(kind: u8, what: u8) -> Event<'static> {
    let region = RegionRef(u32::from(what % 5));
    let calling_context = CallingContextRef(u32::from(what % 6));
    let unwind_distance = u32::MAX;
    let (thread_team, creating_thread) = (CommRef(0), 0);
    let generation_number = u32::from(what % 4);
    match kind % 20 {
        16.. => any_operation(what),
        0..5 => Event::Enter(Enter { region }),
        5..10 => Event::Leave(Leave { region }),
        10 | 11 => {
            Event::ThreadTaskSwitch(ThreadTaskSwitch { thread_team, creating_thread, generation_number })
        }
        12 => {
            Event::ThreadTaskComplete(ThreadTaskComplete { thread_team, creating_thread, generation_number })
        }
        13 => Event::CallingContextEnter(CallingContextEnter { calling_context, unwind_distance }),
        14 => Event::CallingContextLeave(CallingContextLeave { calling_context }),
        _ => Event::CallingContextSample(CallingContextSample {
            calling_context,
            unwind_distance,
            interrupt_generator: InterruptGeneratorRef(u32::from(what % 3)),
        }),
    }
}
