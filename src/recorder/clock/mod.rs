//! The clock behind a host's timestamps: which it is, how fast it ticks, and where it stands beside those of the other ranks.
//!
//! A substrate plugin gets timestamps but no timer (plugin interface, §13), so every [`Reading`] takes all [`Clock`]s a host may
//! use, and which of them matters is decided last. A [`Fit`] says how near a fresh timestamp was to each; the ranks put theirs
//! together, because two clocks that happen to agree on one machine do not on all. It makes no difference then whether the first
//! timestamp came before or after the ranks first met.
//!
//! # Several ranks
//!
//! The ranks meet twice, early and late ([`Synchronisation`]). Each time every rank exchanges readings with its parent in the tree of
//! ranks and keeps the fastest exchange: what the parent read lies between what the rank read before and after, so half the
//! time between is the most by which the middle can be wrong. Two meetings make a line from a rank's clock to its parent's, whatever
//! their distance, drift and rates; lines are put together from rank 0 downwards, and their uncertainties add up. Readers apply
//! the line because it is written as two clock offsets.
//!
//! # One machine
//!
//! Ranks on one [`Node`] read the same clocks, and what an exchange would measure between them is noise: they share one line.
//! That is right for the clocks of the system, which one kernel keeps for all, and for the virtual counter of aarch64, one for the
//! whole machine by its architecture. The time stamp counters of x86-64 are one per core: they agree if they tick at one rate
//! (`constant_tsc`) in all states of sleep (`nonstop_tsc`) and were started together, which the boot of a machine sees to and which a
//! kernel that trusts them as its clock has checked. On old or broken machines, for a machine that was copied while it ran, and in
//! containers with a time of their own this does not hold although the boot is the same; so a parent's readings are
//! believed to be of the same clocks only while they lie between the rank's own, and a line is shared only where it does not contradict
//! what was measured.

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
