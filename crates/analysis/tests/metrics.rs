//! Metrics count in the calls in which they change.

use kymo_analysis::profile::{MetricSums, Profile, Quantity};
use kymo_analysis::{Selection, profile};
use kymo_analysis_testing::*;
use kymo_otf2::events::{Event, Metric, ThreadTaskSwitch};
use kymo_otf2::list::List;
use kymo_otf2::references::{CommRef, MetricRef, RegionRef};
use kymo_otf2::value::MetricValue;

/// Returns an event with a value of the metric with this id.
fn value(metric: u32, value: impl Into<MetricValue>) -> Event<'static> {
    // Lists borrow their elements, for as long as the test runs.
    let values = Box::leak(Box::new([value.into()]));
    Event::Metric(Metric { metric: MetricRef(metric), metric_values: List::new(values).expect("one value") })
}

/// Each letter is an event one nanosecond later; digits are values of metric 0.
fn script(script: &str) -> Vec<Timed> {
    let event = |byte: u8| match byte {
        b'0'..=b'9' => value(0, u64::from(byte - b'0')),
        letter => event(letter),
    };
    (0..).zip(script.bytes().map(event)).collect()
}

fn metered(events: Vec<Timed>, selection: &Selection) -> Profile {
    let trace = trace(&[events], clock(0));
    let metrics: Vec<_> = trace.metrics().copied().collect();
    profile::of_groups(&trace, selection, &metrics, |_| 0).expect("a profile")
}

/// Returns a value per region: its name, and the result of `get` for a metric.
fn by_region(profile: &Profile, metric: usize, get: impl Fn(&MetricSums) -> Option<Quantity>) -> String {
    let metrics = profile.metrics_by_region(&profile.total());
    let text = |(region, sums): (&RegionRef, &Vec<MetricSums>)| {
        let quantity = get(&sums[metric]).map(|it| it.number(&profile.metrics[metric]).to_string());
        format!("{}={}", char::from(NAMES[region.0 as usize]), quantity.unwrap_or_default())
    };
    metrics.iter().map(text).collect::<Vec<_>>().join(" ")
}

#[test]
fn counts_are_split_between_calls() {
    let profile = metered(script("1a2b5B7bB9A"), &Selection::default());
    assert_eq!(by_region(&profile, 0, |it| Some(it.inclusive)), "a=8 b=3");
    assert_eq!(by_region(&profile, 0, |it| Some(it.exclusive)), "a=5 b=3");
    // A region inside itself counts once.
    let profile = metered(script("0a1b2a5A6B7A"), &Selection::default());
    assert_eq!(by_region(&profile, 0, |it| Some(it.inclusive)), "a=7 b=5");
    assert_eq!(by_region(&profile, 0, |it| Some(it.exclusive)), "a=5 b=2");
}

#[test]
fn each_mode_is_counted_in_its_way() {
    let states = |numbers: [u32; 3]| {
        let mut events = Vec::new();
        for (number, letter) in numbers.into_iter().zip("abB".bytes()) {
            events.push(value(1, f64::from(number) / 8.0));
            events.push(value(2, -i64::from(number)));
            events.push(value(3, u64::from(number)));
            events.push(event(letter));
        }
        events.push(event(b'A'));
        (0..).zip(events).collect::<Vec<Timed>>()
    };
    let profile = metered(states([2, 3, 7]), &Selection::default());
    assert_eq!(by_region(&profile, 1, |it| Some(it.inclusive)), "a=0.625 b=0.5");
    // Relative values are added.
    assert_eq!(by_region(&profile, 2, |it| Some(it.inclusive)), "a=-10 b=-7");
    assert_eq!(by_region(&profile, 3, |it| it.highest), "a=7 b=7");
    let profile = metered(states([9, 3, 7]), &Selection::default());
    assert_eq!(by_region(&profile, 3, |it| it.highest), "a=9 b=7");
}

#[test]
fn a_span_counts_what_happens_in_it() {
    //                    0123456789
    let events = script("0a1b3B4b8BA");
    let profile = metered(events, &Selection { from: 4, to: 8, ..Selection::default() });
    // The span begins with the value 3; the last one before it is 1.
    assert_eq!(by_region(&profile, 0, |it| Some(it.inclusive)), "a=7 b=6");
    assert_eq!(by_region(&profile, 0, |it| Some(it.exclusive)), "a=1 b=6");
}

#[test]
fn the_counts_of_other_tasks_are_theirs() {
    let task = |number| {
        Event::ThreadTaskSwitch(ThreadTaskSwitch {
            thread_team: CommRef(0),
            creating_thread: 0,
            generation_number: number,
        })
    };
    let mut tasks = [1, 2, 1, 0].into_iter().map(task);
    let event = |byte: u8| match byte {
        b'_' => tasks.next().expect("a task"),
        other => script(std::str::from_utf8(&[other]).expect("a letter")).remove(0).1,
    };
    let events = (0..).zip("0a1_b3_c5C6_7B_8A".bytes().map(event)).collect();
    let profile = metered(events, &Selection::default());
    // a runs from 0 to 8, of which task 1 has 1 to 3 and 6 to 7, task 2 3 to 6.
    assert_eq!(by_region(&profile, 0, |it| Some(it.inclusive)), "a=8 b=3 c=2");
    assert_eq!(by_region(&profile, 0, |it| Some(it.exclusive)), "a=2 b=3 c=2");
}
