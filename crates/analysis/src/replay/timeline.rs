//! The operations of a location in their order, on the clock of the replay.

use super::groups::GroupMember;
use std::collections::VecDeque;

/// A step or a post for which other operations wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum StepId {
    /// The step with this number on the timeline with the first one.
    Step(usize, u64),
    /// The post with this number there.
    Post(usize, u64),
}

impl StepId {
    /// Returns the timeline.
    pub(super) fn timeline(self) -> usize {
        match self {
            Self::Step(timeline, _) | Self::Post(timeline, _) => timeline,
        }
    }
}

/// The condition for the completion of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Requirement {
    /// Nothing.
    None,
    /// It is not known yet.
    Unknown,
    /// Another step was reached.
    Reached(StepId),
    /// Members of a collective operation have reached it.
    Members(GroupMember),
}

/// Who learns when a step is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Announcement {
    /// Nobody.
    None,
    /// The one that waits for it, now or later.
    Of(StepId),
    /// The members of a collective operation.
    ToMembers(GroupMember),
}

/// An operation of a location.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// When it happened, in nanoseconds.
    pub(super) time: u64,
    /// The count of the replay's clock until then.
    pub(super) work: u64,
    /// When its call ended; `None` if the step is no operation, but one to wait for.
    pub(super) end: Option<u64>,
    pub(super) requirement: Requirement,
    pub(super) announcement: Announcement,
    /// When the location reaches it in the replay, once it is the next one.
    pub(super) reached: Option<u64>,
}

/// A location in the replay.
#[derive(Debug)]
pub(super) struct Timeline {
    /// The time in the replay after the last step.
    pub(super) clock: u64,
    /// The count of the clock until then.
    pub(super) work: u64,
    /// When the last step happened, in nanoseconds.
    pub(super) time: u64,
    /// The number of steps that are complete.
    pub(super) complete: u64,
    /// The number of operations.
    operations: u64,
    /// The others, in their order.
    steps: VecDeque<Step>,
    /// Whether the location has steps, or counts without them.
    pub(super) takes_part: bool,
    /// When the other threads of the process begin whose clocks are not known, and their timelines,
    /// the last one first.
    pub(super) later_threads: Vec<(u64, usize)>,
}

impl Timeline {
    /// Starts at the begin of the location.
    pub(super) fn new(begin: u64) -> Self {
        Self {
            clock: 0,
            work: begin,
            time: begin,
            complete: 0,
            operations: 0,
            steps: VecDeque::new(),
            takes_part: false,
            later_threads: Vec::new(),
        }
    }

    /// Returns the time in the replay after more work, without further steps.
    pub(super) fn at(&self, work: u64) -> u64 {
        self.clock.saturating_add(work.saturating_sub(self.work))
    }

    /// Counts a step, if it is an operation. Returns the number of operations so far.
    pub(super) fn count(&mut self, is_operation: bool) -> u64 {
        self.operations += u64::from(is_operation);
        self.operations
    }

    /// Adds a step. Returns its number.
    pub(super) fn push(&mut self, step: Step) -> u64 {
        self.steps.push_back(step);
        self.complete + self.steps.len() as u64 - 1
    }

    /// Returns the number that the next step will have.
    pub(super) fn next_number(&self) -> u64 {
        self.complete + self.steps.len() as u64
    }

    /// Returns a step that is not complete.
    pub(super) fn step(&mut self, number: u64) -> Option<&mut Step> {
        self.steps.get_mut(usize::try_from(number.checked_sub(self.complete)?).ok()?)
    }

    /// Returns the number of steps that are not complete.
    pub(super) fn waiting(&self) -> usize {
        self.steps.len()
    }

    /// Returns the requirement of the next step.
    pub(super) fn next_requirement(&self) -> Option<Requirement> {
        self.steps.front().map(|step| step.requirement)
    }

    /// Returns the next step, when the location reaches it, and whether that is only known now.
    pub(super) fn reach(&mut self) -> Option<(Step, u64, bool)> {
        let now = self.at(self.steps.front()?.work);
        let step = self.steps.front_mut()?;
        let is_first = step.reached.is_none();
        let reached = *step.reached.get_or_insert(now);
        Some((*step, reached, is_first))
    }

    /// Completes the next step at a time of the replay.
    pub(super) fn complete(&mut self, clock: u64) {
        if let Some(step) = self.steps.pop_front() {
            (self.clock, self.work, self.time) = (clock, step.work.max(self.work), step.time);
            self.complete += 1;
        }
    }
}
