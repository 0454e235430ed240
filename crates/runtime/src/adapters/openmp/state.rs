//! The state of a location in OpenMP: its place, its explicit task, the locks that it holds.
//!
//! Invariant: only the thread that has the location uses the state, or the one that has seized it.

use std::cell::Cell;
use std::fmt;
use std::ptr;

use super::OF_LOCATION;
use super::locks::Held;
use super::sites::Site;
use super::tasks::Task;
use super::tree::TeamPlace;
use crate::locations::Location;
use crate::mapped::{Zeroed, zeroed};

/// The number of locks that a thread can hold at once with exact acquisition numbers.
pub(super) const LOCKS: usize = 16;

/// The state of a location in OpenMP.
pub(crate) struct LocationState {
    /// The place that the thread has outside of any team; null for the members of teams.
    root: Cell<*const TeamPlace>,
    /// The innermost place; null for a location that no thread has.
    place: Cell<*const TeamPlace>,
    /// The explicit task that is executed; null for the implicit one.
    pub(super) task: Cell<*const Task>,
    pub(super) held: [Cell<Held>; LOCKS],
    pub(super) held_count: Cell<usize>,
    /// When the thread began to wait for a lock, how it asked for it, and where.
    pub(super) waiting: Cell<(u64, u32)>,
    pub(super) waiting_at: Cell<*const Site>,
    /// Tasks that were completed here, for new ones.
    pub(super) free_tasks: Cell<*const Task>,
    pub(super) free_count: Cell<usize>,
}

// SAFETY: pointers and integers, for all of which zero is a value.
unsafe impl Zeroed for LocationState {}

// SAFETY: other threads only see where the state is. It is used by the thread that has the
// location, or the one that has seized it.
unsafe impl Sync for LocationState {}

impl fmt::Debug for LocationState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocationState").finish_non_exhaustive()
    }
}

impl LocationState {
    /// Returns the state of a location; `None` if it has never used OpenMP.
    pub(super) fn known(location: &Location) -> Option<&'static Self> {
        location.slots.get(&OF_LOCATION)
    }

    /// Returns the state of a location, a new one if necessary. Only for the thread that has the
    /// location.
    #[inline]
    pub(super) fn of(location: &'static Location) -> Option<&'static Self> {
        Self::known(location).or_else(|| Self::new(location))
    }

    #[cold]
    fn new(location: &'static Location) -> Option<&'static Self> {
        let [state] = zeroed::<Self>(1)? else { return None };
        let state: &'static Self = state;
        if !location.is_shared {
            let root = TeamPlace::root(location)?;
            state.root.set(root);
            state.place.set(root);
        }
        location.slots.set(&OF_LOCATION, Some(state));
        Some(state)
    }

    /// Returns the innermost place.
    #[inline]
    pub(super) fn place(&self) -> Option<&'static TeamPlace> {
        // SAFETY: null or a place, which is never freed. States are not those of a parent process:
        // a forked child has new locations.
        unsafe { self.place.get().as_ref() }
    }

    pub(super) fn set_place(&self, place: Option<&'static TeamPlace>) {
        self.place.set(place.map_or(ptr::null(), ptr::from_ref));
    }

    /// Returns the explicit task that is executed.
    #[inline]
    pub(super) fn task(&self) -> Option<&'static Task> {
        // SAFETY: null or a task, whose memory is never freed.
        unsafe { self.task.get().as_ref() }
    }
}
