//! Snapshots. Readers neither map their ids nor correct their times, so both are converted here.

use std::io::ErrorKind;

use kymo_otf2::mappings::Mappings;
use kymo_otf2::read::Archive;
use kymo_otf2::records::Decode;
use kymo_otf2::snapshots::Snapshot;
use kymo_otf2::write::{Pieces, SnapshotWriter};
use kymo_otf2::{Error, FileName};

use super::times::Line;
use crate::problem::Problem;

/// Copies the snapshots of a location, if it has any.
pub(super) fn copy<P: Pieces>(
    archive: &Archive,
    location: u64,
    ids: &Mappings,
    line: &Line,
    writer: &mut SnapshotWriter<P>,
    cannot_write: impl Fn(&Error) -> Problem,
) -> Result<(), Problem> {
    let cannot_read = |error: Error| Problem::of_archive(archive, &error);
    let mut snapshots = match archive.snapshots(location) {
        Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => None,
        snapshots => Some(snapshots.map_err(cannot_read)?),
    };
    let outside = || Problem::outside(&archive.path(FileName::Snapshots(location)));
    let mut attributes = Vec::new();
    while let Some(snapshots) = &mut snapshots
        && let Some(snapshot) = snapshots.next().map_err(cannot_read)?
    {
        attributes.clear();
        attributes.extend(snapshot.attributes.mapped(ids));
        let time = line.apply(snapshot.time).ok_or_else(outside)?;
        let record = moved(snapshot.record, ids, line).ok_or_else(outside)?;
        writer.record_with(time, &attributes, &record).map_err(|error| cannot_write(&error))?;
    }
    writer.finish().map(|_| ()).map_err(|error| cannot_write(&error))
}

/// Converts a record to ids and times of the result.
fn moved<'a>(mut record: Snapshot<'a>, ids: &'a Mappings, line: &Line) -> Option<Snapshot<'a>> {
    record.map(ids);
    if let Some(time) = original_time(&mut record) {
        time.0 = line.apply(time.0)?;
    }
    Some(record)
}

/// Returns the time of the event that a record repeats.
fn original_time<'r>(record: &'r mut Snapshot<'_>) -> Option<&'r mut kymo_otf2::value::Timestamp> {
    macro_rules! of {
        ($($name:ident)*) => {
            match record {
                $(Snapshot::$name(record) => Some(&mut record.orig_event_time),)*
                _ => None,
            }
        };
    }
    of! {
        MeasurementOnOff Enter MpiSend MpiIsend MpiIsendComplete MpiRecv MpiIrecvRequest MpiIrecv MpiCollectiveBegin
        MpiCollectiveEnd OmpFork OmpAcquireLock OmpTaskCreate OmpTaskSwitch Metric ParameterString ParameterInt
        ParameterUnsignedInt
    }
}
