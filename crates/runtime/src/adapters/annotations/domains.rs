//! Domains: ranges of one do not end those of another.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::RegionGroup;

/// A domain of an interface.
#[derive(Debug)]
pub(in super::super) struct AnnotationDomain {
    number: u32,
    name: String,
    /// The group of its ranges' regions.
    pub(in super::super) group: RegionGroup,
}

impl AnnotationDomain {
    /// The domain of ranges without one.
    pub(in super::super) const fn default_one(group: RegionGroup) -> Self {
        Self { number: 0, name: String::new(), group }
    }

    /// Returns a number that no other domain of the interface has; 0 for the default domain.
    pub(in super::super) fn number(&self) -> u32 {
        self.number
    }

    /// Returns the name.
    pub(in super::super) fn name(&self) -> &str {
        &self.name
    }
}

/// The domains of an interface that have a name. None is ever freed.
pub(in super::super) type NamedDomains = Vec<&'static AnnotationDomain>;

/// The domains of an interface.
#[derive(Debug)]
pub(in super::super) struct AnnotationDomains(Mutex<NamedDomains>);

impl AnnotationDomains {
    pub(in super::super) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Keeps domains from being added.
    pub(in super::super) fn hold(&self) -> MutexGuard<'_, NamedDomains> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the domain of a name, which is made if it is new.
pub(in super::super) fn named(
    all: &mut NamedDomains,
    name: &str,
    group: impl FnOnce() -> RegionGroup,
) -> &'static AnnotationDomain {
    if let Some(&known) = all.iter().find(|domain| domain.name == name) {
        return known;
    }
    let number = all.len() as u32 + 1;
    let domain = Box::leak(Box::new(AnnotationDomain { number, name: name.to_owned(), group: group() }));
    all.push(domain);
    domain
}
