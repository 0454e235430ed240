//! `kymo marker`: lists, adds and removes the markers of an archive, as otf2-marker does.
//!
//! [`mod@catalogue`] contains the kinds with their markers, in the order in which they are listed
//! and written; [`time`] and [`scope`] read the arguments that describe a marker.

mod catalogue;
mod scope;
mod time;

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use clap::{ArgAction, Args};
use kymo_otf2::enums::MarkerSeverity;
use kymo_otf2::markers::Marker;
use kymo_otf2::read::{Archive, whole};
use kymo_otf2::text::Text;
use kymo_otf2::write::{MarkerWriter, StoragePieces};
use kymo_otf2::{Error, FileName};

use self::catalogue::{Catalogue, Which};
use self::scope::Scope;
use self::time::When;
use crate::amendment::{Amendment, PIECE};
use crate::anchor_path;
use crate::output::print_lines;
use crate::problem::Problem;
use crate::status::Status;

/// List the markers of an archive, add or remove some
#[derive(Debug, Args)]
#[command(
    after_help = "TIME is START, START+DURATION or START-END. START and END are 'start', 'end', ticks of \
                  the clock or, counted from the start of the trace, a time with a unit (s, ms, us, ns) or a \
                  percentage of its length. DURATION is in ticks or has a unit. SCOPE is 'global', or one \
                  of location, location-group, system-tree-node, group and comm with the id of a definition: \
                  'location:3'. SEVERITY is none, low, medium or high. Changes are made in the order remove, \
                  define, add. Exit status: 0 success, 1 the archive has errors, 2 usage error, 3 partly \
                  listed, 4 I/O error, 5 a limit was reached; the archive is changed only on success"
)]
pub(crate) struct Arguments {
    /// List only the kinds of markers
    #[arg(long, visible_alias = "defs-only")]
    kinds: bool,
    /// List only the markers of this group
    #[arg(long, value_name = "GROUP", visible_alias = "def", conflicts_with_all = CHANGES)]
    group: Option<OsString>,
    /// With --group, --undefine or --clear: only this category of the group
    #[arg(long, value_name = "CATEGORY")]
    category: Option<OsString>,
    /// Define a kind of marker
    #[arg(long, num_args = 3, value_names = ["GROUP", "CATEGORY", "SEVERITY"], action = ArgAction::Append)]
    #[arg(visible_alias = "add-def", conflicts_with = "kinds")]
    define: Vec<OsString>,
    /// Add a marker of a kind that is defined
    #[arg(long, num_args = 5, value_names = ["GROUP", "CATEGORY", "TIME", "SCOPE", "TEXT"])]
    #[arg(action = ArgAction::Append, allow_hyphen_values = true, conflicts_with = "kinds")]
    add: Vec<OsString>,
    /// Remove the kinds of this group and their markers
    #[arg(long, value_name = "GROUP", visible_alias = "remove-def", conflicts_with = "kinds")]
    undefine: Option<OsString>,
    /// Remove the markers of this group
    #[arg(long, value_name = "GROUP", visible_alias = "clear-def", conflicts_with_all = ["kinds", "undefine"])]
    clear: Option<OsString>,
    /// Remove all markers and kinds, whatever the marker file contains
    #[arg(long, visible_alias = "reset", conflicts_with_all = ["kinds", "undefine", "clear"])]
    clear_all: bool,
    /// Anchor file of the archive (*.otf2), or its folder
    #[arg(value_name = "ANCHOR|DIR")]
    archive: PathBuf,
}

/// The options that change the archive.
const CHANGES: [&str; 5] = ["define", "add", "undefine", "clear", "clear_all"];

impl Arguments {
    /// Lists or changes the markers.
    pub(crate) fn run(self) -> Status {
        let done = match self.is_change() {
            true => self.change().map(|()| Status::Done),
            false => self.list(),
        };
        done.unwrap_or_else(|problem| problem.report())
    }

    fn is_change(&self) -> bool {
        !self.define.is_empty()
            || !self.add.is_empty()
            || self.undefine.is_some()
            || self.clear.is_some()
            || self.clear_all
    }

    /// Returns the kinds that an option with this group concerns.
    fn which<'a>(&'a self, group: &'a OsStr) -> Which<'a> {
        Which { group: group.as_bytes(), category: self.category.as_deref().map(OsStrExt::as_bytes) }
    }

    fn list(&self) -> Result<Status, Problem> {
        if self.category.is_some() && self.group.is_none() {
            return Err(Problem::usage("'--category' requires '--group', '--undefine' or '--clear'"));
        }
        let anchor = anchor_path::of(&self.archive)?;
        let archive = Archive::open(&anchor).map_err(|error| Problem::of_anchor(&anchor, &error))?;
        let file = file(&archive)?;
        let (catalogue, fault) = catalogue(file.as_ref());
        let which = self.group.as_deref().map(|group| self.which(group));
        // The missing kind may be after the fault.
        if let (Some(which), None) = (&which, &fault) {
            catalogue.require(which)?;
        }
        let status = print_lines(&catalogue.listing(which.as_ref(), !self.kinds));
        Ok(match fault {
            Some(error) => Problem::of_archive(&archive, &error).report().max(Status::Partial),
            None => status,
        })
    }

    fn change(&self) -> Result<(), Problem> {
        if self.category.is_some() && self.undefine.is_none() && self.clear.is_none() {
            return Err(Problem::usage("'--category' requires '--group', '--undefine' or '--clear'"));
        }
        let amendment = Amendment::begin(&self.archive)?;
        let failed = |error: Error| Problem::of_archive(&amendment.archive, &error);
        let file = if self.clear_all { None } else { file(&amendment.archive)? };
        let (mut catalogue, fault) = catalogue(file.as_ref());
        if let Some(error) = fault {
            return Err(failed(error));
        }
        if let Some(group) = &self.undefine {
            catalogue.undefine(&self.which(group))?;
        }
        if let Some(group) = &self.clear {
            catalogue.clear(&self.which(group))?;
        }
        for [group, category, severity] in self.define.as_chunks().0 {
            catalogue.define(group.as_bytes(), category.as_bytes(), parsed_severity(severity)?)?;
        }
        for [group, category, time, scope, text] in self.add.as_chunks().0 {
            let (time, duration) = When::parse(time)?.ticks(&amendment.archive)?;
            let (marker_scope, scope) = Scope::parse(scope)?.checked(&amendment.archive)?;
            let text = Text::new(text.as_bytes());
            let marker = Marker { time, duration, marker: Default::default(), marker_scope, scope, text };
            catalogue.add(group.as_bytes(), category.as_bytes(), marker)?;
        }
        write(&catalogue, &amendment).map_err(|error| amendment.problem(&error))?;
        // The catalogue borrows from the file, which must be closed before it is replaced.
        amendment.commit(&[FileName::Markers])
    }
}

/// Reads the marker file, if there is one.
fn file(archive: &Archive) -> Result<Option<whole::Markers>, Problem> {
    match archive.markers() {
        Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
        file => file.map(Some).map_err(|error| Problem::of_archive(archive, &error)),
    }
}

/// Returns the markers up to the first fault of the file, and that fault.
fn catalogue(file: Option<&whole::Markers>) -> (Catalogue<'_>, Option<Error>) {
    match file.map(whole::Markers::records) {
        None => (Catalogue::default(), None),
        Some(Err(error)) => (Catalogue::default(), Some(error)),
        Some(Ok(records)) => Catalogue::of(records),
    }
}

fn parsed_severity(text: &OsStr) -> Result<MarkerSeverity, Problem> {
    let name = text.to_string_lossy().to_uppercase();
    let found = MarkerSeverity::VALUES.iter().find(|severity| severity.name() == Some(&name));
    found.copied().ok_or_else(|| {
        Problem::usage(format_args!(
            "invalid severity '{}': expected none, low, medium or high",
            text.display()
        ))
    })
}

fn write(catalogue: &Catalogue<'_>, amendment: &Amendment) -> Result<(), Error> {
    let pieces = StoragePieces::new(&amendment.storage, FileName::Markers, PIECE);
    let mut writer = MarkerWriter::new(pieces, amendment.archive.anchor().definition_chunk_size)?;
    catalogue.each_record(|record| writer.record(record))?;
    writer.finish().map(|_| ())
}
