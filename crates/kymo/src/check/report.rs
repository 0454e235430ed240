//! The output format of findings and the summary: text lines, or one JSON object per line.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::findings::{Finding, Tally};
use super::kinds::{FindingKind, Severity};
use crate::escape;
use crate::status::Status;

/// The form of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Text, with or without colours.
    Text(bool),
    Json,
    /// Lines on standard error, like those of other verbs.
    Complaints,
}

/// The contents of the summary in addition to the findings.
#[derive(Debug)]
pub(crate) struct Totals {
    /// The path of the archive as it was typed.
    pub(crate) archive: String,
    pub(crate) locations: u64,
    pub(crate) events: u64,
    /// The number of files that could not be read completely.
    pub(crate) partly_read: u64,
    pub(crate) status: Status,
}

impl Form {
    pub(crate) fn finding(self, out: &mut dyn Write, finding: &Finding<'_>) -> io::Result<()> {
        match self {
            Self::Text(has_colours) => {
                let (before, after) = if has_colours { colours(finding) } else { ("", "") };
                let severity = finding.kind.row().severity.word().to_uppercase();
                writeln!(out, "{before}{severity}{after} {}", escape::line(text_finding(finding)))
            }
            Self::Json => writeln!(out, "{}", escape::json(&json_finding(finding).to_string())),
            Self::Complaints => writeln!(out, "kymo: {}", escape::line(place_and_what(finding))),
        }
    }

    pub(crate) fn summary(self, out: &mut dyn Write, found: &Tally, totals: &Totals) -> io::Result<()> {
        match self {
            Self::Text(_) | Self::Complaints => text_summary(out, found, totals),
            Self::Json => writeln!(out, "{}", escape::json(&json_summary(found, totals).to_string())),
        }
    }

    /// Writes rows of the table of kinds.
    pub(crate) fn kinds(self, out: &mut dyn Write, kinds: &[FindingKind]) -> io::Result<()> {
        for row in kinds.iter().map(|kind| kind.row()) {
            let (id, severity, sentence) = (row.id, row.severity.word(), row.sentence);
            match self {
                Self::Text(_) | Self::Complaints => writeln!(out, "{severity:<7} {id:<32} {sentence}")?,
                Self::Json => {
                    let object = json!({
                        "kind": id, "severity": severity, "subject": row.subject, "explanation": sentence,
                    });
                    writeln!(out, "{object}")?;
                }
            }
        }
        out.flush()
    }
}

/// Formats the text after the severity: `traces/3.evt: byte 1234: event 17 (Enter): region 99 is
/// not defined [undefined-region]`
fn text_finding(finding: &Finding<'_>) -> String {
    format!("{} [{}]", place_and_what(finding), finding.kind.row().id)
}

/// Returns the terminal sequences that begin and end the highlighting of the severity.
fn colours(finding: &Finding<'_>) -> (&'static str, &'static str) {
    let before = match finding.kind.row().severity {
        Severity::Error => "\x1b[1;31m",
        Severity::Warning => "\x1b[1;33m",
        Severity::Note => "\x1b[1;36m",
    };
    (before, "\x1b[0m")
}

/// Formats `traces/3.evt: byte 1234: no end-of-file mark (0x02)`.
fn place_and_what(finding: &Finding<'_>) -> String {
    let place = finding.place;
    let byte = place.offset.map(|offset| format!("byte {offset}: ")).unwrap_or_default();
    let record = match (place.event, place.record) {
        (Some(event), Some(record)) => format!("event {event} ({record}): "),
        (Some(event), None) => format!("event {event}: "),
        (None, Some(record)) => format!("{record}: "),
        (None, None) => String::new(),
    };
    format!("{}: {byte}{record}{}", finding.path.display(), finding.what)
}

fn json_finding(finding: &Finding<'_>) -> Value {
    let (place, row) = (finding.place, finding.kind.row());
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("severity", row.severity.word().into());
    put("kind", row.id.into());
    put("file", finding.path.to_string_lossy().into());
    let numbers = [("offset", place.offset), ("event", place.event), ("location", place.file.location())];
    for (key, number) in numbers {
        if let Some(number) = number {
            put(key, number.into());
        }
    }
    if let Some(record) = place.record {
        put("record", record.into());
    }
    put("message", finding.what.to_string().into());
    Value::Object(object)
}

fn text_summary(out: &mut dyn Write, found: &Tally, totals: &Totals) -> io::Result<()> {
    for (kind, beyond) in found.not_shown() {
        writeln!(out, "{beyond} more {kind} not shown")?;
    }
    let verdict = match (totals.partly_read, found.of(Severity::Error)) {
        (0, 0) => "no errors".to_owned(),
        (0, errors) => count(errors, "error"),
        (files, errors) => {
            format!("{}, {} not read to the end", count(errors, "error"), count(files, "file"))
        }
    };
    writeln!(
        out,
        "{}: {verdict}, {}, {}; {} of {}",
        escape::line(&totals.archive),
        count(found.of(Severity::Warning), "warning"),
        count(found.of(Severity::Note), "note"),
        count(totals.events, "event"),
        count(totals.locations, "location"),
    )
}

/// Formats `1 error`, `2 errors`.
fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn json_summary(found: &Tally, totals: &Totals) -> Value {
    let kinds: Map<String, Value> = FindingKind::ALL
        .iter()
        .filter(|&&kind| found.count(kind) > 0)
        .map(|&kind| (kind.to_string(), found.count(kind).into()))
        .collect();
    json!({ "summary": {
        "archive": totals.archive,
        "errors": found.of(Severity::Error),
        "warnings": found.of(Severity::Warning),
        "notes": found.of(Severity::Note),
        "kinds": kinds,
        "locations": totals.locations,
        "events": totals.events,
        "files_read_in_part": totals.partly_read,
        "status": totals.status as u8,
    }})
}
