//! The tests of the plugins, in three parts, each with a folder of its own.
//!
//! * [`replay`] is a host that plays recorded runs to plugins. It uses neither of the others.
//! * [`scenarios`] runs programs that end badly or are killed, and judges the remaining files.
//! * [`testing`] is the support of the integration tests: recordings, plugins built from their
//!   sources, replays, faults, and traces as text.
//!
//! The hosts in C are in `c-hosts`, the libraries that are preloaded into programs under test in
//! `c`.

pub mod replay;
pub mod scenarios;
pub mod testing;
