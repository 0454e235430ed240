//! ITT, the interface of Intel's tools, which oneTBB, oneDNN, OpenVINO and Python's `ittapi` call:
//! tasks, frames, counters, metadata, markers, events, pauses and names of threads.
//!
//! Each program or library contains a copy of a static part with a list of pointers to functions.
//! At its first call, that part opens the library that `INTEL_LIBITTNOTIFY64` names, which fills
//! them in (`__itt_api_init`). Invariants: an object of the program, also one that the static part
//! has made itself, is known by its content and never freed; a process that is not recorded calls
//! nothing here.

mod calls;
mod collector;
mod counters;
mod metadata;
mod objects;

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use kymo_substrate::bindings::{SCOREP_PARADIGM_USER, SCOREP_REGION_PHASE, SCOREP_REGION_USER};

use super::annotations::thread_names::{self, ThreadNames};
use super::annotations::{self, AnnotationInterface, AnnotationsHold, NamedPlace, RegionGroup};
use crate::adapter::Adapter;
use crate::locations::Location;
use crate::message::report;
use crate::processes::ForkHold;
use crate::settings::Settings;

/// The adapter of ITT.
#[derive(Debug)]
pub(crate) struct IttTasks;

static ITT: AnnotationInterface = AnnotationInterface::new("itt");
static THREAD_NAMES: ThreadNames = ThreadNames::new();

thread_local! {
    static HELD: ForkHold<(AnnotationsHold, objects::IttObjectsHold, counters::IttCountersHold, thread_names::ThreadNamesHold)> = const { ForkHold::new() };
}

impl Adapter for IttTasks {
    fn name(&self) -> &'static str {
        ITT.name()
    }

    fn prepare(&self, settings: &Settings) -> bool {
        ITT.prepare(settings)
    }

    fn awaited(&self) {
        ITT.turn_on();
    }

    fn begun(&self) {
        ITT.turn_on();
    }

    fn ended(&self) {
        ITT.turn_off();
        Unrecorded::report_all();
    }

    fn thread_name(&self, location: &Location) -> Option<String> {
        THREAD_NAMES.take(location.thread)
    }

    fn thread_ended(&self) {
        annotations::end_thread();
    }

    fn pooled_thread_ended(&self) {
        annotations::end_thread();
    }

    fn hold(&self) {
        HELD.with(|held| held.keep((ITT.hold(), objects::hold(), counters::hold(), THREAD_NAMES.hold())));
    }

    fn release(&self) {
        drop(HELD.with(ForkHold::take));
    }

    fn forget(&self) {
        ITT.forget();
        THREAD_NAMES.forget();
        Unrecorded::forget_all();
    }
}

/// The regions of frames, which have the names of their domains.
static FRAMES: RegionGroup = group_of(Cow::Borrowed(b"ITT frame"), SCOREP_REGION_PHASE);
/// The regions of events and marks.
static EVENTS: RegionGroup = group_of(Cow::Borrowed(b"ITT event"), SCOREP_REGION_USER);

/// Returns the group of regions with a description and a role.
const fn group_of(description: Cow<'static, [u8]>, kind: u32) -> RegionGroup {
    RegionGroup { description, paradigm: SCOREP_PARADIGM_USER, kind, named: |text| NamedPlace::plain(text) }
}

/// A kind of calls that a trace of nested regions cannot hold.
#[derive(Debug)]
struct Unrecorded {
    description: &'static str,
    count: AtomicU64,
}

impl Unrecorded {
    const fn new(description: &'static str) -> Self {
        Self { description, count: AtomicU64::new(0) }
    }

    fn add(&self) {
        ITT.record(|_| _ = self.count.fetch_add(1, Relaxed));
    }

    fn report_all() {
        for it in ALL_UNRECORDED {
            let count = it.count.swap(0, Relaxed);
            if count > 0 {
                report(format_args!("{}: {}: {count}", ITT.name(), it.description));
            }
        }
    }

    /// Forgets the calls of the parent, in a forked child.
    fn forget_all() {
        ALL_UNRECORDED.iter().for_each(|it| it.count.store(0, Relaxed));
    }
}

static OVERLAPPED: Unrecorded =
    Unrecorded::new("overlapped tasks and regions, which need not nest, not recorded");
static SUBMITTED: Unrecorded = Unrecorded::new("frames that were submitted after their end, not recorded");
static TIMED: Unrecorded = Unrecorded::new("calls with times of another clock, not recorded");
static BY_ADDRESS: Unrecorded =
    Unrecorded::new("tasks with the address of a function for a name, not recorded");
static OF_OTHERS: Unrecorded = Unrecorded::new("metadata of anything but the innermost task, not recorded");

static ALL_UNRECORDED: [&Unrecorded; 5] = [&OVERLAPPED, &SUBMITTED, &TIMED, &BY_ADDRESS, &OF_OTHERS];
