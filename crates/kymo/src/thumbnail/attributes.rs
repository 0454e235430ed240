//! Samples of attributes: the number of events that have each attribute, of all events.

use kymo_otf2::events::Event;
use kymo_otf2::read::TimedRecord;

use super::sampler::Sampler;
use kymo_analysis::index::Index;

/// Counts events by attribute.
#[derive(Debug)]
pub(super) struct Attributes {
    /// The place of the value of an attribute.
    places: Index<usize>,
    counts: Vec<u64>,
    events: u64,
}

impl Attributes {
    pub(super) fn new(ids: &[u32]) -> Self {
        let mut places = Index::default();
        for (&id, place) in ids.iter().zip(0..) {
            places.insert(id.into(), place);
        }
        Self { places, counts: vec![0; ids.len()], events: 0 }
    }
}

impl Sampler for Attributes {
    fn event(&mut self, _: usize, event: &TimedRecord<'_, Event<'_>>) {
        self.events += 1;
        for attribute in event.attributes {
            let place = self.places.get(attribute.attribute.0.into());
            if let Some(count) = place.and_then(|&place| self.counts.get_mut(place)) {
                *count += 1;
            }
        }
    }

    fn sample(&mut self, _: u64, values: &mut Vec<u64>) -> u64 {
        values.extend_from_slice(&self.counts);
        self.counts.fill(0);
        std::mem::take(&mut self.events)
    }
}
