//! The interface of a kind of thumbnail, which computes its values, and the definitions that all
//! kinds require.

use std::collections::BTreeSet;

use kymo_otf2::definitions::{ClockProperties, GlobalDefinition};
use kymo_otf2::enums::MetricMode;
use kymo_otf2::events::Event;
use kymo_otf2::read::{Archive, TimedRecord};

use kymo_analysis::index::Index;

/// Computes samples from events in order of time.
pub(super) trait Sampler {
    /// Takes an event of the location with this place among the locations.
    fn event(&mut self, location: usize, event: &TimedRecord<'_, Event<'_>>);

    /// Ends an interval. Appends its values to an empty list and returns their baseline.
    fn sample(&mut self, end: u64, values: &mut Vec<u64>) -> u64;
}

/// The definitions of a trace that thumbnails require.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    pub(super) clock: Option<ClockProperties>,
    /// The ids of the locations, sorted.
    pub(super) locations: Vec<u64>,
    pub(super) regions: BTreeSet<u32>,
    /// The ids of metric classes and instances.
    pub(super) metrics: BTreeSet<u32>,
    pub(super) attributes: BTreeSet<u32>,
    /// The regions of the calling contexts.
    pub(super) contexts: Index<u32>,
    modes: Index<MetricMode>,
    /// The first member of each metric class.
    members: Index<u32>,
    /// The class of each metric instance.
    classes: Index<u32>,
}

impl Definitions {
    pub(super) fn read(archive: &Archive) -> kymo_otf2::Result<Self> {
        let mut all = Self::default();
        archive.each_global_definition(|definition| {
            all.add(definition);
            Ok::<_, kymo_otf2::Error>(())
        })?;
        all.locations.sort_unstable();
        all.locations.dedup();
        Ok(all)
    }

    fn add(&mut self, definition: &GlobalDefinition<'_>) {
        match definition {
            GlobalDefinition::ClockProperties(it) => self.clock = Some(*it),
            GlobalDefinition::Location(it) => self.locations.push(it.id.0),
            GlobalDefinition::Region(it) => _ = self.regions.insert(it.id.0),
            GlobalDefinition::Attribute(it) => _ = self.attributes.insert(it.id.0),
            GlobalDefinition::CallingContext(it) => self.contexts.insert(it.id.0.into(), it.region.0),
            GlobalDefinition::MetricMember(it) => self.modes.insert(it.id.0.into(), it.metric_mode),
            GlobalDefinition::MetricClass(it) => {
                self.metrics.insert(it.id.0);
                if let Some(member) = it.metric_members.iter().next() {
                    self.members.insert(it.id.0.into(), member.0);
                }
            }
            GlobalDefinition::MetricInstance(it) => {
                self.metrics.insert(it.id.0);
                self.classes.insert(it.id.0.into(), it.metric_class.0);
            }
            _ => {}
        }
    }

    /// Returns the place of a location among the locations.
    pub(super) fn place(&self, location: u64) -> usize {
        self.locations.binary_search(&location).unwrap_or_else(|place| place)
    }

    /// Returns the mode of the first member of a metric; absolute if it is not defined.
    pub(super) fn mode(&self, metric: u32) -> MetricMode {
        let class = self.classes.get(metric.into()).copied().unwrap_or(metric);
        let member = self.members.get(class.into()).copied();
        let mode = member.and_then(|member| self.modes.get(member.into()));
        mode.copied().unwrap_or(MetricMode::ABSOLUTE_POINT)
    }
}
