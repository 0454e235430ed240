//! Barriers, waits for tasks, and work-sharing constructs.

use std::sync::atomic::Ordering::Relaxed;

use kymo_substrate::bindings::SCOREP_PARAMETER_STRING;

use super::sites::{Construct, Site, site_at};
use super::state::LocationState;
use super::tree::{Open, TeamPlace};
use crate::adapters::lazy_handle::LazyHandle;
use crate::measurement::{Here, Parameter, Region, Text, define_parameter, define_string};
use crate::thread;

/// Returns the place of the calling thread. Outside of any team it may use OpenMP here first.
fn place(here: &Here) -> Option<&'static TeamPlace> {
    let (_, location) = here.parts();
    LocationState::of(location)?.place()
}

/// Begins a barrier. Without a place in the program it is the one at the end of the parallel
/// region.
pub(super) fn begin_barrier(here: &Here, construct: Construct, site: Option<&'static Site>) {
    let place = place(here);
    let site = site.or_else(|| place?.parent()?.site());
    let region = site.unwrap_or_else(|| site_at(0)).region(construct);
    here.enter_construct(region);
    if let Some(place) = place {
        place.member.barrier.set(region.0);
    }
    thread::set_in_pool(true);
}

/// Ends the barrier that the calling thread is in.
pub(super) fn end_barrier(here: &Here) {
    thread::set_in_pool(false);
    let Some(place) = place(here) else { return };
    let region = place.member.barrier.replace(0);
    here.leave(Region(region));
    if let (0, Some(above)) = (place.number.get(), place.parent()) {
        above.fork.barrier_end.store(here.last_time(), Relaxed);
    }
}

/// Begins to wait for tasks.
pub(super) fn begin_wait(here: &Here, construct: Construct, site: &'static Site) {
    here.enter_construct(site.region(construct));
    thread::set_in_pool(true);
}

/// Begins to wait for tasks in a region that was entered before.
pub(super) fn wait_inside() {
    thread::set_in_pool(true);
}

/// Ends to wait for tasks.
pub(super) fn end_wait(here: &Here, construct: Construct) {
    thread::set_in_pool(false);
    here.leave_construct(construct);
}

/// Begins a construct with a schedule.
pub(super) fn begin_loop(here: &Here, site: &'static Site, schedule: Schedule) {
    here.enter_construct(site.region(Construct::Loop));
    let (parameter, text) = schedule.defined();
    here.parameter_string(parameter, text);
}

/// How the iterations of a loop are distributed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Schedule {
    Static,
    Dynamic,
    Guided,
    Other,
    Unknown,
}

impl Schedule {
    /// Returns the parameter and its value. Equal definitions are one, so both are defined again.
    fn defined(self) -> (Parameter, Text) {
        static PARAMETER: LazyHandle = LazyHandle::new();
        static TEXTS: [LazyHandle; 5] = [const { LazyHandle::new() }; 5];
        let text = match self {
            Self::Static => "static",
            Self::Dynamic => "dynamic",
            Self::Guided => "guided",
            Self::Other => "implementation specific",
            Self::Unknown => "unknown",
        };
        let parameter = PARAMETER.get_if_allowed(|| define_parameter(b"schedule", SCOREP_PARAMETER_STRING).0);
        let place = TEXTS.get(self as usize);
        let text = place.map_or(0, |place| place.get_if_allowed(|| define_string(text.as_bytes()).0));
        (Parameter(parameter), Text(text))
    }
}

/// Begins a single construct, which the calling thread executes or not, at a time.
pub(super) fn begin_single(here: &Here, site: &'static Site, executes: bool, since: u64) {
    let single = site.region(Construct::Single);
    here.enter_then(single, since);
    if executes {
        here.enter_construct(site.region(Construct::SingleBlock));
    }
    set(here, |open| Open { single: single.0, ..open });
}

/// Ends the single construct that the calling thread is in.
pub(super) fn end_single(here: &Here) {
    take(here, |open| (open.single, Open { single: 0, ..open }));
}

/// Ends constructs whose end was not reported and that cannot contain the construct that begins
/// now.
pub(super) fn settle(here: &Here) {
    end_single(here);
}

/// Returns a number that identifies the team of the calling thread.
pub(super) fn team_address(here: &Here) -> usize {
    place(here).map_or(0, |place| place.parent.get().addr())
}

/// Begins a section, which ends the one before.
pub(super) fn begin_section(here: &Here, site: Option<&'static Site>) {
    end_section(here);
    let site = site.or_else(|| sections_site(here)).unwrap_or_else(|| site_at(0));
    let section = site.region(Construct::Section);
    here.enter_construct(section);
    set(here, |open| Open { section: section.0, ..open });
}

/// Ends the section that the calling thread is in.
pub(super) fn end_section(here: &Here) {
    take(here, |open| (open.section, Open { section: 0, ..open }));
}

/// Begins a construct with sections.
pub(super) fn begin_sections(here: &Here, site: &'static Site) {
    here.enter_construct(site.region(Construct::Sections));
    if let Some(place) = place(here) {
        place.member.sections.set(site);
    }
}

/// Ends a construct with sections.
pub(super) fn end_sections(here: &Here) {
    end_section(here);
    here.leave_construct(Construct::Sections);
}

fn sections_site(here: &Here) -> Option<&'static Site> {
    // SAFETY: null or a site, which is never freed.
    unsafe { place(here)?.member.sections.get().as_ref() }
}

fn set(here: &Here, change: impl FnOnce(Open) -> Open) {
    if let Some(place) = place(here) {
        place.member.open.set(change(place.member.open.get()));
    }
}

/// Leaves one of the open regions.
fn take(here: &Here, choose: impl FnOnce(Open) -> (u32, Open)) {
    let Some(place) = place(here) else { return };
    let (region, rest) = choose(place.member.open.get());
    place.member.open.set(rest);
    if region != 0 {
        here.leave(Region(region));
    }
}

/// Executes a construct that takes no time that is known.
pub(super) fn pass(here: &Here, construct: Construct, site: &'static Site) {
    let (region, now) = (site.region(construct), here.now());
    here.enter_then(region, now);
    here.leave_then(region, now);
}
