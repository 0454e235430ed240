//! What is read once of a trace: next to a large archive, a file keeps it for the next time.
//!
//! The file begins with the cells of the pyramid. An [`Index`] follows, then its length in bytes
//! and a mark. Invariant: the file has at most a twentieth of the size of the archive.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use kymo_analysis::overview::{self, Checkpoint, Shape};
use kymo_analysis::{Error, Selection, Trace};
use kymo_otf2::FileName;
use kymo_otf2::references::{LocationRef, RegionRef};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::fingerprint::{self, Fingerprint};
use super::pyramid::{CELL, Places, Writer};
use super::tiles;
use crate::new_file::NewFile;
use crate::output::inform;
use crate::problem::Problem;
use crate::report::{Arrangement, MOST_ROWS, Messages, Palette, Report, shape_of};
use crate::trace;

/// The mark at the end of the file.
const MARK: &[u8; 8] = b"KYMOVIEW";
/// The part of the size of the archive that the file may have.
const PART: u64 = 20;
/// The part of the file that is left for all but cells, in bytes: the page and checkpoints.
const REST: u64 = 9_000_000;
/// The largest number of buckets of a location.
const MOST_BUCKETS: usize = 1 << 20;
/// The number of events from one checkpoint to the next: about 0.8 MB of a file, which take half a
/// millisecond.
const STEP: u64 = 1 << 16;

/// What is known of a trace.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Index {
    fingerprint: Fingerprint,
    /// The page.
    pub(super) page: String,
    /// The division of time: that of the page.
    pub(super) from: u64,
    pub(super) width: u64,
    pub(super) buckets: usize,
    /// The number of levels of the pyramid below the page.
    pub(super) pyramid_levels: u32,
    /// The number of all levels below the page.
    pub(super) levels: u32,
    /// The locations of each row.
    pub(super) rows: Vec<Vec<LocationRef>>,
    /// The regions in the order of the page.
    pub(super) regions: Vec<RegionRef>,
    pub(super) checkpoints: HashMap<u64, Vec<Checkpoint>>,
    pub(super) places: Places,
    #[serde(skip)]
    pub(super) file: Option<File>,
}

/// Where the file is.
fn path_of(trace: &Trace) -> PathBuf {
    trace.archive().path(FileName::Anchor).with_extension("kymo-view")
}

impl Index {
    /// Returns the index of a trace, from its file if there is one. `is_whole` states that
    /// everything is selected.
    pub(super) fn of(
        trace: &Trace,
        selection: &Selection,
        archive: &Path,
        is_whole: bool,
    ) -> Result<Self, Problem> {
        let (fingerprint, size) =
            fingerprint::of(trace).map_err(|error| trace::problem(trace, &Error::Temporary(error)))?;
        let path = path_of(trace);
        if is_whole && let Some(index) = Self::read(&path, &fingerprint) {
            return Ok(index);
        }
        let budget = (size / PART).saturating_sub(REST);
        let file = match is_whole && budget > 0 {
            true => NewFile::create(&path)
                .map_err(|problem| inform(&format!("no index is kept: {}", problem.what())))
                .ok(),
            false => None,
        };
        let budget = if file.is_some() { budget } else { 0 };
        let building = Building::new(trace, selection, budget);
        building.build(archive, fingerprint, file, &path)
    }

    /// Returns what a file has, if it belongs to these files.
    fn read(path: &Path, fingerprint: &Fingerprint) -> Option<Self> {
        let file = File::open(path).ok()?;
        let size = file.metadata().ok()?.len();
        let mut end = [0; 16];
        file.read_exact_at(&mut end, size.checked_sub(16)?).ok()?;
        let length = u64::from_le_bytes(end[..8].try_into().ok()?);
        let start = (size - 16).checked_sub(length).filter(|_| &end[8..] == MARK)?;
        let mut bytes = vec![0; usize::try_from(length).ok()?];
        file.read_exact_at(&mut bytes, start).ok()?;
        let index: Self = postcard::from_bytes(&bytes).ok()?;
        (index.fingerprint == *fingerprint).then_some(Self { file: Some(file), ..index })
    }
}

/// What is needed to make an index.
struct Building<'t> {
    trace: &'t Trace,
    selection: &'t Selection,
    /// The finest level of the pyramid, or of the page.
    fine: Shape,
    page: Shape,
    pyramid_levels: u32,
    levels: u32,
}

impl<'t> Building<'t> {
    /// Divides time. The cells of the pyramid may take `budget` bytes.
    fn new(trace: &'t Trace, selection: &'t Selection, budget: u64) -> Self {
        let mut page = shape_of(trace, selection);
        let locations = selection.of(trace).len().max(1) as u64;
        // All levels together have four thirds of the cells of the finest one.
        let fits = |buckets: usize| locations * buckets as u64 * CELL * 4 / 3 <= budget;
        let (mut buckets, mut pyramid_levels) = (page.buckets, 0);
        while buckets * 4 <= MOST_BUCKETS && fits(buckets * 4) && (buckets as u64) < page.length / 4 {
            buckets *= 4;
            pyramid_levels += 1;
        }
        let width = page.length.div_ceil(buckets as u64).max(1);
        let mut fine = Shape { width, buckets, ..page };
        let levels = pyramid_levels + fine.divisible();
        page.width = fine.width << (2 * pyramid_levels);
        Self { trace, selection, fine, page, pyramid_levels, levels }
    }

    fn build(
        self,
        archive: &Path,
        fingerprint: Fingerprint,
        file: Option<NewFile>,
        path: &Path,
    ) -> Result<Index, Problem> {
        let Self { trace, selection, fine, page, pyramid_levels, levels } = self;
        let mut writer = file.map(Writer::new);
        let mut checkpoints = HashMap::new();
        let mut messages = Messages::new(trace, page);
        let every = STEP.try_into().map_err(Problem::environment)?;
        let (statistics, overview) = overview::with_checkpoints(
            trace,
            selection,
            &fine,
            every,
            |location, lane, made| {
                let below: Vec<_> = lane.levels.drain(..pyramid_levels as usize).collect();
                checkpoints.insert(location.id.0, made);
                let written = writer.as_mut().map(|it| it.add(location.id.0, &below));
                written.unwrap_or(Ok(())).map_err(Error::Temporary)
            },
            |matched| messages.add(matched),
        )
        .map_err(|error| trace::problem(trace, &error))?;
        let _ = trace::report(trace, &statistics.failures, &statistics.remarks);
        let tiles = json!({ "levels": levels, "buckets": tiles::BUCKETS, "rows": tiles::ROWS });
        let name = archive.display().to_string();
        let report = Report {
            name,
            trace,
            shape: page,
            statistics,
            overview,
            messages,
            check: None,
            tiles: Some(tiles),
        };
        let arrangement = Arrangement::of(trace, &report.overview, MOST_ROWS);
        let lanes = |row: &[usize]| row.iter().map(|lane| report.overview.lanes[*lane].0).collect();
        let mut index = Index {
            fingerprint,
            page: report.page().map_err(Problem::environment)?,
            from: page.from,
            width: page.width,
            buckets: page.buckets,
            pyramid_levels,
            levels,
            rows: arrangement.rows.iter().map(|row| lanes(&row.lanes)).collect(),
            regions: Palette::of(&report.overview).regions,
            checkpoints,
            places: Places::default(),
            file: None,
        };
        if let Some(writer) = writer {
            index.file = index
                .write(writer, path)
                .map_err(|error| Problem::of(path, error, crate::status::Status::Environment))?;
        }
        Ok(index)
    }
}

impl Index {
    /// Completes the file. Returns it for reading.
    fn write(&mut self, writer: Writer, path: &Path) -> io::Result<Option<File>> {
        let Writer { mut file, places, .. } = writer;
        self.places = places;
        let bytes = postcard::to_stdvec(self).map_err(io::Error::other)?;
        file.write_all(&bytes)?;
        file.write_all(&(bytes.len() as u64).to_le_bytes())?;
        file.write_all(MARK)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.finish().map_err(|problem| io::Error::other(problem.what().to_owned()))?;
        File::open(path).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tiles::{Key, Tiles};
    use super::*;

    /// Tiles are the same from the file and from the archive.
    #[test]
    fn the_file_has_what_the_archive_has() {
        let scratch = tempfile::TempDir::new().unwrap();
        let path = scratch.path().join("x.kymo-view");
        let archive = kymo_testdata::own("scorep-recordings/hybrid");
        let trace = trace::open(&archive).unwrap();
        let selection = Selection::default();
        let build =
            |budget, file| Building::new(&trace, &selection, budget).build(&archive, [7; 32], file, &path);
        let built = build(60_000_000, Some(NewFile::create(&path).unwrap())).unwrap();
        assert!(built.pyramid_levels >= 2 && built.file.is_some());
        assert!(Index::read(&path, &[8; 32]).is_none());
        let stored = Tiles::new(Index::read(&path, &[7; 32]).unwrap(), selection.clone());
        assert_eq!(stored.index.page, built.page);
        let levels = built.pyramid_levels;
        let computed = Tiles::new(Index { file: None, ..built }, selection.clone());
        let mut compared = 0;
        for level in 1..=levels {
            for at in [0, 3, 17, 60] {
                let key = Key { level, at, block: 0 };
                let tile = |tiles: &Tiles| tiles.tile(&trace, key).unwrap();
                assert_eq!(tile(&stored), tile(&computed), "{key:?}");
                compared += 1;
            }
        }
        assert!(compared > 4);
        // A file that is cut off is not used.
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(Index::read(&path, &[7; 32]).is_none());
    }
}
