//! Kymo: a Score-P substrate plugin that writes OTF2 traces.
//!
//! Score-P loads it with `SCOREP_SUBSTRATE_PLUGINS=kymo` and passes it every event of the program.
//! The archive is `<experiment directory>/kymo/traces.otf2`.
//!
//! This crate only connects the other crates: `kymo-substrate` is the plugin interface,
//! `kymo-recorder` stores records and writes them to files, and `kymo-otf2` is the file format. The
//! life cycle of the plugin is in this file. [`events`] turns callbacks into records,
//! [`definitions`] turns announcements into definitions, and both use the tables of [`mapping`].
//! [`archive`] opens and finishes the archive together with the other [`ranks`], [`time`] is its
//! clock, and [`notes`] adds what recovery needs. [`settings`] reads the user's settings;
//! [`release`] recognises the release of Score-P.

mod archive;
#[cfg(all(test, feature = "bindgen"))]
mod bindings_tests;
mod definitions;
mod events;
#[cfg(feature = "deliberate-faults")]
mod faults;
mod mapping;
mod notes;
mod ranks;
mod release;
mod settings;
mod time;

use std::{error::Error, fs};

use kymo_recorder::{Recorder, memory::Budget, scratch::ScratchFile};
use kymo_substrate::{
    Definition, Events, Host, Location, Manifest, Requirement, Step, SubstratePlugin, report,
};

use crate::{
    archive::Archive,
    definitions::DefinitionIds,
    ranks::{HostIpc, attempt},
    release::CurrentRelease,
    settings::Settings,
    time::Time,
};

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
    recorder: Recorder,
    definitions: DefinitionIds,
    time: Time,
    archive: Archive,
    settings: Settings,
    release: CurrentRelease,
}

kymo_substrate::export!(Kymo, "kymo");

impl SubstratePlugin for Kymo {
    const ENABLED: Events<Self> = events::ENABLED;
    const DISABLED: Events<Self> = events::DISABLED;

    fn init() -> Result<Self, Box<dyn Error>> {
        let settings = Settings::read();
        let scratch = ScratchFile::make(&settings.scratch).unwrap_or_else(|what| {
            report(NAME, format_args!("{what}: unwritten events will not survive if the process is killed"));
            None
        });
        let path = scratch.as_ref().map(|scratch| scratch.path().to_owned());
        let parts = || {
            let recorder = Recorder::new(&BUDGET, scratch, &settings.memory)?;
            let definitions = DefinitionIds::new(&BUDGET, recorder.drain().journal())?;
            Some((recorder, definitions))
        };
        let (recorder, definitions) = parts().ok_or_else(|| {
            path.iter().for_each(|path| _ = fs::remove_file(path));
            "no memory for the tables of the plugin; the program runs without it"
        })?;
        archive::absent::records();
        Ok(Self {
            recorder,
            definitions,
            time: Time::new(),
            archive: Archive::new(),
            settings,
            release: CurrentRelease::new(),
        })
    }

    const IS_AWAITED: bool = true;

    fn absent(step: Step, host: Host) {
        archive::absent::take_part(step, host);
    }

    fn get_requirement(&self, requirement: Requirement) -> bool {
        requirement == Requirement::CREATE_EXPERIMENT_DIRECTORY
    }

    fn new_definition_handle(&self, definition: Definition) {
        // In a child made by `fork`, the lock may be held by a thread that the child does not have.
        if self.recorder.output().is_ours() {
            self.definitions.announce(definition, &self.host());
        }
    }

    fn create_location(&self, location: Location, _parent: Option<Location>) {
        if self.recorder.output().is_ours() {
            self.add_location(location);
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

    fn init_mpp(&self) {
        if self.recorder.output().is_ours() {
            // A panic in the local work of this process must not keep it from the collective steps.
            let _ = attempt(|| self.definitions.init_processes());
            let _ = attempt(|| self.open_archive());
            self.time.meet(&HostIpc::new(self.host()));
            self.note_processes();
            #[cfg(feature = "deliberate-faults")]
            faults::commit_on(kymo_recorder::ranks::Ipc::rank(&HostIpc::new(self.host())));
        }
    }

    fn deactivate_cpu_location(&self, location: Location, _parent: Option<Location>) {
        if let Some(track) = self.recorder.track(location.address()) {
            track.pause();
        }
    }

    fn pre_unify(&self) {
        if self.recorder.output().is_ours() {
            let _ = attempt(|| self.note_everything());
            self.time.meet_again(&HostIpc::new(self.host()), self.settings.verbose);
        }
    }

    fn write_data(&self) {
        self.write_archive();
    }

    /// Removes the scratch file if the archive was never opened: the host then discards the whole
    /// run, and there is no directory to write to. Otherwise the host still ends the measurement,
    /// or the scratch file remains for recovery.
    fn exit(&self) {
        let output = self.recorder.output();
        if output.is_ours() && output.storage().is_err() {
            self.remove_scratch();
        }
    }

    fn finalize(&self) {
        if self.recorder.output().is_ours() {
            // This is also reached if the host never asked for the data.
            self.recorder.drain().finish();
        }
    }
}

impl Kymo {
    fn host(&self) -> Host {
        Host::of::<Self>()
    }
}
