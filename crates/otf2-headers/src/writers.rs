//! The functions that write a record.

use crate::comment::Comment;
use crate::declaration::{Argument, function};
use crate::record::RecordDocs;
use crate::{Problem, tables};

/// A kind of writer.
struct Writer {
    /// The name of the type, without `OTF2_`.
    name: &'static str,
    /// The part of the functions' names that precedes that of the record.
    verb: &'static str,
    /// The name of the argument with the writer.
    handle: &'static str,
    /// The name of the argument with the time, if records have a time and attributes.
    time: Option<&'static str>,
}

/// Returns the functions of a writer.
pub(crate) fn of(name: &str) -> Result<String, Problem> {
    let (records, writer) = match name {
        "EvtWriter" => {
            (tables::events(), Writer { name: "EvtWriter", verb: "", handle: "writer", time: Some("time") })
        }
        "SnapWriter" => (
            tables::snapshots(),
            Writer { name: "SnapWriter", verb: "", handle: "writer", time: Some("snapTime") },
        ),
        "DefWriter" => (
            tables::definitions("local"),
            Writer { name: "DefWriter", verb: "Write", handle: "writer", time: None },
        ),
        "GlobalDefWriter" => (
            tables::definitions("global"),
            Writer { name: "GlobalDefWriter", verb: "Write", handle: "writerHandle", time: None },
        ),
        _ => return Err(format!("no writer {name}")),
    };
    Ok(records.iter().map(|record| writer.function(record)).collect::<Vec<_>>().join("\n"))
}

impl Writer {
    fn function(&self, record: &RecordDocs) -> String {
        let mut comment =
            Comment::new(format!("Writes the record {}: {}", record.name, uncapitalised(&record.text())));
        let mut arguments = vec![Argument::new(format!("OTF2_{}*", self.name), self.handle)];
        comment = comment.parameter(self.handle, "The writer.");
        if let Some(time) = self.time {
            arguments.push(Argument::new("OTF2_AttributeList*", "attributeList"));
            arguments.push(Argument::new("OTF2_TimeStamp", time));
            comment = comment.parameter("attributeList", "Further attributes, or NULL; empty after success.");
            comment = comment.parameter(time, "The time in ticks, at least that of the previous record.");
        }
        for attribute in record.attributes() {
            comment = comment.parameter(&attribute.argument.name, &attribute.text);
            arguments.push(attribute.argument);
        }
        comment = comment.tag("@return #OTF2_SUCCESS, or an error code as listed at the top of this file.");
        comment = comment.tag(format!("@since {}", record.since));
        let deprecated = record.deprecated();
        if let Some(version) = &deprecated {
            comment = comment.tag(format!("@deprecated since {version}{}", successor(record.name)));
        }
        let name = format!("OTF2_{}_{}{}", self.name, self.verb, record.name);
        comment.text(0) + &function("OTF2_ErrorCode", &name, &arguments, deprecated.is_some())
    }
}

/// Returns the record to use in place of a deprecated one.
pub(crate) fn successor(name: &str) -> String {
    let successor = match name {
        "OmpFork" => "ThreadFork",
        "OmpJoin" => "ThreadJoin",
        "OmpAcquireLock" => "ThreadAcquireLock",
        "OmpReleaseLock" => "ThreadReleaseLock",
        "OmpTaskCreate" => "ThreadTaskCreate",
        "OmpTaskSwitch" => "ThreadTaskSwitch",
        "OmpTaskComplete" => "ThreadTaskComplete",
        "Callsite" => "SourceCodeLocation and CallingContext",
        _ => return ".".to_owned(),
    };
    format!(": use {successor}.")
}

/// Returns a sentence as it continues after a colon.
pub(crate) fn uncapitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|it| it.to_ascii_lowercase());
    let is_abbreviation = letters.clone().next().is_some_and(|it| it.is_ascii_uppercase() || it == '/');
    if is_abbreviation { text.to_owned() } else { first.into_iter().chain(letters).collect() }
}
