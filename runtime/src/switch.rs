//! Whether a kind of instrumentation takes part now. One that does not costs the program a load.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::settings::Settings;

/// On while a measurement is on that chose the kind.
#[derive(Debug)]
pub(crate) struct Switch(AtomicBool);

impl Switch {
    /// Off.
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

/// Whether the settings choose the kind of this name.
pub(crate) fn is_chosen(settings: &Settings, name: &str) -> bool {
    settings.with.as_ref().is_none_or(|with| with.iter().any(|it| it == name))
}
