//! Names of locations for people.

use std::collections::HashMap;

use kymo_analysis::Trace;
use kymo_otf2::references::{LocationGroupRef, LocationRef};

/// The names of the locations of a trace.
pub(crate) struct LocationNames<'t> {
    trace: &'t Trace,
    /// The number of locations of each process.
    threads: HashMap<LocationGroupRef, u64>,
}

impl<'t> LocationNames<'t> {
    pub(crate) fn of(trace: &'t Trace) -> Self {
        let mut threads = HashMap::new();
        for it in trace.locations() {
            *threads.entry(it.group).or_default() += 1;
        }
        Self { trace, threads }
    }

    /// Returns the name of a location: that of its process, and its own if there are others.
    pub(crate) fn get(&self, id: LocationRef) -> String {
        let Some(location) = self.trace.location(id) else { return format!("<location {}>", id.0) };
        let name = self.trace.location_name(location);
        if self.trace.location_group(location.group).is_none() {
            return name.into_owned();
        }
        let group = self.trace.location_group_name(location.group);
        match self.threads.get(&location.group) {
            Some(1) => group.into_owned(),
            _ => format!("{group}, {name}"),
        }
    }
}
