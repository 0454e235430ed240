//! `kymo-replay-static`: plays a recording to substrate plugins, like a statically linked Score-P.
//!
//! It exports no symbols; otherwise it is identical to `kymo-replay`.

use std::process::ExitCode;

fn main() -> ExitCode {
    kymo_plugin_tests::replay::command::run()
}
