//! Tests of the arena with definitions in memory: synthetic, recorded and damaged ones.

mod allocations;
mod block;
mod fake;
mod host;
mod layouts;
mod mutations;
mod recordings;
mod reference;
