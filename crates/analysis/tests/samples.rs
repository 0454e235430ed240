//! Calling contexts and samples. The contexts are a, ab, abc, ad and abcb.

use kymo_analysis::calls::{Call, Caller, Inside, Visitor};
use kymo_analysis::overview::{self, Shape};
use kymo_analysis::{Class, ContextId, Contexts, Remarks, Selection, profile};
use kymo_analysis_testing::*;
use kymo_otf2::events::{
    CallingContextEnter, CallingContextLeave, CallingContextSample, Event, ParameterUnsignedInt,
};
use kymo_otf2::references::{CallingContextRef, InterruptGeneratorRef, ParameterRef, RegionRef};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn sample(context: u32) -> Event<'static> {
    Event::CallingContextSample(CallingContextSample {
        calling_context: CallingContextRef(context),
        unwind_distance: u32::MAX,
        interrupt_generator: InterruptGeneratorRef(0),
    })
}

fn enter(context: u32) -> Event<'static> {
    Event::CallingContextEnter(CallingContextEnter {
        calling_context: CallingContextRef(context),
        unwind_distance: u32::MAX,
    })
}

fn leave(context: u32) -> Event<'static> {
    Event::CallingContextLeave(CallingContextLeave { calling_context: CallingContextRef(context) })
}

#[test]
fn samples_count_as_their_period() {
    let samples = [0, 2, 2, 3, 0].into_iter().map(sample);
    let profile = profiled((0..).map(|number| number * PERIOD).zip(samples).collect());
    assert_eq!(
        listed(&profile),
        [
            "a: 0 visits, 5000 ns, 2000 ns, 2 samples",
            "ab: 0 visits, 2000 ns, 0 ns",
            "abc: 0 visits, 2000 ns, 2000 ns, 2 samples",
            "ad: 0 visits, 1000 ns, 1000 ns, 1 samples",
        ]
    );
}

#[test]
fn a_call_among_samples_has_its_own_time() {
    // abc is entered for 5000 ns; the sample in abcb takes a period of it, the one in abc nothing.
    let events = vec![
        (1000, sample(1)),
        (2000, enter(2)),
        (3000, sample(2)),
        (4000, sample(4)),
        (7000, leave(2)),
        (8000, sample(0)),
    ];
    assert_eq!(
        listed(&profiled(events)),
        [
            "a: 0 visits, 7000 ns, 1000 ns, 1 samples",
            "ab: 0 visits, 6000 ns, 1000 ns, 1 samples",
            "abc: 1 visits, 5000 ns, 4000 ns, 1 samples",
            "abcb: 0 visits, 1000 ns, 1000 ns, 1 samples",
        ]
    );
}

/// The regions and begins of the calls that parameters are in.
#[derive(Default)]
struct Parameters(Vec<(RegionRef, u64, usize)>);

impl Visitor for Parameters {
    type Mark = ();

    fn event(&mut self, _: u64, event: &Event<'_>, inside: Inside<'_, ()>) {
        if let Event::ParameterUnsignedInt(_) = event {
            self.0.push((inside.region, inside.start, inside.depth));
        }
    }
}

/// A message belonged to the call that a sample had seen inside of `MPI_Recv`, where it was not
/// waited for.
#[test]
fn an_event_is_in_the_call_that_was_entered() {
    let trace = trace(&[], clock(9));
    let (mut caller, mut parameters) = (Caller::new(&trace, 0), Parameters::default());
    let parameter =
        || Event::ParameterUnsignedInt(ParameterUnsignedInt { parameter: ParameterRef(0), value: 0 });
    let events = [sample(1), parameter(), enter(2), sample(4), parameter(), leave(2), parameter()];
    for (time, event) in (1..).zip(&events) {
        caller.event(time, event, &mut parameters).unwrap();
    }
    let outside = (RegionRef::UNDEFINED, 0, 0);
    assert_eq!(parameters.0, [outside, (region(b'c'), 3, 2), outside]);
}

/// The functions of an MPI library that waits for others were computation.
#[test]
fn a_sampled_function_belongs_to_the_call_around_it() {
    let trace = trace(&[], clock(9));
    let mut contexts = Contexts::new();
    let mut child = |parent, name| contexts.child(parent, region(name)).unwrap();
    let program = child(ContextId::ROOT, b'a');
    let message = child(program, b'i');
    let inside = child(message, FOUND);
    let below = child(inside, FOUND);
    let called_back = child(below, b'b');
    let outside = child(program, FOUND);
    let classes = Class::of_contexts(&trace, &contexts);
    let of = |context: ContextId| classes[context.index()];
    assert_eq!([message, inside, below].map(of), [Class::Communication; 3]);
    assert_eq!([program, called_back, outside].map(of), [Class::Computation; 3]);
}

/// A region without a calling context was shown below the call that the last sample had seen.
#[test]
fn a_region_without_a_context_is_in_no_sampled_call() {
    let events = vec![(1000, sample(1)), (2000, event(b'c')), (3000, event(b'C')), (4000, sample(0))];
    let listed = listed(&profiled(events));
    assert_eq!(listed.first().map(String::as_str), Some("a: 0 visits, 2000 ns, 1000 ns, 1 samples"));
    assert_eq!(listed.last().map(String::as_str), Some("c: 1 visits, 1000 ns, 1000 ns"));
}

#[test]
fn contexts_that_are_entered_and_left_are_calls() {
    let events =
        vec![(0, enter(0)), (1, enter(1)), (4, leave(1)), (5, enter(1)), (6, leave(1)), (9, leave(0))];
    let profile = profiled(events);
    assert_eq!(listed(&profile), ["a: 1 visits, 9 ns, 5 ns", "ab: 2 visits, 4 ns, 4 ns"]);
    assert_eq!(profile.remarks, Remarks::default());
}

#[test]
fn undefined_contexts_are_counted() {
    let profile = profiled(vec![(0, sample(99)), (1, enter(u32::MAX)), (2, leave(99)), (1003, sample(0))]);
    assert_eq!(listed(&profile), ["a: 0 visits, 1000 ns, 1000 ns, 1 samples"]);
    assert_eq!(profile.remarks, Remarks { undefined_contexts: 3, ..Remarks::default() });
}

#[test]
fn samples_of_generators_that_count_have_no_time() {
    let Event::CallingContextSample(it) = sample(1) else { unreachable!() };
    let counted = CallingContextSample { interrupt_generator: InterruptGeneratorRef(1), ..it };
    let profile = profiled(vec![(0, Event::CallingContextSample(counted))]);
    assert_eq!(listed(&profile), ["ab: 0 visits, 0 ns, 0 ns, 1 samples"]);
    assert_eq!(profile.remarks, Remarks { timeless_samples: 1, ..Remarks::default() });
}

/// A program can sample beside enters whose regions the samples do not know.
#[test]
fn samples_elsewhere_do_not_end_calls() {
    let mut all = events("e  E");
    all.insert(1, (1, sample(1)));
    let profile = profiled(all);
    assert_eq!(listed(&profile), ["ab: 0 visits, 0 ns, 0 ns, 1 samples", "e: 1 visits, 3 ns, 3 ns"]);
    assert_eq!(profile.remarks, Remarks::default());
}

/// Exclusive times by call path.
type Times = BTreeMap<Vec<RegionRef>, u128>;

/// Returns the exclusive times of an overview and of a profile, and each slice of the former.
fn times(events: &[Timed], most: usize) -> (Times, Times, Vec<(u32, u64)>) {
    let length = events.last().map_or(0, |it| it.0);
    let trace = trace(&[events.to_vec()], clock(length));
    let path = |contexts: &Contexts, id| {
        contexts.path(id).into_iter().map(|it| contexts.region(it)).collect::<Vec<_>>()
    };
    let shape = Shape::new(0, length, most, most);
    let (_, overview) = overview::of(&trace, &Selection::default(), &shape, |_| ()).unwrap();
    let (mut shown, mut slices) = (Times::new(), Vec::new());
    for entry in overview.lanes.iter().flat_map(|(_, lane)| &lane.entries).filter(|it| it.exclusive > 0) {
        *shown.entry(path(&overview.contexts, entry.context)).or_default() += u128::from(entry.exclusive);
        slices.push((entry.slice, entry.exclusive));
    }
    let profile = profile::of(&trace, &Selection::default()).unwrap();
    let rows = profile.total().contexts.into_iter();
    let rows = rows.map(|(id, sums)| (path(&profile.contexts, id), sums.exclusive()));
    (shown, rows.filter(|it| it.1 > 0).collect(), slices)
}

/// The overview once had the period of the sample in `abcb`, and that time in `abc` again.
#[test]
fn the_overview_counts_samples_in_calls_once() {
    let events =
        [(2000, enter(2)), (3000, sample(2)), (4500, sample(4)), (7000, leave(2)), (8000, sample(0))];
    for most in [64, 256, 1024] {
        let (shown, expected, slices) = times(&events, most);
        assert_eq!(shown, expected);
        let width = 8000_u64.div_ceil(most as u64);
        let mut sums = BTreeMap::<u32, u64>::new();
        slices.iter().for_each(|(slice, time)| *sums.entry(*slice).or_default() += time);
        // The period of a sample belongs to its slice.
        assert!(sums.values().all(|it| *it <= width + PERIOD), "{sums:?}");
        assert_eq!(slices.iter().filter(|it| it.1 == PERIOD).count(), 2, "{slices:?}");
    }
}

/// A sample where the one before was once belonged to the slice of that.
#[test]
fn samples_belong_to_the_slice_of_their_time() {
    let (_, _, slices) = times(&[(0, sample(2)), (6400, sample(2))], 64);
    assert_eq!(slices, [(0, PERIOD), (63, PERIOD)]);
}

/// All were shown. Only samples know `a` and the callers of the call that is entered; one sees that
/// region, too.
#[test]
fn time_lines_show_only_callers_that_a_sample_saw() {
    let events = [(0, enter(4)), (640, leave(4)), (1280, sample(4)), (1920, sample(3)), (6400, sample(3))];
    let trace = trace(&[events.to_vec()], clock(6400));
    let shape = Shape::new(0, 6400, 64, 1);
    let (_, overview) = overview::of(&trace, &Selection::default(), &shape, |_| ()).unwrap();
    let cells = &overview.lanes[0].1.levels[0];
    let shown: Vec<_> = [3, 9, 15, 40, 60].iter().map(|it| cells[*it].region).collect();
    assert_eq!(shown, [region(b'b'), region(b'b'), region(b'd'), RegionRef::UNDEFINED, region(b'd')]);
}

/// Two samples 3 ns apart had a period each.
#[test]
fn a_sample_stands_for_no_more_than_the_time_since_the_one_before() {
    let profile = profiled(vec![(0, sample(0)), (3, sample(0)), (5000, sample(0))]);
    assert_eq!(listed(&profile), ["a: 0 visits, 2003 ns, 2003 ns, 3 samples"]);
}

/// A wait and the period of the sample after it counted twice.
#[test]
fn a_sample_gives_a_call_no_more_time_than_it_has() {
    let events = vec![
        (0, event(b'e')),
        (0, event(b'E')),
        // The thread runs for 300 ns, waits, and runs for 700 ns.
        (300, enter(1)),
        (9300, leave(1)),
        (10_000, sample(0)),
        // A sample 200 ns after the enter of ab stands for 800 ns before it, in a.
        (10_800, enter(1)),
        (11_000, sample(4)),
        (11_500, leave(1)),
        (12_000, sample(0)),
    ];
    assert_eq!(
        listed(&profiled(events)),
        [
            "a: 0 visits, 12000 ns, 2300 ns, 2 samples",
            "ab: 2 visits, 9700 ns, 9500 ns",
            "abc: 0 visits, 200 ns, 0 ns",
            "abcb: 0 visits, 200 ns, 200 ns, 1 samples",
            "e: 1 visits, 0 ns, 0 ns",
        ]
    );
}

/// The calls that samples have seen, with their begins and ends.
#[derive(Default)]
struct Seen(Vec<(RegionRef, u64, u64)>, BTreeMap<usize, RegionRef>);

impl Visitor for Seen {
    type Mark = ();

    fn enter(&mut self, context: ContextId, region: RegionRef, _: u64, _: bool) {
        self.1.insert(context.index(), region);
    }

    fn leave(&mut self, call: &Call, _: (), _: &mut ()) {
        if call.is_sampled {
            self.0.push((self.1[&call.context.index()], call.start, call.end));
        }
    }
}

/// A program that slept between two samples was shown in the function of the first one.
#[test]
fn a_call_that_samples_have_seen_ends_where_a_sample_is_missing() {
    let trace = trace(&[], clock(90_000));
    let (mut caller, mut seen) = (Caller::new(&trace, 0), Seen::default());
    for (time, context) in [(0, 0), (2000, 0), (3000, 0), (3900, 0), (50_000, 0), (51_000, 3)] {
        caller.event(time, &sample(context), &mut seen).unwrap();
    }
    caller.finish(90_000, false, &mut seen);
    let a = region(b'a');
    assert_eq!(seen.0, [(a, 0, 3900), (region(b'd'), 50_000, 51_000), (a, 49_000, 51_000)]);
}

proptest! {
    #[test]
    fn overviews_of_calls_and_samples_have_the_sums_of_profiles(
        steps in prop::collection::vec((0_u64..2500, 0_u32..15), 1..60),
    ) {
        let mut time = 0;
        let mut next = |(pause, what): (u64, u32)| {
            time += pause;
            let context = what % 5;
            (time, match what / 5 { 0 => enter(context), 1 => leave(context), _ => sample(context) })
        };
        let events: Vec<_> = steps.into_iter().map(&mut next).collect();
        let (shown, expected, _) = times(&events, 64);
        prop_assert_eq!(shown, expected);
    }

    #[test]
    fn the_times_of_a_location_add_up_to_no_more_than_its_length(
        steps in prop::collection::vec((0_u64..2500, 0_u32..15), 1..60),
    ) {
        let mut time = 0;
        let mut next = |(pause, what): (u64, u32)| {
            time += pause;
            let context = what % 5;
            (time, match what / 5 { 0 => enter(context), 1 => leave(context), _ => sample(context) })
        };
        // A first event that is not a sample.
        let first = (0, event(b'e'));
        let events: Vec<_> = [first].into_iter().chain(steps.into_iter().map(&mut next)).collect();
        let group = profiled(events).total();
        let sum: u128 = group.contexts.values().map(profile::Sums::exclusive).sum();
        prop_assert_eq!(sum + group.outside, group.length);
    }
}
