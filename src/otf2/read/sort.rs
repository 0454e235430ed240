//! Radix sort by the upper half of numbers, from the lowest digit on: no comparisons, and the same
//! work for any order of the input.

/// Shorter lists are sorted by comparison.
const FEW: usize = 256;
/// The number of bits of a small digit and of a large one, whose counts still fit in the
/// first-level cache.
const SMALL: u32 = 8;
const LARGE: u32 = 11;

type Scatter = fn(&[u64], &mut [u64]);

/// The passes for digits of this many bits. The shift is a constant: shifting by a variable takes
/// three times as long.
const BY_SMALL: [Scatter; 3] =
    [scatter::<32, SMALL>, scatter::<{ 32 + SMALL }, SMALL>, scatter::<{ 32 + 2 * SMALL }, SMALL>];
const BY_LARGE: [Scatter; 3] =
    [scatter::<32, LARGE>, scatter::<{ 32 + LARGE }, LARGE>, scatter::<{ 32 + 2 * LARGE }, LARGE>];

/// Sorts entries by their upper 32 bits; entries that are equal there must be in order.
pub(super) fn sort(entries: &mut Vec<u64>, scratch: &mut Vec<u64>) {
    if entries.len() < FEW {
        return entries.sort_unstable();
    }
    let all = entries.iter().fold(0, |all, entry| all | entry >> 32);
    let bits = u64::BITS - all.leading_zeros();
    let passes = bits.div_ceil(LARGE);
    let digits = if bits.div_ceil(SMALL) == passes { BY_SMALL } else { BY_LARGE };
    scratch.resize(entries.len(), 0);
    for scatter in digits.iter().take(passes as usize) {
        scatter(entries, scratch);
        std::mem::swap(entries, scratch);
    }
}

/// Places entries by a digit, and keeps the order of entries with the same digit.
fn scatter<const BEGIN: u32, const BITS: u32>(entries: &[u64], sorted: &mut [u64]) {
    let digit = |entry: u64| (entry >> BEGIN) as usize & ((1 << BITS) - 1);
    let mut places = [0_u32; 1 << LARGE];
    for &entry in entries {
        places[digit(entry)] += 1;
    }
    let mut next = 0;
    for place in &mut places[..1 << BITS] {
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
        fn the_result_equals_that_of_a_comparison_sort(
            keys in prop::collection::vec(any::<u32>(), 0..2000),
            bits in 0_u32..=32,
        ) {
            let key = |key: u32| u64::from(key) & ((1 << bits) - 1);
            let mut entries: Vec<u64> = (0..).zip(keys).map(|(at, it)| key(it) << 32 | at).collect();
            let mut expected = entries.clone();
            expected.sort();
            sort(&mut entries, &mut Vec::new());
            prop_assert_eq!(entries, expected);
        }
    }
}
