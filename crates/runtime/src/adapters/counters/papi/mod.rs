//! Counters of PAPI (`SCOREP_METRIC_PAPI`), read by the thread that they count, and those that the
//! first thread reads for the process (`SCOREP_METRIC_PAPI_PER_PROCESS`).
//!
//! PAPI has events of the processor, and components for other sources, such as the network or the
//! energy. A thread has one event set for each component, as PAPI allows. Invariant: PAPI is called
//! only while a measurement begins, while a thread begins or ends, and to read an event set.

mod library;

use std::cell::Cell;
use std::ffi::{CString, c_int};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering::*};

use kymo_substrate::bindings::{
    SCOREP_METRIC_MODE_ABSOLUTE_NEXT, SCOREP_METRIC_SOURCE_TYPE_PAPI, SCOREP_METRIC_VALUE_DOUBLE,
    SCOREP_METRIC_VALUE_INT64, SCOREP_METRIC_VALUE_UINT64,
};

use self::library::{ABSOLUTE, FLOATING, Functions, Info, UNSIGNED};
use super::counted;
use crate::adapter::{MetricDefinition, Metrics, Missing, Scope};
use crate::host::{generation, host};
use crate::locations::Location;
use crate::message::report;
use crate::settings::Settings;

const VARIABLE: &str = "SCOREP_METRIC_PAPI";
const OF_PROCESS: &str = "SCOREP_METRIC_PAPI_PER_PROCESS";
/// As many as Score-P allows, for threads and for the process.
const MOST: usize = 20;

/// PAPI, and the events that the user asks for.
#[derive(Debug)]
struct Papi {
    functions: Functions,
    events: Vec<PapiEvent>,
}

#[derive(Debug)]
struct PapiEvent {
    name: CString,
    scope: Scope,
    component: c_int,
    definition: MetricDefinition,
    /// A signal handler may read it.
    is_for_handlers: bool,
}

/// Null before PAPI is loaded, and without it.
static PAPI: AtomicPtr<Papi> = AtomicPtr::new(ptr::null_mut());

fn papi() -> Option<&'static Papi> {
    // SAFETY: null, or an object that is never freed.
    unsafe { PAPI.load(Acquire).as_ref() }
}

/// Returns whether the settings ask for events.
pub(super) fn prepare(settings: &Settings) -> bool {
    !(settings.papi.is_empty() && settings.papi_of_process.is_empty())
}

/// Loads PAPI, and finds the events. Missing events are reported in one line, as is a missing
/// library.
pub(super) fn load() {
    let Some(settings) = host().map(|host| &host.settings).filter(|settings| prepare(settings)) else {
        return;
    };
    let first = if settings.papi.is_empty() { OF_PROCESS } else { VARIABLE };
    match Functions::load(generation() > 0) {
        Err(why) => report(format_args!("{first}: nothing is counted: {why}")),
        Ok(functions) => {
            let mut events = choose(&functions, VARIABLE, Scope::Strict, &settings.papi);
            events.extend(choose(&functions, OF_PROCESS, Scope::Process, &settings.papi_of_process));
            PAPI.store(Box::into_raw(Box::new(Papi { functions, events })), Release);
        }
    }
}

fn choose(functions: &Functions, variable: &str, scope: Scope, names: &[String]) -> Vec<PapiEvent> {
    let (mut events, mut failed) = (Vec::new(), Vec::new());
    for name in names.iter().take(MOST) {
        match PapiEvent::find(functions, name, scope) {
            Ok(event) => events.push(event),
            Err(why) => failed.push(format!("{name} ({why})")),
        }
    }
    if !failed.is_empty() {
        report(format_args!(
            "{variable}: PAPI cannot count {} here; papi_avail and papi_native_avail list what it can",
            failed.join(", ")
        ));
    }
    events
}

impl PapiEvent {
    /// Finds an event and adds it to a set as a trial.
    fn find(functions: &Functions, name: &str, scope: Scope) -> Result<Self, String> {
        let text = CString::new(name).map_err(|error| error.to_string())?;
        let info = functions.info(&text)?;
        let set = Set::new(functions)?;
        let added = set.add(functions, &text);
        set.destroy(functions);
        added?;
        let component = info.component;
        let is_for_handlers = functions.component(component).starts_with("perf_event");
        Ok(Self { definition: definition(name, &info), name: text, scope, component, is_for_handlers })
    }
}

fn definition(name: &str, info: &Info) -> MetricDefinition {
    let counted = counted(name, &text(&info.short_description), SCOREP_METRIC_SOURCE_TYPE_PAPI);
    let unit = text(&info.unit);
    MetricDefinition {
        unit: if unit.is_empty() { counted.unit } else { unit },
        mode: if info.value_type == ABSOLUTE { SCOREP_METRIC_MODE_ABSOLUTE_NEXT } else { counted.mode },
        value_type: match info.data_type {
            FLOATING => SCOREP_METRIC_VALUE_DOUBLE,
            UNSIGNED => SCOREP_METRIC_VALUE_UINT64,
            // Score-P has no signed ones: a count is not negative.
            _ if info.value_type != ABSOLUTE => SCOREP_METRIC_VALUE_UINT64,
            _ => SCOREP_METRIC_VALUE_INT64,
        },
        ..counted
    }
}

/// Returns the text up to its first zero byte.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.split(|&byte| byte == 0).next().unwrap_or_default()).into_owned()
}

pub(super) fn metrics() -> Vec<Metrics> {
    let of_scope = |scope: Scope| {
        let events =
            papi().into_iter().flat_map(|papi| &papi.events).filter(move |event| event.scope == scope);
        let is_for_handlers = events.clone().all(|event| event.is_for_handlers);
        Metrics {
            scope,
            metrics: events.map(|event| event.definition.clone()).collect(),
            read,
            is_for_handlers,
        }
    };
    [Scope::Strict, Scope::Process].map(of_scope).into()
}

/// The event sets of a thread. Only the thread uses them.
#[derive(Debug, Default)]
pub(super) struct Events {
    sets: Vec<Set>,
}

/// The events of one component.
#[derive(Debug)]
struct Set {
    number: c_int,
    /// The scope of each event, and its place among the values of the scope.
    places: Vec<(Scope, usize)>,
    is_open: Cell<bool>,
}

// SAFETY: as the documentation of `Events` states, one thread uses them.
unsafe impl Sync for Events {}

impl Events {
    /// Begins to count for the calling thread.
    pub(super) fn open(is_first: bool) -> Self {
        let Some(papi) = papi() else { return Self::default() };
        // SAFETY: PAPI is initialised. A thread that cannot be registered has no event sets.
        unsafe { (papi.functions.register_thread)() };
        let mut components: Vec<c_int> = papi.events.iter().map(|event| event.component).collect();
        components.sort_unstable();
        components.dedup();
        let open = |component| match Set::open(papi, component, is_first) {
            Ok(set) => set,
            Err(why) => {
                report_once(&why);
                None
            }
        };
        Self { sets: components.into_iter().filter_map(open).collect() }
    }

    /// Ends counting for the calling thread.
    pub(super) fn close(&self) {
        let Some(papi) = papi().filter(|_| !self.sets.is_empty()) else { return };
        for set in self.sets.iter().filter(|set| set.is_open.replace(false)) {
            let mut values = [0; 2 * MOST];
            // SAFETY: a running set, which has at most that many events.
            unsafe { (papi.functions.stop)(set.number, values.as_mut_ptr()) };
            set.destroy(&papi.functions);
        }
        // SAFETY: the thread has no sets any more.
        unsafe { (papi.functions.unregister_thread)() };
    }
}

impl Set {
    fn new(functions: &Functions) -> Result<Self, String> {
        const NONE: c_int = -1;
        let mut number = NONE;
        // SAFETY: a number that can be written.
        functions.check(unsafe { (functions.create_set)(&raw mut number) })?;
        Ok(Self { number, places: Vec::new(), is_open: Cell::new(false) })
    }

    /// Starts a set with the events of a component; `None` if the thread counts none of them.
    fn open(papi: &Papi, component: c_int, is_first: bool) -> Result<Option<Self>, String> {
        let mut set = Self::new(&papi.functions)?;
        for scope in [Scope::Strict, Scope::Process] {
            let events = papi.events.iter().filter(|event| event.scope == scope).enumerate();
            let is_counted = scope == Scope::Strict || is_first;
            for (place, event) in events.filter(|(_, it)| is_counted && it.component == component) {
                match set.add(&papi.functions, &event.name) {
                    Ok(()) => set.places.push((scope, place)),
                    Err(why) => report_once(&format!("{}: {why}", event.definition.name)),
                }
            }
        }
        // SAFETY: a set of this thread.
        let start = || papi.functions.check(unsafe { (papi.functions.start)(set.number) });
        let started = if set.places.is_empty() { Ok(()) } else { start() };
        if set.places.is_empty() || started.is_err() {
            set.destroy(&papi.functions);
            return started.map(|()| None);
        }
        set.is_open.set(true);
        Ok(Some(set))
    }

    fn add(&self, functions: &Functions, name: &CString) -> Result<(), String> {
        // SAFETY: a set of this thread, and a C string.
        functions.check(unsafe { (functions.add)(self.number, name.as_ptr()) })
    }

    fn destroy(&self, functions: &Functions) {
        let mut number = self.number;
        // SAFETY: a set of this thread that is not running. One that cannot be destroyed is left.
        unsafe {
            (functions.clean_up)(number);
            (functions.destroy)(&raw mut number);
        }
    }

    /// Reads the values of a scope. Those that cannot be read stay as they are.
    fn read(&self, functions: &Functions, scope: Scope, values: &mut [u64]) {
        if !self.is_open.get() || !self.places.iter().any(|place| place.0 == scope) {
            return;
        }
        let mut all = [0; 2 * MOST];
        // SAFETY: a running set of this thread, which has at most that many events.
        if unsafe { (functions.read)(self.number, all.as_mut_ptr()) } < 0 {
            return;
        }
        for (&(_, place), value) in self.places.iter().zip(all).filter(|(place, _)| place.0 == scope) {
            if let Some(own) = values.get_mut(place) {
                *own = value.cast_unsigned();
            }
        }
    }
}

fn report_once(why: &str) {
    static IS_REPORTED: AtomicBool = AtomicBool::new(false);
    if !IS_REPORTED.swap(true, Relaxed) {
        report(format_args!("PAPI does not count everything at the same time: {why}"));
    }
}

/// Reads the values of the calling thread, or of the process.
fn read(location: &'static Location, scope: Scope, values: &mut [u64]) -> Missing {
    if let Some((papi, counters)) = papi().zip(location.counters()) {
        counters.papi.sets.iter().for_each(|set| set.read(&papi.functions, scope, values));
    }
    0
}

/// Forgets PAPI, in a forked child, which loads a copy.
pub(super) fn forget() {
    PAPI.store(ptr::null_mut(), Release);
}
