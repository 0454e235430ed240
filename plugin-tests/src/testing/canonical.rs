//! The output of `otf2-print -A` without ids, so that archives with the same meaning give the same
//! text.
//!
//! Archive properties and definitions are first, sorted; the events of each location follow in
//! order. A metric is named by its definition. Strings appear only where they are used. The process
//! id of the replaying process is omitted.

use std::collections::{BTreeMap, HashMap};

/// Converts the output of `otf2-print -A` to this form.
pub fn canonical(print: &str) -> String {
    let metrics = Metrics::of(print);
    let mut definitions = Vec::new();
    let mut events: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    let (mut section, mut property, mut last) = ("", "", 0);
    for line in print.lines() {
        if let Some(title) = line.strip_prefix("=== ") {
            section = title.split(' ').next().unwrap_or_default();
        } else if let Some(name) = line.strip_prefix("Property name") {
            property = name.trim();
        } else if let Some(value) = line.strip_prefix("Property value") {
            definitions.push(format!("PROPERTY {property}: {}", value.trim()));
        } else if section == "Global" {
            definitions.extend(definition(line).map(|text| metrics.named(&text)));
        } else if section == "Events" && line.starts_with(' ') && !line.trim().is_empty() {
            let before = events.get_mut(&last).and_then(|events| events.last_mut()).expect("an event");
            *before += &format!(" | {}", without_process(&without_ids(line.trim())));
        } else if section == "Events"
            && let Some((location, text)) = event(line)
        {
            last = location;
            events.entry(location).or_default().push(metrics.named(&text));
        }
    }
    definitions.sort_unstable();
    let locations =
        events.iter().map(|(location, events)| format!("\n=== location {location}\n{}", events.join("\n")));
    [definitions.join("\n")].into_iter().chain(locations).map(|part| part + "\n").collect()
}

/// Splits a line into the record's kind and the rest.
fn kind(line: &str) -> Option<(&str, &str)> {
    let (kind, rest) = line.split_once(' ')?;
    let letters = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    (kind.starts_with(|c: char| c.is_ascii_uppercase()) && kind.chars().all(letters))
        .then(|| (kind, rest.trim()))
}

/// Splits a text into the number at its start and the rest.
fn number(text: &str) -> Option<(u64, &str)> {
    let (number, rest) = text.split_once(' ').unwrap_or((text, ""));
    Some((number.parse().ok()?, rest.trim()))
}

/// Returns a definition without its own id, except for locations, whose ids are meaningful.
fn definition(line: &str) -> Option<String> {
    let (kind, rest) = kind(line)?;
    let body = number(rest).map_or(rest, |(_, body)| body);
    match kind {
        "STRING" => None,
        "LOCATION" => Some(format!("{kind} {} {}", number(rest)?.0, without_ids(body))),
        _ => Some(format!("{kind} {}", without_ids(body))),
    }
}

fn event(line: &str) -> Option<(u64, String)> {
    let (kind, rest) = kind(line)?;
    let (location, rest) = number(rest)?;
    let (time, body) = number(rest)?;
    Some((location, format!("{time} {kind} {}", without_ids(body)).trim_end().to_owned()))
}

/// Removes the ids after names.
fn without_ids(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\" <") {
        let (before, after) = rest.split_at(at + 1);
        result.push_str(before);
        let digits = after[2..].find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len() - 2);
        let is_id = digits > 0 && after[2 + digits..].starts_with('>');
        rest = if is_id { &after[digits + 3..] } else { after };
    }
    result + rest
}

fn without_process(text: &str) -> String {
    const BEFORE: &str = "(\"ProcessId\"; UINT64; ";
    let Some(start) = text.find(BEFORE).map(|at| at + BEFORE.len()) else { return text.to_owned() };
    let end = text[start..].find(')').map_or(text.len(), |at| start + at);
    format!("{}*{}", &text[..start], &text[end..])
}

/// Metric classes and instances by id.
struct Metrics(HashMap<u64, String>);

impl Metrics {
    fn of(print: &str) -> Self {
        let mut classes = HashMap::new();
        let mut instances = Vec::new();
        for line in print.lines() {
            let Some((kind, rest)) = kind(line) else { continue };
            let Some((id, body)) = number(rest) else { continue };
            match kind {
                "METRIC_CLASS" => drop(classes.insert(id, without_ids(body))),
                "METRIC_INSTANCE" => instances.push((id, without_ids(body))),
                _ => {}
            }
        }
        let classes = Self(classes);
        let instances: Vec<_> = instances.into_iter().map(|(id, body)| (id, classes.named(&body))).collect();
        let mut all = classes.0;
        all.extend(instances);
        Self(all)
    }

    /// Replaces ids by definitions.
    fn named(&self, text: &str) -> String {
        let mut result = text.to_owned();
        for label in ["Metric: ", "Class: "] {
            let Some(at) = result.find(label).map(|at| at + label.len()) else { continue };
            let digits = result[at..].find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
            if digits == 0 || !result[at + digits..].starts_with(',') {
                continue;
            }
            let id: u64 = result[at..at + digits].parse().expect("a number");
            let definition = self.0.get(&id).map_or("?", String::as_str);
            result.replace_range(at..at + digits, &format!("{{{definition}}}"));
        }
        result
    }
}

/// Returns the first lines in which two texts differ; `None` if they are equal.
pub fn difference(expected: &str, actual: &str) -> Option<String> {
    const MOST: usize = 40;
    let count = |text: &str| {
        let mut counts: BTreeMap<String, i64> = BTreeMap::new();
        let mut section = String::new();
        for line in text.lines() {
            if line.starts_with("=== ") {
                line.clone_into(&mut section);
            }
            *counts.entry(format!("{section}{line}")).or_default() += 1;
        }
        counts
    };
    if expected == actual {
        return None;
    }
    let (expected_lines, actual_lines) = (count(expected), count(actual));
    let only = |sign: &str, here: &BTreeMap<String, i64>, there: &BTreeMap<String, i64>| -> Vec<String> {
        let more = here.iter().filter(|(line, n)| there.get(*line).unwrap_or(&0) < n);
        more.take(MOST).map(|(line, _)| format!("{sign} {line}")).collect()
    };
    let mut lines = only("-", &expected_lines, &actual_lines);
    lines.extend(only("+", &actual_lines, &expected_lines));
    if lines.is_empty() {
        let at = expected.lines().zip(actual.lines()).find(|(expected, actual)| expected != actual);
        let (expected, actual) = at.unwrap_or_default();
        lines.push(format!("different order:\n- {expected}\n+ {actual}"));
    }
    Some(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_removed_and_the_rest_is_kept() {
        let print = "=== OTF2-PRINT ===\nProperty name   P\nProperty value   true\n=== Global Definitions ===\n\
            STRING 0 \"\"\nREGION   4 Name: \"work\" <3> (Aka. \"work\" <3>)\n\
            LOCATION 7 Name: \"main\" <1>, # Events: 2\nMETRIC_CLASS 5 1 Member: \"m\" <0>\nMETRIC_INSTANCE 6 Class: 5, Scope: X\n\
            === Events ===\nEvent Location Timestamp Attributes\n----\nENTER  7  10  Region: \"work\" <4>\n      \
            ADDITIONAL ATTRIBUTES: (\"ProcessId\" <2>; UINT64; 77)\nMETRIC 7 11 Metric: 6, 1 Value: (\"m\" <0>; INT64; -1)\n";
        assert_eq!(
            canonical(print),
            "LOCATION 7 Name: \"main\", # Events: 2\nMETRIC_CLASS 1 Member: \"m\"\n\
            METRIC_INSTANCE Class: {1 Member: \"m\"}, Scope: X\nPROPERTY P: true\nREGION Name: \"work\" (Aka. \"work\")\n\n\
            === location 7\n10 ENTER Region: \"work\" | ADDITIONAL ATTRIBUTES: (\"ProcessId\"; UINT64; *)\n\
            11 METRIC Metric: {Class: {1 Member: \"m\"}, Scope: X}, 1 Value: (\"m\"; INT64; -1)\n"
        );
    }

    #[test]
    fn differences_are_shown() {
        assert_eq!(difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(difference("a\nb\n", "a\nc\n").unwrap(), "- b\n+ c");
        assert!(difference("a\nb\n", "b\na\n").unwrap().starts_with("different order"));
    }
}
