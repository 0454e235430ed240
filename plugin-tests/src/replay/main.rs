//! `kymo-replay`: plays a recording to substrate plugins, like a dynamically linked Score-P.
//!
//! The build script exports `SCOREP_Timer_GetClockResolution` in the dynamic symbol table.

use std::process::ExitCode;

fn main() -> ExitCode {
    kymo_plugin_tests::replay::command::run()
}
