//! `kymo-replay-static`: plays a recording at substrate plugins, like a Score-P linked statically into the program.
//!
//! It exports no symbol; otherwise the same as `kymo-replay`.

use std::process::ExitCode;

fn main() -> ExitCode {
    kymo_plugin_tests::command::run()
}
