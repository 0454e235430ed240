//! Steps 1 to 10 of the life cycle ([`crate::life`]): from loading the plugins to `init_mpp`.

use crate::adapter;
use crate::arena::Arena;
use crate::definitions::{DefinitionStore, RegionDefinition, State};
use crate::events::call;
use crate::experiment::Experiment;
use crate::host::{Host, Parts, Phase, Process, go, host, install, is};
use crate::job::{self, job};
use crate::life::later::{Beginning, Started};
use crate::life::{end, metrics, threads};
use crate::linker;
use crate::locations::Location;
use crate::message::report;
use crate::plugins::Plugins;
use crate::program;
use crate::thread::{self, Busy};
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use kymo_substrate::bindings::*;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::parent_id;

/// The state that a child made by `fork` inherits from its parent.
#[derive(Debug)]
pub(crate) struct Inherited {
    pub(crate) arena: &'static Arena,
    pub(crate) definitions: State,
    pub(crate) group: u32,
}

/// Begins the measurement if it has not begun.
pub(crate) fn begin(beginning: Beginning) {
    let Some(_busy) = Busy::enter() else { return };
    if !go(Phase::Idle, Phase::Beginning) {
        return;
    }
    // The plugins may ask the dynamic linker for the functions of their host.
    let on = match linker::unseen(|| start(beginning)) {
        Ok(()) => Phase::On,
        Err(why) => {
            report(format_args!("nothing is recorded: {why}"));
            Phase::Over
        }
    };
    go(Phase::Beginning, on);
    if is(Phase::On) {
        register_end();
        host().into_iter().flat_map(|host| &host.adapters).for_each(|adapter| adapter.begun());
    } else {
        adapter::all().iter().for_each(|adapter| adapter.ended());
    }
}

fn start(beginning: Beginning) -> Result<(), String> {
    let (inherited, started) = match beginning {
        Beginning::Now => (None, None),
        Beginning::Child(inherited) => (Some(inherited), None),
        Beginning::Program(started) => (None, Some(*started)),
    };
    let started = started.unwrap_or_else(Started::now);
    for problem in &started.problems {
        report(format_args!("{problem}"));
    }
    let begin = if started.process == std::process::id() { started.time } else { started.clock.now() };
    let begin = adapter::all().iter().filter_map(|adapter| adapter.first_time()).fold(begin, u64::min);
    let parent = if started.process == std::process::id() { started.parent } else { parent_id() };
    let host = load(started, inherited)?;
    define_process(host, parent);
    host.adapters.iter().for_each(|adapter| adapter.define());
    let main = create_main_location(host);
    thread::set_location(Some(main));
    program_begin(host, main, begin);
    if !host.adapters.iter().any(|adapter| adapter.may_join()) {
        join(host);
    }
    Ok(())
}

/// Executes step 10, once the processes of the job are known: the experiment directory and
/// `init_mpp`. Collective.
pub(crate) fn join(host: &'static Host) {
    if host.set_joined() {
        return;
    }
    create_experiment(host);
    host.plugins.init_mpp();
    host.adapters.iter().for_each(|adapter| adapter.joined());
    report_instrumentation(host);
}

/// Executes steps 1 to 3: loads the plugins, passes them the callbacks, and collects their event
/// functions.
fn load(started: Started, inherited: Option<Inherited>) -> Result<&'static Host, String> {
    let Started { settings, clock, .. } = started;
    end::allow_barriers();
    let adapters = adapter::all().iter().copied().filter(|adapter| adapter.prepare(&settings)).collect();
    let is_child = inherited.is_some();
    if is_child && !may_load() {
        return Err("another thread loaded or unloaded a library while the process was forked".to_owned());
    }
    let experiment = Experiment::new(&settings, is_child, clock.now())
        .map_err(|error| format!("the experiment directory: {error}"))?;
    let (arena, state) = match inherited {
        Some(parent) => {
            parent.arena.set_word(parent.group, 20, 0);
            (parent.arena, parent.definitions.inherited(parent.arena))
        }
        None => (reserve(settings.total_memory)?, State::default()),
    };
    let plugins: &'static Plugins = Box::leak(Box::new(Plugins::load(&settings.plugins, is_child)));
    if plugins.0.is_empty() {
        return Err("no substrate plugin could be loaded".to_owned());
    }
    let definitions = DefinitionStore::new(arena, plugins, state);
    let host = install(Host::new(Parts { settings, adapters, clock, definitions, plugins, experiment }));
    plugins.set_callbacks();
    host.fill_tables();
    Ok(host)
}

/// Returns whether this process, a forked child, can load libraries.
fn may_load() -> bool {
    program::is_loader_idle() && !adapter::all().iter().any(|adapter| adapter.is_loader_broken())
}

fn reserve(bytes: usize) -> Result<&'static Arena, String> {
    let arena = Arena::reserve(bytes).ok_or("no memory is available for definitions")?;
    Ok(Box::leak(Box::new(arena)))
}

/// Executes steps 4 to 6: the definitions of every process, in Score-P's order.
fn define_process(host: &Host, parent: u32) {
    let definitions = &host.definitions;
    definitions.announce_inherited();
    definitions.string(b"");
    let machine = definitions.tree_node(0, 1, b"machine", b"Linux");
    definitions.tree_property(machine, b"platform", b"Linux");
    let node = definitions.tree_node(machine, 2, b"node", program::host_name().as_bytes());
    let group = definitions.location_group(node);
    let off = definitions.region(&artificial(b"MEASUREMENT OFF", b"MEASUREMENT OFF", SCOREP_PARADIGM_USER));
    let flush = b"TRACE BUFFER FLUSH";
    definitions.region(&artificial(flush, flush, SCOREP_PARADIGM_MEASUREMENT));
    let executable = program::executable();
    let program_name = definitions.string(executable.as_bytes());
    let short = program::short_name(&executable);
    let region = definitions.region(&artificial(short, executable.as_bytes(), SCOREP_PARADIGM_MEASUREMENT));
    let arguments = program::arguments().iter().map(|argument| definitions.string(argument)).collect();
    let ancestors = program::ancestors(parent);
    let process = Process { group, node, machines: machine, off, program_name, arguments, region, ancestors };
    host.process.get_or_init(|| process);
    host.plugins.assign_ids();
}

fn artificial<'a>(name: &'a [u8], canonical: &'a [u8], paradigm: u32) -> RegionDefinition<'a> {
    let region_type = SCOREP_REGION_ARTIFICIAL;
    RegionDefinition { name, canonical, file: None, begin: 0, end: 0, paradigm, region_type }
}

/// Executes steps 7 and 8: creates and activates the main location.
fn create_main_location(host: &'static Host) -> &'static Location {
    let sources = metrics::sources(&host.adapters);
    let count = sources.iter().map(|source| source.metrics.len()).sum();
    let main = threads::create(host, b"Master thread", None, 0, count);
    metrics::define(host, main, sources);
    host.adapters.iter().for_each(|adapter| adapter.location_created(host, main));
    threads::activate(host, main);
    main
}

/// Executes step 9: the event that begins the program.
fn program_begin(host: &Host, main: &Location, now: u64) {
    let Some(process) = host.process.get() else { return };
    let mut arguments = process.arguments.clone();
    let (id, thread) = (u64::from(std::process::id()), program::thread_id());
    let count = u32::try_from(arguments.len()).unwrap_or(u32::MAX);
    call!(
        host.table(),
        SCOREP_EVENT_PROGRAM_BEGIN: SCOREP_Substrates_ProgramBeginCb,
        main.address(), now, process.program_name, count, arguments.as_mut_ptr(), process.region, id, thread
    );
}

/// Creates the experiment directory if a plugin requires it. In a job, rank 0 creates it for all.
fn create_experiment(host: &Host) {
    let is_required = host.plugins.require(SCOREP_SUBSTRATES_REQUIREMENT_CREATE_EXPERIMENT_DIRECTORY);
    if job().is_none_or(|job| job.rank() == 0) {
        if is_required {
            create_directory(host);
        } else {
            host.experiment.settle_without();
        }
    }
    if job().is_some() {
        share_directory(host);
    }
}

fn create_directory(host: &Host) {
    let dump = |stream, working: &core::ffi::CStr, directory: &core::ffi::CStr| {
        host.plugins.dump_manifest(stream, working, directory);
    };
    if let Err(error) = host.experiment.create(&host.settings, dump) {
        report_no_directory(host, &error);
        host.experiment.settle_without();
    }
}

/// Reports that this process has no directory. The plugins of this project leave that to the
/// runtime.
fn report_no_directory(host: &Host, error: &std::io::Error) {
    let path = host.experiment.path();
    match &host.settings.record_directory {
        Some(all) if error.kind() == ErrorKind::PermissionDenied => {
            // SAFETY: no precondition.
            let user = unsafe { libc::geteuid() };
            let executable = program::executable();
            let (name, all) = (program::short_name(&executable), all.display());
            let name = String::from_utf8_lossy(name);
            report(format_args!("{name} is not recorded: user {user} may not write into {all}"));
        }
        _ if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => report(
            format_args!("the disk is full: {} cannot be created; nothing will be recorded", path.display()),
        ),
        _ => report(format_args!(
            "nothing is recorded: the experiment directory {} cannot be created: {error}",
            path.display()
        )),
    }
}

/// Uses the directory of rank 0 on all ranks.
fn share_directory(host: &Host) {
    let is_first = job::rank() == 0;
    let has_none = is_first && host.experiment.name().is_null();
    let own = if is_first && !has_none { host.experiment.path().as_os_str().as_bytes() } else { &[] };
    let path = job::broadcast_text(own).unwrap_or_default();
    if is_first {
        return;
    }
    let adopted = if path.is_empty() { Ok(()) } else { host.experiment.adopt(&path) };
    if let Err(error) = &adopted {
        let path = String::from_utf8_lossy(&path);
        report(format_args!("the experiment directory {path} of rank 0 cannot be used: {error}"));
    }
    if adopted.is_err() || path.is_empty() {
        host.experiment.settle_without();
    }
}

fn report_instrumentation(host: &Host) {
    if host.settings.verbose {
        let (process, path) = (std::process::id(), host.experiment.path().display());
        let with: Vec<&str> = host.adapters.iter().map(|adapter| adapter.name()).collect();
        let (with, plugins) = (with.join(", "), host.settings.plugins.join(", "));
        report(format_args!(
            "process {process} is recorded into {path} by {plugins}; instrumentation: {with}"
        ));
    }
}

unsafe extern "C" {
    fn on_exit(function: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
}

/// Registers the end of the measurement with `exit`, which may be called on any thread. Once per
/// chain of forked processes, as early as possible: handlers that the program registers later run
/// before it and are recorded.
pub(crate) fn register_end() {
    static IS_REGISTERED: AtomicBool = AtomicBool::new(false);
    if !IS_REGISTERED.swap(true, Relaxed) {
        register_end_again();
    }
}

/// Registers the end of the measurement once more, so that it precedes the handlers of a library
/// that was initialised meanwhile: the first of them that runs ends the measurement.
pub(crate) fn register_end_again() {
    extern "C" fn at_exit(status: c_int, _: *mut c_void) {
        crate::measurement::end(Some(status));
    }
    // SAFETY: a function of this library, which is never unloaded. Unlike `atexit`, `on_exit`
    // passes the exit status.
    unsafe { on_exit(at_exit, core::ptr::null_mut()) };
}
