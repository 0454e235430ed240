//! Which rules of the filter matched nothing, told in the end: a rule that has no effect is a mistake, as a rule.
//!
//! The file `filter-rules` in the folder of the measurement has a byte for each rule, 0 to begin with. The runtime of each process writes
//! a 1 when a rule matches, also one that does not decide. Nothing is told of a job each rank of which has a `kymo record` of its own: a
//! rule may match on one of them alone.

use std::fs;
use std::path::{Path, PathBuf};

use kymo_filter::{Filter, RuleText};

use super::environment::filter_path;
use super::experiment::Experiment;

/// As the runtime knows it.
const FILE: &str = "filter-rules";
/// Rules that are told one by one.
const TOLD: usize = 3;

/// The rules that apply to a measurement.
#[derive(Debug)]
pub(super) struct Rules {
    /// The filter as it was named.
    filter: PathBuf,
    rules: Vec<RuleText>,
    file: PathBuf,
}

impl Rules {
    /// Before the program begins; none without a filter, for a rank, or where the file cannot be made.
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

    /// After its end: the line about rules that matched nothing, if there are any.
    pub(super) fn end(self) -> Option<String> {
        let matched = fs::read(&self.file);
        // Only the folder has one file more if it cannot be removed.
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
                let told = several.get(..TOLD).unwrap_or(several).join(", ");
                let more = match several.len().saturating_sub(TOLD) {
                    0 => String::new(),
                    count => format!(" and {count} more"),
                };
                Some(format!(
                    "the filter {filter}: {} rules match no region of this run: {told}{more}",
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
    fn rules_that_match_nothing_are_told_in_one_line() {
        let names = "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE a b\nINCLUDE c\nEXCLUDE MANGLED d e\n";
        let told = |matched: &[u8]| line(names, matched);
        assert_eq!(told(&[1; 5]), None);
        let one = "the filter f: EXCLUDE b (line 2) matches no region of this run";
        assert_eq!(told(&[1, 0, 1, 1, 1]).as_deref(), Some(one));
        let four = "the filter f: 4 rules match no region of this run: EXCLUDE a (line 2), INCLUDE c (line 3), \
                    EXCLUDE MANGLED d (line 4) and 1 more";
        assert_eq!(told(&[0, 1, 0, 0, 0]).as_deref(), Some(four));
        let all = "the filter f: none of its 5 rules matches a region of this run";
        assert_eq!(told(&[0; 5]).as_deref(), Some(all));
        assert_eq!(line("# nothing", &[]).as_deref(), Some("the filter f has no rules"));
    }
}
