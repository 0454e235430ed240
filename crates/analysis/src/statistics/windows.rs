//! One-sided communication.

use kymo_otf2::events::Event;
use kymo_otf2::references::RmaWinRef;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// A number of operations and of bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amount {
    /// The number of operations.
    pub count: u64,
    /// The number of bytes.
    pub bytes: u64,
}

impl Amount {
    pub(crate) fn one(&mut self, bytes: u64) {
        *self += Self { count: 1, bytes };
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.bytes = self.bytes.saturating_add(other.bytes);
    }
}

/// The operations on a window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// The amount that was put.
    pub puts: Amount,
    /// The amount that was got.
    pub gets: Amount,
    /// The atomic operations, with the bytes sent and received.
    pub atomics: Amount,
    /// The number of operations that are known to be complete.
    pub completed: u64,
    /// The number of synchronisations: of groups, of memory, by locks and by waiting.
    pub synchronisations: u64,
}

impl AddAssign<&Window> for Window {
    fn add_assign(&mut self, other: &Self) {
        self.puts += other.puts;
        self.gets += other.gets;
        self.atomics += other.atomics;
        self.completed += other.completed;
        self.synchronisations += other.synchronisations;
    }
}

/// The operations on all windows.
#[derive(Debug, Default)]
pub(super) struct Windows(pub BTreeMap<RmaWinRef, Window>);

impl Windows {
    pub(super) fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::RmaPut(it) => self.of(it.win).puts.one(it.bytes),
            Event::RmaGet(it) => self.of(it.win).gets.one(it.bytes),
            Event::RmaAtomic(it) => {
                self.of(it.win).atomics.one(it.bytes_sent.saturating_add(it.bytes_received));
            }
            Event::RmaOpCompleteBlocking(it) => self.of(it.win).completed += 1,
            Event::RmaOpCompleteNonBlocking(it) => self.of(it.win).completed += 1,
            Event::RmaGroupSync(it) => self.of(it.win).synchronisations += 1,
            Event::RmaSync(it) => self.of(it.win).synchronisations += 1,
            Event::RmaAcquireLock(it) => self.of(it.win).synchronisations += 1,
            Event::RmaWaitChange(it) => self.of(it.win).synchronisations += 1,
            Event::RmaCollectiveEnd(it) => self.of(it.win).synchronisations += 1,
            _ => {}
        }
    }

    fn of(&mut self, window: RmaWinRef) -> &mut Window {
        self.0.entry(window).or_default()
    }
}
