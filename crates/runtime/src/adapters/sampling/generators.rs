//! The interrupt generators of a measurement: the period of each is the processor time for which
//! its samples stand.
//!
//! A thread that runs in the kernel is not sampled, so a sample stands for the period of the
//! source, or for another time. It is a number of units, of which a period has 16. Invariants: the
//! generator for one period is the first one; up to 63 units the number is exact, above that it is
//! less by at most a thirty-second part, so that the generators are few.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::source::SourceKind;
use crate::definitions::DefinitionStore;

/// The units in a period.
pub(super) const UNITS: u32 = 16;
/// The significant bits of a number of units.
const BITS: u32 = 6;
/// The largest number of units.
const MOST: u32 = 1 << 24;
/// The places of the numbers with one exponent.
const PLACES: usize = 1 << (BITS - 1);

/// The handles by the places of their numbers of units; 0 is none.
static HANDLES: [AtomicU32; place(MOST) + 1] = [const { AtomicU32::new(0) }; place(MOST) + 1];

/// Defines the generator for one period, and forgets those of an earlier measurement.
pub(super) fn define(definitions: &DefinitionStore, kind: SourceKind) {
    HANDLES.iter().for_each(|handle| handle.store(0, Relaxed));
    handle(definitions, kind, UNITS);
}

/// Returns the generator of a sample that stands for a number of units; that for one period if it
/// cannot be defined.
pub(super) fn handle(definitions: &DefinitionStore, kind: SourceKind, units: u32) -> u32 {
    let units = rounded(units);
    let place = &HANDLES[place(units)];
    match place.load(Relaxed) {
        0 => {
            let period = u64::from(units) * kind.period() / u64::from(UNITS);
            let handle = definitions.interrupt_generator(kind.name(), -9, period);
            place.store(handle, Relaxed);
            if handle == 0 { HANDLES[self::place(UNITS)].load(Relaxed) } else { handle }
        }
        handle => handle,
    }
}

/// Returns the largest number of units up to this one that has a generator.
pub(super) fn rounded(units: u32) -> u32 {
    let units = units.clamp(1, MOST);
    let exponent = exponent(units);
    units >> exponent << exponent
}

/// Returns the place of the generator for a number of units.
const fn place(units: u32) -> usize {
    let exponent = exponent(units);
    PLACES * exponent as usize + (units >> exponent) as usize
}

const fn exponent(units: u32) -> u32 {
    (u32::BITS - units.leading_zeros()).saturating_sub(BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_units_have_places_of_their_own_and_are_exact_up_to_63() {
        assert!((1..64).all(|units| rounded(units) == units));
        let all = (0..=19).flat_map(|exponent| (0..64_u32).map(move |units| units << exponent));
        let all: std::collections::BTreeSet<_> = all.filter(|&it| (1..=MOST).contains(&it)).collect();
        assert!(all.iter().all(|&units| rounded(units) == units));
        let places: Vec<_> = all.iter().map(|&units| place(units)).collect();
        assert_eq!(places, (1..=place(MOST)).collect::<Vec<_>>());
    }

    #[test]
    fn a_number_of_units_loses_at_most_a_thirty_second_part() {
        let loses_little = |&units: &u32| (units - rounded(units)) <= units / 32;
        assert!((1..=MOST).step_by(37).all(|units| loses_little(&units)));
        assert_eq!((rounded(0), rounded(u32::MAX)), (1, MOST));
    }
}
