//! Recovery: what processes left behind that did not get to end, becomes an archive.
//!
//! A process keeps its events and everything else that an archive needs in a scratch file ([`scratch`](crate::scratch)) and, where that
//! may be lost, in side files. [`Remains`] is what is left of one process; a [`Job`] makes one archive of the remains of all.
//! Invariants: nothing of it is changed; no content of a file makes this panic, run on without end, or take more memory than the
//! definitions and locations that the files have room for.

mod bytes;
mod calls;
mod communicators;
mod entries;
mod facts;
mod image;
mod job;
mod log;
mod member;
mod note;
mod remains;
mod repair;
mod report;
mod stream;
mod system;
mod times;

pub use image::{NoScratch, Origin, origin};
pub use job::{Job, Known, Settings};
pub use member::Member;
pub use note::Note;
pub use remains::Remains;
pub use repair::{Repaired, repair_events};
pub use report::{LocationReport, RankReport, Report, ranges};
