//! How often the regions of an archive were entered, how long they took, and which calls the
//! runtime left out.
//!
//! They are counted from the archive after the program has ended: reading an event takes some
//! nanoseconds, and counting it in the program would take as long, in every run. Invariant: of a
//! large archive, only the first events of each location are read, as many as take half a second.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use kymo_otf2::Error;
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::Paradigm;
use kymo_otf2::events::Event;
use kymo_otf2::read::Archive;
use kymo_otf2::references::{RegionRef, StringRef};

/// The maximum number of events to read, unless all are read.
const MOST: u64 = 100_000_000;
/// Archives of the runtime contain no regions with greater numbers.
const REGIONS: usize = 1 << 24;
/// The prefix of the parameter that states how many calls of a function were left out; the name of
/// the function follows. The runtime defines it.
const LEFT_OUT: &[u8] = b"KYMO::LEFT_OUT ";

/// The calls of a region.
#[derive(Debug, Clone, Default)]
pub(super) struct RegionCalls {
    pub(super) name: Vec<u8>,
    /// The name that the linker uses.
    pub(super) mangled: Vec<u8>,
    /// The interface that was recorded: the compiler's, MPI, and so on.
    pub(super) paradigm: Option<Paradigm>,
    pub(super) count: u64,
    /// The ticks of all calls together.
    pub(super) ticks: u64,
}

/// The profile of an archive.
#[derive(Debug, Default)]
pub(super) struct Profile {
    /// The number of events of all kinds, including those that were not read.
    pub(super) events: u64,
    /// The number of events that were read.
    pub(super) read: u64,
    /// The calls by the number of the region.
    pub(super) regions: Vec<RegionCalls>,
    /// The number of calls that were left out, by function.
    pub(super) left_out: BTreeMap<Vec<u8>, u64>,
    ticks_per_second: u64,
}

/// Why reading a location ends before its last event.
enum Stop {
    Enough,
    Broken,
}

impl From<Error> for Stop {
    fn from(_: Error) -> Self {
        Self::Broken
    }
}

/// Names by number, as they are defined.
#[derive(Debug, Default)]
struct Names {
    strings: HashMap<StringRef, Vec<u8>>,
    /// The name, the mangled name and the paradigm.
    regions: BTreeMap<RegionRef, (StringRef, StringRef, Paradigm)>,
    parameters: HashMap<u32, StringRef>,
    locations: Vec<(u64, u64)>,
}

impl Profile {
    /// Reads an archive that has at least `least` events, completely if `is_exact`. Returns `None`
    /// if it has fewer, or cannot be read.
    pub(super) fn of(anchor: &Path, least: u64, is_exact: bool) -> Option<Self> {
        let archive = Archive::open(anchor).ok()?;
        let (mut this, mut names) = (Self::default(), Names::default());
        archive
            .each_global_definition(|record| {
                this.define(&mut names, record);
                Ok::<_, Error>(())
            })
            .ok()?;
        if this.events < least {
            return None;
        }
        for &(location, events) in &names.locations {
            let share = u128::from(events) * u128::from(MOST) / u128::from(this.events.max(1));
            let most = if is_exact || this.events <= MOST { u64::MAX } else { u64::try_from(share).ok()? };
            this.read_location(&archive, &names, location, most)?;
        }
        this.name(&names);
        Some(this)
    }

    fn define(&mut self, names: &mut Names, record: &GlobalDefinition<'_>) {
        match record {
            GlobalDefinition::ClockProperties(clock) => self.ticks_per_second = clock.timer_resolution,
            GlobalDefinition::String(string) => {
                names.strings.insert(string.id, string.string.as_bytes().to_vec());
            }
            GlobalDefinition::Region(region) => {
                names.regions.insert(region.id, (region.name, region.canonical_name, region.paradigm));
            }
            GlobalDefinition::Parameter(parameter) => {
                names.parameters.insert(parameter.id.0, parameter.name);
            }
            GlobalDefinition::Location(location) => {
                self.events += location.number_of_events;
                names.locations.push((location.id.0, location.number_of_events));
            }
            _ => {}
        }
    }

    fn read_location(&mut self, archive: &Archive, names: &Names, location: u64, most: u64) -> Option<()> {
        // The open regions, and when they were entered.
        let mut open: Vec<(RegionRef, u64)> = Vec::new();
        let mut read = 0;
        let end = archive.events(location).ok()?.each(|event| {
            read += 1;
            match &event.record {
                Event::Enter(enter) => open.push((enter.region, event.time)),
                Event::Leave(leave) => {
                    if let Some((_, begin)) = open.pop().filter(|(region, _)| *region == leave.region) {
                        self.add(leave.region, event.time.saturating_sub(begin));
                    }
                }
                Event::ParameterUnsignedInt(parameter) => {
                    self.leave_out(names, parameter.parameter.0, parameter.value);
                }
                _ => {}
            }
            if read < most { Ok(()) } else { Err(Stop::Enough) }
        });
        self.read += read;
        // Events before a fault count.
        matches!(end, Ok(()) | Err(Stop::Enough | Stop::Broken)).then_some(())
    }

    fn add(&mut self, region: RegionRef, ticks: u64) {
        let Some(number) = usize::try_from(region.0).ok().filter(|&number| number < REGIONS) else { return };
        if number >= self.regions.len() {
            self.regions.resize(number + 1, RegionCalls::default());
        }
        if let Some(calls) = self.regions.get_mut(number) {
            calls.count += 1;
            calls.ticks = calls.ticks.saturating_add(ticks);
        }
    }

    fn leave_out(&mut self, names: &Names, parameter: u32, calls: u64) {
        let name = names.parameters.get(&parameter).and_then(|name| names.strings.get(name));
        if let Some(function) = name.and_then(|name| name.strip_prefix(LEFT_OUT)) {
            *self.left_out.entry(function.to_vec()).or_default() += calls;
        }
    }

    fn name(&mut self, names: &Names) {
        let text = |name: &StringRef| names.strings.get(name).cloned().unwrap_or_default();
        for (region, (name, mangled, paradigm)) in &names.regions {
            let calls = usize::try_from(region.0).ok().and_then(|number| self.regions.get_mut(number));
            if let Some(calls) = calls {
                (calls.name, calls.mangled, calls.paradigm) = (text(name), text(mangled), Some(*paradigm));
            }
        }
    }

    /// Returns the average duration of a call in nanoseconds.
    pub(super) fn mean(&self, calls: &RegionCalls) -> f64 {
        calls.ticks as f64 * 1e9 / self.ticks_per_second.max(1) as f64 / calls.count.max(1) as f64
    }
}
