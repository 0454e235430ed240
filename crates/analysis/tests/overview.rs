//! Pictures show the same times that profiles sum.

use kymo_analysis::overview::{self, Cell, Lane, Overview, Shape};
use kymo_analysis::{ContextId, Contexts, Remarks, Selection, Trace, profile};
use kymo_analysis_testing::*;
use kymo_otf2::references::{LocationRef, RegionRef};
use kymo_testdata::{anchors, cases, own};
use proptest::prelude::*;
use std::collections::{BTreeMap, HashSet};

/// Exclusive time and visits by call path.
type Sums = BTreeMap<Vec<RegionRef>, (u128, u64)>;

fn path(contexts: &Contexts, context: kymo_analysis::ContextId) -> Vec<RegionRef> {
    contexts.path(context).into_iter().map(|it| contexts.region(it)).collect()
}

fn of(trace: &Trace, most: usize) -> (Shape, Overview) {
    let shape = Shape::new(0, trace.clock().length(), most, 256);
    let (_, overview) = overview::of(trace, &Selection::default(), &shape, |_| ()).unwrap();
    (shape, overview)
}

/// Returns the sums of the slices that `is_wanted` selects.
fn sums_of(overview: &Overview, lane: &Lane, is_wanted: impl Fn(u32) -> bool) -> Sums {
    let mut sums = Sums::new();
    for entry in lane.entries.iter().filter(|it| is_wanted(it.slice)) {
        let sum = sums.entry(path(&overview.contexts, entry.context)).or_default();
        *sum = (sum.0 + u128::from(entry.exclusive), sum.1 + entry.visits);
    }
    sums
}

/// Returns the same sums by a profile, and whether anything was irregular.
fn profiled(trace: &Trace, location: LocationRef, from: u64, to: u64) -> (Sums, bool) {
    let locations = Some(HashSet::from([location]));
    let profile = profile::of(trace, &Selection { locations, from, to, ..Selection::default() }).unwrap();
    let is_regular = profile.remarks == Remarks::default() && profile.failures.is_empty();
    let row = |sums: profile::Sums| (sums.exclusive(), sums.calls.visits);
    let rows = profile.total().contexts.into_iter();
    let sums = rows.map(|(id, sums)| (path(&profile.contexts, id), row(sums)));
    (sums.filter(|(_, sums)| *sums != (0, 0)).collect(), is_regular)
}

#[test]
fn slices_add_up_to_the_profile() {
    let mut lanes = 0;
    for anchor in ["otf2-samples", "otf2-real"].into_iter().flat_map(cases).flat_map(|case| anchors(&case)) {
        let trace = Trace::open(&anchor).unwrap();
        let (_, overview) = of(&trace, 1024);
        let profile = profile::of_groups(&trace, &Selection::default(), &[], |it| it.id.0).unwrap();
        // Both trees are sorted, so that ids are equal.
        let tree = |contexts: &Contexts| {
            let node = |it| (contexts.parent(it), contexts.region(it));
            contexts.iter().map(node).collect::<Vec<_>>()
        };
        assert_eq!(tree(&overview.contexts), tree(&profile.contexts));
        for (location, lane) in &overview.lanes {
            let mut found = BTreeMap::<_, (u128, u64)>::new();
            for entry in &lane.entries {
                let sum = found.entry(entry.context).or_default();
                *sum = (sum.0 + u128::from(entry.exclusive), sum.1 + entry.visits);
            }
            let group = profile.groups.get(&location.0).cloned().unwrap_or_default();
            let outside: u128 = lane.outside.iter().map(|it| u128::from(*it)).sum();
            assert_eq!(outside, group.outside, "{} {location:?}", anchor.display());
            let row = |sums: profile::Sums| (sums.exclusive(), sums.calls.visits);
            let rows = group.contexts.into_iter().map(|(id, sums)| (id, row(sums)));
            let expected: BTreeMap<_, _> = rows.filter(|(_, sums)| *sums != (0, 0)).collect();
            assert_eq!(found, expected, "{} {location:?}", anchor.display());
            lanes += 1;
        }
    }
    assert!(lanes >= 80, "{lanes}");
}

/// Times of calls that were entered are exact in each slice.
#[test]
fn a_slice_is_the_profile_of_its_time() {
    let mut slices = 0;
    for case in ["otf2-samples/python-basic", "scorep-recordings/hybrid", "scorep-recordings/mpi"] {
        let trace = Trace::open(anchors(&own(case)).remove(0)).unwrap();
        let (shape, overview) = of(&trace, 64);
        for (location, lane) in overview.lanes.iter().take(4) {
            for slice in (0..shape.slices as u64).step_by(7) {
                let from = slice * shape.slice_width();
                let (expected, is_regular) = profiled(&trace, *location, from, from + shape.slice_width());
                if !is_regular {
                    continue;
                }
                let times = |sums: Sums| {
                    let rows = sums.into_iter().map(|(path, sums)| (path, sums.0));
                    rows.filter(|it| it.1 > 0).collect::<BTreeMap<_, _>>()
                };
                let found = times(sums_of(&overview, lane, |it| u64::from(it) == slice));
                assert_eq!(found, times(expected), "{case} {location:?} {slice}");
                slices += 1;
            }
        }
    }
    assert!(slices > 50, "{slices}");
}

/// Returns which calls are open at each nanosecond, by a stack.
fn running(events: &[Timed], length: u64) -> Vec<Vec<RegionRef>> {
    let (mut open, mut running) = (Vec::new(), Vec::new());
    let mut next = events.iter().peekable();
    for now in 0..length {
        while let Some((_, event)) = next.next_if(|it| it.0 <= now) {
            match event {
                kymo_otf2::events::Event::Enter(it) => open.push(it.region),
                _ => drop(open.pop()),
            }
        }
        running.push(open.clone());
    }
    running
}

/// Returns the least number of calls around a call that begins in a span of time.
fn outermost(events: &[Timed], from: u64, to: u64) -> u8 {
    let (mut depth, mut least) = (0, Cell::NO_CALL);
    for (time, event) in events {
        let is_enter = matches!(event, kymo_otf2::events::Event::Enter(_));
        if is_enter && (from..to).contains(time) {
            least = least.min(depth);
        }
        depth = if is_enter { depth + 1 } else { depth - 1 };
    }
    least
}

/// Checks a cell against the calls that are open in its bucket of this width.
fn check(overview: &Overview, cell: &Cell, bucket: &[Vec<RegionRef>], width: u64) {
    let (mut times, mut paths) = (BTreeMap::<RegionRef, u64>::new(), BTreeMap::<_, u64>::new());
    for path in bucket.iter().filter(|it| !it.is_empty()) {
        *times.entry(path[path.len() - 1]).or_default() += 1;
        *paths.entry(path.clone()).or_default() += 1;
    }
    let most = times.values().max().copied().unwrap_or(0);
    assert_eq!(times.get(&cell.region).copied().unwrap_or(0), most);
    assert_eq!(u64::from(cell.share), (most * 255 / width).max(u64::from(most > 0)));
    let own = path(&overview.contexts, cell.context);
    paths.retain(|it, _| it.last() == Some(&cell.region));
    assert_eq!(paths.get(&own), paths.values().max());
}

proptest! {
    /// Nested calls, of any length, at any time.
    #[test]
    fn cells_have_the_region_with_the_most_time(
        steps in prop::collection::vec((0_u64..9, 0_usize..12), 1..200),
    ) {
        let (mut events, mut open, mut time) = (Vec::new(), Vec::new(), 0);
        for (pause, name) in steps {
            time += pause;
            match NAMES.get(name) {
                Some(name) => {
                    open.push(*name);
                    events.push((time, event(*name)));
                }
                None => events.extend(open.pop().map(|it: u8| (time, event(it.to_ascii_uppercase())))),
            }
        }
        while let Some(name) = open.pop() {
            time += 1;
            events.push((time, event(name.to_ascii_uppercase())));
        }
        let expected = running(&events, time);
        let (shape, overview) = of(&trace(&[events.clone()], clock(time)), 256);
        let lane = &overview.lanes[0].1;
        for (cells, buckets) in lane.levels.iter().zip(shape.levels()) {
            prop_assert_eq!(cells.len(), buckets);
            let width = shape.width as usize * shape.buckets / buckets;
            for (place, cell) in cells.iter().enumerate() {
                let from = (place * width).min(expected.len());
                let to = expected.len().min(from + width);
                check(&overview, cell, &expected[from..to], width as u64);
                let is_last = place + 1 == buckets;
                let end = if is_last { u64::MAX } else { (from + width) as u64 };
                let start = (place * width) as u64;
                prop_assert_eq!(cell.outermost, outermost(&events, start, end));
            }
            let calls: u32 = cells.iter().map(|it| it.calls).sum();
            prop_assert_eq!(calls as usize, events.len() / 2);
        }
    }
}

/// The enter of `a` is missing.
#[test]
fn a_call_without_an_enter_is_drawn_from_the_first_event() {
    let events = vec![
        (100, event(b'b')),
        (150, event(b'B')),
        (400, event(b'A')),
        (640, event(b'c')),
        (640, event(b'C')),
    ];
    let (shape, overview) = of(&trace(&[events], clock(640)), 64);
    assert_eq!(shape.width, 10);
    let cells = &overview.lanes[0].1.levels[0];
    let regions: Vec<_> = [5, 12, 20, 39, 45].iter().map(|it| cells[*it].region).collect();
    let [a, b, none] = [region(b'a'), region(b'b'), RegionRef::UNDEFINED];
    assert_eq!(regions, [none, b, a, a, none]);
}

/// A time that saturated, because it was far after the others, made buckets without end.
#[test]
fn a_lane_has_its_buckets_whatever_the_times() {
    for length in [2, 1 << 40, u64::MAX] {
        for last in [1, 1 << 32, 1 << 63, u64::MAX - 1, u64::MAX] {
            let events = vec![(0, event(b'a')), (last, event(b'b')), (u64::MAX, event(b'B'))];
            let (shape, overview) = of(&trace(&[events], clock(length)), 256);
            let lane = &overview.lanes[0].1;
            assert_eq!(
                lane.levels.iter().map(Vec::len).collect::<Vec<_>>(),
                shape.levels().collect::<Vec<_>>()
            );
            assert_eq!(lane.entries.iter().map(|it| it.exclusive).sum::<u64>(), u64::MAX);
        }
    }
}

/// Reading begins at every checkpoint; the cells are those of reading from the start.
#[test]
fn parts_are_those_of_the_whole() {
    let mut parts = 0;
    for anchor in ["otf2-samples", "otf2-real", "scorep-recordings"]
        .into_iter()
        .flat_map(cases)
        .flat_map(|case| anchors(&case))
    {
        let trace = Trace::open(&anchor).unwrap();
        let selection = Selection::default();
        let shape = Shape::new(0, trace.clock().length(), 4096, 1);
        let mut checkpoints = BTreeMap::new();
        let every = 7.try_into().unwrap();
        let (_, overview) = overview::with_checkpoints(
            &trace,
            &selection,
            &shape,
            every,
            |location, _, made| {
                checkpoints.insert(location.id, made);
                Ok(())
            },
            |_| (),
        )
        .unwrap();
        for (location, lane) in &overview.lanes {
            for (number, expected) in lane.levels[0].chunks(64).enumerate().step_by(5) {
                let from = number as u64 * 64 * shape.width;
                let part = Shape { from, length: 64 * shape.width, buckets: 64, slices: 1, ..shape };
                let found = overview::part(&trace, &selection, &part, *location, &checkpoints[location]);
                let Ok((found, contexts)) = found else { continue };
                let ids = overview.contexts.nearest(&contexts, |region| trace.same_region(region));
                // The last bucket also counts events later than the end of the trace.
                let count = 64.min(shape.buckets - number * 64 - 1);
                let seen = |cells: &[Cell], id: &dyn Fn(ContextId) -> ContextId| {
                    let row = |it: &Cell| (it.region, id(it.context), it.share, it.calls, it.outermost);
                    cells[..count].iter().map(row).collect::<Vec<_>>()
                };
                let found = seen(&found, &|it| ids[it.index()]);
                let expected = seen(expected, &|it| it);
                assert_eq!(found, expected, "{} {location:?} {number}", anchor.display());
                parts += 1;
            }
        }
    }
    assert!(parts >= 1444, "{parts}");
}
