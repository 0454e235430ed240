//! Citations: a document to which a comment or another document refers must be in this repository.
//!
//! A citation is the path of a specification, alone or with sections: `docs/spec/otf2-format.md,
//! "Primitives" and "Records"` names headings, `docs/spec/scorep-to-otf2.md, §2.1 to §2.3` their
//! numbers. A citation may continue on the next line. Links of Markdown are checked as well.

use std::fs;
use std::path::{Path, PathBuf};

use super::Text;
use crate::repository;

/// The folder of the specifications.
const SPECIFICATIONS: &str = "docs/spec/";
/// Signs of a citation, which the path of a specification must precede.
const SIGNS: [&str; 3] = ["section \"", "sections \"", "§"];

/// Returns the places that refer to a missing document, section or file.
pub(super) fn unresolved(text: &Text) -> Vec<(usize, String)> {
    if text.has_examples() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some((number, line)) = lines.next() {
        let next = lines.peek().map_or("", |(_, next)| uncommented(next));
        found.extend(citations(line, next).filter_map(|it| it.fault()).map(|fault| (number, fault)));
    }
    if text.is("md") {
        for (number, line) in text.prose() {
            let line = without_code(line);
            let faults = links(&line).filter_map(|link| link_fault(&text.path, link));
            found.extend(faults.map(|fault| (number, fault)));
        }
    }
    found
}

/// Returns the places in code that cite a section without the path of its document on the same line
/// or on the line before. A document may cite its own sections.
pub(super) fn without_document(text: &Text) -> Vec<(usize, String)> {
    if text.is("md") || text.has_examples() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut last = "";
    for (number, line) in text.lines() {
        let sign = SIGNS.iter().filter_map(|sign| line.find(sign)).min();
        if let Some(sign) = sign
            && !line[..sign].contains(SPECIFICATIONS)
            && !last.contains(SPECIFICATIONS)
        {
            found.push((number, format!("a section without its document: write {SPECIFICATIONS}…")));
        }
        last = line;
    }
    found
}

/// A document and the sections of it that are cited.
struct Citation<'a> {
    document: &'a str,
    sections: Vec<String>,
}

/// Returns the citations of specifications that begin in a line.
fn citations<'a>(line: &'a str, next: &str) -> impl Iterator<Item = Citation<'a>> {
    line.match_indices(SPECIFICATIONS).map(move |(at, _)| {
        let rest = &line[at..];
        let is_end = |it: char| !(it.is_ascii_alphanumeric() || "/-_.".contains(it));
        let document = rest.split(is_end).next().unwrap_or_default().trim_end_matches('.');
        let rest = rest[document.len()..].trim_start_matches('`');
        Citation { document, sections: sections(&format!("{rest} {next}")) }
    })
}

/// Returns the text of a line without the mark of a comment.
fn uncommented(line: &str) -> &str {
    line.trim_start().trim_start_matches(['/', '!', '#', '*']).trim()
}

/// Returns the sections in the text after a document: `, "A" and "B"` or `, §1.2 to §1.4`.
fn sections(rest: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = rest.strip_prefix(", ");
    while let Some((section, after)) = rest.and_then(section) {
        found.push(section.to_owned());
        rest = [" and ", " to ", ", "].iter().find_map(|separator| after.strip_prefix(separator));
    }
    found
}

/// Splits a section off: a title in quotation marks or a number.
fn section(text: &str) -> Option<(&str, &str)> {
    if let Some(title) = text.strip_prefix('"') {
        return title.split_once('"');
    }
    let number = text.strip_prefix('§')?;
    let end = number.find(|it: char| !(it.is_ascii_digit() || it == '.')).unwrap_or(number.len());
    let section = number[..end].trim_end_matches('.');
    Some((section, &number[section.len()..]))
}

impl Citation<'_> {
    fn fault(&self) -> Option<String> {
        let path = repository::root().join(self.document);
        let Ok(document) = fs::read_to_string(&path) else {
            return (!path.is_dir()).then(|| format!("there is no {}", self.document));
        };
        let is_missing = |section: &&String| !document.lines().any(|line| is_heading_of(line, section));
        let section = self.sections.iter().find(is_missing)?;
        Some(format!("{} has no section {section}", self.document))
    }
}

/// Returns whether a line is the heading of a section, which a citation names by its number or by
/// the start of its title.
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

/// Removes code spans, whose brackets are not links.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// Returns the targets of the links in a line of Markdown.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

fn link_fault(text: &Path, link: &str) -> Option<String> {
    let path = link.split('#').next().unwrap_or_default();
    if path.is_empty() || path.contains("://") {
        return None;
    }
    let target: PathBuf = text.parent().unwrap_or(Path::new("")).join(path);
    (!repository::root().join(target).exists()).then(|| format!("there is no {path}"))
}

#[cfg(test)]
mod tests {
    use super::super::text;
    use super::*;

    fn sections_in(line: &str, next: &str) -> Vec<Vec<String>> {
        citations(line, next).map(|it| it.sections).collect()
    }

    #[test]
    fn sections_are_found_by_number_and_by_title() {
        let titles = "// docs/spec/otf2-format.md, \"Records\" and \"Event files\": \"text\".";
        assert_eq!(sections_in(titles, ""), [["Records", "Event files"]]);
        let numbers = "// `docs/spec/scorep-to-otf2.md`, §2.1 to §2.3. See docs/spec/exports.md.";
        assert_eq!(sections_in(numbers, ""), [vec!["2.1", "2.3"], vec![]]);
        assert_eq!(sections_in("// docs/spec/otf2-format.md, \"Event", "files\"."), [["Event files"]]);
        assert_eq!(sections_in("// docs/spec/otf2-format.md,", "§4 and"), [["4"]]);
    }

    #[test]
    fn headings_match_by_whole_number_or_start_of_title() {
        assert!(is_heading_of("### 2.4 Texts", "2.4") && !is_heading_of("### 2.4 Texts", "2"));
        assert!(is_heading_of("## 7. Event files", "Event files"));
        assert!(!is_heading_of("Event files", "Event files"));
    }

    #[test]
    fn missing_documents_sections_and_files_are_reported() {
        let faults = |path, content| unresolved(&text(path, content)).len();
        assert_eq!(faults("a.rs", "// docs/spec/none.md\n"), 1);
        assert_eq!(faults("a.rs", "// docs/spec/otf2-format.md, \"No such section\"\n"), 1);
        assert_eq!(faults("a.rs", "// docs/spec/otf2-format.md, \"No such\n// section\"\n"), 1);
        assert_eq!(faults("a.rs", "// docs/spec/otf2-format.md, \"Event\n// files\"\n"), 0);
        assert_eq!(faults("docs/a.md", "[a](../README.md) [b](none.md) [c](https://example.org)\n"), 1);
    }

    #[test]
    fn brackets_in_code_are_not_links() {
        let faults = |content| unresolved(&text("a.md", content));
        assert_eq!(faults("`operator new[](size_t)`\n"), []);
        assert_eq!(faults("\n    operator[](unsigned long)\n\n```\na[](b)\n```\n"), []);
        assert_eq!(faults("a\n    [b](none.md)\n").len(), 1);
    }

    #[test]
    fn sections_without_a_document_are_reported() {
        let faults = |content| without_document(&text("a.rs", content)).len();
        assert_eq!(faults("// OTF2 format, section \"Event files\"\n"), 1);
        assert_eq!(faults("// (ABI §14.3)\n"), 1);
        assert_eq!(faults("// §2 of docs/spec/otf2-format.md\n"), 1);
        assert_eq!(faults("// docs/spec/scorep-to-otf2.md,\n// §2.4\n"), 0);
        assert_eq!(without_document(&text("a.md", "See §2.\n")), []);
    }
}
