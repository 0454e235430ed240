//! `kymo thumbnail` adds thumbnails with the documented values.

use std::collections::BTreeMap;
use std::fs;

use kymo_otf2::attributes::Attribute;
use kymo_otf2::definitions::{self as def, GlobalDefinition};
use kymo_otf2::enums::{MetricMode, RecorderKind, ThumbnailType, Type};
use kymo_otf2::events::{CallingContextEnter, CallingContextLeave, Enter, Event, Leave, Metric};
use kymo_otf2::read::Archive;
use kymo_otf2::references::*;
use kymo_otf2::value::MetricValue;

use super::{Copy, killed_everywhere, samples};
use crate::check_common::Trace;
use crate::check_common::world::{clock, list, metric_class, metric_member, world};

/// A thumbnail: type, name, definitions, and the baseline and values of each sample.
type Thumbnail = (ThumbnailType, String, Vec<u64>, Vec<(u64, Vec<u64>)>);

fn thumbnail(copy: &Copy, number: u32) -> Thumbnail {
    let archive = Archive::open(copy.anchor()).unwrap();
    let thumbnail = archive.thumbnail(number).unwrap();
    let (header, samples) = thumbnail.read().unwrap();
    let samples = samples.map(|it| it.unwrap()).map(|it| (it.baseline, it.metric_samples.iter().collect()));
    (header.thumbnail_type, header.name.to_string(), header.refs_to_defs.iter().collect(), samples.collect())
}

fn copy(trace: &Trace) -> Copy {
    Copy::of(&trace.write().anchor())
}

fn enter(region: u32) -> Enter {
    Enter { region: RegionRef(region) }
}

fn leave(region: u32) -> Leave {
    Leave { region: RegionRef(region) }
}

/// Three locations: one in regions 0 and 1, one in a calling context of region 0, one without
/// events.
fn calls() -> Trace {
    let mut trace = world();
    trace.event(0, 100, enter(0));
    trace.event(0, 250, enter(1));
    trace.event(0, 600, leave(1));
    trace.event(0, 1000, leave(0));
    let (calling_context, unwind_distance) = (CallingContextRef(1), 2);
    trace.event(1, 300, CallingContextEnter { calling_context, unwind_distance });
    trace.event(1, 301, CallingContextLeave { calling_context });
    trace
}

#[test]
fn regions_have_the_ticks_that_locations_spent_in_them() {
    let copy = copy(&calls());
    copy.done(&["thumbnail", "--add", "region", "--samples", "4", "--description", "why"]);
    let samples = vec![(750, vec![150, 0]), (750, vec![1, 250]), (750, vec![150, 100]), (750, vec![250, 0])];
    assert_eq!(
        thumbnail(&copy, 0),
        (ThumbnailType::REGION, "region activity".to_owned(), vec![0, 1], samples)
    );
    assert_eq!(copy.check().messages(), "status 0");
    copy.done(&["thumbnail", "--add", "region", "--samples", "1", "--only", "1,1", "--name", "b"]);
    assert_eq!(
        thumbnail(&copy, 1),
        (ThumbnailType::REGION, "b".to_owned(), vec![1], vec![(3000, vec![350])])
    );
    assert_eq!(
        copy.done(&["thumbnail"]),
        "THUMBNAIL   Number: 0, Type: REGION, Samples: 4, Definitions: 2, Name: \"region activity\", Description: \
         \"why\"\nTHUMBNAIL   Number: 1, Type: REGION, Samples: 1, Definitions: 1, Name: \"b\", Description: \"\"\n"
    );
    let printed = copy.done(&["print", "--show-thumbnail-samples"]);
    assert!(printed.contains("THUMBNAIL_HEADER            1  Name: \"b\""), "{printed}");
}

#[test]
fn attributes_have_the_number_of_their_events() {
    let mut trace = calls();
    let attributes = [Attribute::new(AttributeRef(0), 5_u64)];
    trace.event_with(2, 0, &attributes, enter(0));
    trace.event_with(2, 500, &attributes, enter(0));
    // At the end, which belongs to the last sample.
    trace.event_with(2, 1000, &[], leave(0));
    let copy = copy(&trace);
    copy.done(&["thumbnail", "--add", "attribute", "--samples", "2"]);
    let expected = vec![(5, vec![1]), (4, vec![1])];
    assert_eq!(
        thumbnail(&copy, 0),
        (ThumbnailType::ATTRIBUTES, "attributes of events".to_owned(), vec![0], expected)
    );
}

#[test]
fn metrics_have_their_values_by_mode() {
    let mut trace = world();
    let member = |id, metric_mode| def::MetricMember {
        id: MetricMemberRef(id),
        metric_mode,
        ..metric_member(Type::UINT64)
    };
    trace.define(member(10, MetricMode::ACCUMULATED_START));
    trace.define(member(11, MetricMode::RELATIVE_NEXT));
    trace.define(metric_class(MetricRef(10), &[MetricMemberRef(10)], RecorderKind::CPU));
    trace.define(metric_class(MetricRef(11), &[MetricMemberRef(11), MetricMemberRef(0)], RecorderKind::CPU));
    let metric =
        |id, values: &'static [MetricValue]| Metric { metric: MetricRef(id), metric_values: list(values) };
    macro_rules! value {
        ($($value:expr),*) => {{
            const VALUES: &[MetricValue] = &[$($value),*];
            VALUES
        }};
    }
    const fn unsigned(bits: u64) -> MetricValue {
        MetricValue { type_: Type::UINT64, bits }
    }
    const fn signed(value: i64) -> MetricValue {
        MetricValue { type_: Type::INT64, bits: value as u64 }
    }
    const fn double(value: f64) -> MetricValue {
        MetricValue { type_: Type::DOUBLE, bits: value.to_bits() }
    }
    // Absolute: the sum of the last values of both locations.
    trace.event(0, 10, metric(0, value!(unsigned(5))));
    trace.event(1, 20, metric(0, value!(unsigned(70))));
    trace.event(1, 600, metric(0, value!(unsigned(60))));
    // Accumulated: the increase.
    trace.event(0, 30, metric(10, value!(unsigned(100))));
    trace.event(0, 700, metric(10, value!(unsigned(140))));
    // Relative: the sum; other members have no effect.
    trace.event(0, 800, metric(11, value!(double(2.75), unsigned(1000))));
    trace.event(0, 900, metric(11, value!(signed(-1), unsigned(1000))));
    trace.event(2, 1000, metric(11, value!(signed(4), unsigned(1000))));
    trace.event(2, 1000, metric(1, value!(signed(-4))));
    trace.event(2, 1000, metric(2, value!(double(f64::NAN))));
    let copy = copy(&trace);
    copy.done(&["thumbnail", "--add", "metric", "--samples", "3"]);
    let (type_, name, ids, samples) = thumbnail(&copy, 0);
    assert_eq!((type_, name.as_str()), (ThumbnailType::METRIC, "metric values"));
    assert_eq!(ids, [0, 1, 2, 10, 11]);
    let expected = [(0, vec![75, 0, 0, 100, 0]), (0, vec![65, 0, 0, 0, 0]), (0, vec![65, 0, 0, 40, 5])];
    assert_eq!(samples, expected);
}

/// Returns the time in each region, without callees, by the events of each location.
fn exclusive(archive: &Archive) -> BTreeMap<u64, u64> {
    let mut contexts = BTreeMap::new();
    let mut last = 0;
    let definitions = archive.global_definitions().unwrap();
    for definition in definitions.records().unwrap() {
        match definition.unwrap() {
            GlobalDefinition::CallingContext(it) => _ = contexts.insert(it.id, it.region),
            GlobalDefinition::ClockProperties(it) => last = it.global_offset + it.trace_length,
            _ => {}
        }
    }
    let mut times: BTreeMap<u64, u64> = BTreeMap::new();
    for location in archive.locations().unwrap() {
        let (mut stack, mut since) = (Vec::<RegionRef>::new(), 0);
        let mut events = archive.events(location).unwrap();
        let mut account = |stack: &[RegionRef], since: u64, now: u64| {
            if let Some(region) = stack.last() {
                *times.entry(region.0.into()).or_default() += now - since;
            }
        };
        while let Some(event) = events.next().unwrap() {
            account(&stack, since, event.time);
            since = event.time;
            match event.record {
                Event::Enter(it) => stack.push(it.region),
                Event::CallingContextEnter(it) => {
                    stack.push(contexts.get(&it.calling_context).copied().unwrap_or_default())
                }
                Event::Leave(_) | Event::CallingContextLeave(_) => _ = stack.pop(),
                _ => {}
            }
        }
        account(&stack, since, last.max(since));
    }
    times
}

#[test]
fn all_samples_together_are_the_times_of_the_regions() {
    let mut compared = 0;
    for anchor in samples() {
        let copy = Copy::of(&anchor);
        let output = copy.run(&["thumbnail", "--add", "region", "--samples", "777", "--quiet"]);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let archive = Archive::open(copy.anchor()).unwrap();
        if !output.status.success() {
            let reasons = ["no clock", "no regions", "no length", "anchor format 4"];
            assert!(reasons.iter().any(|reason| stderr.contains(reason)), "{}: {stderr}", anchor.display());
            continue;
        }
        let number = archive.anchor().number_of_thumbnails - 1;
        let (_, _, ids, samples) = thumbnail(&copy, number);
        let mut expected = exclusive(&archive);
        for (place, id) in ids.iter().enumerate() {
            let sum: u64 = samples.iter().map(|(_, values)| values[place]).sum();
            let expected = expected.remove(id).unwrap_or(0);
            assert_eq!(sum, expected, "{}: region {id}", anchor.display());
            compared += u32::from(sum > 0);
        }
        assert!(samples.iter().all(|(baseline, values)| values.iter().sum::<u64>() <= *baseline));
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn a_sample_is_at_least_a_tick() {
    let mut trace = calls();
    let short = def::ClockProperties { global_offset: 250, trace_length: 3, ..clock() };
    trace.change(|it| matches!(it, GlobalDefinition::ClockProperties(_)), short);
    let copy = copy(&trace);
    let output = copy.run(&["thumbnail", "--add", "region"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stderr, b"kymo: 3 samples: the trace has no more ticks\n");
    // Everything before and after the time of the clock is cut.
    assert_eq!(thumbnail(&copy, 0).3, vec![(3, vec![0, 1]); 3]);
}

#[test]
fn mistakes_are_named_and_change_nothing() {
    let refused = |trace: &Trace, more: &[&str], status, message| {
        copy(trace).refused(&[&["thumbnail", "--samples", "9", "--add"], more].concat(), status, message);
    };
    refused(&calls(), &["region", "--only", "0,9"], 2, "the trace does not define Region 9");
    let mut trace = calls();
    trace.globals.retain(|it| !matches!(it, GlobalDefinition::Attribute(_)));
    refused(&trace, &["attribute"], 2, "the trace defines no attributes");
    trace.globals.retain(|it| !matches!(it, GlobalDefinition::ClockProperties(_)));
    refused(&trace, &["region"], 2, "the trace has no clock");
    trace.define(def::ClockProperties { trace_length: 0, ..clock() });
    refused(&trace, &["region"], 2, "the trace has no length");
    let mut trace = calls();
    trace.after(|folder| fs::write(folder.join("traces/1.evt"), "no events").unwrap());
    refused(&trace, &["region"], 1, "traces/1.evt: byte 0");
    let mut trace = calls();
    trace.after(|folder| fs::remove_file(folder.join("traces/2.evt")).unwrap());
    refused(&trace, &["region"], 4, "traces/2.evt: No such file");
    let mut trace = calls();
    trace.after(|folder| {
        let mut anchor = fs::read(folder.join("traces.otf2")).unwrap();
        anchor[7] = 4;
        fs::write(folder.join("traces.otf2"), anchor).unwrap();
    });
    refused(&trace, &["region"], 4, "anchor format 4, but this program can only change formats up to 3");
    let mut trace = calls();
    for id in 2..120_000 {
        trace.define(crate::check_common::world::region(id));
    }
    refused(
        &trace,
        &["region"],
        2,
        "120000 regions, but a thumbnail has space for 116053; --only selects some",
    );
}

#[test]
fn missing_and_damaged_thumbnails_are_listed_as_such() {
    let copy = Copy::of_every_record();
    assert_eq!(copy.done(&["thumbnail"]).lines().count(), 3);
    let path = |number: u32| copy.anchor().with_extension(format!("{number}.thumb"));
    let bytes = fs::read(path(0)).unwrap();
    fs::write(path(0), &bytes[..bytes.len() - 4]).unwrap();
    fs::remove_file(path(2)).unwrap();
    let output = copy.run(&["thumbnail"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("THUMBNAIL   Number: 1, "));
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 2, "{output:?}");
}

/// The anchor announces a thumbnail only if it is there, and a new attempt succeeds.
#[test]
fn a_kill_leaves_the_archive_with_or_without_the_thumbnail() {
    let new = || {
        let copy = copy(&calls());
        copy.done(&["seal"]);
        copy
    };
    killed_everywhere(new, &["thumbnail", "--add", "region", "--samples", "3"], |copy, when| {
        let archive = Archive::open(copy.anchor()).unwrap();
        let kinds = copy.check().kinds();
        match archive.anchor().number_of_thumbnails {
            0 => assert!(kinds.is_empty() || kinds.iter().eq(["seal-extra-file"]), "{when}: {kinds:?}"),
            _ => {
                assert!(kinds.iter().all(|kind| kind.starts_with("seal-")), "{when}: {kinds:?}");
                assert_eq!(copy.done(&["thumbnail"]).lines().count(), 1, "{when}");
            }
        }
    });
}

#[test]
fn deep_recursion_needs_no_more_memory_than_its_bound() {
    let mut trace = world();
    for depth in 0..100_000 {
        trace.event(0, depth / 200, enter(u32::from(depth == 99_999)));
    }
    for depth in 0..100_000 {
        trace.event(0, 500 + depth / 200, leave(u32::from(depth == 0)));
    }
    let copy = copy(&trace);
    copy.done(&["thumbnail", "--add", "region", "--samples", "1"]);
    let (_, _, _, samples) = thumbnail(&copy, 0);
    // The innermost call is too deep to be known; its time counts for its caller.
    assert_eq!(samples, [(3000, vec![999, 0])]);
}
