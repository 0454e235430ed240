//! Steps 1 to 10 of the life cycle ([`crate::life`]): from loading the plugins to `init_mpp`.

use crate::adapter;
use crate::arena::Arena;
use crate::callbacks::CALLBACKS;
use crate::cancellation::uncancelled;
use crate::current;
use crate::definitions::{DefinitionState, DefinitionStore, RegionDefinition};
use crate::events::call;
use crate::experiment::Experiment;
use crate::host::{Host, Parts, Phase, ProcessDefinitions, go, host, install, is};
use crate::life::barrier::allow_barriers;
use crate::life::beginning::{Beginning, Inherited, Started};
use crate::life::end::end;
use crate::life::join::join;
use crate::life::{metrics, threads};
use crate::linker;
use crate::loader_list;
use crate::locations::Location;
use crate::message::report;
use crate::panics::catching_panics;
use crate::plugins::Plugins;
use crate::program;
use crate::thread::Busy;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use kymo_substrate::bindings::*;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::parent_id;

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
        host().into_iter().flat_map(adapter::of).for_each(|adapter| adapter.begun());
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
    adapter::of(host).iter().for_each(|adapter| adapter.define());
    let main = create_main_location(host);
    current::set_location(Some(main));
    program_begin(host, main, begin);
    if !adapter::of(host).iter().any(|adapter| adapter.may_join()) {
        join(host);
    }
    Ok(())
}

/// Executes steps 1 to 3: loads the plugins, passes them the callbacks, and collects their event
/// functions.
fn load(started: Started, inherited: Option<Inherited>) -> Result<&'static Host, String> {
    let started_elsewhere = started.process != std::process::id();
    let Started { settings, clock, .. } = started;
    allow_barriers();
    let is_child = inherited.is_some();
    if (is_child || started_elsewhere) && !may_load() {
        return Err("another thread loaded or unloaded a library while the process was forked".to_owned());
    }
    let adapters = adapter::all().iter().copied().filter(|adapter| adapter.prepare(&settings)).collect();
    let experiment = Experiment::new(&settings, is_child, clock.now())
        .map_err(|error| format!("the experiment directory: {error}"))?;
    let (arena, state) = match inherited {
        Some(parent) => {
            parent.arena.set_word(parent.group, 20, 0);
            (parent.arena, parent.definitions.inherited(parent.arena))
        }
        None => (reserve(settings.total_memory)?, DefinitionState::default()),
    };
    let plugins: &'static Plugins = Box::leak(Box::new(Plugins::load(&settings.plugins, is_child)));
    if plugins.0.is_empty() {
        return Err("no substrate plugin could be loaded".to_owned());
    }
    let definitions = DefinitionStore::new(arena, plugins, state);
    let host = install(Host::new(Parts { settings, clock, definitions, plugins, experiment }));
    adapter::choose(host, adapters);
    plugins.set_callbacks(&CALLBACKS);
    host.fill_tables();
    Ok(host)
}

/// Returns whether this process, a forked child, can load libraries.
fn may_load() -> bool {
    !loader_list::is_broken() && !adapter::all().iter().any(|adapter| adapter.is_loader_broken())
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
    let process = ProcessDefinitions {
        group,
        node,
        machines: machine,
        off,
        program_name,
        arguments,
        region,
        ancestors,
    };
    host.process.get_or_init(|| process);
    host.plugins.assign_ids();
}

fn artificial<'a>(name: &'a [u8], canonical: &'a [u8], paradigm: u32) -> RegionDefinition<'a> {
    let region_type = SCOREP_REGION_ARTIFICIAL;
    let (description, file) = (&[][..], None);
    RegionDefinition { name, canonical, description, file, begin: 0, end: 0, paradigm, region_type }
}

/// Executes steps 7 and 8: creates and activates the main location.
fn create_main_location(host: &'static Host) -> &'static Location {
    let sources = metrics::sources(adapter::of(host));
    let count = sources.iter().map(|source| source.metrics.len()).sum();
    let main = threads::create(host, b"Master thread", None, 0, count);
    metrics::define(host, main, sources);
    adapter::of(host).iter().for_each(|adapter| adapter.location_created(host, main));
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
        catching_panics(|| uncancelled(|| end(Some(status))));
    }
    // SAFETY: a function of this library, which is never unloaded. Unlike `atexit`, `on_exit`
    // passes the exit status.
    unsafe { on_exit(at_exit, core::ptr::null_mut()) };
}
