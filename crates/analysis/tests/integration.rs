//! The tests of the crate, in one binary.

mod calls;
mod causes_random;
mod causes_samples;
mod delays;
mod delays_programs;
mod delays_random;
mod delays_reference;
mod file_waits;
mod findings;
mod iterations;
mod lateness_random;
mod metrics;
mod one_sided;
mod one_sided_random;
mod overview;
mod profiles;
mod replay;
mod samples;
mod statistics;
mod task_waits_random;
mod tasks;
mod thread_waits;
mod waits;
mod waits_random;
mod window_locks;
