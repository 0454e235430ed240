//! `OTF2_EvtWriter`: writes the events of a location.

use super::{Buffer, close, missing};
use crate::attribute_list::AttributeList;
use crate::error::{
    ErrorCode, Failure, INTEGRITY_FAULT, INVALID_ARGUMENT, SUCCESS, WARNING, fail, fail_with,
};
use crate::handles::Handles;
use crate::locking::ArchiveLock;
use crate::types::UNDEFINED_LOCATION;
use kymo_otf2::attributes::Attribute;
use kymo_otf2::error::{Error, Result, Usage};
use kymo_otf2::events::BufferFlush;
use kymo_otf2::records::EventRecord;
use kymo_otf2::value::Timestamp;
use kymo_otf2::write::{EventWriter, Mark};
use std::collections::HashMap;
use std::ffi::c_void;

/// `OTF2_EvtWriter`.
pub(crate) struct EvtWriter {
    events: EventWriter<Buffer>,
    lock: *const ArchiveLock,
    /// The writers of the archive, this one among them.
    writers: *mut Handles<EvtWriter>,
    user_data: *mut c_void,
    rewind_points: HashMap<u32, Mark>,
}

impl EvtWriter {
    /// Creates a writer that enters its location in `writers` once it has one. Lock and writers are
    /// those of the archive, which must live longer than the writer.
    pub(crate) fn new(
        lock: *const ArchiveLock,
        writers: *mut Handles<EvtWriter>,
        buffer: Buffer,
        chunk_size: u64,
    ) -> Result<Box<Self>> {
        let mut writer = Box::new(EvtWriter {
            events: EventWriter::new(buffer, chunk_size)?,
            lock,
            writers,
            user_data: std::ptr::null_mut(),
            rewind_points: HashMap::new(),
        });
        let handle = &raw mut *writer;
        writer.events.pieces_mut().set_caller(handle.cast());
        Ok(writer)
    }

    fn location(&self) -> u64 {
        self.events.pieces().location()
    }

    pub(crate) fn close(&mut self) -> Result<(), Failure> {
        if self.location() == UNDEFINED_LOCATION {
            self.events.pieces_mut().drop_content();
            return Err(Failure {
                code: INTEGRITY_FAULT,
                message: "a writer of events has no location".into(),
            });
        }
        close(&mut self.events)
    }

    fn set_location(&mut self, location: u64) -> ErrorCode {
        match self.location() {
            _ if location == UNDEFINED_LOCATION => {
                fail(INVALID_ARGUMENT, format_args!("the location is undefined"))
            }
            UNDEFINED_LOCATION if self.events.pieces().is_file_open() => {
                fail(INTEGRITY_FAULT, format_args!("events were flushed without a location"))
            }
            UNDEFINED_LOCATION => {
                self.events.pieces_mut().set_location(location);
                self.enter_location(location);
                SUCCESS
            }
            own if own == location => SUCCESS,
            own => {
                fail(INTEGRITY_FAULT, format_args!("location {location} for the writer of location {own}"))
            }
        }
    }

    /// Enters the location in the list of the archive, by which programs then find this writer.
    fn enter_location(&mut self, location: u64) {
        let handle = &raw mut *self;
        // SAFETY: `lock` is a field of the archive, which frees its writers before itself, and
        // the reference ends with this call.
        if let Ok(_guard) = unsafe { &*self.lock }.lock() {
            // SAFETY: `writers` is a field of the same archive. It changes only under the lock, and
            // no reference to it outlives a call of the library.
            unsafe { (*self.writers).name(handle, location) };
        }
    }

    /// Writes an event.
    ///
    /// # Safety
    ///
    /// A writer; null or a list.
    #[inline(always)]
    unsafe fn write<R: EventRecord>(
        this: *mut Self,
        list: *mut AttributeList,
        time: u64,
        record: R,
    ) -> ErrorCode {
        // SAFETY: `this` is an open writer and `list` is null or a list; nothing else uses them
        // during this call.
        unsafe {
            let is_plain = list.is_null() || (*list).entries().is_empty();
            if is_plain && (*this).events.record_in_piece(time, &record) {
                return SUCCESS;
            }
            Self::write_anyway(this, list, time, record)
        }
    }

    /// Writes an event at the time of the last one, or with attributes, or at the end of a piece.
    /// Takes the record by value, so that [`write`](Self::write) need not put it into memory.
    ///
    /// # Safety
    ///
    /// As for [`write`](Self::write).
    #[inline(never)]
    unsafe fn write_anyway<R: EventRecord>(
        this: *mut Self,
        list: *mut AttributeList,
        time: u64,
        record: R,
    ) -> ErrorCode {
        // SAFETY: `this` is an open writer and `list` is null or a list; nothing else uses them
        // during this call.
        let (writer, mut list) = unsafe { (&mut *this, list.as_mut()) };
        let attributes = list.as_deref().map_or(&[][..], AttributeList::entries);
        // After a flush, the event that records it is next.
        let is_next = attributes.is_empty() && !writer.events.pieces().was_flushed();
        if is_next && writer.events.record_in_piece_again(time, &record) {
            return SUCCESS;
        }
        if let Err(error) = writer.try_write(time, attributes, &record) {
            return fail_with(&error);
        }
        if let Some(list) = &mut list {
            list.clear();
        }
        SUCCESS
    }

    fn try_write<R: EventRecord>(&mut self, time: u64, attributes: &[Attribute], record: &R) -> Result<()> {
        let mut made = self.events.make_room(time, attributes, record).map(|_| ());
        let is_too_large = matches!(made, Err(Error::Usage(Usage::RecordTooLarge { .. })));
        if is_too_large {
            // As libotf2, which tries an empty chunk.
            self.events.open_chunk(time)?;
        }
        if self.events.pieces_mut().take_was_asked() {
            self.rewind_points.clear();
        }
        if (made.is_ok() || is_too_large) && self.events.pieces().was_flushed() {
            made = self.after_flush(time).and(made);
        }
        made?;
        self.events.record_with(time, attributes, record)
    }

    /// Records how long the flush took; the record that did not fit follows.
    #[cold]
    fn after_flush(&mut self, time: u64) -> Result<()> {
        let stop = self.events.pieces().post_flush();
        self.events.pieces_mut().forget_flush();
        match stop {
            Some(stop) => self.events.record(time, &BufferFlush { stop_time: Timestamp(stop) }),
            None => Ok(()),
        }
    }
}

macro_rules! function {
    ([] $record:ident $scratch:ident $name:ident
        {$($args:tt)*} {$($fields:tt)*} {$($missing:tt)*} $types:tt $pass:tt) => {
        const _: () = {
            /// Writes an event of this kind.
            ///
            /// # Safety
            ///
            /// Null or a writer; null or an attribute list, which is emptied; null or strings and
            /// arrays of the lengths given.
            #[unsafe(export_name = concat!("OTF2_EvtWriter_", stringify!($name)))]
            #[allow(clippy::too_many_arguments)]
            unsafe extern "C-unwind" fn write(
                this: *mut EvtWriter,
                list: *mut AttributeList,
                time: u64,
                $($args)*
            ) -> ErrorCode {
                if this.is_null() $($missing)* {
                    return missing();
                }
                // SAFETY: `this` is not null, so it is an open writer that nothing else uses during
                // this call. Strings and arrays are not null either, and stay as they are during
                // this call; `list` is null or a list.
                unsafe {
                    match (kymo_otf2::events::$name { $($fields)* }) {
                        record => EvtWriter::write(this, list, time, record),
                    }
                }
            }
        };
    };
}

macro_rules! functions {
    (
        $(#[$about:meta])* $family:ident: $trait:ident, $bound:ident;
        frequent: $($frequent:ident)*;
        $($(#[$doc:meta])* $id:literal $name:ident $(<$life:lifetime>)? since $since:literal
            $([$($option:tt)*])? { $($body:tt)* })*
    ) => {
        $(crate::arguments::arguments! { function [] record scratch $name { $($body)* } })*
    };
}

kymo_otf2::for_each_event!(functions);

/// Returns the location, which may be undefined.
///
/// # Safety
///
/// Null or a writer; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EvtWriter_GetLocationID(
    this: *const EvtWriter,
    location: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open writer that nothing else uses during this call; `location`
    // is null or a place for the result that nothing else refers to.
    match unsafe { (this.as_ref(), location.as_mut()) } {
        (Some(writer), Some(location)) => {
            *location = writer.location();
            SUCCESS
        }
        (None, _) => fail(INTEGRITY_FAULT, format_args!("no writer")),
        (_, None) => missing(),
    }
}

/// Gives a writer that has no location its location.
///
/// # Safety
///
/// Null or a writer.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EvtWriter_SetLocationID(
    this: *mut EvtWriter,
    location: u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open writer that nothing else uses during this call.
    match unsafe { this.as_mut() } {
        Some(writer) => writer.set_location(location),
        None => fail(INTEGRITY_FAULT, format_args!("no writer")),
    }
}

/// Stores a pointer of the program.
///
/// # Safety
///
/// Null or a writer.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EvtWriter_SetUserData(
    this: *mut EvtWriter,
    user_data: *mut c_void,
) -> ErrorCode {
    if this.is_null() {
        return missing();
    }
    // SAFETY: `this` is not null, so it is an open writer. A flush callback may call this while an
    // event is written, so no reference to the writer is made.
    unsafe { (*this).user_data = user_data };
    SUCCESS
}

/// Returns the pointer of the program.
///
/// # Safety
///
/// Null or a writer; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EvtWriter_GetUserData(
    this: *const EvtWriter,
    user_data: *mut *mut c_void,
) -> ErrorCode {
    if this.is_null() || user_data.is_null() {
        return missing();
    }
    // SAFETY: neither is null: `this` is an open writer, and `user_data` a place for the result. A
    // flush callback may call this while an event is written, so no reference to the writer is
    // made.
    unsafe { *user_data = (*this).user_data };
    SUCCESS
}

/// Returns the number of events, those of flushes included and rewound ones not.
///
/// # Safety
///
/// Null or a writer; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EvtWriter_GetNumberOfEvents(
    this: *mut EvtWriter,
    number: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open writer that nothing else uses during this call; `number` is
    // null or a place for the result that nothing else refers to.
    match unsafe { (this.as_ref(), number.as_mut()) } {
        (Some(writer), Some(number)) => {
            *number = writer.events.events();
            SUCCESS
        }
        _ => missing(),
    }
}

/// Stores the position under a number.
///
/// # Safety
///
/// Null or a writer.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EvtWriter_StoreRewindPoint(
    this: *mut EvtWriter,
    id: u32,
) -> ErrorCode {
    // SAFETY: `this` is null or an open writer that nothing else uses during this call.
    let Some(writer) = (unsafe { this.as_mut() }) else { return missing() };
    writer.rewind_points.insert(id, writer.events.mark());
    SUCCESS
}

/// Returns to the position that was stored under a number. Events after it are lost.
///
/// # Safety
///
/// Null or a writer.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EvtWriter_Rewind(this: *mut EvtWriter, id: u32) -> ErrorCode {
    // SAFETY: `this` is null or an open writer that nothing else uses during this call.
    let Some(writer) = (unsafe { this.as_mut() }) else { return missing() };
    let Some(&mark) = writer.rewind_points.get(&id) else {
        return fail(INVALID_ARGUMENT, format_args!("no rewind point {id}"));
    };
    super::code_of(writer.events.rewind(&mark))
}

/// Forgets the position that was stored under a number.
///
/// # Safety
///
/// Null or a writer.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EvtWriter_ClearRewindPoint(
    this: *mut EvtWriter,
    id: u32,
) -> ErrorCode {
    // SAFETY: `this` is null or an open writer that nothing else uses during this call.
    let Some(writer) = (unsafe { this.as_mut() }) else { return missing() };
    if writer.rewind_points.remove(&id).is_none() {
        fail(WARNING, format_args!("no rewind point {id}"));
    }
    SUCCESS
}
