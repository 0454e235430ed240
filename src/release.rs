//! Which release of Score-P the plugin runs in, found out from what the host passes.
//!
//! The interface does not tell (plugin interface, §12): two event numbers changed places in 8.0, and 7.0 appended arguments that
//! 6.0 leaves to chance. The layout of the first location tells 8.0 from earlier hosts, the process id in PROGRAM_BEGIN 7.0 from
//! 6.0. Both are there before the first event whose meaning depends on the answer.

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Hosts that behave alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Release {
    /// 6.0
    V6,
    /// 7.0 and 7.1
    V7,
    /// 8.0 and later
    V8,
}

impl Release {
    /// The release of a version as users write it: `7.1`, `8`.
    pub(crate) fn from_version(version: &str) -> Option<Self> {
        match version.split('.').next()?.parse() {
            Ok(6) => Some(Self::V6),
            Ok(7) => Some(Self::V7),
            Ok(8 | 9) => Some(Self::V8),
            _ => None,
        }
    }

    /// Tells by what the location layout says and by the process id that came with PROGRAM_BEGIN, compared with this
    /// process's `own`. A host without a readable layout that passes the process id is taken for a new one.
    pub(crate) fn recognise(since_8: Option<bool>, process_id: u64, own: u32) -> Self {
        let has_process_id = process_id == u64::from(own);
        match (since_8, has_process_id) {
            (Some(true), _) | (None, true) => Self::V8,
            (Some(false), true) => Self::V7,
            (_, false) => Self::V6,
        }
    }
}

/// The release of this host, once it is known.
#[derive(Debug)]
pub(crate) struct CurrentRelease(AtomicU8);

impl CurrentRelease {
    /// Until PROGRAM_BEGIN: the newest.
    pub(crate) const fn new() -> Self {
        Self(AtomicU8::new(Release::V8 as u8))
    }

    pub(crate) fn set(&self, release: Release) {
        self.0.store(release as u8, Relaxed);
    }

    /// Whether the host is of this release or a later one.
    #[inline]
    pub(crate) fn is_since(&self, release: Release) -> bool {
        self.0.load(Relaxed) >= release as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_told_apart_by_layout_and_process_id() {
        let own = 4711;
        assert_eq!(Release::recognise(Some(true), 0, own), Release::V8);
        assert_eq!(Release::recognise(Some(false), own.into(), own), Release::V7);
        assert_eq!(Release::recognise(Some(false), 0, own), Release::V6);
        assert_eq!(Release::recognise(None, own.into(), own), Release::V8);
        assert_eq!(Release::recognise(None, u64::from(own) + 1, own), Release::V6);
    }

    #[test]
    fn the_newest_release_is_assumed_until_one_is_known() {
        let release = CurrentRelease::new();
        assert!(release.is_since(Release::V8));
        release.set(Release::V7);
        assert!(release.is_since(Release::V7) && !release.is_since(Release::V8));
    }
}
