//! Support for the integration tests: recordings, plugins built from their sources, replays, and
//! traces as text.
//!
//! An error here fails the test, so these functions panic with a message instead of returning
//! errors.

mod archives;
mod canonical;
mod faults;
mod memory_group;
mod mounts;
mod plugins;
mod printed;
mod readers;
mod recordings;
mod replays;
pub mod synthetic;
mod temporary;

pub use archives::Archive;
pub use canonical::{canonical, difference};
pub use faults::{CallKind, Conditions, Fault, Outcome, Program, stride, sweep};
pub use memory_group::MemoryGroup;
pub use mounts::Mounts;
pub use plugins::{
    build_faulty_plugin, build_plugin, build_program, compile_failures, compile_host, compile_mpi_host,
    compile_plugin, compile_plugin_as, compile_program, compile_raw, compile_watch, plugin_folder,
    scenario_programs,
};
pub use printed::{otf2_print, reference_print};
pub use readers::{kymo_check, python_counts};
pub use recordings::{RecordingFolder, recordings, recordings_of_7_1, short_recordings};
pub use replays::{Replay, compare_traces};
pub use temporary::TemporaryFolder;
