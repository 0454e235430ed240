//! MPI requests: one event starts a request, others test it, another one completes it. Cancelling
//! may fail, so it ends nothing.
//!
//! The number of a request is unique on its location during the request's lifetime. Another thread
//! of the process may complete it.

use kymo_otf2::events::Event;

use super::{CheckedEvent, Claims, EventRule, EventSpot};
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::tables::HashMap;
use kymo_analysis::communication::Process;

/// The operation that a request belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Send,
    Receive,
    Collective,
}

impl Purpose {
    fn word(self) -> &'static str {
        match self {
            Self::Send => "a send",
            Self::Receive => "a receive",
            Self::Collective => "a collective operation",
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Request {
    purpose: Purpose,
    started: EventSpot,
    cancelled: bool,
}

pub(super) struct Requests {
    claims: Claims,
    /// The requests in progress. Two with the same number, on different threads, are rare.
    alive: HashMap<(Process, u64), Vec<Request>>,
}

impl Requests {
    pub(super) fn new(claims: Claims) -> Self {
        Requests { claims, alive: HashMap::default() }
    }

    fn start(&mut self, id: u64, purpose: Purpose, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        let alive = self.alive.entry((here.process, id)).or_default();
        let own = alive.iter().position(|request| request.started.location == here.spot.location);
        if let Some(old) = own.map(|own| alive.swap_remove(own))
            && !old.cancelled
        {
            findings.find(
                FindingKind::RequestInUse,
                here.spot,
                format_args!("request {id} has been in use since event {}", old.started.number),
            );
        }
        alive.push(Request { purpose, started: here.spot, cancelled: false });
    }

    /// Returns the request with this number: that of this location, or else that of another thread.
    fn find(
        &mut self,
        id: u64,
        here: &CheckedEvent<'_>,
        findings: &mut Findings<'_>,
    ) -> Option<&mut Request> {
        let Some(alive) = self.alive.get_mut(&(here.process, id)) else {
            if self.claims.mpi {
                findings.find(
                    FindingKind::RequestNotStarted,
                    here.spot,
                    format_args!("request {id} was not started"),
                );
            }
            return None;
        };
        let own = alive.iter().position(|request| request.started.location == here.spot.location);
        alive.get_mut(own.unwrap_or(0))
    }

    fn complete(&mut self, id: u64, purpose: Purpose, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        if let Some(&mut request) = self.find(id, here, findings)
            && request.purpose != purpose
        {
            findings.find(
                FindingKind::RequestPurpose,
                here.spot,
                format_args!(
                    "completes request {id} as {}, but it has been {} since event {}",
                    purpose.word(),
                    request.purpose.word(),
                    request.started.number,
                ),
            );
        }
        self.remove(id, here);
    }

    fn remove(&mut self, id: u64, here: &CheckedEvent<'_>) {
        let Some(alive) = self.alive.get_mut(&(here.process, id)) else { return };
        let own = alive.iter().position(|request| request.started.location == here.spot.location);
        if !alive.is_empty() {
            alive.swap_remove(own.unwrap_or(0));
        }
        if alive.is_empty() {
            self.alive.remove(&(here.process, id));
        }
    }
}

impl EventRule for Requests {
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        match here.event {
            Event::MpiIsend(it) => self.start(it.request_id, Purpose::Send, here, findings),
            Event::MpiIrecvRequest(it) => self.start(it.request_id, Purpose::Receive, here, findings),
            Event::MpiImrecvRequest(it) => self.start(it.request_id, Purpose::Receive, here, findings),
            Event::NonBlockingCollectiveRequest(it) => {
                self.start(it.request_id, Purpose::Collective, here, findings);
            }
            Event::MpiIsendComplete(it) => self.complete(it.request_id, Purpose::Send, here, findings),
            Event::MpiIrecv(it) => self.complete(it.request_id, Purpose::Receive, here, findings),
            Event::MpiImrecv(it) => self.complete(it.request_id, Purpose::Receive, here, findings),
            Event::NonBlockingCollectiveComplete(it) => {
                self.complete(it.request_id, Purpose::Collective, here, findings);
            }
            Event::MpiRequestTest(it) => {
                self.find(it.request_id, here, findings);
            }
            Event::MpiRequestCancelled(it) => {
                if let Some(request) = self.find(it.request_id, here, findings) {
                    request.cancelled = true;
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, complete: bool, findings: &mut Findings<'_>) {
        if !complete || !self.claims.mpi {
            return;
        }
        let requests =
            self.alive.drain().flat_map(|((_, id), alive)| alive.into_iter().map(move |it| (id, it)));
        let mut requests: Vec<_> = requests.filter(|(_, request)| !request.cancelled).collect();
        requests.sort_unstable_by_key(|(_, request)| request.started);
        for (id, request) in requests {
            findings.find(
                FindingKind::RequestNotComplete,
                request.started,
                format_args!("request {id} of {} is never completed", request.purpose.word()),
            );
        }
    }
}
