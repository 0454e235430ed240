//! The content of an archive in the host's terms: records by the name of their location.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::MeasurementMode;
use kymo_otf2::events::Event;
use kymo_otf2::read::{self, Options};

use super::operations::{Timed, TraceRecord};

/// An archive of the host.
#[derive(Debug, Default)]
pub(super) struct Archive {
    /// Records by thread number.
    pub(super) threads: BTreeMap<u64, Vec<Timed>>,
    /// Location ids by thread number.
    pub(super) ids: BTreeMap<u64, u64>,
    /// The number of locations without a name and without events: their threads had just begun.
    pub(super) nameless: u64,
    pub(super) properties: HashMap<String, String>,
}

/// The names of definitions by their ids.
#[derive(Default)]
struct Names {
    strings: HashMap<u32, String>,
    regions: HashMap<u32, u32>,
    locations: Vec<(u64, u32, u64)>,
}

impl Archive {
    pub(super) fn read(anchor: &Path) -> kymo_otf2::Result<Self> {
        let archive =
            read::Archive::open_with(anchor, Options { clock_correction: false, ..Options::default() })?;
        let names = Names::read(&archive)?;
        let mut this = Self::default();
        for property in archive.anchor().properties.iter() {
            this.properties.insert(property.name.to_string(), property.value.to_string());
        }
        for &(id, name, count) in &names.locations {
            let name = names.string(name);
            let thread =
                name.strip_prefix("thread ").and_then(|number| number.parse().ok()).unwrap_or(u64::MAX);
            let mut records = Vec::with_capacity(count as usize);
            let mut events = archive.events(id)?;
            while let Some(event) = events.next()? {
                let lost = event.attributes.iter().map(|attribute| attribute.value.bits());
                records.push((event.time, names.record(&event.record, lost.sum(), thread)));
            }
            if name.is_empty() && records.is_empty() {
                this.nameless += 1;
                continue;
            }
            this.threads.insert(thread, records);
            this.ids.insert(thread, id);
        }
        Ok(this)
    }
}

impl Names {
    fn read(archive: &read::Archive) -> kymo_otf2::Result<Self> {
        let definitions = archive.global_definitions()?;
        let mut this = Self::default();
        let mut records = definitions.records()?;
        while let Some(record) = records.next().transpose()? {
            match record {
                GlobalDefinition::String(it) => {
                    this.strings.insert(it.id.0, String::from_utf8_lossy(it.string.as_bytes()).into_owned());
                }
                GlobalDefinition::Region(it) => {
                    this.regions.insert(it.id.0, it.name.0);
                }
                GlobalDefinition::Location(it) => {
                    this.locations.push((it.id.0, it.name.0, it.number_of_events));
                }
                _ => {}
            }
        }
        Ok(this)
    }

    fn string(&self, id: u32) -> &str {
        self.strings.get(&id).map_or("", String::as_str)
    }

    /// Returns the number of a region of this thread.
    fn region(&self, id: u32, thread: u64) -> Option<u64> {
        let name = self.string(*self.regions.get(&id)?);
        if name == "work" {
            return Some(0);
        }
        let (of, number) = name.strip_prefix("region ")?.split_once('.')?;
        let number: u64 = number.parse().ok()?;
        (of.parse() == Ok(thread)).then_some(number + 1)
    }

    fn record(&self, event: &Event<'_>, lost: u64, thread: u64) -> TraceRecord {
        match event {
            Event::Enter(it) => {
                self.region(it.region.0, thread).map_or(TraceRecord::Strange, TraceRecord::Enter)
            }
            Event::Leave(it) => {
                self.region(it.region.0, thread).map_or(TraceRecord::Strange, TraceRecord::Leave)
            }
            Event::ParameterUnsignedInt(it) => TraceRecord::Parameter(it.value),
            Event::Metric(it) => it
                .metric_values
                .iter()
                .next()
                .map_or(TraceRecord::Strange, |it| TraceRecord::Counter(it.bits)),
            Event::MeasurementOnOff(it) if it.measurement_mode == MeasurementMode::OFF => TraceRecord::Off,
            Event::MeasurementOnOff(_) => TraceRecord::On(lost),
            Event::ProgramBegin(_) => TraceRecord::Begin,
            Event::ProgramEnd(_) => TraceRecord::End,
            _ => TraceRecord::Strange,
        }
    }
}
