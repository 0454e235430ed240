//! The names of categories: a number has a name in each domain.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use kymo_substrate::bindings::SCOREP_PARAMETER_STRING;

use super::NVTX;
use crate::adapters::annotations::domains::AnnotationDomain;
use crate::address_table::{AddressTable, UNKNOWN};
use crate::measurement::{self, Here, Parameter, Text};
use crate::processes::may_allocate;

/// The strings of names, by the numbers of domains and categories.
static NAMES: AddressTable = AddressTable::new();
/// The parameter; 0 before it is defined.
static PARAMETER: AtomicU32 = AtomicU32::new(0);

pub(super) type NvtxCategoriesHold = std::sync::MutexGuard<'static, usize>;

pub(super) fn hold() -> NvtxCategoriesHold {
    NAMES.hold()
}

fn key(domain: &AnnotationDomain, category: u32) -> usize {
    (domain.number() as usize + 1) << u32::BITS | category as usize
}

/// Gives a category its name.
pub(super) fn name(domain: &AnnotationDomain, category: u32, name: &str) {
    NVTX.record(|_| {
        if may_allocate() {
            let parameter = measurement::define_parameter(b"NVTX Category", SCOREP_PARAMETER_STRING);
            PARAMETER.store(parameter.0, Relaxed);
            NAMES.set(key(domain, category), measurement::define_string(name.as_bytes()).0.into());
        }
    });
}

/// Records the category of a range or mark, if it has a name.
pub(super) fn record(here: &Here, domain: &AnnotationDomain, category: u32) {
    let name = NAMES.get(key(domain, category));
    if category != 0 && name != UNKNOWN {
        here.parameter_string(Parameter(PARAMETER.load(Relaxed)), Text(name as u32));
    }
}
