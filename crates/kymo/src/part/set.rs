//! All parts of a trace.

use std::path::PathBuf;

use kymo_analysis::Trace;
use kymo_otf2::FileName;

use super::{Header, PartReader};
use crate::problem::Problem;
use crate::status::Status;
use crate::trace;

/// A complete set of parts, in their order.
pub(crate) struct Set {
    /// The header, which the parts have in common.
    pub(crate) header: Header,
    pub(crate) trace: Trace,
    /// The parts and their paths.
    pub(crate) parts: Vec<(PathBuf, PartReader)>,
}

impl Set {
    /// Opens these files, which the verb made.
    pub(crate) fn open(paths: &[PathBuf], verb: &str) -> Result<Self, Problem> {
        let mut parts = Vec::new();
        let mut first: Option<(Header, PathBuf)> = None;
        for path in paths {
            let (header, part) = PartReader::open(path)?;
            let (expected, _) = first.get_or_insert_with(|| (header.clone(), path.clone()));
            if let Some(difference) = expected.difference(&header) {
                return Err(Problem::of(path, difference, Status::Usage));
            }
            parts.push((header.part, path.clone(), part));
        }
        let Some((header, path)) = first else { return Err(Problem::usage("expected the parts")) };
        if header.maker.split(' ').next() != Some(verb) {
            let what = format!("made by 'kymo {}', not by 'kymo {verb}'", header.maker);
            return Err(Problem::of(&path, what, Status::Usage));
        }
        parts.sort_by_key(|(part, ..)| part.index);
        if let Some(pair) = parts.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let what = format!("the same part as {}", pair[0].1.display());
            return Err(Problem::of(&pair[1].1, what, Status::Usage));
        }
        let is_missing = |index: &u64| !parts.iter().any(|(part, ..)| part.index == *index);
        if let Some(missing) = (0..header.part.count.get()).find(is_missing) {
            let what =
                format!("part {missing}/{} of {} is missing", header.part.count, header.anchor().display());
            return Err(Problem::usage(what));
        }
        let trace = trace::open(header.anchor())?;
        if trace::identifier(&trace) != header.trace {
            let anchor = trace.archive().path(FileName::Anchor);
            return Err(Problem::of(&anchor, "the archive is not the one of the parts", Status::Usage));
        }
        let parts = parts.into_iter().map(|(_, path, part)| (path, part)).collect();
        Ok(Self { header, trace, parts })
    }
}
