//! `kymo print`: the expectation is the output of the reference tool for the same archive, where it
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
