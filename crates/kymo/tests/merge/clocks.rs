//! Clocks: times are shifted, aligned, and converted to the resolution of the first archive.

use std::path::PathBuf;

use kymo_otf2::definitions::{ClockProperties, GlobalDefinition};

use super::{assert_contains, assert_readable, events, merged, messages};
use crate::check_common::Written;
use crate::merge_common::Content;

/// Writes an archive with this start time, resolution in ticks per second, and wall-clock time.
pub(super) fn at(offset: u64, resolution: u64, realtime: u64) -> Written {
    let mut trace = messages(&[]);
    let clock = ClockProperties {
        timer_resolution: resolution,
        global_offset: offset,
        trace_length: 1000,
        realtime_timestamp: realtime,
    };
    trace.change(|it| matches!(it, GlobalDefinition::ClockProperties(_)), clock);
    for events in trace.events.values_mut() {
        events.iter_mut().for_each(|event| event.time += offset);
    }
    trace.write()
}

#[track_caller]
fn shifted(archives: &[&Written], options: &[&str], shifts: &[i128]) -> Content {
    let anchors: Vec<_> = archives.iter().map(|archive| archive.anchor()).collect();
    let paths: Vec<_> = anchors.iter().map(PathBuf::as_path).collect();
    let contents: Vec<_> = paths.iter().map(|anchor| Content::of(anchor)).collect();
    let result = merged(&paths, options);
    let content = Content::of(&result.anchor());
    assert_contains(&content, &contents.iter().collect::<Vec<_>>(), shifts);
    assert_readable(&result.anchor(), contents.iter().map(events).sum(), &paths);
    content
}

#[test]
fn times_are_shifted() {
    let (first, second) = (at(5000, 1000, u64::MAX), at(3000, 1000, u64::MAX));
    let content = shifted(&[&first, &second], &["--shift", "1=-2s", "--shift", "2=17"], &[-2000, 17]);
    assert_eq!((content.clock.global_offset, content.clock.trace_length), (3000, 1017));
    let both = ["--shift", "2=1.5s", "--shift", "2=-500ms"];
    let content = shifted(&[&first, &second], &both, &[0, 1000]);
    assert_eq!((content.clock.global_offset, content.clock.trace_length), (4000, 2000));
    let path = format!("{}=3", second.anchor().display());
    shifted(&[&first, &second], &["--shift", &path], &[0, 3]);
}

#[test]
fn clock_offsets_are_shifted() {
    for offsets in [&[(0, 5)][..], &[(0, 5), (1000, 7)], &[(50, -5), (108, 9), (110, -30), (1000, 7)]] {
        let (first, second) = (at(0, 1000, u64::MAX), messages(offsets).write());
        shifted(&[&first, &second], &["--shift", "2=40"], &[0, 40]);
    }
}

#[test]
fn times_of_other_resolutions_are_converted() {
    let (first, second) = (at(0, 1_000_000, u64::MAX), at(3000, 1000, u64::MAX));
    let content = shifted(&[&first, &second], &["--align", "start"], &[0, -3_000_000]);
    assert_eq!((content.clock.timer_resolution, content.clock.trace_length), (1_000_000, 1_000_000));
    let content = shifted(&[&second, &first], &["--shift", "2=2ms"], &[0, 2]);
    assert_eq!((content.clock.timer_resolution, content.clock.global_offset), (1000, 2));
    let drifting = messages(&[(0, 5), (1, 5), (110, 40), (112, 40)]).write();
    shifted(&[&first, &drifting], &[], &[0, 0]);
}

#[test]
fn archives_are_aligned() {
    let second = 1_000_000_000;
    let (early, late) = (at(500, 1000, 7 * second), at(100, 1000, 9 * second));
    let content = shifted(&[&early, &late], &["--align", "start"], &[0, 400]);
    assert_eq!((content.clock.global_offset, content.clock.realtime_timestamp), (500, 7 * second));
    shifted(&[&early, &late], &["--align", "realtime"], &[0, 2400]);
    // The earlier one would begin before time 0, so both are moved forward.
    let content = shifted(&[&late, &early], &["--align", "realtime"], &[1900, -500]);
    assert_eq!((content.clock.global_offset, content.clock.realtime_timestamp), (0, 7 * second));
    shifted(&[&early, &late], &["--align", "realtime", "--shift", "2=-1s"], &[0, 1400]);
}
