//! Conditions on a run, for a script that is to fail if one holds.
//!
//! A condition compares a number of the run with a limit, or its change since other runs. A change
//! is certain if it is larger than three times the noise of both sides.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::str::FromStr;

use kymo_analysis::causes::Causes;
use kymo_analysis::findings::Findings;
use kymo_analysis::robust::median;
use kymo_analysis::waits::WaitKind;
use serde::Serialize;

use crate::noise;
use crate::number::time;

/// A condition, such as `length > +5%`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Condition {
    text: String,
    name: String,
    /// Whether the number must be above the limit, instead of below it.
    is_above: bool,
    limit: Limit,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Limit {
    /// A part of 1, or nanoseconds.
    Value(f64),
    /// A part of the number before.
    Change(f64),
}

/// The numbers of a run, by name: parts of 1, and the length in nanoseconds.
#[derive(Debug)]
pub(super) struct RunNumbers {
    all: BTreeMap<String, f64>,
    /// The standard error of the length, from that of its iterations.
    error: Option<f64>,
}

/// The outcome of a condition.
#[derive(Debug, Serialize)]
pub(super) struct Verdict {
    condition: String,
    /// A part of 1, or nanoseconds.
    value: f64,
    /// The same before; null if the condition does not compare.
    before: Option<f64>,
    /// The standard error of the change; null if it is not known, or nothing is compared.
    noise: Option<f64>,
    holds: bool,
    /// Whether a change is larger than the noise; null if that is not known. A
    /// value that is compared with nothing is certain.
    pub(super) is_certain: Option<bool>,
    #[serde(skip)]
    is_time: bool,
}

impl Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected NAME, '<' or '>', and a limit, such as 'length > +5%'";
        let place = text.find(['<', '>']).ok_or(expected)?;
        let (name, rest) = text.split_at(place);
        let name = name.trim();
        if !is_known(name) {
            return Err(format!("no number '{name}'; the manual lists them"));
        }
        let limit = rest[1..].trim();
        let limit = if name == "length" { length_limit(limit) } else { ratio_limit(limit) };
        Ok(Self {
            text: text.to_owned(),
            name: name.to_owned(),
            is_above: rest.starts_with('>'),
            limit: limit.ok_or(expected)?,
        })
    }
}

/// The names of numbers but those of wait states and findings.
const NAMES: [&str; 7] =
    ["length", "parallel_efficiency", "load_balance", "communication", "serialisation", "transfer", "wait"];

fn is_known(name: &str) -> bool {
    let is_wait = |kind: &WaitKind| name.strip_prefix("wait.") == Some(kind.key());
    NAMES.contains(&name)
        || WaitKind::ALL.iter().any(is_wait)
        || name.strip_prefix("finding.").is_some_and(|rule| Findings::RULES.contains(&rule))
}

/// Whether a limit is that of a change.
fn is_signed(limit: &str) -> bool {
    limit.starts_with(['+', '-'])
}

/// Reads a change in per cent.
fn change(limit: &str) -> Option<Limit> {
    let number = limit.strip_suffix('%')?;
    number.trim().parse().ok().map(|number: f64| Limit::Change(number / 100.0))
}

/// Reads a part of 1, or per cent.
fn ratio_limit(limit: &str) -> Option<Limit> {
    let part = || match limit.strip_suffix('%') {
        Some(number) => number.trim().parse().ok().map(|number: f64| number / 100.0),
        None => limit.parse().ok(),
    };
    if is_signed(limit) { change(limit) } else { part().map(Limit::Value) }.filter(is_finite)
}

/// Reads a time with its unit.
fn length_limit(limit: &str) -> Option<Limit> {
    let units = [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9)];
    let value = || {
        let (number, unit) =
            units.iter().find_map(|(unit, factor)| Some((limit.strip_suffix(unit)?, factor)))?;
        number.trim().parse().ok().map(|number: f64| Limit::Value(number * unit))
    };
    if is_signed(limit) { change(limit) } else { value() }.filter(is_finite)
}

fn is_finite(limit: &Limit) -> bool {
    match limit {
        Limit::Value(number) | Limit::Change(number) => number.is_finite(),
    }
}

impl RunNumbers {
    pub(super) fn of(causes: &Causes, findings: &Findings) -> Self {
        let statistics = &causes.statistics;
        let mut all = BTreeMap::new();
        let mut add = |name: &str, number: Option<f64>| {
            if let Some(number) = number {
                all.insert(name.to_owned(), number);
            }
        };
        let efficiency = statistics.efficiency();
        add("length", Some(causes.length() as f64));
        add("parallel_efficiency", efficiency.map(|it| it.parallel));
        add("load_balance", efficiency.map(|it| it.load_balance));
        add("communication", efficiency.map(|it| it.communication));
        add("serialisation", efficiency.and_then(|it| Some(it.network?.serialisation)));
        add("transfer", efficiency.and_then(|it| Some(it.network?.transfer)));
        let whole = causes.length() as f64 * causes.threads as f64;
        let part = |time: u128| if whole == 0.0 { 0.0 } else { time as f64 / whole };
        add("wait", Some(part(statistics.waits.total())));
        for kind in WaitKind::ALL {
            let of_kind = causes.waits_by_context.iter().filter(|((it, _), _)| *it == kind);
            let time = of_kind.map(|(_, waited)| waited.time).sum();
            add(&format!("wait.{}", kind.key()), Some(part(time)));
        }
        for rule in Findings::RULES {
            let found = findings.all.iter().find(|it| it.fact.rule() == rule);
            let gain = found.map_or(0.0, |it| it.gain as f64 / causes.length().max(1) as f64);
            add(&format!("finding.{rule}"), Some(gain));
        }
        Self { all, error: causes.iterations.as_ref().and_then(|it| it.error()) }
    }

    fn get(&self, name: &str) -> Option<f64> {
        self.all.get(name).copied()
    }
}

impl Condition {
    /// Whether it compares with other runs.
    pub(super) fn compares(&self) -> bool {
        matches!(self.limit, Limit::Change(_))
    }

    /// Judges a run. `None` if a run does not have the number.
    pub(super) fn judge(&self, run: &RunNumbers, before: &[RunNumbers]) -> Option<Verdict> {
        let value = run.get(&self.name)?;
        let is_beyond = |number: f64, limit: f64| if self.is_above { number > limit } else { number < limit };
        let verdict = Verdict {
            condition: self.text.clone(),
            value,
            before: None,
            noise: None,
            holds: false,
            is_certain: Some(true),
            is_time: self.name == "length",
        };
        let part = match self.limit {
            Limit::Value(limit) => return Some(Verdict { holds: is_beyond(value, limit), ..verdict }),
            Limit::Change(part) => part,
        };
        let all: Option<Vec<f64>> = before.iter().map(|run| run.get(&self.name)).collect();
        let center = median(all?)?;
        let noise = noise(run, before, &self.name);
        Some(Verdict {
            before: Some(center),
            noise,
            holds: is_beyond(value - center, part * center),
            is_certain: noise.map(|noise| noise::is_certain(value - center, noise)),
            ..verdict
        })
    }
}

/// Returns the standard error of a change, if it is known.
fn noise(run: &RunNumbers, before: &[RunNumbers], name: &str) -> Option<f64> {
    let in_run = |run: &RunNumbers| run.error.filter(|_| name == "length");
    let values: Vec<f64> = before.iter().filter_map(|run| run.get(name)).collect();
    let error = match before {
        [one] => in_run(one)?,
        _ => noise::of_runs(&values, &[])?,
    };
    // Of several runs, the spread stands for that of the run as well.
    let own = in_run(run).or_else(|| noise::of_runs(&[run.get(name)?], &values))?;
    Some(error.hypot(own))
}

impl Verdict {
    /// Returns whether the command is to fail. With `is_strict`, changes whose noise is not known
    /// count as well.
    pub(super) fn fails(&self, is_strict: bool) -> bool {
        self.holds && self.is_certain.unwrap_or(is_strict)
    }

    /// Returns the verdict as a sentence.
    pub(super) fn sentence(&self) -> String {
        let number = |number: f64| match self.is_time {
            true => time(number),
            false => format!("{:.1} %", 100.0 * number),
        };
        let mut sentence = format!(
            "'{}' {}: {}",
            self.condition,
            if self.holds { "holds" } else { "does not hold" },
            number(self.value),
        );
        if let Some(before) = self.before {
            let noise = match self.noise {
                Some(noise) => format!("noise {}", number(noise)),
                None => "noise unknown".to_owned(),
            };
            sentence += &format!(", {} before, {noise}", number(before));
        }
        if self.holds && self.is_certain == Some(false) {
            sentence += ": not certain";
        }
        sentence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(length: f64, error: Option<f64>) -> RunNumbers {
        let all = [("length".to_owned(), length), ("load_balance".to_owned(), 0.75)];
        RunNumbers { all: all.into_iter().collect(), error }
    }

    /// Returns whether a condition holds, and whether that is certain.
    fn judged(condition: &str, run: &RunNumbers, before: &[RunNumbers]) -> (bool, Option<bool>) {
        let verdict = condition.parse::<Condition>().unwrap().judge(run, before).unwrap();
        (verdict.holds, verdict.is_certain)
    }

    #[test]
    fn limits_are_parts_per_cent_times_or_changes() {
        let limit = |text: &str| text.parse::<Condition>().map(|it| (it.is_above, it.limit));
        assert_eq!(limit("load_balance < 0.8"), Ok((false, Limit::Value(0.8))));
        assert_eq!(limit("wait.late_sender>10%"), Ok((true, Limit::Value(0.1))));
        assert_eq!(limit("length > 1.5 s"), Ok((true, Limit::Value(1.5e9))));
        assert_eq!(limit("length > +5%"), Ok((true, Limit::Change(0.05))));
        assert_eq!(limit("finding.straggler > 5 %"), Ok((true, Limit::Value(0.05))));
        for wrong in [
            "length > 5",
            "speed > 1",
            "load_balance",
            "wait.x > 1",
            "length > nan s",
            "wait < x%",
            "length > +5ms",
            "wait < -0.1",
        ] {
            assert!(limit(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_value_of_the_run_itself_is_certain() {
        let run = run(100.0, None);
        assert_eq!(judged("load_balance < 0.8", &run, &[]), (true, Some(true)));
        assert_eq!(judged("length > 100 ns", &run, &[]), (false, Some(true)));
    }

    #[test]
    fn a_change_is_certain_if_it_is_three_times_the_noise() {
        let before = [run(100.0, Some(3.0))];
        assert_eq!(judged("length > +5%", &run(116.0, Some(4.0)), &before), (true, Some(true)));
        assert_eq!(judged("length > +5%", &run(114.0, Some(4.0)), &before), (true, Some(false)));
        assert!(!judged("length > +20%", &run(116.0, Some(4.0)), &before).0);
        assert_eq!(judged("length > +5%", &run(116.0, None), &before), (true, None));
        assert_eq!(judged("load_balance < -5%", &run(116.0, None), &before), (false, None));
    }

    #[test]
    fn the_noise_of_three_runs_is_that_of_their_median() {
        let before = [98.0, 100.0, 102.0].map(|length| run(length, None));
        assert_eq!(judged("length > +5%", &run(120.0, None), &before), (true, Some(true)));
        assert_eq!(judged("length > +5%", &run(106.0, None), &before), (true, Some(false)));
        assert_eq!(judged("length > +5%", &run(120.0, None), &before[..2]), (true, None));
    }
}
