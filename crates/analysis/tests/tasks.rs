//! Tasks have calls of their own.

use kymo_analysis::Remarks;
use kymo_analysis_testing::*;
use kymo_otf2::events::{Event, ThreadTaskComplete, ThreadTaskSwitch};
use kymo_otf2::references::CommRef;

/// Lowercase letters enter, capital ones leave, digits switch to a task, `!` completes task 1.
fn script(script: &str) -> Vec<Timed> {
    let thread_team = CommRef(0);
    let event = |byte: u8| match byte {
        b'0'..=b'9' => Event::ThreadTaskSwitch(ThreadTaskSwitch {
            thread_team,
            creating_thread: 0,
            generation_number: u32::from(byte - b'0'),
        }),
        b'!' => Event::ThreadTaskComplete(ThreadTaskComplete {
            thread_team,
            creating_thread: 0,
            generation_number: 1,
        }),
        letter => event(letter),
    };
    (0..).zip(script.bytes().map(event)).collect()
}

#[test]
fn a_suspended_call_takes_no_time() {
    //                               0123456789
    let profile = profiled(script("ab1c2dD1C0BA"));
    // c runs from 3 to 4 and from 7 to 8, d from 5 to 6; the tasks run from 2 to 9.
    assert_eq!(
        listed(&profile),
        [
            "a: 1 visits, 11 ns, 2 ns",
            "ab: 1 visits, 9 ns, 2 ns",
            "c: 1 visits, 2 ns, 2 ns",
            "d: 1 visits, 1 ns, 1 ns",
        ]
    );
    assert_eq!(profile.remarks, Remarks::default());
}

#[test]
fn a_task_that_completes_ends_its_calls() {
    let profile = profiled(script("a1b!0A"));
    assert_eq!(listed(&profile), ["a: 1 visits, 5 ns, 2 ns", "b: 1 visits, 2 ns, 2 ns"]);
    assert_eq!(profile.remarks, Remarks { closed_early: 1, ..Remarks::default() });
}

#[test]
fn a_task_that_never_completes_ends_when_it_was_suspended() {
    let profile = profiled(script("a1b0A"));
    assert_eq!(listed(&profile), ["a: 1 visits, 4 ns, 2 ns", "b: 1 visits, 1 ns, 1 ns"]);
    assert_eq!(profile.remarks, Remarks { closed_at_end: 1, ..Remarks::default() });
}
