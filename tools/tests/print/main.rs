//! `kymo print`: what the reference tool prints of the same archive is the expectation, where it can print it.

mod archives;
mod deviations;
mod forms;
mod hostile;
mod made;
mod options;
mod programs;
mod random;
mod samples;
