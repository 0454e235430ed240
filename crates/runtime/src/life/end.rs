//! Steps 12 to 17 of the life cycle ([`crate::life`]): from leaving open regions to `finalize`.
//!
//! Other threads may still be running and are shut out first. Once the phase has changed and every
//! processor has seen the change, no thread enters the runtime any more, and the end waits for the
//! threads inside. A location whose thread does not leave is not touched.

use crate::adapter;
use crate::current;
use crate::durations;
use crate::events::call;
use crate::host::{Host, Phase, go, host, is};
use crate::job;
use crate::life::barrier::barrier;
use crate::life::join::join;
use crate::life::{names, threads};
use crate::linker;
use crate::locations::Location;
use crate::measurement::handles::Parameter;
use crate::measurement::here::Here;
use crate::measurement::pending::catch_up_fully;
use crate::message::report;
use crate::thread::Busy;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use kymo_substrate::bindings::*;
use std::time::{Duration, Instant};

/// How long the end waits for threads inside the runtime.
const THREADS_TIMEOUT: Duration = Duration::from_secs(1);
/// The value for an unknown exit status.
const NO_STATUS: SCOREP_ExitStatus = SCOREP_ExitStatus::MIN;

/// Ends the measurement if it is on.
pub(crate) fn end(status: Option<i32>) {
    let Some(_busy) = Busy::enter() else { return };
    let Some(host) = host().filter(|host| host.id == std::process::id()) else { return };
    if !go(Phase::On, Phase::Ending) {
        return;
    }
    let quiet = shut_out(host, current::location());
    close(host, &quiet, status);
    report_missed(host);
    if !job::is_broken() {
        // The plugins may ask the dynamic linker for the functions of their host.
        linker::unseen(|| finish(host, &quiet, status));
    }
    go(Phase::Ending, Phase::Over);
    adapter::of(host).iter().for_each(|adapter| adapter.ended());
}

/// Tells the adapters that the loader ends the libraries of the program, while the measurement
/// continues. Destructors of plugins run next, after which they must not be called.
pub(crate) fn end_libraries() {
    if is(Phase::On) {
        host().into_iter().flat_map(adapter::of).for_each(|adapter| adapter.libraries_end());
    }
}

/// Executes an action of an adapter that stops in the middle of the measurement: `stop` makes it
/// ignore events, and `end` receives the locations whose threads know that.
pub(crate) fn stop_adapter(stop: impl FnOnce(), end: impl FnOnce(&'static Host, &[&'static Location])) {
    let Some(_busy) = Busy::enter() else { return };
    let Some(host) = host().filter(|host| host.id == std::process::id() && is(Phase::On)) else { return };
    let own = current::location();
    if own.is_some_and(|own| !own.enter_runtime()) {
        return;
    }
    if let Some(own) = own {
        catch_up_fully(host, own);
    }
    stop();
    // Threads that are outside now see that when they are inside again.
    end(host, &shut_out(host, own));
    if let Some(own) = own {
        own.leave_runtime();
    }
}

/// Executes steps 13 to 17, collectively. If other processes of the job may be gone, this is left
/// out, and the archive is recovered from the recorded data, as after a kill.
fn finish(host: &'static Host, quiet: &[&'static Location], status: Option<i32>) {
    join(host);
    unify(host, quiet, status);
    host.plugins.write_data();
    host.locations.all().into_iter().for_each(|location| host.plugins.delete_location(location));
    host.plugins.finalize();
    host.experiment.close();
}

/// Waits until no other thread is inside. Returns the locations whose threads are certainly
/// outside.
fn shut_out(host: &Host, own: Option<&'static Location>) -> Vec<&'static Location> {
    barrier();
    let deadline = Instant::now() + THREADS_TIMEOUT;
    let wait = || {
        std::thread::sleep(Duration::from_micros(50));
        Instant::now() < deadline
    };
    while host.coming.load(SeqCst) > 0 && wait() {}
    let is_quiet = |location: &&'static Location| {
        let is_own = own.is_some_and(|own| own.id == location.id);
        while !is_own && location.is_inside() && wait() {}
        is_own || !location.is_inside()
    };
    host.locations.all().into_iter().filter(is_quiet).collect()
}

/// Executes step 12, with one timestamp for all locations. The main location is closed last, on
/// whichever thread this runs.
fn close(host: &'static Host, quiet: &[&'static Location], status: Option<i32>) {
    quiet.iter().for_each(|location| catch_up_fully(host, location));
    adapter::of(host).iter().for_each(|adapter| adapter.ending(host, quiet));
    quiet
        .iter()
        .filter(|location| location.is_active.load(Relaxed) && !location.is_shared)
        .for_each(|location| names::take(host, location));
    let now = host.clock.now();
    let is_created = |location: &&&Location| location.parent.is_some() && location.is_active.load(Relaxed);
    for location in quiet.iter().filter(is_created) {
        threads::close(host, location, now);
        threads::finish(host, location, now);
    }
    if let Some(main) = quiet.iter().find(|location| location.parent.is_none()) {
        threads::close(host, main, now);
        quiet.iter().for_each(|location| location.left_out.settle());
        let now = record_left_out(host, main, now);
        program_end(host, main, now, status);
        threads::deactivate(host, main);
    }
}

/// The prefix of a function's name in the parameter that contains the number of calls left out.
/// `kymo record` uses the same one.
const LEFT_OUT: &str = "KYMO::LEFT_OUT ";

/// Records, on the main location, how many calls of each function were left out. Returns a time
/// after these records.
fn record_left_out(host: &'static Host, main: &'static Location, now: u64) -> u64 {
    let here = Here::of(host, main);
    for (region, calls) in durations::left_out() {
        let name = [LEFT_OUT.as_bytes(), &host.definitions.region_name(region)].concat();
        let parameter = host.definitions.parameter(&name, SCOREP_PARAMETER_UINT64);
        here.parameter_u64(Parameter(parameter), calls);
    }
    if host.settings.min_duration.is_none() { now } else { host.clock.now() }
}

fn program_end(host: &Host, main: &Location, now: u64, status: Option<i32>) {
    let status = status.map_or(NO_STATUS, SCOREP_ExitStatus::from);
    let region = host.process.get().map_or(0, |process| process.region);
    call!(
        host.table(),
        SCOREP_EVENT_PROGRAM_END: SCOREP_Substrates_ProgramEndCb,
        main.address(), now, status, region
    );
}

/// Adds properties that describe the process to the first location: its exit status and its
/// ancestors.
fn describe(host: &Host, status: Option<i32>) {
    let Some(main) = host.locations.first() else { return };
    let property = |name: &str, value: &str| {
        host.definitions.location_property(main.handle, name.as_bytes(), value.as_bytes());
    };
    if let Some(status) = status {
        // Only the part that a parent process receives.
        property("exit status", &(status & 0xFF).to_string());
    }
    for (name, value) in adapter::of(host).iter().flat_map(|adapter| adapter.properties(host)) {
        property(name, &value);
    }
    if let Some(process) = host.process.get().filter(|process| !process.ancestors.is_empty()) {
        property("ancestors", &process.ancestors);
    }
}

/// Executes steps 13 and 14: the final definitions, and their unification.
fn unify(host: &Host, quiet: &[&'static Location], status: Option<i32>) {
    let definitions = &host.definitions;
    definitions.finish_process(host.group(), &job::process_name());
    for location in host.locations.all() {
        definitions.set_global_id(location.handle, location.global_id());
    }
    // Plugins record the properties immediately, with the location's number, so it must be set.
    describe(host, status);
    host.plugins.pre_unify();
    adapter::of(host).iter().for_each(|adapter| adapter.unify(host));
    unify_threads(host, quiet);
    definitions.unify();
}

/// Defines the threads of all processes, if any has created threads, and the team of this one.
fn unify_threads(host: &Host, quiet: &[&'static Location]) {
    let team = host.team.get().copied();
    let own: Vec<u64> =
        quiet.iter().filter(|it| team.is_some() && it.is_thread()).map(|it| it.global_id()).collect();
    let Some((all, before)) = job::gather_lists(&own).filter(|(all, _)| !all.is_empty()) else { return };
    host.definitions.thread_locations(&all);
    if let Some(team) = team {
        let ranks: Vec<u64> = (before..).take(own.len()).collect();
        host.definitions.unify_threads(team, &ranks);
    }
}

/// Reports lost events. Signal handlers that interrupt the runtime can have more events than there
/// is room for.
fn report_missed(host: &Host) {
    let missed = host.missed.load(Relaxed);
    if missed > 0 {
        report(format_args!("{missed} events in signal handlers that interrupted the runtime were lost"));
    }
    let unstacked = host.unstacked.load(Relaxed);
    if unstacked > 0 {
        report(format_args!("{unstacked} events of calls without memory for their nesting were lost"));
    }
}
