//! Program begin and end: at most one of each per process, as a pair, around all of its events.

use kymo_otf2::events::Event;

use super::{CheckedEvent, Claims, EventRule, EventSpot};
use crate::check::definitions::DefinitionIndex;
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;

#[derive(Debug, Default, Clone)]
struct Program {
    begin: Option<EventSpot>,
    end: Option<EventSpot>,
    /// The first event of the process. `late` is whether an event after the end was reported.
    first: Option<EventSpot>,
    late: bool,
}

pub(super) struct Programs {
    claims: Claims,
    /// The program of each process.
    programs: Vec<Program>,
}

impl Programs {
    pub(super) fn new(definitions: &DefinitionIndex<'_>, claims: Claims) -> Self {
        Programs { claims, programs: vec![Program::default(); definitions.processes] }
    }
}

impl EventRule for Programs {
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        let Some(program) = self.programs.get_mut(here.process_index) else { return };
        let first = *program.first.get_or_insert(here.spot);
        match here.event {
            Event::ProgramBegin(_) => {
                let (early, begin) = (first.time, here.spot.time);
                if early < begin {
                    findings.find(
                        FindingKind::OutsideProgram,
                        first,
                        format_args!("occurs at {early}, before the program begins at {begin}"),
                    );
                }
                twice(program.begin.replace(here.spot), here, findings);
            }
            Event::ProgramEnd(_) => twice(program.end.replace(here.spot), here, findings),
            _ => {}
        }
        if let Some(end) = program.end
            && end.time < here.spot.time
            && !std::mem::replace(&mut program.late, true)
        {
            findings.find(
                FindingKind::OutsideProgram,
                here.spot,
                format_args!("occurs at {}, after the program ended at {}", here.spot.time, end.time),
            );
        }
    }

    fn end(&mut self, complete: bool, findings: &mut Findings<'_>) {
        for program in self.programs.iter().filter(|_| complete && self.claims.others) {
            match (program.begin, program.end) {
                (Some(begin), None) => {
                    findings.find(
                        FindingKind::ProgramNotPaired,
                        begin,
                        format_args!("the program never ends"),
                    );
                }
                (None, Some(end)) => {
                    findings.find(
                        FindingKind::ProgramNotPaired,
                        end,
                        format_args!("the program never began"),
                    );
                }
                _ => {}
            }
        }
    }
}

fn twice(old: Option<EventSpot>, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
    if let Some(old) = old {
        findings.find(
            FindingKind::ProgramTwice,
            here.spot,
            format_args!("event {} of location {} is another one", old.number, old.location),
        );
    }
}
