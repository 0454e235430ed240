//! Wait states of random traces, compared with those that follow from the calls themselves.

use crate::waits::{call, irecv, irecv_request, isend, isend_complete, part, receive, send, waits_of};
use kymo_analysis::waits::{WaitKind, WaitState, WrongOrder};
use kymo_analysis_testing::*;
use kymo_otf2::enums::CollectiveOp;
use kymo_testdata::random_cases;
use proptest::prelude::*;
use std::cmp::Reverse;

/// A call: its function, and when it begins and ends.
#[derive(Debug, Clone)]
struct Call {
    function: usize,
    start: u64,
    end: u64,
}

const NAMED: [Option<&str>; 6] =
    [None, None, Some("MPI_Wait"), Some("MPI_Test"), Some("MPI_Bsend"), Some("MPI_Ssend")];

impl Call {
    fn is(&self, name: &str) -> bool {
        NAMED[self.function] == Some(name)
    }
}

/// A message. Calls are numbers of calls of the sender or the receiver.
#[derive(Debug, Clone)]
struct Message {
    sender: usize,
    receiver: usize,
    length: u64,
    sent_in: usize,
    /// The call that completes a non-blocking send.
    completed_in: Option<usize>,
    /// The call that posts a non-blocking receive.
    posted_in: Option<usize>,
    received_in: usize,
}

/// The parts of a message, each an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Send,
    Complete,
    Post,
    Receive,
}

#[derive(Debug, Clone)]
struct Program {
    calls: Vec<Vec<Call>>,
    messages: Vec<Message>,
}

impl Program {
    /// Returns the steps of messages in a call, in the order of their events, with the times.
    fn steps(&self, location: usize, number: usize) -> Vec<(u64, Step, usize)> {
        let mut steps = Vec::new();
        for (id, it) in self.messages.iter().enumerate() {
            let of_sender = it.sender == location;
            let of_receiver = it.receiver == location;
            steps.extend((of_sender && it.sent_in == number).then_some((Step::Send, id)));
            steps.extend((of_sender && it.completed_in == Some(number)).then_some((Step::Complete, id)));
            steps.extend((of_receiver && it.posted_in == Some(number)).then_some((Step::Post, id)));
            steps.extend((of_receiver && it.received_in == number).then_some((Step::Receive, id)));
        }
        steps.sort_unstable();
        let Call { start, end, .. } = self.calls[location][number];
        let count = steps.len() as u64 + 1;
        let time = |place: u64| start + (end - start) * place / count;
        (1..).zip(steps).map(|(place, (step, id))| (time(place), step, id)).collect()
    }

    /// Returns the events of a location.
    fn events(&self, location: usize) -> Vec<Timed> {
        let mut events = Vec::new();
        for (number, it) in self.calls[location].iter().enumerate() {
            let of_step = |&(time, step, id): &(u64, Step, usize)| {
                let message = &self.messages[id];
                let (tag, request) = (id as u32, id as u64);
                let [sender, receiver] = [message.sender as u32, message.receiver as u32];
                let event = match step {
                    Step::Send if message.completed_in.is_some() => {
                        isend(receiver, message.length, tag, request)
                    }
                    Step::Send => send(receiver, message.length, tag),
                    Step::Complete => isend_complete(request),
                    Step::Post => irecv_request(request),
                    Step::Receive if message.posted_in.is_some() => {
                        irecv(sender, message.length, tag, request)
                    }
                    Step::Receive => receive(sender, message.length, tag),
                };
                (time, event)
            };
            let steps: Vec<Timed> = self.steps(location, number).iter().map(of_step).collect();
            let region = NAMED[it.function].map_or(region(b'h'), function);
            events.extend(call(region, it.start, &steps, it.end));
        }
        events
    }

    fn sent_in(&self, it: &Message) -> &Call {
        &self.calls[it.sender][it.sent_in]
    }

    fn posted_at(&self, it: &Message) -> u64 {
        self.calls[it.receiver][it.posted_in.unwrap_or(it.received_in)].start
    }

    /// Returns when a message was sent.
    fn sent_at(&self, id: usize) -> u64 {
        let it = &self.messages[id];
        let steps = self.steps(it.sender, it.sent_in);
        steps.iter().find(|step| step.1 == Step::Send && step.2 == id).expect("a send").0
    }

    /// Returns the receives of a location in order: time and message.
    fn receives(&self, location: usize) -> Vec<(u64, usize)> {
        let calls = 0..self.calls[location].len();
        let steps = calls.flat_map(|number| self.steps(location, number));
        steps.filter(|step| step.1 == Step::Receive).map(|step| (step.0, step.2)).collect()
    }

    fn has_contradictions(&self) -> bool {
        let mut receives = (0..self.calls.len()).flat_map(|location| self.receives(location));
        receives.any(|(time, id)| time <= self.sent_at(id))
    }

    /// Returns the wait state of a call by the definitions: kind, interval, cause, message.
    fn wait(&self, location: usize, number: usize) -> Option<(WaitKind, [u64; 2], usize, usize)> {
        let call = &self.calls[location][number];
        let steps = self.steps(location, number);
        let receives = steps.iter().any(|step| step.1 == Step::Receive);
        let of_step = |&(_, step, id): &(u64, Step, usize)| {
            let it = &self.messages[id];
            match step {
                Step::Receive => {
                    let end = self.sent_in(it).start.min(call.end);
                    Some((WaitKind::LateSender, [call.start, end], it.sender, id))
                }
                Step::Send if it.completed_in.is_some() || receives => None,
                Step::Send | Step::Complete => {
                    let posted = self.posted_at(it);
                    let is_late = posted < call.end && !self.sent_in(it).is("MPI_Bsend");
                    is_late.then_some((WaitKind::LateReceiver, [call.start, posted], it.receiver, id))
                }
                Step::Post => None,
            }
        };
        let found = steps.iter().filter_map(of_step).filter(|wait| wait.1[0] < wait.1[1]);
        let key = |(place, (kind, [start, end], ..)): &(usize, (WaitKind, [u64; 2], usize, usize))| {
            (end - start, Reverse(*kind), Reverse(*place))
        };
        if call.is("MPI_Test") { None } else { found.enumerate().max_by_key(key).map(|it| it.1) }
    }

    /// Returns the longest message that was sent completely before its receive was posted.
    fn eager_limit(&self) -> Option<u64> {
        let buffered = self.messages.iter().filter(|it| {
            let completed = &self.calls[it.sender][it.completed_in.unwrap_or(it.sent_in)];
            let says_nothing = self.sent_in(it).is("MPI_Bsend") || self.sent_in(it).is("MPI_Ssend");
            completed.end <= self.posted_at(it) && !says_nothing
        });
        buffered.map(|it| it.length).max()
    }

    /// Returns whether a later receive got a message that was sent before this one.
    fn wrong_order(&self, location: usize, id: usize) -> Option<WrongOrder> {
        let receives = self.receives(location);
        let place = receives.iter().position(|it| it.1 == id).expect("a receive");
        let earlier = receives[place + 1..].iter().find(|it| self.sent_at(it.1) < self.sent_at(id))?.1;
        Some(match self.messages[earlier].sender == self.messages[id].sender {
            true => WrongOrder::SameSender,
            false => WrongOrder::DifferentSender,
        })
    }

    /// Returns all wait states as lines, with the order of messages only where clocks agree.
    fn expected(&self) -> Vec<String> {
        let (limit, is_ordered) = (self.eager_limit(), !self.has_contradictions());
        let mut lines = Vec::new();
        for location in 0..self.calls.len() {
            for number in 0..self.calls[location].len() {
                let Some((kind, [start, end], cause, id)) = self.wait(location, number) else { continue };
                let it = &self.messages[id];
                let is_late_receiver = kind == WaitKind::LateReceiver;
                let is_doubtful = is_late_receiver
                    && !self.sent_in(it).is("MPI_Ssend")
                    && limit.is_some_and(|limit| it.length <= limit);
                let order = (is_ordered && !is_late_receiver).then(|| self.wrong_order(location, id));
                let order = order.flatten();
                let row = (kind, location as u64, [start, end], cause as u64, is_doubtful, order);
                lines.push(format!("{row:?}"));
            }
        }
        lines
    }

    fn found(&self) -> Vec<WaitState> {
        let locations: Vec<_> = (0..self.calls.len()).map(|location| self.events(location)).collect();
        let length = locations.iter().flatten().map(|it| it.0).max().unwrap_or(0);
        waits_of(&trace(&locations, clock(length)))
    }
}

fn calls() -> impl Strategy<Value = Vec<Call>> {
    let call = (0..NAMED.len(), 0..15_u64, 1..40_u64);
    prop::collection::vec(call, 1..7).prop_map(|calls| {
        let mut time = 0;
        let place = |(function, gap, duration)| {
            let start = time + gap;
            time = start + duration;
            Call { function, start, end: time }
        };
        calls.into_iter().map(place).collect()
    })
}

fn programs() -> impl Strategy<Value = Program> {
    let numbers = prop::array::uniform8(0..1000_usize);
    let parts = (prop::collection::vec(calls(), 2..5), prop::collection::vec(numbers, 0..9));
    parts.prop_map(|(calls, numbers)| {
        let message = |[sender, receiver, length, a, b, c, d, kind]: [usize; 8]| {
            let [sender, receiver] = [sender, receiver].map(|it| it % calls.len());
            let [a, b] = [a, b].map(|it| it % calls[sender].len());
            let [c, d] = [c, d].map(|it| it % calls[receiver].len());
            Message {
                sender,
                receiver,
                length: length as u64 % 4,
                sent_in: a.min(b),
                completed_in: (kind & 1 == 1 && a != b).then_some(a.max(b)),
                posted_in: (kind & 2 == 2 && c != d).then_some(c.min(d)),
                received_in: c.max(d),
            }
        };
        let messages = numbers.into_iter().map(message).filter(|it| it.sender != it.receiver).collect();
        Program { calls, messages }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(random_cases(100)))]

    #[test]
    fn waits_of_messages_are_those_of_the_definitions(program in programs()) {
        let (found, is_ordered) = (program.found(), !program.has_contradictions());
        let line = |wait: &WaitState| {
            let order = wait.wrong_order.filter(|_| is_ordered);
            let interval = [wait.start, wait.end];
            let row = (wait.kind, wait.location.0, interval, wait.cause.0, wait.is_doubtful, order);
            format!("{row:?}")
        };
        prop_assert_eq!(found.iter().map(line).collect::<Vec<_>>(), program.expected());
    }

    #[test]
    fn waits_of_a_location_are_in_its_calls_and_do_not_overlap(program in programs()) {
        let found = program.found();
        for pair in found.windows(2).filter(|pair| pair[0].location == pair[1].location) {
            prop_assert!(pair[0].end <= pair[1].start, "{pair:?}");
        }
        for wait in &found {
            let calls = &program.calls[wait.location.0 as usize];
            let is_inside = |it: &Call| it.start <= wait.start && wait.end <= it.end;
            prop_assert!(wait.start < wait.end && calls.iter().any(is_inside), "{wait:?}");
            prop_assert_ne!(wait.cause, wait.location);
        }
    }

    #[test]
    fn waits_in_collective_operations_are_those_of_the_definitions(
        number in 0..17_u8,
        root in 0..4_usize,
        members in prop::collection::vec((0..50_u64, 1..50_u64, 0..2_u64, 0..2_u64), 4),
    ) {
        let operation = CollectiveOp(number);
        let locations: Vec<Vec<Timed>> = members
            .iter()
            .map(|&(start, length, sent, received)| {
                part(operation, root as u32, [start, start + length], [sent, received])
            })
            .collect();
        let found = waits_of(&trace(&locations, clock(100)));
        let found: Vec<_> = found
            .iter()
            .map(|wait| (wait.location.0 as usize, wait.start, wait.end, wait.cause.0 as usize))
            .collect();
        let last = |is_one: &dyn Fn(usize) -> bool| {
            let ones = (0..4).filter(|member| is_one(*member));
            ones.max_by_key(|member| (members[*member].0, Reverse(*member)))
        };
        let [sends, receives]: [&dyn Fn(usize) -> bool; 2] =
            [&|member| members[member].2 > 0, &|member| members[member].3 > 0];
        let all = last(&|_| true).expect("a member");
        let is_together = members.iter().all(|it| it.0 + it.1 > members[all].0);
        let is_empty = !(0..4).any(|member| sends(member) || receives(member));
        let cause = |member: usize| match operation {
            CollectiveOp::BARRIER => Some(all),
            CollectiveOp::ALLTOALLV | CollectiveOp::ALLTOALLW => None,
            CollectiveOp::BCAST | CollectiveOp::SCATTER | CollectiveOp::SCATTERV => {
                Some(root).filter(|root| sends(*root) && receives(member))
            }
            CollectiveOp::REDUCE | CollectiveOp::GATHER | CollectiveOp::GATHERV => {
                last(sends).filter(|_| member == root && receives(root))
            }
            CollectiveOp::SCAN | CollectiveOp::EXSCAN => last(&|it| it <= member && sends(it)),
            _ if is_empty => None,
            _ if is_together => Some(all),
            _ => last(sends).filter(|_| receives(member)),
        };
        let expected = (0..4).filter_map(|member| {
            let (cause, (start, length, ..)) = (cause(member)?, members[member]);
            let end = members[cause].0.min(start + length);
            (start < end).then_some((member, start, end, cause))
        });
        prop_assert_eq!(found, expected.collect::<Vec<_>>());
    }
}

/// The generator makes each kind of wait, so that the comparison is not one of nothing.
#[test]
fn random_programs_have_waits_of_messages() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let mut of = [0; 4];
    for _ in 0..600 {
        let program = programs().new_tree(&mut runner).expect("a program").current();
        for wait in program.found() {
            of[0] += usize::from(wait.kind == WaitKind::LateSender);
            of[1] += usize::from(wait.kind == WaitKind::LateReceiver);
            of[2] += usize::from(wait.is_doubtful);
            of[3] += usize::from(wait.wrong_order.is_some());
        }
    }
    assert!(of.iter().all(|count| *count >= 10), "{of:?}");
}
