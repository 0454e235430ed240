//! One-sided operations: put, get and atomic operations are completed by their number, locally, at
//! the target, or both.
//!
//! Several operations to the same rank can have one number: those of MPI that are completed
//! together do, if all or none of them are gets. An operation that was completed locally may still
//! be completed at the target. So, apart from the open operations, only the highest number of each
//! window is kept.

use kymo_otf2::events::Event;
use kymo_otf2::references::RmaWinRef;

use super::{CheckedEvent, Claims, EventRule, EventSpot};
use crate::check::definitions::DefinitionIndex;
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::tables::HashMap;
use kymo_analysis::communication::Process;

/// The common properties of operations with one number: the location, the remote rank, and whether
/// they are gets.
type Together = (u64, u32, bool);

#[derive(Debug, Default)]
struct Window {
    open: HashMap<u64, (Together, EventSpot)>,
    highest: Option<u64>,
}

pub(super) struct Operations<'a> {
    definitions: &'a DefinitionIndex<'a>,
    claims: Claims,
    windows: HashMap<(Process, u32), Window>,
}

impl<'a> Operations<'a> {
    pub(super) fn new(definitions: &'a DefinitionIndex<'a>, claims: Claims) -> Self {
        Operations { definitions, claims, windows: HashMap::default() }
    }

    fn issue(
        &mut self,
        window: RmaWinRef,
        remote: u32,
        id: u64,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) {
        let together = (here.spot.location, remote, matches!(here.event, Event::RmaGet(_)));
        self.target(window, remote, here, findings);
        let state = self.windows.entry((here.process, window.0)).or_default();
        state.highest = state.highest.max(Some(id));
        let open = state.open.insert(id, (together, here.spot));
        if let Some((_, spot)) = open.filter(|(other, _)| *other != together) {
            findings.find(
                FindingKind::RmaNumberInUse,
                here.spot,
                format_args!(
                    "operation {id} of window {} has been in progress since event {}",
                    window.0, spot.number
                ),
            );
        }
    }

    /// Checks that the remote rank belongs to the communicator of the window.
    fn target(&self, window: RmaWinRef, remote: u32, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        let Some(definition) = self.definitions.windows.get(&window.0) else { return };
        let Some(communicator) = self.definitions.communicators.get(definition.comm) else { return };
        let size = communicator.size(0);
        // In lock events, all ones means all ranks.
        if remote >= size && remote != u32::MAX {
            findings.find(
                FindingKind::RankOutOfRange,
                here.spot,
                format_args!("rank {remote} in window {}, which has {size} ranks", window.0),
            );
        }
    }

    fn complete(
        &mut self,
        window: RmaWinRef,
        id: u64,
        ends: bool,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) {
        let state = self.windows.entry((here.process, window.0)).or_default();
        let known = if ends { state.open.remove(&id).is_some() } else { state.open.contains_key(&id) };
        if self.claims.others && !known && state.highest.is_none_or(|highest| id > highest) {
            findings.find(
                FindingKind::RmaNotIssued,
                here.spot,
                format_args!("operation {id} of window {} was not issued", window.0),
            );
        }
    }
}

impl EventRule for Operations<'_> {
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        match here.event {
            Event::RmaPut(it) => self.issue(it.win, it.remote, it.matching_id, here, findings),
            Event::RmaGet(it) => self.issue(it.win, it.remote, it.matching_id, here, findings),
            Event::RmaAtomic(it) => self.issue(it.win, it.remote, it.matching_id, here, findings),
            Event::RmaOpTest(it) => self.complete(it.win, it.matching_id, false, here, findings),
            Event::RmaOpCompleteBlocking(it) => self.complete(it.win, it.matching_id, true, here, findings),
            Event::RmaOpCompleteNonBlocking(it) => {
                self.complete(it.win, it.matching_id, true, here, findings)
            }
            Event::RmaOpCompleteRemote(it) => self.complete(it.win, it.matching_id, true, here, findings),
            Event::RmaRequestLock(it) => self.target(it.win, it.remote, here, findings),
            Event::RmaAcquireLock(it) => self.target(it.win, it.remote, here, findings),
            Event::RmaTryLock(it) => self.target(it.win, it.remote, here, findings),
            Event::RmaReleaseLock(it) => self.target(it.win, it.remote, here, findings),
            Event::RmaSync(it) => self.target(it.win, it.remote, here, findings),
            _ => {}
        }
    }

    fn end(&mut self, complete: bool, findings: &mut Findings<'_>) {
        let windows = self.windows.drain().filter(|_| complete && self.claims.others);
        let open = windows
            .flat_map(|((_, window), it)| it.open.into_iter().map(move |(id, (_, spot))| (spot, window, id)));
        let mut open: Vec<_> = open.collect();
        open.sort_unstable();
        for (spot, window, id) in open {
            findings.find(
                FindingKind::RmaNotComplete,
                spot,
                format_args!("operation {id} of window {window} is never completed"),
            );
        }
    }
}
