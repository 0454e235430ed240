//! Findings on their way to the output: they are printed immediately and counted per kind. Once a
//! kind has reached its limit, they are only counted.
//!
//! Only the counts and the set of files with findings are kept, so an archive with a million faults
//! takes no more memory than a sound one.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

use kymo_otf2::FileName;
use kymo_otf2::anchor::{ANCHOR_FORMAT, Anchor};

use super::kinds::{FindingKind, Severity};
use super::report::{Form, Totals};

/// The newest version of OTF2 whose records are all known.
const KNOWN: (u8, u8) = (3, 2);

/// The place of a finding.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) file: FileName,
    /// The offset in the file, in bytes.
    pub(crate) offset: Option<u64>,
    /// The number of the event, from 1.
    pub(crate) event: Option<u64>,
    /// The name of the record.
    pub(crate) record: Option<&'static str>,
}

impl Place {
    /// Returns the place of a file as a whole.
    pub(crate) fn file(file: FileName) -> Place {
        Place { file, offset: None, event: None, record: None }
    }

    /// Returns the place of a byte in a file.
    pub(crate) fn byte(file: FileName, offset: u64) -> Place {
        Place { offset: Some(offset), ..Place::file(file) }
    }

    /// Returns the place of a record in a file.
    pub(crate) fn record(file: FileName, offset: u64, record: &'static str) -> Place {
        Place { record: Some(record), ..Place::byte(file, offset) }
    }
}

/// A finding to print.
#[derive(Debug)]
pub(crate) struct Finding<'a> {
    pub(crate) kind: FindingKind,
    pub(crate) place: Place,
    pub(crate) path: PathBuf,
    pub(crate) what: fmt::Arguments<'a>,
}

/// Prints and counts findings.
pub(crate) struct Findings<'a> {
    out: &'a mut dyn Write,
    form: Form,
    path: &'a dyn Fn(FileName) -> PathBuf,
    ignored: &'a [FindingKind],
    tally: Tally,
    files: BTreeSet<FileName>,
    /// Whether a newer version of OTF2 wrote the archive, which may have further records.
    is_newer: bool,
    /// The error if the output could not be written.
    failure: Option<io::Error>,
}

impl<'a> Findings<'a> {
    pub(crate) fn new(
        out: &'a mut dyn Write,
        form: Form,
        path: &'a dyn Fn(FileName) -> PathBuf,
        limit: u64,
        ignored: &'a [FindingKind],
    ) -> Self {
        let tally = Tally { limit, counts: vec![0; FindingKind::ALL.len()] };
        let files = BTreeSet::new();
        Findings { out, form, path, ignored, tally, files, is_newer: true, failure: None }
    }

    /// Reports a finding, described by `what`.
    pub(crate) fn find(&mut self, kind: FindingKind, place: impl Into<Place>, what: fmt::Arguments<'_>) {
        if self.ignored.contains(&kind) {
            return;
        }
        let place = place.into();
        self.files.insert(place.file);
        if !self.tally.add(kind) || self.failure.is_some() {
            return;
        }
        let finding = Finding { kind, place, path: self.path(place.file), what };
        if let Err(error) = self.form.finding(self.out, &finding) {
            self.failure = Some(error);
        }
    }

    /// Notes the version of OTF2 that wrote the archive.
    pub(crate) fn of_version(&mut self, anchor: &Anchor<'_>) {
        let [major, minor, _] = anchor.version;
        self.is_newer = (major, minor) > KNOWN || anchor.anchor_format > ANCHOR_FORMAT;
    }

    /// Whether a newer version of OTF2 wrote the archive.
    pub(crate) fn is_newer(&self) -> bool {
        self.is_newer
    }

    /// Reports a record with an id that is not in the tables.
    pub(crate) fn unknown_record(&mut self, id: u8, place: Place) {
        let kind = if self.is_newer { FindingKind::UnknownRecord } else { FindingKind::RecordOfOtherVersion };
        self.find(kind, place, format_args!("record id {id}"));
    }

    /// Notes a file that could not be read, which was reported elsewhere.
    pub(crate) fn note_file(&mut self, file: FileName) {
        self.files.insert(file);
    }

    /// Returns the files that have findings or could not be read.
    pub(crate) fn into_files(self) -> BTreeSet<FileName> {
        self.files
    }

    /// Returns the path of a file of the archive.
    pub(crate) fn path(&self, file: FileName) -> PathBuf {
        (self.path)(file)
    }

    /// Returns the number of findings of a severity.
    pub(crate) fn of(&self, severity: Severity) -> u64 {
        self.tally.of(severity)
    }

    /// Writes the summary. A reader of the output that has gone away is not an error.
    pub(crate) fn finish(mut self, totals: &Totals) -> io::Result<()> {
        let written = match self.failure.take() {
            Some(error) => Err(error),
            None => self.form.summary(self.out, &self.tally, totals).and_then(|()| self.out.flush()),
        };
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}

/// The numbers of findings per kind.
#[derive(Debug)]
pub(crate) struct Tally {
    /// The number of findings to show per kind.
    limit: u64,
    counts: Vec<u64>,
}

impl Tally {
    /// Counts a finding. Returns whether to show it.
    fn add(&mut self, kind: FindingKind) -> bool {
        let Some(count) = self.counts.get_mut(kind as usize) else { return false };
        *count += 1;
        *count <= self.limit
    }

    /// Returns the number of findings of a kind.
    pub(crate) fn count(&self, kind: FindingKind) -> u64 {
        self.counts.get(kind as usize).copied().unwrap_or(0)
    }

    /// Returns the number of findings of a severity.
    pub(crate) fn of(&self, severity: Severity) -> u64 {
        FindingKind::ALL
            .iter()
            .filter(|kind| kind.row().severity == severity)
            .map(|&kind| self.count(kind))
            .sum()
    }

    /// Returns the kinds with more findings than were shown, and the numbers that were not shown.
    pub(crate) fn not_shown(&self) -> impl Iterator<Item = (FindingKind, u64)> {
        let beyond = |kind| (kind, self.count(kind).saturating_sub(self.limit));
        FindingKind::ALL.iter().map(move |&kind| beyond(kind)).filter(|(_, beyond)| *beyond > 0)
    }
}
