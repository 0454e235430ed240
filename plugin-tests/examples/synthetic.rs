//! Writes a synthetic recording into a folder: `cargo run -p kymo-plugin-tests --example synthetic
//! every-event FOLDER`.

use kymo_plugin_tests::testing::synthetic::every_event;
use std::env;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let recording = match arguments.first().map(String::as_str) {
        Some("every-event") => every_event::every_event(),
        Some("ends-off") => every_event::ends_off(),
        _ => {
            eprintln!("synthetic: expected every-event or ends-off, and a folder");
            return ExitCode::FAILURE;
        }
    };
    let Some(folder) = arguments.get(1) else {
        eprintln!("synthetic: expected a folder after {}", arguments[0]);
        return ExitCode::FAILURE;
    };
    recording.write(Path::new(folder));
    ExitCode::SUCCESS
}
