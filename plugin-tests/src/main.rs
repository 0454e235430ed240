//! `kymo-replay`: plays a recording at substrate plugins, like a Score-P with shared libraries.
//!
//! Its dynamic symbol table has `SCOREP_Timer_GetClockResolution`, put there by the build script.

use std::process::ExitCode;

fn main() -> ExitCode {
    kymo_plugin_tests::command::run()
}
