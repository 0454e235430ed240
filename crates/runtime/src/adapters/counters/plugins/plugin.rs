//! A metric plugin: how it is loaded, and its metrics.

use std::ffi::{CStr, CString, c_char};

use kymo_substrate::bindings::{SCOREP_METRIC_PROFILING_TYPE_INCLUSIVE, SCOREP_METRIC_SOURCE_TYPE_PLUGIN};

use super::interface::{
    ASYNCHRONOUS, ASYNCHRONOUS_AT_EVENTS, GetInfo, Info, ONCE, PER_HOST, PER_PROCESS, PER_THREAD, Properties,
    STRICTLY_SYNCHRONOUS, SYNCHRONOUS, VERSION,
};
use crate::adapter::{MetricDefinition, Scope};
use crate::host::host;
use crate::message::report;
use crate::plugins::Library;

/// A loaded plugin with at least one metric. It stays loaded.
pub(super) struct Plugin {
    pub(super) name: String,
    pub(super) info: Info,
    pub(super) scope: Scope,
    pub(super) metrics: Vec<Metric>,
}

/// A metric of a plugin.
#[derive(Debug)]
pub(super) struct Metric {
    pub(super) name: CString,
    pub(super) definition: MetricDefinition,
}

impl Plugin {
    /// Loads the plugin with this name, and finds the metrics that the user asks for. A copy has
    /// no state of a parent process.
    pub(super) fn load(name: &str, wanted: &[String], is_copy: bool) -> Result<Self, String> {
        if wanted.is_empty() {
            return Err(format!("SCOREP_METRIC_{} names no metrics", name.to_ascii_uppercase()));
        }
        let library = Library::open(&format!("lib{name}.so"), is_copy)?;
        // SAFETY: the interface specifies the type of the symbol.
        let get_info =
            unsafe { library.function::<GetInfo>(&format!("SCOREP_MetricPlugin_{name}_get_info")) }?;
        // SAFETY: the function takes no arguments.
        let info = unsafe { get_info() };
        if info.version > VERSION {
            let version = info.version;
            report(format_args!(
                "warning: the metric plugin `{name}` was built for version {version} of the interface; \
                     this host supports version {VERSION}"
            ));
        }
        let scope = scope(&info)?;
        if let Some(lacking) = lacking(&info) {
            return Err(format!("it has no function {lacking}"));
        }
        if let Some(set_clock) = info.set_clock_function {
            // SAFETY: a function of the plugin, called at the point that the interface specifies.
            unsafe { set_clock(now) };
        }
        // SAFETY: as above.
        let result = info.initialize.map_or(0, |initialize| unsafe { initialize() });
        if result != 0 {
            return Err(format!("its initialize returned {result}"));
        }
        let metrics = metrics(name, &info, wanted);
        if metrics.is_empty() {
            if let Some(finalize) = info.finalize {
                // SAFETY: as above.
                unsafe { finalize() };
            }
            return Err("it has none of the metrics".to_owned());
        }
        Ok(Self { name: name.to_owned(), info, scope, metrics })
    }

    pub(super) fn is_asynchronous(&self) -> bool {
        [ASYNCHRONOUS, ASYNCHRONOUS_AT_EVENTS].contains(&self.info.synchronicity)
    }

    /// Begins to measure a metric for the calling thread; returns its number.
    pub(super) fn add(&self, metric: &Metric) -> Option<i32> {
        let add = self.info.add_counter?;
        // SAFETY: a function of the plugin, with the name of a metric that it defined.
        let id = unsafe { add(metric.name.as_ptr().cast_mut()) };
        if id < 0 {
            let (plugin, metric) = (&self.name, &metric.definition.name);
            report(format_args!("the metric plugin `{plugin}` cannot measure {metric}; it has no values"));
        }
        (id >= 0).then_some(id)
    }
}

/// The clock, for plugins.
extern "C" fn now() -> u64 {
    host().map_or(0, |host| host.clock.now())
}

fn scope(info: &Info) -> Result<Scope, String> {
    let scope = match (info.synchronicity, info.run_per) {
        (STRICTLY_SYNCHRONOUS, PER_THREAD) => Some(Scope::Strict),
        (STRICTLY_SYNCHRONOUS, _) => {
            return Err("it is strictly synchronous, but does not measure each thread".to_owned());
        }
        (SYNCHRONOUS | ASYNCHRONOUS | ASYNCHRONOUS_AT_EVENTS, run_per) => match run_per {
            PER_THREAD => Some(Scope::Thread),
            PER_PROCESS => Some(Scope::Process),
            PER_HOST => Some(Scope::Host),
            ONCE => Some(Scope::Job),
            _ => None,
        },
        _ => None,
    };
    scope.ok_or_else(|| {
        let (run_per, synchronicity) = (info.run_per, info.synchronicity);
        format!("there are no plugins of kind {synchronicity} that run per {run_per}")
    })
}

/// Returns a function that the plugin must have and has not.
fn lacking(info: &Info) -> Option<&'static str> {
    let of_kind = match info.synchronicity {
        STRICTLY_SYNCHRONOUS => [("get_current_value", info.get_current_value.is_some()), ("", true)],
        SYNCHRONOUS => [("get_optional_value", info.get_optional_value.is_some()), ("", true)],
        _ => [
            ("get_all_values", info.get_all_values.is_some()),
            ("set_clock_function", info.set_clock_function.is_some()),
        ],
    };
    let of_all = [
        ("initialize", info.initialize.is_some()),
        ("finalize", info.finalize.is_some()),
        ("get_event_info", info.get_event_info.is_some()),
        ("add_counter", info.add_counter.is_some()),
    ];
    of_all.into_iter().chain(of_kind).find(|(_, is_there)| !is_there).map(|(name, _)| name)
}

fn metrics(plugin: &str, info: &Info, wanted: &[String]) -> Vec<Metric> {
    let mut all = Vec::new();
    for name in wanted {
        let found = CString::new(name.as_str()).map_or(Vec::new(), |name| expand(info, &name));
        if found.is_empty() {
            report(format_args!("the metric plugin `{plugin}` has no metric {name}"));
        }
        all.extend(found);
    }
    all
}

/// Returns the metrics that a name stands for. The plugin's list is copied and never freed, since a
/// plugin may still use it.
fn expand(info: &Info, name: &CStr) -> Vec<Metric> {
    let Some(get) = info.get_event_info else { return Vec::new() };
    // SAFETY: a function of the plugin, called at the point that the interface specifies.
    let list = unsafe { get(name.as_ptr().cast_mut()) };
    let mut metrics = Vec::new();
    // SAFETY: null, or a list that ends with a null name.
    while let Some(properties) = unsafe { list.wrapping_add(metrics.len()).as_ref() } {
        let Some(name) = take(properties.name) else { break };
        metrics.push(Metric { definition: definition(properties, &name), name });
    }
    metrics
}

fn definition(properties: &Properties, name: &CStr) -> MetricDefinition {
    let text = |text: &CStr| text.to_string_lossy().into_owned();
    MetricDefinition {
        name: text(name),
        description: take(properties.description).map_or(String::new(), |it| text(&it)),
        unit: take(properties.unit).map_or("#".to_owned(), |it| text(&it)),
        source: SCOREP_METRIC_SOURCE_TYPE_PLUGIN,
        mode: properties.mode,
        value_type: properties.value_type,
        base: properties.base,
        exponent: properties.exponent,
        profiling: SCOREP_METRIC_PROFILING_TYPE_INCLUSIVE,
    }
}

/// Copies a string of a plugin; `None` for null.
fn take(text: *mut c_char) -> Option<CString> {
    // SAFETY: null, or a C string, as the interface requires.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_owned())
}
