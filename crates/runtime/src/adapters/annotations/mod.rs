//! Annotations: regions that a program names through an interface that is meant for tools.
//!
//! Each such interface is an adapter of its own, next to this folder; the code that they share is
//! here. A range is one execution of a region. Invariants: a known region is found without a lock
//! and without memory; only a range of the same owner ends a range, on the thread where it began;
//! ranges and ends that cannot be recorded are counted.

pub(super) mod domains;
mod names;
mod ranges;
mod regions;
pub(super) mod text;
pub(super) mod thread_names;
mod values;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kymo_substrate::bindings::{SCOREP_PARAMETER_INT64, SCOREP_PARAMETER_STRING, SCOREP_PARAMETER_UINT64};

use self::ranges::OpenRanges;
pub(super) use self::ranges::RangeOwner;
use self::regions::AnnotatedRegions;
pub(super) use self::regions::{NamedPlace, RegionGroup};
use self::values::AnnotatedValues;
use crate::filtering;
use crate::interrupted::Subject;
use crate::measurement::{self, Caller, Here, Region};
use crate::message::report;
use crate::next::keeping_errno;
use crate::processes::may_allocate;
use crate::settings::Settings;
use crate::switch::{Switch, is_chosen};

/// An interface through which programs annotate themselves.
#[derive(Debug)]
pub(super) struct AnnotationInterface {
    /// The name by which settings choose it.
    name: &'static str,
    /// The kind of code that calls the interface.
    caller: Caller,
    switch: Switch,
    regions: AnnotatedRegions,
    values: AnnotatedValues,
    /// The ends of ranges that had not begun.
    unmatched: AtomicU64,
    /// The ranges that ended before others inside of them.
    crossed: AtomicU64,
    /// The ranges that could not be recorded.
    lost: AtomicU64,
    /// The ranges that ended with the function that began them.
    cut_off: AtomicU64,
    metadata: Mutex<Metadata>,
}

/// The metadata that a program gives about itself, as names and values.
type Metadata = Vec<(&'static str, String)>;

/// The most names of them that are kept.
const MOST_METADATA: usize = 1000;

/// The locks that a forking thread holds.
pub(super) type AnnotationsHold = (names::NamesHold, [names::NamesHold; 2], MutexGuard<'static, Metadata>);

impl AnnotationInterface {
    /// An interface that functions of the program call.
    pub(super) const fn new(name: &'static str) -> Self {
        Self::called_by(name, Caller::Function)
    }

    pub(super) const fn called_by(name: &'static str, caller: Caller) -> Self {
        Self {
            name,
            caller,
            switch: Switch::new(),
            regions: AnnotatedRegions::new(name),
            values: AnnotatedValues::new(name),
            unmatched: AtomicU64::new(0),
            crossed: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            cut_off: AtomicU64::new(0),
            metadata: Mutex::new(Vec::new()),
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn prepare(&self, settings: &Settings) -> bool {
        filtering::read(settings);
        is_chosen(settings, self.name)
    }

    pub(super) fn turn_on(&self) {
        self.switch.turn_on();
    }

    /// Ends the recording, and reports the ranges that were irregular or could not be recorded.
    pub(super) fn turn_off(&self) {
        self.switch.turn_off();
        let counts = [
            (&self.unmatched, "ends of ranges that had not begun on their thread, ignored"),
            (&self.crossed, "ranges that ended before ranges inside of them, recorded as long as those"),
            (&self.lost, "ranges that could not be recorded"),
            (&self.cut_off, "ranges that are recorded as long as the function that began them"),
        ];
        for (count, what) in counts {
            let count = count.swap(0, Relaxed);
            if count > 0 {
                report(format_args!("{}: {what}: {count}", self.name));
            }
        }
    }

    /// Forgets the counts, and the regions of the parent, in a forked child.
    pub(super) fn forget(&self) {
        let counts = [&self.unmatched, &self.crossed, &self.lost, &self.cut_off];
        counts.into_iter().for_each(|count| count.store(0, Relaxed));
        OpenRanges::forget_regions();
    }

    /// Takes the locks, for a fork.
    pub(super) fn hold(&'static self) -> AnnotationsHold {
        (self.regions.hold(), self.values.hold(), self.metadata())
    }

    fn metadata(&self) -> MutexGuard<'_, Metadata> {
        self.metadata.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the metadata of the program.
    pub(super) fn properties(&self) -> Metadata {
        self.metadata().clone()
    }

    /// Keeps metadata of the program, the last value of each name.
    pub(super) fn describe(&self, name: &[u8], value: &[u8]) {
        self.record(|_| {
            if !may_allocate() {
                return;
            }
            let (name, value) = (text::valid(name), text::valid(value).into_owned());
            let mut all = self.metadata();
            match all.iter().position(|(known, _)| *known == name) {
                Some(place) => all[place].1 = value,
                None if all.len() < MOST_METADATA => {
                    all.push((Box::leak(name.into_owned().into_boxed_str()), value));
                }
                None => {}
            }
        });
    }

    /// Executes an action with the location of this thread, if the thread is recorded.
    pub(super) fn record(&self, action: impl FnOnce(&Here)) {
        if self.is_on() {
            keeping_errno(|| match measurement::here_or_orphan() {
                Some(here) => action(&here),
                None => measurement::miss(),
            });
        }
    }

    /// Returns whether events are recorded.
    #[inline]
    pub(super) fn is_on(&self) -> bool {
        self.switch.is_on()
    }

    /// Returns the region of a name, which is defined if it is new; no region if it is left out, or
    /// cannot be defined now.
    #[inline]
    pub(super) fn region(&'static self, group: &'static RegionGroup, name: &[u8]) -> Region {
        if !self.is_on() {
            return Region::default();
        }
        self.regions.get(group, name).unwrap_or_else(|| {
            self.lost.fetch_add(1, Relaxed);
            Region::default()
        })
    }

    /// Records a whole number as a parameter of the current region.
    pub(super) fn parameter_i64(&'static self, here: &Here, name: &[u8], value: i64) {
        let parameter = self.values.parameter(name, SCOREP_PARAMETER_INT64);
        if let Some(parameter) = parameter {
            here.parameter_i64(parameter, value);
        }
    }

    /// Records a number without a sign as a parameter of the current region.
    pub(super) fn parameter_u64(&'static self, here: &Here, name: &[u8], value: u64) {
        let parameter = self.values.parameter(name, SCOREP_PARAMETER_UINT64);
        if let Some(parameter) = parameter {
            here.parameter_u64(parameter, value);
        }
    }

    /// Records a text as a parameter of the current region.
    pub(super) fn parameter_text(&'static self, here: &Here, name: &[u8], value: &[u8]) {
        let parameter = self.values.parameter(name, SCOREP_PARAMETER_STRING);
        if let (Some(parameter), Some(text)) = (parameter, self.values.text(value)) {
            here.parameter_string(parameter, text);
        }
    }

    /// Begins a range, and records the events that follow its enter. Returns how many ranges of the
    /// owner the thread had open before.
    #[inline]
    pub(super) fn begin(&self, owner: RangeOwner, region: Region, follow: impl FnOnce(&Here)) -> usize {
        self.begin_tagged(owner, region, 0, follow)
    }

    /// Begins a range that the program calls `tag`.
    #[inline]
    pub(super) fn begin_tagged(
        &self,
        owner: RangeOwner,
        region: Region,
        tag: u64,
        follow: impl FnOnce(&Here),
    ) -> usize {
        if !self.is_on() {
            let open = OpenRanges::here();
            return open.and_then(|open| open.begin(owner, Region::default(), tag)).unwrap_or(0);
        }
        keeping_errno(|| {
            let here = measurement::here_or_orphan();
            let Some(level) = OpenRanges::here().and_then(|open| open.begin(owner, region, tag)) else {
                self.lost.fetch_add(1, Relaxed);
                return 0;
            };
            match here {
                _ if region == Region::default() => {}
                Some(here) => {
                    here.enter_from(self.caller, region, here.now());
                    follow(&here);
                }
                None => measurement::postpone(Subject::Region(region.0), false),
            }
            level
        })
    }

    /// Returns the owner with a number.
    pub(super) const fn owner(&self, number: u64) -> RangeOwner {
        RangeOwner { interface: self.name, number }
    }

    /// Returns the tag of the owner's innermost range on this thread; `None` without a range.
    pub(super) fn innermost_tag(&self, owner: RangeOwner) -> Option<u64> {
        OpenRanges::here()?.innermost_tag(owner)
    }

    /// Ends the innermost range of an owner. Returns how many ranges of the owner the thread has
    /// open now; `None` if it had none.
    #[inline]
    pub(super) fn end(&self, owner: RangeOwner) -> Option<usize> {
        self.end_innermost(|it| it == owner)
    }

    /// Ends the innermost range of this interface.
    pub(super) fn end_any(&self) -> Option<usize> {
        self.end_innermost(|it| it.interface == self.name)
    }

    fn end_innermost(&self, is_meant: impl Fn(RangeOwner) -> bool) -> Option<usize> {
        keeping_errno(|| {
            let here = if self.is_on() { measurement::here_or_orphan() } else { None };
            let ended = OpenRanges::here().and_then(|open| {
                open.end(is_meant, |region| match &here {
                    Some(here) => self.leave(here, region),
                    None if self.is_on() => measurement::postpone(Subject::Region(region.0), true),
                    None => {}
                })
            });
            match &ended {
                None => _ = self.unmatched.fetch_add(1, Relaxed),
                Some(ended) if ended.is_crossed => _ = self.crossed.fetch_add(1, Relaxed),
                Some(_) => {}
            }
            ended.map(|ended| ended.level)
        })
    }

    fn leave(&self, here: &Here, region: Region) {
        if region != Region::default() && !here.is_open(region) {
            self.cut_off.fetch_add(1, Relaxed);
        }
        here.leave(region);
    }

    /// Records a moment: a region that is left as soon as it is entered.
    pub(super) fn mark(&self, region: Region, follow: impl FnOnce(&Here)) {
        if region != Region::default() {
            self.record(|here| {
                here.enter_from(self.caller, region, here.now());
                follow(here);
                here.leave(region);
            });
        }
    }
}

/// Frees the open ranges of the calling thread, which ends.
pub(super) fn end_thread() {
    OpenRanges::end_thread();
}
