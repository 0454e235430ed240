//! Builds an archive from the results of the ranks and reads it.

use std::{collections::HashMap, sync::Arc};

use kymo_otf2::{
    FileName, Storage,
    definitions::{ClockProperties, Location, LocationGroup, SystemTreeNode},
    enums::MeasurementMode,
    enums::{LocationGroupType, LocationType},
    events::{Event, MeasurementOnOff, MpiRecv, MpiSend},
    read::{Archive, Options},
    references::{CommRef, LocationGroupRef, LocationRef, StringRef, SystemTreeNodeRef},
    storage::Memory,
    write::{EventWriter, StoragePieces},
};
use kymo_recorder::{
    DefinitionLog, EVENT_CHUNK_SIZE,
    archive::{Description, GlobalDefinitions, LocalDefinitions},
    memory::Budget,
};

use super::program::{Outcome, What};

static BUDGET: Budget = Budget::new(usize::MAX);

/// Builds an archive of all ranks, with one location per rank.
pub(crate) fn archive(outcomes: &[Outcome]) -> Arc<Memory> {
    let storage = Arc::new(Memory::new());
    storage.create().unwrap();
    let (begin, end) = outcomes[0].range;
    let clock = ClockProperties {
        timer_resolution: 1,
        global_offset: begin,
        trace_length: end - begin,
        realtime_timestamp: u64::MAX,
    };
    let log = definitions(outcomes);
    let global = GlobalDefinitions::from_log(clock, log.log()).unwrap();
    for outcome in outcomes {
        let offsets = outcome.synchronised.map(|synchronised| synchronised.line.offsets());
        let clock_offsets = offsets.as_ref().map_or(&[][..], |offsets| &offsets[..]);
        let local = LocalDefinitions { mappings: &[], clock_offsets };
        local.write(&*storage, global.chunk_size(), [outcome.rank.into()]).unwrap();
        write_events(&storage, outcome);
    }
    global.write(&*storage, &Description { creator: "test", properties: &[], trace_id: 1 }).unwrap();
    storage
}

fn definitions(outcomes: &[Outcome]) -> DefinitionLog {
    let mut log = DefinitionLog::new(&BUDGET);
    let (name, node, group) = (log.string(b"name"), SystemTreeNodeRef(0), LocationGroupRef(0));
    log.define(&SystemTreeNode { id: node, name, class_name: name, parent: SystemTreeNodeRef::UNDEFINED });
    log.define(&LocationGroup {
        id: group,
        name,
        location_group_type: LocationGroupType::PROCESS,
        system_tree_parent: node,
        creating_location_group: LocationGroupRef::UNDEFINED,
    });
    for outcome in outcomes {
        log.define(&location(outcome, name, group));
    }
    log
}

fn location(outcome: &Outcome, name: StringRef, location_group: LocationGroupRef) -> Location {
    Location {
        id: LocationRef(outcome.rank.into()),
        name,
        location_type: LocationType::CPU_THREAD,
        number_of_events: outcome.events.len() as u64,
        location_group,
    }
}

fn write_events(storage: &Arc<Memory>, outcome: &Outcome) {
    let pieces = StoragePieces::new(storage.clone(), FileName::Events(outcome.rank.into()), 4096);
    let mut writer = EventWriter::new(pieces, EVENT_CHUNK_SIZE).unwrap();
    for &(time, what) in &outcome.events {
        let communicator = CommRef(0);
        match what {
            What::Moment => writer.record(time, &MeasurementOnOff { measurement_mode: MeasurementMode::ON }),
            What::Send(receiver, msg_tag) => {
                writer.record(time, &MpiSend { receiver, communicator, msg_tag, msg_length: 0 })
            }
            What::Receive(sender, msg_tag) => {
                writer.record(time, &MpiRecv { sender, communicator, msg_tag, msg_length: 0 })
            }
        }
        .unwrap();
    }
    let closed = writer.close().unwrap();
    closed.pieces.truncate(closed.length).unwrap();
}

/// The data that a reader sees.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The ticks between sending and receiving each message.
    pub(crate) messages: Vec<i64>,
    /// The maximum difference between the times of each moment.
    pub(crate) moments: Vec<u64>,
    /// The begin and end according to the clock's definition.
    pub(crate) range: (u64, u64),
    /// The first and the last time.
    pub(crate) times: (u64, u64),
}

/// Reads an archive with or without the clock offsets.
pub(crate) fn seen(storage: &Arc<Memory>, clock_correction: bool) -> Seen {
    let options = Options { clock_correction, ..Options::default() };
    let archive = Archive::in_storage(storage.clone(), options).unwrap();
    let mut seen = Seen { times: (u64::MAX, 0), range: range(&archive), ..Seen::default() };
    let (mut sent, mut received) = (HashMap::new(), HashMap::new());
    let mut moments: Vec<Vec<u64>> = Vec::new();
    for location in archive.locations().unwrap() {
        let rank = location as u32;
        let mut moment = 0;
        let mut events = archive.events(location).unwrap();
        while let Some(it) = events.next().unwrap() {
            seen.times = (seen.times.0.min(it.time), seen.times.1.max(it.time));
            match it.record {
                Event::MpiSend(send) => drop(sent.insert((rank, send.receiver, send.msg_tag), it.time)),
                Event::MpiRecv(recv) => drop(received.insert((recv.sender, rank, recv.msg_tag), it.time)),
                _ => {
                    moments.resize(moments.len().max(moment + 1), Vec::new());
                    moments[moment].push(it.time);
                    moment += 1;
                }
            }
        }
    }
    assert_eq!(sent.len(), received.len());
    seen.messages = received.iter().map(|(message, time)| time.wrapping_sub(sent[message]) as i64).collect();
    let spread = |times: &Vec<u64>| times.iter().max().unwrap() - times.iter().min().unwrap();
    seen.moments = moments.iter().map(spread).collect();
    seen
}

fn range(archive: &Archive) -> (u64, u64) {
    let definitions = archive.global_definitions().unwrap();
    let first = definitions.records().unwrap().next().unwrap().unwrap();
    let kymo_otf2::definitions::GlobalDefinition::ClockProperties(clock) = first else {
        panic!("the clock must be first: {first:?}");
    };
    (clock.global_offset, clock.global_offset + clock.trace_length)
}
