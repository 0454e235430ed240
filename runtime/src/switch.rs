//! Whether a kind of instrumentation takes part now. One that does not costs the program a load.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::settings::Settings;

/// A kind's switch: on while a measurement that chose it is on.
#[derive(Debug)]
pub(crate) struct Switch {
    is_chosen: AtomicBool,
    is_on: AtomicBool,
}

impl Switch {
    /// Not chosen.
    pub(crate) const OFF: Self = Self { is_chosen: AtomicBool::new(false), is_on: AtomicBool::new(false) };

    /// Whether the settings choose the kind of this name.
    pub(crate) fn prepare(&self, settings: &Settings, name: &str) -> bool {
        let is_chosen = settings.with.as_ref().is_none_or(|with| with.iter().any(|it| it == name));
        self.is_chosen.store(is_chosen, Relaxed);
        is_chosen
    }

    /// The measurement begins.
    pub(crate) fn turn_on(&self) {
        self.is_on.store(self.is_chosen.load(Relaxed), Relaxed);
    }

    /// It ends.
    pub(crate) fn turn_off(&self) {
        self.is_on.store(false, Relaxed);
    }

    #[inline(always)]
    pub(crate) fn is_on(&self) -> bool {
        self.is_on.load(Relaxed)
    }

    /// Whether the settings chose it.
    pub(crate) fn is_chosen(&self) -> bool {
        self.is_chosen.load(Relaxed)
    }
}
