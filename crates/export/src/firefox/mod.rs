//! The processed profile of the Firefox Profiler, version 59, in which each thread has tables of
//! its own. The profiler upgrades older versions when it opens them.
//!
//! Calls are samples whose weight is the time until the stack changes, so call tree and flame graph
//! show true times. Messages, collective operations, input and output and other events are markers,
//! metrics are counters. Columns of a table follow one another, so they wait in a [`Spill`].

mod marker;
mod tables;
mod thread;

use crate::track::{Format, Track};
use kymo_analysis::spill::Spill;
use kymo_analysis::{Class, Error, Location, Selection, Trace};
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::events::Event;
use kymo_otf2::records::Decode;
use kymo_otf2::references::*;
use marker::{MESSAGES, MarkerKind, OTHER, TRANSFER};
use serde_json::json;
use std::collections::HashMap;
use thread::Thread;

/// Writes the Firefox Profiler's format.
#[derive(Debug)]
pub struct Firefox<'t> {
    trace: &'t Trace,
    facts: Vec<(String, String)>,
    spill: Spill,
    strings: Strings,
    /// The place of each location among the threads, and that of the first one of its process.
    threads: HashMap<LocationRef, (usize, usize)>,
    /// The numbers of the processes, from 1.
    processes: HashMap<LocationGroupRef, u64>,
}

/// The strings of all threads, and where they are.
#[derive(Debug)]
struct Strings {
    all: Vec<String>,
    regions: HashMap<RegionRef, u64>,
    files: HashMap<RegionRef, u64>,
    markers: HashMap<String, u64>,
}

/// The number of threads that are shown at first.
const VISIBLE: usize = 16;
/// The time between samples that the profiler assumes where it needs one, in milliseconds.
const INTERVAL: f64 = 0.001;

impl<'t> Firefox<'t> {
    /// Prepares the format for these locations.
    ///
    /// # Errors
    ///
    /// If the definitions cannot be read.
    pub fn new(trace: &'t Trace, selection: &Selection, facts: Vec<(String, String)>) -> Result<Self, Error> {
        let (mut threads, mut processes) = (HashMap::new(), HashMap::new());
        let mut first = HashMap::new();
        for (place, (_, location)) in selection.of_all_parts(trace).into_iter().enumerate() {
            let number = processes.len() as u64 + 1;
            processes.entry(location.group).or_insert(number);
            let first = *first.entry(location.group).or_insert(place);
            threads.insert(location.id, (place, first));
        }
        let strings = Strings::of(trace)?;
        Ok(Self { trace, facts, spill: Spill::default(), strings, threads, processes })
    }

    fn meta(&self) -> serde_json::Value {
        let categories = Class::ALL.map(
            |class| json!({ "name": title(class.name()), "color": color(class), "subcategories": ["Other"] }),
        );
        let entry =
            |(name, value): &(String, String)| json!({ "label": name, "format": "string", "value": value });
        json!({
            "interval": INTERVAL,
            "startTime": self.trace.clock().date().map_or(0, |date| date / 1_000_000),
            "processType": 0,
            "product": "Kymo",
            "importedFrom": "OTF2",
            "stackwalk": 1,
            "version": 30,
            "preprocessedProfileVersion": 59,
            "symbolicated": true,
            "usesOnlyOneStackType": true,
            "sourceCodeIsNotOnSearchfox": true,
            "keepProfileThreadOrder": true,
            "initialVisibleThreads": (0..self.threads.len().min(VISIBLE)).collect::<Vec<_>>(),
            "categories": categories,
            "markerSchema": MarkerKind::ALL.map(MarkerKind::schema),
            "extra": [{ "label": "Trace", "entries": self.facts.iter().map(entry).collect::<Vec<_>>() }],
        })
    }
}

impl Strings {
    fn of(trace: &Trace) -> Result<Self, Error> {
        let mut strings =
            Self { all: Vec::new(), regions: HashMap::new(), files: HashMap::new(), markers: HashMap::new() };
        let mut known = HashMap::new();
        let mut place_of = |all: &mut Vec<String>, text: String| {
            *known.entry(text.clone()).or_insert_with(|| {
                all.push(text);
                all.len() as u64 - 1
            })
        };
        trace.archive().each_global_definition(|definition| {
            if let kymo_otf2::definitions::GlobalDefinition::Region(it) = definition {
                let name = trace.region_name(it.id).into_owned();
                strings.regions.insert(it.id, place_of(&mut strings.all, name));
                if let Some(file) = trace.string(it.source_file) {
                    strings.files.insert(it.id, place_of(&mut strings.all, file.to_owned()));
                }
            }
            Ok::<_, Error>(())
        })?;
        let unknown = trace.region_name(RegionRef::UNDEFINED).into_owned();
        strings.regions.insert(RegionRef::UNDEFINED, place_of(&mut strings.all, unknown));
        let events = (0..=u8::MAX).filter_map(Event::name_of).map(str::to_owned);
        let collectives = CollectiveOp::VALUES.iter().map(ToString::to_string);
        let own = [MESSAGES[0], MESSAGES[1], OTHER, TRANSFER].map(str::to_owned);
        for name in own.into_iter().chain(collectives).chain(events) {
            let place = place_of(&mut strings.all, name.clone());
            strings.markers.insert(name, place);
        }
        Ok(strings)
    }

    fn region(&self, region: RegionRef) -> u64 {
        let unknown = || self.regions.get(&RegionRef::UNDEFINED);
        self.regions.get(&region).or_else(unknown).copied().unwrap_or(0)
    }

    fn marker(&self, name: &str) -> u64 {
        self.markers.get(name).or_else(|| self.markers.get(OTHER)).copied().unwrap_or(0)
    }
}

fn title(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn category(class: Class) -> u64 {
    Class::ALL.iter().position(|it| *it == class).unwrap_or(0) as u64
}

/// The first class is the default category, which must be grey.
fn color(class: Class) -> &'static str {
    match class {
        Class::Computation => "grey",
        Class::Communication => "orange",
        Class::Threading => "blue",
        Class::Waiting => "transparent",
        Class::InputOutput => "green",
        Class::Memory => "purple",
        Class::Accelerator => "yellow",
        Class::Measurement => "red",
    }
}

impl Format for Firefox<'_> {
    fn head(&self) -> Vec<u8> {
        let mut out = b"{\"meta\":".to_vec();
        out.extend_from_slice(self.meta().to_string().as_bytes());
        let sources = json!({ "length": self.sources().len(), "id": vec![(); self.sources().len()], "filename": self.sources() });
        let shared = json!({ "stringArray": self.strings.all, "sources": sources });
        out.extend_from_slice(b",\n\"libs\":[],\"pages\":[],\"shared\":");
        out.extend_from_slice(shared.to_string().as_bytes());
        out.extend_from_slice(b",\n\"threads\":[");
        out
    }

    fn track<'f>(&'f self, location: &'f Location, _number: usize) -> Box<dyn Track + 'f> {
        Box::new(Thread::new(self, location))
    }

    fn separator(&self) -> &'static [u8] {
        b","
    }

    fn middle(&self) -> Vec<u8> {
        b"],\n\"counters\":[".to_vec()
    }

    fn tail(&self) -> Vec<u8> {
        b"\n]}\n".to_vec()
    }
}

impl Firefox<'_> {
    /// Returns the strings of the source files, in their order.
    fn sources(&self) -> Vec<u64> {
        let mut files: Vec<_> = self.strings.files.values().copied().collect();
        files.sort_unstable();
        files.dedup();
        files
    }
}
