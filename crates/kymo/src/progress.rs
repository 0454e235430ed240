//! The progress of long work, shown on stderr if that is a terminal and removed when the work is
//! done.

use std::fmt::Write;
use std::io::{IsTerminal, stdout};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::read::Archive;

use crate::output::is_quiet;

/// The number of events between two updates.
const STEP: u64 = 1 << 16;

const OPEN_END: &str = "kymo: {human_pos} events, {rate}/s, {elapsed}";
const KNOWN_END: &str = "kymo: {percent} % of {human_len} events, {rate}/s, {eta} left";

/// Counts events. Nothing is shown if the output of the work appears on the terminal as well.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    events: u64,
}

impl Progress {
    /// Starts with no events. `prints` states whether the work writes to stdout as it proceeds.
    pub(crate) fn new(prints: bool) -> Self {
        let target = match is_quiet() || (prints && stdout().is_terminal()) {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let progress = Self { bar, events: 0 };
        progress.show(OPEN_END);
        if progress.is_shown() {
            progress.bar.enable_steady_tick(Duration::from_millis(200));
        }
        progress
    }

    /// Like [`new`](Self::new), but expects all events of an archive. Their number is only
    /// determined if it is shown.
    pub(crate) fn of(archive: &Archive, prints: bool) -> Self {
        let progress = Self::new(prints);
        progress.expect(archive);
        progress
    }

    /// Adds the events of an archive to those expected.
    pub(crate) fn expect(&self, archive: &Archive) {
        let events = self.is_shown().then(|| number_of_events(archive));
        if let Some(Ok(events)) = events {
            self.bar.set_length(self.bar.length().unwrap_or(0) + events);
            self.show(KNOWN_END);
        }
    }

    /// Whether the progress is visible.
    pub(crate) fn is_shown(&self) -> bool {
        !self.bar.is_hidden()
    }

    fn show(&self, template: &str) {
        let rate = |state: &ProgressState, text: &mut dyn Write| {
            let _ = write!(text, "{}", HumanCount(state.per_sec() as u64));
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.with_key("rate", rate));
        }
    }

    /// Counts one more event.
    #[inline]
    pub(crate) fn step(&mut self) {
        self.events += 1;
        if self.events.is_multiple_of(STEP) {
            self.bar.set_position(self.events);
        }
    }

    /// Counts `events` more; several threads may call this.
    pub(crate) fn add(&self, events: u64) {
        self.bar.inc(events);
    }
}

fn number_of_events(archive: &Archive) -> kymo_otf2::Result<u64> {
    let file = archive.global_definitions()?;
    let mut events: u64 = 0;
    for record in file.records()? {
        if let GlobalDefinition::Location(location) = record? {
            events = events.saturating_add(location.number_of_events);
        }
    }
    Ok(events)
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
