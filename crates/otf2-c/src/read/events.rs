//! `OTF2_EvtReader` and `OTF2_GlobalEvtReader`: read the events of a location, or of all that are
//! open in the order of time.

use super::callbacks::{Callbacks, Local, Timed};
use super::contexts::ContextRegions;
use super::locals::Locals;
use super::{Pause, counted};
use crate::arguments::Scratch;
use crate::attribute_list::AttributeList;
use crate::error::{
    ErrorCode, INTEGRITY_FAULT, INVALID_ARGUMENT, INVALID_CALL, SUCCESS, code, fail, fail_with,
};
use crate::handles::Handles;
use crate::types::{CALLBACK_SUCCESS, CallbackCode};
use kymo_otf2::attributes::Attributes;
use kymo_otf2::error::Result;
use kymo_otf2::events::Event;
use kymo_otf2::mappings::Mappings;
use kymo_otf2::read::{Clock, Events, InOrder, LocationReader, Receive, TimedRecord};
use std::ffi::{c_int, c_void};
use std::sync::Arc;

/// The callbacks of a reader, their user data, and room for their arguments.
struct EventCalls {
    callbacks: Callbacks,
    user_data: *mut c_void,
    list: AttributeList,
    scratch: Scratch,
    contexts: Arc<ContextRegions>,
}

impl EventCalls {
    fn new(contexts: Arc<ContextRegions>) -> Self {
        EventCalls {
            callbacks: Callbacks::default(),
            user_data: std::ptr::null_mut(),
            list: AttributeList::default(),
            scratch: Scratch::default(),
            contexts,
        }
    }

    /// Prepares the attribute list for an event.
    #[inline(always)]
    fn prepare(&mut self, attributes: &Attributes<'_>) -> *mut AttributeList {
        if !self.list.entries().is_empty() {
            self.list.clear();
        }
        if !attributes.is_empty() {
            self.list.fill(attributes.iter());
        }
        &raw mut self.list
    }

    /// Passes an event of a location to its callback.
    #[inline(always)]
    fn deliver(&mut self, location: u64, event: &TimedRecord<'_, Event<'_>>) -> CallbackCode {
        let list = self.prepare(&event.attributes);
        let (time, position, user_data) = (event.time, event.number, self.user_data);
        let head = Local { location, time, position, user_data, list };
        self.callbacks.event_of_location(&event.record, head, &mut self.scratch, &self.contexts)
    }

    /// Passes an event to its callback for events in the order of time.
    #[inline(always)]
    fn deliver_in_order(&mut self, location: u64, event: &TimedRecord<'_, Event<'_>>) -> CallbackCode {
        let list = self.prepare(&event.attributes);
        let head = Timed { location, time: event.time, user_data: self.user_data, list };
        self.callbacks.event_in_order(&event.record, head, &mut self.scratch, &self.contexts)
    }

    fn set(&mut self, callbacks: Option<&Callbacks>, user_data: *mut c_void) -> ErrorCode {
        let Some(callbacks) = callbacks else { return missing(INVALID_ARGUMENT) };
        (self.callbacks, self.user_data) = (*callbacks, user_data);
        SUCCESS
    }
}

/// `OTF2_EvtReader`.
pub(crate) struct EvtReader {
    /// The global reader of the archive, if there is one.
    global_reader: *const Handles<GlobalEvtReader>,
    location: u64,
    /// The events, until the global reader takes them.
    events: Option<LocationReader<Events>>,
    locals: Arc<Locals>,
    /// The version of the local definitions that the events are converted by.
    version: u64,
    is_mapped: bool,
    is_corrected: bool,
    /// The number of the last event.
    position: u64,
    /// Changes whenever the program uses the events.
    uses: u64,
    calls: EventCalls,
}

/// Passes events of a location to the callbacks of its reader up to the last wanted one.
struct LocalDelivery<'r> {
    reader: *mut EvtReader,
    /// The number of uses of the reader before.
    uses: u64,
    /// The number of the last wanted event, which wraps if all are wanted.
    last: u64,
    /// The number of events that are still wanted, once a callback or the last event has stopped
    /// reading.
    left: &'r mut u64,
}

impl LocalDelivery<'_> {
    /// Returns how to continue after an event that is the last one, or whose callback interrupted
    /// or used the reader.
    #[cold]
    fn pause(&mut self, answer: CallbackCode, number: u64) -> Result<(), Pause> {
        *self.left = self.last.wrapping_sub(number);
        Pause::after(answer, false)
    }
}

impl Receive<Events, Pause> for LocalDelivery<'_> {
    #[inline(always)]
    fn receive(&mut self, location: u64, event: &TimedRecord<'_, Event<'_>>) -> Result<(), Pause> {
        let reader = self.reader;
        // SAFETY: a reader, of which only the events are borrowed.
        let (answer, uses) = unsafe {
            (*reader).position = event.number;
            ((*reader).calls.deliver(location, event), (*reader).uses)
        };
        match answer == CALLBACK_SUCCESS && event.number != self.last && uses == self.uses {
            true => Ok(()),
            false => self.pause(answer, event.number),
        }
    }

    #[inline(always)]
    fn wants(&self, id: u8) -> bool {
        // SAFETY: `reader` is open while it delivers, and no other reference to its callbacks
        // exists now.
        unsafe { (*self.reader).calls.callbacks.wants(id) }
    }

    #[inline(always)]
    fn skip(&mut self, _: u64, number: u64) -> Result<(), Pause> {
        // SAFETY: `reader` is open while it delivers, and no reference to its position exists.
        unsafe { (*self.reader).position = number };
        if number == self.last { self.pause(CALLBACK_SUCCESS, number) } else { Ok(()) }
    }
}

/// Passes events in the order of time to the callbacks of a reader until there are enough.
struct GlobalDelivery<'r> {
    reader: *mut GlobalEvtReader,
    /// The number of uses of the reader before.
    uses: u64,
    /// The number of events that are still wanted.
    left: &'r mut u64,
}

impl Receive<Events, Pause> for GlobalDelivery<'_> {
    #[inline(always)]
    fn receive(&mut self, location: u64, event: &TimedRecord<'_, Event<'_>>) -> Result<(), Pause> {
        *self.left -= 1;
        let reader = self.reader;
        // SAFETY: a reader, of which only the events are borrowed.
        unsafe {
            (*reader).current = Some((location, event.number));
            let answer = (*reader).calls.deliver_in_order(location, event);
            (*reader).current = None;
            Pause::after(answer, *self.left > 0 && (*reader).uses == self.uses)
        }
    }

    #[inline(always)]
    fn wants(&self, id: u8) -> bool {
        // SAFETY: `reader` is open while it delivers, and no other reference to its callbacks
        // exists now.
        unsafe { (*self.reader).calls.callbacks.wants(id) }
    }

    #[inline(always)]
    fn skip(&mut self, _: u64, _: u64) -> Result<(), Pause> {
        *self.left -= 1;
        Pause::after(CALLBACK_SUCCESS, *self.left > 0)
    }
}

/// `OTF2_GlobalEvtReader`.
pub(crate) struct GlobalEvtReader {
    events: InOrder<Events>,
    /// Changes whenever the program uses the events.
    uses: u64,
    /// The location and number of the event that is being delivered.
    current: Option<(u64, u64)>,
    calls: EventCalls,
}

impl EvtReader {
    /// Creates a reader. `global_reader` is that of the archive, which must live longer.
    pub(crate) fn new(
        global_reader: *const Handles<GlobalEvtReader>,
        events: LocationReader<Events>,
        locals: Arc<Locals>,
        contexts: Arc<ContextRegions>,
    ) -> Box<Self> {
        Box::new(EvtReader {
            global_reader,
            location: events.location(),
            events: Some(events),
            locals,
            version: 0,
            is_mapped: true,
            is_corrected: true,
            position: 0,
            uses: 0,
            calls: EventCalls::new(contexts),
        })
    }

    /// Returns whether the events were not taken.
    pub(crate) fn has_events(&self) -> bool {
        self.events.is_some()
    }

    /// Takes the events, converted for the reading of all locations.
    pub(crate) fn take_events(&mut self) -> Result<Option<LocationReader<Events>>> {
        (self.is_mapped, self.is_corrected) = (true, true);
        self.convert()?;
        Ok(self.events.take())
    }

    /// Converts the events that follow by the local definitions that were read.
    #[cold]
    fn convert(&mut self) -> Result<()> {
        self.uses += 1;
        let Some(events) = &mut self.events else { return Ok(()) };
        self.version = self.locals.version();
        let (mappings, clock) = self.locals.copy();
        let mappings = if self.is_mapped { mappings } else { Mappings::new() };
        events.convert(mappings, if self.is_corrected { clock } else { Clock::default() })
    }

    fn prepare(&mut self) -> Result<(), ErrorCode> {
        match self.version == self.locals.version() {
            true => Ok(()),
            false => self.convert().map_err(|error| fail_with(&error)),
        }
    }

    /// Reads events until none are wanted any more, at the end, or until a callback interrupts.
    /// Counts them in `left`, the number of wanted events; the interrupting event is counted, a
    /// faulty one is not.
    ///
    /// # Safety
    ///
    /// A reader, which is used only between the calls of the program.
    unsafe fn read(this: *mut Self, left: &mut u64) -> Result<(), ErrorCode> {
        while *left > 0 {
            // SAFETY: `this` is an open reader. Nothing else refers to the events before a callback
            // uses the reader, and they are not touched after that.
            let Some(events) = (unsafe { &mut (*this).events }) else {
                return Err(fail(INVALID_CALL, format_args!("a global reader has taken the events")));
            };
            // SAFETY: `this` is an open reader, and no reference to its number of uses exists.
            let uses = unsafe {
                (*this).uses += 1;
                (*this).uses
            };
            // SAFETY: `this` is an open reader. Nothing but this function and the callbacks changes
            // the position, which is the number of the last event.
            let last = unsafe { (*this).position }.wrapping_add(*left);
            let read = events.pass_to(&mut LocalDelivery { reader: this, uses, last, left });
            if matches!(read, Ok(()) | Err(Pause::Fault(_))) {
                // SAFETY: `this` is an open reader: no callback has used it, or reading would have
                // paused.
                *left = last.wrapping_sub(unsafe { (*this).position });
            }
            if matches!(read, Err(Pause::Fault(_)))
                && let Some(number) = events.faulty()
            {
                // SAFETY: `this` is an open reader: no callback has used it, or reading would have
                // paused. (Positions count before the fields are read.)
                unsafe { (*this).position = number };
            }
            if let Some(outcome) = Pause::outcome(read) {
                return outcome;
            }
        }
        Ok(())
    }

    /// Returns the number of the last event that was read; for one that a global reader has taken,
    /// that of the next one, which that reader has read.
    fn position(&self) -> u64 {
        match self.events {
            Some(_) => self.position,
            None => self.global_position().unwrap_or(self.position),
        }
    }

    /// Returns the number of the next event of this location that the global reader delivers.
    fn global_position(&self) -> Option<u64> {
        // SAFETY: `global_reader` is a field of the archive, which frees its readers before itself.
        let reader = unsafe { &*self.global_reader }.only()?;
        // SAFETY: the handle refers to a reader until it is closed, which removes it there.
        unsafe { (*reader).position(self.location) }
    }

    fn seek(&mut self, position: u64) -> Result<(), ErrorCode> {
        let Some(events) = &mut self.events else {
            return Err(fail(INVALID_CALL, format_args!("a global reader has taken the events")));
        };
        self.uses += 1;
        events.seek(position).map_err(|error| fail_with(&error))?;
        self.position = position - 1;
        Ok(())
    }
}

impl GlobalEvtReader {
    pub(crate) fn new(events: InOrder<Events>, contexts: Arc<ContextRegions>) -> Box<Self> {
        Box::new(GlobalEvtReader { events, uses: 0, current: None, calls: EventCalls::new(contexts) })
    }

    /// As [`EvtReader::read`].
    ///
    /// # Safety
    ///
    /// A reader, which is used only between the calls of the program.
    unsafe fn read(this: *mut Self, left: &mut u64) -> Result<(), ErrorCode> {
        while *left > 0 {
            // SAFETY: `this` is an open reader. Nothing else refers to the events before a callback
            // uses the reader, and they are not touched after that.
            let (events, uses) = unsafe {
                (*this).uses += 1;
                (&mut (*this).events, (*this).uses)
            };
            let read = events.pass_to(&mut GlobalDelivery { reader: this, uses, left });
            if let Some(outcome) = Pause::outcome(read) {
                return outcome;
            }
        }
        Ok(())
    }

    /// Returns the number of the event of a location that is being delivered, or else of the next
    /// one.
    pub(crate) fn position(&mut self, location: u64) -> Option<u64> {
        match self.current {
            Some((current, number)) if current == location => Some(number),
            _ => {
                self.uses += 1;
                self.events.next_number(location)
            }
        }
    }
}

#[cold]
#[track_caller]
fn missing(code: ErrorCode) -> ErrorCode {
    fail(code, format_args!("no reader of events, no callbacks, or no place for a result"))
}

macro_rules! numbers {
    ($($name:ident, $reader:ident => $value:expr;)*) => {$(
        /// Returns the number.
        ///
        /// # Safety
        ///
        /// Null or a reader; null or a place for the result.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(this: *const EvtReader, number: *mut u64) -> ErrorCode {
            // SAFETY: `this` is null or an open reader that nothing else uses during this call;
            // `number` is null or a place for the result that nothing else refers to.
            match unsafe { (this.as_ref(), number.as_mut()) } {
                (Some($reader), Some(number)) => {
                    *number = $value;
                    SUCCESS
                }
                _ => missing(INVALID_ARGUMENT),
            }
        }
    )*};
}

numbers! {
    OTF2_EvtReader_GetLocationID, reader => reader.location;
    OTF2_EvtReader_GetPos, reader => reader.position();
}

macro_rules! set_callbacks {
    ($($name:ident($reader:ident), $fault:ident;)*) => {$(
        /// Sets the callbacks, which are copied.
        ///
        /// # Safety
        ///
        /// Null or a reader; null or a table.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(
            this: *mut $reader,
            callbacks: *const Callbacks,
            user_data: *mut c_void,
        ) -> ErrorCode {
            // SAFETY: `this` is null or an open reader that nothing else uses during this call;
            // `callbacks` is null or a table, which is copied.
            match unsafe { (this.as_mut(), callbacks.as_ref()) } {
                (Some(reader), callbacks) => reader.calls.set(callbacks, user_data),
                (None, _) => missing($fault),
            }
        }
    )*};
}

set_callbacks! {
    OTF2_EvtReader_SetCallbacks(EvtReader), INTEGRITY_FAULT;
    OTF2_GlobalEvtReader_SetCallbacks(GlobalEvtReader), INVALID_ARGUMENT;
}

/// Goes to the event of a number, counted from 1.
///
/// # Safety
///
/// Null or a reader.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EvtReader_Seek(this: *mut EvtReader, position: u64) -> ErrorCode {
    // SAFETY: `this` is null or an open reader that nothing else uses during this call.
    match unsafe { this.as_mut() } {
        Some(reader) => code(reader.seek(position)),
        None => missing(INTEGRITY_FAULT),
    }
}

/// Reads events and passes them to the callbacks.
///
/// # Safety
///
/// Null or a reader; null or a place for the number of events.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EvtReader_ReadEvents(
    this: *mut EvtReader,
    wanted: u64,
    number: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open reader that nothing else uses during this call.
    match unsafe { this.as_mut() } {
        Some(reader) => {
            if let Err(code) = reader.prepare() {
                return code;
            }
        }
        None => return missing(INTEGRITY_FAULT),
    }
    // SAFETY: `this` is not null, so it is an open reader, which is used only between the calls of
    // the program; `number` is null or a place for the result.
    code(unsafe { counted(wanted, number, |left| EvtReader::read(this, left)) })
}

/// Refuses to read backward, which crashes in libotf2.
///
/// # Safety
///
/// Null or a reader; null or a place for the number of events, which becomes 0.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EvtReader_ReadEventsBackward(
    this: *mut EvtReader,
    _wanted: u64,
    number: *mut u64,
) -> ErrorCode {
    if this.is_null() {
        return missing(INTEGRITY_FAULT);
    }
    // SAFETY: `number` is null or a place for the result that nothing else refers to.
    if let Some(number) = unsafe { number.as_mut() } {
        *number = 0;
    }
    fail(INVALID_CALL, format_args!("events are read forward only"))
}

/// Refuses to change times in memory.
///
/// # Safety
///
/// Null or a reader.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_EvtReader_TimeStampRewrite(
    this: *mut EvtReader,
    _time: u64,
) -> ErrorCode {
    match this.is_null() {
        true => missing(INTEGRITY_FAULT),
        false => fail(INVALID_CALL, format_args!("events that are read cannot be changed")),
    }
}

macro_rules! switches {
    ($($name:ident => $field:ident;)*) => {$(
        /// Switches a conversion on or off.
        ///
        /// # Safety
        ///
        /// Null or a reader.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(this: *mut EvtReader, is_on: bool) -> ErrorCode {
            // SAFETY: `this` is null or an open reader that nothing else uses during this call.
            let Some(reader) = (unsafe { this.as_mut() }) else { return missing(INVALID_ARGUMENT) };
            if reader.$field == is_on {
                return SUCCESS;
            }
            reader.$field = is_on;
            code(reader.convert().map_err(|error| fail_with(&error)))
        }
    )*};
}

switches! {
    OTF2_EvtReader_ApplyMappingTables => is_mapped;
    OTF2_EvtReader_ApplyClockOffsets => is_corrected;
}

/// Reads the next event, if there is one, and passes it to its callback.
///
/// # Safety
///
/// Null or a reader.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_GlobalEvtReader_ReadEvent(
    this: *mut GlobalEvtReader,
) -> ErrorCode {
    if this.is_null() {
        return missing(INVALID_ARGUMENT);
    }
    // SAFETY: `this` is not null, so it is an open reader, which is used only between the calls of
    // the program.
    code(unsafe { GlobalEvtReader::read(this, &mut 1) })
}

/// Returns 1 if there is another event, 0 if not.
///
/// # Safety
///
/// Null or a reader; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_GlobalEvtReader_HasEvent(
    this: *mut GlobalEvtReader,
    flag: *mut c_int,
) -> ErrorCode {
    // SAFETY: `this` is null or an open reader that nothing else uses during this call; `flag` is
    // null or a place for the result that nothing else refers to.
    match unsafe { (this.as_mut(), flag.as_mut()) } {
        (Some(reader), Some(flag)) => {
            reader.uses += 1;
            *flag = reader.events.has_next().into();
            SUCCESS
        }
        _ => missing(INVALID_ARGUMENT),
    }
}

/// Reads events in the order of time and passes them to the callbacks.
///
/// # Safety
///
/// Null or a reader; null or a place for the number of events.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_GlobalEvtReader_ReadEvents(
    this: *mut GlobalEvtReader,
    wanted: u64,
    number: *mut u64,
) -> ErrorCode {
    if this.is_null() {
        return missing(INTEGRITY_FAULT);
    }
    // SAFETY: `this` is not null, so it is an open reader, which is used only between the calls of
    // the program; `number` is null or a place for the result.
    code(unsafe { counted(wanted, number, |left| GlobalEvtReader::read(this, left)) })
}
