//! The definitions that the program makes.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kymo_substrate::bindings::*;

use super::{Handle, filtering};
use crate::adapter::MetricDefinition;
use crate::measurement;
use crate::processes::may_allocate;

/// The bits of a region's type, as in the header.
mod bits {
    pub(super) const FUNCTION: u32 = 1;
    pub(super) const LOOP: u32 = 2;
    pub(super) const DYNAMIC: u32 = 4;
    pub(super) const PHASE: u32 = 8;
}

/// The source of a region: its name, type, file and line.
#[derive(Debug, Clone, Copy)]
pub(super) struct UserSource<'a> {
    pub(super) name: &'a [u8],
    pub(super) kind: u32,
    pub(super) file: Option<&'a [u8]>,
    pub(super) line: u32,
}

impl UserSource<'_> {
    /// Defines the region.
    pub(super) fn region(&self) -> Handle {
        if filtering::excludes(self.name, None, self.file) {
            return Handle::NOTHING;
        }
        let (paradigm, kind) = (SCOREP_PARADIGM_USER, region_type(self.kind));
        let region =
            measurement::define_region(self.name, self.name, self.file, self.line, 0, paradigm, kind);
        Handle::new(region.0, 0)
    }
}

fn region_type(kind: u32) -> u32 {
    let has = |bit| kind & bit != 0;
    match (has(bits::DYNAMIC), has(bits::FUNCTION), has(bits::LOOP), has(bits::PHASE)) {
        (true, _, true, true) => SCOREP_REGION_DYNAMIC_LOOP_PHASE,
        (true, _, true, _) => SCOREP_REGION_DYNAMIC_LOOP,
        (true, _, _, true) => SCOREP_REGION_DYNAMIC_PHASE,
        (true, true, ..) => SCOREP_REGION_DYNAMIC_FUNCTION,
        (true, ..) => SCOREP_REGION_DYNAMIC,
        (_, _, _, true) => SCOREP_REGION_PHASE,
        (_, _, true, _) => SCOREP_REGION_LOOP,
        (_, true, ..) => SCOREP_REGION_FUNCTION,
        _ => SCOREP_REGION_USER,
    }
}

/// Regions that the program identifies only by their name.
type Named = BTreeMap<Vec<u8>, Handle>;

static NAMED: Mutex<Option<Named>> = Mutex::new(None);

pub(super) type UserDefinitionsHold = MutexGuard<'static, Option<Named>>;

/// Keeps regions from being named while the process forks.
pub(super) fn hold() -> UserDefinitionsHold {
    NAMED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the region of this name, which is defined if it is new.
pub(super) fn named(source: UserSource<'_>) -> Handle {
    let mut held = hold();
    let named = held.get_or_insert_default();
    match named.get(source.name) {
        Some(&known) => known,
        None if !may_allocate() => Handle::NOTHING,
        None => *named.entry(source.name.to_owned()).or_insert(source.region()),
    }
}

/// Returns the region of this name, if it is defined.
pub(super) fn known(name: &[u8]) -> Option<Handle> {
    hold().as_ref()?.get(name).copied()
}

/// Defines a parameter.
pub(super) fn parameter(name: &[u8], kind: u32) -> Handle {
    Handle::new(measurement::define_parameter(name, kind).0, kind)
}

/// Defines a metric. The header numbers the types of values as the plugin interface does.
pub(super) fn metric(name: &[u8], unit: &[u8], value_type: u32) -> Handle {
    if value_type > SCOREP_METRIC_VALUE_DOUBLE {
        return Handle::NOTHING;
    }
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let metric = MetricDefinition::of_program(text(name), text(unit), value_type);
    Handle::new(measurement::define_counter(&metric).0, value_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn region_types_are_combinations_of_bits() {
        let sums = [
            (0, SCOREP_REGION_USER),
            (bits::FUNCTION, SCOREP_REGION_FUNCTION),
            (bits::LOOP, SCOREP_REGION_LOOP),
            (bits::PHASE, SCOREP_REGION_PHASE),
            (bits::DYNAMIC, SCOREP_REGION_DYNAMIC),
            (bits::DYNAMIC | bits::LOOP, SCOREP_REGION_DYNAMIC_LOOP),
            (bits::DYNAMIC | bits::LOOP | bits::PHASE, SCOREP_REGION_DYNAMIC_LOOP_PHASE),
        ];
        for (sum, kind) in sums {
            assert_eq!(region_type(sum), kind, "{sum}");
        }
    }
}
