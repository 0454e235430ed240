//! Reports rules of the filter that matched nothing: a rule without effect is usually a mistake.
//!
//! The file `filter-rules` in the folder of the measurement contains a byte for each rule,
//! initially 0. The runtime of each process writes a 1 when a rule matches, even if it does not
//! decide. Nothing is reported for a job whose ranks each have their own `kymo record`: a rule may
//! match in only one of them.

use std::fs;
use std::path::{Path, PathBuf};

use kymo_filter::{Filter, RuleText};

use super::environment::filter_path;
use super::experiment::Experiment;

/// The name of the file, which the runtime uses too.
const FILE: &str = "filter-rules";
/// The number of rules that are listed.
const LISTED: usize = 3;

/// The rules that apply to a measurement.
#[derive(Debug)]
pub(super) struct Rules {
    /// The path of the filter, as it was typed.
    filter: PathBuf,
    rules: Vec<RuleText>,
    file: PathBuf,
}

impl Rules {
    /// Creates the file before the program starts. Returns `None` without a filter, for a rank, or
    /// if the file cannot be created.
    pub(super) fn begin(
        option: Option<&Path>,
        filter: Option<&Filter>,
        experiment: &Experiment,
    ) -> Option<Self> {
        if experiment.job.is_some() {
            return None;
        }
        let (rules, file) = (filter?.rules(), experiment.folder().join(FILE));
        fs::write(&file, vec![0; rules.len()]).ok()?;
        Some(Self { filter: filter_path(option)?, rules, file })
    }

    /// Removes the file after the program has ended. Returns a line about rules that matched
    /// nothing, if there are any.
    pub(super) fn end(self) -> Option<String> {
        let matched = fs::read(&self.file);
        // If it cannot be removed, the folder merely contains one more file.
        let _ = fs::remove_file(&self.file);
        self.line(&matched.ok()?)
    }

    fn line(&self, matched: &[u8]) -> Option<String> {
        let filter = self.filter.display();
        if self.rules.is_empty() {
            return Some(format!("the filter {filter} has no rules"));
        }
        let idle = |&(_, &matched): &(&RuleText, &u8)| matched == 0;
        let unmatched: Vec<String> =
            self.rules.iter().zip(matched).filter(idle).map(|(rule, _)| described(rule)).collect();
        match &unmatched[..] {
            [] => None,
            [one] => Some(format!("the filter {filter}: {one} matches no region of this run")),
            several if several.len() == self.rules.len() => Some(format!(
                "the filter {filter}: none of its {} rules matches a region of this run",
                several.len()
            )),
            several => {
                let first = several.get(..LISTED).unwrap_or(several).join(", ");
                let more = match several.len().saturating_sub(LISTED) {
                    0 => String::new(),
                    count => format!(" and {count} more"),
                };
                Some(format!(
                    "the filter {filter}: {} rules match no region of this run: {first}{more}",
                    several.len()
                ))
            }
        }
    }
}

fn described(rule: &RuleText) -> String {
    format!("{} (line {})", rule.text, rule.line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, matched: &[u8]) -> Option<String> {
        let filter = Filter::parse(text.as_bytes()).expect("a filter");
        let rules = Rules { filter: "f".into(), rules: filter.rules(), file: PathBuf::new() };
        rules.line(matched)
    }

    #[test]
    fn rules_that_match_nothing_are_reported_in_one_line() {
        let names = "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE a b\nINCLUDE c\nEXCLUDE MANGLED d e\n";
        let report = |matched: &[u8]| line(names, matched);
        assert_eq!(report(&[1; 5]), None);
        let one = "the filter f: EXCLUDE b (line 2) matches no region of this run";
        assert_eq!(report(&[1, 0, 1, 1, 1]).as_deref(), Some(one));
        let four = "the filter f: 4 rules match no region of this run: EXCLUDE a (line 2), INCLUDE c (line \
                    3), EXCLUDE MANGLED d (line 4) and 1 more";
        assert_eq!(report(&[0, 1, 0, 0, 0]).as_deref(), Some(four));
        let all = "the filter f: none of its 5 rules matches a region of this run";
        assert_eq!(report(&[0; 5]).as_deref(), Some(all));
        assert_eq!(line("# nothing", &[]).as_deref(), Some("the filter f has no rules"));
    }
}
