//! Converts traces and reads the contents of archives in words.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Output;

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::{GroupType, MetricMode, Paradigm};
use kymo_otf2::events::Event;
use kymo_otf2::read::Archive;
use tempfile::TempDir;

use crate::check_common::{check, kymo};

pub(crate) fn run(arguments: &[&Path]) -> Output {
    kymo().arg("tau2otf2").args(arguments).output().expect("running kymo")
}

pub(crate) fn convert(trace: &Path, event_file: &Path, output: &Path) -> Output {
    run(&[trace, event_file, output])
}

/// Converts a trace without a message, into an archive in which `kymo check` finds nothing.
#[track_caller]
pub(crate) fn converted(trace: &Path, event_file: &Path) -> Converted {
    let folder = TempDir::new().expect("a folder");
    let output = convert(trace, event_file, &folder.path().join("out"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*stderr), (Some(0), ""), "{}", trace.display());
    Converted::read(folder)
}

/// An event in words, with ids replaced by names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WordedEvent {
    Enter(String),
    Leave(String),
    /// The node of the partner, tag, length, communicator.
    Send(u32, u32, u64, u32),
    Receive(u32, u32, u64, u32),
    Value(String, i64),
}

/// Events by node and thread, in order.
pub(crate) type Events = BTreeMap<(u32, u32), Vec<(u64, WordedEvent)>>;

pub(crate) struct Converted {
    pub(crate) folder: TempDir,
    archive: Archive,
}

impl Converted {
    #[track_caller]
    pub(crate) fn read(folder: TempDir) -> Converted {
        let anchor = folder.path().join("out.otf2");
        let report = check(&anchor, &[]);
        assert_eq!((report.status, report.findings.len()), (0, 0), "{}", report.messages());
        let archive = Archive::open(&anchor).expect("an archive");
        Converted { folder, archive }
    }

    pub(crate) fn anchor(&self) -> PathBuf {
        self.folder.path().join("out.otf2")
    }

    pub(crate) fn definitions(&self) -> DefinitionsByPurpose {
        DefinitionsByPurpose::read(&self.archive)
    }

    pub(crate) fn events(&self) -> Events {
        let definitions = self.definitions();
        let mut all = Events::new();
        for (&location, &place) in &definitions.places {
            let mut events = self.archive.events(location).expect("events");
            let mut of_place = Vec::new();
            while let Some(event) = events.next().expect("an event") {
                of_place.push((event.time, definitions.what(&event.record)));
            }
            assert_eq!(of_place.len() as u64, definitions.counts[&location], "number of events");
            all.insert(place, of_place);
        }
        all
    }
}

/// Definitions by purpose.
#[derive(Debug, Default)]
pub(crate) struct DefinitionsByPurpose {
    strings: HashMap<u32, String>,
    regions: BTreeMap<u32, String>,
    pub(crate) canonical: BTreeMap<String, (String, String, u32, u32)>,
    pub(crate) metrics: BTreeMap<u32, (String, MetricMode)>,
    pub(crate) groups: BTreeMap<String, Vec<String>>,
    /// The node and thread of each location.
    pub(crate) places: BTreeMap<u64, (u32, u32)>,
    pub(crate) counts: BTreeMap<u64, u64>,
    /// The nodes by rank.
    pub(crate) ranks: Vec<u32>,
    pub(crate) communicators: Vec<String>,
    pub(crate) clock: (u64, u64, u64),
}

impl DefinitionsByPurpose {
    fn read(archive: &Archive) -> DefinitionsByPurpose {
        let mut it = DefinitionsByPurpose::default();
        let file = archive.global_definitions().expect("definitions");
        let mut nodes: HashMap<u32, u32> = HashMap::new();
        for record in file.records().expect("records") {
            let string = |id: kymo_otf2::references::StringRef| it.strings[&id.0].clone();
            match record.expect("a record") {
                GlobalDefinition::String(text) => {
                    let known = it.strings.values().any(|known| *known == text.string.to_string());
                    assert!(!known, "the string {} is defined twice", text.string);
                    it.strings.insert(text.id.0, text.string.to_string());
                }
                GlobalDefinition::ClockProperties(clock) => {
                    assert_eq!(clock.timer_resolution, 1_000_000);
                    it.clock = (clock.global_offset, clock.trace_length, clock.realtime_timestamp);
                }
                GlobalDefinition::Region(region) => {
                    let position = (
                        string(region.canonical_name),
                        string(region.source_file),
                        region.begin_line_number,
                        region.end_line_number,
                    );
                    it.canonical.insert(string(region.name), position);
                    it.regions.insert(region.id.0, string(region.name));
                }
                GlobalDefinition::MetricMember(member) => {
                    it.metrics.insert(member.id.0, (string(member.name), member.metric_mode));
                }
                GlobalDefinition::LocationGroup(group) => {
                    let name = string(group.name);
                    let number = name.strip_prefix("Process ").expect("the name of a process");
                    nodes.insert(group.id.0, number.parse().expect("its number"));
                }
                GlobalDefinition::Location(location) => {
                    let name = string(location.name);
                    let thread = name.strip_prefix("Thread ").map_or(0, |it| it.parse().expect("a number"));
                    it.places.insert(location.id.0, (nodes[&location.location_group.0], thread));
                    it.counts.insert(location.id.0, location.number_of_events);
                }
                GlobalDefinition::Group(group) if group.group_type == GroupType::COMM_LOCATIONS => {
                    assert_eq!(group.paradigm, Paradigm::MPI);
                    it.ranks = group.members.iter().map(|location| it.places[&location].0).collect();
                }
                GlobalDefinition::Group(group) if group.group_type == GroupType::REGIONS => {
                    let members = group.members.iter().map(|region| it.regions[&(region as u32)].clone());
                    it.groups.insert(string(group.name), members.collect());
                }
                GlobalDefinition::Comm(comm) => {
                    assert_eq!(comm.id.0 as usize, it.communicators.len());
                    it.communicators.push(string(comm.name));
                }
                _ => {}
            }
        }
        it
    }

    fn communicator(&self, id: u32) -> u32 {
        match self.communicators[id as usize].strip_prefix("Communicator ") {
            Some(number) => number.parse().expect("a number"),
            None => 0,
        }
    }

    fn what(&self, event: &Event<'_>) -> WordedEvent {
        match event {
            Event::Enter(enter) => WordedEvent::Enter(self.regions[&enter.region.0].clone()),
            Event::Leave(leave) => WordedEvent::Leave(self.regions[&leave.region.0].clone()),
            Event::MpiSend(it) => {
                let communicator = self.communicator(it.communicator.0);
                WordedEvent::Send(self.ranks[it.receiver as usize], it.msg_tag, it.msg_length, communicator)
            }
            Event::MpiRecv(it) => {
                let communicator = self.communicator(it.communicator.0);
                WordedEvent::Receive(self.ranks[it.sender as usize], it.msg_tag, it.msg_length, communicator)
            }
            Event::Metric(metric) => {
                let value = metric.metric_values.iter().next().expect("a value");
                WordedEvent::Value(self.metrics[&metric.metric.0].0.clone(), value.bits as i64)
            }
            other => panic!("{other:?}"),
        }
    }
}
