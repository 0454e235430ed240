//! The regions that are left out: the file that `SCOREP_FILTERING_FILE` names, with Score-P's rules.

use std::env;
use std::path::Path;
use std::sync::OnceLock;

use kymo_filter::{Filter, Region};

const VARIABLE: &str = "SCOREP_FILTERING_FILE";

static FILTER: OnceLock<Filter> = OnceLock::new();

/// Reads the rules, once. Without a file, or without one that can be read, everything is recorded.
pub(crate) fn read() {
    FILTER.get_or_init(|| {
        let path = env::var_os(VARIABLE).filter(|path| !path.is_empty());
        path.map(|path| Filter::read(Path::new(&path)))
            .transpose()
            .unwrap_or_else(refused)
            .unwrap_or_default()
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
