//! The manifest of the experiment directory.

use core::ffi::CStr;
use core::fmt;

use super::{Host, entry};
use crate::bindings::FILE;

/// The open manifest, during `dump_manifest`.
pub struct Manifest<'a> {
    host: Host,
    stream: *mut FILE,
    source_dir: Option<&'a CStr>,
    target_dir: Option<&'a CStr>,
}

impl<'a> Manifest<'a> {
    /// Creates the manifest.
    ///
    /// # Safety
    ///
    /// `stream` is a stream of the C library that is open as long as the result is used.
    pub(crate) unsafe fn new(
        host: Host,
        stream: *mut FILE,
        source_dir: Option<&'a CStr>,
        target_dir: Option<&'a CStr>,
    ) -> Self {
        Self { host, stream, source_dir, target_dir }
    }

    /// The working directory of the program.
    pub fn source_dir(&self) -> Option<&'a CStr> {
        self.source_dir
    }

    /// The experiment directory.
    pub fn target_dir(&self) -> Option<&'a CStr> {
        self.target_dir
    }

    /// Starts a section.
    pub fn section(&self, title: &CStr) {
        let Some(header) = entry!(self.host, SCOREP_ConfigManifestSectionHeader) else { return };
        // SAFETY: the stream is open, and the title is zero terminated.
        unsafe { header(self.stream, title.as_ptr()) }
    }

    /// Adds the description of a file. `file` is relative to the experiment directory.
    pub fn entry(&self, file: &CStr, description: &CStr) {
        let Some(entry) = entry!(self.host, SCOREP_ConfigManifestSectionEntry) else { return };
        // SAFETY: the stream is open, and the strings are zero terminated. The format takes the one
        // string that follows.
        unsafe { entry(self.stream, file.as_ptr(), c"%s".as_ptr(), description.as_ptr()) }
    }
}

impl fmt::Debug for Manifest<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Manifest")
            .field("source_dir", &self.source_dir)
            .field("target_dir", &self.target_dir)
            .finish_non_exhaustive()
    }
}
