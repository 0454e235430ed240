//! Plays a script to the plugins: each call is made to all plugins in the order of the list before
//! the next call.
//!
//! Around a call, the host behaves like a real one: it copies definitions into the arena before
//! they are announced, fills in a communicator's payload right after, creates the experiment
//! directory, and creates and deletes locations.

use crate::replay::definitions::field;
use crate::replay::events::{self, Context, EVENTS, MOST_WORDS, number};
use crate::replay::experiment::Experiment;
use crate::replay::host::{Host, fail};
use crate::replay::metrics;
use crate::replay::plugin::{self, Plugin, Table};
use crate::replay::progress::Progress;
use crate::replay::recording::{Action, Announcement};
use crate::replay::release::{Garbage, Generation, HostRelease};
use crate::replay::script::{Event, NO_METRICS, Run, Script, ScriptPart, Step};
use crate::replay::signals;
use crate::replay::threads::{Play, Threads};
use crate::replay::watch::{self, Watch};
use kymo_substrate::bindings::*;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

/// A replay in progress.
#[derive(Debug)]
pub(crate) struct Player {
    pub(crate) host: &'static Host,
    pub(crate) script: Script,
    pub(crate) release: HostRelease,
    /// Garbage for arguments that the release does not pass.
    pub(crate) garbage: Garbage,
    pub(crate) progress: Option<Progress>,
    pub(crate) watch: Watch,
    /// Whether samples are delivered inside a signal handler.
    pub(crate) samples_in_signals: bool,
    /// The arena at the start of `pre_unify`.
    pub(crate) pre_unify: Vec<u8>,
    /// The arena at the start of `write_data`.
    pub(crate) write_data: Vec<u8>,
    pub(crate) names: Vec<String>,
    pub(crate) plugins: OnceLock<Vec<Plugin>>,
    pub(crate) tables: [OnceLock<Table>; 2],
}

impl Player {
    /// Plays everything. The recording's first thread is played on the calling one.
    pub(crate) fn play(&self) {
        let script = &self.script;
        let main = script.first.runs.first().map_or(0, |run| run.thread);
        std::thread::scope(|scope| {
            let mut threads = Threads::new(scope, self, main);
            threads.play(&script.first, 0);
            for round in 1..=script.rounds {
                threads.play(&script.again, round * script.round);
            }
            threads.play(&script.last, script.rounds * script.round);
        });
    }

    fn plugins(&self) -> &[Plugin] {
        self.plugins.get().map_or(&[], Vec::as_slice)
    }

    #[inline]
    fn event(&self, event: &Event, shift: u64) {
        let table = self.tables[event.table as usize].get().expect("the script has tables before events");
        let functions = table.functions(event.number);
        if functions.is_empty() {
            return;
        }
        if event.metrics == NO_METRICS {
            self.call_functions(functions, event, ptr::null_mut(), shift);
        } else {
            let metrics = &self.script.metrics[event.metrics as usize];
            metrics::during(metrics, shift, || {
                self.call_functions(functions, event, metrics.buffer(), shift)
            });
        }
        if let (number::ENTER_REGION | number::EXIT_REGION, Some(progress)) = (event.number, &self.progress) {
            progress.count();
        }
    }

    #[inline]
    fn call_functions(
        &self,
        functions: &[events::Function],
        event: &Event,
        metric_values: *mut u64,
        shift: u64,
    ) {
        let words = &self.script.words[event.words as usize..];
        let context = Context {
            location: event.location.0,
            timestamp: event.timestamp.wrapping_add(shift),
            metric_values,
            handle_lists: &self.script.handle_lists,
            value_lists: &self.script.value_lists,
        };
        let unpassed = self.release.unpassed(event.number);
        self.watch.during(watch::EVERYTHING, EVENTS[event.number as usize].c_name, || {
            if unpassed > 0 {
                return self.call_with_garbage(functions, event, context, unpassed);
            }
            for function in functions {
                // SAFETY: from the table, so registered for this event; the script contains the
                // arguments that it requires.
                unsafe { events::call(*function, event.number, words, context) };
            }
        });
    }

    /// Like [`call_functions`](Self::call_functions), but passes garbage for the last `unpassed`
    /// arguments.
    fn call_with_garbage(
        &self,
        functions: &[events::Function],
        event: &Event,
        context: Context<'_>,
        unpassed: usize,
    ) {
        let count = events::words(event.number);
        let mut words = [0; MOST_WORDS];
        words[..count].copy_from_slice(&self.script.words[event.words as usize..][..count]);
        for function in functions {
            words[count - unpassed..count].fill_with(|| self.garbage.next());
            // SAFETY: as in `call_functions`; the words that differ are plain numbers.
            unsafe { events::call(*function, event.number, &words, context) };
        }
    }

    fn location(&self, id: u32) -> *const SCOREP_Location {
        self.host.locations.get(id).expect("checked by the script").address()
    }

    fn parent(&self, id: Option<u32>) -> *const SCOREP_Location {
        id.map_or(ptr::null(), |id| self.location(id))
    }

    /// Calls a function of every plugin that implements it.
    fn each<F: Copy>(&self, member: impl Fn(&SCOREP_SubstratePluginInfo) -> Option<F>, call: impl Fn(F)) {
        self.plugins().iter().filter_map(|plugin| member(&plugin.info)).for_each(call);
    }

    fn action(&self, action: &Action) {
        match *action {
            Action::Init => self.plugins.set(plugin::load(&self.names, self.release)).expect("one `init`"),
            Action::SetCallbacks => self.plugins().iter().for_each(Plugin::set_callbacks),
            Action::GetEventFunctions { mode } => {
                self.tables[mode].set(Table::of(self.plugins(), mode, self.release)).expect("each mode once");
            }
            Action::NewDefinitionHandle(ref announced) => self.announce(announced),
            Action::AssignId => self.assign_id(),
            Action::GetRequirement { flag } => self.get_requirement(flag),
            Action::DumpManifest => self.dump_manifest(),
            Action::InitMpp { size, .. } => self.init_mpp(size),
            Action::PreUnify => self.pre_unify(),
            Action::WriteData => self.write_data(),
            Action::Finalize => self.finalize(),
            Action::Event(_) => unreachable!("events are steps of their own"),
            _ => self.location_action(action),
        }
    }

    fn location_action(&self, action: &Action) {
        match *action {
            Action::CreateLocation { location, parent, .. } => self.create_location(location, parent),
            Action::DeleteLocation { location, .. } => self.delete_location(location),
            Action::ActivateLocation { location, parent, fork_sequence_count } => {
                let (location, parent) = (self.location(location), self.parent(parent));
                // SAFETY: locations of this host, created and not deleted.
                self.each(
                    |info| info.activate_cpu_location,
                    |f| unsafe { f(location, parent, fork_sequence_count) },
                );
            }
            Action::DeactivateLocation { location, parent } => {
                let (location, parent) = (self.location(location), self.parent(parent));
                // SAFETY: as above.
                self.each(|info| info.deactivate_cpu_location, |f| unsafe { f(location, parent) });
            }
            Action::CreateTask { location, task } => {
                let (location, task) = (self.location(location), ptr::without_provenance_mut(task as usize));
                // SAFETY: as above; a task is opaque.
                self.each(|info| info.core_task_create, |f| unsafe { f(location, task) });
            }
            Action::CompleteTask { location, task } => {
                let (location, task) = (self.location(location), ptr::without_provenance_mut(task as usize));
                // SAFETY: as above.
                self.each(|info| info.core_task_complete, |f| unsafe { f(location, task) });
            }
            _ => unreachable!("{action:?} is not a call about a location"),
        }
    }

    fn announce(&self, announced: &Announcement) {
        let Announcement { handle, kind, ref raw, .. } = *announced;
        match kind {
            SCOREP_HANDLE_TYPE_STRING => self.host.arena.store_string(handle as usize, raw),
            _ => self.host.arena.store(handle as usize, raw),
        }
        self.host.arena.announce(handle, kind);
        // SAFETY: the definition is in the arena.
        self.each(|info| info.new_definition_handle, |f| unsafe { f(handle, kind) });
        if kind == SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR {
            self.fill_in_payload(handle);
        }
    }

    /// Writes the fields that MPI communicators receive after their announcement: sizes, ranks and
    /// numbers, with their values at `pre_unify`.
    fn fill_in_payload(&self, handle: u32) {
        if self.host.arena.field(handle, field::COMMUNICATOR_PARADIGM) != SCOREP_PARADIGM_MPI {
            return;
        }
        let words = match self.release.generation() {
            Generation::New => 6,
            Generation::Old => 5,
        };
        let start = handle as usize + field::COMMUNICATOR_PAYLOAD;
        if let Some(payload) = self.pre_unify.get(start..start + 4 * words) {
            self.host.arena.store(start, payload);
        }
    }

    fn assign_id(&self) {
        for (id, plugin) in self.plugins().iter().enumerate() {
            if let Some(assign_id) = plugin.info.assign_id {
                // SAFETY: the plugin is loaded and initialised, and takes any number.
                unsafe { assign_id(id) };
            }
        }
    }

    fn get_requirement(&self, flag: u32) {
        // SAFETY: may be called at any time.
        let required = |f: unsafe extern "C" fn(u32) -> bool| unsafe { f(flag) };
        let experiment: &Experiment = &self.host.experiment;
        self.each(
            |info| info.get_requirement,
            |f| {
                if required(f) && flag == SCOREP_SUBSTRATES_REQUIREMENT_CREATE_EXPERIMENT_DIRECTORY {
                    experiment.require();
                }
            },
        );
    }

    fn dump_manifest(&self) {
        self.host.experiment.create(|stream, working, directory| {
            self.each(
                |info| info.dump_manifest,
                // SAFETY: an open stream and two strings.
                |f| unsafe { f(stream.cast(), working.as_ptr(), directory.as_ptr()) },
            );
        });
    }

    fn init_mpp(&self, size: u32) {
        self.host.size.store(size, Ordering::Release);
        self.host.mpp.store(true, Ordering::Release);
        self.host.ipc.check_size(size);
        self.host.experiment.settle();
        // SAFETY: the plugins are loaded and initialised, and the function has no arguments.
        self.manage(|info| info.init_mpp, |init_mpp| unsafe { init_mpp() });
    }

    /// Like [`each`](Self::each), for the calls in which plugins may communicate.
    fn manage<F: Copy>(&self, member: impl Fn(&SCOREP_SubstratePluginInfo) -> Option<F>, call: impl Fn(F)) {
        self.host.management.store(true, Ordering::Release);
        self.each(member, call);
        self.host.management.store(false, Ordering::Release);
    }

    fn create_location(&self, id: u32, parent: Option<u32>) {
        let created = self.host.locations.get(id).expect("checked by the script");
        created.create(self.plugins().len());
        let (location, parent) = (created.address(), self.parent(parent));
        // SAFETY: a new location and one created before.
        self.each(|info| info.create_location, |f| unsafe { f(location, parent) });
    }

    fn delete_location(&self, id: u32) {
        let location = self.location(id);
        // SAFETY: the location exists until all plugins have been notified.
        self.each(|info| info.delete_location, |f| unsafe { f(location) });
        self.host.locations.get(id).expect("checked by the script").delete();
    }

    fn pre_unify(&self) {
        self.host.arena.store(0, &self.pre_unify);
        self.host.names_final.store(true, Ordering::Release);
        // SAFETY: the plugins are loaded and initialised, and the function has no arguments.
        self.manage(|info| info.pre_unify, |pre_unify| unsafe { pre_unify() });
    }

    fn write_data(&self) {
        self.host.arena.store(0, &self.write_data);
        // SAFETY: the plugins are loaded and initialised, and the function has no arguments.
        self.manage(|info| info.write_data, |write_data| unsafe { write_data() });
        self.host.arena.close();
    }

    /// Calls `finalize`. A real host finalises MPI after this, which is collective.
    fn finalize(&self) {
        // SAFETY: the plugins are loaded and initialised, and the function has no arguments.
        self.manage(|info| info.finalize, |finalize| unsafe { finalize() });
        self.host.ipc.finalize();
        self.host.experiment.leave();
    }
}

impl Player {
    #[inline]
    fn step(&self, step: &Step, shift: u64) {
        match step {
            Step::Event(event) => self.event(event, shift),
            Step::Call(action) => match self.script.actions.get(*action as usize) {
                Some(action) => self.action(action),
                None => fail("a step of the script refers to no action"),
            },
        }
    }

    fn play_with_signals(&self, mut steps: &[Step], shift: u64) {
        while let Some(first) = steps.first() {
            let interrupting = signals::interrupting(&self.script, steps);
            if interrupting == 0 {
                self.step(first, shift);
            } else {
                signals::interrupt(self, &steps[..interrupting], shift);
            }
            steps = &steps[interrupting.max(1)..];
        }
    }

    /// Plays steps inside a signal handler, where allocation is not allowed.
    pub(crate) fn play_interrupting(&self, steps: &[Step], shift: u64) {
        for step in steps {
            self.watch.during(watch::ALLOCATION, c"a signal handler", || self.step(step, shift));
        }
    }
}

impl Play for Player {
    fn run(&self, part: &ScriptPart, run: &Run, shift: u64) {
        let steps = &part.steps[run.steps.clone()];
        if self.samples_in_signals {
            return self.play_with_signals(steps, shift);
        }
        for step in steps {
            self.step(step, shift);
        }
    }
}
