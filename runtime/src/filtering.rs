//! The regions that are left out: the file that `SCOREP_FILTERING_FILE` names, with Score-P's rules.

use std::sync::OnceLock;

use kymo_filter::{Filter, Region};

use crate::settings::Settings;

static FILTER: OnceLock<Filter> = OnceLock::new();

/// Reads the rules, once. Without a file, or without one that can be read, everything is recorded.
pub(crate) fn read(settings: &Settings) {
    FILTER.get_or_init(|| {
        let filter = settings.filtering_file.as_deref().map(Filter::read);
        filter.transpose().unwrap_or_else(refused).unwrap_or_default()
    });
}

fn refused(error: kymo_filter::Error) -> Option<Filter> {
    kymo_substrate::report("kymo", format_args!("{error}; nothing is left out"));
    None
}

/// Whether a region is left out.
pub(crate) fn excludes(name: &[u8], mangled: Option<&[u8]>, file: Option<&[u8]>) -> bool {
    FILTER.get().is_some_and(|filter| filter.excludes(&Region { name, mangled, file }))
}
