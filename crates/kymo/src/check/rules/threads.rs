//! Threads: forks are joined and teams are left on the location that began them; a thread that
//! begins was created, and a thread that is waited for has ended.

use std::collections::BTreeMap;

use kymo_otf2::enums::Paradigm;
use kymo_otf2::events::Event;

use super::{CheckedEvent, Claims, EventRule, EventSpot};
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::tables::HashMap;

/// A section that is open on a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Fork(Paradigm),
    Team(u32),
}

/// The four events of a created thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Create,
    Begin,
    End,
    Wait,
}

#[derive(Debug, Clone, Copy, Default)]
struct Thread {
    steps: [Option<EventSpot>; 4],
}

pub(super) struct Threads {
    claims: Claims,
    sections: HashMap<u64, Vec<(Section, EventSpot)>>,
    /// The threads by contingent and sequence count.
    threads: BTreeMap<(u32, u64), Thread>,
}

impl Threads {
    pub(super) fn new(claims: Claims) -> Self {
        Threads { claims, sections: HashMap::default(), threads: BTreeMap::new() }
    }

    fn open(&mut self, section: Section, here: &CheckedEvent<'_>) {
        self.sections.entry(here.spot.location).or_default().push((section, here.spot));
    }

    /// Closes this section, which should be the innermost one, and all sections inside it.
    fn close(&mut self, section: Section, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        let open = self.sections.entry(here.spot.location).or_default();
        let found = open.iter().rposition(|(other, _)| *other == section);
        if self.claims.fork_join && found.is_none_or(|found| found + 1 != open.len()) {
            let kind = match section {
                Section::Fork(_) => FindingKind::JoinWithoutFork,
                Section::Team(_) => FindingKind::TeamEndWithoutBegin,
            };
            findings.find(kind, here.spot, format_args!("does not end the innermost open fork or team"));
        }
        if let Some(found) = found {
            open.truncate(found);
        }
    }

    fn step(
        &mut self,
        step: Step,
        contingent: u32,
        count: u64,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) {
        // A thread without a number is not waited for; without a contingent, numbers have no
        // meaning.
        if count == u64::MAX || contingent == u32::MAX {
            return;
        }
        let thread = self.threads.entry((contingent, count)).or_default();
        let Some(slot) = thread.steps.get_mut(step as usize) else { return };
        if slot.replace(here.spot).is_some() {
            findings.find(
                FindingKind::ThreadTwice,
                here.spot,
                format_args!("thread {count} of communicator {contingent} has already done this"),
            );
        }
        if thread.steps.iter().all(Option::is_some) {
            let thread = self.threads.remove(&(contingent, count)).unwrap_or_default();
            order(&thread, contingent, count, findings);
        }
    }
}

/// Reports steps that precede the step that they require.
fn order(thread: &Thread, contingent: u32, count: u64, findings: &mut Findings<'_>) {
    // A thread may run before its creator records the creation.
    let [_, begin, end, wait] = thread.steps;
    let pairs = [(begin, end), (end, wait)];
    for (first, then) in pairs {
        if let (Some(first), Some(then)) = (first, then)
            && then.time < first.time
        {
            findings.find(
                FindingKind::ThreadOrder,
                then,
                format_args!(
                    "thread {count} of communicator {contingent}: occurs at {}, before {} at {}",
                    then.time, first.record, first.time,
                ),
            );
        }
    }
}

impl EventRule for Threads {
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        match here.event {
            Event::ThreadFork(it) => self.open(Section::Fork(it.model), here),
            Event::OmpFork(_) => self.open(Section::Fork(Paradigm::OPENMP), here),
            Event::ThreadTeamBegin(it) => self.open(Section::Team(it.thread_team.0), here),
            Event::ThreadJoin(it) => self.close(Section::Fork(it.model), here, findings),
            Event::OmpJoin(_) => self.close(Section::Fork(Paradigm::OPENMP), here, findings),
            Event::ThreadTeamEnd(it) => self.close(Section::Team(it.thread_team.0), here, findings),
            Event::ThreadCreate(it) => {
                self.step(Step::Create, it.thread_contingent.0, it.sequence_count, here, findings);
            }
            Event::ThreadBegin(it) => {
                self.step(Step::Begin, it.thread_contingent.0, it.sequence_count, here, findings);
            }
            Event::ThreadEnd(it) => {
                self.step(Step::End, it.thread_contingent.0, it.sequence_count, here, findings)
            }
            Event::ThreadWait(it) => {
                self.step(Step::Wait, it.thread_contingent.0, it.sequence_count, here, findings);
            }
            _ => {}
        }
    }

    fn end(&mut self, complete: bool, findings: &mut Findings<'_>) {
        if !complete {
            return;
        }
        if self.claims.fork_join {
            let mut open: Vec<_> = self.sections.drain().flat_map(|(_, sections)| sections).collect();
            open.sort_unstable_by_key(|(_, spot)| *spot);
            for (_, spot) in open {
                findings.find(FindingKind::NotJoined, spot, format_args!("never ends"));
            }
        }
        for (&(contingent, count), thread) in &self.threads {
            order(thread, contingent, count, findings);
            if self.claims.create_wait {
                missing(thread, contingent, count, findings);
            }
        }
    }
}

/// Reports steps without the step that they require.
fn missing(thread: &Thread, contingent: u32, count: u64, findings: &mut Findings<'_>) {
    let [create, begin, end, wait] = thread.steps;
    let rules = [
        (begin, create, FindingKind::ThreadNotCreated, "begins, but was not created"),
        (end, begin, FindingKind::ThreadNotBegun, "ends, but never began"),
        (create, begin, FindingKind::ThreadNotBegun, "was created, but never begins"),
        (begin, end, FindingKind::ThreadNotEnded, "never ends"),
        (wait, end, FindingKind::ThreadNotEnded, "is waited for, but never ends"),
    ];
    for (has, needs, kind, what) in rules {
        if let (Some(spot), None) = (has, needs) {
            findings.find(kind, spot, format_args!("thread {count} of communicator {contingent} {what}"));
        }
    }
}
