//! The tool interface of Kokkos: `kokkosp_*`, with kernels, regions, sections, copies, allocations
//! and fences.
//!
//! Kokkos looks these functions up in the library that `KOKKOS_TOOLS_LIBS` names. Names of regions,
//! their files and types are those of Score-P. Invariants: no call waits for a device, since Kokkos
//! is asked not to do so for the tool; the number that Kokkos keeps of a kernel is that of its
//! region.

mod calls;
mod names;
mod spaces;

use std::borrow::Cow;

use kymo_substrate::bindings::*;

use super::annotations::{self, AnnotationInterface, AnnotationsHold, RegionGroup};
use crate::adapter::Adapter;
use crate::host::Host;
use crate::processes::ForkHold;
use crate::settings::Settings;

/// The adapter of Kokkos.
#[derive(Debug)]
pub(crate) struct KokkosTools;

static KOKKOS: AnnotationInterface = AnnotationInterface::new(NAME);

/// The name by which settings choose it.
const NAME: &str = "kokkos";

thread_local! {
    static HELD: ForkHold<(AnnotationsHold, spaces::KokkosSpacesHold)> = const { ForkHold::new() };
}

impl Adapter for KokkosTools {
    fn name(&self) -> &'static str {
        KOKKOS.name()
    }

    fn prepare(&self, settings: &Settings) -> bool {
        KOKKOS.prepare(settings)
    }

    fn awaited(&self) {
        KOKKOS.turn_on();
    }

    fn begun(&self) {
        KOKKOS.turn_on();
    }

    fn properties(&self, _: &Host) -> Vec<(&'static str, String)> {
        KOKKOS.properties()
    }

    fn ended(&self) {
        KOKKOS.turn_off();
    }

    fn thread_ended(&self) {
        annotations::end_thread();
    }

    fn pooled_thread_ended(&self) {
        annotations::end_thread();
    }

    fn hold(&self) {
        HELD.with(|held| held.keep((KOKKOS.hold(), spaces::hold())));
    }

    fn release(&self) {
        drop(HELD.with(ForkHold::take));
    }

    fn forget(&self) {
        KOKKOS.forget();
    }
}

/// Declares the groups of regions, with the roles that Score-P gives them.
macro_rules! groups {
    ($($(#[$doc:meta])* $group:ident = $description:literal, $kind:ident;)*) => {$(
        $(#[$doc])*
        static $group: RegionGroup = RegionGroup {
            description: Cow::Borrowed($description.as_bytes()),
            paradigm: SCOREP_PARADIGM_KOKKOS,
            kind: $kind,
            named: names::named,
        };
    )*};
}

groups! {
    FOR = "Kokkos parallel_for", SCOREP_REGION_PARALLEL;
    REDUCE = "Kokkos parallel_reduce", SCOREP_REGION_PARALLEL;
    SCAN = "Kokkos parallel_scan", SCOREP_REGION_PARALLEL;
    REGION = "Kokkos profile regions", SCOREP_REGION_USER;
    SECTION = "Kokkos profile sections", SCOREP_REGION_PHASE;
    EVENT = "Kokkos profile event", SCOREP_REGION_USER;
    COPY = "Kokkos deep copy", SCOREP_REGION_RMA;
    FENCE = "Kokkos fence", SCOREP_REGION_BARRIER;
}
