//! The time that a location does not communicate.

use crate::calls::Task;
use crate::functions::CommunicationFunctions;
use foldhash::{HashMap, HashMapExt};
use kymo_otf2::references::RegionRef;

/// Counts the time in calls that communicate, without the other calls inside them. Calls are known
/// by their numbers; functions in them that only samples have seen communicate, too.
#[derive(Debug)]
pub struct WorkClock<'t> {
    functions: &'t CommunicationFunctions,
    /// The open calls of the running task that communicate, the innermost one last.
    open: Vec<u64>,
    /// Since when the innermost call communicates; `None` if it does not.
    since: Option<u64>,
    /// The time in communication up to `since`, or until now.
    communication: u64,
    /// The open calls of other tasks, and whether the innermost one communicates.
    suspended: HashMap<Option<Task>, (Vec<u64>, bool)>,
}

impl<'t> WorkClock<'t> {
    /// Starts outside all calls.
    pub fn new(functions: &'t CommunicationFunctions) -> Self {
        Self { functions, open: Vec::new(), since: None, communication: 0, suspended: HashMap::new() }
    }

    /// A call begins.
    pub fn enter(&mut self, call: u64, region: RegionRef, time: u64, is_sampled: bool) {
        let communicates =
            if is_sampled { self.communicates() } else { self.functions.is_communication(region) };
        self.pause(time);
        if communicates {
            self.open.push(call);
            self.since = Some(time);
        }
    }

    /// Returns whether the innermost call communicates.
    #[inline]
    pub fn communicates(&self) -> bool {
        self.since.is_some()
    }

    /// A call ends, or is forgotten, inside the call `outer`.
    #[inline]
    pub fn leave(&mut self, call: u64, outer: u64, time: u64) {
        if !self.open.is_empty() {
            self.leave_communication(call, outer, time);
        }
    }

    fn leave_communication(&mut self, call: u64, outer: u64, time: u64) {
        self.pause(time);
        if self.open.last() == Some(&call) {
            self.open.pop();
        }
        self.since = (self.open.last() == Some(&outer)).then_some(time);
    }

    /// Another task runs from now on.
    pub fn switch(&mut self, time: u64, from: Option<Task>, to: Option<Task>) {
        let communicates = self.since.is_some();
        self.pause(time);
        if !self.open.is_empty() {
            self.suspended.insert(from, (std::mem::take(&mut self.open), communicates));
        }
        if let Some((open, communicates)) = self.suspended.remove(&to) {
            self.open = open;
            self.since = communicates.then_some(time);
        }
    }

    /// The selected time begins.
    pub fn start(&mut self, time: u64) {
        self.since = self.since.map(|_| time);
        self.communication = 0;
    }

    fn pause(&mut self, time: u64) {
        self.communication = self.communication_until(time);
        self.since = None;
    }

    /// Returns the time in communication, until now.
    pub fn communication_until(&self, time: u64) -> u64 {
        self.communication + self.since.map_or(0, |since| time.saturating_sub(since))
    }
}
