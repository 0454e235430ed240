//! `kymo print`: the contents of an archive, in the text of otf2-print, as JSON or as CSV.
//!
//! [`arguments`] defines the options, [`printer`] walks through the archive, a [`form`] determines
//! how items look, and [`names`] contains the names of definitions. For archives that the reference
//! tool accepts, standard output is the same; for those on which it fails or crashes, the contents
//! are printed.

mod arguments;
mod csv;
mod end;
mod fields;
mod form;
mod json;
mod names;
mod number;
mod output;
mod printer;
mod text;

use kymo_otf2::Error;
use kymo_otf2::error::FormatError;
use kymo_otf2::field::FieldValue;
use kymo_otf2::read::Archive;
use kymo_otf2::records::AnyRecord;
use kymo_otf2::snapshots::Snapshot;
use std::io::ErrorKind;

pub(crate) use arguments::Arguments;
use arguments::{Format, Timestamps};
use end::End;
use printer::Printer;

use crate::anchor_path;
use crate::mistake::report_mistake;
use crate::output::complain;
use crate::status::Status;

impl Arguments {
    /// Prints the requested output.
    pub(crate) fn run(self) -> Status {
        match self.checked() {
            Ok(arguments) => arguments.print(),
            Err(mistake) => report_mistake(mistake),
        }
    }

    fn print(mut self) -> Status {
        self.anchor = match anchor_path::of(&self.anchor) {
            Ok(anchor) => anchor,
            Err(problem) => return problem.report(),
        };
        let archive = match Archive::open(&self.anchor) {
            Ok(archive) if self.no_local_definitions => archive.as_written(),
            Ok(archive) => archive,
            Err(error) => {
                let anchor = self.anchor.display();
                complain(&match &error {
                    Error::Io { source, .. } => format!("{anchor}: {source}"),
                    Error::Format(error) => format!("{anchor}: {}", FormatError { file: None, ..*error }),
                    other => format!("{anchor}: {other}"),
                });
                return match error {
                    Error::Format(_) => Status::Faulty,
                    other => status(&other),
                };
            }
        };
        let span = match crate::span::of(&self.time, &archive) {
            Ok(span) => span,
            Err(problem) => return problem.report(),
        };
        let is_relative = self.timestamps == Timestamps::Offset;
        let printed = match self.format {
            Format::Text => Printer::print(&archive, &self, span, text::Text::new(&self)),
            Format::Json => Printer::print(&archive, &self, span, json::Json { is_relative }),
            Format::Csv => Printer::print(&archive, &self, span, csv::Csv { is_relative }),
        };
        match printed {
            Ok(status) | Err(End::Reported(status)) => status,
            Err(End::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Status::Done,
            Err(End::Output(error)) => {
                complain(&format!("standard output: {error}"));
                Status::Environment
            }
        }
    }
}

/// Reports an error in an archive and returns the exit status.
fn report(archive: &Archive, error: &Error) -> Status {
    let path = error.file().map(|file| archive.path(file).display().to_string()).unwrap_or_default();
    complain(&match error {
        Error::Io { file: Some(_), source } => format!("{path}: {source}"),
        Error::Format(error) if error.file.is_some() => {
            format!("{path}: {}", FormatError { file: None, ..*error })
        }
        other => other.to_string(),
    });
    status(error)
}

fn status(error: &Error) -> Status {
    match error {
        Error::Format(_) => Status::Partial,
        Error::Usage(_) => Status::Usage,
        Error::Limit { .. } => Status::Limit,
        // Locations have their own files; the others can be read.
        Error::Io { file: Some(file), source }
            if file.location().is_some() && source.kind() == ErrorKind::NotFound =>
        {
            Status::Partial
        }
        _ => Status::Environment,
    }
}

/// Returns the time of the event that a record of a snapshot repeats.
fn original_time(snapshot: &Snapshot<'_>) -> Option<u64> {
    let mut time = None;
    snapshot.visit(&mut |field, value| match value {
        FieldValue::Unsigned(value) if field.names == "origEventTime" => time = Some(value),
        _ => {}
    });
    time
}
