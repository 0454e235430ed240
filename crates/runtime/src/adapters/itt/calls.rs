//! The functions that a static part can call.

use std::ffi::{c_char, c_int, c_ulonglong, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::counters::{self, IttCounter, UNTYPED};
use super::objects::{IttDomain, IttString};
use super::{
    BY_ADDRESS, EVENTS, FRAMES, ITT, OF_OTHERS, OVERLAPPED, SUBMITTED, THREAD_NAMES, TIMED, metadata,
};
use crate::adapters::annotations::domains::AnnotationDomain;
use crate::adapters::annotations::{RangeOwner, text};
use crate::measurement::{Here, Region};
use crate::next::keeping_errno;
use crate::processes::may_allocate;

/// The identifier that a program gives a task (`__itt_id`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub(super) struct IttId([u64; 3]);

impl IttId {
    const NONE: Self = Self([0; 3]);

    /// Returns a number for the id, which other ids have by chance only; 0 for none.
    fn tag(self) -> u64 {
        const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
        match self {
            Self::NONE => 0,
            Self(words) => words.iter().fold(1, |tag: u64, word| (tag ^ word).wrapping_mul(FACTOR)).max(1),
        }
    }
}

/// The types of handles that are numbers: of events and kinds of marks, whose number is that of
/// their region.
type IttNumberHandle = c_int;

/// The scopes of metadata that belong to the current task (`__itt_scope`).
const SCOPE_OF_TASK: c_int = 4;

/// The kinds of ranges besides tasks, whose ends end only ranges of their kind.
const FRAME: u64 = 1 << 32;
const EVENT: u64 = 2 << 32;

/// Defines the functions, and how they are found by their names.
macro_rules! calls {
    ($($symbol:literal $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {
        $(unsafe extern "C-unwind" fn $name($($argument: $type),*) $(-> $result)? {
            keeping_errno(|| $body)
        })*

        /// Returns the function of a name, with its prefix.
        pub(super) fn find(name: &[u8]) -> Option<*const c_void> {
            let name = name.strip_prefix(b"__itt_")?;
            $(if name == $symbol {
                return Some($name as *const c_void);
            })*
            None
        }
    };
}

// In all of them: objects are null or the program's and live forever, texts are null or strings
// that end with 0, as the interface requires.
calls! {
    b"domain_create" domain_create(name: *const c_char) -> *const IttDomain {
        // SAFETY: a text.
        IttDomain::create(unsafe { text::bytes(name) }.unwrap_or_default())
    }
    b"string_handle_create" string_handle_create(name: *const c_char) -> *const IttString {
        // SAFETY: a text.
        IttString::create(unsafe { text::bytes(name) }.unwrap_or_default())
    }
    b"task_begin" task_begin(domain: *const IttDomain, id: IttId, _parent: IttId, name: *const IttString) {
        // SAFETY: objects.
        let (domain, name) = unsafe { (IttDomain::known(domain), name.as_ref()) };
        if let (Some(domain), Some(name)) = (domain, name) {
            ITT.begin_tagged(tasks_of(domain), name.region(domain), id.tag(), |_| {});
        }
    }
    b"task_begin_fn" task_begin_fn(domain: *const IttDomain, id: IttId, _parent: IttId, _function: *const c_void) {
        BY_ADDRESS.add();
        // SAFETY: an object.
        unsafe { begin_unrecorded(domain, id) };
    }
    b"task_end" task_end(domain: *const IttDomain) {
        // SAFETY: an object.
        if let Some(domain) = unsafe { IttDomain::known(domain) } {
            ITT.end(tasks_of(domain));
        }
    }
    b"task_begin_ex" task_begin_ex(domain: *const IttDomain, _clock: *const c_void, _time: c_ulonglong,
        id: IttId, _parent: IttId, _name: *const IttString) {
        TIMED.add();
        // SAFETY: an object.
        unsafe { begin_unrecorded(domain, id) };
    }
    b"task_begin_fn_ex" task_begin_fn_ex(domain: *const IttDomain, _clock: *const c_void, _time: c_ulonglong,
        id: IttId, _parent: IttId, _function: *const c_void) {
        TIMED.add();
        // SAFETY: an object.
        unsafe { begin_unrecorded(domain, id) };
    }
    b"task_end_ex" task_end_ex(domain: *const IttDomain, _clock: *const c_void, _time: c_ulonglong) {
        // SAFETY: an object.
        unsafe { task_end(domain) };
    }
    b"task_begin_overlapped" task_begin_overlapped(_domain: *const IttDomain, _id: IttId, _parent: IttId,
        _name: *const IttString) { OVERLAPPED.add(); }
    b"task_begin_overlapped_ex" task_begin_overlapped_ex(_domain: *const IttDomain, _clock: *const c_void,
        _time: c_ulonglong, _id: IttId, _parent: IttId, _name: *const IttString) { OVERLAPPED.add(); }
    b"region_begin" region_begin(_domain: *const IttDomain, _id: IttId, _parent: IttId,
        _name: *const IttString) { OVERLAPPED.add(); }
    b"marker" marker(domain: *const IttDomain, _id: IttId, name: *const IttString, _scope: c_int) {
        // SAFETY: objects.
        let (domain, name) = unsafe { (IttDomain::known(domain), name.as_ref()) };
        if let (Some(domain), Some(name)) = (domain, name) {
            ITT.mark(name.region(domain), |_| {});
        }
    }
    b"marker_ex" marker_ex(_domain: *const IttDomain, _clock: *const c_void, _time: c_ulonglong, _id: IttId,
        _name: *const IttString, _scope: c_int) { TIMED.add(); }

    b"frame_begin_v3" frame_begin_v3(domain: *const IttDomain, _id: *const IttId) {
        // SAFETY: an object.
        if let Some(domain) = unsafe { IttDomain::known(domain) } {
            ITT.begin(frames_of(domain), ITT.region(&FRAMES, domain.name().as_bytes()), |_| {});
        }
    }
    b"frame_end_v3" frame_end_v3(domain: *const IttDomain, _id: *const IttId) {
        // SAFETY: an object.
        if let Some(domain) = unsafe { IttDomain::known(domain) } {
            ITT.end(frames_of(domain));
        }
    }
    b"frame_submit_v3" frame_submit_v3(_domain: *const IttDomain, _id: *const IttId, _begin: c_ulonglong,
        _end: c_ulonglong) { SUBMITTED.add(); }
    b"get_timestamp" get_timestamp() -> c_ulonglong {
        let mut time = 0;
        ITT.record(|here| time = here.now());
        time
    }
    b"frame_create" frame_create(name: *const c_char) -> *const IttDomain {
        // SAFETY: a text.
        IttDomain::create(unsafe { text::bytes(name) }.unwrap_or_default())
    }
    b"frame_begin" frame_begin(frame: *const IttDomain) {
        // SAFETY: a domain that `frame_create` has returned, or null.
        unsafe { frame_begin_v3(frame, ptr::null()) };
    }
    b"frame_end" frame_end(frame: *const IttDomain) {
        // SAFETY: a domain that `frame_create` has returned, or null.
        unsafe { frame_end_v3(frame, ptr::null()) };
    }

    b"counter_create" counter_create(name: *const c_char, domain: *const c_char) -> *const IttCounter {
        // SAFETY: texts.
        unsafe { counters::create(name, domain, UNTYPED) }
    }
    b"counter_create_typed" counter_create_typed(name: *const c_char, domain: *const c_char, kind: c_int) -> *const IttCounter {
        // SAFETY: texts.
        unsafe { counters::create(name, domain, kind) }
    }
    b"counter_create_v3" counter_create_v3(domain: *const IttDomain, name: *const c_char, kind: c_int) -> *const IttCounter {
        // SAFETY: an object.
        let domain = unsafe { IttDomain::known(domain) }.map_or("", AnnotationDomain::name);
        // SAFETY: a text.
        IttCounter::create(unsafe { text::bytes(name) }.unwrap_or_default(), domain.as_bytes(), kind)
    }
    b"counter_inc" counter_inc(counter: *const IttCounter) {
        // SAFETY: an object.
        unsafe { counters::add(counter, 1) };
    }
    b"counter_dec" counter_dec(counter: *const IttCounter) {
        // SAFETY: an object.
        unsafe { counters::add(counter, -1) };
    }
    b"counter_inc_delta" counter_inc_delta(counter: *const IttCounter, delta: c_ulonglong) {
        // SAFETY: an object.
        unsafe { counters::add(counter, delta.cast_signed()) };
    }
    b"counter_dec_delta" counter_dec_delta(counter: *const IttCounter, delta: c_ulonglong) {
        // SAFETY: an object.
        unsafe { counters::add(counter, delta.cast_signed().wrapping_neg()) };
    }
    b"counter_set_value" counter_set_value(counter: *const IttCounter, value: *const c_void) {
        // SAFETY: an object, and a value of its type.
        unsafe { counters::set(counter, value) };
    }
    b"counter_set_value_v3" counter_set_value_v3(counter: *const IttCounter, value: *const c_void) {
        // SAFETY: an object, and a value of its type.
        unsafe { counters::set(counter, value) };
    }
    b"counter_set_value_ex" counter_set_value_ex(_counter: *const IttCounter, _clock: *const c_void,
        _time: c_ulonglong, _value: *const c_void) { TIMED.add(); }

    b"metadata_add" metadata_add(domain: *const IttDomain, id: IttId, key: *const IttString, kind: c_int,
        count: usize, data: *const c_void) {
        // SAFETY: an object, and an array of that many values.
        unsafe { describe(domain, id.tag(), key, |here, key| metadata::record_numbers(here, key, kind, count, data)) };
    }
    b"metadata_add_with_scope" metadata_add_with_scope(domain: *const IttDomain, scope: c_int,
        key: *const IttString, kind: c_int, count: usize, data: *const c_void) {
        if scope != SCOPE_OF_TASK {
            return OF_OTHERS.add();
        }
        // SAFETY: an object, and an array of that many values.
        unsafe { describe(domain, 0, key, |here, key| metadata::record_numbers(here, key, kind, count, data)) };
    }
    b"metadata_str_add" metadata_str_add(domain: *const IttDomain, id: IttId, key: *const IttString,
        data: *const c_char, length: usize) {
        // SAFETY: an object, and a text that ends with 0 or has that length.
        unsafe { describe(domain, id.tag(), key, |here, key| metadata::record_text(here, key, data, length)) };
    }
    b"metadata_str_add_with_scope" metadata_str_add_with_scope(domain: *const IttDomain, scope: c_int,
        key: *const IttString, data: *const c_char, length: usize) {
        if scope != SCOPE_OF_TASK {
            return OF_OTHERS.add();
        }
        // SAFETY: an object, and a text that ends with 0 or has that length.
        unsafe { describe(domain, 0, key, |here, key| metadata::record_text(here, key, data, length)) };
    }

    b"event_create" event_create(name: *const c_char, length: c_int) -> IttNumberHandle {
        // SAFETY: a text that ends with 0 or has that length.
        let name = unsafe { metadata::text_of(name, usize::try_from(length).unwrap_or(0)) };
        handle_of(ITT.region(&EVENTS, name))
    }
    b"event_start" event_start(event: IttNumberHandle) -> c_int {
        ITT.begin(ITT.owner(EVENT | number_of(event)), Region(number_of(event) as u32), |_| {});
        0
    }
    b"event_end" event_end(event: IttNumberHandle) -> c_int {
        ITT.end(ITT.owner(EVENT | number_of(event)));
        0
    }
    b"mark_create" mark_create(name: *const c_char) -> IttNumberHandle {
        // SAFETY: a text.
        handle_of(ITT.region(&EVENTS, unsafe { text::bytes(name) }.unwrap_or_default()))
    }
    b"mark" mark(kind: IttNumberHandle, parameter: *const c_char) -> c_int {
        // SAFETY: a text.
        unsafe { record_mark(kind, parameter) }
    }
    b"mark_global" mark_global(kind: IttNumberHandle, parameter: *const c_char) -> c_int {
        // SAFETY: a text.
        unsafe { record_mark(kind, parameter) }
    }

    b"pause" pause() { ITT.record(Here::recording_off); }
    b"resume" resume() { ITT.record(Here::recording_on); }
    b"detach" detach() { ITT.record(Here::recording_off); }
    b"pause_scoped" pause_scoped(_scope: c_int) {
        PAUSES.fetch_add(1, Relaxed);
        ITT.record(Here::recording_off);
    }
    b"resume_scoped" resume_scoped(_scope: c_int) {
        if PAUSES.fetch_update(Relaxed, Relaxed, |count| count.checked_sub(1)) == Ok(1) {
            ITT.record(Here::recording_on);
        }
    }
    b"thread_set_name" thread_set_name(name: *const c_char) {
        // SAFETY: a text.
        name_thread(unsafe { text::bytes(name) }.unwrap_or_default());
    }
    b"thr_name_set" thr_name_set(name: *const c_char, length: c_int) -> c_int {
        // SAFETY: a text that ends with 0 or has that length.
        name_thread(unsafe { metadata::text_of(name, usize::try_from(length).unwrap_or(0)) });
        0
    }
}

/// The scoped pauses that have not been resumed.
static PAUSES: AtomicU32 = AtomicU32::new(0);

fn tasks_of(domain: &AnnotationDomain) -> RangeOwner {
    ITT.owner(domain.number().into())
}

fn frames_of(domain: &AnnotationDomain) -> RangeOwner {
    ITT.owner(FRAME | u64::from(domain.number()))
}

fn handle_of(region: Region) -> IttNumberHandle {
    region.0.cast_signed()
}

fn number_of(handle: IttNumberHandle) -> u64 {
    handle.cast_unsigned().into()
}

/// Begins a task that is not recorded, so that its end ends no other one.
///
/// # Safety
///
/// Null, or a domain of the program, which lives forever.
unsafe fn begin_unrecorded(domain: *const IttDomain, id: IttId) {
    // SAFETY: null, or a domain that lives forever.
    if let Some(domain) = unsafe { IttDomain::known(domain) } {
        ITT.begin_tagged(tasks_of(domain), Region::default(), id.tag(), |_| {});
    }
}

/// Records metadata of the innermost task of a domain, which must have the tag; 0 stands for any.
///
/// # Safety
///
/// The objects are null or the program's, and live forever.
unsafe fn describe(
    domain: *const IttDomain,
    tag: u64,
    key: *const IttString,
    record: impl FnOnce(&Here, &IttString),
) {
    // SAFETY: the objects are null, or live forever.
    let (domain, key) = unsafe { (IttDomain::known(domain), key.as_ref()) };
    let (Some(domain), Some(key)) = (domain, key) else { return };
    match ITT.innermost_tag(tasks_of(domain)) {
        Some(innermost) if tag == 0 || tag == innermost => ITT.record(|here| record(here, key)),
        _ => OF_OTHERS.add(),
    }
}

/// Records a mark with its parameter. Returns 0, as the interface does for success.
///
/// # Safety
///
/// Null, or a string that ends with 0.
unsafe fn record_mark(kind: IttNumberHandle, parameter: *const c_char) -> c_int {
    // SAFETY: null, or a string that ends with 0.
    let parameter = unsafe { text::bytes(parameter) };
    ITT.mark(Region(number_of(kind) as u32), |here| {
        if let Some(parameter) = parameter {
            ITT.parameter_text(here, b"ITT mark parameter", parameter);
        }
    });
    0
}

fn name_thread(name: &[u8]) {
    ITT.record(|here| {
        if may_allocate() {
            THREAD_NAMES.name(here.parts().1.thread, &text::valid(name));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_their_whole_names() {
        assert!(find(b"__itt_task_begin").is_some());
        assert_ne!(find(b"__itt_task_begin"), find(b"__itt_task_begin_fn"));
        for unknown in [&b"task_begin"[..], b"__itt_task", b"__itt_model_task_begin", b"__itt_"] {
            assert!(find(unknown).is_none());
        }
    }

    #[test]
    fn ids_have_tags_of_their_own() {
        let ids = [[0; 3], [0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 0]];
        let tags: std::collections::BTreeSet<_> = ids.iter().map(|&id| IttId(id).tag()).collect();
        assert_eq!(tags.len(), ids.len());
        assert_eq!(IttId::NONE.tag(), 0);
    }
}
