//! Calling contexts that become enters and leaves on request, as in Score-P's own tracing.

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::events::Event;
use kymo_otf2::read::Archive;
use kymo_otf2::references::CallingContextRef;
use kymo_plugin_tests::testing::{Replay, TemporaryFolder, build_plugin};
use std::collections::HashMap;
use std::path::Path;

use crate::common::recording;

/// An enter (`true`) or leave of a region, with its time.
type Change = (u64, bool, u32);

/// Replays a recording into `out`.
fn traced(name: &str, out: &Path, converts: &str) -> Archive {
    let plugin = build_plugin("kymo-plugin");
    Replay::new(&recording(name), out)
        .plugins("kymo")
        .libraries(plugin.parent().expect("a folder"))
        .env("SCOREP_TRACING_CONVERT_CALLING_CONTEXT_EVENTS", converts)
        .succeed();
    Archive::open(out.join("kymo/traces.otf2")).expect("an archive")
}

/// The regions of the calling contexts and of those that called them.
struct Contexts(HashMap<CallingContextRef, (u32, CallingContextRef)>);

impl Contexts {
    fn of(archive: &Archive) -> Self {
        let mut contexts = HashMap::new();
        let each = archive.each_global_definition(|definition| {
            if let GlobalDefinition::CallingContext(context) = definition {
                contexts.insert(context.id, (context.region.0, context.parent));
            }
            Ok::<_, kymo_otf2::Error>(())
        });
        each.expect("definitions");
        Contexts(contexts)
    }

    /// The regions of a stack, the outermost first.
    fn stack(&self, context: CallingContextRef) -> Vec<u32> {
        let mut regions = Vec::new();
        let mut next = context;
        while let Some(&(region, caller)) = self.0.get(&next) {
            regions.push(region);
            next = caller;
        }
        regions.reverse();
        regions
    }

    /// The changes that calling-context events stand for, and the stack at the end.
    fn changes(&self, archive: &Archive, location: u64) -> (Vec<Change>, Vec<u32>) {
        let (mut stack, mut changes) = (Vec::new(), Vec::new());
        let mut events = archive.events(location).expect("events");
        while let Some(event) = events.next().expect("an event") {
            let (context, is_leave, entered) = match event.record {
                Event::CallingContextSample(sample) => {
                    (sample.calling_context, false, sample.unwind_distance)
                }
                Event::CallingContextEnter(enter) => (enter.calling_context, false, enter.unwind_distance),
                Event::CallingContextLeave(leave) => (leave.calling_context, true, 1),
                _ => continue,
            };
            let now = self.stack(context);
            let kept = now.len() - (entered as usize - 1);
            while stack.len() > kept {
                changes.extend(stack.pop().map(|region| (event.time, false, region)));
            }
            changes.extend(now[kept..].iter().map(|&region| (event.time, true, region)));
            stack = now;
            if is_leave {
                changes.extend(stack.pop().map(|region| (event.time, false, region)));
            }
        }
        (changes, stack)
    }
}

/// The enters and leaves of a location.
fn enters_and_leaves(archive: &Archive, location: u64) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut events = archive.events(location).expect("events");
    while let Some(event) = events.next().expect("an event") {
        match event.record {
            Event::Enter(enter) => changes.push((event.time, true, enter.region.0)),
            Event::Leave(leave) => changes.push((event.time, false, leave.region.0)),
            Event::CallingContextSample(_)
            | Event::CallingContextEnter(_)
            | Event::CallingContextLeave(_) => panic!("{:?} at {}", event.record, event.time),
            _ => {}
        }
    }
    changes
}

/// The time at which recording is switched off first. After that, the host's stack may have
/// contexts whose enters were not recorded.
fn end_of_recording(archive: &Archive, location: u64) -> u64 {
    let mut events = archive.events(location).expect("events");
    while let Some(event) = events.next().expect("an event") {
        if matches!(event.record, Event::MeasurementOnOff(_)) {
            return event.time;
        }
    }
    u64::MAX
}

/// Score-P's own tracing converted them; the plugin wrote calling-context events nevertheless.
#[test]
fn converted_calling_contexts_are_the_changes_of_the_stack() {
    for name in ["sampling", "unwinding"] {
        let folder = TemporaryFolder::new(&format!("contexts-{name}"));
        let plain = traced(name, &folder.join("plain"), "false");
        let converted = traced(name, &folder.join("converted"), "true");
        let contexts = Contexts::of(&plain);
        let mut total = 0;
        for id in plain.locations().expect("locations") {
            let end = end_of_recording(&plain, id);
            let (mut expected, open) = contexts.changes(&plain, id);
            let mut actual = enters_and_leaves(&converted, id);
            let at_end = actual.last().map_or(0, |last| last.0);
            if end == u64::MAX {
                // Open regions are left when the location ends.
                expected.extend(open.into_iter().rev().map(|region| (at_end, false, region)));
            }
            expected.retain(|change| change.0 < end);
            actual.retain(|change| change.0 < end);
            assert_eq!(actual, expected, "{name}, location {id}");
            total += actual.len();
        }
        assert!(total > 5, "{name}");
    }
}
