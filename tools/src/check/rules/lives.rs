//! Lives of things that one event begins, others use, and one ends: requests, tasks, handles, operations.
//!
//! Events of several locations at one time come in the order of the locations, not in that of what happened. So a use without a
//! life is only held to be a fault when the time goes on and no life began at that very time.

use std::collections::HashMap;
use std::hash::Hash;

use super::Spot;

/// Uses without a life that wait for one: a trace in which all happens at one time must not take memory for each.
const MOST_EARLY: usize = 1024;

/// The lives of things of type `K`, with what is to be known of each.
#[derive(Debug)]
pub(super) struct Lives<K, V> {
    alive: HashMap<K, Life<V>>,
    early: Vec<Early<K>>,
}

/// A life that has not ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct Life<V> {
    /// Its beginning.
    pub(super) spot: Spot,
    pub(super) value: V,
}

/// A use without a life, so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct Early<K> {
    pub(super) key: K,
    pub(super) spot: Spot,
    ends: bool,
}

impl<K: Copy + Eq + Hash, V> Lives<K, V> {
    pub(super) fn new() -> Self {
        Lives { alive: HashMap::new(), early: Vec::new() }
    }

    /// Begins a life, in place of one that has not ended, which is returned.
    pub(super) fn begin(&mut self, key: K, spot: Spot, value: V) -> Option<Life<V>> {
        let at_once = |early: &Early<K>| early.key == key && early.spot.time == spot.time;
        let over = self.early.iter().any(|early| at_once(early) && early.ends);
        self.early.retain(|early| !at_once(early));
        if over {
            return None;
        }
        self.alive.insert(key, Life { spot, value })
    }

    /// What is known of a life.
    pub(super) fn get(&mut self, key: K, spot: Spot) -> Option<&mut Life<V>> {
        if !self.alive.contains_key(&key) {
            self.early.push(Early { key, spot, ends: false });
        }
        self.alive.get_mut(&key)
    }

    /// Ends a life.
    pub(super) fn end(&mut self, key: K, spot: Spot) -> Option<Life<V>> {
        let life = self.alive.remove(&key);
        if life.is_none() {
            self.early.push(Early { key, spot, ends: true });
        }
        life
    }

    /// Whether it lives, without a claim that it must.
    pub(super) fn has(&self, key: K) -> bool {
        self.alive.contains_key(&key)
    }

    /// Uses before `now` that no life excused; `now` is the time of the event that comes next.
    #[inline]
    pub(super) fn overdue(&mut self, now: u64) -> Vec<Early<K>> {
        match self.early.first() {
            Some(early) if early.spot.time < now || self.early.len() >= MOST_EARLY => {
                std::mem::take(&mut self.early)
            }
            _ => Vec::new(),
        }
    }

    /// Uses that no life excused, after the last event.
    pub(super) fn all_overdue(&mut self) -> Vec<Early<K>> {
        std::mem::take(&mut self.early)
    }

    /// Lives without an end, in the order of their beginnings.
    pub(super) fn rest(&mut self) -> Vec<(K, Life<V>)> {
        let mut rest: Vec<_> = self.alive.drain().collect();
        rest.sort_unstable_by_key(|(_, life)| life.spot);
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: u64, location: u64) -> Spot {
        Spot { time, location, number: 1, offset: 0, record: "Test" }
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
