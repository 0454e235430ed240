//! Metrics of calls: the counts of a metric from enter to leave.
//!
//! Metrics are recorded before enters and leaves, so the last value is that at the event. Like the
//! time of calls, counts while a task is suspended belong to other calls.

use crate::calls::{Call, Inside, Task, Visitor};
use crate::contexts::ContextId;
use crate::trace::{MetricMember, Trace};
use kymo_otf2::enums::Type;
use kymo_otf2::events::{Event, Metric};
use kymo_otf2::references::{MetricMemberRef, MetricRef, RegionRef};
use kymo_otf2::value::MetricValue;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::mem;
use std::ops::AddAssign;

/// A value or a sum of values of a metric. Integers are exact; of floating-point values, so are
/// sums, down to 2⁻⁶⁴, so that they do not depend on the order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Quantity(i128);

/// 2⁶⁴.
const ONE: f64 = 18_446_744_073_709_551_616.0;

impl Quantity {
    pub(crate) fn of(value: MetricValue) -> Self {
        Self(match value.type_ {
            Type::INT64 => (value.bits as i64).into(),
            // Conversions saturate, and NaN becomes 0.
            Type::DOUBLE => (f64::from_bits(value.bits) * ONE) as i128,
            _ => value.bits.into(),
        })
    }

    /// Returns the number, if values of this metric are integers.
    pub fn integer(self, metric: &MetricMember) -> Option<i128> {
        (metric.value_type != Type::DOUBLE).then_some(self.0)
    }

    /// Returns the nearest number for values of this metric.
    pub fn number(self, metric: &MetricMember) -> f64 {
        self.integer(metric).map_or(self.0 as f64 / ONE, |number| number as f64)
    }

    fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl AddAssign for Quantity {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }
}

/// The sums of a metric in a context or region.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricSums {
    /// The counts in calls, with inner calls; 0 for absolute metrics.
    pub inclusive: Quantity,
    /// The counts outside inner calls; 0 for absolute metrics.
    pub exclusive: Quantity,
    /// The highest value at the enter or leave of a call.
    pub highest: Option<Quantity>,
}

impl AddAssign<&MetricSums> for MetricSums {
    fn add_assign(&mut self, other: &MetricSums) {
        self.inclusive += other.inclusive;
        self.exclusive += other.exclusive;
        self.highest = self.highest.max(other.highest);
    }
}

/// The sums of all metrics by context.
pub type MetricsByContext = BTreeMap<ContextId, Vec<MetricSums>>;

/// How the values of a metric become a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// The value is the count.
    Accumulated,
    /// The values are added.
    Relative,
    /// The value is a state, which is not counted.
    Absolute,
}

/// Returns how the values of a metric become a count.
pub fn counting(metric: &MetricMember) -> Counting {
    // The lower half of a mode states the property, the upper half the time to which it applies.
    match metric.mode.0 & 0x0F {
        0 => Counting::Accumulated,
        2 => Counting::Relative,
        _ => Counting::Absolute,
    }
}

/// The state of all metrics at the start of an open call, and the counts of inner calls.
#[derive(Debug, Clone, Default)]
struct Open {
    start: Vec<Quantity>,
    inner: Vec<Quantity>,
}

/// Counts metrics in the calls of a location.
#[derive(Debug)]
pub(super) struct Metering<'t> {
    trace: &'t Trace,
    /// The metrics that are counted.
    metrics: &'t [MetricMember],
    /// The positions of the values of classes and instances in `metrics`.
    positions: HashMap<MetricRef, Vec<Option<usize>>>,
    current: Vec<Quantity>,
    /// The counts while the running task was suspended.
    suspended: Vec<Quantity>,
    /// The counts of suspended tasks.
    frozen: HashMap<Task, Vec<Quantity>>,
    open: Vec<Open>,
    free: Vec<u32>,
    pub(super) sums: MetricsByContext,
}

/// The number of an open call plus one; 0 outside all calls.
type Mark = u32;

impl<'t> Metering<'t> {
    pub(super) fn new(trace: &'t Trace, metrics: &'t [MetricMember]) -> Self {
        let zeros = vec![Quantity::default(); metrics.len()];
        Self {
            trace,
            metrics,
            positions: HashMap::new(),
            current: zeros.clone(),
            suspended: zeros,
            frozen: HashMap::new(),
            open: Vec::new(),
            free: Vec::new(),
            sums: BTreeMap::new(),
        }
    }

    /// Returns the count of the running task.
    fn running(&self) -> Vec<Quantity> {
        self.current.iter().zip(&self.suspended).map(|(now, suspended)| now.minus(*suspended)).collect()
    }

    fn record(&mut self, event: &Metric<'_>) {
        let positions = self.positions.entry(event.metric).or_insert_with(|| {
            let position = |id: &MetricMemberRef| self.metrics.iter().position(|it| it.id == *id);
            self.trace.metric_members(event.metric).iter().map(position).collect()
        });
        for (position, value) in positions.iter().zip(event.metric_values.iter()) {
            let Some(position) = *position else { continue };
            match counting(&self.metrics[position]) {
                Counting::Relative => self.current[position] += Quantity::of(value),
                _ => self.current[position] = Quantity::of(value),
            }
        }
    }

    fn add_inner(&mut self, mark: Mark, counts: &[Quantity]) {
        if let Some(open) = mark.checked_sub(1).and_then(|mark| self.open.get_mut(mark as usize)) {
            for (inner, count) in open.inner.iter_mut().zip(counts) {
                *inner += *count;
            }
        }
    }

    fn take(&mut self, mark: Mark) -> Open {
        self.free.push(mark);
        let open = mark.checked_sub(1).and_then(|mark| self.open.get_mut(mark as usize));
        open.map(mem::take).unwrap_or_default()
    }
}

impl Visitor for Metering<'_> {
    type Mark = Mark;

    fn enter(&mut self, _context: ContextId, _region: RegionRef, _time: u64, _is_sampled: bool) -> Mark {
        let mark = self.free.pop().unwrap_or_else(|| {
            self.open.push(Open::default());
            self.open.len() as Mark
        });
        let open = Open { start: self.running(), inner: vec![Quantity::default(); self.metrics.len()] };
        self.open[mark as usize - 1] = open;
        mark
    }

    fn leave(&mut self, call: &Call, mark: Mark, outer: &mut Mark) {
        let open = self.take(mark);
        // Calls that only samples have seen pass on the counts inside.
        if call.is_sampled {
            self.add_inner(*outer, &open.inner);
            return;
        }
        let (now, mut counts) = (self.running(), Vec::new());
        let sums = self.sums.entry(call.context).or_default();
        sums.resize(self.metrics.len(), MetricSums::default());
        for (place, metric) in self.metrics.iter().enumerate() {
            let (start, end, inner) = (open.start[place], now[place], open.inner[place]);
            let count = end.minus(start);
            let one = match counting(metric) {
                Counting::Absolute => MetricSums { highest: Some(start.max(end)), ..MetricSums::default() },
                _ => MetricSums { inclusive: count, exclusive: count.minus(inner), highest: None },
            };
            sums[place] += &one;
            counts.push(count);
        }
        self.add_inner(*outer, &counts);
    }

    fn forget(&mut self, mark: Mark, _outer: &mut Mark) {
        self.take(mark);
    }

    fn start(&mut self) {
        let now = self.running();
        for open in self.open.iter_mut().filter(|open| !open.start.is_empty()) {
            *open = Open { start: now.clone(), inner: vec![Quantity::default(); now.len()] };
        }
    }

    fn switch(&mut self, _time: u64, from: Option<Task>, to: Option<Task>, implicit: &mut Mark) {
        let now = self.running();
        if let Some(task) = from {
            let before = self.frozen.insert(task, now.clone());
            let zeros = vec![Quantity::default(); now.len()];
            let before = before.unwrap_or(zeros);
            let counts: Vec<_> = now.iter().zip(&before).map(|(now, before)| now.minus(*before)).collect();
            self.add_inner(*implicit, &counts);
        }
        self.suspended.fill(Quantity::default());
        if let Some(task) = to {
            let frozen = self.frozen.entry(task).or_insert_with(|| vec![Quantity::default(); now.len()]);
            let suspended = self.suspended.iter_mut().zip(self.current.iter().zip(frozen));
            for (suspended, (now, frozen)) in suspended {
                *suspended = now.minus(*frozen);
            }
        }
    }

    fn event(&mut self, _time: u64, event: &Event<'_>, _inside: Inside<'_, Mark>) {
        if let Event::Metric(metric) = event {
            self.record(metric);
        }
    }

    fn enclose(&mut self, ids: &[ContextId]) {
        let sums = mem::take(&mut self.sums).into_iter();
        self.sums = sums.map(|(context, sums)| (ids[context.index()], sums)).collect();
    }
}
