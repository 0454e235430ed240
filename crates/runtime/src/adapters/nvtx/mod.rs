//! NVTX: ranges and marks that a program names, with payloads and categories, and names of threads.
//!
//! The header that a program or library is compiled with contains a table of functions, and opens
//! the library that `NVTX_INJECTION64_PATH` names, which fills it. `kymo record` lets the variable
//! name this library, and the one that it named before is asked first. Invariants: if another tool
//! is there, it receives each call, its handles are the program's, and its results count; a process
//! that is not recorded calls nothing here.

mod attributes;
mod calls;
mod categories;
mod injection;
mod objects;
mod payloads;

use std::borrow::Cow;

use kymo_substrate::bindings::{SCOREP_PARADIGM_USER, SCOREP_REGION_USER};

use super::annotations::thread_names::{self, ThreadNames};
use super::annotations::{self, AnnotationInterface, AnnotationsHold, NamedPlace, RegionGroup};
use crate::adapter::Adapter;
use crate::locations::Location;
use crate::processes::ForkHold;
use crate::settings::Settings;

/// The adapter of NVTX.
#[derive(Debug)]
pub(crate) struct NvtxRanges;

static NVTX: AnnotationInterface = AnnotationInterface::new("nvtx");
static THREAD_NAMES: ThreadNames = ThreadNames::new();

thread_local! {
    static HELD: ForkHold<(AnnotationsHold, objects::NvtxObjectsHold, categories::NvtxCategoriesHold, thread_names::ThreadNamesHold)> = const { ForkHold::new() };
}

impl Adapter for NvtxRanges {
    fn name(&self) -> &'static str {
        NVTX.name()
    }

    fn prepare(&self, settings: &Settings) -> bool {
        NVTX.prepare(settings)
    }

    fn awaited(&self) {
        NVTX.turn_on();
    }

    fn begun(&self) {
        NVTX.turn_on();
    }

    fn ended(&self) {
        NVTX.turn_off();
        calls::report_unrecorded();
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
        HELD.with(|held| held.keep((NVTX.hold(), objects::hold(), categories::hold(), THREAD_NAMES.hold())));
    }

    fn release(&self) {
        drop(HELD.with(ForkHold::take));
    }

    fn forget(&self) {
        NVTX.forget();
        calls::forget();
        THREAD_NAMES.forget();
    }
}

/// Returns the group of regions with a description.
const fn group_of(description: Cow<'static, [u8]>) -> RegionGroup {
    RegionGroup {
        description,
        paradigm: SCOREP_PARADIGM_USER,
        kind: SCOREP_REGION_USER,
        named: |text| NamedPlace::plain(text),
    }
}
