//! Enters and leaves balance, per task: a location that switches to a task continues with the calls
//! of that task.
//!
//! Tasks may move between the threads of a process, so their calls are kept by team and number, not
//! by location. Task 0 of a thread is the implicit one, whose calls are those of the location.
//! Where measurement was off, calls cannot balance.

use std::fmt;

use kymo_otf2::enums::MeasurementMode;
use kymo_otf2::events::Event;
use kymo_otf2::references::CallingContextRef;
use kymo_otf2::text::Text;

use super::tasks::{Numbering, Task};
use super::{CheckedEvent, EventRule, EventSpot};
use crate::check::definitions::DefinitionIndex;
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::tables::HashMap;
use kymo_analysis::communication::Process;

/// A call that has not returned.
#[derive(Debug, Clone, Copy)]
struct Call {
    callee: Callee,
    spot: EventSpot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Callee {
    Region(u32),
    /// The region of a calling context; `None` if the context is not defined.
    Context(Option<u32>),
}

/// A callee formatted like `region 5 "main"`.
struct Named<'a> {
    callee: Callee,
    definitions: &'a DefinitionIndex<'a>,
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Callee::Region(region) | Callee::Context(Some(region))) = self.callee else {
            return f.write_str("an unknown region");
        };
        write!(f, "region {region}")?;
        match self.definitions.region_name(region) {
            name if name == Text::default() => Ok(()),
            name => write!(f, " {name:?}"),
        }
    }
}

#[derive(Debug, Default, Clone)]
struct CallState {
    own: Vec<Call>,
    task: Option<Task>,
    uses_regions: bool,
    uses_contexts: bool,
    /// Whether measurement was off for a while, or calls were rewound: some enters or leaves were
    /// not recorded.
    has_gap: bool,
}

pub(super) struct CallRules<'a> {
    definitions: &'a DefinitionIndex<'a>,
    /// The state of each location.
    locations: Vec<CallState>,
    numbering: Numbering,
    tasks: HashMap<(Process, Task), Vec<Call>>,
}

impl<'a> CallRules<'a> {
    pub(super) fn new(definitions: &'a DefinitionIndex<'a>) -> Self {
        CallRules {
            definitions,
            locations: vec![CallState::default(); definitions.locations.len()],
            numbering: Numbering::default(),
            tasks: HashMap::default(),
        }
    }

    fn location(&mut self, here: &CheckedEvent<'_>) -> &mut CallState {
        // There is one for each location.
        &mut self.locations[here.location_index]
    }

    fn stack(&mut self, here: &CheckedEvent<'_>) -> &mut Vec<Call> {
        let location = &mut self.locations[here.location_index];
        match location.task {
            Some(task) => self.tasks.entry((here.process, task)).or_default(),
            None => &mut location.own,
        }
    }

    fn region(&self, context: CallingContextRef) -> Callee {
        Callee::Context(self.definitions.contexts.get(&context.0).map(|context| context.region.0))
    }

    fn enter(&mut self, callee: Callee, here: &CheckedEvent<'_>) {
        self.stack(here).push(Call { callee, spot: here.spot });
    }

    fn leave(&mut self, callee: Callee, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        let has_gap = self.location(here).has_gap;
        let kind = |kind| if has_gap { FindingKind::CallsAcrossGap } else { kind };
        let definitions = self.definitions;
        let named = |callee| Named { callee, definitions };
        let stack = self.stack(here);
        let Some(top) = stack.last() else {
            return findings.find(
                kind(FindingKind::LeaveWithoutEnter),
                here.spot,
                format_args!("leaves {}, but nothing was entered", named(callee)),
            );
        };
        if top.callee != callee {
            let (left, entered) = (named(callee), named(top.callee));
            findings.find(
                kind(FindingKind::LeaveOfOther),
                here.spot,
                format_args!("leaves {left}, but has been in {entered} since event {}", top.spot.number),
            );
        }
        // Continues as if the calls in between had returned. Leaving a region that was not entered
        // has no effect.
        if let Some(depth) = stack.iter().rposition(|call| call.callee == callee) {
            stack.truncate(depth);
        }
    }

    fn has_gap(&self, spot: EventSpot) -> bool {
        let position = self.definitions.position(spot.location);
        position.is_some_and(|position| self.locations[position.location_index].has_gap)
    }

    fn not_left(&self, call: &Call, findings: &mut Findings<'_>) {
        let callee = Named { callee: call.callee, definitions: self.definitions };
        let kind = if self.has_gap(call.spot) { FindingKind::CallsAcrossGap } else { FindingKind::NotLeft };
        findings.find(kind, call.spot, format_args!("{callee} is never left"));
    }

    fn is_mixed(&mut self, here: &CheckedEvent<'_>, contexts: bool, findings: &mut Findings<'_>) {
        let location = self.location(here);
        let was = location.uses_contexts && location.uses_regions;
        location.uses_contexts |= contexts;
        location.uses_regions |= !contexts;
        if !was && location.uses_contexts && location.uses_regions {
            findings.find(
                FindingKind::MixedCalls,
                here.spot,
                format_args!("enters and leaves of regions and of calling contexts on one location"),
            );
        }
    }

    /// Checks that the unwind distance reaches at most one step beyond the root. The undefined
    /// distance has no meaning.
    fn distance(
        &self,
        context: CallingContextRef,
        distance: u32,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) {
        let mut at = context;
        if distance == u32::MAX {
            return;
        }
        for depth in 0..=self.definitions.contexts.len() as u64 {
            match self.definitions.contexts.get(&at.0) {
                _ if depth >= distance.into() => return,
                Some(context) => at = context.parent,
                None if depth + 1 >= distance.into() || at.is_defined() => return,
                None => break,
            }
        }
        findings.find(
            FindingKind::UnwindDistance,
            here.spot,
            format_args!(
                "unwind distance {distance} reaches beyond the root of calling context {}",
                context.0
            ),
        );
    }
}

impl EventRule for CallRules<'_> {
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        match here.event {
            Event::Enter(it) => {
                self.is_mixed(here, false, findings);
                self.enter(Callee::Region(it.region.0), here);
            }
            Event::Leave(it) => self.leave(Callee::Region(it.region.0), here, findings),
            Event::CallingContextEnter(it) => {
                self.is_mixed(here, true, findings);
                self.distance(it.calling_context, it.unwind_distance, here, findings);
                self.enter(self.region(it.calling_context), here);
            }
            Event::CallingContextLeave(it) => self.leave(self.region(it.calling_context), here, findings),
            Event::CallingContextSample(it) => {
                self.distance(it.calling_context, it.unwind_distance, here, findings);
            }
            Event::MeasurementOnOff(it) if it.measurement_mode == MeasurementMode::OFF => {
                self.location(here).has_gap = true;
            }
            Event::ThreadTaskSwitch(_) | Event::OmpTaskSwitch(_) => {
                let task = self.numbering.task(here);
                self.location(here).task = task;
            }
            Event::ThreadTaskCreate(_) | Event::OmpTaskCreate(_) => drop(self.numbering.task(here)),
            Event::ThreadTaskComplete(_) | Event::OmpTaskComplete(_) => self.complete(here, findings),
            _ => {}
        }
    }

    fn end(&mut self, complete: bool, findings: &mut Findings<'_>) {
        if !complete {
            return;
        }
        let own = self.locations.iter_mut().flat_map(|location| std::mem::take(&mut location.own));
        let mut open: Vec<Call> = own.chain(self.tasks.drain().flat_map(|(_, calls)| calls)).collect();
        open.sort_unstable_by_key(|call| call.spot);
        for call in open {
            self.not_left(&call, findings);
        }
    }
}

impl CallRules<'_> {
    /// Ends the calls of a task. Its location continues with its own calls until it switches to
    /// another task.
    fn complete(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        let Some(task) = self.numbering.task(here) else { return };
        let location = self.location(here);
        if location.task == Some(task) {
            location.task = None;
        }
        for call in self.tasks.remove(&(here.process, task)).unwrap_or_default() {
            self.not_left(&call, findings);
        }
    }
}
