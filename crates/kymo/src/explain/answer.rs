//! The answer with all names, as JSON contains it. Tables are sorted by importance.

use std::collections::{BTreeMap, BTreeSet};

use kymo_analysis::causes::Causes;
use kymo_analysis::delays::Delays;
use kymo_analysis::findings::{Certainty, Evidence, Finding, Findings};
use kymo_analysis::statistics::{Efficiency, Statistics};
use kymo_analysis::{ContextId, Contexts, Selection, Trace};
use kymo_otf2::FileName;
use kymo_otf2::references::LocationRef;
use serde::Serialize;

use super::conditions::Verdict;
use super::rows::*;
use super::run_rows::*;
use super::sentences::{Sentences, outside};
use super::what_if::WhatIfRow;
use crate::location_names::LocationNames;

/// The largest number of calls in a path.
const MOST_CALLS: usize = 64;

/// Everything that was found. Times are in nanoseconds; ratios are between 0 and 1.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    format: &'static str,
    version: u32,
    unit: &'static str,
    pub(super) trace: TraceFacts,
    /// The state of locations in no call, in text.
    #[serde(skip)]
    pub(super) outside: &'static str,
    pub(super) quality: Quality,
    pub(super) efficiency: Option<EfficiencyFacts>,
    pub(super) findings: Vec<FindingRow>,
    pub(super) waits: WaitTables,
    pub(super) blame: Vec<BlameRow>,
    /// The costs of delays.
    pub(super) delays: Vec<DelayRow>,
    /// Waiting for which no delay was found.
    pub(super) delays_unattributed: Vec<UnattributedRow>,
    /// All of both.
    #[serde(skip)]
    pub(super) delay_total_ns: f64,
    pub(super) critical_path: CriticalPath,
    /// The run on an ideal network; null without communication.
    pub(super) replay: Option<ReplayFacts>,
    /// The same if calls took another time.
    pub(super) what_if: Vec<WhatIfRow>,
    /// The iterations; null if no calls repeat.
    pub(super) iterations: Option<IterationTables>,
    /// The locations that spend their time in the same way.
    pub(super) groups: Vec<GroupRow>,
    /// The time of threads between their teams.
    pub(super) idle: Vec<IdleRow>,
    /// The time with open non-blocking operations, and the part in computation.
    pub(super) overlap: Vec<OverlapRow>,
    /// The sums of all locations.
    pub(super) overlap_total: OverlapTotal,
    /// The messages by length; at most 130 rows.
    pub(super) messages: Vec<MessageRow>,
    /// How late locations end operations; null unless asked for.
    pub(super) lateness: Option<LatenessTable>,
    /// The conditions of the command line.
    pub(super) conditions: Vec<Verdict>,
    /// The locations in all other tables, by their ids.
    pub(super) locations: BTreeMap<u64, String>,
    /// How many rows of tables are left out.
    pub(super) left_out: BTreeMap<&'static str, u64>,
}

/// The size of the trace that was read.
#[derive(Debug, Serialize)]
pub(super) struct TraceFacts {
    pub(super) path: String,
    creator: String,
    pub(super) processes: u64,
    pub(super) locations: u64,
    /// The locations with events.
    active_locations: u64,
    events: u64,
    /// The time from the first to the last event in the selected time.
    pub(super) length_ns: u64,
}

/// The facts that make the answer less certain.
#[derive(Debug, Serialize)]
pub(super) struct Quality {
    /// Messages that were received before they were sent, by clocks that contradict each other.
    pub(super) received_before_sent: u64,
    /// Messages of which one side is missing.
    pub(super) incomplete_messages: u64,
    /// Collective operations in which members are missing, and barriers in which members are
    /// missing or executed tasks; they have no waits.
    pub(super) incomplete_collectives: u64,
    /// Waits that were cut at the end of their calls, as the cause came later.
    pub(super) clipped_waits: u64,
    /// Places at which the critical path comes to a location that waits.
    pub(super) contradictions_on_path: u64,
    /// Events that the recording lost; not known for other writers.
    pub(super) events_lost: Option<u64>,
    /// Locations that could not be read to their ends.
    pub(super) unreadable_locations: u64,
    /// Threads that have no events, and count as not there.
    pub(super) threads_without_events: u64,
    remarks: BTreeMap<&'static str, u64>,
}

#[derive(Debug, Serialize)]
pub(super) struct EfficiencyFacts {
    pub(super) parallel_ratio: f64,
    pub(super) load_balance_ratio: f64,
    pub(super) communication_ratio: f64,
    /// The parts of the efficiency of communication; null without communication.
    pub(super) transfer_ratio: Option<f64>,
    pub(super) serialisation_ratio: Option<f64>,
    pub(super) processes: Option<ProcessEfficiencyFacts>,
    /// The losses between and in processes; null without parallel regions.
    regions: Option<RegionEfficiencyFacts>,
}

/// The efficiencies of processes that have several threads.
#[derive(Debug, Serialize)]
pub(super) struct ProcessEfficiencyFacts {
    load_balance_ratio: f64,
    communication_ratio: f64,
    thread_load_balance_ratio: f64,
    thread_communication_ratio: f64,
}

/// The efficiencies of which the losses add up.
#[derive(Debug, Serialize)]
struct RegionEfficiencyFacts {
    processes_ratio: f64,
    load_balance_ratio: f64,
    communication_ratio: f64,
    transfer_ratio: Option<f64>,
    serialisation_ratio: Option<f64>,
    threads_ratio: f64,
    parallel_ratio: f64,
    serial_ratio: f64,
}

/// The run on an ideal network.
#[derive(Debug, Serialize)]
pub(super) struct ReplayFacts {
    pub(super) ideal_ns: u64,
    /// Operations that did not wait for others, as too many waited or clocks contradict each other.
    pub(super) not_awaited: u64,
}

/// A finding.
#[derive(Debug, Serialize)]
pub(super) struct FindingRow {
    rule: &'static str,
    pub(super) sentence: String,
    pub(super) gain_ns: u64,
    /// The gain as a part of the length of the run.
    pub(super) gain_ratio: f64,
    pub(super) certainty: &'static str,
    pub(super) evidence: EvidenceFacts,
    pub(super) advice: &'static str,
    /// The reasons against it.
    pub(super) contradicts: Vec<String>,
}

/// Where a finding can be seen.
#[derive(Debug, Serialize)]
pub(super) struct EvidenceFacts {
    from_ns: Option<u64>,
    to_ns: Option<u64>,
    locations: Vec<u64>,
    path: Vec<String>,
    /// A command that shows it.
    pub(super) command: String,
}

impl Answer {
    /// Names the results of a selection. Tables have at most `top` rows.
    pub(super) fn of(
        (trace, selection): (&Trace, &Selection),
        causes: &Causes,
        findings: &Findings,
        top: usize,
    ) -> Self {
        let mut depths = vec![0; causes.contexts.len()];
        for context in causes.contexts.iter() {
            depths[context.index()] = depths[causes.contexts.parent(context).index()] + 1;
        }
        let selected_time = (selection.from, selection.to.min(trace.clock().length()));
        let is_part = selection.from > 0 || selection.to < trace.clock().length();
        let names = Names {
            trace,
            causes,
            selected_time: Some(selected_time).filter(|_| is_part),
            locations: LocationNames::of(trace),
            depths,
        };
        let mut left_out = BTreeMap::new();
        let mut answer = Self {
            format: "kymo-explain",
            version: 1,
            unit: "ns",
            trace: trace_facts(trace, causes),
            outside: outside(trace, &causes.statistics),
            quality: quality(trace, causes),
            efficiency: causes.statistics.efficiency().map(|it| efficiency(&it)),
            findings: finding_rows(&names, findings),
            waits: wait_tables(&names, top, &mut left_out),
            blame: blame(&names, top, &mut left_out),
            delays: delays(&names, top, &mut left_out),
            delays_unattributed: unattributed(causes),
            delay_total_ns: causes.delays.as_ref().map_or(0.0, Delays::total),
            critical_path: critical_path(&names, top, &mut left_out),
            replay: causes
                .statistics
                .ideal_run
                .map(|it| ReplayFacts { ideal_ns: it.length, not_awaited: it.not_awaited }),
            iterations: iterations(&names, top, &mut left_out),
            groups: groups(&names, top, &mut left_out),
            idle: idle(&names, top, &mut left_out),
            overlap: overlap(&names, top, &mut left_out),
            overlap_total: overlap_total(causes),
            messages: messages(causes),
            lateness: lateness(&names, top, &mut left_out),
            conditions: Vec::new(),
            what_if: Vec::new(),
            locations: BTreeMap::new(),
            left_out,
        };
        let ids = answer.used_locations();
        answer.locations = ids.map(|id| (id, names.location(LocationRef(id)))).collect();
        answer
    }

    /// Removes the locations that are in no table.
    pub(super) fn forget_unused_locations(&mut self) {
        let used: BTreeSet<u64> = self.used_locations().collect();
        self.locations.retain(|id, _| used.contains(id));
    }

    /// Returns the ids of locations in all tables.
    fn used_locations(&self) -> impl Iterator<Item = u64> + use<> {
        let mut ids: Vec<u64> = self.findings.iter().flat_map(|it| it.evidence.locations.clone()).collect();
        ids.extend(self.waits.used_locations());
        ids.extend(self.blame.iter().filter_map(|it| it.location));
        ids.extend(self.delays.iter().map(|it| it.location));
        ids.extend(self.critical_path.used_locations());
        ids.extend(self.iterations.iter().flat_map(IterationTables::used_locations));
        ids.extend(self.groups.iter().flat_map(|row| row.locations.iter().copied()));
        ids.extend(self.idle.iter().map(|row| row.location));
        ids.extend(self.overlap.iter().map(|row| row.location));
        ids.extend(self.lateness.iter().flat_map(|it| it.rows.iter().map(|row| row.location)));
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter()
    }
}

/// The data needed to name the results.
pub(super) struct Names<'a> {
    pub(super) trace: &'a Trace,
    pub(super) causes: &'a Causes,
    /// The time that is selected, if it is not all, in nanoseconds.
    selected_time: Option<(u64, u64)>,
    locations: LocationNames<'a>,
    /// The numbers of calls down to each context, which is needed for each row.
    depths: Vec<u64>,
}

impl Names<'_> {
    /// Returns the name of a location.
    pub(super) fn location(&self, id: LocationRef) -> String {
        self.locations.get(id)
    }

    /// Returns the number of calls down to a context.
    fn depth(&self, contexts: &Contexts, context: ContextId) -> u64 {
        match std::ptr::eq(contexts, &self.causes.contexts) {
            true => self.depths.get(context.index()).copied().unwrap_or(0),
            false => contexts.ancestors(context).count() as u64,
        }
    }

    /// Returns the names of the regions of a calling context, the outermost first. Of a deep
    /// recursion, these are the innermost ones, after the number of the others.
    pub(super) fn path(&self, context: ContextId) -> Vec<String> {
        self.path_in(&self.causes.contexts, context)
    }

    /// Does the same for a context of a tree.
    pub(super) fn path_in(&self, contexts: &Contexts, context: ContextId) -> Vec<String> {
        let name = |it| self.trace.region_name(contexts.region(it)).into_owned();
        let mut calls = contexts.ancestors(context);
        let mut path: Vec<_> = calls.by_ref().take(MOST_CALLS).map(name).collect();
        let others = calls.next().map_or(0, |first| self.depth(contexts, first));
        path.extend((others > 0).then(|| format!("[{others} calls]")));
        path.reverse();
        path
    }
}

fn trace_facts(trace: &Trace, causes: &Causes) -> TraceFacts {
    let mut processes: Vec<_> = trace.locations().iter().map(|it| it.group).collect();
    processes.sort_unstable();
    processes.dedup();
    TraceFacts {
        path: trace.archive().path(FileName::Anchor).display().to_string(),
        creator: trace.archive().anchor().creator.to_string(),
        processes: processes.len() as u64,
        locations: trace.locations().len() as u64,
        active_locations: causes.statistics.active,
        events: causes.statistics.events,
        length_ns: causes.length(),
    }
}

fn efficiency(it: &Efficiency) -> EfficiencyFacts {
    EfficiencyFacts {
        parallel_ratio: it.parallel,
        load_balance_ratio: it.load_balance,
        communication_ratio: it.communication,
        transfer_ratio: it.network.map(|it| it.transfer),
        serialisation_ratio: it.network.map(|it| it.serialisation),
        processes: it.processes.map(|it| ProcessEfficiencyFacts {
            load_balance_ratio: it.load_balance,
            communication_ratio: it.communication,
            thread_load_balance_ratio: it.thread_load_balance,
            thread_communication_ratio: it.thread_communication,
        }),
        regions: it.regions.map(|it| RegionEfficiencyFacts {
            processes_ratio: it.processes,
            load_balance_ratio: it.load_balance,
            communication_ratio: it.communication,
            transfer_ratio: it.transfer,
            serialisation_ratio: it.serialisation,
            threads_ratio: it.threads,
            parallel_ratio: it.parallel,
            serial_ratio: it.serial,
        }),
    }
}

fn quality(trace: &Trace, causes: &Causes) -> Quality {
    let Statistics { messages, waits, failures, remarks, threads_without_events, .. } = &causes.statistics;
    Quality {
        received_before_sent: messages.backward,
        incomplete_messages: messages.unmatched_sends.count
            + messages.unmatched_receives.count
            + messages.unknown,
        incomplete_collectives: waits.incomplete,
        clipped_waits: waits.clipped,
        contradictions_on_path: causes.path.contradictions,
        events_lost: trace.events_lost(),
        unreadable_locations: failures.len() as u64,
        threads_without_events: *threads_without_events,
        remarks: remarks.iter().map(|(count, what)| (what, count)).collect(),
    }
}

fn finding_rows(names: &Names<'_>, findings: &Findings) -> Vec<FindingRow> {
    let sentences = Sentences { names, places: &findings.places };
    let length = names.causes.length();
    let row = |finding: &Finding| FindingRow {
        rule: finding.fact.rule(),
        sentence: sentences.of_fact(&finding.fact),
        gain_ns: finding.gain,
        gain_ratio: if length == 0 { 0.0 } else { finding.gain as f64 / length as f64 },
        certainty: match finding.certainty {
            Certainty::Measured => "measured",
            Certainty::Estimated => "estimated",
            Certainty::Doubtful => "doubtful",
        },
        evidence: evidence(names, &finding.evidence, names.path_in(&findings.places, finding.fact.place())),
        advice: sentences.advice(&finding.fact),
        contradicts: sentences.contradictions(finding),
    };
    findings.all.iter().map(row).collect()
}

fn evidence(names: &Names<'_>, evidence: &Evidence, path_to: Vec<String>) -> EvidenceFacts {
    let path = names.trace.archive().path(FileName::Anchor);
    let time = evidence.time.or(names.selected_time);
    let time = time.map(|(from, to)| format!(" --time {} {}", seconds(from), seconds(to)));
    EvidenceFacts {
        from_ns: evidence.time.map(|time| time.0),
        to_ns: evidence.time.map(|time| time.1),
        locations: evidence.locations.iter().map(|id| id.0).collect(),
        path: path_to,
        command: format!("kymo view{} {}", time.unwrap_or_default(), crate::output::quoted(&path)),
    }
}

/// Returns a time as `--time` reads it.
fn seconds(nanoseconds: u64) -> String {
    const SECOND: u64 = 1_000_000_000;
    let digits = format!("{}.{:09}", nanoseconds / SECOND, nanoseconds % SECOND);
    format!("{}s", digits.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact_and_short() {
        assert_eq!([0, 1, 1_500_000_000, 2_000_000_000].map(seconds), ["0s", "0.000000001s", "1.5s", "2s"]);
    }
}
