//! `kymo print`: the expectation is what the reference tool prints for the same archive, where it
//! can print it.

mod archives;
mod deviations;
mod forms;
mod hostile;
mod made;
mod options;
mod programs;
mod random;
mod samples;
