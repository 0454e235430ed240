//! Findings in words.

use kymo_analysis::findings::{self, Certainty, Fact, Finding};
use kymo_analysis::statistics::Statistics;
use kymo_analysis::{Class, ContextId, Contexts, Trace, profile};

use super::answer::Names;
use crate::escape;
use crate::number::{bytes, grouped, time};

/// The largest number of names of a path in a sentence.
const MOST_NAMES: usize = 6;
/// Names of functions that are longer have no parameters in a sentence.
const LONGEST_NAME: usize = 32;

/// Says findings.
pub(super) struct Sentences<'a> {
    pub(super) names: &'a Names<'a>,
    /// The places of findings.
    pub(super) places: &'a Contexts,
}

impl Sentences<'_> {
    /// Returns a finding as one sentence, or two.
    pub(super) fn of_fact(&self, fact: &Fact) -> String {
        match *fact {
            Fact::Straggler { location, blame, share, place: (place, part), kind, times } => {
                let did_not_run = place == ContextId::ROOT && self.names.causes.statistics.has_samples();
                let in_call = if did_not_run { "" } else { "in " };
                format!(
                    "{} is to blame for {} of all waiting ({}). For {} of that it was {in_call}{}, for {} in \
                     all, and the others for {} on average. Most direct waiting for it is of the kind '{}'.",
                    self.location(location),
                    per_cent(share),
                    time(blame as f64),
                    per_cent(part),
                    self.path(place),
                    time(times.0 as f64),
                    time(times.1 as f64),
                    kind.name(),
                )
            }
            Fact::Serial { location, time: serial, place, class, others } => format!(
                "For {}, {} alone works, and the {} others wait for it. It is in {} ({}).",
                time(serial as f64),
                self.location(location),
                grouped(others.into()),
                self.path(place),
                class.name(),
            ),
            Fact::IdleThreads { location, time: alone, place, others } => format!(
                "For {} on the critical path, one thread of a process computes outside of parallel regions, in {}, \
                 mostly on {}: {} idle meanwhile.",
                time(alone as f64),
                self.path(place),
                self.location(location),
                match others {
                    1 => "the other thread of its teams is".to_owned(),
                    others => format!("the {} other threads of its teams are", grouped(others.into())),
                },
            ),
            Fact::Imbalance { place, critical, mean } => format!(
                "The critical path spends {} in {}, a location {} on average: the work is uneven, or done by one after \
                 the other.",
                time(critical as f64),
                self.path(place),
                time(mean as f64),
            ),
            Fact::HotPath { class, time: spent, place: (place, part), location: (location, of_it) } => {
                format!(
                    "{} on the critical path are {}, {} of it in {}, {} on {}.",
                    time(spent as f64),
                    described(class),
                    per_cent(part),
                    self.path(place),
                    per_cent(of_it),
                    self.location(location),
                )
            }
            Fact::NotRunning { time: spent, location: (location, of_it) } => format!(
                "For {} on the critical path, the thread in question was not running, {} of it on {}: it had no \
                 processor, or waited in a call that is not recorded.",
                time(spent as f64),
                per_cent(of_it),
                self.location(location),
            ),
            Fact::Startup { time: spent, place, location } => format!(
                "Starting and ending MPI takes {} of the critical path, most of it in {} on {}.",
                time(spent as f64),
                self.path(place),
                self.location(location),
            ),
            Fact::WrongOrder { time: waited, same_sender, place } => format!(
                "Receivers wait {} for messages although one that was sent earlier could be received, {} of \
                 it from the same sender; mostly in {}.",
                time(waited as f64),
                time(same_sender as f64),
                self.path(place),
            ),
            Fact::Locks { time: waited, place, kind, location: (location, part) } => format!(
                "Threads wait {} for locks that others have, most of it in {} ({}), {} of it for {}.",
                time(waited as f64),
                self.path(place),
                kind.name(),
                per_cent(part),
                self.location(location),
            ),
            Fact::SlowIterations { place, slow, all, median, longest: (number, length), location } => {
                format!(
                    "{} of {} iterations, which begin with {}, take longer than the others: number {} {} instead \
                 of {} (median). {} is busy longest in it.",
                    grouped(slow.into()),
                    grouped(all.into()),
                    self.path(place),
                    grouped(number.into()),
                    time(length as f64),
                    time(median as f64),
                    self.location(location),
                )
            }
            Fact::SlowerIterations { place, all, median, slope } => format!(
                "Iterations, which begin with {}, take longer and longer: each of {} {} more than the one \
                 before, {:.2} % of their median.",
                self.path(place),
                grouped(all.into()),
                time(slope),
                100.0 * slope / median.max(1) as f64,
            ),
            Fact::NotHidden { place, open, computing, waited, location } => format!(
                "Non-blocking operations are open for {}, {} of it in computation, but then wait {} for their \
                 completion, beside waiting for others, mostly in {}; longest on {}.",
                time(open as f64),
                per_cent(if open == 0 { 0.0 } else { computing as f64 / open as f64 }),
                time(waited as f64),
                self.path(place),
                self.location(location),
            ),
            Fact::SmallMessages { place, count, bytes: length, time: spent, share } => format!(
                "{} messages of {} on average take {} of the communication, beside waiting and starting MPI \
                 ({}), mostly in {}.",
                grouped(count.into()),
                bytes(length as f64 / count.max(1) as f64),
                per_cent(share),
                time(spent as f64),
                self.path(place),
            ),
            Fact::LateReceivers { time: waited, place } => format!(
                "Senders wait {} for receives that are not posted yet, mostly in {}.",
                time(waited as f64),
                self.path(place),
            ),
        }
    }

    /// Returns the advice for a fact.
    pub(super) fn advice(&self, fact: &Fact) -> &'static str {
        match fact {
            Fact::Straggler { place: (ContextId::ROOT, _), .. } => "see what it does when it is in no call",
            Fact::Straggler { .. } => "give it less work, or see why it is slower there",
            Fact::Serial { class: Class::InputOutput, .. } => {
                "read or write in parallel, or while others compute"
            }
            Fact::Serial { .. } => "divide the work among all, or do it while others compute",
            Fact::IdleThreads { .. } => "divide the work among the threads, in a parallel region",
            Fact::Imbalance { .. } => "divide the work more evenly",
            Fact::HotPath { class: Class::Communication, .. } => {
                "send fewer or larger messages, or communicate while computing"
            }
            Fact::HotPath { class: Class::InputOutput, .. } => {
                "read or write larger pieces, in parallel, or while computing"
            }
            Fact::HotPath { class: Class::Measurement, .. } => {
                "record fewer events: 'kymo stats --write-filter' finds those to leave out"
            }
            Fact::HotPath { class: Class::Memory, .. } => "allocate larger blocks, or keep them",
            Fact::HotPath { .. } => "see whether the wait is needed",
            Fact::NotRunning { .. } => {
                "see what else runs there, and record what the program waits for (kymo record without --with)"
            }
            Fact::Startup { .. } => "compare with a longer run, in which it is a smaller part",
            Fact::WrongOrder { .. } => "receive messages in the order in which they arrive (MPI_ANY_SOURCE)",
            Fact::Locks { .. } => "hold locks for less time, or divide what they protect",
            Fact::SlowIterations { .. } => "see what is different in it",
            Fact::SlowerIterations { .. } => "compare the profiles of the first and the last ones (--time)",
            Fact::LateReceivers { .. } => "post receives earlier, or send without blocking (MPI_Isend)",
            Fact::NotHidden { .. } => {
                "call MPI_Test while computing, or let a thread of the library communicate"
            }
            Fact::SmallMessages { .. } => "send what goes to the same rank in one message",
        }
    }

    /// Returns the reasons against a finding.
    pub(super) fn contradictions(&self, finding: &Finding) -> Vec<String> {
        let statistics = &self.names.causes.statistics;
        let doubtful = finding.certainty == Certainty::Doubtful;
        let counts = [
            (statistics.messages.backward, "messages were received before they were sent, by these clocks"),
            (statistics.waits.incomplete, "collective operations or barriers have waits that are not known"),
        ];
        let rests_on_waits = !matches!(
            finding.fact,
            Fact::HotPath { .. }
                | Fact::IdleThreads { .. }
                | Fact::NotRunning { .. }
                | Fact::Startup { .. }
                | Fact::SmallMessages { .. }
                | Fact::SlowIterations { .. }
                | Fact::SlowerIterations { .. }
        );
        let counts = counts.into_iter().filter(|(count, _)| *count > 0 && rests_on_waits);
        let mut all: Vec<_> =
            counts.map(|(count, what)| format!("{} {what}", grouped(count.into()))).collect();
        all.extend(doubtful.then(|| "messages as long were buffered, and did not wait".to_owned()));
        all
    }

    fn location(&self, id: kymo_otf2::references::LocationRef) -> String {
        escape::line(self.names.location(id))
    }

    /// Returns a path that is short enough for a sentence; the evidence has all of it.
    fn path(&self, place: ContextId) -> String {
        let names: Vec<_> =
            self.names.path_in(self.places, place).iter().map(|name| without_parameters(name)).collect();
        let path = |names: &[String]| path(names, outside(self.names.trace, &self.names.causes.statistics));
        match &names[..] {
            [first, _, .., before, last] if names.len() > MOST_NAMES => {
                path(&[first.clone(), "...".to_owned(), before.clone(), last.clone()])
            }
            names => path(names),
        }
    }
}

/// Returns a name without the types of the parameters of C++, if it is long.
fn without_parameters(name: &str) -> String {
    let is_long = name.chars().count() > LONGEST_NAME;
    match name.find('(').filter(|place| is_long && *place > 0 && name.ends_with(')')) {
        Some(place) if !name[..place].ends_with("operator") => format!("{}(...)", &name[..place]),
        _ => name.to_owned(),
    }
}

/// Returns the state of locations in no call: with Kymo's samples, they do not run.
pub(super) fn outside(trace: &Trace, statistics: &Statistics) -> &'static str {
    match (statistics.has_samples(), findings::samples_are_whole(trace)) {
        (false, _) => "no call",
        (true, false) => "no sample",
        (true, true) => profile::OUTSIDE,
    }
}

/// Returns a call path in one text, or the text that stands for no call.
pub(super) fn path(names: &[String], outside: &str) -> String {
    match names.is_empty() {
        true => outside.to_owned(),
        false => escape::line(names.join(";")),
    }
}

/// Returns a share in whole per cent.
pub(super) fn per_cent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// Returns a kind of work as the rest of a sentence.
fn described(class: Class) -> &'static str {
    match class {
        Class::Communication => "communication, beside waiting for others",
        Class::InputOutput => "input and output",
        Class::Waiting => "sleeping or waiting for something that was not recorded",
        Class::Memory => "allocation of memory",
        Class::Measurement => "the measurement itself",
        other => other.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_have_no_parameters() {
        assert_eq!(without_parameters("f(int)"), "f(int)");
        assert_eq!(without_parameters("ExchangeHalo(SparseMatrix const&, Vector&)"), "ExchangeHalo(...)");
        let call = "Functor<std::vector<int>>::operator()(int, int)";
        assert_eq!(without_parameters(call), call);
        let plain = "a_function_of_c_whose_name_is_longer_than_that";
        assert_eq!(without_parameters(plain), plain);
    }
}
