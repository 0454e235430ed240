//! The regions that are left out: the file that `SCOREP_FILTERING_FILE` names, with Score-P's rules.
//!
//! `kymo record` says in the end which rules matched nothing. For that it makes a file with a byte for each rule; each process writes a 1
//! in the place of a rule that matches for the first time. Invariant: rules are looked at when a region is defined, not at events.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use kymo_filter::{Filter, Region};

use crate::settings::Settings;

/// The file of rules that matched, in the folder of the measurement.
const MATCHED: &str = "filter-rules";

static FILTER: OnceLock<Rules> = OnceLock::new();

#[derive(Debug, Default)]
struct Rules {
    filter: Filter,
    /// By number: whether the rule has matched in this process, or in one that it was forked from.
    matched: Vec<AtomicBool>,
    file: Option<PathBuf>,
}

/// Reads the rules, once. Without a file, or without one that can be read, everything is recorded.
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
    kymo_substrate::report("kymo", format_args!("{error}; nothing is left out"));
    None
}

/// Whether a region is left out.
pub(crate) fn excludes(name: &[u8], mangled: Option<&[u8]>, file: Option<&[u8]>) -> bool {
    let region = Region { name, mangled, file };
    FILTER.get().is_some_and(|rules| {
        rules.mark(&region);
        rules.filter.excludes(&region)
    })
}

impl Rules {
    /// Notes the rules that match.
    fn mark(&self, region: &Region<'_>) {
        for number in self.filter.matching(region) {
            let is_new = self.matched.get(number).is_some_and(|matched| !matched.swap(true, Relaxed));
            if let (true, Some(file)) = (is_new, &self.file) {
                // Nobody asked for it if the file is not there.
                let _ =
                    OpenOptions::new().write(true).open(file).and_then(|it| it.write_at(&[1], number as u64));
            }
        }
    }
}
