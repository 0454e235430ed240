//! The findings of a run: rules over the causes of waiting and the critical path.
//!
//! Each rule has a file. A [`Finding`] states what could be gained, and how that is known; nothing
//! below a hundredth of the run is one, and a run without findings is an answer. Findings are
//! in the order of their gains; those that may not be true come last.

mod finding;
mod hot_path;
mod idle_threads;
mod imbalance;
mod locks;
mod messages;
mod not_hidden;
mod run;
mod serial;
mod slow_iterations;
mod small_messages;
mod straggler;
mod work;

use crate::causes::Causes;
use crate::contexts::Contexts;
use crate::error::Error;
use crate::trace::Trace;
use run::Run;
use std::cmp::Reverse;

pub use finding::{Certainty, Evidence, Fact, Finding};
pub use run::samples_are_whole;

/// The largest number of findings.
pub const MOST: usize = 10;
/// The smallest part of the length of the run that a finding would gain: a hundredth.
const LEAST: u128 = 100;

/// The findings of a run.
#[derive(Debug)]
pub struct Findings {
    /// The findings, the one with the largest gain first.
    pub all: Vec<Finding>,
    /// The places of findings as calling contexts: those of calls, but paths begin at the outermost
    /// parallel region of OpenMP, and have none of the functions of its runtime then.
    pub places: Contexts,
}

impl Findings {
    /// The names of all rules.
    pub const RULES: [&'static str; 14] = [
        "straggler",
        "serial_phase",
        "idle_threads",
        "imbalance",
        "hot_path",
        "not_running",
        "startup",
        "wrong_order",
        "locks",
        "late_receivers",
        "not_hidden",
        "small_messages",
        "slow_iterations",
        "slower_iterations",
    ];

    /// Returns the findings of a run.
    ///
    /// # Errors
    ///
    /// If there are too many places.
    pub fn of(trace: &Trace, causes: &Causes) -> Result<Self, Error> {
        let run = Run::of(trace, causes)?;
        let is_worth =
            |finding: &Finding| u128::from(finding.gain) * LEAST >= run.length() && finding.gain > 0;
        // A finding for which other rules leave places out must be reported.
        let worth = |mut found: Vec<Finding>| {
            found.retain(is_worth);
            found
        };
        let serial = worth(serial::of(&run));
        let mut all = worth(straggler::of(&run, &serial));
        all.extend(serial);
        all.extend(worth(idle_threads::of(&run)));
        all.extend(worth(locks::of(&run)));
        let imbalance = imbalance::of(&run, &all);
        all.extend(imbalance);
        all.extend(hot_path::of(&run));
        all.extend(messages::of(&run));
        all.extend(not_hidden::of(&run));
        all.extend(small_messages::of(&run));
        all.extend(slow_iterations::of(&run));
        let mut all = worth(all);
        all.sort_by_key(|it| (it.certainty == Certainty::Doubtful, Reverse(it.gain), it.certainty));
        all.truncate(MOST);
        Ok(Self { all, places: run.work.tree })
    }
}
