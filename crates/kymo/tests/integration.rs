//! The integration tests of the command, one module per subject.
//!
//! All modules share this process and run in its threads: none of them changes the working
//! directory, the environment or a limit of the process.

mod check_cases;
mod check_changes;
mod check_common;
mod ended;
mod faults;
mod merge_common;
mod record_common;
mod record_fake;

mod change;
mod check;
mod check_archives;
mod check_command;
mod check_hostile;
mod command_line;
mod estimate;
mod explain;
mod export;
mod headers;
mod judges;
mod manual;
mod mcp;
mod merge;
mod otf2_3_2;
mod parts;
mod power_loss;
mod print;
mod profile;
mod python_package;
mod questions;
mod record_accelerators;
mod record_annotations;
mod record_behaviour;
mod record_command;
mod record_generated;
mod record_jobs;
mod record_leftovers;
mod record_limits;
mod record_noise;
mod record_openmp;
mod record_paradigms;
mod record_programs;
mod record_python;
mod record_random;
mod record_sampling;
mod record_sanitizers;
mod record_tiny;
mod record_waiting;
mod recover;
mod report;
mod scaling;
mod seal;
mod stats;
mod tau2otf2;
mod terminal;
mod timelines;
mod view;
