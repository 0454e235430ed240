//! Replays of recordings, recorded and synthetic.
//!
//! Every replay is a process of its own, so these tests share one program, which is built and
//! linked once.
//!
//! The other files in `tests` stay programs of their own, because `cargo test` runs the tests of
//! one program at the same time, and programs in sequence. `kills`, `killed_replays`, `races` and
//! `mpi` start as many processes as the machine can run; `ends`, `limits`, `misuse` and
//! `small_file_systems` exhaust memory or time; `scripts/faults` runs `faults` and `faults_record`,
//! one test at a time. Replays next to them would change their timing, and some here have time
//! limits.

mod clocks;
mod common;
mod contexts;
mod forbidden;
mod golden;
mod hosts;
mod ipc;
mod loading;
mod log;
mod options;
mod print_regions;
mod ranks;
mod rewind;
mod traces;
