//! The destination of the events of the program, and of the announcements of the host.
//!
//! Invariant: only the modules of events see the recorder's tracks and the tables of ids. The [life
//! cycle](crate::life) starts, completes and describes them through the few methods here, none of
//! which an event calls.

use kymo_otf2::{
    hash::HashMap,
    references::{LocationGroupRef, LocationRef},
};
use kymo_recorder::{
    Completeness, EventClass, Recorder, Track, clock::Clock, drain::Drain, scratch::ScratchFile,
};
use kymo_substrate::{Definition, Host, Location};

use crate::{
    BUDGET,
    definitions::{Completed, DefinitionIds, attribute::Facts},
    release::{CurrentRelease, Release},
    settings::Settings,
};

/// The destination of events and announcements.
#[derive(Debug)]
pub(crate) struct Sink {
    pub(super) recorder: Recorder,
    pub(super) definitions: DefinitionIds,
    pub(super) release: CurrentRelease,
    /// Whether calling contexts are recorded as enters and leaves of their regions.
    pub(super) converts_contexts: bool,
}

impl Sink {
    /// Creates a sink without locations, with its memory in `scratch` if one is given. Returns
    /// `None` if there is no memory for its tables.
    pub(crate) fn new(scratch: Option<ScratchFile>, settings: &Settings) -> Option<Self> {
        let recorder = Recorder::new(&BUDGET, scratch, &settings.memory)?;
        let definitions = DefinitionIds::new(&BUDGET, recorder.drain().journal())?;
        let release = CurrentRelease::new(settings.host);
        Some(Self { recorder, definitions, release, converts_contexts: settings.converts_contexts })
    }

    /// Returns the drain, which receives the events.
    pub(crate) fn drain(&self) -> &'static Drain {
        self.recorder.drain()
    }

    /// Handles the announcement of a definition.
    pub(crate) fn announce(&self, definition: Definition, host: &Host) {
        self.definitions.announce(definition, host);
    }

    /// Whether the events of a location are recorded.
    pub(crate) fn has(&self, location: Location) -> bool {
        self.recorder.track(location.address()).is_some()
    }

    /// Starts to record the events of a location. Returns `None` if there is no memory for them.
    pub(crate) fn add(&self, location: Location) -> Option<&'static Track> {
        self.recorder.add_track(location.address())
    }

    /// A thread has stopped using the location.
    pub(crate) fn pause(&self, location: Location) {
        if let Some(track) = self.recorder.track(location.address()) {
            track.pause();
        }
    }

    /// Marks the point at which the host has initialised its processes.
    pub(crate) fn init_processes(&self) {
        self.definitions.init_processes();
    }

    /// Sets the clock that the events take their times from.
    pub(crate) fn set_clock(&self, clock: Clock) {
        self.recorder.set_clock(clock);
    }

    /// Returns the promises that the trace makes.
    pub(crate) fn completeness(&self) -> &'static Completeness {
        self.recorder.completeness()
    }

    /// Returns the number of events for locations that are not recorded.
    pub(crate) fn untracked(&self) -> u64 {
        self.recorder.untracked()
    }

    /// Notes the known details of all definitions in the journal again.
    pub(crate) fn note_definitions(&self, host: &Host) {
        self.definitions.note_all(host);
    }

    /// Returns the location group of the location with this number in its process.
    pub(crate) fn location_group(&self, number: u32) -> Option<LocationGroupRef> {
        self.definitions.location_group(number)
    }

    /// Returns the location groups of all locations, by location number.
    pub(crate) fn location_groups(&self) -> HashMap<u32, LocationGroupRef> {
        self.definitions.location_groups()
    }

    /// Returns the approximate size of the definitions in bytes.
    pub(crate) fn definition_bytes(&self) -> usize {
        self.definitions.bytes()
    }

    /// Returns the definitions with all details known at the end. `number` returns the id of the
    /// location at an address.
    pub(crate) fn complete(
        &self,
        host: &Host,
        has_lost: bool,
        number: impl Fn(usize) -> Option<LocationRef>,
    ) -> Completed {
        let facts = Facts { has_values: self.release.is_since(Release::V7), has_lost };
        self.definitions.complete(host, facts, number)
    }

    /// Notes that an event of a class is missing.
    pub(super) fn lose(&self, class: EventClass) {
        self.recorder.completeness().lose(class);
    }
}
