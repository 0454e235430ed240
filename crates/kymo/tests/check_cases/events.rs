//! Times, calls, programs, metrics, attributes.

use kymo_otf2::attributes::Attribute;
use kymo_otf2::enums::MeasurementMode;
use kymo_otf2::events::*;
use kymo_otf2::references::*;
use kymo_otf2::value::{MetricValue, Timestamp};

use super::{Case, case};
use crate::check_common::Trace;
use crate::check_common::world::*;

fn enter(region: u32) -> Enter {
    Enter { region: RegionRef(region) }
}

fn leave(region: u32) -> Leave {
    Leave { region: RegionRef(region) }
}

pub fn cases() -> Vec<Case> {
    [times(), calls(), programs(), values()].into_iter().flatten().collect()
}

fn times() -> Vec<Case> {
    vec![
        case("time-outside", |trace, faulty| {
            trace.event(0, 10, enter(0));
            trace.event(0, if faulty { 1001 } else { 1000 }, leave(0));
        }),
        case("flush-goes-back", |trace, faulty| {
            let stop_time = Timestamp(if faulty { 9 } else { 10 });
            trace.event(0, 10, BufferFlush { stop_time });
        }),
    ]
}

fn calls() -> Vec<Case> {
    vec![
        case("leave-without-enter", |trace, faulty| {
            if !faulty {
                trace.event(0, 10, enter(0));
            }
            trace.event(0, 20, leave(0));
        }),
        case("leave-of-other", |trace, faulty| {
            trace.event(0, 10, enter(0));
            trace.event(0, 10, enter(1));
            for region in if faulty { [0, 1] } else { [1, 0] } {
                trace.event(0, 20, leave(region));
            }
        })
        .with(&["leave-without-enter"]),
        case("not-left", |trace, faulty| {
            trace.event(0, 10, enter(0));
            if !faulty {
                trace.event(0, 20, leave(0));
            }
        }),
        case("calls-across-gap", |trace, faulty| {
            trace.event(0, 10, enter(0));
            trace.event(0, 20, MeasurementOnOff { measurement_mode: MeasurementMode::OFF });
            trace.event(0, 30, MeasurementOnOff { measurement_mode: MeasurementMode::ON });
            if !faulty {
                trace.event(0, 40, leave(0));
            }
        }),
        case("leave-of-other", |trace, faulty| {
            // Every task has its own calls.
            let task = |generation_number| ThreadTaskSwitch {
                thread_team: TEAM,
                creating_thread: 0,
                generation_number,
            };
            trace.event(
                0,
                1,
                ThreadTaskCreate { thread_team: TEAM, creating_thread: 0, generation_number: 1 },
            );
            trace.event(0, 10, enter(0));
            trace.event(0, 20, task(1));
            trace.event(0, 20, enter(1));
            if !faulty {
                trace.event(0, 30, task(0));
            }
            trace.event(0, 30, leave(0));
            trace.event(0, 40, task(1));
            trace.event(0, 40, leave(1));
            trace.event(
                0,
                40,
                ThreadTaskComplete { thread_team: TEAM, creating_thread: 0, generation_number: 1 },
            );
        })
        .with(&["not-left"]),
        // Once a task is complete, the calls of its location are current again.
        case("leave-without-enter", |trace, faulty| {
            let (thread_team, creating_thread, generation_number) = (TEAM, 0, 1);
            trace.event(0, 1, ThreadTaskCreate { thread_team, creating_thread, generation_number });
            if !faulty {
                trace.event(0, 10, enter(0));
            }
            trace.event(0, 20, ThreadTaskSwitch { thread_team, creating_thread, generation_number });
            trace.event(0, 30, ThreadTaskComplete { thread_team, creating_thread, generation_number });
            trace.event(0, 40, leave(0));
        }),
        // Some runtimes number tasks from 0; others have implicit tasks with that number, which
        // have no create event.
        case("leave-of-other", |trace, faulty| {
            let (thread_team, creating_thread, generation_number) = (TEAM, 0, 0);
            if !faulty {
                trace.event(0, 1, ThreadTaskCreate { thread_team, creating_thread, generation_number });
            }
            trace.event(0, 10, enter(0));
            trace.event(0, 20, ThreadTaskSwitch { thread_team, creating_thread, generation_number });
            trace.event(0, 20, enter(1));
            trace.event(0, 30, ThreadTaskSwitch { thread_team, creating_thread: 1, generation_number });
            trace.event(0, 30, leave(0));
            trace.event(0, 40, ThreadTaskSwitch { thread_team, creating_thread, generation_number });
            trace.event(0, 40, leave(1));
            trace.event(0, 50, ThreadTaskComplete { thread_team, creating_thread, generation_number });
        })
        .with(&["leave-without-enter"]),
        case("mixed-calls", |trace, faulty| {
            let calling_context = CallingContextRef(0);
            trace.event(0, 10, CallingContextEnter { calling_context, unwind_distance: 1 });
            if faulty {
                trace.event(0, 20, enter(1));
                trace.event(0, 20, leave(1));
            }
            trace.event(0, 30, CallingContextLeave { calling_context });
        }),
        case("unwind-distance", |trace, faulty| {
            let (calling_context, interrupt_generator) = (CallingContextRef(1), InterruptGeneratorRef(0));
            let unwind_distance = if faulty { 4 } else { 3 };
            trace.event(
                0,
                10,
                CallingContextSample { calling_context, unwind_distance, interrupt_generator },
            );
        }),
    ]
}

fn begin() -> ProgramBegin<'static> {
    ProgramBegin { program_name: EMPTY, program_arguments: list(&[]) }
}

fn programs() -> Vec<Case> {
    vec![
        case("program-twice", |trace, faulty| {
            trace.event(0, 10, begin());
            // Another process may have its own program; another thread may not.
            let other = if faulty { 2 } else { 1 };
            trace.event(other, 10, begin());
            trace.event(other, 20, ProgramEnd { exit_status: 0 });
            trace.event(0, 20, ProgramEnd { exit_status: 0 });
        }),
        case("program-not-paired", |trace, faulty| {
            trace.event(0, 10, begin());
            if !faulty {
                trace.event(2, 20, ProgramEnd { exit_status: 0 });
            }
        }),
        case("outside-program", |trace, faulty| {
            trace.event(0, 10, begin());
            trace.event(0, 20, ProgramEnd { exit_status: 0 });
            let location = if faulty { 2 } else { 1 };
            trace.event(location, 30, enter(0));
            trace.event(location, 40, leave(0));
        }),
        case("outside-program", |trace, faulty| {
            trace.event(0, 10, begin());
            trace.event(0, 20, ProgramEnd { exit_status: 0 });
            let location = if faulty { 2 } else { 1 };
            trace.event(location, 9, enter(0));
            trace.event(location, 10, leave(0));
        }),
    ]
}

const ONE: MetricValue = MetricValue { type_: kymo_otf2::enums::Type::UINT64, bits: 1 };
const SIGNED: MetricValue = MetricValue { type_: kymo_otf2::enums::Type::INT64, bits: 1 };

fn values() -> Vec<Case> {
    vec![
        case("metric-count", |trace, faulty| {
            let values: &[_] = if faulty { &[ONE, ONE] } else { &[ONE] };
            trace.event(0, 10, Metric { metric: METRIC, metric_values: list(values) });
        }),
        case("metric-type", |trace, faulty| {
            let values: &[_] = if faulty { &[SIGNED] } else { &[ONE] };
            trace.event(0, 10, Metric { metric: METRIC, metric_values: list(values) });
        }),
        case("metric-recorder", |trace, faulty| {
            trace.event(faulty.into(), 10, Metric { metric: METRIC, metric_values: list(&[ONE]) });
        }),
        case("metric-recorder", |trace, faulty| {
            let location = (!faulty).into();
            trace.event(location, 10, Metric { metric: METRIC_INSTANCE, metric_values: list(&[ONE]) });
        }),
        case("attribute-type", |trace, faulty| {
            let attribute = AttributeRef(0);
            let value =
                if faulty { Attribute::new(attribute, 1_u32) } else { Attribute::new(attribute, 1_u64) };
            trace.event_with(0, 10, &[value], enter(0));
            trace.event(0, 20, leave(0));
        }),
        case("undefined-attribute", |trace, faulty| {
            let attribute = AttributeRef(if faulty { 77 } else { 0 });
            trace.event_with(0, 10, &[Attribute::new(attribute, 1_u64)], enter(0));
            trace.event(0, 20, leave(0));
        }),
        case("duplicate-attribute", duplicate_attribute),
    ]
}

fn duplicate_attribute(trace: &mut Trace, faulty: bool) {
    let again = kymo_otf2::definitions::Attribute {
        id: AttributeRef(9),
        name: EMPTY,
        type_: kymo_otf2::enums::Type::UINT64,
        description: EMPTY,
    };
    trace.define(again);
    let second = AttributeRef(if faulty { 0 } else { 9 });
    let list = [Attribute::new(AttributeRef(0), 1_u64), Attribute::new(second, 1_u64)];
    trace.event_with(0, 10, &list, enter(0));
    trace.event(0, 20, leave(0));
}
