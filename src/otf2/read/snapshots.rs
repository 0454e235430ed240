//! Starting to read at a snapshot, which contains the state at its time and the number of the event
//! with which reading continues.

use super::family::{Events, Snapshots};
use super::location::LocationReader;
use crate::error::Result;
use crate::records::snapshots::Snapshot;

impl LocationReader<Snapshots> {
    /// Goes to the last snapshot at or before a time, in ticks; [`next`](Self::next) delivers its
    /// start. Returns the time of the snapshot, or `None` if there is none.
    ///
    /// ```
    /// # fn main() -> kymo_otf2::Result<()> {
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/every-record/traces.otf2");
    /// # let archive = kymo_otf2::read::Archive::open(path)?;
    /// use kymo_otf2::snapshots::Snapshot;
    ///
    /// let mut snapshots = archive.snapshots(0)?;
    /// let time = snapshots.seek_snapshot(u64::MAX)?.expect("a snapshot");
    /// let start = snapshots.next()?.expect("its start");
    /// assert!(start.time == time && matches!(start.record, Snapshot::SnapshotStart(_)));
    /// assert_eq!(snapshots.seek_snapshot(time - 1)?, None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn seek_snapshot(&mut self, time: u64) -> Result<Option<u64>> {
        let mut chunk = self.chunk_at(time)?;
        loop {
            self.seek_chunk(chunk)?;
            if let Some((number, time)) = self.last_start(time)? {
                self.seek(number)?;
                return Ok(Some(time));
            }
            // A snapshot may begin in one chunk and end in another.
            match chunk.checked_sub(1) {
                Some(before) => chunk = before,
                None => return Ok(None),
            }
        }
    }

    /// Returns the number and the time of the last start of a snapshot up to a time, among the
    /// records that follow.
    fn last_start(&mut self, time: u64) -> Result<Option<(u64, u64)>> {
        let mut last = None;
        while let Some(record) = self.next()?.filter(|record| record.time <= time) {
            if let Snapshot::SnapshotStart(_) = record.record {
                last = Some((record.number, record.time));
            }
        }
        Ok(last)
    }

    /// Returns the number of the event with which reading continues after the snapshot whose start
    /// is next.
    fn continuation(&mut self) -> Result<Option<u64>> {
        while let Some(record) = self.next()? {
            if let Snapshot::SnapshotEnd(end) = record.record {
                return Ok(Some(end.cont_read_pos));
            }
        }
        Ok(None)
    }

    /// Returns the time of the last snapshot at or before a time, and the number of the event with
    /// which reading continues after it.
    pub(super) fn position_at(&mut self, time: u64) -> Result<Option<(u64, u64)>> {
        match self.seek_snapshot(time)? {
            Some(time) => Ok(self.continuation()?.map(|number| (time, number))),
            None => Ok(None),
        }
    }
}

impl LocationReader<Events> {
    /// Goes to the event of this number if the event before it is earlier than a time, as it is if
    /// reading continues there after a snapshot of that time. Returns whether it did.
    pub(super) fn continue_at(&mut self, number: u64, time: u64) -> Result<bool> {
        let Some(before) = number.checked_sub(1) else { return Ok(false) };
        if before == 0 {
            return Ok(true);
        }
        self.seek(before)?;
        Ok(self.next()?.is_some_and(|event| event.time < time))
    }
}
