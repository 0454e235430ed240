//! The reader: delivers the records of a file in order to [`Callbacks`], by their meaning.
//!
//! Merged and unmerged traces look alike: the event file defines each event. Positions are record
//! numbers from 0. A trace may still be growing: at its end no records are read, and reading
//! continues when there are more. Invariants: memory does not depend on the length of the trace,
//! and after an error the position is that of the record with the error.

use std::io::SeekFrom;
use std::path::Path;

use crate::callbacks::{CLOCK_PERIOD, Callbacks};
use crate::definitions::TraceDefinitions;
use crate::deliver::deliver;
use crate::detection::{Detected, detect};
use crate::error::{Complaint, Error, Result};
use crate::items::Items;
use crate::record::{Layout, NARROW, WIDE};
use crate::regular;
use crate::trace_file::TraceFile;

/// A trace being read.
#[derive(Debug)]
pub struct Reader {
    file: TraceFile,
    definitions: TraceDefinitions,
    layout: Option<Layout>,
    first_time: Option<u64>,
    position: u64,
}

impl Reader {
    /// Opens a trace and its event file. Reads neither.
    pub fn open(trace: impl AsRef<Path>, event_file: impl AsRef<Path>) -> Result<Self> {
        let file = TraceFile::open(trace.as_ref())?;
        regular::open(event_file.as_ref())?;
        let definitions = TraceDefinitions::new(event_file.as_ref());
        Ok(Reader { file, definitions, layout: None, first_time: None, position: 0 })
    }

    /// Returns the path of the trace file.
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// Returns the layout, or `None` before the first record was read.
    pub fn layout(&self) -> Option<Layout> {
        self.layout
    }

    /// Returns the time of the first record of the file, once a record was read.
    pub fn first_time(&self) -> Option<u64> {
        self.first_time
    }

    /// Returns the number of the next record.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Returns the number of whole records currently in the file.
    pub fn records(&mut self) -> Result<u64> {
        let detected = self.detected()?;
        Ok(self.file.length()? / detected.map_or(Layout::NATIVE, |it| it.layout).record_size() as u64)
    }

    /// Returns the number of bytes after the last whole record currently in the file.
    pub fn left_over(&mut self) -> Result<u64> {
        let layout = self.detected()?.map_or(Layout::NATIVE, |it| it.layout);
        Ok(self.file.length()? % layout.record_size() as u64)
    }

    /// Moves to a record, relative to the start, the end, or the current position. The position may
    /// be past the end. A position before the start is an error and changes nothing.
    pub fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => position.into(),
            SeekFrom::End(distance) => i128::from(self.records()?) + i128::from(distance),
            SeekFrom::Current(distance) => i128::from(self.position) + i128::from(distance),
        };
        let before = || Error::BeforeStart { file: self.file.path.clone(), position };
        self.position = u64::try_from(position).map_err(|_| before())?;
        Ok(self.position)
    }

    /// Reads up to `most` records. Returns their number, which is 0 only at the end, and includes
    /// records that are not reported.
    pub fn read<C: Callbacks + ?Sized>(&mut self, most: u64, callbacks: &mut C) -> Result<u64> {
        let Some(layout) = self.begin(callbacks)? else { return Ok(0) };
        let mut done = 0;
        while done < most {
            let count = match layout {
                Layout::Le32 => self.read_some::<NARROW, false, C>(most - done, callbacks),
                Layout::Be32 => self.read_some::<NARROW, true, C>(most - done, callbacks),
                Layout::Le64 => self.read_some::<WIDE, false, C>(most - done, callbacks),
                Layout::Be64 => self.read_some::<WIDE, true, C>(most - done, callbacks),
            }?;
            if count == 0 {
                break;
            }
            done += count;
        }
        Ok(done)
    }

    /// Reports all events of the event file that are not known yet, whether or not they occur in
    /// records.
    pub fn read_event_file<C: Callbacks + ?Sized>(&mut self, callbacks: &mut C) -> Result<()> {
        self.definitions.refresh(callbacks)
    }

    /// Returns an iterator over the items that callbacks would receive, starting at the current
    /// position.
    pub fn items(&mut self) -> Items<'_> {
        Items::new(self)
    }

    fn detected(&mut self) -> Result<Option<Detected>> {
        match self.layout {
            Some(layout) => Ok(Some(Detected { layout, guessed: false })),
            None => detect(&mut self.file, &self.definitions.event_file),
        }
    }

    /// Reports the definitions that precede all records. Returns `None` while there is no whole
    /// record.
    fn begin<C: Callbacks + ?Sized>(&mut self, callbacks: &mut C) -> Result<Option<Layout>> {
        if let (Some(layout), Some(_)) = (self.layout, self.first_time) {
            return Ok(Some(layout));
        }
        let Some(detected) = self.detected()? else { return Ok(None) };
        let layout = detected.layout;
        let Some(first) = layout.decode(self.file.bytes(0, layout.record_size())?) else { return Ok(None) };
        if detected.guessed {
            callbacks.complaint(&Complaint::Layout { file: self.file.path.clone(), taken: layout });
        }
        callbacks.clock(CLOCK_PERIOD, first.time);
        (self.layout, self.first_time) = (Some(layout), Some(first.time));
        Ok(Some(layout))
    }

    /// Reads up to `most` of the records in memory, but at least one.
    fn read_some<const SIZE: usize, const BIG: bool, C: Callbacks + ?Sized>(
        &mut self,
        most: u64,
        callbacks: &mut C,
    ) -> Result<u64> {
        let offset = self.position.saturating_mul(SIZE as u64);
        let (records, _) = self.file.bytes(offset, SIZE)?.as_chunks::<SIZE>();
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let records = records.get(..most.min(records.len())).unwrap_or_default();
        let (count, ended) = deliver::<SIZE, BIG, C>(records, offset, &mut self.definitions, callbacks);
        self.position += count as u64;
        let refused = ended?;
        refused.map_or(Ok(count as u64), |event| Err(self.unknown(event, SIZE)))
    }

    fn unknown(&self, event: i32, size: usize) -> Error {
        Error::UnknownEvent {
            file: self.file.path.clone(),
            offset: self.position.saturating_mul(size as u64),
            record: self.position,
            event,
            event_file: self.definitions.event_file.clone(),
        }
    }
}
