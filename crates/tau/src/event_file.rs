//! Event files: text with one event per line.
//!
//! ```text
//! 3 dynamic_trace_events
//! # FunctionId Group Tag "Name Type" Parameters
//! 1 COMPUTE 0 "solve [{solver.c} {12,3}-{48,1}]" EntryExit
//! 201 TAUEVENT 1 "Hardware counter" TriggerValue
//! 60007 TAU_MESSAGE -7 "MESSAGE_SEND" par
//! ```
//!
//! The name extends from the first quote of the line to the last. Empty lines and lines that begin
//! with `#` do not count. The first line states the number of the other lines; the file may have
//! fewer. A bad line is skipped with a complaint. Invariant: memory is limited to one line,
//! whatever the file contains.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::num::IntErrorKind;
use std::path::{Path, PathBuf};

use crate::error::{Complaint, Error, LineProblem, Result};
use crate::regular;

/// The longest line in bytes.
const LINE: u64 = 1 << 20;

/// The word that identifies an event file.
const DYNAMIC: &[u8] = b"dynamic_trace_events";

/// The meaning of an event's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parameter {
    /// `EntryExit`: a state is entered or left.
    EntryExit,
    /// `TriggerValue`: a user event (counter) has a value.
    TriggerValue,
    /// Anything else: messages, records of the tracer itself.
    Other,
}

/// A line of an event file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EventLine<'a> {
    /// The id in the records. Only the low 32 bits of larger ids are used, as in the records.
    pub(crate) id: i32,
    /// The name of the group.
    pub(crate) group: &'a [u8],
    /// -7 for sent messages, -8 for received ones; 1 for user events whose values never decrease.
    pub(crate) tag: i32,
    /// The name, without the quotes.
    pub(crate) name: &'a [u8],
    /// The meaning of the records.
    pub(crate) parameter: Parameter,
}

/// Reads an event file from beginning to end.
#[derive(Debug)]
pub(crate) struct EventFile {
    path: PathBuf,
    text: BufReader<File>,
    line: Vec<u8>,
    number: u64,
    /// The offsets of the current line and of the next.
    offset: u64,
    next: u64,
    /// The number of event lines left.
    left: u64,
}

impl EventFile {
    /// Opens a file. Fails unless its first line is the header of an event file.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let text = BufReader::new(regular::open(path)?);
        let line = Vec::new();
        let mut file =
            EventFile { path: path.to_owned(), text, line, number: 0, offset: 0, next: 0, left: 0 };
        file.advance()?;
        file.left = file.header()?;
        Ok(file)
    }

    /// Returns the number of the current line, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    fn header(&self) -> Result<u64> {
        let mut words = words(&self.line);
        let (count, word) = (words.next(), words.next());
        match count.and_then(how_many) {
            Some(count) if word == Some(DYNAMIC) => Ok(count),
            _ => {
                let shown: Vec<u8> = self.line.trim_ascii().iter().copied().take(80).collect();
                // The line may contain anything, such as the bytes of a trace.
                let found = shown.escape_ascii().to_string();
                Err(Error::EventFileHeader { file: self.path.clone(), found })
            }
        }
    }

    /// Returns the next event or the problem of its line; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Result<EventLine<'_>, LineProblem>>> {
        loop {
            if self.left == 0 || !self.advance()? {
                return Ok(None);
            }
            if !self.line.starts_with(b"#") && !self.line.trim_ascii().is_empty() {
                break;
            }
        }
        self.left -= 1;
        Ok(Some(event(&self.line)))
    }

    /// Builds a complaint about the current line.
    pub(crate) fn complaint(&self, problem: LineProblem) -> Complaint {
        Complaint::Line { file: self.path.clone(), line: self.number, offset: self.offset, problem }
    }

    /// Advances to the next line. Returns whether there is one.
    fn advance(&mut self) -> Result<bool> {
        self.offset = self.next;
        self.number += 1;
        self.line.clear();
        let taken = (&mut self.text).take(LINE + 1).read_until(b'\n', &mut self.line);
        let mut length = self.checked(taken)? as u64;
        if length > LINE {
            let skipped = self.text.skip_until(b'\n');
            length += self.checked(skipped)? as u64;
        }
        self.next = self.offset.saturating_add(length);
        Ok(length > 0)
    }

    fn checked<T>(&self, result: std::io::Result<T>) -> Result<T> {
        result.map_err(|source| Error::io(&self.path, Some(self.offset), source))
    }
}

/// Parses a line.
fn event(line: &[u8]) -> Result<EventLine<'_>, LineProblem> {
    if line.len() as u64 > LINE {
        return Err(LineProblem::TooLong);
    }
    let is_quote = |byte: &u8| *byte == b'"';
    let (Some(first), Some(last)) = (line.iter().position(is_quote), line.iter().rposition(is_quote)) else {
        return Err(LineProblem::NoName);
    };
    let name = line.get(first + 1..last).ok_or(LineProblem::NoName)?;
    let (before, after) = (line.get(..first).unwrap_or_default(), line.get(last + 1..).unwrap_or_default());
    let mut words = words(before);
    let (id, group, tag) = (words.next().and_then(integer), words.next(), words.next().and_then(integer));
    let (Some(id), Some(group), Some(tag)) = (id, group, tag) else { return Err(LineProblem::Words) };
    Ok(EventLine { id: id as i32, group, tag: tag as i32, name, parameter: parameter(after.trim_ascii()) })
}

fn parameter(word: &[u8]) -> Parameter {
    match word {
        b"EntryExit" => Parameter::EntryExit,
        b"TriggerValue" => Parameter::TriggerValue,
        _ => Parameter::Other,
    }
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn integer(word: &[u8]) -> Option<i64> {
    str::from_utf8(word).ok()?.parse().ok()
}

/// Parses a number of lines. A negative number counts as 0, one that is too large as all lines.
fn how_many(word: &[u8]) -> Option<u64> {
    match str::from_utf8(word).ok()?.parse::<i64>() {
        Ok(count) => Some(u64::try_from(count).unwrap_or(0)),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => Some(u64::MAX),
        Err(_) => None,
    }
}
