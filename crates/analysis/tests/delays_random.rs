//! The costs of delays in random traces, compared with those by the definition.

use crate::delays_programs::programs;
use crate::delays_reference::{DelayReference, Expected, expected};
use crate::waits::waits_of;
use kymo_analysis::causes::{self, Extras, Kept};
use kymo_analysis::delays::{DelayTerm, Delays};
use kymo_analysis::waits::WaitState;
use kymo_analysis::{Contexts, Selection, Trace};
use kymo_analysis_testing::*;
use kymo_testdata::random_cases;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::num::NonZero;

fn found(events: &[Vec<Timed>], threads: usize) -> (Trace, Delays, Contexts) {
    let length = events.iter().flatten().map(|it| it.0).max().unwrap_or(0);
    let trace = trace(events, clock(length));
    let threads = NonZero::new(threads).expect("a number");
    let selection = Selection { threads, ..Selection::default() };
    let causes =
        causes::with(&trace, &selection, Kept { most: 0 }, Extras { delays: true, ..Extras::default() })
            .expect("causes");
    (trace, causes.delays.expect("delays"), causes.contexts)
}

/// Compares sums by key: they are ratios, so they need not be the same to the last bit.
fn differs<K: Ord + std::fmt::Debug>(one: &BTreeMap<K, f64>, other: &BTreeMap<K, f64>) -> Option<String> {
    let keys = one.keys().chain(other.keys());
    let value = |map: &BTreeMap<K, f64>, key| map.get(key).copied().unwrap_or(0.0);
    let mut different = keys.filter(|key| {
        let (one, other) = (value(one, key), value(other, key));
        (one - other).abs() > 1e-6 * one.abs().max(1e-3)
    });
    different.next().map(|key| format!("{key:?}: {} instead of {}", value(one, key), value(other, key)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(random_cases(50)))]

    #[test]
    fn delay_costs_are_those_of_the_definition(run in programs()) {
        let (trace, delays, contexts) = found(&run.events, 2);
        let waits = waits_of(&trace);
        let waited: u64 = waits.iter().map(WaitState::time).sum();
        let sum: f64 = delays.costs.values().chain(delays.unattributed.values()).sum();
        prop_assert!((sum - waited as f64).abs() <= 1e-6 * waited as f64, "{sum} instead of {waited}");
        let reference = DelayReference::of(&run, &waits);
        let Some((costs, rest)) = expected(&reference) else { return Ok(()) };
        let path = |context| contexts.path(context).iter().map(|it| contexts.region(*it)).collect();
        let found: Expected = delays
            .costs
            .iter()
            .map(|((kind, term, location, context), cost)| ((*kind, *term, location.0, path(*context)), *cost))
            .collect();
        prop_assert_eq!(differs(&found, &costs), None);
        prop_assert_eq!(differs(&delays.unattributed, &rest), None);
    }

    #[test]
    fn the_number_of_threads_makes_no_difference_to_delays(run in programs()) {
        let [(_, one, _), (_, four, _)] = [1, 4].map(|threads| found(&run.events, threads));
        prop_assert_eq!(one, four);
    }
}

/// The generator makes the cases that the comparison is about.
#[test]
fn random_programs_have_costs_of_all_kinds_and_terms() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let (mut kinds, mut circles, mut long, mut rest) = (BTreeMap::new(), 0, 0, 0);
    for _ in 0..150 {
        let run = programs().new_tree(&mut runner).expect("a program").current();
        let (trace, delays, _) = found(&run.events, 1);
        for (kind, term, ..) in delays.costs.keys() {
            *kinds.entry(*kind).or_insert(0) += 1;
            long += usize::from(*term == DelayTerm::Long);
        }
        rest += usize::from(!delays.unattributed.is_empty());
        circles += usize::from(expected(&DelayReference::of(&run, &waits_of(&trace))).is_none());
    }
    assert_eq!(kinds.len(), 8, "{kinds:?}");
    assert!(kinds.values().all(|count| *count >= 20), "{kinds:?}");
    assert!(long >= 300 && rest >= 30 && circles <= 100, "{long} {rest} {circles}");
}
