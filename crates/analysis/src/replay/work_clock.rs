//! The time that a location does not communicate.

use crate::calls::Task;
use crate::functions::CommunicationFunctions;
use foldhash::{HashMap, HashMapExt};
use kymo_otf2::references::RegionRef;

/// Counts the time in calls that communicate, without the other calls inside them, and the time
/// that a hypothesis takes from or adds to other calls. Calls are known by their numbers; functions
/// in calls that communicate which only samples have seen communicate, too.
#[derive(Debug)]
pub struct WorkClock<'t> {
    functions: &'t CommunicationFunctions,
    running: OpenWork,
    /// The time up to which everything is counted.
    since: u64,
    communication: u64,
    /// The work in calls that the hypothesis alters.
    altered: u64,
    /// The open calls of other tasks.
    suspended: HashMap<Option<Task>, OpenWork>,
}

/// The open calls of a task that count.
#[derive(Debug, Default)]
struct OpenWork {
    /// The innermost one last.
    calls: Vec<(u64, WorkKind)>,
    /// Whether the innermost call communicates.
    communicates: bool,
    /// The number of open calls that the hypothesis alters.
    altered: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WorkKind {
    Communication,
    Altered,
}

impl<'t> WorkClock<'t> {
    /// Starts outside all calls.
    pub fn new(functions: &'t CommunicationFunctions) -> Self {
        let suspended = HashMap::new();
        Self { functions, running: OpenWork::default(), since: 0, communication: 0, altered: 0, suspended }
    }

    /// A call begins that communicates or is altered, or one inside a call that communicates.
    pub fn enter(&mut self, call: u64, region: RegionRef, time: u64, is_sampled: bool) {
        self.count(time);
        let communicates =
            if is_sampled { self.communicates() } else { self.functions.is_communication(region) };
        self.running.communicates = communicates;
        if communicates {
            self.running.calls.push((call, WorkKind::Communication));
        } else if !is_sampled && self.functions.is_altered(region) {
            self.running.altered += 1;
            self.running.calls.push((call, WorkKind::Altered));
        }
    }

    /// Returns whether the innermost call communicates.
    #[inline]
    pub fn communicates(&self) -> bool {
        self.running.communicates
    }

    /// Returns whether no call is open that communicates or is altered.
    #[inline]
    pub fn counts_nothing(&self) -> bool {
        self.running.calls.is_empty()
    }

    /// A call ends, or is forgotten, inside the call `outer`.
    pub fn leave(&mut self, call: u64, outer: u64, time: u64) {
        if self.counts_nothing() {
            return;
        }
        self.count(time);
        if let Some((_, kind)) = self.running.calls.pop_if(|(open, _)| *open == call) {
            self.running.altered -= usize::from(kind == WorkKind::Altered);
        }
        self.running.communicates = self.running.calls.last() == Some(&(outer, WorkKind::Communication));
    }

    /// Another task runs from now on.
    pub fn switch(&mut self, time: u64, from: Option<Task>, to: Option<Task>) {
        self.count(time);
        let open = std::mem::take(&mut self.running);
        if !open.calls.is_empty() {
            self.suspended.insert(from, open);
        }
        self.running = self.suspended.remove(&to).unwrap_or_default();
    }

    /// The selected time begins.
    pub fn start(&mut self, time: u64) {
        (self.since, self.communication, self.altered) = (time, 0, 0);
    }

    fn count(&mut self, time: u64) {
        (self.communication, self.altered) = self.counts(time);
        self.since = self.since.max(time);
    }

    fn counts(&self, time: u64) -> (u64, u64) {
        let passed = time.saturating_sub(self.since);
        match (self.running.communicates, self.running.altered > 0) {
            (true, _) => (self.communication + passed, self.altered),
            (false, true) => (self.communication, self.altered + passed),
            (false, false) => (self.communication, self.altered),
        }
    }

    /// Returns the time that is no work, until now; it is negative if a hypothesis adds more.
    pub fn lost_until(&self, time: u64) -> i64 {
        let (communication, altered) = self.counts(time);
        let gained = (altered as f64 * self.functions.gain()) as i64;
        i64::try_from(communication).unwrap_or(i64::MAX).saturating_add(gained)
    }
}
