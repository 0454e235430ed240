//! Times after clock correction: they stay within the range that the archive states, and do not run
//! backwards on any location.

use kymo_otf2::events::Event;

use super::{CheckedEvent, EventRule};
use crate::check::definitions::DefinitionIndex;
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::tables::HashSet;

pub(super) struct Clocks<'a> {
    /// The first and the last allowed time.
    range: Option<(u64, u64)>,
    /// The locations whose times run backwards without correction.
    disordered: &'a HashSet<u64>,
    /// The time of the last event of each location.
    last: Vec<u64>,
}

impl<'a> Clocks<'a> {
    pub(super) fn new(definitions: &DefinitionIndex<'_>, disordered: &'a HashSet<u64>) -> Self {
        let range = definitions
            .clock
            .map(|clock| (clock.global_offset, clock.global_offset.saturating_add(clock.trace_length)));
        Clocks { range, disordered, last: vec![0; definitions.locations.len()] }
    }
}

impl EventRule for Clocks<'_> {
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        let time = here.spot.time;
        if let Some((first, end)) = self.range
            && !(first..=end).contains(&time)
        {
            findings.find(
                FindingKind::TimeOutside,
                here.spot,
                format_args!("time {time} is outside {first} to {end}"),
            );
        }
        let last = self.last.get_mut(here.location_index).map_or(0, |last| std::mem::replace(last, time));
        if time < last && !self.disordered.contains(&here.spot.location) {
            findings.find(
                FindingKind::CorrectedTimeGoesBack,
                here.spot,
                format_args!("corrected time {time} is before {last}, the time of the previous event"),
            );
        }
        if let Event::BufferFlush(flush) = here.event
            && flush.stop_time.0 < time
        {
            findings.find(
                FindingKind::FlushGoesBack,
                here.spot,
                format_args!("the flush stops at {}, before it begins at {time}", flush.stop_time.0),
            );
        }
    }
}
