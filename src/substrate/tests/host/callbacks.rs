//! A host whose functions return numbers derived from their arguments and log their calls.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fmt::Debug;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard};

use kymo_substrate::bindings::{SCOREP_SubstratePluginCallbacks as Callbacks, *};

/// The logged calls: those of the communication functions and others with more arguments than a
/// handle.
static CALLS: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn log(call: &str, arguments: &dyn Debug) {
    CALLS.lock().expect("no earlier panic").push(format!("{call}{arguments:?}"));
}

/// Serialises the tests that use [`calls`].
pub(crate) fn exclusive() -> MutexGuard<'static, ()> {
    static LOG: Mutex<()> = Mutex::new(());
    LOG.lock().expect("no earlier panic")
}

/// Returns the calls that were logged since the previous call of this function.
pub(crate) fn calls() -> Vec<String> {
    std::mem::take(&mut *CALLS.lock().expect("no earlier panic"))
}

/// Declares functions of one argument.
macro_rules! answers {
    ($($function:ident($argument:ty) -> $type:ty = |$raw:ident| $answer:expr;)*) => {
        $(unsafe extern "C" fn $function($raw: $argument) -> $type { $answer })*
    };
}

answers! {
    text_of(u32) -> *const c_char = |handle| if handle == 5 { c"five".as_ptr() } else { ptr::null() };
    number_100(u32) -> u32 = |handle| handle + 100;
    number_200(u32) -> u32 = |handle| handle + 200;
    number_300(u32) -> u32 = |handle| handle + 300;
    number_400(u32) -> u32 = |handle| handle + 400;
    number_500(u32) -> u32 = |handle| handle + 500;
    two(u32) -> u8 = |_handle| 2;
    yes(u32) -> bool = |_handle| true;
    metrics_of(u32) -> *const u32 = |_handle| [11, 12].as_ptr();
    location_number(*const SCOREP_Location) -> u32 = |location| location.addr() as u32 + 1;
    location_global(*const SCOREP_Location) -> u64 = |location| (location.addr() as u64 + 1) << 32;
    location_text(*const SCOREP_Location) -> *const c_char = |_location| c"Master thread".as_ptr();
}

static DATA: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

unsafe extern "C" fn set_data(location: *const SCOREP_Location, id: usize, data: *mut c_void) {
    assert_eq!((location.addr(), id), (0x40, 3));
    DATA.store(data, Ordering::Relaxed);
}

unsafe extern "C" fn get_data(location: *const SCOREP_Location, id: usize) -> *mut c_void {
    assert_eq!((location.addr(), id), (0x40, 3));
    DATA.load(Ordering::Relaxed)
}

unsafe extern "C" fn directory() -> *const c_char {
    c"/experiment".as_ptr()
}

unsafe extern "C" fn ipc_size() -> c_int {
    4
}

unsafe extern "C" fn ipc_rank() -> c_int {
    1
}

unsafe extern "C" fn barrier() -> c_int {
    log("barrier", &());
    0
}

/// The contents of a buffer, for the log.
unsafe fn numbers(buffer: *const c_void, count: c_int) -> Vec<u32> {
    if buffer.is_null() {
        return Vec::new();
    }
    // SAFETY: the tests send only slices of `u32`.
    unsafe { std::slice::from_raw_parts(buffer.cast(), count as usize) }.to_vec()
}

unsafe extern "C" fn send(
    buffer: *const c_void,
    count: c_int,
    kind: SCOREP_Ipc_Datatype,
    rank: c_int,
) -> c_int {
    // SAFETY: see `numbers`.
    log("send", &(unsafe { numbers(buffer, count) }, kind, rank));
    if rank == 2 { 77 } else { 0 }
}

unsafe extern "C" fn recv(
    buffer: *mut c_void,
    count: c_int,
    kind: SCOREP_Ipc_Datatype,
    rank: c_int,
) -> c_int {
    log("recv", &(count, kind, rank));
    // SAFETY: the buffer has `count` elements.
    unsafe { buffer.cast::<u32>().write(42) };
    0
}

unsafe extern "C" fn bcast(
    buffer: *mut c_void,
    count: c_int,
    kind: SCOREP_Ipc_Datatype,
    root: c_int,
) -> c_int {
    // SAFETY: see `numbers`.
    log("bcast", &(unsafe { numbers(buffer, count) }, kind, root));
    0
}

unsafe extern "C" fn gather(
    part: *const c_void,
    all: *mut c_void,
    count: c_int,
    kind: SCOREP_Ipc_Datatype,
    root: c_int,
) -> c_int {
    // SAFETY: see `numbers`.
    log("gather", &(unsafe { numbers(part, count) }, all.is_null(), kind, root));
    0
}

unsafe extern "C" fn gatherv(
    part: *const c_void,
    count: c_int,
    all: *mut c_void,
    counts: *const c_int,
    kind: SCOREP_Ipc_Datatype,
    root: c_int,
) -> c_int {
    // SAFETY: see `numbers`; on the root there is one count per process.
    let (part, counts) = unsafe { (numbers(part, count), numbers(counts.cast(), 4)) };
    log("gatherv", &(part, all.is_null(), counts, kind, root));
    0
}

unsafe extern "C" fn allgather(
    part: *const c_void,
    all: *mut c_void,
    count: c_int,
    kind: SCOREP_Ipc_Datatype,
) -> c_int {
    // SAFETY: see `numbers`.
    log("allgather", &(unsafe { numbers(part, count) }, all.is_null(), kind));
    0
}

unsafe extern "C" fn reduce(
    part: *const c_void,
    result: *mut c_void,
    count: c_int,
    kind: SCOREP_Ipc_Datatype,
    operation: SCOREP_Ipc_Operation,
    root: c_int,
) -> c_int {
    // SAFETY: see `numbers`.
    log("reduce", &(unsafe { numbers(part, count) }, result.is_null(), kind, operation, root));
    0
}

unsafe extern "C" fn allreduce(
    part: *const c_void,
    result: *mut c_void,
    count: c_int,
    kind: SCOREP_Ipc_Datatype,
    operation: SCOREP_Ipc_Operation,
) -> c_int {
    // SAFETY: see `numbers`.
    log("allreduce", &(unsafe { numbers(part, count) }, result.is_null(), kind, operation));
    0
}

unsafe extern "C" fn scatter(
    all: *const c_void,
    part: *mut c_void,
    count: c_int,
    kind: SCOREP_Ipc_Datatype,
    root: c_int,
) -> c_int {
    log("scatter", &(all.is_null(), part.is_null(), count, kind, root));
    0
}

unsafe extern "C" fn scatterv(
    all: *const c_void,
    counts: *const c_int,
    part: *mut c_void,
    count: c_int,
    kind: SCOREP_Ipc_Datatype,
    root: c_int,
) -> c_int {
    // SAFETY: on the root there is one count per process.
    let counts = unsafe { numbers(counts.cast(), 4) };
    log("scatterv", &(all.is_null(), counts, part.is_null(), count, kind, root));
    0
}

/// Delivers two sets with a location and one without, as a faulty host might.
unsafe extern "C" fn write_timed(
    location: *mut SCOREP_Location,
    timestamp: u64,
    function: SCOREP_Substrates_WriteMetricsCb,
) {
    let function = function.expect("a function");
    let values = [timestamp + 1, timestamp + 2];
    // SAFETY: a set has two metrics, as many as there are values. These live until the calls
    // return. A location is null or that of the caller.
    unsafe {
        function(location, timestamp, 21, values.as_ptr());
        function(ptr::null_mut(), timestamp, 22, values.as_ptr());
        function(location, timestamp + 10, 23, values.as_ptr());
    }
}

unsafe extern "C" fn write_untimed(
    location: *mut SCOREP_Location,
    function: SCOREP_Substrates_WriteMetricsCb,
) {
    // SAFETY: the location and the function are those that the plugin passed.
    unsafe { write_timed(location, 1000, function) };
}

unsafe extern "C" fn section(stream: *mut FILE, title: *const c_char) {
    // SAFETY: zero terminated.
    log("section", &(stream.addr(), unsafe { CStr::from_ptr(title) }));
}

/// The variadic function as this crate calls it: with a format of one string.
unsafe extern "C" fn entry(
    stream: *mut FILE,
    file: *const c_char,
    format: *const c_char,
    text: *const c_char,
) {
    // SAFETY: zero terminated.
    let [file, format, text] = [file, format, text].map(|text| unsafe { CStr::from_ptr(text) });
    log("entry", &(stream.addr(), file, format, text));
}

/// The table of a host with all functions. Functions with the same signature return different
/// values, so that a mix-up is detected.
pub(crate) fn full() -> &'static Callbacks {
    let host = Callbacks {
        SCOREP_GetExperimentDirName: Some(directory),
        SCOREP_Ipc_GetSize: Some(ipc_size),
        SCOREP_Ipc_GetRank: Some(ipc_rank),
        SCOREP_Ipc_Send: Some(send),
        SCOREP_Ipc_Recv: Some(recv),
        SCOREP_Ipc_Barrier: Some(barrier),
        SCOREP_Ipc_Bcast: Some(bcast),
        SCOREP_Ipc_Gather: Some(gather),
        SCOREP_Ipc_Gatherv: Some(gatherv),
        SCOREP_Ipc_Allgather: Some(allgather),
        SCOREP_Ipc_Reduce: Some(reduce),
        SCOREP_Ipc_Allreduce: Some(allreduce),
        SCOREP_Ipc_Scatter: Some(scatter),
        SCOREP_Ipc_Scatterv: Some(scatterv),
        SCOREP_Location_GetType: Some(location_number),
        SCOREP_Location_GetName: Some(location_text),
        SCOREP_Location_GetId: Some(location_number),
        SCOREP_Location_GetGlobalId: Some(location_global),
        SCOREP_Location_SetData: Some(set_data),
        SCOREP_Location_GetData: Some(get_data),
        SCOREP_CallingContextHandle_GetRegion: Some(number_100),
        SCOREP_CallingContextHandle_GetParent: Some(number_200),
        SCOREP_MetricHandle_GetValueType: Some(number_100),
        SCOREP_MetricHandle_GetName: Some(text_of),
        SCOREP_MetricHandle_GetProfilingType: Some(number_200),
        SCOREP_MetricHandle_GetMode: Some(number_300),
        SCOREP_MetricHandle_GetSourceType: Some(number_400),
        SCOREP_ParadigmHandle_GetClass: Some(number_100),
        SCOREP_ParadigmHandle_GetName: Some(text_of),
        SCOREP_ParadigmHandle_GetType: Some(number_200),
        SCOREP_ParameterHandle_GetName: Some(text_of),
        SCOREP_ParameterHandle_GetType: Some(number_100),
        SCOREP_RegionHandle_GetId: Some(number_100),
        SCOREP_RegionHandle_GetName: Some(text_of),
        SCOREP_RegionHandle_GetCanonicalName: Some(text_of),
        SCOREP_RegionHandle_GetFileName: Some(text_of),
        SCOREP_RegionHandle_GetBeginLine: Some(number_200),
        SCOREP_RegionHandle_GetEndLine: Some(number_300),
        SCOREP_RegionHandle_GetType: Some(number_400),
        SCOREP_RegionHandle_GetParadigmType: Some(number_500),
        SCOREP_SamplingSetHandle_GetNumberOfMetrics: Some(two),
        SCOREP_SamplingSetHandle_GetMetricHandles: Some(metrics_of),
        SCOREP_SamplingSetHandle_GetMetricOccurrence: Some(number_100),
        SCOREP_SamplingSetHandle_IsScoped: Some(yes),
        SCOREP_SamplingSetHandle_GetScope: Some(number_200),
        SCOREP_SamplingSetHandle_GetSamplingSetClass: Some(number_300),
        SCOREP_SourceFileHandle_GetName: Some(text_of),
        SCOREP_StringHandle_Get: Some(text_of),
        SCOREP_Metric_WriteStrictlySynchronousMetrics: Some(write_timed),
        SCOREP_Metric_WriteSynchronousMetrics: Some(write_timed),
        SCOREP_Metric_WriteAsynchronousMetrics: Some(write_untimed),
        SCOREP_ConfigManifestSectionHeader: Some(section),
        // SAFETY: on the supported machines, variadic arguments that are pointers are passed like
        // others.
        SCOREP_ConfigManifestSectionEntry: Some(unsafe {
            std::mem::transmute::<
                unsafe extern "C" fn(*mut FILE, *const c_char, *const c_char, *const c_char),
                unsafe extern "C" fn(*mut FILE, *const c_char, *const c_char, ...),
            >(entry)
        }),
    };
    Box::leak(Box::new(host))
}
