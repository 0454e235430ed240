//! The contents of a process's journal.

use std::collections::BTreeMap;

use kymo_otf2::enums::Type;

use super::entries::Gaps;
use crate::{
    clock::{Clock, Machine},
    journal::{ClockEntry, CommunicatorEntry, Entry, LocationEntry},
    unification::Keys,
};

/// A location as recorded in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LocationFacts {
    pub(super) number: u32,
    pub(super) id: Option<u64>,
    pub(super) group: u32,
    pub(super) location_type: u8,
    pub(super) name: Vec<u8>,
}

/// An attribute as recorded in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attribute {
    pub(super) name: Vec<u8>,
    pub(super) description: Vec<u8>,
    pub(super) type_: Type,
}

impl Attribute {
    fn new(value_type: u8, texts: &[u8]) -> Self {
        let mut texts = texts.splitn(2, |&byte| byte == 0).map(<[u8]>::to_vec);
        let mut next = || texts.next().unwrap_or_default();
        Self { name: next(), description: next(), type_: Type(value_type) }
    }
}

/// Everything except events. If several entries describe the same thing, the last one counts.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// The definitions, in ids of the process.
    pub(super) log: Vec<u8>,
    pub(super) keys: Keys,
    /// The locations, by slot.
    pub(super) locations: BTreeMap<u32, LocationFacts>,
    /// The rank and the number of ranks.
    pub(super) process: Option<(u32, u32)>,
    /// The first and the last clock entry.
    clocks: Option<(ClockEntry, ClockEntry)>,
    pub(super) communicators: BTreeMap<u32, CommunicatorEntry>,
    /// The begin and end of the program.
    pub(super) program: (Option<u64>, Option<u64>),
    /// The promises that were not kept.
    pub(super) broken: u32,
    /// The attributes of events.
    pub(super) attributes: BTreeMap<u32, Attribute>,
    pub(super) gaps: Gaps,
    /// The number of entries unknown to this version.
    pub(super) unknown: u64,
}

impl Facts {
    /// Adds the data of an entry.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        match Entry::decode(bytes) {
            None => self.unknown += 1,
            Some(Entry::Definitions(records)) => self.log.extend_from_slice(records),
            Some(Entry::Key { space, id, key }) => self.keys.set(space, id, key),
            Some(Entry::Location(location)) => self.take_location(&location),
            Some(Entry::Process { rank, size }) => self.process = Some((rank, size)),
            Some(Entry::Clock(clock)) => self.take_clock(clock),
            Some(Entry::Communicator(it)) => _ = self.communicators.insert(it.id, it),
            Some(Entry::Program { begin, end }) => {
                let known = |time: u64| (time != u64::MAX).then_some(time);
                self.program = (known(begin).or(self.program.0), known(end).or(self.program.1));
            }
            Some(Entry::Broken(bits)) => self.broken |= bits,
            Some(Entry::Attribute { id, value_type, texts }) => {
                self.attributes.insert(id, Attribute::new(value_type, texts));
            }
        }
    }

    fn take_location(&mut self, entry: &LocationEntry<'_>) {
        let id = (entry.id != u64::MAX).then_some(entry.id);
        // An id that is known once stays known.
        let id = id.or_else(|| self.locations.get(&entry.slot)?.id);
        let &LocationEntry { slot, number, group, location_type, name, .. } = entry;
        let location = LocationFacts { number, id, group, location_type, name: name.to_vec() };
        self.locations.insert(slot, location);
    }

    fn take_clock(&mut self, entry: ClockEntry) {
        let first = self.clocks.map_or(entry, |(first, _)| first);
        self.clocks = Some((first, entry));
    }

    /// Returns the clock of the timestamps.
    pub(super) fn clock(&self) -> Option<Clock> {
        let (_, last) = self.clocks?;
        Clock::ALL.get(usize::try_from(last.clock).ok()?).copied()
    }

    /// Returns its ticks per second, if they are known or can be measured.
    ///
    /// A process notes its clock when it begins, and again when its program begins and when ranks
    /// are known. If all of that was within a millisecond, the present reading of the same machine
    /// measures the rate.
    pub(super) fn resolution(&self, machine: &impl Machine) -> Option<u64> {
        let (first, last) = self.clocks?;
        let clock = self.clock()?;
        let is_here = || machine.node().is_some_and(|node| node.0.get() == first.node);
        let now = || is_here().then(|| machine.now().ticks_per_second(&first.reading, clock)).flatten();
        let noted = last.reading.ticks_per_second(&first.reading, clock);
        noted.or_else(now).filter(|&resolution| resolution > 0)
    }

    /// Returns the wall-clock time at a time of this process, in nanoseconds since 1970.
    pub(super) fn realtime(&self, time: u64, resolution: u64) -> Option<u64> {
        let (first, clock) = (self.clocks?.0.reading, self.clock()?);
        let ticks = i128::from(time) - i128::from(first.of(clock));
        let passed = ticks.checked_mul(1_000_000_000)?.checked_div(resolution.into())?;
        u64::try_from(i128::from(first.realtime).checked_add(passed)?).ok()
    }

    /// Returns how far the clock of rank 0 is ahead.
    pub(super) fn ahead(&self) -> i64 {
        self.clocks.map_or(0, |(_, last)| last.ahead)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;
    use crate::clock::{Node, Reading};

    /// A machine whose counter has 2.1 ticks per nanosecond.
    struct Later {
        node: u64,
        nanos: u64,
    }

    impl Machine for Later {
        fn now(&self) -> Reading {
            let Self { nanos, .. } = *self;
            Reading { counter: nanos / 10 * 21, monotonic_raw: nanos, monotonic: nanos, realtime: nanos }
        }

        fn node(&self) -> Option<Node> {
            NonZeroU64::new(self.node).map(Node)
        }
    }

    /// Returns the facts that a process noted on node 7 at these times, with timestamps of the
    /// counter.
    fn noted(times: [u64; 2]) -> Facts {
        let mut facts = Facts::default();
        for nanos in times {
            let counter = Clock::ALL.iter().position(|&clock| clock == Clock::Counter).expect("a clock");
            let reading = Later { node: 7, nanos }.now();
            facts.take_clock(ClockEntry { clock: counter as u32, reading, node: 7, ahead: 0 });
        }
        facts
    }

    /// It was unknown. The program begins within a millisecond after the plugin, unless the machine
    /// is slow.
    #[test]
    fn the_clock_of_a_process_killed_after_a_quick_begin_is_known() {
        let (facts, nanos) = (noted([1_000_000_000, 1_000_100_000]), 5_000_000_000);
        assert_eq!(facts.resolution(&Later { node: 7, nanos }), Some(2_100_000_000));
        // After a boot, or elsewhere, the counter has begun again.
        assert_eq!(facts.resolution(&Later { node: 8, nanos }), None);
        assert_eq!(facts.resolution(&Later { node: 0, nanos }), None);
    }

    #[test]
    fn noted_readings_determine_the_rate_wherever_the_process_is_recovered() {
        let facts = noted([1_000_000_000, 1_010_000_000]);
        assert_eq!(facts.resolution(&Later { node: 8, nanos: 0 }), Some(2_100_000_000));
        assert_eq!(Facts::default().resolution(&Later { node: 7, nanos: 0 }), None);
    }
}
