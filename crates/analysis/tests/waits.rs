//! Wait states of small traces, by rule. Locations are ranks; times are written as they are meant.

use kymo_analysis::spill::Spill;
use kymo_analysis::statistics::{Communicated, Joining, contributions};
use kymo_analysis::waits::{WaitKind, WaitState, WrongOrder};
use kymo_analysis::{Selection, Trace};
use kymo_analysis_testing::*;
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::events::*;
use kymo_otf2::flags::RmaSyncLevel;
use kymo_otf2::references::RegionRef;

/// Returns the wait states of a trace.
pub(crate) fn waits_of(trace: &Trace) -> Vec<WaitState> {
    waits_in(trace, &Selection::default())
}

pub(crate) fn waits_in(trace: &Trace, selection: &Selection) -> Vec<WaitState> {
    let (spill, mut joining, mut waits) = (Spill::default(), Joining::new(trace), Vec::new());
    contributions(trace, selection, &spill, |location, contribution, rows| {
        joining.add(location, contribution, rows);
        Ok(())
    })
    .expect("contributions");
    let add = |it: Communicated<'_>| {
        if let Communicated::Wait(wait) = it {
            waits.push(*wait);
        }
    };
    joining.finish_with(&spill, add).expect("statistics");
    waits.sort_by_key(|wait| (wait.location, wait.start));
    waits
}

/// Returns the wait states of the threads of a process.
pub(crate) fn waits_of_threads(locations: &[Vec<Timed>]) -> Vec<WaitState> {
    let length = locations.iter().flatten().map(|it| it.0).max().unwrap_or(0);
    let processes = vec![0; locations.len()];
    waits_of(&trace_of_processes(locations, &processes, true, clock(length)))
}

/// Returns the wait states of locations as lines: `kind location: start-end cause flags`.
fn listed(locations: &[Vec<Timed>]) -> Vec<String> {
    let length = locations.iter().flatten().map(|it| it.0).max().unwrap_or(0);
    waits_of(&trace(locations, clock(length))).iter().map(line).collect()
}

pub(crate) fn line(wait: &WaitState) -> String {
    let clipped = if wait.is_clipped() { " clipped" } else { "" };
    let doubtful = if wait.is_doubtful { " doubtful" } else { "" };
    let order = match wait.wrong_order {
        None => "",
        Some(WrongOrder::SameSender) => " wrong order, same sender",
        Some(WrongOrder::DifferentSender) => " wrong order, different sender",
    };
    let part = if wait.part > 0 { format!(" part {}", wait.part) } else { String::new() };
    let (kind, location, cause) = (wait.kind.key(), wait.location.0, wait.cause.0);
    format!("{kind} {location}: {}-{} {cause}{clipped}{doubtful}{order}{part}", wait.start, wait.end)
}

const NONE: [&str; 0] = [];

pub(crate) fn send(receiver: u32, msg_length: u64, msg_tag: u32) -> Event<'static> {
    Event::MpiSend(MpiSend { receiver, communicator: WORLD, msg_tag, msg_length })
}

pub(crate) fn receive(sender: u32, msg_length: u64, msg_tag: u32) -> Event<'static> {
    Event::MpiRecv(MpiRecv { sender, communicator: WORLD, msg_tag, msg_length })
}

pub(crate) fn isend(receiver: u32, msg_length: u64, msg_tag: u32, request_id: u64) -> Event<'static> {
    Event::MpiIsend(MpiIsend { receiver, communicator: WORLD, msg_tag, msg_length, request_id })
}

pub(crate) fn isend_complete(request_id: u64) -> Event<'static> {
    Event::MpiIsendComplete(MpiIsendComplete { request_id })
}

pub(crate) fn irecv_request(request_id: u64) -> Event<'static> {
    Event::MpiIrecvRequest(MpiIrecvRequest { request_id })
}

pub(crate) fn irecv(sender: u32, msg_length: u64, msg_tag: u32, request_id: u64) -> Event<'static> {
    Event::MpiIrecv(MpiIrecv { sender, communicator: WORLD, msg_tag, msg_length, request_id })
}

/// Surrounds events by a call of a region, which begins and ends at these times.
pub(crate) fn call(region: RegionRef, start: u64, events: &[Timed], end: u64) -> Vec<Timed> {
    let mut call = vec![(start, Event::Enter(Enter { region }))];
    call.extend_from_slice(events);
    call.push((end, Event::Leave(Leave { region })));
    call
}

/// A call of a function that has no special name.
fn mpi(start: u64, events: &[Timed], end: u64) -> Vec<Timed> {
    call(region(b'h'), start, events, end)
}

/// A receive of a message with tag 7 from rank 0.
fn recv(start: u64, end: u64) -> Vec<Timed> {
    mpi(start, &[(end, receive(0, 10, 7))], end)
}

#[test]
fn a_receive_waits_for_its_late_sender() {
    let sender = mpi(70, &[(72, send(1, 10, 7))], 75);
    assert_eq!(listed(&[sender, recv(20, 91)]), ["late_sender 1: 20-70 0"]);
}

/// `kymo record` reads the clock once for the begin of a call and its send. Such sends had no late
/// receiver.
#[test]
fn a_send_waits_for_its_late_receiver_whenever_its_event_is() {
    for sent in [10, 11, 65] {
        let sender = mpi(10, &[(sent, send(1, 10, 7))], 65);
        assert_eq!(listed(&[sender, recv(60, 66)]), ["late_receiver 0: 10-60 1"], "{sent}");
    }
}

#[test]
fn a_call_that_sends_and_receives_waits_for_a_late_sender_only() {
    let one = mpi(10, &[(11, send(1, 10, 7)), (85, receive(1, 10, 7))], 90);
    let other = mpi(60, &[(61, send(0, 10, 7)), (89, receive(0, 10, 7))], 90);
    assert_eq!(listed(&[one, other]), ["late_sender 0: 10-60 1"]);
}

#[test]
fn a_receive_that_was_posted_waits_in_the_call_that_completes_it() {
    let sender = mpi(70, &[(72, send(1, 10, 7))], 90);
    let posted = mpi(20, &[(21, irecv_request(3))], 22);
    let waiting = mpi(40, &[(80, irecv(0, 10, 7, 3))], 81);
    assert_eq!(listed(&[sender, [posted, waiting].concat()]), ["late_sender 1: 40-70 0"]);
}

/// As for other receives: the sender is late from the wait on.
#[test]
fn a_matched_receive_waits_in_the_call_that_completes_it() {
    let sender = mpi(70, &[(72, send(1, 10, 7))], 90);
    let probe = Event::MpiProbe(MpiProbe { sender: 0, communicator: WORLD, tag: 7, message_id: 1 });
    let request = Event::MpiImrecvRequest(MpiImrecvRequest { message_id: 1, request_id: 3 });
    let received = Event::MpiImrecv(MpiImrecv { request_id: 3, msg_length: 10 });
    let posted = mpi(10, &[(10, probe), (20, request)], 21);
    let receiver = [posted, mpi(40, &[(80, received)], 81)].concat();
    assert_eq!(listed(&[sender, receiver]), ["late_sender 1: 40-70 0"]);
}

/// The waits for a receive that is posted at 60.
fn waits_for_a_late_post(sender: Vec<Timed>) -> Vec<String> {
    let receiver = [mpi(60, &[(62, irecv_request(3))], 63), mpi(90, &[(90, irecv(0, 10, 7, 3))], 91)];
    listed(&[sender, receiver.concat()])
}

#[test]
fn the_completion_of_a_send_waits_for_the_call_that_posts_the_receive() {
    let start = mpi(13, &[(14, isend(1, 10, 7, 5))], 15);
    let wait = |region| call(region, 30, &[(70, isend_complete(5))], 71);
    let waiting = [start.clone(), wait(function("MPI_Wait"))].concat();
    assert_eq!(waits_for_a_late_post(waiting), ["late_receiver 0: 30-60 1"]);
    // A test does not wait, nor does a send that is complete before the receive is posted.
    assert_eq!(waits_for_a_late_post([start.clone(), wait(function("MPI_Test"))].concat()), NONE);
    let early = [start, mpi(30, &[(50, isend_complete(5))], 60)].concat();
    assert_eq!(waits_for_a_late_post(early), NONE);
}

#[test]
fn buffered_sends_do_not_wait() {
    let sent = |region| call(region, 10, &[(11, send(1, 10, 7))], 65);
    assert_eq!(waits_for_a_late_post(sent(function("MPI_Bsend"))), NONE);
    assert_eq!(waits_for_a_late_post(sent(function("MPI_Ssend"))), ["late_receiver 0: 10-60 1"]);
}

/// A message of 20 bytes was sent completely before its receive was posted, so 10 bytes may have
/// been, and the send was slow for another reason.
#[test]
fn late_receivers_of_messages_that_may_be_buffered_are_doubtful() {
    let sent = |region, length| {
        let buffered = mpi(0, &[(1, send(1, length, 8))], 2);
        [buffered, call(region, 10, &[(11, send(1, 10, 7))], 65)].concat()
    };
    let receiver = [recv(60, 66), mpi(70, &[(71, receive(0, 20, 8))], 72)].concat();
    let late = |region, length| listed(&[sent(region, length), receiver.clone()]);
    assert_eq!(late(region(b'h'), 20), ["late_receiver 0: 10-60 1 doubtful"]);
    assert_eq!(late(region(b'h'), 9), ["late_receiver 0: 10-60 1"]);
    assert_eq!(late(function("MPI_Ssend"), 20), ["late_receiver 0: 10-60 1"]);
}

#[test]
fn tests_do_not_wait() {
    let sender = mpi(70, &[(72, send(1, 10, 7))], 75);
    let received = [(90, irecv(0, 10, 7, 3))];
    let receiver = |region| [vec![(5, irecv_request(3))], call(region, 20, &received, 91)].concat();
    assert_eq!(listed(&[sender.clone(), receiver(function("MPI_Test"))]), NONE);
    assert_eq!(listed(&[sender, receiver(function("MPI_Wait"))]), ["late_sender 1: 20-70 0"]);
}

/// All messages of a call were added up: 120 ns in a call of 90 ns.
#[test]
fn a_call_has_one_wait_state_for_all_its_messages() {
    let sender = [mpi(40, &[(41, send(1, 10, 1))], 42), mpi(80, &[(81, send(1, 10, 2))], 82)].concat();
    let posted = vec![(1, irecv_request(1)), (2, irecv_request(2))];
    let all = mpi(10, &[(85, irecv(0, 10, 1, 1)), (86, irecv(0, 10, 2, 2))], 100);
    assert_eq!(listed(&[sender.clone(), [posted, all].concat()]), ["late_sender 1: 10-80 0"]);
    // The last part has no partner, so the call is complete at the end of the trace only.
    let posted = vec![(1, irecv_request(1)), (2, irecv_request(2)), (3, irecv_request(3))];
    let received = [(85, irecv(0, 10, 1, 1)), (86, irecv(0, 10, 2, 2)), (87, irecv(0, 10, 3, 3))];
    assert_eq!(listed(&[sender, [posted, mpi(10, &received, 100)].concat()]), ["late_sender 1: 10-80 0"]);
}

#[test]
fn of_equal_waits_in_a_call_a_late_sender_counts() {
    let one = mpi(1, &[(2, isend(1, 10, 5, 1)), (3, irecv_request(2))], 4);
    let all = mpi(10, &[(85, isend_complete(1)), (86, irecv(1, 10, 6, 2))], 100);
    let other = mpi(50, &[(51, send(0, 10, 6)), (60, receive(0, 10, 5))], 61);
    assert_eq!(listed(&[[one, all].concat(), other]), ["late_sender 0: 10-50 1"]);
}

#[test]
fn a_wait_is_clipped_at_the_end_of_its_call() {
    let sender = mpi(50, &[(52, send(1, 10, 7))], 55);
    assert_eq!(listed(&[sender, recv(20, 31)]), ["late_sender 1: 20-31 0 clipped"]);
}

#[test]
fn calls_of_other_regions_do_not_wait() {
    let sender = mpi(70, &[(72, send(1, 10, 7))], 75);
    let receiver = call(region(b'a'), 20, &[(90, receive(0, 10, 7))], 91);
    assert_eq!(listed(&[sender, receiver]), NONE);
}

#[test]
fn a_message_that_waits_while_an_earlier_one_could_be_received_is_in_the_wrong_order() {
    let receives = |sender| {
        [mpi(10, &[(51, receive(0, 10, 1))], 52), mpi(60, &[(61, receive(sender, 10, 2))], 62)].concat()
    };
    let late = mpi(50, &[(50, send(2, 10, 1))], 51);
    let same = [mpi(5, &[(5, send(2, 10, 2))], 6), late.clone()].concat();
    let found = listed(&[same, vec![], receives(0)]);
    assert_eq!(found, ["late_sender 2: 10-50 0 wrong order, same sender"]);
    let other = mpi(5, &[(5, send(2, 10, 2))], 6);
    let found = listed(&[late, other, receives(1)]);
    assert_eq!(found, ["late_sender 2: 10-50 0 wrong order, different sender"]);
}

/// A location takes part in an operation, in which it sends and receives so many bytes.
pub(crate) fn part(
    collective_op: CollectiveOp,
    root: u32,
    [start, end]: [u64; 2],
    [size_sent, size_received]: [u64; 2],
) -> Vec<Timed> {
    let begin = Event::MpiCollectiveBegin(MpiCollectiveBegin {});
    let done = MpiCollectiveEnd { collective_op, communicator: WORLD, root, size_sent, size_received };
    mpi(start, &[(start, begin), (end, Event::MpiCollectiveEnd(done))], end)
}

/// A call of an operation of all, without bytes.
pub(crate) fn mpi_part(operation: CollectiveOp, times: [u64; 2]) -> Vec<Timed> {
    part(operation, 0, times, [0, 0])
}

/// Parts of several locations with the same bytes.
fn parts(operation: CollectiveOp, bytes: [u64; 2], times: &[[u64; 2]]) -> Vec<String> {
    let part = |times: &[u64; 2]| part(operation, 1, *times, bytes);
    listed(&times.iter().map(part).collect::<Vec<_>>())
}

const TIMES: [[u64; 2]; 3] = [[10, 100], [30, 100], [60, 100]];

#[test]
fn members_of_a_barrier_wait_for_the_last_one() {
    assert_eq!(parts(CollectiveOp::BARRIER, [0, 0], &TIMES), ["barrier 0: 10-60 2", "barrier 1: 30-60 2"]);
    // Of several that are last, the one of the lowest rank counts.
    let together = parts(CollectiveOp::BARRIER, [0, 0], &[[10, 90], [60, 90], [60, 90]]);
    assert_eq!(together, ["barrier 0: 10-60 1"]);
    let clipped = parts(CollectiveOp::BARRIER, [0, 0], &[[10, 20], [60, 90], [40, 90]]);
    assert_eq!(clipped, ["barrier 0: 10-20 1 clipped", "barrier 2: 40-60 1"]);
}

#[test]
fn members_of_an_operation_of_all_with_all_wait_for_the_last_one() {
    assert_eq!(parts(CollectiveOp::ALLREDUCE, [4, 4], &TIMES), ["nxn 0: 10-60 2", "nxn 1: 30-60 2"]);
    // Nothing was exchanged, or not known between whom.
    assert_eq!(parts(CollectiveOp::ALLREDUCE, [0, 0], &TIMES), NONE);
    assert_eq!(parts(CollectiveOp::ALLTOALLV, [4, 4], &TIMES), NONE);
}

/// The first ended before the last began: only those that receive wait, for the last that sends.
#[test]
fn members_that_were_not_in_an_operation_together_wait_for_those_that_send() {
    let part = |times, bytes| part(CollectiveOp::ALLGATHERV, 0, times, bytes);
    let locations =
        [part([10, 50], [0, 4]), part([20, 90], [0, 0]), part([40, 90], [4, 4]), part([60, 90], [0, 4])];
    assert_eq!(listed(&locations), ["nxn 0: 10-40 2"]);
}

#[test]
fn members_of_a_broadcast_that_receive_wait_for_the_root() {
    let part = |times, bytes| part(CollectiveOp::BCAST, 1, times, bytes);
    let waits = |sent| listed(&[part([10, 99], [0, 4]), part([40, 99], [sent, 0]), part([5, 99], [0, 0])]);
    assert_eq!(waits(4), ["late_broadcast 0: 10-40 1"]);
    assert_eq!(waits(0), NONE);
}

#[test]
fn the_root_of_a_reduction_waits_for_the_last_that_sends() {
    let part = |times, bytes| part(CollectiveOp::REDUCE, 1, times, bytes);
    let waits =
        |received| listed(&[part([60, 99], [4, 0]), part([10, 99], [4, received]), part([80, 99], [0, 0])]);
    assert_eq!(waits(4), ["early_reduce 1: 10-60 0"]);
    assert_eq!(waits(0), NONE);
}

#[test]
fn members_of_a_scan_wait_for_lower_ranks() {
    let waits = parts(CollectiveOp::SCAN, [4, 4], &[[50, 99], [10, 99], [70, 99], [60, 99]]);
    assert_eq!(waits, ["early_scan 1: 10-50 0", "early_scan 3: 60-70 2"]);
}

/// They waited from the request: 90 ns of which 79 computed.
#[test]
fn non_blocking_operations_wait_in_the_call_that_completes_them() {
    let request = Event::NonBlockingCollectiveRequest(NonBlockingCollectiveRequest { request_id: 1 });
    let complete = NonBlockingCollectiveComplete {
        request_id: 1,
        collective_op: CollectiveOp::ALLREDUCE,
        communicator: WORLD,
        root: u32::MAX,
        size_sent: 4,
        size_received: 4,
    };
    let complete = Event::NonBlockingCollectiveComplete(complete);
    let part = |requested: u64, region, start: u64, end: u64| {
        let requested = mpi(requested, &[(requested, request)], requested + 1);
        [requested, call(region, start, &[(end, complete)], end)].concat()
    };
    let wait = |name| [part(10, function(name), 80, 100), part(90, region(b'i'), 95, 100)];
    assert_eq!(listed(&wait("MPI_Wait")), ["nxn 0: 80-90 1"]);
    assert_eq!(listed(&wait("MPI_Test")), NONE);
}

#[test]
fn communicators_of_one_member_and_operations_with_missing_members_have_no_waits() {
    let done = MpiCollectiveEnd {
        collective_op: CollectiveOp::BARRIER,
        communicator: OWN,
        root: u32::MAX,
        size_sent: 0,
        size_received: 0,
    };
    let begin = Event::MpiCollectiveBegin(MpiCollectiveBegin {});
    let own = |start| mpi(start, &[(start, begin), (90, Event::MpiCollectiveEnd(done))], 91);
    assert_eq!(listed(&[own(10), own(50)]), NONE);
    let barrier = |start| part(CollectiveOp::BARRIER, u32::MAX, [start, 90], [0, 0]);
    assert_eq!(listed(&[barrier(10), vec![], barrier(50)]), NONE);
}

#[test]
fn processes_wait_in_finalize_if_all_call_it() {
    let finalize = |start, end| call(function("MPI_Finalize"), start, &[], end);
    let three = [finalize(10, 99), finalize(60, 99), finalize(20, 40)];
    assert_eq!(listed(&three), ["finalize 0: 10-60 1", "finalize 2: 20-40 1 clipped"]);
    assert_eq!(listed(&[finalize(10, 99), vec![], finalize(60, 99)]), NONE);
}

pub(crate) fn fence(operation: CollectiveOp, [start, end]: [u64; 2]) -> Vec<Timed> {
    let done = RmaCollectiveEnd {
        collective_op: operation,
        sync_level: RmaSyncLevel::empty(),
        win: WINDOW,
        root: u32::MAX,
        bytes_sent: 0,
        bytes_received: 0,
    };
    let begin = Event::RmaCollectiveBegin(RmaCollectiveBegin {});
    mpi(start, &[(start + 1, begin), (end - 1, Event::RmaCollectiveEnd(done))], end)
}

#[test]
fn members_of_a_fence_wait_only_if_all_are_in_it_together() {
    let fences = |operation, ends: [u64; 2]| {
        listed(&[fence(operation, [10, ends[0]]), fence(operation, [60, ends[1]])])
    };
    assert_eq!(fences(CollectiveOp::BARRIER, [61, 90]), ["rma_fence 0: 10-60 1"]);
    assert_eq!(fences(CollectiveOp::BARRIER, [60, 90]), NONE);
    assert_eq!(fences(CollectiveOp::CREATE_HANDLE, [70, 90]), ["rma_create 0: 10-60 1"]);
    assert_eq!(fences(CollectiveOp::DESTROY_HANDLE, [70, 90]), ["rma_free 0: 10-60 1"]);
}

/// A call without an end counts until the end of the trace.
#[test]
fn calls_that_never_end_wait() {
    let sender = mpi(70, &[(72, send(1, 10, 7))], 95);
    let mut receiver = recv(20, 91);
    receiver.pop();
    assert_eq!(listed(&[sender, receiver]), ["late_sender 1: 20-70 0"]);
}

#[test]
fn waits_are_cut_at_the_start_of_the_selected_time() {
    let barrier = |start| part(CollectiveOp::BARRIER, u32::MAX, [start, 90], [0, 0]);
    let trace = trace(&[barrier(10), barrier(60)], clock(90));
    let from = |from| waits_in(&trace, &Selection { from, ..Selection::default() });
    assert_eq!(from(50).iter().map(line).collect::<Vec<_>>(), ["barrier 0: 50-60 1"]);
    assert_eq!(from(70), []);
}

/// The first operations of such a call are not kept until its end.
#[test]
fn a_call_with_very_many_messages_has_one_wait_state() {
    let count = 70_000;
    let sends = (0..count).map(|number| (60 + u64::from(number), send(1, 10, number)));
    let sender = mpi(50, &sends.collect::<Vec<_>>(), 200_000);
    let receives = (0..count).map(|number| (100_000, irecv(0, 10, number, number.into())));
    let receiver = mpi(10, &receives.collect::<Vec<_>>(), 200_000);
    assert_eq!(listed(&[sender, receiver]), ["late_sender 1: 10-50 0"]);
}

/// Calls inside an open call with operations may be many.
#[test]
fn operations_in_calls_inside_a_call_have_waits_of_their_own() {
    let inner = call(region(b'i'), 20, &[(25, receive(0, 10, 1))], 30);
    let outer = [vec![(10, event(b'h')), (12, irecv_request(2))], inner];
    let outer = [outer.concat(), vec![(70, irecv(0, 10, 2, 2)), (80, event(b'H'))]].concat();
    let sender = [mpi(22, &[(22, send(1, 10, 1))], 23), mpi(60, &[(60, send(1, 10, 2))], 61)].concat();
    assert_eq!(listed(&[sender, outer]), ["late_sender 1: 10-60 0", "late_sender 1: 20-22 0"]);
}

#[test]
fn kinds_of_waits_are_summed_by_who_waited_and_for_whom() {
    let barrier = |start| part(CollectiveOp::BARRIER, u32::MAX, [start, 100], [0, 0]);
    let trace = trace(&[barrier(10), barrier(90), barrier(40)], clock(100));
    let waits = kymo_analysis::statistics::of(&trace, &Selection::default()).expect("statistics").waits;
    let of = |sums: &std::collections::BTreeMap<(WaitKind, _), u128>| {
        sums.iter()
            .map(|((_, location), time): (&(_, kymo_otf2::references::LocationRef), _)| (location.0, *time))
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&waits.suffered), [(0, 80), (2, 50)]);
    assert_eq!(of(&waits.caused), [(1, 130)]);
    assert_eq!(waits.total(), 130);
}

/// A receive belongs to a send before the selected time, although that is not in it.
#[test]
fn messages_from_before_the_selected_time_are_not_taken_for_later_ones() {
    let sends = [mpi(5, &[(5, send(1, 4, 7))], 6), mpi(40, &[(40, send(1, 4, 7))], 41)];
    let receives = [mpi(20, &[(30, receive(0, 4, 7))], 30), mpi(35, &[(45, receive(0, 4, 7))], 45)];
    let trace = trace(&[sends.concat(), receives.concat()], clock(50));
    for from in [0, 10] {
        let found = waits_in(&trace, &Selection { from, ..Selection::default() });
        assert_eq!(found.iter().map(line).collect::<Vec<_>>(), ["late_sender 1: 35-40 0"], "{from}");
    }
}
