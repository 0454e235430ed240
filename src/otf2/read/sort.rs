//! Radix sort by the upper half of numbers, from the lowest digit on: no comparisons, and the same
//! work for any order of the input.

/// Shorter lists are sorted by comparison.
const FEW: usize = 256;
/// The number of values of a small digit and of a large one, whose counts still fit in the
/// first-level cache.
const SMALL: usize = 1 << 8;
const LARGE: usize = 1 << 11;

type Scatter = fn(&[u64], &mut [u64]);

/// The passes for digits with this many values. The shift is a constant: shifting by a variable
/// takes three times as long.
const BY_SMALL: [Scatter; 3] = [scatter::<32, SMALL>, scatter::<40, SMALL>, scatter::<48, SMALL>];
const BY_LARGE: [Scatter; 3] = [scatter::<32, LARGE>, scatter::<43, LARGE>, scatter::<54, LARGE>];

/// Sorts the first `count` entries by their upper 32 bits; entries that are equal there must be in
/// order. Both lists must have that many entries.
pub(super) fn sort(entries: &mut Vec<u64>, scratch: &mut Vec<u64>, count: usize) {
    let list = entries.get_mut(..count).unwrap_or_default();
    if count < FEW {
        return list.sort_unstable();
    }
    let all = list.iter().fold(0, |all, entry| all | entry >> 32);
    let bits = u64::BITS - all.leading_zeros();
    let passes = bits.div_ceil(LARGE.ilog2());
    let digits = if bits.div_ceil(SMALL.ilog2()) == passes { BY_SMALL } else { BY_LARGE };
    for scatter in digits.iter().take(passes as usize) {
        let (from, to) = (entries.get(..count), scratch.get_mut(..count));
        scatter(from.unwrap_or_default(), to.unwrap_or_default());
        std::mem::swap(entries, scratch);
    }
}

/// Places entries by a digit, and keeps the order of entries with the same digit.
fn scatter<const BEGIN: u32, const VALUES: usize>(entries: &[u64], sorted: &mut [u64]) {
    let digit = |entry: u64| (entry >> BEGIN) as usize & (VALUES - 1);
    let mut places = [0_u32; VALUES];
    for &entry in entries {
        places[digit(entry)] += 1;
    }
    let mut next = 0;
    for place in &mut places {
        (*place, next) = (next, next + *place);
    }
    for &entry in entries {
        let place = &mut places[digit(entry)];
        if let Some(room) = sorted.get_mut(*place as usize) {
            *room = entry;
        }
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: if cfg!(miri) { 4 } else { 256 },
            failure_persistence: None,
            ..ProptestConfig::default()
        })]
        #[test]
        #[cfg_attr(miri, ignore = "too many cases for Miri")]
        fn the_result_equals_that_of_a_comparison_sort(
            keys in prop::collection::vec(any::<u32>(), 0..2000),
            bits in 0_u32..=32,
        ) {
            let key = |key: u32| u64::from(key) & ((1 << bits) - 1);
            let mut entries: Vec<u64> = (0..).zip(keys).map(|(at, it)| key(it) << 32 | at).collect();
            let mut expected = entries.clone();
            expected.sort();
            let count = entries.len();
            entries.push(7);
            sort(&mut entries, &mut vec![0; count], count);
            prop_assert_eq!(&entries[..count], expected);
        }
    }
}
