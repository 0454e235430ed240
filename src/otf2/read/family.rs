//! The kinds of files whose records have times: events and snapshots.

use crate::records::events::{BufferFlush, Enter, Event, Leave};
use crate::records::references::{RegionRef, Space};
use crate::records::snapshots::Snapshot;
use crate::records::value::Timestamp;
use crate::records::{AnyRecord, Decode, Record, RecordEnum};
use std::fmt;

/// A kind of file, by its records.
pub trait Family: sealed::Sealed {
    /// The record.
    type Record<'a>: RecordEnum<'a> + AnyRecord + fmt::Debug;

    /// The id of the record that has a second time to correct.
    #[doc(hidden)]
    const WITH_TIME: Option<u8>;

    /// Sets the second time of a record.
    #[doc(hidden)]
    fn set_time(record: &mut Self::Record<'_>, time: u64);

    /// Returns whether records of this id are frequent and consist of one integer of up to 32 bits.
    #[doc(hidden)]
    fn is_usual(id: u8) -> bool;

    /// Returns whether these are the id of a usual record and the length 1 of its integer.
    #[doc(hidden)]
    fn is_usual_byte(id_and_length: [u8; 2]) -> bool;

    /// The id space of the integer of usual records.
    #[doc(hidden)]
    const USUAL: Space;

    /// Returns the usual record of an id and an integer; meaningless for other ids.
    #[doc(hidden)]
    fn usual<'a>(id: u8, integer: u32) -> Self::Record<'a>;

    /// The layouts of the records that the fast path may read; 0 for all others.
    #[doc(hidden)]
    const LAYOUTS: &'static [u8; 256];
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Events {}
    impl Sealed for super::Snapshots {}
}

/// Events. Their ids and times are converted to global ones.
#[derive(Debug)]
pub enum Events {}

/// Snapshots. They stay as they were written: their ids are global, and their times are not
/// corrected.
#[derive(Debug)]
pub enum Snapshots {}

impl Family for Events {
    type Record<'a> = Event<'a>;
    const WITH_TIME: Option<u8> = Some(BufferFlush::ID);
    fn set_time(record: &mut Event<'_>, time: u64) {
        if let Event::BufferFlush(flush) = record {
            flush.stop_time = Timestamp(time);
        }
    }
    #[inline(always)]
    fn is_usual(id: u8) -> bool {
        matches!(id, Enter::ID | Leave::ID)
    }
    #[inline(always)]
    fn is_usual_byte(id_and_length: [u8; 2]) -> bool {
        // One comparison for both ids, because they differ in the lowest bit only.
        const { assert!(Enter::ID & !1 == Leave::ID & !1) };
        u16::from_le_bytes(id_and_length) & !1 == u16::from_le_bytes([Enter::ID & !1, 1])
    }
    const USUAL: Space = Space::Region;
    #[inline(always)]
    fn usual<'a>(id: u8, integer: u32) -> Event<'a> {
        let region = RegionRef(integer);
        if id == Enter::ID { Event::Enter(Enter { region }) } else { Event::Leave(Leave { region }) }
    }
    // The second time of a flush must be corrected.
    const LAYOUTS: &'static [u8; 256] = &without(BufferFlush::ID, *<Event<'_> as Decode<'_>>::LAYOUTS);
}

impl Family for Snapshots {
    type Record<'a> = Snapshot<'a>;
    const WITH_TIME: Option<u8> = None;
    fn set_time(_: &mut Snapshot<'_>, _: u64) {}
    fn is_usual(_: u8) -> bool {
        false
    }
    fn is_usual_byte(_: [u8; 2]) -> bool {
        false
    }
    const USUAL: Space = Space::Region;
    fn usual<'a>(id: u8, _: u32) -> Snapshot<'a> {
        Snapshot::Unknown { id, data: &[] }
    }
    const LAYOUTS: &'static [u8; 256] = <Snapshot<'_> as Decode<'_>>::LAYOUTS;
}

const fn without(id: u8, mut layouts: [u8; 256]) -> [u8; 256] {
    layouts[id as usize] = 0;
    layouts
}
