//! Kymo: a Score-P substrate plugin that writes OTF2 traces.
//!
//! Score-P loads it with `SCOREP_SUBSTRATE_PLUGINS=kymo` and passes it every event of the program.
//! The archive is `<experiment directory>/kymo/traces.otf2`.
//!
//! This crate only connects the other crates: `kymo-substrate` is the plugin interface,
//! `kymo-recorder` stores records and writes them to files, and `kymo-otf2` is the file format. Its
//! parts: [`events`] turns callbacks into records, [`definitions`] turns announced handles into
//! definitions, and [`life`] opens, describes and finishes the archive. All use the tables of
//! [`mapping`] and [`release`]. [`settings`] reads the user's settings.

#[cfg(all(test, feature = "bindgen"))]
mod bindings_tests;
mod definitions;
mod events;
#[cfg(feature = "deliberate-faults")]
mod faults;
mod life;
mod mapping;
mod release;
mod settings;

use std::{error::Error, fs};

use kymo_recorder::{memory::Budget, scratch::ScratchFile};
use kymo_substrate::{
    Definition, Events, Host, Location, Manifest, RegionHandle, Requirement, Step, StringHandle,
    SubstratePlugin, Timestamp, report,
};

use crate::{events::Sink, life::Life, settings::Settings};

/// The name of the plugin, which is also the prefix of its messages and the name of its folder.
const NAME: &str = "kymo";

/// An allocator that never aborts the program when the system refuses memory.
#[global_allocator]
static ALLOCATOR: kymo_allocator::Allocator = kymo_allocator::Allocator;

/// The budget of all memory taken after `init`, except for events, which have their own limit.
static BUDGET: Budget = Budget::new(usize::MAX);

/// The plugin.
#[derive(Debug)]
struct Kymo {
    sink: Sink,
    life: Life,
}

kymo_substrate::export!(Kymo, "kymo");

impl SubstratePlugin for Kymo {
    const ENABLED: Events<Self> = events::ENABLED;
    const DISABLED: Events<Self> = events::DISABLED;

    fn init() -> Result<Self, Box<dyn Error>> {
        let mut settings = Settings::read();
        // Its samples do not tell which calls have lasted since the one before.
        settings.converts_contexts &= !host().is_runtime();
        let scratch = ScratchFile::make(&settings.scratch).unwrap_or_else(|what| {
            report(NAME, format_args!("{what}: unwritten events will not survive if the process is killed"));
            None
        });
        let path = scratch.as_ref().map(|scratch| scratch.path().to_owned());
        let sink = Sink::new(scratch, &settings).ok_or_else(|| {
            if let Some(path) = path {
                let _ = fs::remove_file(path);
            }
            "no memory for the tables of the plugin; the program runs without it"
        })?;
        let life = Life::new(settings, sink.drain());
        Ok(Self { sink, life })
    }

    const IS_AWAITED: bool = true;

    fn absent(step: Step, host: Host) {
        life::archive::absent::take_part(step, host);
    }

    fn get_requirement(&self, requirement: Requirement) -> bool {
        requirement == Requirement::CREATE_EXPERIMENT_DIRECTORY
    }

    fn new_definition_handle(&self, definition: Definition) {
        // In a child made by `fork`, the lock may be held by a thread that the child does not have.
        if self.life.is_ours() {
            self.sink.announce(definition, &host());
        }
    }

    fn create_location(&self, location: Location, _parent: Option<Location>) {
        if self.life.is_ours() {
            self.life.add_location(location, &self.sink);
        }
    }

    #[cfg(feature = "deliberate-faults")]
    fn activate_cpu_location(&self, _location: Location, _parent: Option<Location>, _count: u32) {
        faults::commit();
    }

    fn dump_manifest(&self, manifest: &Manifest<'_>) {
        manifest.section(c"Kymo");
        manifest.entry(c"kymo/traces.otf2", c"Anchor file of the OTF2 archive: open this one.");
        manifest.entry(c"kymo/traces.def", c"Global definitions of the archive.");
        manifest.entry(c"kymo/traces/", c"Events and local definitions of the archive, by location.");
    }

    fn pause(&self, pauses: bool) {
        if self.life.is_ours() {
            self.life.pause_writer(pauses);
        }
    }

    fn init_mpp(&self) {
        if self.life.is_ours() {
            let _rank = self.life.join(&self.sink);
            #[cfg(feature = "deliberate-faults")]
            faults::commit_on(_rank);
        }
    }

    fn deactivate_cpu_location(&self, location: Location, _parent: Option<Location>) {
        self.sink.pause(location);
    }

    fn pre_unify(&self) {
        if self.life.is_ours() {
            self.life.prepare(&self.sink);
        }
    }

    fn write_data(&self) {
        self.life.write_archive(&self.sink);
    }

    fn exit(&self) {
        self.life.exit();
    }

    fn finalize(&self) {
        if self.life.is_ours() {
            self.life.finish();
        }
    }
}

/// The two events that concern both parts.
impl Kymo {
    #[expect(clippy::too_many_arguments, reason = "the signature is that of the plugin interface")]
    fn program_begin(
        &self,
        at: Location,
        time: Timestamp,
        name: StringHandle,
        arguments: &[StringHandle],
        _region: RegionHandle,
        process_id: u64,
        thread_id: u64,
    ) {
        if let Some(clock) = self.life.begin(time) {
            self.sink.set_clock(clock);
        }
        self.life.note_begin();
        self.sink.program_begin(at, time, name, arguments, process_id, thread_id);
    }

    fn program_end(&self, at: Location, time: Timestamp, exit_status: i64, _region: RegionHandle) {
        self.life.end(time);
        self.sink.program_end(at, time, exit_status);
    }
}

/// Returns the functions of the host.
fn host() -> Host {
    Host::of::<Kymo>()
}
