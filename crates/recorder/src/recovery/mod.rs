//! Recovery: builds an archive from the remains of processes that did not end properly.
//!
//! A process keeps its events, and everything else that an archive needs, in a scratch file
//! ([`scratch`](crate::scratch)) and, in case that is lost, in side files. [`CrashedProcess`] is
//! the remaining data of one process; a [`Job`] builds one archive from the remains of all
//! processes. Invariants: the remains are never changed. Whatever the files contain, recovery does
//! not panic, terminates, and takes no more memory than the definitions and locations that fit into
//! the files.

mod bytes;
mod calls;
mod communicators;
mod crashed_process;
mod entries;
mod facts;
mod image;
mod job;
mod location;
mod log;
mod member;
mod note;
mod repair;
mod report;
mod settings;
mod stream;
mod system;
mod times;

pub use crashed_process::CrashedProcess;
pub use image::{NoScratch, Origin, origin};
pub use job::{Job, Known};
pub use member::Member;
pub use note::Note;
pub use repair::{Repaired, repair_events};
pub use report::{LocationReport, RankReport, Report, ranges};
pub use settings::Settings;
