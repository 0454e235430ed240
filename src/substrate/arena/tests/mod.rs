//! The arena against definitions in memory: made up ones, recorded ones, and wrong ones.

mod allocations;
mod block;
mod fake;
mod host;
mod layouts;
mod mutations;
mod recordings;
mod reference;
