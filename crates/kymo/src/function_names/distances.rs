//! The unwind distances of events, which count the contexts between the current one and the region
//! that was entered last. They are corrected in place once all contexts are known.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use kymo_otf2::events::Event;
use kymo_otf2::read::{Archive, unwind_distance_at};
use kymo_otf2::{Error, FileName};

use super::contexts::UnwindDistances;
use crate::problem::Problem;
use crate::status::Status;

/// The part of a file in memory, in bytes.
const PAGE: usize = 1 << 18;
/// More than the bytes of a record with its time and the begin of its data.
const RECORD: usize = 1 << 12;
/// The largest distance that is stored in one byte, as all smaller ones are. There is no room for
/// another byte.
const LARGEST: u32 = u8::MAX as u32;

/// Corrects the events of all locations.
pub(super) fn correct(archive: &Archive, distances: &HashMap<u32, UnwindDistances>) -> Result<(), Problem> {
    let cannot_read = |error: Error| Problem::of_archive(archive, &error);
    if distances.is_empty() {
        return Ok(());
    }
    for location in archive.locations().map_err(cannot_read)? {
        let path = archive.path(FileName::Events(location));
        let failed = |error: io::Error| Problem::of(&path, error, Status::Environment);
        let mut reader = match archive.events(location) {
            // A location without events may have no file.
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => continue,
            reader => reader.map_err(cannot_read)?,
        };
        let mut file = None;
        while let Some(event) = reader.next().map_err(cannot_read)? {
            let (context, distance, is_sample) = match event.record {
                Event::CallingContextSample(it) => (it.calling_context, it.unwind_distance, true),
                Event::CallingContextEnter(it) => (it.calling_context, it.unwind_distance, false),
                _ => continue,
            };
            let Some(right) = distances.get(&context.0) else { continue };
            let right = if is_sample { right.of_sample } else { right.of_enter }.min(LARGEST);
            if right == distance {
                continue;
            }
            let file = match &mut file {
                Some(file) => file,
                none => none.insert(PatchedFile::open(&path).map_err(failed)?),
            };
            file.set_distance(event.offset, right as u8).map_err(failed)?;
        }
        if let Some(mut file) = file {
            file.write_page().map_err(failed)?;
        }
    }
    Ok(())
}

/// An event file of which single bytes are changed, from its begin to its end.
#[derive(Debug)]
struct PatchedFile {
    file: File,
    page: Vec<u8>,
    /// The offset of the page.
    start: u64,
    is_changed: bool,
}

impl PatchedFile {
    fn open(path: &Path) -> io::Result<Self> {
        let file = File::options().read(true).write(true).open(path)?;
        Ok(Self { file, page: Vec::new(), start: 0, is_changed: false })
    }

    /// Sets the unwind distance of the record at an offset.
    fn set_distance(&mut self, offset: u64, distance: u8) -> io::Result<()> {
        let is_inside = offset >= self.start && offset + RECORD as u64 <= self.start + self.page.len() as u64;
        if !is_inside {
            self.write_page()?;
            self.read_page(offset)?;
        }
        let at = (offset - self.start) as usize;
        let record = self.page.get_mut(at..).unwrap_or_default();
        if let Some(place) = unwind_distance_at(record).and_then(|place| record.get_mut(place)) {
            *place = distance;
            self.is_changed = true;
        }
        Ok(())
    }

    fn read_page(&mut self, start: u64) -> io::Result<()> {
        self.page.resize(PAGE, 0);
        let mut filled = 0;
        while filled < PAGE {
            match self.file.read_at(&mut self.page[filled..], start + filled as u64) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.page.truncate(filled);
        self.start = start;
        Ok(())
    }

    fn write_page(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_changed) {
            self.file.write_all_at(&self.page, self.start)?;
        }
        Ok(())
    }
}
