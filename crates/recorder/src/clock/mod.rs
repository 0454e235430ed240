//! The clock of a host's timestamps: which one it is, how fast it ticks, and how it relates to the
//! clocks of the other ranks.
//!
//! A substrate plugin receives timestamps but no timer (docs/spec/scorep-substrate-abi.md, §13). So
//! every [`Reading`] includes all [`Clock`]s that a host may use, and the relevant one is
//! determined last. A [`Fit`] describes how close a fresh timestamp was to each clock. The ranks
//! combine their fits, because two clocks that happen to agree on one machine do not agree on all.
//! It then makes no difference whether the first timestamp was taken before or after the ranks
//! first met.
//!
//! # Several ranks
//!
//! The ranks meet twice, early and late ([`Synchronisation`]). Each time, every rank exchanges
//! readings with its parent in the tree of ranks and keeps the fastest exchange. The parent's
//! reading was taken between the rank's readings before and after it, so the midpoint is wrong by
//! at most half the time between them. Two meetings define a line from a rank's clock to its
//! parent's, whatever their distance, drift and rates. Lines are composed from rank 0 downwards,
//! and their uncertainties add up. A line is written as two clock offsets, so readers apply it.
//!
//! # One machine
//!
//! Ranks on one [`Node`] read the same clocks, and an exchange between them would only measure
//! noise, so they share one line. This is correct for the clocks of the system, which one kernel
//! keeps for all of them, and for the virtual counter of aarch64, which by its architecture is one
//! counter for the whole machine. The time stamp counters of x86-64 are one per core. They agree if
//! they tick at the same rate (`constant_tsc`) in all sleep states (`nonstop_tsc`) and were started
//! together; the boot of a machine ensures that, and a kernel that trusts them as its clock has
//! checked it. On old or broken machines, on a machine that was copied while it ran, and in
//! containers with their own time, this is not true although the boot is the same. Therefore a
//! parent's readings are taken to be from the same clocks only while they are between the rank's
//! own, and a line is shared only where it does not contradict the measurements.

mod exchange;
mod fit;
mod line;
mod machine;
mod reading;
mod synchronisation;

pub use fit::Fit;
pub use line::Line;
pub use machine::{Machine, Node, ThisMachine};
pub use reading::{Clock, Reading};
pub use synchronisation::{Synchronisation, Synchronised, Unsynchronised};
