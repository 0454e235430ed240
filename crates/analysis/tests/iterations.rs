//! Iterations, and communication in the background, of small traces.

use crate::waits::{call, irecv, irecv_request, mpi_part, receive, send};
use kymo_analysis::causes::{self, Causes, Kept, Overlap};
use kymo_analysis::findings::{Fact, Findings};
use kymo_analysis::iterations::Iterations;
use kymo_analysis::{Selection, Trace};
use kymo_analysis_testing::*;
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::events::{CallingContextEnter, CallingContextLeave, CallingContextSample, Event};
use kymo_otf2::references::{CallingContextRef, InterruptGeneratorRef, LocationRef};

fn of_processes(locations: &[Vec<Timed>]) -> Trace {
    let length = locations.iter().flatten().map(|it| it.0).max().unwrap_or(0);
    let processes: Vec<u32> = (0..locations.len() as u32).collect();
    trace_of_processes(locations, &processes, false, clock(length))
}

fn causes_of(trace: &Trace, selection: &Selection) -> Causes {
    causes::of(trace, selection, Kept { most: usize::MAX }).expect("causes")
}

fn iterations_in(locations: &[Vec<Timed>], selection: &Selection) -> Option<Iterations> {
    causes_of(&of_processes(locations), selection).iterations
}

fn iterations(locations: &[Vec<Timed>]) -> Option<Iterations> {
    iterations_in(locations, &Selection::default())
}

/// A program that starts for 5 ns, then calls `b` for each of these times and `h` for 2 ns after
/// it, and ends 3 ns later.
fn program(times: &[u64]) -> Vec<Timed> {
    let (mut events, mut now) = (call(region(b'c'), 1, &[], 5), 5);
    for time in times {
        events.extend(call(region(b'b'), now, &[], now + time));
        events.extend(call(region(b'h'), now + time, &[], now + time + 2));
        now += time + 2;
    }
    call(region(b'a'), 0, &events, now + 3)
}

#[test]
fn calls_of_equal_numbers_with_most_time_are_iterations() {
    let found = iterations(&[program(&[10, 20, 30]), program(&[10, 10, 40])]).expect("iterations");
    let starts: Vec<_> =
        found.of_locations.iter().map(|it| (it.location.0, &it.starts[..], it.end)).collect();
    assert_eq!(starts, [(0, &[5, 17, 39][..], 71), (1, &[5, 17, 29][..], 71)]);
    assert_eq!((found.anchor, found.locations, found.others), (region(b'b'), 2, 0));
    let sums: Vec<_> = found.all.iter().map(|it| (it.span, it.length, it.useful, it.most_useful)).collect();
    let longest = |time, location| (time, LocationRef(location));
    assert_eq!(
        sums,
        [
            ((5, 17), 24, 20, longest(10, 0)),
            ((17, 39), 34, 30, longest(20, 0)),
            ((29, 71), 74, 70, longest(40, 1)),
        ]
    );
    assert!((found.share - 132.0 / 148.0).abs() < 1e-12);
}

#[test]
fn iterations_are_in_the_call_that_has_nine_tenths_of_the_time() {
    let inner = program(&[10, 20, 30]);
    let inner: Vec<Timed> = inner.into_iter().map(|(time, event)| (time + 1, event)).collect();
    let end = inner.last().expect("events").0;
    let found = iterations(&[call(region(b'd'), 0, &inner, end + 1)]).expect("iterations");
    assert_eq!(found.of_locations[0].starts, [6, 18, 40]);
    let half = iterations(&[call(region(b'd'), 0, &inner, 2 * end)]);
    assert_eq!(half, None);
}

#[test]
fn the_first_location_says_where_iterations_begin() {
    let inside = |name| {
        let steps: Vec<_> =
            (0..3).flat_map(|number| call(region(b'd'), 10 * number, &[], 10 * number + 9)).collect();
        call(region(b'a'), 0, &call(region(name), 0, &steps, 29), 30)
    };
    let trace = of_processes(&[inside(b'b'), inside(b'c')]);
    for threads in [1, 2] {
        let threads = std::num::NonZero::new(threads).expect("a number");
        let causes = causes_of(&trace, &Selection { threads, ..Selection::default() });
        let context = causes.iterations.expect("iterations").context;
        assert_eq!(causes.contexts.region(causes.contexts.parent(context)), region(b'b'));
    }
}

#[test]
fn fewer_than_three_calls_are_no_iterations() {
    assert_eq!(iterations(&[program(&[10, 20])]), None);
}

#[test]
fn locations_with_another_number_of_iterations_are_counted_apart() {
    let [three, four] = [program(&[10, 20, 30]), program(&[10, 20, 10, 5])];
    let found = iterations(&[three.clone(), four, three]).expect("iterations");
    assert_eq!((found.all.len(), found.locations, found.others), (3, 2, 1));
}

/// Ranks have different roles, in which other calls come first.
#[test]
fn locations_with_other_calls_have_the_same_iterations() {
    let of = |name| (0..3).flat_map(move |number| call(region(name), 10 * number, &[], 10 * number + 9));
    let [one, other] = [b'b', b'c'].map(|name| call(region(b'a'), 0, &of(name).collect::<Vec<_>>(), 30));
    let found = iterations(&[one, other]).expect("iterations");
    assert_eq!((found.anchor, found.locations, found.others), (region(b'b'), 2, 0));
    let anchors: Vec<_> = found.of_locations.iter().map(|it| it.anchor).collect();
    assert_eq!(anchors, [region(b'b'), region(b'c')]);
}

#[test]
fn an_iteration_is_cut_at_the_selected_time() {
    let selection = Selection { from: 10, to: 200, ..Selection::default() };
    let found = iterations_in(&[program(&[10, 20, 30, 40])], &selection).expect("iterations");
    assert_eq!(found.of_locations[0].starts, [10, 17, 39, 71]);
    assert_eq!(found.all[0].useful, 5);
}

#[test]
fn an_iteration_that_is_far_longer_is_a_finding() {
    let mut times: Vec<u64> = (0..40).map(|number| 1_000 + number % 5).collect();
    times[17] = 9_000;
    let trace = of_processes(&[program(&times), program(&times)]);
    let causes = causes_of(&trace, &Selection::default());
    let findings = Findings::of(&trace, &causes).expect("findings");
    let slow = findings.all.iter().find_map(|it| match it.fact {
        Fact::SlowIterations { slow, all, median, longest, .. } => {
            Some((it.gain, slow, all, median, longest))
        }
        _ => None,
    });
    assert_eq!(slow, Some((7_998, 1, 40, 1_004, (17, 9_002))));
}

/// The rank that the others wait for in a slow iteration need not compute. Before, the one that
/// computes longest was named, or one whose waiting is in the next iteration.
#[test]
fn the_location_that_is_busy_longest_in_a_slow_iteration_is_named() {
    let of_rank = |rank| {
        let step = |number: u64| {
            let (begin, work) = (100 * number, [10, 12][usize::from(rank == 0)]);
            let mut events = call(region(b'b'), begin, &[], begin + work);
            // In the last one, rank 1 spends its time in MPI, and comes late.
            let arrival = if number == 9 && rank == 1 { begin + 900 } else { begin + work };
            let end = if number == 9 { begin + 901 } else { begin + 13 };
            events.extend(call(region(b'i'), begin + work, &[], arrival));
            events.extend(mpi_part(CollectiveOp::BARRIER, [arrival, end]));
            events
        };
        call(region(b'a'), 0, &(0..10).flat_map(step).collect::<Vec<_>>(), 1801)
    };
    let trace = of_processes(&[of_rank(0), of_rank(1)]);
    let causes = causes_of(&trace, &Selection::default());
    let findings = Findings::of(&trace, &causes).expect("findings");
    let late = findings.all.iter().find_map(|it| match it.fact {
        Fact::SlowIterations { location, .. } => Some(location),
        _ => None,
    });
    assert_eq!(late, Some(LocationRef(1)));
}

#[test]
fn iterations_that_become_longer_and_longer_are_a_finding() {
    let times: Vec<u64> = (0..40).map(|number| 1_000 + 30 * number + number % 3).collect();
    let trace = of_processes(&[program(&times)]);
    let findings = Findings::of(&trace, &causes_of(&trace, &Selection::default())).expect("findings");
    let slope = findings.all.iter().find_map(|it| match it.fact {
        Fact::SlowerIterations { slope, .. } => Some(slope),
        _ => None,
    });
    let slope = slope.expect("a finding");
    assert!((slope - 30.0).abs() < 0.2, "{slope}");
}

/// The overlap of a receive that is posted at 11 and completed from 40 to `end`, while the sender
/// enters its send at 42.
fn overlap_of_receive(end: u64) -> Overlap {
    let receiver = [
        call(region(b'h'), 10, &[(11, irecv_request(1))], 12),
        call(region(b'b'), 12, &[], 30),
        call(region(b'h'), 40, &[(end, irecv(0, 8, 0, 1))], 46),
    ];
    let receiver = call(region(b'a'), 0, &receiver.concat(), 50);
    let sender = call(region(b'a'), 0, &call(region(b'h'), 42, &[(43, send(1, 8, 0))], 44), 50);
    let causes = causes_of(&of_processes(&[sender, receiver]), &Selection::default());
    assert_eq!(causes.overlap.keys().collect::<Vec<_>>(), [&LocationRef(1)]);
    causes.overlap[&LocationRef(1)]
}

#[test]
fn operations_in_the_background_are_hidden_while_the_location_computes() {
    // From the post to the end of the receive, of which 1 and 3 are in MPI.
    let overlap = Overlap { open: 32, hidden: 28, surely_hidden: 28, exposed: 4, waited: 0 };
    assert_eq!(overlap_of_receive(43), overlap);
}

#[test]
fn operations_that_take_the_last_call_long_may_not_be_hidden_at_all() {
    // The receive waits for the sender until 42.
    let overlap = Overlap { open: 34, hidden: 28, surely_hidden: 0, exposed: 6, waited: 3 };
    assert_eq!(overlap_of_receive(45), overlap);
}

/// Regions of MPI can be filtered. The time since the post was said to be waiting.
#[test]
fn of_operations_that_are_complete_in_no_known_call_nothing_is_said() {
    let receiver = [
        call(region(b'h'), 10, &[(11, irecv_request(1))], 12),
        call(region(b'b'), 12, &[(25, irecv(0, 8, 0, 1))], 30),
    ];
    let receiver = call(region(b'a'), 0, &receiver.concat(), 50);
    let sender = call(region(b'a'), 0, &call(region(b'h'), 2, &[(3, send(1, 8, 0))], 4), 50);
    let causes = causes_of(&of_processes(&[sender, receiver]), &Selection::default());
    let overlap = Overlap { open: 14, hidden: 13, surely_hidden: 0, exposed: 1, waited: 0 };
    assert_eq!(causes.overlap[&LocationRef(1)], overlap);
}

/// Without the times at which sends are complete, nobody knows how long they were open.
#[test]
fn blocking_operations_are_not_in_the_background() {
    let one = call(region(b'h'), 10, &[(11, send(1, 8, 0))], 12);
    let other = call(region(b'h'), 10, &[(14, receive(0, 8, 0))], 15);
    let trace = of_processes(&[one, other]);
    assert!(causes_of(&trace, &Selection::default()).overlap.is_empty());
}

/// In recordings of `kymo record`, samples alone have seen the functions around the calls of MPI.
#[test]
fn functions_that_only_samples_have_seen_can_be_around_iterations() {
    let context = CallingContextRef(1);
    let sample = Event::CallingContextSample(CallingContextSample {
        calling_context: context,
        unwind_distance: u32::MAX,
        interrupt_generator: InterruptGeneratorRef(0),
    });
    let calling_context = CallingContextRef(2);
    let enter =
        Event::CallingContextEnter(CallingContextEnter { calling_context, unwind_distance: u32::MAX });
    let leave = Event::CallingContextLeave(CallingContextLeave { calling_context });
    let mut events = vec![(PERIOD, sample)];
    for number in 1..4 {
        let now = 2 * number * PERIOD;
        events.extend([(now, enter), (now + PERIOD / 2, leave), (now + PERIOD, sample)]);
    }
    let found = iterations(&[events]).expect("iterations");
    assert_eq!(found.of_locations[0].starts, [2 * PERIOD, 4 * PERIOD, 6 * PERIOD]);
}

/// A program that creates threads in a loop and joins them in another one does not wait in the last
/// iteration.
#[test]
fn loops_after_each_other_are_not_one() {
    let creates = (0..5).flat_map(|number| call(region(b'b'), number * 10, &[], number * 10 + 2));
    let joins = (0..5).flat_map(|number| call(region(b'c'), 100 + number * 100, &[], 190 + number * 100));
    let events: Vec<_> = creates.chain(joins).collect();
    let found = iterations(&[call(region(b'a'), 0, &events, 600)]).expect("iterations");
    let lengths: Vec<_> = found.all.iter().map(|it| it.length).collect();
    assert_eq!((found.anchor, &lengths[..]), (region(b'b'), &[10, 10, 10, 10, 2][..]));
}
