//! The kinds of markers and the markers of an archive.
//!
//! Invariant: they are listed and written in the order of otf2-marker: kinds by group and category,
//! each followed by its markers; then further kinds with the same group and category; then markers
//! of no kind, and records that are newer than this program. No record is lost.

use std::fmt::Write;

use kymo_otf2::Error;
use kymo_otf2::enums::{MarkerScope, MarkerSeverity};
use kymo_otf2::markers::{AnyMarker, DefMarker, Marker};
use kymo_otf2::references::MarkerRef;
use kymo_otf2::text::Text;

use crate::problem::Problem;

/// All records of a marker file.
#[derive(Debug, Default)]
pub(super) struct Catalogue<'a> {
    kinds: Vec<CatalogueKind<'a>>,
    /// The markers whose kind is not defined, and unknown records.
    others: Vec<AnyMarker<'a>>,
    /// The largest id of a kind, whether it is defined or used.
    largest: Option<u32>,
}

#[derive(Debug)]
struct CatalogueKind<'a> {
    definition: DefMarker<'a>,
    /// Whether an earlier kind has the same group and category.
    is_repeated: bool,
    markers: Vec<Marker<'a>>,
}

/// The kinds of a group, or one of them.
#[derive(Debug)]
pub(super) struct Which<'a> {
    pub(super) group: &'a [u8],
    pub(super) category: Option<&'a [u8]>,
}

impl Which<'_> {
    fn includes(&self, kind: &DefMarker<'_>) -> bool {
        kind.marker_group.as_bytes() == self.group
            && self.category.is_none_or(|category| kind.marker_category.as_bytes() == category)
    }

    /// Returns the problem that there is no such kind.
    fn missing(&self) -> Problem {
        let group = String::from_utf8_lossy(self.group);
        match self.category.map(String::from_utf8_lossy) {
            Some(category) => Problem::usage(format_args!(
                "undefined category \"{category}\" of marker group \"{group}\"; --define defines it"
            )),
            None => Problem::usage(format_args!("undefined marker group \"{group}\"")),
        }
    }
}

impl<'a> Catalogue<'a> {
    /// Sorts the records of a file. Returns the records before a fault, and the fault.
    pub(super) fn of(records: impl Iterator<Item = Result<AnyMarker<'a>, Error>>) -> (Self, Option<Error>) {
        let (mut all, mut fault) = (Self::default(), None);
        // A marker may precede its kind.
        let mut markers = Vec::new();
        for record in records {
            match record {
                Ok(AnyMarker::DefMarker(definition)) => all.insert(definition),
                Ok(AnyMarker::Marker(marker)) => markers.push(marker),
                Ok(other) => all.others.push(other),
                Err(error) => fault = Some(error),
            }
        }
        let by_id = all.first_of_each_id();
        let mut unknown = std::mem::take(&mut all.others);
        for marker in markers {
            all.count(marker.marker);
            match by_id.binary_search_by_key(&marker.marker, |&(id, _)| id) {
                Ok(found) => all.kinds[by_id[found].1].markers.push(marker),
                Err(_) => all.others.push(marker.into()),
            }
        }
        all.others.append(&mut unknown);
        (all, fault)
    }

    fn insert(&mut self, definition: DefMarker<'a>) {
        self.count(definition.id);
        self.kinds.push(CatalogueKind { definition, is_repeated: false, markers: Vec::new() });
    }

    fn count(&mut self, id: MarkerRef) {
        self.largest = self.largest.max(Some(id.0));
    }

    /// Sorts the kinds and returns the place of the first kind with each id.
    fn first_of_each_id(&mut self) -> Vec<(MarkerRef, usize)> {
        self.sort();
        let mut places: Vec<_> = self.kinds.iter().map(|kind| kind.definition.id).zip(0..).collect();
        places.sort();
        places.dedup_by_key(|&mut (id, _)| id);
        places
    }

    fn sort(&mut self) {
        fn key<'k>(kind: &CatalogueKind<'k>) -> (Text<'k>, Text<'k>) {
            (kind.definition.marker_group, kind.definition.marker_category)
        }
        self.kinds.sort_by_key(key);
        let mut last = None;
        for kind in &mut self.kinds {
            kind.is_repeated = last.replace(key(kind)) == Some(key(kind));
        }
        self.kinds.sort_by_key(|kind| kind.is_repeated);
    }

    /// Fails if there is no such kind.
    pub(super) fn require(&self, which: &Which<'_>) -> Result<(), Problem> {
        let is_there = self.kinds.iter().any(|kind| which.includes(&kind.definition));
        if is_there { Ok(()) } else { Err(which.missing()) }
    }

    /// Defines a kind.
    pub(super) fn define(
        &mut self,
        group: &'a [u8],
        category: &'a [u8],
        severity: MarkerSeverity,
    ) -> Result<(), Problem> {
        if self.require(&Which { group, category: Some(category) }).is_ok() {
            let [group, category] = [group, category].map(String::from_utf8_lossy);
            return Err(Problem::usage(format_args!(
                "category \"{category}\" of marker group \"{group}\" is already defined"
            )));
        }
        let id = self.free_id().ok_or_else(|| Problem::usage("no id is left for another kind of marker"))?;
        let (marker_group, marker_category) = (Text::new(group), Text::new(category));
        self.insert(DefMarker { id, marker_group, marker_category, severity });
        self.sort();
        Ok(())
    }

    /// Returns the id after all that occur or, if there is none, the first that does not occur.
    fn free_id(&self) -> Option<MarkerRef> {
        let next =
            self.largest.map_or(Some(0), |id| id.checked_add(1)).filter(|&id| MarkerRef(id).is_defined());
        let is_used = |id| {
            let of_other =
                |other: &AnyMarker<'_>| matches!(other, AnyMarker::Marker(it) if it.marker.0 == id);
            self.kinds.iter().any(|kind| kind.definition.id.0 == id) || self.others.iter().any(of_other)
        };
        next.or_else(|| (0..u32::MAX).find(|&id| !is_used(id))).map(MarkerRef)
    }

    /// Adds a marker to the kind with this group and category.
    pub(super) fn add(&mut self, group: &[u8], category: &[u8], marker: Marker<'a>) -> Result<(), Problem> {
        let which = Which { group, category: Some(category) };
        let kind = self.kinds.iter_mut().find(|kind| which.includes(&kind.definition));
        let kind = kind.ok_or_else(|| which.missing())?;
        kind.markers.push(Marker { marker: kind.definition.id, ..marker });
        Ok(())
    }

    /// Removes kinds and their markers.
    pub(super) fn undefine(&mut self, which: &Which<'_>) -> Result<(), Problem> {
        self.require(which)?;
        self.kinds.retain(|kind| !which.includes(&kind.definition));
        Ok(())
    }

    /// Removes the markers of kinds.
    pub(super) fn clear(&mut self, which: &Which<'_>) -> Result<(), Problem> {
        self.require(which)?;
        let cleared = self.kinds.iter_mut().filter(|kind| which.includes(&kind.definition));
        cleared.for_each(|kind| kind.markers.clear());
        Ok(())
    }

    /// Passes all records to `write`, in order.
    pub(super) fn each_record<E>(
        &self,
        mut write: impl FnMut(&AnyMarker<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for kind in &self.kinds {
            write(&kind.definition.into())?;
            kind.markers.iter().try_for_each(|&marker| write(&marker.into()))?;
        }
        self.others.iter().try_for_each(write)
    }

    /// Returns the lines of all kinds, or of some, in the text of otf2-marker.
    pub(super) fn listing(&self, which: Option<&Which<'_>>, with_markers: bool) -> Vec<String> {
        let mut lines = Vec::new();
        for kind in self.kinds.iter().filter(|kind| which.is_none_or(|it| it.includes(&kind.definition))) {
            put_kind(&kind.definition, &mut lines);
            if with_markers {
                kind.markers.iter().for_each(|marker| put_marker(marker, &mut lines));
            }
        }
        let others = if which.is_none() && with_markers { &self.others[..] } else { &[] };
        for other in others {
            match other {
                AnyMarker::Marker(marker) => {
                    lines.push(format!("MARKER_DEF  UNDEFINED <{}>", marker.marker.0));
                    put_marker(marker, &mut lines);
                }
                AnyMarker::Unknown { id, data } => {
                    lines.push(format!("UNKNOWN     Record: {id}, Length: {}", data.len()));
                }
                _ => {}
            }
        }
        lines
    }
}

fn put_kind(kind: &DefMarker<'_>, lines: &mut Vec<String>) {
    let severity = named(kind.severity.name(), kind.severity.0);
    let (group, category) = (kind.marker_group, kind.marker_category);
    lines.push(format!("MARKER_DEF  Group: \"{group}\", Category: \"{category}\", Severity: {severity}"));
}

fn put_marker(marker: &Marker<'_>, lines: &mut Vec<String>) {
    let Marker { time, duration, text, .. } = marker;
    let mut scope = named(marker.marker_scope.name(), marker.marker_scope.0);
    if marker.marker_scope != MarkerScope::GLOBAL {
        let _ = write!(scope, ":{}", marker.scope);
    }
    lines.push(format!("MARKER      Time: {time}, Duration {duration}, Scope: {scope}, Text: \"{text}\""));
}

fn named(name: Option<&str>, value: u8) -> String {
    name.map_or_else(|| format!("INVALID <{value}>"), str::to_owned)
}
