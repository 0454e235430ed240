//! Locks of threads, windows and files: released by the location that acquired them, and held by
//! one at a time.
//!
//! The acquisition numbers of a thread lock increase with time, and a release has the number of its
//! acquisition. Only a nestable lock that its holder acquires again keeps the number.

use std::fmt;

use kymo_otf2::enums::{LockType, Paradigm};
use kymo_otf2::events::Event;

use super::{CheckedEvent, Claims, EventRule, EventSpot};
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::tables::HashMap;
use kymo_analysis::communication::Process;

/// A lock, as far as its holders can exclude each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Lock {
    Thread {
        process: Process,
        model: Paradigm,
        id: u32,
    },
    /// A lock of a remote rank. Each origin is separate, because its clock is unrelated to that of
    /// the target.
    Window {
        location: u64,
        window: u32,
        remote: u32,
        id: u64,
    },
    File {
        process: Process,
        handle: u32,
    },
}

impl Lock {
    /// Whether all events of such locks were recorded.
    fn is_complete(self, claims: Claims) -> bool {
        if matches!(self, Self::Thread { .. }) { claims.locks } else { claims.others }
    }
}

impl fmt::Display for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Thread { model, id, .. } => write!(f, "{model} lock {id}"),
            Self::Window { window, remote, id, .. } if *remote == u32::MAX => {
                write!(f, "lock {id} of all ranks of window {window}")
            }
            Self::Window { window, remote, id, .. } => {
                write!(f, "lock {id} of rank {remote} of window {window}")
            }
            Self::File { handle, .. } => write!(f, "the lock of I/O handle {handle}"),
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Holder {
    spot: EventSpot,
    order: Option<u32>,
    shared: bool,
    /// Whether this is a window lock that was requested; its acquisition is a further event.
    requested: bool,
}

#[derive(Debug, Default)]
struct LockState {
    holders: Vec<Holder>,
    /// The last acquisition and its number.
    last: Option<(u32, EventSpot)>,
}

impl LockState {
    /// Whether the location of `again` holds the lock by an acquisition with the same number.
    fn is_nested(&self, again: &Holder) -> bool {
        self.holders.iter().any(|held| held.spot.location == again.spot.location && held.order == again.order)
    }
}

pub(super) struct Locks {
    claims: Claims,
    states: HashMap<Lock, LockState>,
}

impl Locks {
    pub(super) fn new(claims: Claims) -> Self {
        Locks { claims, states: HashMap::default() }
    }

    fn acquire(&mut self, lock: Lock, holder: Holder, findings: &mut Findings<'_>) {
        let state = self.states.entry(lock).or_default();
        if let Some(order) = holder.order {
            if let Some((last, spot)) = state.last
                && order <= last
                && spot.time < holder.spot.time
                && !state.is_nested(&holder)
            {
                findings.find(
                    FindingKind::LockOrder,
                    holder.spot,
                    format_args!(
                        "acquisition {order} of {lock} follows acquisition {last} (event {} of location {})",
                        spot.number, spot.location,
                    ),
                );
            }
            state.last = Some((order, holder.spot));
        }
        state.holders.retain(|old| !(old.requested && old.spot.location == holder.spot.location));
        state.holders.push(holder);
    }

    fn release(
        &mut self,
        lock: Lock,
        order: Option<u32>,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) {
        let state = self.states.entry(lock).or_default();
        let held = |holder: &Holder| holder.spot.location == here.spot.location;
        let exact = state.holders.iter().rposition(|holder| held(holder) && holder.order == order);
        let found = exact
            .or_else(|| state.holders.iter().rposition(held))
            .or_else(|| state.holders.iter().rposition(|holder| order.is_some() && holder.order == order));
        let Some(index) = found else {
            if lock.is_complete(self.claims) {
                findings.find(FindingKind::LockNotHeld, here.spot, format_args!("{lock} is not held"));
            }
            return;
        };
        let holder = state.holders.swap_remove(index);
        if let (Some(order), Some(acquired)) = (order, holder.order)
            && order != acquired
        {
            findings.find(
                FindingKind::LockOrder,
                here.spot,
                format_args!("releases acquisition {order} of {lock}, but holds acquisition {acquired}"),
            );
        }
        overlaps(lock, state, holder, here, findings);
        if state.holders.is_empty() && order.is_none() {
            self.states.remove(&lock);
        }
    }
}

/// Reports a location that acquired the lock before its holder released it.
fn overlaps(
    lock: Lock,
    state: &LockState,
    holder: Holder,
    here: &CheckedEvent<'_>,
    findings: &mut Findings<'_>,
) {
    let during = holder.spot.time.saturating_add(1)..here.spot.time;
    let other = state.holders.iter().find(|other| {
        other.spot.location != holder.spot.location
            && !(other.shared && holder.shared)
            && during.contains(&other.spot.time)
    });
    if let Some(other) = other {
        findings.find(
            FindingKind::LockHeldTwice,
            other.spot,
            format_args!(
                "acquires {lock} while location {} holds it, until {}",
                holder.spot.location, here.spot.time,
            ),
        );
    }
}

/// Returns the lock that an event concerns, with the number of its acquisition if it has one.
fn lock(here: &CheckedEvent<'_>) -> Option<(Lock, Option<u32>)> {
    let process = here.process;
    let location = here.spot.location;
    let thread = |model, id, order| (Lock::Thread { process, model, id }, Some(order));
    let window = |window, remote, id| (Lock::Window { location, window, remote, id }, None);
    let file = |handle| (Lock::File { process, handle }, None);
    Some(match here.event {
        Event::ThreadAcquireLock(it) => thread(it.model, it.lock_id, it.acquisition_order),
        Event::ThreadReleaseLock(it) => thread(it.model, it.lock_id, it.acquisition_order),
        Event::OmpAcquireLock(it) => thread(Paradigm::OPENMP, it.lock_id, it.acquisition_order),
        Event::OmpReleaseLock(it) => thread(Paradigm::OPENMP, it.lock_id, it.acquisition_order),
        Event::RmaRequestLock(it) => window(it.win.0, it.remote, it.lock_id),
        Event::RmaAcquireLock(it) => window(it.win.0, it.remote, it.lock_id),
        Event::RmaReleaseLock(it) => window(it.win.0, it.remote, it.lock_id),
        Event::IoAcquireLock(it) => file(it.handle.0),
        Event::IoReleaseLock(it) => file(it.handle.0),
        _ => return None,
    })
}

impl EventRule for Locks {
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        // The system releases the locks of a closed file.
        if let Event::IoDestroyHandle(it) = here.event {
            self.states.remove(&Lock::File { process: here.process, handle: it.handle.0 });
        }
        let Some((lock, order)) = lock(here) else { return };
        let holder = |shared, requested| Holder { spot: here.spot, order, shared, requested };
        match here.event {
            Event::RmaRequestLock(it) => {
                self.acquire(lock, holder(it.lock_type == LockType::SHARED, true), findings);
            }
            Event::RmaAcquireLock(it) => {
                self.acquire(lock, holder(it.lock_type == LockType::SHARED, false), findings);
            }
            Event::IoAcquireLock(it) => {
                self.acquire(lock, holder(it.lock_type == LockType::SHARED, false), findings);
            }
            Event::ThreadAcquireLock(_) | Event::OmpAcquireLock(_) => {
                self.acquire(lock, holder(false, false), findings);
            }
            _ => self.release(lock, order, here, findings),
        }
    }

    fn end(&mut self, complete: bool, findings: &mut Findings<'_>) {
        let claims = self.claims;
        let states = self.states.drain().filter(|(lock, _)| complete && lock.is_complete(claims));
        let held = states.flat_map(|(lock, state)| state.holders.into_iter().map(move |it| (it.spot, lock)));
        let mut held: Vec<_> = held.collect();
        held.sort_unstable();
        for (spot, lock) in held {
            findings.find(FindingKind::LockNotReleased, spot, format_args!("{lock} is never released"));
        }
    }
}
