//! Score-P's filter files: which regions a measurement leaves out.
//!
//! ```text
//! # Everything below src/ but what begins with log_, and never the C++ function that has this mangled name.
//! SCOREP_FILE_NAMES_BEGIN
//!     EXCLUDE *
//!     INCLUDE */src/*
//! SCOREP_FILE_NAMES_END
//! SCOREP_REGION_NAMES_BEGIN
//!     EXCLUDE log_* MANGLED _Z3fooi
//! SCOREP_REGION_NAMES_END
//! ```
//!
//! Everything is included to begin with, then rules apply in the order of the file, so the last one that matches decides. A region is
//! left out if the rules of its file or those of its name leave it out. Names are compared as the shell compares them (`pattern`).
//!
//! Invariant: matching allocates nothing, and takes time in proportion to the lengths of rule and name.

#![forbid(unsafe_code)]

mod error;
mod parse;
pub mod pattern;

use std::fs;
use std::io::{self, Read};
use std::path::Path;

pub use error::{Error, Mistake};
use pattern::matches;

/// The rules of a filter file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    files: Vec<Rule>,
    regions: Vec<Rule>,
}

/// One pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    pattern: Vec<u8>,
    excludes: bool,
    /// Of the name as the linker knows it.
    is_mangled: bool,
    /// Its place among all rules of the file, from 0 on.
    number: usize,
    /// The line that it stands in.
    line: usize,
}

/// A rule as it can be told to people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleText {
    /// What it says.
    pub text: String,
    /// The line that it stands in, from 1 on.
    pub line: usize,
}

/// What rules are asked about.
#[derive(Debug, Clone, Copy, Default)]
pub struct Region<'a> {
    /// As people read it.
    pub name: &'a [u8],
    /// As the linker knows it; without it, rules of mangled names look at the other one.
    pub mangled: Option<&'a [u8]>,
    /// Source file.
    pub file: Option<&'a [u8]>,
}

impl Filter {
    /// The rules of a file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = read(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
        Self::parse(&text).map_err(|mistake| Error::Syntax { path: path.to_owned(), mistake })
    }

    /// The rules of the text of a file.
    pub fn parse(text: &[u8]) -> Result<Self, Mistake> {
        parse::parse(text)
    }

    /// Whether nothing is left out.
    pub fn is_empty(&self) -> bool {
        ![&self.files, &self.regions].into_iter().flatten().any(|rule| rule.excludes)
    }

    /// Whether a region is left out.
    pub fn excludes(&self, region: &Region<'_>) -> bool {
        region.file.is_some_and(|file| self.excludes_file(file))
            || self.excludes_name(region.name, region.mangled)
    }

    /// Numbers of the rules that match a region, whether or not a later rule decides.
    pub fn matching<'a>(&'a self, region: &'a Region<'_>) -> impl Iterator<Item = usize> + 'a {
        let files = region.file.into_iter().flat_map(|file| self.files.iter().map(move |rule| (rule, file)));
        let regions = self.regions.iter().map(|rule| (rule, rule.subject(region.name, region.mangled)));
        files.chain(regions).filter(|(rule, name)| matches(&rule.pattern, name)).map(|(rule, _)| rule.number)
    }

    /// All rules, in the order of the file: by their numbers.
    pub fn rules(&self) -> Vec<RuleText> {
        let mut rules: Vec<&Rule> = self.files.iter().chain(&self.regions).collect();
        rules.sort_by_key(|rule| rule.number);
        rules.into_iter().map(Rule::text).collect()
    }

    /// Whether all regions of a source file are left out.
    pub fn excludes_file(&self, file: &[u8]) -> bool {
        last_match(&self.files, |_| file)
    }

    /// Whether regions of this name are left out, in whatever file.
    pub fn excludes_name(&self, name: &[u8], mangled: Option<&[u8]>) -> bool {
        last_match(&self.regions, |rule| rule.subject(name, mangled))
    }
}

impl Rule {
    /// The name of a region that the rule looks at.
    fn subject<'a>(&self, name: &'a [u8], mangled: Option<&'a [u8]>) -> &'a [u8] {
        mangled.filter(|_| self.is_mangled).unwrap_or(name)
    }

    fn text(&self) -> RuleText {
        let what = if self.excludes { "EXCLUDE" } else { "INCLUDE" };
        let kind = if self.is_mangled { "MANGLED " } else { "" };
        let text = format!("{what} {kind}{}", String::from_utf8_lossy(&self.pattern));
        RuleText { text, line: self.line }
    }
}

/// Bytes of a filter file at most.
const LARGEST: u64 = 16 << 20;

/// The text of a regular file of a plausible length: others may never end.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let invalid = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, what);
    if !fs::metadata(path)?.is_file() {
        return Err(invalid("not a regular file"));
    }
    let mut text = Vec::new();
    fs::File::open(path)?.take(LARGEST + 1).read_to_end(&mut text)?;
    if text.len() as u64 > LARGEST { Err(invalid("too long for a filter file")) } else { Ok(text) }
}

/// What the last rule says that matches.
fn last_match<'a>(rules: &[Rule], name: impl Fn(&Rule) -> &'a [u8]) -> bool {
    rules.iter().rev().find(|rule| matches(&rule.pattern, name(rule))).is_some_and(|rule| rule.excludes)
}
