//! The regions that are left out, according to the file that `SCOREP_FILTERING_FILE` names, with
//! Score-P's rules.
//!
//! At the end `kymo record` reports which rules matched nothing. It therefore creates a file with
//! one byte for each rule; a process writes a 1 at the position of a rule that matches for the
//! first time. Invariant: rules are evaluated when a region is defined, not at events.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use kymo_filter::{Filter, Region};

use crate::settings::Settings;

/// The file that marks the rules that matched, in the directory of the measurement.
const MATCHED: &str = "filter-rules";

static FILTER: OnceLock<Rules> = OnceLock::new();

#[derive(Debug, Default)]
struct Rules {
    filter: Filter,
    /// For each rule by number: whether it has matched in this process, or in one from which it was
    /// forked.
    matched: Vec<AtomicBool>,
    file: Option<PathBuf>,
}

/// Reads the rules, once. Without a readable file everything is recorded.
pub(crate) fn read(settings: &Settings) {
    FILTER.get_or_init(|| {
        let filter = settings.filtering_file.as_deref().map(Filter::read);
        let filter = filter.transpose().unwrap_or_else(refused).unwrap_or_default();
        let matched = filter.rules().iter().map(|_| AtomicBool::new(false)).collect();
        let file = settings.record_directory.as_ref().map(|folder| folder.join(MATCHED));
        Rules { filter, matched, file }
    });
}

fn refused(error: kymo_filter::Error) -> Option<Filter> {
    crate::message::report(format_args!("{error}; nothing is left out"));
    None
}

/// Returns whether a region is left out.
pub(crate) fn excludes(name: &[u8], mangled: Option<&[u8]>, file: Option<&[u8]>) -> bool {
    let region = Region { name, mangled, file };
    FILTER.get().is_some_and(|rules| {
        rules.mark(&region);
        rules.filter.excludes(&region)
    })
}

impl Rules {
    /// Marks the rules that match.
    fn mark(&self, region: &Region<'_>) {
        for number in self.filter.matching(region) {
            let is_new = self.matched.get(number).is_some_and(|matched| !matched.swap(true, Relaxed));
            if let (true, Some(file)) = (is_new, &self.file) {
                // Without the file the marks are not required, so an error is ignored.
                let _ =
                    OpenOptions::new().write(true).open(file).and_then(|it| it.write_at(&[1], number as u64));
            }
        }
    }
}
