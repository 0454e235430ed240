//! `OTF2_IdMap`: global ids of local ids.

use crate::error::{ErrorCode, INDEX_OUT_OF_BOUNDS, INVALID_ARGUMENT, INVALID_DATA, SUCCESS, fail};
use std::collections::BTreeMap;
use std::ffi::c_void;

const DENSE: u8 = 0;
const SPARSE: u8 = 1;

/// `OTF2_IdMap`.
#[derive(Debug)]
pub(crate) enum IdMap {
    /// The global ids, indexed by the local ones.
    Dense(Vec<u64>),
    /// The global ids of some local ones.
    Sparse(BTreeMap<u64, u64>),
}

/// The entries of a map as they are written.
pub(crate) enum Entries<'a> {
    Dense(&'a [u64]),
    Sparse(Vec<(u64, u64)>),
}

impl Entries<'_> {
    pub(crate) fn as_map(&self) -> kymo_otf2::id_map::IdMap<'_> {
        match self {
            Entries::Dense(table) => kymo_otf2::id_map::IdMap::dense(table),
            Entries::Sparse(pairs) => kymo_otf2::id_map::IdMap::sparse(pairs),
        }
    }
}

impl IdMap {
    /// Copies a map that was read.
    pub(crate) fn of(map: &kymo_otf2::id_map::IdMap<'_>) -> Self {
        match map.is_sparse() {
            true => IdMap::Sparse(map.iter().collect()),
            false => IdMap::Dense(map.iter().map(|entry| entry.1).collect()),
        }
    }

    /// Makes a map of a table, or none if `optimize` is set and no id changes.
    fn from_table(table: Vec<u64>, optimize: bool) -> Option<Self> {
        if !optimize {
            return Some(IdMap::Dense(table));
        }
        let moved = || (0..).zip(&table).filter(|&(local, &global)| local != global);
        match moved().count() {
            0 => None,
            count if 2 * count < table.len() => {
                Some(IdMap::Sparse(moved().map(|(local, &global)| (local, global)).collect()))
            }
            _ => Some(IdMap::Dense(table)),
        }
    }

    pub(crate) fn entries(&self) -> Entries<'_> {
        match self {
            IdMap::Dense(table) => Entries::Dense(table),
            IdMap::Sparse(pairs) => {
                Entries::Sparse(pairs.iter().map(|(&id, &global)| (id, global)).collect())
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            IdMap::Dense(table) => table.len(),
            IdMap::Sparse(pairs) => pairs.len(),
        }
    }

    fn get(&self, local: u64) -> Option<u64> {
        match self {
            IdMap::Dense(table) => usize::try_from(local).ok().and_then(|local| table.get(local).copied()),
            IdMap::Sparse(pairs) => pairs.get(&local).copied(),
        }
    }

    fn add(&mut self, local: u64, global: u64) -> ErrorCode {
        match self {
            IdMap::Dense(table) if table.len() as u64 != local => {
                let length = table.len();
                return fail(INVALID_DATA, format_args!("id {local} of a dense map of {length} entries"));
            }
            IdMap::Dense(table) => table.push(global),
            IdMap::Sparse(pairs) => {
                pairs.insert(local, global);
            }
        }
        SUCCESS
    }
}

#[track_caller]
fn missing() -> ErrorCode {
    fail(INVALID_ARGUMENT, format_args!("no id map, no callback, or no place for a result"))
}

fn into_raw(map: Option<IdMap>) -> *mut IdMap {
    map.map_or(std::ptr::null_mut(), |map| Box::into_raw(Box::new(map)))
}

/// Makes an empty map; null if the capacity is 0 or the mode is unknown.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn OTF2_IdMap_Create(mode: u8, capacity: u64) -> *mut IdMap {
    into_raw(match (mode, capacity) {
        (DENSE, 1..) => Some(IdMap::Dense(Vec::new())),
        (SPARSE, 1..) => Some(IdMap::Sparse(BTreeMap::new())),
        _ => {
            fail(INVALID_ARGUMENT, format_args!("mode {mode} and capacity {capacity} of an id map"));
            None
        }
    })
}

/// Makes a map of a table whose numbers have any width.
///
/// # Safety
///
/// Null or an array of this length.
unsafe fn from_array<T: Copy>(
    length: u64,
    table: *const T,
    optimize: bool,
    widen: impl Fn(T) -> u64,
) -> *mut IdMap {
    if table.is_null() || (length == 0 && !optimize) {
        fail(INVALID_ARGUMENT, format_args!("an empty table of an id map"));
        return std::ptr::null_mut();
    }
    // SAFETY: `table` is not null, so it is an array of `length` numbers, which stays as it is
    // during this call.
    let table = unsafe { std::slice::from_raw_parts(table, length as usize) };
    into_raw(IdMap::from_table(table.iter().map(|&global| widen(global)).collect(), optimize))
}

/// Makes a map of a table; null if `optimize` is set and no id changes.
///
/// # Safety
///
/// Null or an array of this length.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_IdMap_CreateFromUint64Array(
    length: u64,
    table: *const u64,
    optimize: bool,
) -> *mut IdMap {
    // SAFETY: `table` is null or an array of `length` numbers.
    unsafe { from_array(length, table, optimize, |global| global) }
}

/// Makes a map of a table; null if `optimize` is set and no id changes. Undefined ids stay
/// undefined.
///
/// # Safety
///
/// Null or an array of this length.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_IdMap_CreateFromUint32Array(
    length: u64,
    table: *const u32,
    optimize: bool,
) -> *mut IdMap {
    let widen = |global: u32| if global == u32::MAX { u64::MAX } else { global.into() };
    // SAFETY: `table` is null or an array of `length` numbers.
    unsafe { from_array(length, table, optimize, widen) }
}

/// Frees a map. Null is allowed.
///
/// # Safety
///
/// Null or a map that is not used any more.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_IdMap_Free(this: *mut IdMap) {
    if !this.is_null() {
        // SAFETY: made by one of the functions above.
        drop(unsafe { Box::from_raw(this) });
    }
}

/// Returns the number of entries.
///
/// # Safety
///
/// Null or a map; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_IdMap_GetSize(this: *const IdMap, size: *mut u64) -> ErrorCode {
    // SAFETY: `this` is null or a map that nothing else uses during this call; `size` is null or a
    // place for the result that nothing else refers to.
    match unsafe { (this.as_ref(), size.as_mut()) } {
        (Some(map), Some(size)) => {
            *size = map.len() as u64;
            SUCCESS
        }
        _ => missing(),
    }
}

/// Returns the mode.
///
/// # Safety
///
/// Null or a map; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_IdMap_GetMode(this: *const IdMap, mode: *mut u8) -> ErrorCode {
    // SAFETY: `this` is null or a map that nothing else uses during this call; `mode` is null or a
    // place for the result that nothing else refers to.
    match unsafe { (this.as_ref(), mode.as_mut()) } {
        (Some(map), Some(mode)) => {
            *mode = if matches!(map, IdMap::Dense(_)) { DENSE } else { SPARSE };
            SUCCESS
        }
        _ => missing(),
    }
}

/// Removes all entries; the mode stays.
///
/// # Safety
///
/// Null or a map.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_IdMap_Clear(this: *mut IdMap) -> ErrorCode {
    // SAFETY: `this` is null or a map that nothing else uses during this call.
    match unsafe { this.as_mut() } {
        Some(IdMap::Dense(table)) => table.clear(),
        Some(IdMap::Sparse(pairs)) => pairs.clear(),
        None => return missing(),
    }
    SUCCESS
}

/// Adds the global id of a local id.
///
/// # Safety
///
/// Null or a map.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_IdMap_AddIdPair(
    this: *mut IdMap,
    local: u64,
    global: u64,
) -> ErrorCode {
    // SAFETY: `this` is null or a map that nothing else uses during this call.
    match unsafe { this.as_mut() } {
        Some(map) => map.add(local, global),
        None => missing(),
    }
}

/// Returns the global id of a local id; the id itself if it has no entry.
///
/// # Safety
///
/// Null or a map; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_IdMap_GetGlobalId(
    this: *const IdMap,
    local: u64,
    global: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or a map that nothing else uses during this call; `global` is null or
    // a place for the result that nothing else refers to.
    match unsafe { (this.as_ref(), global.as_mut()) } {
        (Some(map), Some(global)) => {
            *global = map.get(local).unwrap_or(local);
            SUCCESS
        }
        _ => missing(),
    }
}

/// Returns the global id of a local id that has an entry.
///
/// # Safety
///
/// Null or a map; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_IdMap_GetGlobalIdSave(
    this: *const IdMap,
    local: u64,
    global: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or a map that nothing else uses during this call; `global` is null or
    // a place for the result that nothing else refers to.
    let (Some(map), Some(global)) = (unsafe { (this.as_ref(), global.as_mut()) }) else {
        return missing();
    };
    match map.get(local) {
        Some(found) => {
            *global = found;
            SUCCESS
        }
        // An answer rather than a failure: the handler is not called.
        None => INDEX_OUT_OF_BOUNDS,
    }
}

/// Calls a function with each local id and its global id, in ascending order.
///
/// # Safety
///
/// Null or a map; null or a function of this type.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_IdMap_Traverse(
    this: *const IdMap,
    callback: Option<unsafe extern "C-unwind" fn(u64, u64, *mut c_void)>,
    user_data: *mut c_void,
) -> ErrorCode {
    // SAFETY: `this` is null or a map that stays as it is during this call.
    let (Some(map), Some(callback)) = (unsafe { (this.as_ref(), callback) }) else { return missing() };
    match map {
        IdMap::Dense(table) => {
            for (local, &global) in (0..).zip(table) {
                // SAFETY: the program has passed this function for such calls, with this data.
                unsafe { callback(local, global, user_data) };
            }
        }
        IdMap::Sparse(pairs) => {
            for (&local, &global) in pairs {
                // SAFETY: the program has passed this function for such calls, with this data.
                unsafe { callback(local, global, user_data) };
            }
        }
    }
    SUCCESS
}
