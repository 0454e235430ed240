//! How an archive is recovered, and how that can fail.

use std::{error::Error, fmt};

pub(super) type Result<T = (), E = Box<dyn Error + Send + Sync>> = core::result::Result<T, E>;

/// How to write the archive.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// Whether regions that were not left receive a leave.
    pub closes: bool,
    /// The name of the program that writes it.
    pub creator: &'a str,
    /// Additional properties of the archive, if nothing is missing from it.
    pub properties: &'a [(&'static str, String)],
    /// A callback that receives the number of events just written.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl fmt::Debug for Settings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("closes", &self.closes).finish_non_exhaustive()
    }
}
