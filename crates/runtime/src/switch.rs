//! Whether a kind of instrumentation is active. An inactive one costs the program a single load.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::settings::Settings;

/// On during a measurement that uses the kind of instrumentation.
#[derive(Debug)]
pub(crate) struct Switch(AtomicBool);

impl Switch {
    /// Creates a switch that is off.
    pub(crate) const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    pub(crate) fn turn_on(&self) {
        self.0.store(true, Relaxed);
    }

    pub(crate) fn turn_off(&self) {
        self.0.store(false, Relaxed);
    }

    #[inline(always)]
    pub(crate) fn is_on(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// Returns whether the settings choose the kind of instrumentation with this name.
pub(crate) fn is_chosen(settings: &Settings, name: &str) -> bool {
    settings.with.as_ref().is_none_or(|with| with.iter().any(|it| it == name))
}
