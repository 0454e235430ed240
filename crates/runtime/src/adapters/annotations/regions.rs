//! The regions that annotations name: one for each group and name.

use std::borrow::Cow;
use std::ptr;

use super::names::{self, MOST, NameTable};
use super::text;
use crate::definitions::RegionDefinition;
use crate::filtering;
use crate::measurement::{self, Region};
use crate::message::report;
use crate::next::keeping_errno;

/// The properties that the regions of a group share.
#[derive(Debug)]
pub(in super::super) struct RegionGroup {
    /// The description of the regions.
    pub(in super::super) description: Cow<'static, [u8]>,
    pub(in super::super) paradigm: u32,
    pub(in super::super) kind: u32,
    /// Returns the region that a text names.
    pub(in super::super) named: fn(&str) -> NamedPlace<'_>,
}

/// A region as an interface names it.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct NamedPlace<'a> {
    pub(in super::super) name: Cow<'a, str>,
    /// The name in the program's symbols, if that is another one.
    pub(in super::super) canonical: Cow<'a, str>,
    pub(in super::super) file: Option<&'a str>,
    pub(in super::super) line: u32,
}

impl<'a> NamedPlace<'a> {
    /// A name as it is, without a place.
    pub(in super::super) fn plain(name: &'a str) -> Self {
        Self { name: name.into(), canonical: name.into(), file: None, line: 0 }
    }
}

/// The regions of an interface.
#[derive(Debug)]
pub(super) struct AnnotatedRegions {
    interface: &'static str,
    names: NameTable,
}

impl AnnotatedRegions {
    pub(super) const fn new(interface: &'static str) -> Self {
        Self { interface, names: NameTable::new() }
    }

    /// Keeps names from being added, as while the process forks.
    pub(super) fn hold(&'static self) -> names::NamesHold {
        self.names.hold()
    }

    /// Returns the region of a name, which is defined if it is new; `None` if it cannot be defined
    /// now. No region if the name is left out.
    #[inline]
    pub(super) fn get(&'static self, group: &'static RegionGroup, name: &[u8]) -> Option<Region> {
        let space = ptr::from_ref(group).addr();
        let known = self.names.find(space, name);
        known.or_else(|| self.define(space, group, name)).map(Region)
    }

    #[cold]
    fn define(&'static self, space: usize, group: &RegionGroup, name: &[u8]) -> Option<u32> {
        let report_limit = || {
            let of = self.interface;
            report(format_args!("{of}: after {MOST} names, ranges with others are recorded as `…`"));
        };
        keeping_errno(|| {
            let _here = measurement::here_or_orphan()?;
            self.names.define(space, name, |name| group.define(name).0, report_limit)
        })
    }
}

impl RegionGroup {
    /// Defines a region; returns none if a filter leaves it out.
    fn define(&self, name: &[u8]) -> Region {
        let text = text::valid(name);
        let place = (self.named)(&text);
        let (name, file) = (place.name.as_bytes(), place.file.map(str::as_bytes));
        if filtering::excludes(name, None, file) {
            return Region::default();
        }
        measurement::define(&RegionDefinition {
            name,
            canonical: place.canonical.as_bytes(),
            description: &self.description,
            file,
            begin: place.line,
            end: 0,
            paradigm: self.paradigm,
            region_type: self.kind,
        })
    }
}
