//! Citations: what a comment or a document refers to is in this repository.
//!
//! A citation is the path of a tracked document, alone or with a section: `docs/spec/otf2-format.md, "Chunks"` names a heading,
//! `docs/spec/scorep-to-otf2.md, §2.4` the number of one. Links of Markdown count as well.

use std::fs;
use std::path::{Path, PathBuf};

use super::Text;
use crate::repository;

/// Places that refer to something that is not there.
pub(super) fn unresolved(text: &Text) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in text.lines() {
        found.extend(citations(line).filter_map(|it| it.fault()).map(|fault| (number, fault)));
        if text.is("md") {
            let faults = links(line).filter_map(|link| link_fault(&text.path, link));
            found.extend(faults.map(|fault| (number, fault)));
        }
    }
    found
}

/// A document and what of it is meant.
struct Citation<'a> {
    document: &'a str,
    sections: Vec<&'a str>,
}

/// The citations of specifications in a line.
fn citations(line: &str) -> impl Iterator<Item = Citation<'_>> {
    line.match_indices("docs/spec/").map(|(at, _)| {
        let rest = &line[at..];
        let is_end = |it: char| !(it.is_ascii_alphanumeric() || "/-_.".contains(it));
        let document = rest.split(is_end).next().unwrap_or_default().trim_end_matches('.');
        let sections = sections(rest[document.len()..].trim_start_matches('`'));
        Citation { document, sections }
    })
}

/// What follows a document: `, "A" and "B"` or `, §1.2`.
fn sections(rest: &str) -> Vec<&str> {
    let Some(rest) = rest.strip_prefix(", ") else { return Vec::new() };
    if let Some(number) = rest.strip_prefix('§') {
        let end = number.find(|it: char| !(it.is_ascii_digit() || it == '.')).unwrap_or(number.len());
        return vec![number[..end].trim_end_matches('.')];
    }
    match rest.starts_with('"') {
        true => rest.split('"').skip(1).step_by(2).collect(),
        false => Vec::new(),
    }
}

impl Citation<'_> {
    fn fault(&self) -> Option<String> {
        let Ok(document) = fs::read_to_string(repository::root().join(self.document)) else {
            return (!repository::root().join(self.document).is_dir())
                .then(|| format!("there is no {}", self.document));
        };
        let is_missing = |section: &&&str| !document.lines().any(|line| is_heading_of(line, section));
        let section = self.sections.iter().find(is_missing)?;
        Some(format!("{} has no section {section}", self.document))
    }
}

/// Whether a line is the heading of a section, which a citation names by number or by the begin of its title.
fn is_heading_of(line: &str, section: &str) -> bool {
    let Some(heading) = line.strip_prefix('#') else { return false };
    let heading = heading.trim_start_matches('#').trim_start();
    let is_number = |it: &str| it.starts_with(|it: char| it.is_ascii_digit());
    let (number, title) = match heading.split_once(' ') {
        Some((number, title)) if is_number(number) => (number.trim_end_matches('.'), title),
        _ => ("", heading),
    };
    if is_number(section) { number == section } else { title.starts_with(section) }
}

/// Targets of the links in a line of Markdown.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

fn link_fault(text: &Path, link: &str) -> Option<String> {
    let path = link.split('#').next().unwrap_or_default();
    if path.is_empty() || path.contains("://") {
        return None;
    }
    let beside: PathBuf = text.parent().unwrap_or(Path::new("")).join(path);
    (!repository::root().join(beside).exists()).then(|| format!("there is no {path}"))
}

#[cfg(test)]
mod tests {
    use super::super::text;
    use super::*;

    #[test]
    fn sections_are_found_by_number_and_by_title() {
        let lines = "// docs/spec/otf2-format.md, \"Chunks\" and \"Event files\".\n\
            // `docs/spec/scorep-to-otf2.md`, §2.4: texts. See docs/spec/tau-trace-format.md.\n";
        let found: Vec<Vec<&str>> = lines.lines().flat_map(citations).map(|it| it.sections).collect();
        assert_eq!(found, [vec!["Chunks", "Event files"], vec!["2.4"], vec![]]);
        assert!(is_heading_of("### 2.4 Texts", "2.4") && !is_heading_of("### 2.4 Texts", "2"));
        assert!(
            is_heading_of("## 7. Event files", "Event files") && !is_heading_of("Event files", "Event files")
        );
    }

    #[test]
    fn what_is_not_there_is_reported() {
        let faults = |path, content| unresolved(&text(path, content)).len();
        assert_eq!(faults("a.rs", "// docs/spec/none.md\n"), 1);
        assert_eq!(faults("a.rs", "// docs/spec/otf2-format.md, \"No such section\"\n"), 1);
        assert_eq!(faults("a.rs", "// docs/spec/otf2-format.md, \"Event files\"\n"), 0);
        assert_eq!(faults("docs/a.md", "[a](../README.md) [b](none.md) [c](https://example.org)\n"), 1);
    }
}
