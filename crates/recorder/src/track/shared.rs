//! The state that all tracks of a process share.

use core::sync::atomic::{
    AtomicU8,
    Ordering::{Acquire, Release},
};

use kymo_otf2::references::AttributeRef;

use crate::{clock::Clock, completeness::Completeness, drain::Drain};

/// The behaviour of a track that finds no memory for its next events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WhenFull {
    /// Wait until the writer frees some memory, and record how long that took.
    #[default]
    Wait,
    /// Drop the events and count them.
    Drop,
}

/// The state shared by all tracks of a process.
#[derive(Debug)]
pub struct Shared {
    /// The drain that receives their events.
    pub drain: Drain,
    /// The promises that the trace makes about their events.
    pub completeness: Completeness,
    pub(super) when_full: WhenFull,
    pub(super) lost_events: AttributeRef,
    /// The index of the clock plus 1; 0 while the clock is unknown.
    clock: AtomicU8,
}

impl Shared {
    pub(crate) fn new(drain: Drain, when_full: WhenFull, lost_events: AttributeRef) -> Self {
        let completeness = Completeness::default();
        Self { drain, completeness, when_full, lost_events, clock: AtomicU8::new(0) }
    }

    /// Returns the clock that the events take their times from, if it is known.
    pub(super) fn clock(&self) -> Option<Clock> {
        Clock::ALL.get(usize::from(self.clock.load(Acquire)).checked_sub(1)?).copied()
    }

    /// Sets the clock that the events take their times from.
    pub(crate) fn set_clock(&self, clock: Clock) {
        let index = Clock::ALL.iter().position(|&it| it == clock).map_or(0, |index| index as u8 + 1);
        self.clock.store(index, Release);
    }
}
