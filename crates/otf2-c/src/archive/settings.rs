//! The settings of an archive, and questions about it.

use super::fields::{Archive, FileMode, archive};
use crate::anchor::UNSET;
use crate::collectives::{Collectives, SERIAL};
use crate::error::{
    DEPRECATED, ErrorCode, HINT_INVALID, HINT_INVALID_VALUE, HINT_LOCKED, INTEGRITY_FAULT, INVALID_ARGUMENT,
    INVALID_CALL, MEM_FAULT, PROCESSED_WITH_FAULTS, code, fail,
};
use crate::results::{duplicate, place};
use crate::table::Table;
use crate::types::{
    CollectiveCallbacks, Context, FlushCallbacks, LockingCallbacks, MemoryCallbacks, TYPE_UINT64,
};
use kymo_otf2::CHUNK_SIZES;
use std::ffi::{CStr, CString, c_char, c_void};

/// `OTF2_HINT_GLOBAL_READER`, the only hint.
const GLOBAL_READER: u32 = 0;

impl Archive {
    fn expect_not_read(&self, code: ErrorCode) -> Result<(), ErrorCode> {
        match self.mode {
            FileMode::Read => Err(fail(code, format_args!("the archive is open for reading"))),
            _ => Ok(()),
        }
    }

    fn set_flush(&mut self, table: Table<FlushCallbacks>) -> Result<(), ErrorCode> {
        self.expect_not_read(INTEGRITY_FAULT)?;
        if self.mode == FileMode::Modify {
            return Err(fail(INVALID_CALL, format_args!("the archive is open for modifying")));
        }
        let _guard = self.lock()?;
        self.shared.set_flush(table);
        Ok(())
    }

    fn set_memory(&mut self, table: Table<MemoryCallbacks>) -> Result<(), ErrorCode> {
        self.expect_not_read(INTEGRITY_FAULT)?;
        let functions = table.functions();
        if functions.allocate.is_none() || functions.free_all.is_none() {
            return Err(fail(INTEGRITY_FAULT, format_args!("a memory callback is missing")));
        }
        let _guard = self.lock()?;
        self.shared.set_memory(table);
        Ok(())
    }

    fn set_collectives(&mut self, collectives: Collectives) -> Result<(), ErrorCode> {
        let table = collectives.table.functions();
        let is_complete = table.get_size.is_some()
            && table.get_rank.is_some()
            && table.barrier.is_some()
            && table.bcast.is_some()
            && table.gather.is_some()
            && table.gatherv.is_some()
            && table.scatter.is_some()
            && table.scatterv.is_some()
            && (table.create_local_comm.is_none() || table.free_local_comm.is_some());
        match (is_complete, self.collectives) {
            (true, None) => self.start(collectives),
            (true, Some(_)) => Err(fail(INVALID_CALL, format_args!("the collective callbacks are set"))),
            (false, _) => Err(fail(INVALID_ARGUMENT, format_args!("a collective callback is missing"))),
        }
    }

    fn set_locking(&mut self, table: Table<LockingCallbacks>) -> Result<(), ErrorCode> {
        self.locking.set(table)
    }

    fn set_definition_chunk_size(&mut self, size: u64) -> Result<(), ErrorCode> {
        if self.mode != FileMode::Write {
            return Err(fail(INVALID_CALL, format_args!("the archive is not open for writing")));
        }
        let Some(collectives) = self.collectives else { return self.is_primary().map(|_| ()) };
        // Only the size of rank 0 counts. All ranks take part, whatever it is.
        let mut chosen = size;
        collectives.broadcast((&raw mut chosen).cast(), TYPE_UINT64)?;
        if !CHUNK_SIZES.contains(&chosen) {
            return Err(fail(INVALID_ARGUMENT, format_args!("chunks of {chosen} bytes")));
        }
        let _guard = self.lock()?;
        if self.anchor.definition_chunk_size != UNSET {
            return Err(fail(PROCESSED_WITH_FAULTS, format_args!("the chunk size of definitions is set")));
        }
        self.anchor.definition_chunk_size = chosen;
        Ok(())
    }

    fn chunk_sizes(&self) -> (u64, Option<u64>) {
        let size = self.anchor.definition_chunk_size;
        (self.anchor.event_chunk_size, (size != UNSET).then_some(size))
    }

    fn trace_id(&self) -> Result<u64, ErrorCode> {
        match self.mode {
            FileMode::Read => Ok(self.anchor.trace_id),
            _ => Err(fail(INVALID_CALL, format_args!("the archive is not open for reading"))),
        }
    }

    fn set_hint(&mut self, hint: u32, value: u8) -> Result<(), ErrorCode> {
        match (hint, self.mode) {
            (GLOBAL_READER, FileMode::Read) => {}
            (GLOBAL_READER, _) => {
                return Err(fail(HINT_INVALID, format_args!("the archive is not open for reading")));
            }
            (other, _) => return Err(fail(INVALID_ARGUMENT, format_args!("hint {other}"))),
        }
        if std::mem::replace(&mut self.is_hint_locked, true) {
            return Err(fail(HINT_LOCKED, format_args!("the hint was set")));
        }
        match value {
            0 | 1 => Ok(()),
            other => Err(fail(HINT_INVALID_VALUE, format_args!("{other} is no truth value"))),
        }
    }
}

macro_rules! callbacks {
    ($($name:ident($callbacks:ident) => $set:ident;)*) => {$(
        /// Sets callbacks. The table must live as long as the archive.
        ///
        /// # Safety
        ///
        /// Null or an archive; null or a table.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(
            this: *mut Archive,
            callbacks: *const $callbacks,
            user_data: *mut c_void,
        ) -> ErrorCode {
            // SAFETY: `this` is null or an open archive that nothing else uses during this call.
            code(unsafe { archive(this) }.and_then(|archive| archive.$set(Table::of(callbacks, user_data)?)))
        }
    )*};
}

callbacks! {
    OTF2_Archive_SetFlushCallbacks(FlushCallbacks) => set_flush;
    OTF2_Archive_SetMemoryCallbacks(MemoryCallbacks) => set_memory;
    OTF2_Archive_SetLockingCallbacks(LockingCallbacks) => set_locking;
}

/// Sets the functions by which the processes communicate. The table must live as long as the
/// archive. Rank 0 makes the folders of a new archive.
///
/// # Safety
///
/// Null or an archive; null or a table.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_SetCollectiveCallbacks(
    this: *mut Archive,
    callbacks: *const CollectiveCallbacks,
    user_data: *mut c_void,
    global: *mut Context,
    local: *mut Context,
) -> ErrorCode {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    code(unsafe { archive(this) }.and_then(|archive| {
        archive.set_collectives(Collectives { table: Table::of(callbacks, user_data)?, global, local })
    }))
}

/// Sets callbacks for a program of one process.
///
/// # Safety
///
/// Null or an archive.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_SetSerialCollectiveCallbacks(
    this: *mut Archive,
) -> ErrorCode {
    let null = std::ptr::null_mut();
    // SAFETY: `this` is null or an open archive that nothing else uses during this call, and
    // `OTF2_Archive_SetCollectiveCallbacks` requires no more of the other arguments than this
    // function.
    unsafe { OTF2_Archive_SetCollectiveCallbacks(this, &SERIAL, null, null.cast(), null.cast()) }
}

/// Sets the chunk size of definitions that was left open.
///
/// # Safety
///
/// Null or an archive.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_SetDefChunkSize(
    this: *mut Archive,
    size: u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    code(unsafe { archive(this) }.and_then(|archive| archive.set_definition_chunk_size(size)))
}

/// Sets a hint for reading, which has no effect.
///
/// # Safety
///
/// Null or an archive; null or a truth value.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_SetHint(
    this: *mut Archive,
    hint: u32,
    value: *mut c_void,
) -> ErrorCode {
    // SAFETY: `value` is not null, so it is a truth value, whose size is a byte.
    code(unsafe { archive(this) }.and_then(|archive| match value.is_null() {
        true => Err(fail(INVALID_ARGUMENT, format_args!("no value of a hint"))),
        // SAFETY: `value` is not null, so it is a truth value, whose size is a byte.
        false => archive.set_hint(hint, unsafe { value.cast::<u8>().read() }),
    }))
}

macro_rules! strings {
    ($($set:ident $get:ident => $field:ident;)*) => {$(
        /// Sets the string.
        ///
        /// # Safety
        ///
        /// Null or an archive; null or a C string.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $set(this: *mut Archive, string: *const c_char) -> ErrorCode {
            // SAFETY: `this` is null or an open archive that nothing else uses during this call.
            code(unsafe { archive(this) }.and_then(|archive| {
                if string.is_null() {
                    return Err(fail(INVALID_ARGUMENT, format_args!("no string")));
                }
                let _guard = archive.lock()?;
                // SAFETY: `string` is not null, so it is a C string, which stays as it is during
                // this call.
                archive.anchor.$field = Some(CString::from(unsafe { CStr::from_ptr(string) }));
                Ok(())
            }))
        }

        /// Returns a copy of the string, which the caller frees; `MEM_FAULT` if it was not set.
        ///
        /// # Safety
        ///
        /// Null or an archive; null or a place for the result.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $get(
            this: *mut Archive,
            string: *mut *mut c_char,
        ) -> ErrorCode {
            // SAFETY: `this` is null or an open archive that nothing else uses during this call.
            code(unsafe { archive(this) }.and_then(|archive| {
                // SAFETY: `string` is null or a place for the result that nothing else refers to.
                let string = unsafe { place(string) }?;
                let _guard = archive.lock()?;
                // An answer rather than a failure: the handler is not called.
                *string = duplicate(archive.anchor.$field.as_deref().ok_or(MEM_FAULT)?)?;
                Ok(())
            }))
        }
    )*};
}

strings! {
    OTF2_Archive_SetMachineName OTF2_Archive_GetMachineName => machine;
    OTF2_Archive_SetDescription OTF2_Archive_GetDescription => description;
    OTF2_Archive_SetCreator OTF2_Archive_GetCreator => creator;
}

// Numbers that may change are read under the lock. The program's functions are called without it.
macro_rules! numbers {
    ($lock:ident; $($name:ident: $type:ty, $archive:ident => $value:expr;)*) => {$(
        /// Returns the number.
        ///
        /// # Safety
        ///
        /// Null or an archive; null or a place for the result.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C-unwind" fn $name(this: *mut Archive, number: *mut $type) -> ErrorCode {
            // SAFETY: `this` is null or an open archive that nothing else uses during this call.
            code(unsafe { archive(this) }.and_then(|$archive| {
                // SAFETY: `number` is null or a place for the result that nothing else refers to.
                let number = unsafe { place(number) }?;
                let _guard = $archive.$lock()?;
                *number = $value;
                Ok(())
            }))
        }
    )*};
}

numbers! { lock;
    OTF2_Archive_GetNumberOfLocations: u64, archive => archive.anchor.number_of_locations;
    OTF2_Archive_GetNumberOfGlobalDefinitions: u64, archive => archive.anchor.number_of_global_definitions;
    OTF2_Archive_GetNumberOfSnapshots: u32, archive => archive.anchor.number_of_snapshots;
    OTF2_Archive_GetNumberOfThumbnails: u32, archive => archive.anchor.number_of_thumbnails;
}

numbers! { without_lock;
    OTF2_Archive_GetTraceId: u64, archive => archive.trace_id()?;
    OTF2_Archive_GetFileSubstrate: u8, archive => archive.anchor.substrate;
    OTF2_Archive_GetCompression: u8, archive => archive.anchor.compression;
    OTF2_Archive_IsPrimary: bool, archive => archive.is_primary()?;
}

/// The former name of `OTF2_Archive_IsPrimary`.
///
/// # Safety
///
/// Null or an archive; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_IsMaster(
    this: *mut Archive,
    result: *mut bool,
) -> ErrorCode {
    fail(DEPRECATED, format_args!("OTF2_Archive_IsMaster is OTF2_Archive_IsPrimary now"));
    // SAFETY: `this` is null or an open archive that nothing else uses during this call, and
    // `OTF2_Archive_IsPrimary` requires no more of the other arguments than this function.
    unsafe { OTF2_Archive_IsPrimary(this, result) }
}

/// Sets the number of snapshots.
///
/// # Safety
///
/// Null or an archive.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_SetNumberOfSnapshots(
    this: *mut Archive,
    number: u32,
) -> ErrorCode {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    code(unsafe { archive(this) }.and_then(|archive| {
        let _guard = archive.lock()?;
        archive.anchor.number_of_snapshots = number;
        Ok(())
    }))
}

/// Returns the version of the library that wrote the archive.
///
/// # Safety
///
/// Null or an archive; null or places for the results.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_GetVersion(
    this: *mut Archive,
    major: *mut u8,
    minor: *mut u8,
    bugfix: *mut u8,
) -> ErrorCode {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    code(unsafe { archive(this) }.and_then(|archive| {
        // SAFETY: `major`, `minor` and `bugfix` are null or places for results that nothing else
        // refers to.
        let (major, minor, bugfix) = unsafe { (place(major)?, place(minor)?, place(bugfix)?) };
        [*major, *minor, *bugfix] = archive.anchor.version;
        Ok(())
    }))
}

/// Returns the chunk sizes.
///
/// # Safety
///
/// Null or an archive; null or places for the results.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_GetChunkSize(
    this: *mut Archive,
    events: *mut u64,
    definitions: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    code(unsafe { archive(this) }.and_then(|archive| {
        // SAFETY: `events` and `definitions` are null or places for results that nothing else
        // refers to.
        let (events, definitions) = unsafe { (place(events)?, place(definitions)?) };
        let _guard = archive.lock()?;
        let (of_events, of_definitions) = archive.chunk_sizes();
        *events = of_events;
        let unset = || fail(INTEGRITY_FAULT, format_args!("the chunk size of definitions is not set"));
        *definitions = of_definitions.ok_or_else(unset)?;
        Ok(())
    }))
}
