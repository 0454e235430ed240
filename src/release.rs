//! Recognises the release of Score-P that the plugin runs in from the data that the host passes.
//!
//! The interface does not report the release (docs/spec/scorep-substrate-abi.md, §12), but it
//! matters: 8.0 swapped two event numbers, and 7.0 appended arguments that are undefined in 6.0.
//! The layout of the first location distinguishes 8.0 from earlier hosts, and the process id in
//! PROGRAM_BEGIN distinguishes 7.0 from 6.0. Both are available before the first event whose
//! meaning depends on the release.

use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// A group of releases that behave alike.
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
    /// Parses a version as users write it, such as `7.1` or `8`.
    pub(crate) fn from_version(version: &str) -> Option<Self> {
        match version.split('.').next()?.parse() {
            Ok(6) => Some(Self::V6),
            Ok(7) => Some(Self::V7),
            Ok(8 | 9) => Some(Self::V8),
            _ => None,
        }
    }

    /// Recognises the release from the location layout (`since_8`, if it is readable) and the
    /// process id passed with PROGRAM_BEGIN, which is compared with this process's `own`. A host
    /// that passes the process id and has no readable layout is assumed to be a new one.
    fn recognise(since_8: Option<bool>, process_id: u64, own: u32) -> Self {
        let has_process_id = process_id == u64::from(own);
        match (since_8, has_process_id) {
            (Some(true), _) | (None, true) => Self::V8,
            (Some(false), true) => Self::V7,
            (_, false) => Self::V6,
        }
    }
}

/// The release of the running host. Until PROGRAM_BEGIN it is assumed to be the newest.
#[derive(Debug)]
pub(crate) struct CurrentRelease {
    release: AtomicU8,
    /// The release that the user set, which replaces the recognised one.
    set: Option<Release>,
}

impl CurrentRelease {
    /// Returns the newest release.
    pub(crate) const fn new(set: Option<Release>) -> Self {
        Self { release: AtomicU8::new(Release::V8 as u8), set }
    }

    /// Recognises the release, unless the user set one: see [`Release::recognise`].
    pub(crate) fn recognise(&self, since_8: Option<bool>, process_id: u64, own: u32) {
        let release = self.set.unwrap_or_else(|| Release::recognise(since_8, process_id, own));
        self.release.store(release as u8, Relaxed);
    }

    /// Whether the host is of this release or a later one.
    #[inline]
    pub(crate) fn is_since(&self, release: Release) -> bool {
        self.release.load(Relaxed) >= release as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_and_process_id_distinguish_the_releases() {
        let own = 4711;
        assert_eq!(Release::recognise(Some(true), 0, own), Release::V8);
        assert_eq!(Release::recognise(Some(false), own.into(), own), Release::V7);
        assert_eq!(Release::recognise(Some(false), 0, own), Release::V6);
        assert_eq!(Release::recognise(None, own.into(), own), Release::V8);
        assert_eq!(Release::recognise(None, u64::from(own) + 1, own), Release::V6);
    }

    #[test]
    fn the_newest_release_is_assumed_until_one_is_known() {
        let release = CurrentRelease::new(None);
        assert!(release.is_since(Release::V8));
        release.recognise(Some(false), 4711, 4711);
        assert!(release.is_since(Release::V7) && !release.is_since(Release::V8));
    }

    #[test]
    fn the_release_that_the_user_set_replaces_the_recognised_one() {
        let release = CurrentRelease::new(Some(Release::V6));
        release.recognise(Some(true), 4711, 4711);
        assert!(!release.is_since(Release::V7));
    }
}
