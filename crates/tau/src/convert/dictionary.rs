//! The states and user events of all inputs, with their ids in the archive.
//!
//! Each input has event ids of its own. Definitions with the same name are the same, as in TAU's
//! merge tool. If an input has a name several times, its first occurrence matches the first of the
//! other inputs, the second their second, and so on. Ids follow the order in which definitions are
//! read.

use std::collections::HashMap;

use crate::by_id::ById;
use crate::callbacks::{StateDefinition, UserEvent};

/// A state in the archive.
#[derive(Debug)]
pub(super) struct Region {
    pub(super) name: Box<[u8]>,
    /// The index in [`Dictionary::groups`].
    pub(super) group: usize,
}

/// A user event in the archive.
#[derive(Debug)]
pub(super) struct Metric {
    pub(super) name: Box<[u8]>,
    pub(super) is_monotonic: bool,
}

/// All definitions from event files.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    pub(super) regions: Vec<Region>,
    pub(super) metrics: Vec<Metric>,
    pub(super) groups: Vec<Box<[u8]>>,
    /// By name and by the number of earlier occurrences in the input.
    region_ids: HashMap<(Box<[u8]>, u32), u32>,
    metric_ids: HashMap<(Box<[u8]>, u32), u32>,
    group_places: HashMap<Box<[u8]>, usize>,
}

impl Dictionary {
    fn region(&mut self, state: &StateDefinition<'_>, occurrence: u32) -> u32 {
        let key = (Box::from(state.name), occurrence);
        if let Some(&id) = self.region_ids.get(&key) {
            return id;
        }
        let group = self.group(state.group_name);
        let id = self.regions.len() as u32;
        self.regions.push(Region { name: key.0.clone(), group });
        self.region_ids.insert(key, id);
        id
    }

    fn metric(&mut self, event: &UserEvent<'_>, occurrence: u32) -> u32 {
        let metrics = &mut self.metrics;
        *self.metric_ids.entry((event.name.into(), occurrence)).or_insert_with(|| {
            metrics.push(Metric { name: event.name.into(), is_monotonic: event.monotonic != 0 });
            metrics.len() as u32 - 1
        })
    }

    fn group(&mut self, name: &[u8]) -> usize {
        if let Some(&place) = self.group_places.get(name) {
            return place;
        }
        let place = self.groups.len();
        self.groups.push(name.into());
        self.group_places.insert(name.into(), place);
        place
    }
}

/// The meanings of the event ids of an input.
#[derive(Debug, Default)]
pub(super) struct Meanings {
    /// The id in the archive plus one. An event is a state or a user event, never both.
    ids: ById<u32>,
    /// The number of occurrences of a name; the flag is true for states.
    names: HashMap<(bool, Box<[u8]>), u32>,
}

impl Meanings {
    pub(super) fn add_state(&mut self, state: &StateDefinition<'_>, dictionary: &mut Dictionary) {
        let region = dictionary.region(state, self.occurrence(true, state.name));
        self.ids.insert(state.id as i32, region + 1);
    }

    pub(super) fn add_user_event(&mut self, event: &UserEvent<'_>, dictionary: &mut Dictionary) {
        let metric = dictionary.metric(event, self.occurrence(false, event.name));
        self.ids.insert(event.id as i32, metric + 1);
    }

    fn occurrence(&mut self, is_state: bool, name: &[u8]) -> u32 {
        let count = self.names.entry((is_state, name.into())).or_default();
        *count += 1;
        *count - 1
    }

    /// Returns the id in the archive. Readers report every event before its records.
    #[inline]
    pub(super) fn get(&self, id: u32) -> u32 {
        self.ids.get(id as i32).saturating_sub(1)
    }
}
