//! Files that cannot be read, or not to their end: a finding if the file is at fault, a message if
//! the machine is.

use std::fmt;
use std::io::{self, ErrorKind};

use kymo_otf2::error::{FormatError, Limit, Problem};
use kymo_otf2::{Error, FileName};
use rustix::io::Errno;

use super::findings::{Findings, Place};
use super::kinds::FindingKind;
use crate::output::complain;
use crate::status::Status;

/// The files that could not be read.
#[derive(Debug, Default)]
pub(crate) struct Trouble {
    /// The number of files that are missing or were not read to the end.
    pub(crate) partly_read: u64,
    /// Whether input failed.
    pub(crate) input: bool,
    /// Whether a limit was reached.
    pub(crate) limit: bool,
    /// Whether the system lacked resources for reading; the files may be whole.
    pub(crate) shortage: bool,
}

impl Trouble {
    /// Reports why a file could not be read completely.
    pub(crate) fn report(&mut self, file: FileName, error: &Error, findings: &mut Findings<'_>) {
        match error {
            Error::Io { source, .. } if source.kind() == ErrorKind::NotFound => {
                findings.find(
                    FindingKind::MissingFile,
                    Place::file(file),
                    format_args!("the file is missing"),
                );
                self.partly_read += 1;
            }
            Error::Format(error) if error.problem == Problem::Sion => {
                if self.partly_read == 0 {
                    report_file(file, &error.problem, findings);
                }
                self.partly_read += 1;
            }
            Error::Format(error) => {
                findings.find(
                    kind(file, error.problem),
                    place(file, error),
                    format_args!("{}", error.problem),
                );
                self.partly_read += 1;
            }
            Error::Io { source, .. } => {
                report_file(file, source, findings);
                self.input = true;
                self.shortage |= is_shortage(source);
            }
            Error::Limit(limit) => {
                let Limit { needed, left, limit, .. } = limit;
                let what = format!("{needed} bytes of memory are needed, {left} of {limit} are left");
                report_file(file, &what, findings);
                self.limit = true;
            }
            other => {
                report_file(file, other, findings);
                self.input = true;
            }
        }
    }

    /// Reports why a file could not be read, if so. Returns whether it could be read.
    pub(crate) fn note(
        &mut self,
        file: FileName,
        end: Result<(), Error>,
        findings: &mut Findings<'_>,
    ) -> bool {
        if let Err(error) = &end {
            self.report(file, error, findings);
        }
        end.is_ok()
    }

    /// Returns the exit status that follows from the trouble.
    pub(crate) fn status(&self) -> Status {
        match (self.limit, self.input, self.partly_read) {
            (true, ..) => Status::Limit,
            (_, true, _) => Status::Environment,
            (.., 0) => Status::Done,
            _ => Status::Partial,
        }
    }

    /// Whether everything could be read.
    pub(crate) fn is_none(&self) -> bool {
        self.partly_read == 0 && !self.input && !self.limit
    }
}

fn is_shortage(error: &io::Error) -> bool {
    let number = Errno::from_io_error(error);
    number.is_some_and(|number| [Errno::MFILE, Errno::NFILE, Errno::NOMEM].contains(&number))
}

/// Prints a message about a file, with its path.
fn report_file(file: FileName, what: &dyn fmt::Display, findings: &mut Findings<'_>) {
    findings.note_file(file);
    complain(&format!("{}: {what}", findings.path(file).display()));
}

fn place(file: FileName, error: &FormatError) -> Place {
    let place = Place::byte(file, error.offset);
    // The anchor is a single record, whose name adds nothing.
    match error.record {
        Some(record) if file != FileName::Anchor => Place { record: Some(record), ..place },
        _ => place,
    }
}

fn kind(file: FileName, problem: Problem) -> FindingKind {
    match (file, problem) {
        (FileName::Anchor, _) => FindingKind::BadAnchor,
        (_, Problem::MissingEnd) => FindingKind::MissingEnd,
        (_, Problem::ChunkHeader(_) | Problem::ByteOrder(_) | Problem::MixedByteOrder) => {
            FindingKind::BadChunk
        }
        (_, Problem::Thumbnail) => FindingKind::BadThumbnail,
        _ => FindingKind::BadRecord,
    }
}
