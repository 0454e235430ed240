//! The command `kymo <verb>`.
//!
//! This file maps the outcome to an exit status; [`command_line`] defines the arguments, [`verbs`]
//! runs them, with one module per verb. Invariant: the requested output is written to stdout,
//! everything else to stderr, and no input causes a panic.

#![deny(unsafe_code)]

mod amendment;
mod anchor_path;
mod check;
mod command_line;
mod date;
mod doctor;
mod escape;
mod estimate;
mod examples;
mod explain;
mod export;
mod function_names;
mod instant;
mod interruption;
mod location_names;
mod manual;
mod marker;
mod mcp;
mod merge;
mod mistake;
mod new_archive;
mod new_file;
mod new_folder;
mod noise;
mod number;
mod output;
mod part;
mod print;
mod problem;
mod profile;
mod progress;
mod record;
mod recover;
mod regular;
mod report;
mod scaling;
mod seal;
mod selected;
#[expect(unsafe_code, reason = "signal handlers have no safe interface")]
mod signal_stacks;
mod snapshots;
mod span;
mod stats;
mod status;
mod tau2otf2;
mod thumbnail;
mod time;
mod trace;
mod tree;
mod verbs;
mod view;

use std::process::ExitCode;
use std::thread;

use rustix::process::{Resource, getrlimit};

/// The stack that every verb gets by with, in bytes. The system's usual limit is 8 MiB.
const STACK: usize = 8 << 20;

fn main() -> ExitCode {
    signal_stacks::restore_signals();
    let is_little = getrlimit(Resource::Stack).current.is_some_and(|limit| limit < STACK as u64);
    let thread = is_little.then(|| thread::Builder::new().stack_size(STACK).spawn(run));
    match thread {
        Some(Ok(thread)) => thread.join().unwrap_or(ExitCode::FAILURE),
        // Without the thread, the little room may still be enough.
        Some(Err(_)) | None => run(),
    }
}

fn run() -> ExitCode {
    match command_line::parse(std::env::args_os()) {
        Ok(verb) => verb.run(),
        Err(ended) => ended.exit_code(),
    }
}
