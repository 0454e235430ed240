//! The index, for which a trace is read once: next to a large archive, a file keeps it for the next
//! time.
//!
//! The file begins with the cells of the pyramid. An [`Index`] follows, then its length in bytes
//! and a mark. Invariant: the file has at most a twentieth of the size of the archive.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::num::NonZero;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use kymo_analysis::calls::Checkpoint;
use kymo_analysis::overview::{self, Shape};
use kymo_analysis::spill::Spill;
use kymo_analysis::{Contexts, Selection, Trace};
use kymo_otf2::FileName;
use kymo_otf2::references::LocationRef;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::fingerprint::{self, Fingerprint};
use super::pyramid::{CELL, Places, Writer};
use super::tiles;
use crate::new_file::NewFile;
use crate::number;
use crate::output::inform;
use crate::problem::Problem;
use crate::report::{Arrangement, MOST_ROWS, Messages, Report, WaitCollector, shape_of};
use crate::status::Status;
use crate::trace;

/// The mark at the end of the file.
const MARK: &[u8; 8] = b"KYMOVIE4";
/// The part of the size of the archive that the file may have.
const PART: u64 = 20;
/// The part of the file that is left for the page, in bytes.
const REST: u64 = 9_000_000;
/// The part of the largest size of the file that is left for checkpoints.
const CHECKPOINTS: u64 = 10;
/// The largest number of buckets of a location.
const MOST_BUCKETS: usize = 1 << 20;
/// The number of events from one checkpoint to the next: about 90 kB of a file. Going through half
/// of them takes a tenth of a millisecond, and a tile may have some thousand locations.
const STEP: NonZero<u64> = NonZero::new(1 << 13).unwrap();

/// The facts about a trace that the view needs.
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
    /// The calling contexts of the page.
    pub(super) contexts: Contexts,
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
        let (fingerprint, size) = fingerprint::of(trace)?;
        let path = path_of(trace);
        if is_whole && let Some(index) = Self::read(&path, &fingerprint) {
            return Ok(index);
        }
        let limit = if is_whole { size / PART } else { 0 };
        let mut keeping = Keeping::new(path, limit);
        let budget = if keeping.writer.is_some() { budget_of(limit) } else { 0 };
        Building::new(trace, selection, budget).build(archive, fingerprint, &mut keeping)
    }

    /// Returns the index in a file, if it belongs to these files.
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

/// Returns the number of bytes that cells may take in a file of this largest size.
fn budget_of(limit: u64) -> u64 {
    limit.saturating_sub(REST).saturating_sub(limit / CHECKPOINTS)
}

/// The arguments for an index in the making.
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
        keeping: &mut Keeping,
    ) -> Result<Index, Problem> {
        let Self { trace, selection, fine, page, pyramid_levels, levels } = self;
        let mut checkpoints = HashMap::new();
        let (mut messages, spill) = (Messages::new(trace, page), Spill::default());
        let mut waits = WaitCollector::new(&spill);
        let (statistics, overview) = overview::with_checkpoints(
            trace,
            selection,
            &fine,
            STEP,
            |location, lane, made| {
                let below: Vec<_> = lane.levels.drain(..pyramid_levels as usize).collect();
                checkpoints.insert(location.id.0, made);
                keeping.attempt(|writer| writer.add(location.id.0, &below));
                Ok(())
            },
            |it| {
                messages.add(&it);
                waits.add(&it);
            },
        )
        .map_err(|error| trace::problem(trace, &error))?;
        let waiting =
            waits.finish(trace, &statistics, &page).map_err(|error| trace::problem(trace, &error))?;
        if trace::report(trace, &statistics.failures, &statistics.remarks) != Status::Done {
            // The next start reports it again.
            keeping.writer = None;
        }
        let tiles = json!({ "levels": levels, "buckets": tiles::BUCKETS, "rows": tiles::ROWS });
        let name = archive.display().to_string();
        let (check, tiles) = (None, Some(tiles));
        let report =
            Report { name, trace, shape: page, statistics, overview, messages, waiting, check, tiles };
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
            contexts: report.overview.contexts.clone(),
            checkpoints,
            places: Places::default(),
            file: None,
        };
        if let Some(writer) = &mut keeping.writer {
            writer.places.contexts.clone_from(&report.overview.sorted);
        }
        index.file = keeping.finish(&mut index);
        Ok(index)
    }
}

/// The file that is being written, unless something failed: a trace can be shown without it.
struct Keeping {
    writer: Option<Writer>,
    path: PathBuf,
    /// The largest size of the file.
    limit: u64,
}

impl Keeping {
    /// Starts a file if there is room for more than the page.
    fn new(path: PathBuf, limit: u64) -> Self {
        let mut keeping = Self { writer: None, path, limit };
        if limit > REST {
            match NewFile::create(&keeping.path) {
                Ok(file) => keeping.writer = Some(Writer::new(file)),
                Err(problem) => keeping.give_up(problem.what()),
            }
        }
        keeping
    }

    fn give_up(&mut self, why: &str) {
        self.writer = None;
        inform(&format!("the index is not kept: {why}"));
    }

    /// Writes something, if everything before was written.
    fn attempt(&mut self, write: impl FnOnce(&mut Writer) -> io::Result<()>) {
        if let Some(Err(error)) = self.writer.as_mut().map(write) {
            self.give_up(Problem::of(&self.path, error, Status::Environment).what());
        }
    }

    /// Completes the file. Returns it for reading.
    fn finish(&mut self, index: &mut Index) -> Option<File> {
        let writer = self.writer.take()?;
        match self.complete(writer, index) {
            Ok(file) => Some(file),
            Err(problem) => {
                self.give_up(problem.what());
                None
            }
        }
    }

    fn complete(&self, writer: Writer, index: &mut Index) -> Result<File, Problem> {
        let problem = |error: io::Error| Problem::of(&self.path, error, Status::Environment);
        let Writer { mut file, length, places, .. } = writer;
        index.places = places;
        let bytes = postcard::to_stdvec(index).map_err(Problem::environment)?;
        let end = [&(bytes.len() as u64).to_le_bytes()[..], MARK].concat();
        if length + (bytes.len() + end.len()) as u64 > self.limit {
            let limit = number::bytes(self.limit as f64);
            return Err(Problem::environment(format!("it takes more than {limit}")));
        }
        file.write_all(&bytes).and_then(|()| file.write_all(&end)).map_err(problem)?;
        file.into_inner().map_err(|error| problem(error.into_error()))?.finish()?;
        File::open(&self.path).map_err(problem)
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
        let build = |limit| {
            let mut keeping = Keeping::new(path.clone(), limit);
            Building::new(&trace, &selection, 60_000_000).build(&archive, [7; 32], &mut keeping).unwrap()
        };
        let built = build(100_000_000);
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
        // Nor is one kept that takes too much.
        std::fs::remove_file(&path).unwrap();
        assert!(build(REST + 1).file.is_none());
        assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
    }
}
