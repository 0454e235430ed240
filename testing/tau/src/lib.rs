//! Shared test code for TAU traces: small traces, and the body of the fuzz target with its seeds.

pub mod fuzz;
pub mod traces;
