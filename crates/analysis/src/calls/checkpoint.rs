//! Where reading of a location can begin: the calls that are open at one of its events.

use super::Task;
use kymo_otf2::references::RegionRef;
use serde::{Deserialize, Serialize};

/// An event at which reading can begin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The number of the event in its location, from 1.
    pub number: u64,
    /// The time of the event in nanoseconds.
    pub time: u64,
    /// The time of the event before it.
    pub previous: u64,
    /// The time of the last sample before it.
    pub last_sample: Option<u64>,
    /// The calls that are open before it: those of suspended tasks, then those of the running one.
    pub stacks: Vec<OpenCalls>,
}

impl Default for Checkpoint {
    /// Returns the first event.
    fn default() -> Self {
        Self { number: 1, time: 0, previous: 0, last_sample: None, stacks: Vec::new() }
    }
}

/// The open calls of a task, the outermost one first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenCalls {
    /// The task; `None` is the implicit one.
    pub task: Option<Task>,
    /// The calls.
    pub calls: Vec<OpenCall>,
}

/// An open call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenCall {
    /// The region.
    pub region: RegionRef,
    /// Whether only samples have seen the call.
    pub is_sampled: bool,
    /// Whether it was the innermost call when a sample was taken that lasts until another event.
    pub is_seen: bool,
}
