//! Lifetimes of things that one event begins, others use, and another one ends: requests, tasks,
//! handles, operations.
//!
//! Events of different locations with the same time are in the order of the locations, not in that
//! in which they happened. So a use outside of a lifetime is a fault only if no lifetime has begun
//! when time advances.

use std::hash::Hash;

use super::EventSpot;
use crate::check::tables::HashMap;

/// The maximum number of uses that wait for a lifetime. A trace in which everything happens at the
/// same time must not take memory for each event.
const MOST_EARLY: usize = 1024;

/// The lifetimes of things of type `K`, each with a value.
#[derive(Debug)]
pub(super) struct Lives<K, V> {
    alive: HashMap<K, Life<V>>,
    early: Vec<Early<K>>,
}

/// A lifetime that has not ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Life<V> {
    /// The event that began it.
    pub(super) spot: EventSpot,
    pub(super) value: V,
}

/// A use outside of any lifetime so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Early<K> {
    pub(super) key: K,
    pub(super) spot: EventSpot,
    ends: bool,
}

impl<K: Copy + Eq + Hash, V> Lives<K, V> {
    pub(super) fn new() -> Self {
        Lives { alive: HashMap::default(), early: Vec::new() }
    }

    /// Begins a lifetime. If the previous one has not ended, it is replaced and returned.
    pub(super) fn begin(&mut self, key: K, spot: EventSpot, value: V) -> Option<Life<V>> {
        let at_once = |early: &Early<K>| early.key == key && early.spot.time == spot.time;
        let over = self.early.iter().any(|early| at_once(early) && early.ends);
        self.early.retain(|early| !at_once(early));
        if over {
            return None;
        }
        self.alive.insert(key, Life { spot, value })
    }

    /// Returns the lifetime of a thing that is used.
    pub(super) fn get(&mut self, key: K, spot: EventSpot) -> Option<&mut Life<V>> {
        if !self.alive.contains_key(&key) {
            self.early.push(Early { key, spot, ends: false });
        }
        self.alive.get_mut(&key)
    }

    /// Ends a lifetime.
    pub(super) fn end(&mut self, key: K, spot: EventSpot) -> Option<Life<V>> {
        let life = self.alive.remove(&key);
        if life.is_none() {
            self.early.push(Early { key, spot, ends: true });
        }
        life
    }

    /// Whether the thing is alive. This does not count as a use.
    pub(super) fn has(&self, key: K) -> bool {
        self.alive.contains_key(&key)
    }

    /// Returns the uses before `now` for which no lifetime began; `now` is the time of the next
    /// event.
    pub(super) fn overdue(&mut self, now: u64) -> Vec<Early<K>> {
        if self.has_overdue(now) { std::mem::take(&mut self.early) } else { Vec::new() }
    }

    /// Whether there are such uses.
    #[inline]
    pub(super) fn has_overdue(&self, now: u64) -> bool {
        self.early.first().is_some_and(|early| early.spot.time < now || self.early.len() >= MOST_EARLY)
    }

    /// Returns the uses for which no lifetime began, after the last event.
    pub(super) fn all_overdue(&mut self) -> Vec<Early<K>> {
        std::mem::take(&mut self.early)
    }

    /// Returns the lifetimes without an end, in order of their beginnings.
    pub(super) fn rest(&mut self) -> Vec<(K, Life<V>)> {
        let mut rest: Vec<_> = self.alive.drain().collect();
        rest.sort_unstable_by_key(|(_, life)| life.spot);
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: u64, location: u64) -> EventSpot {
        EventSpot { time, location, number: 1, offset: 0, record: "Test" }
    }

    #[test]
    fn a_use_at_the_time_of_the_birth_is_excused() {
        let mut lives = Lives::new();
        assert!(lives.get(7, at(3, 0)).is_none());
        assert!(lives.begin(7, at(3, 1), ()).is_none());
        assert!(lives.overdue(4).is_empty());
        assert!(lives.has(7));
    }

    #[test]
    fn an_end_at_the_time_of_the_birth_ends_it() {
        let mut lives = Lives::new();
        assert!(lives.end(7, at(3, 0)).is_none());
        assert!(lives.begin(7, at(3, 1), ()).is_none());
        assert!(!lives.has(7) && lives.overdue(4).is_empty());
    }

    #[test]
    fn a_use_before_the_birth_is_a_fault() {
        let mut lives = Lives::new();
        assert!(lives.get(7, at(3, 0)).is_none());
        assert!(lives.overdue(3).is_empty(), "the life may still begin");
        assert_eq!(lives.overdue(4).len(), 1);
        assert!(lives.begin(7, at(4, 1), ()).is_none());
        assert_eq!(lives.begin(7, at(5, 1), ()).map(|life| life.spot), Some(at(4, 1)));
    }
}
