//! The work to which a part belongs.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsString;
use std::path::Path;

use kymo_analysis::{Selection, SelectionPart, Trace};
use kymo_otf2::FileName;
use kymo_otf2::references::{LocationRef, RegionRef};
use kymo_recorder::real_path;
use serde::{Deserialize, Serialize};

use crate::trace;

/// The first record of a part.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Header {
    /// The command that made it: the verb, and the format if it has one.
    pub(crate) maker: String,
    /// The anchor file, as it was named, and from the root.
    anchor: OsString,
    absolute: OsString,
    /// The identifier of the trace.
    pub(super) trace: u64,
    pub(crate) part: SelectionPart,
    locations: Option<HashSet<LocationRef>>,
    from: u64,
    to: u64,
    left_out: BTreeSet<RegionRef>,
    /// The options that affect the result.
    pub(crate) settings: Vec<(String, String)>,
}

impl Header {
    pub(crate) fn of(
        trace: &Trace,
        maker: &str,
        selection: &Selection,
        settings: Vec<(String, String)>,
    ) -> Self {
        let anchor = trace.archive().path(FileName::Anchor);
        let absolute = real_path(&anchor).unwrap_or_else(|_| anchor.clone());
        let mut all = super::settings_of(selection);
        all.extend(settings);
        Self {
            maker: maker.to_owned(),
            anchor: anchor.into(),
            absolute: absolute.into(),
            trace: trace::identifier(trace),
            part: selection.part,
            locations: selection.locations.clone(),
            from: selection.from,
            to: selection.to,
            left_out: selection.left_out.clone(),
            settings: all,
        }
    }

    /// Returns the selection that all parts together have read.
    pub(crate) fn selection(&self) -> Selection {
        let (locations, left_out) = (self.locations.clone(), self.left_out.clone());
        Selection { locations, from: self.from, to: self.to, left_out, ..Selection::default() }
    }

    /// Returns the value of an option.
    pub(crate) fn setting(&self, name: &str) -> &str {
        self.settings.iter().find(|it| it.0 == name).map_or("", |it| &it.1)
    }

    /// Returns the anchor file: by its name at that time, if that still leads to it.
    pub(super) fn anchor(&self) -> &Path {
        let (anchor, absolute) = (Path::new(&self.anchor), Path::new(&self.absolute));
        if real_path(anchor).is_ok_and(|path| path == absolute) { anchor } else { absolute }
    }

    /// Returns the difference of the parts, if they do not belong together.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        if self.absolute != other.absolute || self.trace != other.trace {
            let [there, here] = [other, self].map(|it| it.absolute.display());
            return Some(format!("a part of {there}, not of {here}"));
        }
        if self.part.count != other.part.count {
            return Some(format!("one of {} parts, not of {}", other.part.count, self.part.count));
        }
        if self.maker != other.maker {
            return Some(format!("made by 'kymo {}', not by 'kymo {}'", other.maker, self.maker));
        }
        let mut settings = self.settings.iter().zip(&other.settings);
        let (here, there) = settings.find(|(here, there)| here != there)?;
        Some(format!("made with another '--{}': {}, not {}", there.0, there.1, here.1))
    }
}
