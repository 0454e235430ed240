//! `OTF2_DefReader` and `OTF2_GlobalDefReader`: read local and global definitions.

use super::callbacks::{Callbacks, User};
use super::contexts::ContextRegions;
use super::locals::Locals;
use super::{Pause, counted, read_each};
use crate::arguments::Scratch;
use crate::error::{
    DUPLICATE_MAPPING_TABLE, ErrorCode, INTEGRITY_FAULT, INVALID_ARGUMENT, SUCCESS, code, fail, fail_with,
};
use crate::id_map::IdMap;
use crate::types::CallbackCode;
use kymo_otf2::definitions::{GlobalDefinition, LocalDefinition};
use kymo_otf2::read::definitions::kind;
use kymo_otf2::read::{DefinitionReader, ReceiveDefinition};
use std::ffi::c_void;
use std::sync::{Arc, PoisonError};

/// `OTF2_DefReader`.
pub(crate) struct DefReader {
    definitions: DefinitionReader<kind::Local>,
    location: u64,
    locals: Arc<Locals>,
    callbacks: Callbacks,
    user_data: *mut c_void,
    scratch: Scratch,
}

/// `OTF2_GlobalDefReader`.
pub(crate) struct GlobalDefReader {
    definitions: DefinitionReader<kind::Global>,
    /// Changes whenever the program reads definitions.
    uses: u64,
    calls: DefinitionCalls,
}

/// The callbacks of a reader of global definitions, their user data, and room for arguments.
struct DefinitionCalls {
    callbacks: Callbacks,
    user_data: *mut c_void,
    scratch: Scratch,
    contexts: Arc<ContextRegions>,
}

impl DefinitionCalls {
    /// Passes a definition to its callback.
    #[inline(always)]
    fn deliver(&mut self, record: &GlobalDefinition<'_>) -> CallbackCode {
        self.scratch.clear();
        if let GlobalDefinition::CallingContext(context) = record {
            let mut contexts = self.contexts.lock().unwrap_or_else(PoisonError::into_inner);
            contexts.insert(context.id.0, context.region.0);
        }
        self.callbacks.global_definition(record, User(self.user_data), &mut self.scratch)
    }
}

impl DefReader {
    pub(crate) fn new(
        definitions: DefinitionReader<kind::Local>,
        location: u64,
        locals: Arc<Locals>,
    ) -> Box<Self> {
        Box::new(DefReader {
            definitions,
            location,
            locals,
            callbacks: Callbacks::default(),
            user_data: std::ptr::null_mut(),
            scratch: Scratch::default(),
        })
    }

    /// Returns the id maps that callbacks have received, which live until the archive is closed.
    #[allow(clippy::vec_box)]
    pub(crate) fn into_id_maps(self: Box<Self>) -> Vec<Box<IdMap>> {
        self.scratch.into_id_maps()
    }

    fn set(&mut self, callbacks: &Callbacks, user_data: *mut c_void) {
        (self.callbacks, self.user_data) = (*callbacks, user_data);
    }

    /// As [`GlobalDefReader::read`].
    ///
    /// # Safety
    ///
    /// A reader, which is used only between the calls of the program.
    unsafe fn read(this: *mut Self, left: &mut u64) -> Result<(), ErrorCode> {
        // SAFETY: `this` is an open reader. No reference to it exists between the calls of the
        // program, so that those may use it.
        read_each(left, || unsafe { (*this).next() })
    }

    /// Reads the next definition, and passes it to its callback.
    fn next(&mut self) -> Result<Option<CallbackCode>, ErrorCode> {
        let record = match self.definitions.next() {
            Ok(Some(record)) => record,
            Ok(None) => return Ok(None),
            Err(error) => return Err(fail_with(&error)),
        };
        self.scratch.clear();
        let (mut is_first, mut problem) = (true, None);
        match &record {
            LocalDefinition::MappingTable(table) => is_first = self.locals.add_table(table),
            LocalDefinition::ClockOffset(offset) => problem = self.locals.add_offset(offset).err(),
            _ => {}
        }
        // The callback receives faulty definitions, too.
        let answer = self.callbacks.local_definition(&record, User(self.user_data), &mut self.scratch);
        match (is_first, problem) {
            (true, None) => Ok(Some(answer)),
            (_, Some(problem)) => Err(fail(INTEGRITY_FAULT, format_args!("{problem}"))),
            (false, None) => Err(DUPLICATE_MAPPING_TABLE),
        }
    }
}

impl GlobalDefReader {
    /// `chunk_size` is that of definitions, in bytes.
    pub(crate) fn new(
        definitions: DefinitionReader<kind::Global>,
        contexts: Arc<ContextRegions>,
        chunk_size: u64,
    ) -> Box<Self> {
        let calls = DefinitionCalls {
            callbacks: Callbacks::default(),
            user_data: std::ptr::null_mut(),
            scratch: Scratch::of_chunks(chunk_size),
            contexts,
        };
        Box::new(GlobalDefReader { definitions, uses: 0, calls })
    }

    fn set(&mut self, callbacks: &Callbacks, user_data: *mut c_void) {
        (self.calls.callbacks, self.calls.user_data) = (*callbacks, user_data);
    }

    /// Reads definitions until none are wanted any more, at the end, or until a callback
    /// interrupts. Counts them in `left`, the number of wanted definitions; the interrupting one is
    /// counted, a faulty one is not.
    ///
    /// # Safety
    ///
    /// A reader, which is used only between the calls of the program.
    unsafe fn read(this: *mut Self, left: &mut u64) -> Result<(), ErrorCode> {
        while *left > 0 {
            // SAFETY: `this` is an open reader. Nothing else refers to the definitions before a
            // callback uses the reader, and they are not touched after that.
            let (definitions, uses) = unsafe {
                (*this).uses += 1;
                (&mut (*this).definitions, (*this).uses)
            };
            let read = definitions.pass_to(&mut Delivery { reader: this, uses, left });
            if let Some(outcome) = Pause::outcome(read) {
                return outcome;
            }
        }
        Ok(())
    }
}

/// Passes definitions to the callbacks of a reader until there are enough.
struct Delivery<'r> {
    reader: *mut GlobalDefReader,
    /// The number of uses of the reader before.
    uses: u64,
    /// The number of definitions that are still wanted.
    left: &'r mut u64,
}

impl ReceiveDefinition<kind::Global, Pause> for Delivery<'_> {
    #[inline(always)]
    fn receive(&mut self, record: &GlobalDefinition<'_>) -> Result<(), Pause> {
        *self.left -= 1;
        let reader = self.reader;
        // SAFETY: a reader, of which only the definitions are borrowed.
        unsafe {
            let answer = (*reader).calls.deliver(record);
            Pause::after(answer, *self.left > 0 && (*reader).uses == self.uses)
        }
    }
}

#[track_caller]
fn missing(code: ErrorCode) -> ErrorCode {
    fail(code, format_args!("no reader of definitions, no callbacks, or no place for a result"))
}

macro_rules! functions {
    ($($reader:ident, $fault:ident, $set:ident, $read:ident;)*) => {$(
        /// Sets the callbacks, which are copied.
        ///
        /// # Safety
        ///
        /// Null or a reader; null or a table.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $set(
            this: *mut $reader,
            callbacks: *const Callbacks,
            user_data: *mut c_void,
        ) -> ErrorCode {
            // SAFETY: `this` is null or an open reader that nothing else uses during this call;
            // `callbacks` is null or a table, which is copied.
            match unsafe { (this.as_mut(), callbacks.as_ref()) } {
                (Some(reader), Some(callbacks)) => {
                    reader.set(callbacks, user_data);
                    SUCCESS
                }
                (None, _) => missing(INTEGRITY_FAULT),
                (_, None) => missing(INVALID_ARGUMENT),
            }
        }

        /// Reads definitions and passes them to the callbacks.
        ///
        /// # Safety
        ///
        /// Null or a reader; null or a place for the number of definitions.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $read(this: *mut $reader, wanted: u64, number: *mut u64) -> ErrorCode {
            if this.is_null() {
                return missing($fault);
            }
            // SAFETY: `this` is not null, so it is an open reader, which is used only between the
            // calls of the program; `number` is null or a place for the result.
            let result = unsafe { counted(wanted, number, |left| $reader::read(this, left)) };
            if result == Err(DUPLICATE_MAPPING_TABLE) {
                let message = format_args!("a second mapping table of one kind is ignored");
                let code = fail(DUPLICATE_MAPPING_TABLE, message);
                // The table is counted although it is dropped, unless the handler makes another
                // failure of it.
                // SAFETY: it was not null.
                unsafe { *number += u64::from(code == DUPLICATE_MAPPING_TABLE) };
                return code;
            }
            code(result)
        }
    )*};
}

functions! {
    DefReader, INVALID_ARGUMENT, OTF2_DefReader_SetCallbacks, OTF2_DefReader_ReadDefinitions;
    GlobalDefReader, INVALID_ARGUMENT, OTF2_GlobalDefReader_SetCallbacks, OTF2_GlobalDefReader_ReadDefinitions;
}

/// Returns the location.
///
/// # Safety
///
/// Null or a reader; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_DefReader_GetLocationID(
    this: *const DefReader,
    location: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open reader that nothing else uses during this call; `location`
    // is null or a place for the result that nothing else refers to.
    match unsafe { (this.as_ref(), location.as_mut()) } {
        (Some(reader), Some(location)) => {
            *location = reader.location;
            SUCCESS
        }
        (None, _) => missing(INTEGRITY_FAULT),
        (_, None) => missing(INVALID_ARGUMENT),
    }
}
