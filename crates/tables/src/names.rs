//! The lists of names to which rows refer. Names are unique in each list, as categories of data
//! frames must be.

use crate::dataset::{List, Value};
use kymo_analysis::index::Index;
use kymo_analysis::waits::WaitKind;
use kymo_analysis::{Error, Trace};
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::events::Event;
use kymo_otf2::records::Decode;
use kymo_otf2::references::*;
use std::collections::HashMap;

/// All lists.
#[derive(Debug)]
pub struct Names {
    regions: NameList,
    communicators: NameList,
    windows: Index<u32>,
    metrics: NameList,
    files: NameList,
    parameters: NameList,
    collectives: Vec<String>,
    waits: Vec<String>,
    kinds: Vec<String>,
    events: Vec<String>,
}

/// Returns the name of an event record, or its id if it is unknown.
fn event_name(id: u8) -> String {
    Event::name_of(id).map_or_else(|| format!("UNKNOWN ({id})"), str::to_owned)
}

/// A list, and the places of ids in it.
#[derive(Debug, Default)]
struct NameList {
    names: Vec<String>,
    by_name: HashMap<String, u32>,
    places: Index<u32>,
}

impl NameList {
    fn place_of(&mut self, name: String) -> u32 {
        let new = self.names.len() as u32;
        *self.by_name.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            new
        })
    }

    fn add(&mut self, id: u32, name: String) {
        let place = self.place_of(name);
        self.places.insert(id.into(), place);
    }

    fn value(&self, id: u32) -> Value {
        self.places.get(id.into()).map_or(Value::None, |place| Value::Name(*place))
    }
}

/// The kinds of events and operations, by their place in the list.
pub(crate) const KINDS: &[&str] = &[
    "read",
    "write",
    "flush",
    "fork",
    "join",
    "team begin",
    "team end",
    "create",
    "begin",
    "wait",
    "end",
    "switch",
    "complete",
    "acquire",
    "release",
    "put",
    "get",
    "atomic",
    "complete blocking",
    "complete non-blocking",
    "complete remote",
    "test",
    "group sync",
    "sync",
    "wait change",
    "request lock",
    "acquire lock",
    "try lock",
    "release lock",
    "window create",
    "window destroy",
    "collective",
    "same sender",
    "different sender",
];

/// Returns a kind as a value.
pub(crate) fn kind(name: &str) -> Value {
    KINDS.iter().position(|it| *it == name).map_or(Value::None, |place| Value::Name(place as u32))
}

impl Names {
    /// Reads the names of a trace.
    ///
    /// # Errors
    ///
    /// If the definitions cannot be read.
    pub fn of(trace: &Trace) -> Result<Self, Error> {
        let mut names = Self {
            regions: NameList::default(),
            communicators: NameList::default(),
            windows: Index::default(),
            metrics: NameList::default(),
            files: NameList::default(),
            parameters: NameList::default(),
            collectives: (0..=22).map(|id| CollectiveOp(id).to_string()).collect(),
            waits: WaitKind::ALL.iter().map(|kind| kind.key().to_owned()).collect(),
            kinds: KINDS.iter().map(ToString::to_string).collect(),
            events: (0..=u8::MAX).map(event_name).collect(),
        };
        let text = |id| trace.string(id).unwrap_or_default().to_owned();
        trace.archive().each_global_definition(|definition| {
            match definition {
                GlobalDefinition::Region(it) => {
                    names.regions.add(it.id.0, trace.region_name(it.id).into_owned())
                }
                GlobalDefinition::Comm(it) => {
                    names.communicators.add(it.id.0, trace.communicator_name(it.id).into_owned());
                }
                GlobalDefinition::InterComm(it) => {
                    names.communicators.add(it.id.0, trace.communicator_name(it.id).into_owned());
                }
                GlobalDefinition::RmaWin(it) => {
                    let place = names.communicators.place_of(trace.window_name(it.id).into_owned());
                    names.windows.insert(it.id.0.into(), place);
                }
                GlobalDefinition::MetricMember(it) => names.metrics.add(it.id.0, text(it.name)),
                GlobalDefinition::IoRegularFile(it) => {
                    names.files.add(it.id.0, trace.io_file_name(it.id).into_owned());
                }
                GlobalDefinition::IoDirectory(it) => {
                    names.files.add(it.id.0, trace.io_file_name(it.id).into_owned());
                }
                GlobalDefinition::Parameter(it) => names.parameters.add(it.id.0, text(it.name)),
                _ => {}
            }
            Ok::<_, Error>(())
        })?;
        Ok(names)
    }

    /// Returns a list.
    pub fn list(&self, list: List) -> &[String] {
        match list {
            List::Regions => &self.regions.names,
            List::Communicators => &self.communicators.names,
            List::Metrics => &self.metrics.names,
            List::Files => &self.files.names,
            List::Parameters => &self.parameters.names,
            List::Collectives => &self.collectives,
            List::Waits => &self.waits,
            List::Kinds => &self.kinds,
            List::Events => &self.events,
        }
    }

    pub(crate) fn region(&self, id: RegionRef) -> Value {
        self.regions.value(id.0)
    }

    pub(crate) fn communicator(&self, id: CommRef) -> Value {
        self.communicators.value(id.0)
    }

    pub(crate) fn window(&self, id: RmaWinRef) -> Value {
        self.windows.get(id.0.into()).map_or(Value::None, |place| Value::Name(*place))
    }

    pub(crate) fn metric(&self, id: MetricMemberRef) -> Value {
        self.metrics.value(id.0)
    }

    pub(crate) fn file(&self, id: IoFileRef) -> Value {
        self.files.value(id.0)
    }

    pub(crate) fn parameter(&self, id: ParameterRef) -> Value {
        self.parameters.value(id.0)
    }

    pub(crate) fn wait(&self, kind: WaitKind) -> Value {
        let place = WaitKind::ALL.iter().position(|it| *it == kind);
        place.map_or(Value::None, |place| Value::Name(place as u32))
    }

    pub(crate) fn collective(&self, id: CollectiveOp) -> Value {
        let place = u32::from(id.0);
        if (place as usize) < self.collectives.len() { Value::Name(place) } else { Value::None }
    }
}
