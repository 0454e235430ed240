//! Enters and leaves, in order and not.

use kymo_analysis::calls::{Call, Caller, Visitor};
use kymo_analysis::{Remarks, Selection, profile};
use kymo_analysis_testing::*;
use kymo_otf2::references::{LocationRef, RegionRef};
use proptest::prelude::*;
use std::num::NonZero;

#[test]
fn calls_are_summed_by_call_path() {
    //                             0         1
    //                             0123456789012
    let profile = profiled(events("abBcCbcCBA bB"));
    assert_eq!(
        listed(&profile),
        [
            "a: 1 visits, 9 ns, 4 ns",
            "ab: 2 visits, 4 ns, 3 ns",
            "abc: 1 visits, 1 ns, 1 ns",
            "ac: 1 visits, 1 ns, 1 ns",
            "b: 1 visits, 1 ns, 1 ns",
        ]
    );
    assert_eq!(profile.remarks, Remarks::default());
}

#[test]
fn a_region_inside_itself_counts_its_time_once() {
    let profile = profiled(events("abaAbABBA"));
    let regions = profile.regions(&profile.total());
    assert!(profile.remarks.ignored_leaves + profile.remarks.closed_early > 0);
    let profile = profiled(events("abaABA"));
    let of = |name| profile.regions(&profile.total())[&region(name)];
    assert_eq!((of(b'a').calls.visits, of(b'a').inclusive(), of(b'a').exclusive()), (2, 5, 3));
    assert_eq!((of(b'a').calls.shortest, of(b'a').calls.longest), (1, 5));
    assert_eq!((of(b'b').calls.visits, of(b'b').inclusive(), of(b'b').exclusive()), (1, 3, 2));
    assert_eq!(regions.len(), 2);
}

#[test]
fn open_calls_end_with_the_trace() {
    let profile = profile::of(&trace(&[events("ab")], clock(10)), &Selection::default()).unwrap();
    assert_eq!(listed(&profile), ["a: 1 visits, 10 ns, 1 ns", "ab: 1 visits, 9 ns, 9 ns"]);
    assert_eq!(profile.remarks, Remarks { closed_at_end: 2, ..Remarks::default() });
    // A clock that ends before the events does not shorten them.
    let profile = profile::of(&trace(&[events("ab")], clock(0)), &Selection::default()).unwrap();
    assert_eq!(listed(&profile), ["a: 1 visits, 1 ns, 1 ns", "ab: 1 visits, 0 ns, 0 ns"]);
}

#[test]
fn calls_without_a_start_begin_with_the_location() {
    // c and then b were entered before the first event; a is called in b, d in neither.
    let profile = profiled(events("aACB dD"));
    assert_eq!(
        listed(&profile),
        [
            "b: 1 visits, 3 ns, 1 ns",
            "bc: 1 visits, 2 ns, 1 ns",
            "bca: 1 visits, 1 ns, 1 ns",
            "d: 1 visits, 1 ns, 1 ns"
        ]
    );
    assert_eq!(profile.remarks, Remarks { opened_at_start: 2, ..Remarks::default() });
}

#[test]
fn a_leave_ends_the_calls_inside() {
    let profile = profiled(events("abcA B"));
    assert_eq!(profile.remarks, Remarks { closed_early: 2, opened_at_start: 1, ..Remarks::default() });
    let profile = profiled(events("aBA"));
    assert_eq!(listed(&profile), ["a: 1 visits, 2 ns, 2 ns"]);
    assert_eq!(profile.remarks, Remarks { ignored_leaves: 1, ..Remarks::default() });
}

/// Collects calls.
#[derive(Default)]
struct RecordedCalls(Vec<Call>);

impl Visitor for RecordedCalls {
    type Mark = ();

    fn leave(&mut self, call: &Call, (): (), (): &mut ()) {
        self.0.push(*call);
    }
}

/// Clock offsets that do not fit can move times back.
#[test]
fn time_does_not_run_backward() {
    let trace = trace(&[], clock(0));
    let (mut caller, mut calls) = (Caller::new(&trace, 0), RecordedCalls::default());
    for (time, byte) in [10, 20, 15, 30].into_iter().zip("abBA".bytes()) {
        caller.event(time, &event(byte), &mut calls).unwrap();
    }
    caller.finish(0, false, &mut calls);
    let times: Vec<_> = calls.0.iter().map(|it| (it.depth, it.start, it.duration, it.exclusive)).collect();
    assert_eq!(times, [(1, 20, 0, 0), (0, 10, 20, 20)]);
    assert_eq!(caller.into_parts().1, Remarks { backward: 1, ..Remarks::default() });
}

#[test]
fn a_span_cuts_calls_at_its_ends() {
    //                            0123456789
    let trace = trace(&[events("abBcCdDaA A")], clock(10));
    let selection = Selection { from: 4, to: 7, ..Selection::default() };
    let profile = profile::of(&trace, &selection).unwrap();
    // c ends where the span begins; the second a begins where it ends.
    assert_eq!(
        listed(&profile),
        [
            "a: 1 visits, 3 ns, 2 ns",
            "aa: 1 visits, 0 ns, 0 ns",
            "ac: 1 visits, 0 ns, 0 ns",
            "ad: 1 visits, 1 ns, 1 ns"
        ]
    );
    assert_eq!(profile.remarks, Remarks::default());
}

#[test]
fn locations_are_selected() {
    let trace = trace(&[events("aA"), events("bB"), events("cC")], clock(10));
    let locations = Some([LocationRef(0), LocationRef(2)].into());
    let profile = profile::of(&trace, &Selection { locations, ..Selection::default() }).unwrap();
    assert_eq!(listed(&profile), ["a: 1 visits, 1 ns, 1 ns", "c: 1 visits, 1 ns, 1 ns"]);
    assert_eq!((profile.total().locations, profile.total().events), (2, 4));
}

#[test]
fn ticks_are_converted_before_they_are_summed() {
    let clock = kymo_otf2::definitions::ClockProperties {
        timer_resolution: 3_000_000_000,
        global_offset: 0,
        ..clock(300)
    };
    // Each call takes one tick, a third of a nanosecond: times 0, 0, 1, 1, 1, 2.
    let profile = profile::of(&trace(&[events("aAaAaA")], clock), &Selection::default()).unwrap();
    assert_eq!(listed(&profile), ["a: 3 visits, 1 ns, 1 ns"]);
}

/// Enters a region, or leaves some.
fn step() -> impl Strategy<Value = (u8, bool, u64)> {
    (0..4_u8, prop::bool::ANY, 0..50_u64)
}

/// A call path, the number of its calls, and their time.
type Row = (Vec<u8>, u64, u128);

/// Returns a balanced list of events, and the sums that a simple program makes of it.
fn balanced(steps: &[(u8, bool, u64)]) -> (Vec<Timed>, Vec<Row>) {
    let (mut events, mut stack, mut time) = (Vec::new(), Vec::<(u8, u64)>::new(), 0);
    let mut sums: std::collections::BTreeMap<Vec<u8>, (u64, u128)> = Default::default();
    let mut leave = |stack: &mut Vec<(u8, u64)>, time| {
        let path: Vec<u8> = stack.iter().map(|it| it.0).collect();
        let (name, start) = stack.pop()?;
        let sum = sums.entry(path).or_default();
        *sum = (sum.0 + 1, sum.1 + u128::from(time - start));
        Some((time, event(name.to_ascii_uppercase())))
    };
    for (number, is_enter, pause) in steps {
        time += pause;
        if *is_enter {
            let name = NAMES[usize::from(*number)];
            stack.push((name, time));
            events.push((time, event(name)));
        } else {
            events.extend(leave(&mut stack, time));
        }
    }
    while !stack.is_empty() {
        events.extend(leave(&mut stack, time));
    }
    (events, sums.into_iter().map(|(path, (visits, time))| (path, visits, time)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sums_are_those_of_a_simple_program(
        locations in prop::collection::vec(prop::collection::vec(step(), 0..200), 1..5),
        threads in 1..4_usize,
    ) {
        let (events, expected): (Vec<_>, Vec<_>) = locations.iter().map(|steps| balanced(steps)).unzip();
        let threads = NonZero::new(threads).unwrap();
        let trace = trace(&events, clock(1 << 40));
        let profile =
            profile::of_groups(&trace, &Selection { threads, ..Selection::default() }, &[], |it| it.id.0).unwrap();
        for (id, expected) in (0..).zip(expected) {
            let mut found = Vec::new();
            for (context, sums) in &profile.groups[&id].contexts {
                let path = profile.contexts.path(*context).into_iter();
                let path: Vec<u8> =
                    path.map(|it| NAMES[profile.contexts.region(it).0 as usize]).collect();
                found.push((path, sums.calls.visits, sums.inclusive()));
            }
            found.sort();
            prop_assert_eq!(found, expected);
        }
        let total = profile.total();
        let exclusive: u128 = total.contexts.values().map(|sums| sums.exclusive()).sum();
        let outermost = total.contexts.iter().filter(|(it, _)| profile.contexts.path(**it).len() == 1);
        prop_assert_eq!(exclusive, outermost.map(|(_, sums)| sums.inclusive()).sum::<u128>());
        prop_assert_eq!(profile.remarks, Remarks::default());
    }

    #[test]
    fn any_events_are_profiled(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        any_events(&bytes);
    }

    /// Whatever the order of events, no time is counted twice and none is lost between the first
    /// and the last event of a location that is always in a call.
    #[test]
    fn exclusive_times_add_up_in_any_order(script in "a[a-dA-D]{0,60}") {
        let profile = profiled(events(&script));
        let total = profile.total();
        let exclusive: u128 = total.contexts.values().map(|sums| sums.exclusive()).sum();
        let outermost = total.contexts.iter().filter(|(it, _)| profile.contexts.path(**it).len() == 1);
        prop_assert_eq!(exclusive, outermost.map(|(_, sums)| sums.inclusive()).sum::<u128>());
        prop_assert!(exclusive <= (script.len() - 1) as u128);
    }
}

#[test]
fn undefined_regions_have_a_number_as_name() {
    let trace = trace(&[], clock(0));
    assert_eq!(trace.region_name(RegionRef(77)), "<region 77>");
}
