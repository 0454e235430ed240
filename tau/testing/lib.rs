//! What the tests of several crates share about TAU traces: small traces, and the body of the fuzz
//! target with its seeds.

pub mod fuzz;
pub mod traces;
