//! Traces that are made in memory.

use kymo_analysis::profile::{Profile, Sums};
use kymo_analysis::{Selection, Trace, profile};
use kymo_otf2::definitions::{
    CallingContext, ClockProperties, GlobalDefinition, InterruptGenerator, Location, MetricClass,
    MetricMember, Region, String,
};
use kymo_otf2::enums::{
    Base, InterruptGeneratorMode, LocationType, MetricMode, MetricOccurrence, MetricType, RecorderKind, Type,
};
use kymo_otf2::events::{
    CallingContextEnter, CallingContextLeave, CallingContextSample, Enter, Event, Leave, ThreadTaskComplete,
    ThreadTaskSwitch,
};
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
    let storage = Memory::new();
    storage.create().expect("an archive");
    let pieces = StoragePieces::new(&storage, FileName::GlobalDefinitions, 4096);
    let anchor = Anchor { number_of_locations: locations.len() as u64, ..Anchor::default() };
    let mut writer = GlobalDefinitionWriter::new(pieces, anchor.definition_chunk_size).expect("a writer");
    let all = definitions(locations, clock);
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
        let name = std::str::from_utf8(name).expect("a letter");
        all.push(GlobalDefinition::String(String { id: StringRef(id), string: name.into() }));
        all.push(GlobalDefinition::Region(Region::function(RegionRef(id), StringRef(id))));
    }
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

/// Returns what was entered by call path, for example `abc: 2 visits, 10 ns, 7 ns`, with the
/// inclusive before the exclusive time.
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

/// Profiles the events that bytes describe and checks what must hold for any: no time is counted
/// twice, none is negative. Panics otherwise.
///
/// The first byte selects the part of the trace; then each event takes three bytes: the time since
/// the event before, the kind, and what it refers to.
pub fn any_events(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    let mut time = 0;
    let mut has_samples = false;
    let events: Vec<Timed> = rest
        .chunks_exact(3)
        .map(|it| {
            time += u64::from(it[0]);
            let event = any_event(it[1], it[2]);
            has_samples |= !matches!(event, Event::Enter(_) | Event::Leave(_) | Event::ThreadTaskSwitch(_));
            (time, event)
        })
        .collect();
    let mut selection = Selection { threads: std::num::NonZero::<usize>::MIN, ..Selection::default() };
    if first % 3 == 1 {
        (selection.from, selection.to) = (time / 4, time / 2);
    }
    let length = if first % 2 == 0 { time } else { 0 };
    let profile = profile::of(&trace(&[events], clock(length)), &selection).expect("a profile");
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

fn any_event(kind: u8, what: u8) -> Event<'static> {
    let region = RegionRef(u32::from(what % 5));
    let calling_context = CallingContextRef(u32::from(what % 6));
    let unwind_distance = u32::MAX;
    let (thread_team, creating_thread) = (CommRef(0), 0);
    let generation_number = u32::from(what % 4);
    match kind % 16 {
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
