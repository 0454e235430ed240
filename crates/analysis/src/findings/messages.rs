//! Waiting that other orders or sizes of messages would avoid.

use super::run::Run;
use super::{Certainty, Evidence, Fact, Finding, nanoseconds};
use crate::contexts::ContextId;
use crate::waits::{WaitKind, WaitState};

/// Returns receives in the wrong order, and sends that wait for their receives.
///
/// The gain is the mean time that a location waits.
pub(super) fn of(run: &Run<'_>) -> Vec<Finding> {
    [wrong_order(run), late_receivers(run)].into_iter().flatten().collect()
}

fn wrong_order(run: &Run<'_>) -> Option<Finding> {
    let [same_sender, different_sender] = run.causes.statistics.waits.wrong_order;
    let time = same_sender + different_sender;
    let is_it = |wait: &WaitState| wait.wrong_order.is_some();
    let fact = Fact::WrongOrder { time, same_sender, place: main_place(run, WaitKind::LateSender)? };
    Some(Finding { gain: gain(run, time), ..finding(run, fact, Certainty::Estimated, is_it) })
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
    let is_it = |wait: &WaitState| wait.kind == WaitKind::LateReceiver && (wait.is_doubtful == (sure == 0));
    let fact = Fact::LateReceivers { time, place: main_place(run, WaitKind::LateReceiver)? };
    Some(Finding { gain: gain(run, time), ..finding(run, fact, certainty, is_it) })
}

fn gain(run: &Run<'_>, time: u128) -> u64 {
    nanoseconds(time / run.comparable().max(1))
}

fn finding(run: &Run<'_>, fact: Fact, certainty: Certainty, is_it: impl Fn(&WaitState) -> bool) -> Finding {
    let longest = run.causes.waits.iter().map(|placed| &placed.wait).find(|wait| is_it(wait));
    let evidence = longest.map_or_else(Evidence::default, |wait| Evidence {
        time: Some((wait.start, wait.end)),
        locations: vec![wait.location, wait.cause],
    });
    Finding { fact, gain: 0, certainty, evidence }
}

fn main_place(run: &Run<'_>, kind: WaitKind) -> Option<ContextId> {
    run.main_wait(|it| it == kind).map(|(_, place)| place)
}
