//! Waiting that other orders or sizes of messages would avoid.

use super::finding::{Certainty, Evidence, Fact, Finding, nanoseconds};
use super::run::Run;
use crate::contexts::ContextId;
use crate::waits::WaitKind;

/// Returns receives in the wrong order, and sends that wait for their receives.
///
/// The gain is the mean time that a location waits.
pub(super) fn of(run: &Run<'_>) -> Vec<Finding> {
    [wrong_order(run), late_receivers(run)].into_iter().flatten().collect()
}

fn wrong_order(run: &Run<'_>) -> Option<Finding> {
    let [same_sender, different_sender] = run.causes.statistics.waits.wrong_order;
    let time = same_sender + different_sender;
    let fact = Fact::WrongOrder { time, same_sender, place: main_place(run, WaitKind::LateSender)? };
    Some(Finding {
        gain: gain(run, time),
        ..finding(run, fact, Certainty::Estimated, (WaitKind::LateSender, true))
    })
}

/// A part that is doubtful does not count, unless there is no other.
fn late_receivers(run: &Run<'_>) -> Option<Finding> {
    let waits = &run.causes.statistics.waits;
    let of_kind = waits.suffered.iter().filter(|((kind, _), _)| *kind == WaitKind::LateReceiver);
    let all: u128 = of_kind.map(|(_, time)| time).sum();
    let sure = all.saturating_sub(waits.doubtful);
    let (time, certainty) = match sure {
        0 => (all, Certainty::Doubtful),
        sure => (sure, Certainty::Estimated),
    };
    let fact = Fact::LateReceivers { time, place: main_place(run, WaitKind::LateReceiver)? };
    Some(Finding {
        gain: gain(run, time),
        ..finding(run, fact, certainty, (WaitKind::LateReceiver, sure == 0))
    })
}

fn gain(run: &Run<'_>, time: u128) -> u64 {
    nanoseconds(time / run.comparable().max(1))
}

fn finding(run: &Run<'_>, fact: Fact, certainty: Certainty, waits: (WaitKind, bool)) -> Finding {
    let longest = run.causes.longest_of_kind.get(&waits);
    let evidence = longest.map_or_else(Evidence::default, |wait| Evidence {
        time: Some((wait.start, wait.end)),
        locations: vec![wait.location, wait.cause],
    });
    Finding { fact, gain: 0, certainty, evidence }
}

fn main_place(run: &Run<'_>, kind: WaitKind) -> Option<ContextId> {
    run.main_wait(|it| it == kind).map(|(_, place)| place)
}
