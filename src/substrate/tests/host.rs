//! What a plugin gets from the host: every function of the callback table, through a host written here.
//!
//! The host answers with numbers made of its arguments and writes down what it was called with.

use std::error::Error;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::fmt::Debug;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};

use kymo_substrate::bindings::{SCOREP_SubstratePluginCallbacks as Callbacks, *};
use kymo_substrate::glue::{self, Export};
use kymo_substrate::*;

/// Declares a plugin of its own for a test, so that each has a host in a state of its own.
macro_rules! plugin {
    ($plugin:ident, $name:literal) => {
        struct $plugin;

        impl SubstratePlugin for $plugin {
            fn init() -> Result<Self, Box<dyn Error>> {
                Ok(Self)
            }

            fn dump_manifest(&self, manifest: &Manifest<'_>) {
                assert_eq!(manifest.source_dir(), Some(c"source"));
                assert_eq!(manifest.target_dir(), Some(c"target"));
                manifest.section(c"Title");
                manifest.entry(c"file", c"100 % of it");
            }
        }

        export!($plugin, $name);
    };
}

/// Initialises a plugin and hands it the first `size` bytes of a table.
fn load<P: Export>(table: &'static Callbacks, size: usize) -> Host {
    // SAFETY: called as the interface says.
    unsafe { glue::info::<P>().init.expect("there")() };
    // The plugin's hook prints one line of the first panic; a failing test should say more.
    drop(std::panic::take_hook());
    give::<P>(table, size)
}

/// Hands a plugin the first `size` bytes of a table.
fn give<P: Export>(table: &'static Callbacks, size: usize) -> Host {
    // SAFETY: called as the interface says.
    unsafe { glue::info::<P>().set_callbacks.expect("there")(table, size) };
    Host::of::<P>()
}

/// Lets the host of `P` assign an id and reach `init_mpp`.
fn reach_init_mpp<P: Export>() {
    let info = glue::info::<P>();
    // SAFETY: called as the interface says.
    unsafe {
        info.assign_id.expect("there")(3);
        info.init_mpp.expect("there")();
    }
}

/// Calls of the communication functions and others with more than a handle.
static CALLS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Keeps the tests that look at [`CALLS`] apart.
static LOG: Mutex<()> = Mutex::new(());

fn log(call: &str, arguments: &dyn Debug) {
    CALLS.lock().expect("no panic before").push(format!("{call}{arguments:?}"));
}

fn calls() -> Vec<String> {
    std::mem::take(&mut *CALLS.lock().expect("no panic before"))
}

/// Functions of one argument.
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

/// What a buffer holds, for the log.
unsafe fn numbers(buffer: *const c_void, count: c_int) -> Vec<u32> {
    if buffer.is_null() {
        return Vec::new();
    }
    // SAFETY: the tests send slices of `u32` only.
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
    // SAFETY: see `numbers`; counts on the root are one per process.
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
    // SAFETY: counts on the root are one per process.
    let counts = unsafe { numbers(counts.cast(), 4) };
    log("scatterv", &(all.is_null(), counts, part.is_null(), count, kind, root));
    0
}

/// Delivers two sets at the location and one without a location, which a faulty host might.
unsafe extern "C" fn write_timed(
    location: *mut SCOREP_Location,
    timestamp: u64,
    function: SCOREP_Substrates_WriteMetricsCb,
) {
    let function = function.expect("a function");
    let values = [timestamp + 1, timestamp + 2];
    // SAFETY: the function is called as the interface says.
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
    // SAFETY: the function is called as the interface says.
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

/// A host that has everything. Functions of one signature that must not be mixed up give different answers.
fn full() -> &'static Callbacks {
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
        // SAFETY: variadic arguments that are pointers are passed like others on the machines this crate is for.
        SCOREP_ConfigManifestSectionEntry: Some(unsafe {
            std::mem::transmute::<
                unsafe extern "C" fn(*mut FILE, *const c_char, *const c_char, *const c_char),
                unsafe extern "C" fn(*mut FILE, *const c_char, *const c_char, ...),
            >(entry)
        }),
    };
    Box::leak(Box::new(host))
}

/// Handles of this test's host: any number will do.
macro_rules! handle {
    ($kind:ident, $raw:expr) => {
        // SAFETY: the host above follows no handle.
        unsafe { $kind::from_raw($raw) }
    };
}

fn location() -> Location {
    // SAFETY: the host above follows no location.
    unsafe { Location::from_raw(ptr::without_provenance(0x40)) }.expect("not null")
}

/// The answers of all getters that need no rank, as text.
fn answers(host: Host, raw: u32) -> String {
    let (context, metric, paradigm) =
        (handle!(CallingContextHandle, raw), handle!(MetricHandle, raw), handle!(ParadigmHandle, raw));
    let (parameter, region, set) =
        (handle!(ParameterHandle, raw), handle!(RegionHandle, raw), handle!(SamplingSetHandle, raw));
    let contexts = (host.calling_context_region(context), host.calling_context_parent(context));
    let metrics = (
        host.metric_name(metric),
        host.metric_value_type(metric),
        host.metric_profiling_type(metric),
        host.metric_mode(metric),
        host.metric_source_type(metric),
    );
    let paradigms =
        (host.paradigm_name(paradigm), host.paradigm_class(paradigm), host.paradigm_type(paradigm));
    let parameters = (host.parameter_name(parameter), host.parameter_type(parameter));
    let regions = (
        host.region_id(region),
        (host.region_name(region), host.region_canonical_name(region), host.region_file_name(region)),
        (host.region_begin_line(region), host.region_end_line(region)),
        (host.region_type(region), host.region_paradigm(region)),
    );
    let sets = (
        (host.number_of_metrics(set), host.metric_handles(set)),
        (host.sampling_set_occurrence(set), host.sampling_set_is_scoped(set)),
        (host.sampling_set_scope(set), host.sampling_set_class(set)),
    );
    let texts =
        (host.source_file_name(handle!(SourceFileHandle, raw)), host.string(handle!(StringHandle, raw)));
    format!("{contexts:?} {metrics:?} {paradigms:?} {parameters:?} {regions:?} {sets:?} {texts:?}")
}

/// What [`answers`] gives where the host has nothing to say.
const NEUTRAL: &str = "(RegionHandle(0), CallingContextHandle(0)) \
    (None, SCOREP_INVALID_METRIC_VALUE_TYPE, SCOREP_INVALID_METRIC_PROFILING_TYPE, SCOREP_INVALID_METRIC_MODE, \
    SCOREP_INVALID_METRIC_SOURCE_TYPE) \
    (None, SCOREP_INVALID_PARADIGM_CLASS, SCOREP_INVALID_PARADIGM_TYPE) \
    (None, SCOREP_INVALID_PARAMETER_TYPE) \
    (None, (None, None, None), (None, None), (SCOREP_INVALID_REGION_TYPE, SCOREP_INVALID_PARADIGM_TYPE)) \
    ((0, []), (SCOREP_INVALID_METRIC_OCCURRENCE, false), (SCOREP_INVALID_METRIC_SCOPE, SCOREP_SAMPLING_SET_ABSTRACT)) \
    (None, None)";

#[test]
fn definitions_from_announcement_to_write_data() {
    plugin!(Plugin, "definitions");
    let host = load::<Plugin>(full(), size_of::<Callbacks>());
    let expected = "(RegionHandle(105), CallingContextHandle(205)) \
        (Some(\"five\"), MetricValueType(105), MetricProfilingType(205), MetricMode(305), MetricSourceType(405)) \
        (Some(\"five\"), ParadigmClass(105), ParadigmType(205)) \
        (Some(\"five\"), ParameterType(105)) \
        (Some(105), (Some(\"five\"), Some(\"five\"), Some(\"five\")), (Some(205), Some(305)), \
        (RegionType(405), ParadigmType(505))) \
        ((2, [MetricHandle(11), MetricHandle(12)]), (MetricOccurrence(105), true), \
        (MetricScope(205), SamplingSetClass(305))) \
        (Some(\"five\"), Some(\"five\"))";
    assert_eq!(answers(host, 5), expected);
    assert_eq!(answers(host, 0), NEUTRAL, "no definition");
    assert_eq!(host.region_file_name(handle!(RegionHandle, 6)), None, "the host may give no name");

    // SAFETY: called as the interface says.
    unsafe { glue::info::<Plugin>().write_data.expect("there")() };
    assert_eq!(answers(host, 5), NEUTRAL, "definitions are gone");
}

#[test]
fn locations() {
    plugin!(Plugin, "locations");
    let host = load::<Plugin>(full(), size_of::<Callbacks>());
    let here = location();
    let mut value = 0_u32;
    assert_eq!(host.location_type(here), LocationType(0x41));
    assert_eq!(host.location_name(here), Some(c"Master thread"));
    assert_eq!(host.location_id(here), Some(0x41));
    assert_eq!(host.location_global_id(here), None, "a host would end the program before init_mpp");
    assert!(!host.set_location_data(here, &raw mut value), "no id before assign_id");
    assert!(host.location_data::<u32>(here).is_null());

    reach_init_mpp::<Plugin>();
    assert_eq!(host.location_global_id(here), Some(0x41 << 32));
    assert!(host.set_location_data(here, &raw mut value));
    assert_eq!(host.location_data::<u32>(here), &raw mut value);

    // SAFETY: called as the interface says.
    unsafe { glue::info::<Plugin>().write_data.expect("there")() };
    assert_eq!(host.location_type(here), LocationType::INVALID);
    assert_eq!(host.location_name(here), None);
    assert_eq!(host.location_id(here), None);
    assert_eq!(host.location_global_id(here), None);
    assert_eq!(host.location_data::<u32>(here), &raw mut value, "data stay until delete_location");
}

#[test]
fn communication() {
    plugin!(Plugin, "communication");
    let _alone = LOG.lock().expect("no panic before");
    let host = load::<Plugin>(full(), size_of::<Callbacks>());
    assert_eq!(host.ipc_rank(), Err(IpcError::Unavailable), "before init_mpp");
    reach_init_mpp::<Plugin>();
    assert_eq!((host.ipc_size(), host.ipc_rank()), (Ok(4), Ok(1)));

    let mut two = [0_u32; 2];
    let mut eight = [0_u32; 8];
    host.ipc_barrier().expect("barrier");
    host.ipc_send(&[1_u32, 2], 3).expect("send");
    host.ipc_recv(&mut two, 0).expect("recv");
    assert_eq!(two, [42, 0]);
    host.ipc_bcast(&mut two, 0).expect("bcast");
    host.ipc_gather(&[1_u32, 2], &mut eight, 1).expect("gather on the root");
    host.ipc_gather(&[1_u32, 2], &mut [], 0).expect("gather elsewhere");
    host.ipc_gatherv(&[1_u32, 2], &mut eight, &[1, 2, 0, 5], 1).expect("gatherv on the root");
    host.ipc_gatherv(&[1_u32, 2], &mut [], &[], 2).expect("gatherv elsewhere");
    host.ipc_allgather(&[1_u32, 2], &mut eight).expect("allgather");
    host.ipc_reduce(&[1_u32, 2], &mut two, IpcOperation::SUM, 1).expect("reduce");
    host.ipc_allreduce(&[1_u32, 2], &mut two, IpcOperation::MAX).expect("allreduce");
    host.ipc_scatter(&eight, &mut two, 1).expect("scatter on the root");
    host.ipc_scatter(&[], &mut two, 0).expect("scatter elsewhere");
    host.ipc_scatterv(&eight, &[1, 2, 0, 5], &mut two, 1).expect("scatterv on the root");
    host.ipc_scatterv(&[], &[], &mut two, 0).expect("scatterv elsewhere");
    assert_eq!(
        calls(),
        [
            "barrier()",
            "send([1, 2], 6, 3)",
            "recv(2, 6, 0)",
            "bcast([42, 0], 6, 0)",
            "gather([1, 2], false, 6, 1)",
            "gather([1, 2], true, 6, 0)",
            "gatherv([1, 2], false, [1, 2, 0, 5], 6, 1)",
            "gatherv([1, 2], true, [], 6, 2)",
            "allgather([1, 2], false, 6)",
            "reduce([1, 2], false, 6, 4, 1)",
            "allreduce([1, 2], false, 6, 3)",
            "scatter(false, false, 2, 6, 1)",
            "scatter(true, false, 2, 6, 0)",
            "scatterv(false, [1, 2, 0, 5], false, 2, 6, 1)",
            "scatterv(true, [], false, 2, 6, 0)",
        ]
    );

    let length = |needed, given| Err(IpcError::Length { needed, given });
    assert_eq!(host.ipc_send(&[1_u32], 2), Err(IpcError::Failed(77)));
    calls();
    assert_eq!(host.ipc_send(&[1_u32], 4), Err(IpcError::Rank(4)));
    assert_eq!(host.ipc_recv(&mut two, -1), Err(IpcError::Rank(-1)));
    assert_eq!(host.ipc_bcast(&mut two, 4), Err(IpcError::Rank(4)));
    assert_eq!(host.ipc_gather(&[1_u32, 2], &mut two, 1), length(8, 2));
    assert_eq!(host.ipc_gatherv(&[1_u32, 2], &mut eight, &[1, 2], 1), length(4, 2));
    assert_eq!(host.ipc_gatherv(&[1_u32, 2], &mut eight, &[1, 2, 1, 1], 1), length(5, 8));
    assert_eq!(host.ipc_gatherv(&[1_u32], &mut eight, &[1, 2, 0, 5], 1), length(2, 1));
    assert_eq!(host.ipc_gatherv(&[1_u32, 2], &mut eight, &[1, 2, 6, -1], 1), Err(IpcError::Count));
    assert_eq!(host.ipc_allgather(&[1_u32, 2], &mut two), length(8, 2));
    assert_eq!(host.ipc_allreduce(&[1_u32], &mut two, IpcOperation::MIN), length(1, 2));
    assert_eq!(host.ipc_reduce(&[1_u32], &mut two, IpcOperation::MIN, 1), length(1, 2));
    assert_eq!(host.ipc_scatter(&[1_u32], &mut two, 1), length(8, 1));
    assert_eq!(host.ipc_scatterv(&eight, &[8, 0, 0, 0], &mut two, 1), length(0, 2));
    assert_eq!(calls(), [""; 0], "nothing of this reaches the host");

    // SAFETY: called as the interface says.
    unsafe { glue::info::<Plugin>().finalize.expect("there")() };
    assert_eq!(host.ipc_barrier(), Err(IpcError::Unavailable), "after finalize");
}

#[test]
fn every_element_type_has_its_datatype() {
    plugin!(Plugin, "datatypes");
    let _alone = LOG.lock().expect("no panic before");
    let host = load::<Plugin>(full(), size_of::<Callbacks>());
    reach_init_mpp::<Plugin>();
    host.ipc_recv(&mut [0_u8; 8], 0).expect("recv");
    host.ipc_recv(&mut [0_i32; 2], 0).expect("recv");
    host.ipc_recv(&mut [0_u32; 2], 0).expect("recv");
    host.ipc_recv(&mut [0_i64; 1], 0).expect("recv");
    host.ipc_recv(&mut [0_u64; 1], 0).expect("recv");
    host.ipc_recv(&mut [0_f64; 1], 0).expect("recv");
    let expected = [
        "recv(8, 0, 0)",
        "recv(2, 5, 0)",
        "recv(2, 6, 0)",
        "recv(1, 7, 0)",
        "recv(1, 8, 0)",
        "recv(1, 9, 0)",
    ];
    assert_eq!(calls(), expected);
}

#[test]
fn metrics_reach_the_closure() {
    plugin!(Plugin, "metrics");
    let host = load::<Plugin>(full(), size_of::<Callbacks>());
    let mut seen = Vec::new();
    let mut write = |location: Location, time: Timestamp, set: SamplingSetHandle, values: &[u64]| {
        seen.push((location.address(), time, set.raw(), values.to_vec()));
    };
    host.write_strictly_synchronous_metrics(location(), 500, &mut write);
    host.write_synchronous_metrics(location(), 600, &mut write);
    host.write_asynchronous_metrics(location(), &mut write);
    let expected = [500, 600, 1000].map(|time| {
        let values = vec![time + 1, time + 2];
        [(0x40, time, 21, values.clone()), (0x40, time + 10, 23, values)]
    });
    assert_eq!(seen, expected.concat());
}

/// A sample may interrupt an event whose metrics are being written.
#[test]
fn metrics_inside_metrics() {
    plugin!(Plugin, "nested");
    let host = load::<Plugin>(full(), size_of::<Callbacks>());
    let (mut outer, mut inner) = (0, 0);
    host.write_synchronous_metrics(location(), 1, &mut |_, _, _, _| {
        outer += 1;
        host.write_synchronous_metrics(location(), 2, &mut |_, _, _, _| inner += 1);
    });
    assert_eq!((outer, inner), (2, 4));
}

/// More threads at the same time than there are C functions for it.
#[test]
fn metrics_of_many_threads() {
    plugin!(Plugin, "threads");
    let host = load::<Plugin>(full(), size_of::<Callbacks>());
    std::thread::scope(|scope| {
        for thread in 0..100_u64 {
            scope.spawn(move || {
                for round in 0..50 {
                    let mut seen = Vec::new();
                    let time = thread * 1000 + round;
                    host.write_synchronous_metrics(location(), time, &mut |_, at, _, values| {
                        std::thread::yield_now();
                        seen.push((at, values[0]));
                    });
                    assert_eq!(seen, [(time, time + 1), (time + 10, time + 1)]);
                }
            });
        }
    });
}

#[test]
fn a_panic_in_the_closure_passes_the_host() {
    plugin!(Plugin, "panics");
    let host = load::<Plugin>(full(), size_of::<Callbacks>());
    let mut calls = 0;
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        host.write_synchronous_metrics(location(), 1, &mut |_, _, _, _| {
            calls += 1;
            std::panic::resume_unwind(Box::new("thrown"));
        });
    }));
    assert_eq!(result.expect_err("it goes on").downcast_ref(), Some(&"thrown"));
    assert_eq!(calls, 1, "nothing is delivered after it");
}

#[test]
fn manifest() {
    plugin!(Plugin, "manifest");
    let _alone = LOG.lock().expect("no panic before");
    load::<Plugin>(full(), size_of::<Callbacks>());
    let dump = glue::info::<Plugin>().dump_manifest.expect("there");
    // SAFETY: the host above does not use the stream.
    unsafe {
        dump(ptr::without_provenance_mut(9), c"source".as_ptr(), c"target".as_ptr());
        dump(ptr::null_mut(), c"source".as_ptr(), c"target".as_ptr());
    }
    assert_eq!(calls(), [r#"section(9, "Title")"#, r#"entry(9, "file", "%s", "100 % of it")"#]);
}

/// Everything that can be asked gives its neutral value.
fn assert_mute(host: Host) {
    assert_eq!(host.experiment_dir(), None);
    assert_eq!(answers(host, 5), NEUTRAL);
    let here = location();
    assert_eq!((host.location_type(here), host.location_name(here)), (LocationType::INVALID, None));
    assert_eq!((host.location_id(here), host.location_global_id(here)), (None, None));
    assert!(!host.set_location_data(here, ptr::null_mut::<u8>()) && host.location_data::<u8>(here).is_null());
    let mut part = [0_u32];
    let mut all = [0_u32; 4];
    let sum = IpcOperation::SUM;
    let results = [
        host.ipc_size().map(drop),
        host.ipc_rank().map(drop),
        host.ipc_barrier(),
        host.ipc_send(&part, 0),
        host.ipc_recv(&mut part, 0),
        host.ipc_bcast(&mut part, 0),
        host.ipc_gather(&part, &mut all, 0),
        host.ipc_gatherv(&part, &mut all, &[1, 1, 1, 1], 0),
        host.ipc_allgather(&part, &mut all),
        host.ipc_reduce(&part.clone(), &mut part, sum, 0),
        host.ipc_allreduce(&part.clone(), &mut part, sum),
        host.ipc_scatter(&all, &mut part, 0),
        host.ipc_scatterv(&all, &[1, 1, 1, 1], &mut part, 0),
    ];
    assert_eq!(results, [Err(IpcError::Unavailable); 13]);
    let mut never =
        |_: Location, _: Timestamp, _: SamplingSetHandle, _: &[u64]| panic!("there are no metrics");
    host.write_strictly_synchronous_metrics(here, 1, &mut never);
    host.write_synchronous_metrics(here, 1, &mut never);
    host.write_asynchronous_metrics(here, &mut never);
}

#[test]
fn a_host_that_has_nothing() {
    plugin!(Plugin, "nothing");
    assert_mute(Host::of::<Plugin>());
    // SAFETY: null function pointers are `None`.
    let empty: &'static Callbacks = Box::leak(Box::new(unsafe { std::mem::zeroed() }));
    let host = load::<Plugin>(empty, size_of::<Callbacks>());
    reach_init_mpp::<Plugin>();
    assert_mute(host);
    give::<Plugin>(full(), 0);
    assert_mute(host);
    // SAFETY: a faulty host may pass null.
    unsafe { glue::info::<Plugin>().set_callbacks.expect("there")(ptr::null(), size_of::<Callbacks>()) };
    assert_mute(host);
}

/// A table that ends earlier: exactly the functions that are in it can be used.
#[test]
fn short_tables() {
    plugin!(Plugin, "short");
    let at = std::mem::offset_of!(Callbacks, SCOREP_RegionHandle_GetName);
    let region = handle!(RegionHandle, 5);
    let table = full();
    load::<Plugin>(table, 0);
    for size in 0..=size_of::<Callbacks>() {
        let host = give::<Plugin>(table, size);
        assert_eq!(host.experiment_dir().is_some(), size >= 8, "{size} bytes");
        assert_eq!(host.region_name(region).is_some(), size >= at + 8, "{size} bytes");
        assert_eq!(host.string(handle!(StringHandle, 5)).is_some(), size >= 48 * 8, "{size} bytes");
    }
}

#[test]
fn a_longer_table_of_a_host_to_come() {
    plugin!(Plugin, "long");
    let host = load::<Plugin>(full(), size_of::<Callbacks>() + 80);
    assert_eq!(host.experiment_dir(), Some(c"/experiment"));
}
