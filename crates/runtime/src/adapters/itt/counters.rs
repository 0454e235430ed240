//! The counters of a program: metrics with a value after each change.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kymo_substrate::bindings::{
    SCOREP_METRIC_VALUE_DOUBLE, SCOREP_METRIC_VALUE_INT64, SCOREP_METRIC_VALUE_UINT64,
};

use super::ITT;
use super::metadata::IttNumber;
use super::objects::IttText;
use crate::adapter::MetricDefinition;
use crate::adapters::annotations::text;
use crate::address_table::{AddressTable, UNKNOWN};
use crate::measurement::{self, Counter, Here};
use crate::processes::may_allocate;

/// A counter that a static part has made (`__itt_counter_info_t`), or the handle of one of ours.
#[derive(Debug)]
#[repr(C)]
pub(super) struct IttCounter {
    name: IttText,
    domain: IttText,
    kind: c_int,
}

// SAFETY: the pointers lead to memory that lives forever, and that no thread changes.
unsafe impl Sync for IttCounter {}

/// The type of counters without one: 64 bits without a sign.
pub(super) const UNTYPED: c_int = 1;

/// A counter with its metric.
#[derive(Debug)]
struct CounterMetric {
    counter: Counter,
    kind: c_int,
    /// The bits of its value.
    value: AtomicU64,
}

/// The metrics by the addresses of the program's counters.
static METRICS: AddressTable = AddressTable::new();

/// The counters that were made here, by their names and domains.
type MadeCounters = BTreeMap<[Box<[u8]>; 2], &'static IttCounter>;

/// Counters are made, and metrics are defined, under this lock.
static MADE: Mutex<MadeCounters> = Mutex::new(BTreeMap::new());

pub(super) type IttCountersHold = (MutexGuard<'static, MadeCounters>, MutexGuard<'static, usize>);

pub(super) fn hold() -> IttCountersHold {
    (made(), METRICS.hold())
}

fn made() -> MutexGuard<'static, MadeCounters> {
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl IttCounter {
    /// Makes the counter of a name in a domain, the same one for the same names. Null if it cannot
    /// be made now.
    pub(super) fn create(name: &[u8], domain: &[u8], kind: c_int) -> *const Self {
        let mut counter = ptr::null();
        ITT.record(|_| {
            if may_allocate() {
                let new = || {
                    let [name, domain] = [name, domain].map(IttText::kept);
                    &*Box::leak(Box::new(Self { name, domain, kind }))
                };
                counter = *made().entry([name.into(), domain.into()]).or_insert_with(new);
            }
        });
        counter
    }

    /// Returns the metric, which is defined if it is new.
    fn metric(&self) -> Option<&'static CounterMetric> {
        self.known_metric().or_else(|| self.define())
    }

    fn known_metric(&self) -> Option<&'static CounterMetric> {
        let address = METRICS.get(ptr::from_ref(self).addr());
        // SAFETY: the table has addresses of such objects, which are never freed.
        (address != UNKNOWN).then(|| unsafe { &*ptr::with_exposed_provenance(address as usize) })
    }

    #[cold]
    fn define(&self) -> Option<&'static CounterMetric> {
        if !may_allocate() {
            return None;
        }
        let _defining = made();
        let known = self.known_metric();
        if known.is_some() {
            return known;
        }
        let value_type = match self.kind {
            2 | 4 | 6 => SCOREP_METRIC_VALUE_INT64,
            7 | 8 => SCOREP_METRIC_VALUE_DOUBLE,
            _ => SCOREP_METRIC_VALUE_UINT64,
        };
        let [name, domain] = [&self.name, &self.domain].map(|it| it.with(|it| text::valid(it).into_owned()));
        let mut metric = MetricDefinition::of_program(name, String::new(), value_type);
        metric.description = format!("ITT counter of domain '{domain}'");
        let counter = measurement::define_counter(&metric);
        let new = Box::leak(Box::new(CounterMetric { counter, kind: self.kind, value: AtomicU64::new(0) }));
        METRICS.set(ptr::from_ref(self).addr(), ptr::from_mut(new).expose_provenance() as u64);
        Some(new)
    }
}

impl CounterMetric {
    fn is_float(&self) -> bool {
        matches!(self.kind, 7 | 8)
    }

    /// Sets the value, and records it.
    fn set(&self, here: &Here, value: IttNumber) {
        let bits = match value {
            IttNumber::Unsigned(value) => value,
            IttNumber::Signed(value) => value.cast_unsigned(),
            IttNumber::Float(value) => value.to_bits(),
        };
        self.value.store(bits, Relaxed);
        self.record(here, bits);
    }

    /// Adds a number to the value, and records it.
    fn add(&self, here: &Here, delta: i64) {
        let changed = |bits: u64| match self.is_float() {
            true => (f64::from_bits(bits) + delta as f64).to_bits(),
            false => bits.wrapping_add_signed(delta),
        };
        let before = self.value.fetch_update(Relaxed, Relaxed, |bits| Some(changed(bits)));
        if let Ok(before) = before {
            self.record(here, changed(before));
        }
    }

    fn record(&self, here: &Here, bits: u64) {
        match self.kind {
            2 | 4 | 6 => here.counter_i64(self.counter, bits.cast_signed()),
            7 | 8 => here.counter_f64(self.counter, f64::from_bits(bits)),
            _ => here.counter_u64(self.counter, bits),
        }
    }
}

/// Adds a number to a counter.
///
/// # Safety
///
/// Null, or a counter of the program, which lives forever.
pub(super) unsafe fn add(counter: *const IttCounter, delta: i64) {
    // SAFETY: null, or a counter that lives forever.
    let Some(counter) = (unsafe { counter.as_ref() }) else { return };
    ITT.record(|here| {
        if let Some(metric) = counter.metric() {
            metric.add(here, delta);
        }
    });
}

/// Sets a counter to a value.
///
/// # Safety
///
/// Null, or a counter of the program, which lives forever, and a value of its type.
pub(super) unsafe fn set(counter: *const IttCounter, value: *const c_void) {
    // SAFETY: null, or a counter that lives forever.
    let Some(counter) = (unsafe { counter.as_ref() }) else { return };
    // SAFETY: the value has the type of the counter.
    let Some(value) = (unsafe { IttNumber::read(counter.kind, value, 0) }) else { return };
    ITT.record(|here| {
        if let Some(metric) = counter.metric() {
            metric.set(here, value);
        }
    });
}

/// Makes a counter with texts of the program.
///
/// # Safety
///
/// Null, or strings that end with 0.
pub(super) unsafe fn create(name: *const c_char, domain: *const c_char, kind: c_int) -> *const IttCounter {
    // SAFETY: null, or strings that end with 0.
    let [name, domain] = [name, domain].map(|it| unsafe { text::bytes(it) }.unwrap_or_default());
    IttCounter::create(name, domain, kind)
}
