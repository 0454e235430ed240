//! Records without times, with their offsets.

use kymo_otf2::Error;
use kymo_otf2::read::definitions::Records;
use kymo_otf2::records::RecordEnum;

/// Calls `visit` with every record and its offset. Returns the offset of the end mark, or the error
/// at which reading stopped.
pub(crate) fn each<'a, R: RecordEnum<'a>>(
    mut records: Records<'a, R>,
    mut visit: impl FnMut(u64, R),
) -> Result<u64, Error> {
    while let Some(record) = records.next().transpose()? {
        visit(records.offset(), record);
    }
    Ok(records.position())
}
