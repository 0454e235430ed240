//! Tests of the functions that a host provides to a plugin: all entries of the callback table, with
//! a host written here.

mod callbacks;
mod communication;
mod lacking;
mod metrics;

use std::error::Error;
use std::ptr;

use self::callbacks::{calls, exclusive, full};
use kymo_substrate::bindings::SCOREP_SubstratePluginCallbacks as Callbacks;
use kymo_substrate::glue::{self, Export};
use kymo_substrate::*;

/// Declares a plugin for one test, so that the state of its host is independent of other tests.
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
use plugin;

/// Initialises a plugin and passes it the first `size` bytes of a table.
fn load<P: Export>(table: &'static Callbacks, size: usize) -> Host {
    // SAFETY: the function has no arguments and is called before the others.
    unsafe { glue::info::<P>().init.expect("the function")() };
    // Remove the plugin's hook, which prints only one line of the first panic, so that failing
    // tests print everything.
    drop(std::panic::take_hook());
    give::<P>(table, size)
}

/// Passes a plugin the first `size` bytes of a table.
fn give<P: Export>(table: &'static Callbacks, size: usize) -> Host {
    // SAFETY: the table is static. The plugin reads no bytes after its end, even if `size` is
    // larger.
    unsafe { glue::info::<P>().set_callbacks.expect("the function")(table, size) };
    Host::of::<P>()
}

/// Makes the host of `P` assign an id and call `init_mpp`.
fn reach_init_mpp<P: Export>() {
    let info = glue::info::<P>();
    // SAFETY: the plugin is initialised. The first function takes any number, the second one has no
    // arguments.
    unsafe {
        info.assign_id.expect("the function")(3);
        info.init_mpp.expect("the function")();
    }
}

/// A handle of this test's host, for which any number is valid.
macro_rules! handle {
    ($kind:ident, $raw:expr) => {
        // SAFETY: the host in `callbacks` follows no handle.
        unsafe { $kind::from_raw($raw) }
    };
}
use handle;

fn location() -> Location {
    // SAFETY: the host in `callbacks` follows no location.
    unsafe { Location::from_raw(ptr::without_provenance(0x40)) }.expect("not null")
}

/// The results of all getters that require no rank, as text.
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

/// The result of [`answers`] if every getter returns its neutral value.
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
    assert_eq!(host.region_file_name(handle!(RegionHandle, 6)), None, "the host may return no name");

    // SAFETY: the plugin is initialised, and the function has no arguments.
    unsafe { glue::info::<Plugin>().write_data.expect("the function")() };
    assert_eq!(answers(host, 5), NEUTRAL, "definitions no longer exist");
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

    // SAFETY: the plugin is initialised, and the function has no arguments.
    unsafe { glue::info::<Plugin>().write_data.expect("the function")() };
    assert_eq!(host.location_type(here), LocationType::INVALID);
    assert_eq!(host.location_name(here), None);
    assert_eq!(host.location_id(here), None);
    assert_eq!(host.location_global_id(here), None);
    assert_eq!(host.location_data::<u32>(here), &raw mut value, "data stay until delete_location");
}

#[test]
fn manifest() {
    plugin!(Plugin, "manifest");
    let _guard = exclusive();
    load::<Plugin>(full(), size_of::<Callbacks>());
    let dump = glue::info::<Plugin>().dump_manifest.expect("the function");
    // SAFETY: the host in `callbacks` does not use the stream.
    unsafe {
        dump(ptr::without_provenance_mut(9), c"source".as_ptr(), c"target".as_ptr());
        dump(ptr::null_mut(), c"source".as_ptr(), c"target".as_ptr());
    }
    assert_eq!(calls(), [r#"section(9, "Title")"#, r#"entry(9, "file", "%s", "100 % of it")"#]);
}
