//! Blame and critical paths of random traces, compared with those that follow wait by wait from
//! their definitions.

use crate::waits::{call, receive, send, waits_of};
use kymo_analysis::causes::{self, Causes, Kept, Segment};
use kymo_analysis::waits::WaitState;
use kymo_analysis::{ContextId, Selection, Trace};
use kymo_analysis_testing::*;
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::events::*;
use kymo_otf2::references::{LocationRef, RegionRef};
use kymo_testdata::random_cases;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;

type Path = Vec<RegionRef>;

/// Where time is: a location, or nobody, its call path, and whether it has not begun.
type Place = (Option<u64>, Path, bool);

/// A step of a program: its kind, two locations, and two times.
type Step = (u8, usize, usize, u64, u64);

const RANKS: usize = 4;

/// Runs steps one after the other, each at the times of its locations. Clocks differ by `skews`.
/// Returns the events by location, all of them in one call.
fn run(steps: &[Step], skews: &[u64]) -> Vec<Vec<Timed>> {
    let mut times = [0; RANKS];
    let mut events = vec![Vec::new(); RANKS];
    let enter = |it: RegionRef| Event::Enter(Enter { region: it });
    let leave = |it: RegionRef| Event::Leave(Leave { region: it });
    for &(kind, one, other, work, cost) in steps {
        let starts = times;
        let mut communicate = |rank: usize, end: u64, inside: [u64; 2], between: &[Event<'static>]| {
            let name = if kind == 2 { function("MPI_Ssend") } else { region(b'h') };
            events[rank].push((starts[rank], enter(name)));
            let timed = inside.into_iter().zip(between.iter().cloned());
            events[rank].extend(timed);
            events[rank].push((end, leave(name)));
            times[rank] = end;
        };
        match kind {
            1 | 2 if one != other => {
                let posted = starts[one].max(starts[other]);
                let [sent, received] = match kind {
                    1 => [starts[one] + cost, posted + cost],
                    _ => [posted + cost, posted + cost + 1],
                };
                let tag = 0;
                communicate(one, sent, [starts[one]; 2], &[send(other as u32, 8, tag)]);
                communicate(other, received, [received; 2], &[receive(one as u32, 8, tag)]);
            }
            3 => {
                let last = starts.into_iter().max().unwrap_or(0);
                for (rank, start) in starts.into_iter().enumerate() {
                    let end = last + cost + rank as u64 % 2;
                    communicate(rank, end, [start, end], &barrier());
                }
            }
            _ => {
                events[one].push((times[one], enter(region(b'b'))));
                events[one].push((times[one] + work, leave(region(b'b'))));
                times[one] += work + cost;
            }
        }
    }
    let in_one_call = |(rank, events): (usize, Vec<Timed>)| {
        let skewed: Vec<Timed> =
            events.into_iter().map(|(time, event)| (time + skews[rank], event)).collect();
        let (first, last) = (skews[rank], times[rank] + skews[rank]);
        call(region(b'a'), first, &skewed, last)
    };
    events.into_iter().enumerate().map(in_one_call).collect()
}

fn barrier() -> [Event<'static>; 2] {
    [
        Event::MpiCollectiveBegin(MpiCollectiveBegin {}),
        Event::MpiCollectiveEnd(MpiCollectiveEnd {
            collective_op: CollectiveOp::BARRIER,
            communicator: WORLD,
            root: u32::MAX,
            size_sent: 0,
            size_received: 0,
        }),
    ]
}

fn programs() -> impl Strategy<Value = Vec<Vec<Timed>>> {
    let step = (0..4_u8, 0..RANKS, 0..RANKS, 0..40_u64, 0..6_u64);
    let skews = prop_oneof![Just(vec![0; RANKS]), prop::collection::vec(0..25_u64, RANKS)];
    (prop::collection::vec(step, 1..40), skews).prop_map(|(steps, skews)| run(&steps, &skews))
}

/// A trace, with its waits and activities.
struct Run {
    waits: Vec<WaitState>,
    /// Begin, end and path by location.
    activities: Vec<Vec<(u64, u64, Path)>>,
    /// The first and the last event by location.
    spans: Vec<(u64, u64)>,
    found: Causes,
}

impl Run {
    fn of(locations: &[Vec<Timed>]) -> Self {
        Self::in_threads(locations, 2)
    }

    fn in_threads(locations: &[Vec<Timed>], threads: usize) -> Self {
        let length = locations.iter().flatten().map(|it| it.0).max().unwrap_or(0);
        let trace: Trace = trace(locations, clock(length));
        let threads = NonZero::new(threads).expect("a number");
        let selection = Selection { threads, ..Selection::default() };
        let found = causes::of(&trace, &selection, Kept { most: usize::MAX }).expect("causes");
        let span = |events: &Vec<Timed>| Some((events.first()?.0, events.last()?.0));
        Self {
            waits: waits_of(&trace),
            activities: locations.iter().map(|it| activity(it)).collect(),
            spans: locations.iter().filter_map(span).collect(),
            found,
        }
    }

    /// Returns the waits of a location that share time with an interval.
    fn waits_in(&self, location: u64, from: u64, to: u64) -> Vec<&WaitState> {
        let mut all: Vec<_> = self.waits.iter().filter(|it| it.location.0 == location).collect();
        all.retain(|it| it.start < to && it.end > from);
        all
    }

    /// Says who is to blame for the waiting for a location from `from` to `to`, in a wait that ends
    /// at `end`.
    fn blame(
        &self,
        location: u64,
        [from, to, end]: [u64; 3],
        chain: &mut Vec<u64>,
        sums: &mut BTreeMap<Place, u128>,
    ) {
        let nobody = (None, Path::new(), false);
        if chain.contains(&location) {
            return add(sums, nobody, to - from);
        }
        let waits = self.waits_in(location, from, to);
        let first = self.spans[location as usize].0;
        let mut time = from;
        for it in waits.iter().copied().map(Some).chain([None]) {
            let begin = it.map_or(to, |it| it.start.clamp(time, to));
            for (since, until, path) in self.pieces(location, time, begin) {
                add(sums, (Some(location), path, until <= first), until - since);
            }
            let Some(wait) = it else { break };
            let until = wait.end.min(to);
            if wait.end > end {
                add(sums, nobody.clone(), until - begin);
            } else {
                chain.push(location);
                self.blame(wait.cause.0, [begin, until, wait.end], chain, sums);
                chain.pop();
            }
            time = until;
        }
    }

    /// Returns the parts of a time by the path that a location was in.
    fn pieces(&self, location: u64, from: u64, to: u64) -> Vec<(u64, u64, Path)> {
        let activities = &self.activities[location as usize];
        let (mut pieces, mut time) = (Vec::new(), from);
        for (since, until, path) in activities {
            let (since, until) = ((*since).clamp(time, to.max(time)), (*until).clamp(time, to.max(time)));
            pieces.push((time, since, Path::new()));
            pieces.push((since, until, path.clone()));
            time = until;
        }
        pieces.push((time, to.max(time), Path::new()));
        pieces.retain(|(since, until, _)| since < until);
        pieces
    }

    /// Returns the critical path by its definition, from begin to end.
    fn path(&self) -> Vec<Segment> {
        let end = |location: &usize| self.spans[*location].1;
        let Some(last) = (0..RANKS).rev().max_by_key(end) else { return Vec::new() };
        let (mut location, mut time) = (last as u64, end(&last));
        let (mut used, mut path) = (BTreeSet::new(), Vec::new());
        loop {
            let candidates =
                self.waits.iter().enumerate().filter(|(number, it)| {
                    it.location.0 == location && it.end <= time && !used.contains(number)
                });
            let next = candidates.max_by_key(|(_, it)| it.end);
            let begin = self.spans[location as usize].0;
            let start = next.map_or(begin.min(time), |(_, it)| it.end);
            if start < time {
                path.push(Segment { location: LocationRef(location), start, end: time });
            }
            let Some((number, wait)) = next else { break };
            used.insert(number);
            (location, time) = (wait.cause.0, wait.end);
        }
        path.reverse();
        path
    }

    /// Returns the regions of a calling context.
    fn regions(&self, context: ContextId) -> Path {
        let contexts = &self.found.contexts;
        contexts.path(context).iter().map(|it| contexts.region(*it)).collect()
    }

    fn found_blame(&self) -> BTreeMap<Place, u128> {
        let found = &self.found;
        let places = found
            .places
            .iter()
            .map(|((context, id), times)| ((Some(id.0), self.regions(*context), false), times.blame));
        let before = found.before_start.iter().map(|(id, time)| ((Some(id.0), Path::new(), true), *time));
        let nobody = [((None, Path::new(), false), found.of_nobody)];
        places.chain(before).chain(nobody).filter(|(_, time)| *time > 0).collect()
    }
}

fn add(sums: &mut BTreeMap<Place, u128>, place: Place, length: u64) {
    if length > 0 {
        *sums.entry(place).or_default() += u128::from(length);
    }
}

/// Returns begin, end and path of each activity of a location, from its first event on.
fn activity(events: &[Timed]) -> Vec<(u64, u64, Path)> {
    let (mut all, mut path, mut since) = (Vec::new(), Path::new(), None);
    for (time, event) in events {
        if let Some(since) = since.filter(|since| since < time) {
            all.push((since, *time, path.clone()));
        }
        since = Some(*time);
        match event {
            Event::Enter(it) => path.push(it.region),
            Event::Leave(_) => drop(path.pop()),
            _ => {}
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(random_cases(60)))]

    #[test]
    fn blame_is_that_of_following_each_wait(locations in programs()) {
        let run = Run::of(&locations);
        let mut expected = BTreeMap::new();
        for wait in &run.waits {
            let interval = [wait.start, wait.end, wait.end];
            run.blame(wait.cause.0, interval, &mut vec![wait.location.0], &mut expected);
        }
        let waited: u128 = run.waits.iter().map(|wait| u128::from(wait.time())).sum();
        prop_assert_eq!(run.found_blame().values().sum::<u128>(), waited);
        prop_assert_eq!(run.found_blame(), expected);
    }

    #[test]
    fn critical_paths_are_those_of_the_definition(locations in programs()) {
        let run = Run::of(&locations);
        let (found, expected) = (&run.found.path, run.path());
        prop_assert_eq!(&found.longest, &expected);
        prop_assert_eq!(found.segments, expected.len() as u64);
        for pair in found.longest.windows(2) {
            prop_assert_eq!(pair[0].end, pair[1].start);
        }
        let on_path: u128 = run.found.places.values().map(|times| times.critical).sum();
        prop_assert_eq!(on_path, u128::from(found.length()));
        let mut by_path: BTreeMap<_, u128> = BTreeMap::new();
        let mut found_by_path = by_path.clone();
        for segment in &expected {
            for (since, until, path) in run.pieces(segment.location.0, segment.start, segment.end) {
                *by_path.entry((segment.location, path)).or_default() += u128::from(until - since);
            }
        }
        for ((context, id), times) in run.found.places.iter().filter(|(_, times)| times.critical > 0) {
            *found_by_path.entry((*id, run.regions(*context))).or_default() += times.critical;
        }
        prop_assert_eq!(found_by_path, by_path);
    }

    #[test]
    fn waits_have_the_paths_of_their_calls(locations in programs()) {
        let run = Run::of(&locations);
        prop_assert_eq!(run.found.waits.len(), run.waits.len());
        for placed in &run.found.waits {
            let path = run.regions(placed.context);
            prop_assert_eq!(path.last(), Some(&placed.wait.region));
            prop_assert!(run.waits.contains(&placed.wait));
        }
        let by_context: u128 = run.found.waits_by_context.values().map(|it| it.time).sum();
        prop_assert_eq!(by_context, run.found.statistics.waits.total());
    }

    #[test]
    fn the_number_of_threads_makes_no_difference(locations in programs()) {
        let [one, four] = [1, 4].map(|threads| Run::in_threads(&locations, threads).found);
        prop_assert_eq!(one.places, four.places);
        prop_assert_eq!(one.by_context, four.by_context);
        prop_assert_eq!(one.waits, four.waits);
        prop_assert_eq!(one.waits_by_context, four.waits_by_context);
        prop_assert_eq!(one.path, four.path);
        prop_assert_eq!(one.of_nobody, four.of_nobody);
        prop_assert_eq!(one.before_start, four.before_start);
        prop_assert_eq!(one.longest_caused, four.longest_caused);
        prop_assert_eq!(one.longest_of_kind, four.longest_of_kind);
    }
}

/// The generator makes chains of waits, and waits that nobody ends, so that the comparison is not
/// one of nothing.
#[test]
fn random_programs_have_chains_of_waits() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let (mut indirect, mut of_nobody, mut segments) = (0, 0, 0);
    for _ in 0..300 {
        let run = Run::of(&programs().new_tree(&mut runner).expect("a program").current());
        let is_indirect = |wait: &WaitState| !run.waits_in(wait.cause.0, wait.start, wait.end).is_empty();
        indirect += run.waits.iter().filter(|wait| is_indirect(wait)).count();
        of_nobody += usize::from(run.found.of_nobody > 0);
        segments += usize::from(run.found.path.segments > 2);
    }
    assert!(indirect >= 100 && of_nobody >= 5 && segments >= 50, "{indirect} {of_nobody} {segments}");
}

/// Locations without events in the selected time are in it if they have events before and after it.
#[test]
fn the_critical_path_of_a_part_ends_at_its_end() {
    let locations = [call(region(b'a'), 0, &[], 100), call(region(b'a'), 0, &[(40, send(0, 8, 0))], 100)];
    let trace = trace(&locations, clock(100));
    let selection = Selection { from: 20, to: 60, ..Selection::default() };
    let found = causes::of(&trace, &selection, Kept { most: 9 }).expect("causes");
    assert_eq!(found.path.longest, [Segment { location: LocationRef(0), start: 20, end: 60 }]);
    assert_eq!((found.length(), found.comparable), (40, 2));
}
