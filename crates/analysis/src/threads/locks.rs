//! The locks of a process.

use super::operation::LockId;
use foldhash::HashMap;
use kymo_otf2::references::LocationRef;

/// The largest number of releases of a lock that are kept.
const MOST: usize = 64;

/// The last releases of locks.
#[derive(Debug, Default)]
pub(super) struct Locks {
    releases: HashMap<LockId, Vec<Release>>,
}

/// A lock was released.
#[derive(Debug, Clone, Copy)]
pub(super) struct Release {
    /// The number of the acquisition.
    order: u32,
    pub(super) location: LocationRef,
    pub(super) time: u64,
}

impl Locks {
    pub(super) fn release(&mut self, lock: LockId, order: u32, location: LocationRef, time: u64) {
        let releases = self.releases.entry(lock).or_default();
        releases.push(Release { order, location, time });
        // Acquisitions forget earlier releases, but for those that are not looked up.
        if releases.len() > MOST {
            releases.sort_by_key(|it| it.order);
            releases.drain(..MOST / 2);
        }
    }

    /// Returns the release before an acquisition: that with the greatest lower number. Forgets
    /// those with lower numbers than that.
    pub(super) fn before(&mut self, lock: LockId, order: u32) -> Option<Release> {
        let releases = self.releases.get_mut(&lock)?;
        let found = releases.iter().filter(|it| it.order < order).max_by_key(|it| it.order).copied()?;
        releases.retain(|it| it.order >= found.order);
        Some(found)
    }
}
