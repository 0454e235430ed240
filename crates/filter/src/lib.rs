//! Score-P's filter files: which regions a measurement leaves out.
//!
//! ```text
//! # Everything in src/ except names that begin with log_, and never the C++ function with this
//! # mangled name.
//! SCOREP_FILE_NAMES_BEGIN
//!     EXCLUDE *
//!     INCLUDE */src/*
//! SCOREP_FILE_NAMES_END
//! SCOREP_REGION_NAMES_BEGIN
//!     EXCLUDE log_* MANGLED _Z3fooi
//! SCOREP_REGION_NAMES_END
//! ```
//!
//! Initially everything is included. The rules apply in the order of the file, so the last one that
//! matches decides. A region is left out if the rules for its file or those for its name leave it
//! out. Names are compared like file names in the shell ([`pattern`]).
//!
//! Invariant: matching allocates nothing, and takes time proportional to the lengths of rule and
//! name.

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
    /// The rule applies to mangled names.
    is_mangled: bool,
    /// The index among all rules of the file, counted from 0.
    number: usize,
    /// The line that contains the rule.
    line: usize,
}

/// A rule in readable form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleText {
    /// The text of the rule.
    pub text: String,
    /// The line that contains the rule, counted from 1.
    pub line: usize,
}

/// The names of a region, which rules are matched against.
#[derive(Debug, Clone, Copy, Default)]
pub struct Region<'a> {
    /// The name in readable form.
    pub name: &'a [u8],
    /// The mangled name. Without it, rules for mangled names are matched against `name`.
    pub mangled: Option<&'a [u8]>,
    /// The source file.
    pub file: Option<&'a [u8]>,
}

impl Filter {
    /// Reads the rules of a file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = read(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
        Self::parse(&text).map_err(|mistake| Error::Syntax { path: path.to_owned(), mistake })
    }

    /// Parses the text of a filter file.
    pub fn parse(text: &[u8]) -> Result<Self, Mistake> {
        parse::parse(text)
    }

    /// Returns whether the filter leaves nothing out.
    pub fn is_empty(&self) -> bool {
        ![&self.files, &self.regions].into_iter().flatten().any(|rule| rule.excludes)
    }

    /// Returns whether a region is left out.
    pub fn excludes(&self, region: &Region<'_>) -> bool {
        region.file.is_some_and(|file| self.excludes_file(file))
            || self.excludes_name(region.name, region.mangled)
    }

    /// Returns the numbers of the rules that match a region, whether or not a later rule decides.
    pub fn matching<'a>(&'a self, region: &'a Region<'_>) -> impl Iterator<Item = usize> + 'a {
        let files = region.file.into_iter().flat_map(|file| self.files.iter().map(move |rule| (rule, file)));
        let regions = self.regions.iter().map(|rule| (rule, rule.subject(region.name, region.mangled)));
        files.chain(regions).filter(|(rule, name)| matches(&rule.pattern, name)).map(|(rule, _)| rule.number)
    }

    /// Returns all rules in the order of the file, which is that of their numbers.
    pub fn rules(&self) -> Vec<RuleText> {
        let mut rules: Vec<&Rule> = self.files.iter().chain(&self.regions).collect();
        rules.sort_by_key(|rule| rule.number);
        rules.into_iter().map(Rule::text).collect()
    }

    /// Returns whether all regions of a source file are left out.
    pub fn excludes_file(&self, file: &[u8]) -> bool {
        last_match(&self.files, |_| file)
    }

    /// Returns whether regions of this name are left out, in any file.
    pub fn excludes_name(&self, name: &[u8], mangled: Option<&[u8]>) -> bool {
        last_match(&self.regions, |rule| rule.subject(name, mangled))
    }
}

impl Rule {
    /// Returns the name of a region that the rule is matched against.
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

/// The maximum size of a filter file in bytes.
const LARGEST: u64 = 16 << 20;

/// Reads a regular file of a plausible length; other files may be endless.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let invalid = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, what);
    if !fs::metadata(path)?.is_file() {
        return Err(invalid("not a regular file"));
    }
    let mut text = Vec::new();
    fs::File::open(path)?.take(LARGEST + 1).read_to_end(&mut text)?;
    if text.len() as u64 > LARGEST { Err(invalid("too long for a filter file")) } else { Ok(text) }
}

/// Returns the decision of the last rule that matches.
fn last_match<'a>(rules: &[Rule], name: impl Fn(&Rule) -> &'a [u8]) -> bool {
    rules.iter().rev().find(|rule| matches(&rule.pattern, name(rule))).is_some_and(|rule| rule.excludes)
}
