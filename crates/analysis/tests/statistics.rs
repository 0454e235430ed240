//! Messages, collective operations, waiting times and files.

use crate::waits::call;
use kymo_analysis::statistics::{Amount, Statistics};
use kymo_analysis::{Selection, focus, statistics};
use kymo_analysis_testing::*;
use kymo_otf2::enums::{CollectiveOp, IoOperationMode};
use kymo_otf2::events::*;
use kymo_otf2::flags::IoOperationFlag;
use kymo_otf2::references::{IoFileRef, LocationRef};

fn of(locations: &[Vec<Timed>]) -> Statistics {
    let length = locations.iter().flatten().map(|it| it.0).max().unwrap_or(0);
    statistics::of(&trace(locations, clock(length)), &Selection::default()).expect("statistics")
}

fn send(receiver: u32, msg_length: u64) -> Event<'static> {
    Event::MpiSend(MpiSend { receiver, communicator: WORLD, msg_tag: 7, msg_length })
}

fn receive(sender: u32, msg_length: u64) -> Event<'static> {
    Event::MpiRecv(MpiRecv { sender, communicator: WORLD, msg_tag: 7, msg_length })
}

fn isend(receiver: u32, msg_length: u64, request_id: u64) -> Event<'static> {
    Event::MpiIsend(MpiIsend { receiver, communicator: WORLD, msg_tag: 7, msg_length, request_id })
}

/// Surrounds an event by a call of an MPI region.
fn mpi_call(name: u8, start: u64, at: (u64, Event<'static>), end: u64) -> Vec<Timed> {
    vec![(start, event(name)), at, (end, event(name.to_ascii_uppercase()))]
}

#[test]
fn messages_are_counted_by_partner() {
    let sender = mpi_call(b'h', 70, (72, send(1, 10)), 75);
    let receiver = mpi_call(b'i', 20, (90, receive(0, 10)), 91);
    let statistics = of(&[sender, receiver]);
    assert_eq!(statistics.messages.total(), Amount { count: 1, bytes: 10 });
    assert_eq!(statistics.messages.pairs[&(LocationRef(0), LocationRef(1))].bytes, 10);
    assert_eq!(statistics.messages.transit, 18);
}

fn probe(sender: u32, message_id: u64) -> Event<'static> {
    Event::MpiProbe(MpiProbe { sender, communicator: WORLD, tag: 7, message_id })
}

fn mrecv(message_id: u64, msg_length: u64) -> Event<'static> {
    Event::MpiMrecv(MpiMrecv { message_id, msg_length })
}

fn imrecv_request(message_id: u64, request_id: u64) -> Event<'static> {
    Event::MpiImrecvRequest(MpiImrecvRequest { message_id, request_id })
}

fn imrecv(request_id: u64, msg_length: u64) -> Event<'static> {
    Event::MpiImrecv(MpiImrecv { request_id, msg_length })
}

/// Their messages had no receive.
#[test]
fn matched_receives_have_the_sender_communicator_and_tag_of_their_probe() {
    let sender = vec![(1, send(1, 10)), (2, send(1, 20))];
    let found = [(5, probe(0, u64::MAX)), (6, probe(0, 8)), (7, probe(0, 9))];
    let receiver =
        [&found[..], &[(8, imrecv_request(9, 3)), (9, mrecv(8, 10)), (12, imrecv(3, 20))]].concat();
    let messages = of(&[sender, receiver]).messages;
    assert_eq!(messages.total(), Amount { count: 2, bytes: 30 });
    assert_eq!(messages.pairs[&(LocationRef(0), LocationRef(1))].count, 2);
    assert_eq!((messages.transit, messages.unmatched_sends.count, messages.unknown), (8 + 10, 0, 0));
}

#[test]
fn another_thread_of_the_process_may_have_probed_the_message() {
    let rank_0 = vec![(1, send(1, 10)), (2, send(1, 20)), (3, send(1, 30))];
    let main = vec![(5, probe(0, 1)), (6, probe(0, 2)), (7, imrecv_request(2, 4)), (20, mrecv(3, 30))];
    let other = vec![(8, mrecv(1, 10)), (9, imrecv(4, 20)), (10, probe(0, 3))];
    let locations = [rank_0, main, other];
    for are_ranks in [false, true] {
        let trace = trace_of_processes(&locations, &[0, 1, 1], are_ranks, clock(20));
        let messages = statistics::of(&trace, &Selection::default()).expect("statistics").messages;
        assert_eq!(messages.total(), Amount { count: 3, bytes: 60 }, "{are_ranks}");
        let count = |location| messages.pairs[&(LocationRef(0), LocationRef(location))].count;
        assert_eq!((count(1), count(2), messages.unknown), (1, 2, 0));
        // The probes need not be selected.
        let (from, of_threads) = (8, Some([LocationRef(0), LocationRef(2)].into()));
        let selection = Selection { from, locations: of_threads, ..Selection::default() };
        let messages = statistics::of(&trace, &selection).expect("statistics").messages;
        assert_eq!((messages.unmatched_receives.count, messages.unknown), (2, 0));
    }
}

/// The latest probe before a receive counts, should a number be used again.
#[test]
fn a_message_is_that_of_the_last_probe_with_its_number() {
    let senders = [vec![(1, send(2, 10))], vec![(2, send(2, 20))]];
    let probes = vec![(3, probe(0, 1)), (5, probe(1, 1))];
    let receives = vec![(4, mrecv(1, 10)), (6, mrecv(1, 20))];
    let [first, second] = senders;
    let locations = [first, second, probes, receives];
    let trace = trace_of_processes(&locations, &[0, 1, 2, 2], true, clock(9));
    let messages = statistics::of(&trace, &Selection::default()).expect("statistics").messages;
    let pairs: Vec<_> = messages.pairs.keys().map(|(from, to)| (from.0, to.0)).collect();
    assert_eq!((pairs, messages.different_lengths), (vec![(0, 3), (1, 3)], 0));
}

#[test]
fn matched_receives_without_a_probe_are_counted() {
    let messages = of(&[vec![(1, send(1, 10))], vec![(2, mrecv(1, 10)), (3, imrecv(1, 5))]]).messages;
    assert_eq!((messages.unknown, messages.unmatched_sends.count), (2, 1));
}

/// All messages lost their partners.
#[test]
fn ranks_may_be_processes() {
    let locations = [
        vec![(1, send(1, 10))],
        vec![(2, send(1, 20))],
        vec![(3, receive(0, 20))],
        vec![(4, receive(0, 10))],
    ];
    let trace = trace_of_processes(&locations, &[0, 0, 1, 1], true, clock(9));
    let messages = statistics::of(&trace, &Selection::default()).expect("statistics").messages;
    let pairs: Vec<_> = messages.pairs.keys().map(|(from, to)| (from.0, to.0)).collect();
    assert_eq!((pairs, messages.unknown), (vec![(0, 3), (1, 2)], 0));
}

#[test]
fn messages_of_one_channel_match_by_length_and_order() {
    let sender = vec![(1, send(1, 10)), (2, send(1, 20)), (3, send(1, 10)), (4, send(0, 5))];
    let receiver = vec![(5, receive(0, 20)), (6, receive(0, 10)), (7, receive(0, 30)), (8, receive(0, 1))];
    let statistics = of(&[sender, receiver]);
    let messages = &statistics.messages;
    assert_eq!(messages.total(), Amount { count: 3, bytes: 40 });
    // 10 was sent where 30 was received; 5 was never received, and 1 never sent.
    assert_eq!(messages.different_lengths, 1);
    assert_eq!(messages.unmatched_sends, Amount { count: 1, bytes: 5 });
    assert_eq!(messages.unmatched_receives, Amount { count: 1, bytes: 1 });
}

#[test]
fn a_cancelled_send_is_not_received() {
    let cancel = Event::MpiRequestCancelled(MpiRequestCancelled { request_id: 1 });
    let sender = vec![(1, isend(1, 10, 1)), (2, cancel), (3, send(1, 10))];
    let statistics = of(&[sender, vec![(9, receive(0, 10))]]);
    assert_eq!((statistics.messages.total().count, statistics.messages.transit), (1, 6));
    assert_eq!(statistics.messages.unmatched_sends.count, 0);
}

/// All sends with the number were taken for cancelled, though numbers are used again.
#[test]
fn a_cancelled_request_is_the_last_one_with_its_number() {
    let cancel = Event::MpiRequestCancelled(MpiRequestCancelled { request_id: 1 });
    let sender = vec![(1, isend(1, 10, 1)), (2, isend(1, 10, 1)), (3, cancel)];
    let statistics = of(&[sender, vec![(9, receive(0, 10))]]);
    assert_eq!((statistics.messages.total().count, statistics.messages.transit), (1, 8));
}

#[test]
fn messages_to_unknown_ranks_are_counted() {
    let statistics = of(&[vec![(1, send(5, 10))]]);
    assert_eq!((statistics.messages.unknown, statistics.messages.total().count), (1, 0));
}

/// They were counted if no event was in the selected time.
#[test]
fn messages_before_the_selected_time_are_not_counted() {
    let trace = trace(&[vec![(1, send(5, 10))]], clock(100));
    let later = Selection { from: 50, ..Selection::default() };
    assert_eq!(statistics::of(&trace, &later).expect("statistics").messages.unknown, 0);
}

#[test]
fn receives_before_their_sends_are_counted() {
    let sender = mpi_call(b'h', 50, (52, send(1, 10)), 55);
    let receiver = mpi_call(b'i', 20, (30, receive(0, 10)), 31);
    let statistics = of(&[sender, receiver]);
    assert_eq!(statistics.messages.backward, 1);
}

/// A location takes part in an operation from `start` to `end`.
fn part(collective_op: CollectiveOp, root: u32, start: u64, end: u64) -> Vec<Timed> {
    let begin = Event::MpiCollectiveBegin(MpiCollectiveBegin {});
    let communicator = WORLD;
    let (size_sent, size_received) = (3, 4);
    let done = MpiCollectiveEnd { collective_op, communicator, root, size_sent, size_received };
    vec![(start, event(b'h')), (start, begin), (end, Event::MpiCollectiveEnd(done)), (end, event(b'H'))]
}

#[test]
fn the_parts_of_an_operation_are_summed() {
    let barrier = |start| part(CollectiveOp::BARRIER, u32::MAX, start, 100);
    let statistics = of(&[barrier(10), barrier(90), barrier(40)]);
    let sums = statistics.collectives[&CollectiveOp::BARRIER];
    assert_eq!((sums.operations, sums.parts, sums.sent, sums.received), (1, 3, 9, 12));
    assert_eq!((sums.time, sums.incomplete), (90 + 10 + 60, 0));
}

#[test]
fn the_operations_of_a_communicator_are_the_same_for_all_members() {
    let first = |start| part(CollectiveOp::BARRIER, u32::MAX, start, start + 10);
    let one = [first(10), first(30)].concat();
    let other = first(15);
    let statistics = of(&[one, other]);
    let sums = statistics.collectives[&CollectiveOp::BARRIER];
    assert_eq!((sums.operations, sums.parts, sums.incomplete), (2, 3, 1));
}

fn begin(mode: IoOperationMode, handle: usize, matching_id: u64) -> Event<'static> {
    let operation_flags = IoOperationFlag::empty();
    let (handle, bytes_request) = (HANDLES[handle], 100);
    Event::IoOperationBegin(IoOperationBegin { handle, mode, operation_flags, bytes_request, matching_id })
}

fn complete(handle: usize, bytes_result: u64, matching_id: u64) -> Event<'static> {
    Event::IoOperationComplete(IoOperationComplete { handle: HANDLES[handle], bytes_result, matching_id })
}

#[test]
fn operations_on_all_handles_of_a_file_are_summed() {
    let one = vec![
        (10, begin(IoOperationMode::READ, 0, 1)),
        (15, begin(IoOperationMode::WRITE, 1, 1)),
        (20, complete(0, 50, 1)),
        (35, complete(1, 70, 1)),
        (40, begin(IoOperationMode::WRITE, 2, 2)),
    ];
    let other = vec![(10, begin(IoOperationMode::READ, 1, 9)), (11, complete(1, 1, 9))];
    let statistics = of(&[one, other]);
    let mut files = statistics.files.iter();
    let (key, sums) = files.next().expect("a file");
    assert_eq!(key.file, IoFileRef(0));
    assert_eq!((sums.reads.amount, sums.reads.time), (Amount { count: 2, bytes: 51 }, 11));
    assert_eq!((sums.writes.amount, sums.writes.time), (Amount { count: 1, bytes: 70 }, 20));
    assert_eq!(sums.writes.bandwidth(), Some(3.5e9));
    let (key, sums) = files.next().expect("a handle without a file");
    assert_eq!((key.handle, sums.incomplete), (HANDLES[2], 1));
}

/// The length was that from the first to the last event in the selected time.
#[test]
fn efficiencies_are_those_of_the_selected_time() {
    let events = vec![(0, event(b'a')), (40, event(b'h')), (70, event(b'H')), (100, event(b'A'))];
    let trace = trace(&[events], clock(100));
    let selection = Selection { from: 5, to: 90, ..Selection::default() };
    let efficiency = statistics::of(&trace, &selection).expect("statistics").efficiency();
    assert_eq!(efficiency.map(|it| it.communication), Some(55.0 / 85.0));
}

#[test]
fn the_time_of_computation_excludes_communication() {
    // One computes for 80 of 100 ns, the other for 40.
    let one = vec![(0, event(b'a')), (80, event(b'h')), (100, event(b'H')), (100, event(b'A'))];
    let other = vec![(0, event(b'a')), (40, event(b'h')), (100, event(b'H')), (100, event(b'A'))];
    let efficiency = of(&[one, other]).efficiency().expect("computation");
    assert_eq!((efficiency.load_balance, efficiency.communication), (0.75, 0.8));
    assert!((efficiency.parallel - 0.6).abs() < 1e-12);
}

/// A process with two threads, of which the first one computes alone for 600 of 1,000 ns, and a
/// process with one thread.
#[test]
fn the_losses_of_processes_and_of_threads_add_up() {
    let parallel = |barrier| {
        let barrier = call(function("!$omp barrier"), barrier, &[], 1000);
        call(function("!$omp parallel"), 600, &barrier, 1000)
    };
    let first = [call(region(b'b'), 0, &[], 600), parallel(900)].concat();
    let first = call(region(b'a'), 0, &first, 1000);
    let alone = call(region(b'a'), 0, &[], 500);
    let locations = [first, parallel(700), alone];
    let trace = trace_of_processes(&locations, &[0, 0, 1], true, clock(1000));
    let efficiency = statistics::of(&trace, &Selection::default()).expect("statistics").efficiency();
    let efficiency = efficiency.expect("computation");
    let it = efficiency.regions.expect("parallel regions");
    let numbers = [it.processes, it.load_balance, it.communication, it.threads, it.parallel, it.serial];
    let expected = [2500.0 / 3000.0, 2500.0 / 3000.0, 1.0, 2000.0 / 3000.0, 2600.0 / 3000.0, 0.8];
    let is_near = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-12;
    assert!(numbers.iter().zip(&expected).all(is_near), "{numbers:?}");
    assert!((it.processes + it.threads - 1.0 - efficiency.parallel).abs() < 1e-12);
}

/// It was computation in parallel regions, of which there was more than time then.
#[test]
fn other_threads_can_compute_outside_of_parallel_regions() {
    let parallel = call(function("!$omp parallel"), 900, &[], 1000);
    let first = [call(region(b'b'), 0, &[], 900), parallel.clone()].concat();
    let second = [call(region(b'c'), 0, &[], 900), parallel].concat();
    let trace = trace_of_processes(&[first, second], &[0, 0], true, clock(1000));
    let efficiency = statistics::of(&trace, &Selection::default()).expect("statistics").efficiency();
    let it = efficiency.and_then(|it| it.regions).expect("parallel regions");
    assert_eq!((it.parallel, it.serial, it.threads), (1.0, 1.0, 1.0));
}

#[test]
fn the_focus_is_from_the_last_end_of_init_to_the_first_start_of_finalize() {
    let rank = |init, finalize| {
        let begin = call(function("MPI_Init"), 0, &[], init);
        [begin, call(function("MPI_Finalize"), finalize, &[], 100)].concat()
    };
    let of = |locations: &[Vec<Timed>]| {
        focus(&trace(locations, clock(100)), &Selection::default()).expect("focus")
    };
    assert_eq!(of(&[rank(10, 90), rank(20, 80)]), Some((20, 80)));
    assert_eq!(of(&[call(region(b'a'), 0, &[], 100)]), None);
    // This one did not return from `MPI_Init`.
    let killed = vec![(0, Event::Enter(Enter { region: function("MPI_Init") }))];
    assert_eq!(of(&[rank(10, 90), rank(20, 80), killed]), Some((20, 80)));
}
