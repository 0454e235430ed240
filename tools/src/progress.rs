//! How far long work has come, on stderr if that is a terminal; gone when the work is done.

use std::io::{IsTerminal, stdout};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Events between two looks at the clock.
const STEP: u64 = 1 << 16;

/// Counts events. Nothing is shown while what is printed goes to the terminal as well.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    events: u64,
}

impl Progress {
    /// No events yet. `prints` says whether the work prints while it goes on.
    pub(crate) fn new(prints: bool) -> Self {
        let target = match prints && stdout().is_terminal() {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("kymo: {human_pos} events, {per_sec}, {elapsed}") {
            bar.set_style(style);
        }
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Self { bar, events: 0 }
    }

    /// One more event.
    #[inline]
    pub(crate) fn step(&mut self) {
        self.events += 1;
        if self.events.is_multiple_of(STEP) {
            self.bar.set_position(self.events);
        }
    }

    /// So many more events, of one of several threads.
    pub(crate) fn add(&self, events: u64) {
        self.bar.inc(events);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
