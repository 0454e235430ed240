//! The data types and operations of the interface: their names, and how a reduction combines two
//! lists of numbers.
//!
//! | number | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |
//! | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
//! | type | BYTE | CHAR | UNSIGNED_CHAR | INT | UNSIGNED | INT32_T | UINT32_T | INT64_T | UINT64_T | DOUBLE |
//!
//! Sums wrap around, as with MPI. Bitwise operations on DOUBLE are not defined, as in MPI.

use kymo_substrate::bindings as sys;

const TYPES: [&str; 10] = [
    "BYTE",
    "CHAR",
    "UNSIGNED_CHAR",
    "INT",
    "UNSIGNED",
    "INT32_T",
    "UINT32_T",
    "INT64_T",
    "UINT64_T",
    "DOUBLE",
];

pub(super) fn name_of(datatype: u32) -> &'static str {
    TYPES.get(datatype as usize).copied().unwrap_or("elements of unknown type")
}

/// Returns whether an operation is defined for elements of this type.
pub(super) fn can_combine(datatype: u32, operation: u32) -> bool {
    let bits = [sys::SCOREP_IPC_BAND, sys::SCOREP_IPC_BOR].contains(&operation);
    operation <= sys::SCOREP_IPC_SUM && !(bits && datatype == sys::SCOREP_IPC_DOUBLE)
}

/// Combines the elements of `other` into those of `all`; both have the same type and length.
pub(super) fn combine(datatype: u32, operation: u32, all: &mut [u8], other: &[u8]) {
    match datatype {
        sys::SCOREP_IPC_CHAR => integers::<i8, 1>(operation, all, other),
        sys::SCOREP_IPC_INT | sys::SCOREP_IPC_INT32_T => integers::<i32, 4>(operation, all, other),
        sys::SCOREP_IPC_UNSIGNED | sys::SCOREP_IPC_UINT32_T => integers::<u32, 4>(operation, all, other),
        sys::SCOREP_IPC_INT64_T => integers::<i64, 8>(operation, all, other),
        sys::SCOREP_IPC_UINT64_T => integers::<u64, 8>(operation, all, other),
        sys::SCOREP_IPC_DOUBLE => elements(all, other, |a, b| {
            let [a, b] = [a, b].map(f64::from_ne_bytes);
            let result = match operation {
                sys::SCOREP_IPC_MIN => a.min(b),
                sys::SCOREP_IPC_MAX => a.max(b),
                _ => a + b,
            };
            result.to_ne_bytes()
        }),
        _ => integers::<u8, 1>(operation, all, other),
    }
}

fn elements<const N: usize>(all: &mut [u8], other: &[u8], combined: impl Fn([u8; N], [u8; N]) -> [u8; N]) {
    let bytes = |part: &[u8]| -> [u8; N] { part.try_into().expect("a part of this length") };
    for (a, b) in all.chunks_exact_mut(N).zip(other.chunks_exact(N)) {
        let result = combined(bytes(a), bytes(b));
        a.copy_from_slice(&result);
    }
}

/// An integer of N bytes.
trait Integer<const N: usize>: Ord + Copy {
    fn from_bytes(bytes: [u8; N]) -> Self;
    fn to_bytes(self) -> [u8; N];
    fn sum(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($type:ty: $size:literal,)*) => {$(
        impl Integer<$size> for $type {
            fn from_bytes(bytes: [u8; $size]) -> Self {
                Self::from_ne_bytes(bytes)
            }
            fn to_bytes(self) -> [u8; $size] {
                self.to_ne_bytes()
            }
            fn sum(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn and(self, other: Self) -> Self {
                self & other
            }
            fn or(self, other: Self) -> Self {
                self | other
            }
        }
    )*};
}

integers! { i8: 1, u8: 1, i32: 4, u32: 4, i64: 8, u64: 8, }

fn integers<T: Integer<N>, const N: usize>(operation: u32, all: &mut [u8], other: &[u8]) {
    elements(all, other, |a, b| {
        let [a, b] = [a, b].map(T::from_bytes);
        let result = match operation {
            sys::SCOREP_IPC_BAND => a.and(b),
            sys::SCOREP_IPC_BOR => a.or(b),
            sys::SCOREP_IPC_MIN => a.min(b),
            sys::SCOREP_IPC_MAX => a.max(b),
            _ => a.sum(b),
        };
        result.to_bytes()
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn combined<const N: usize>(datatype: u32, operation: u32, a: [u8; N], b: [u8; N]) -> [u8; N] {
        let mut all = a;
        combine(datatype, operation, &mut all, &b);
        all
    }

    #[test]
    fn comparisons_respect_the_sign_of_a_type() {
        let [min, max] = [sys::SCOREP_IPC_MIN, sys::SCOREP_IPC_MAX];
        assert_eq!(combined(sys::SCOREP_IPC_CHAR, min, [0x80], [1]), [0x80]);
        assert_eq!(combined(sys::SCOREP_IPC_UNSIGNED_CHAR, min, [0x80], [1]), [1]);
        assert_eq!(combined(sys::SCOREP_IPC_BYTE, max, [0x80], [1]), [0x80]);
        for (datatype, larger) in [(sys::SCOREP_IPC_INT, 1_u32), (sys::SCOREP_IPC_UNSIGNED, u32::MAX)] {
            let result = combined(datatype, max, u32::MAX.to_ne_bytes(), 1_u32.to_ne_bytes());
            assert_eq!(u32::from_ne_bytes(result), larger);
        }
        for (datatype, larger) in [(sys::SCOREP_IPC_INT64_T, 1_u64), (sys::SCOREP_IPC_UINT64_T, u64::MAX)] {
            let result = combined(datatype, max, u64::MAX.to_ne_bytes(), 1_u64.to_ne_bytes());
            assert_eq!(u64::from_ne_bytes(result), larger);
        }
    }

    #[test]
    fn each_element_is_combined_with_its_counterpart() {
        let [a, b] = [[6_u8, 200, 1], [3, 100, 2]];
        assert_eq!(combined(sys::SCOREP_IPC_BYTE, sys::SCOREP_IPC_BAND, a, b), [2, 64, 0]);
        assert_eq!(combined(sys::SCOREP_IPC_BYTE, sys::SCOREP_IPC_BOR, a, b), [7, 236, 3]);
        assert_eq!(combined(sys::SCOREP_IPC_BYTE, sys::SCOREP_IPC_SUM, a, b), [9, 44, 3]);
    }

    #[test]
    fn bitwise_operations_on_doubles_are_refused() {
        let sum = combined(9, sys::SCOREP_IPC_SUM, 1.5_f64.to_ne_bytes(), 2.25_f64.to_ne_bytes());
        assert_eq!(f64::from_ne_bytes(sum).to_bits(), 3.75_f64.to_bits());
        assert!(!can_combine(9, sys::SCOREP_IPC_BOR) && can_combine(8, sys::SCOREP_IPC_BOR));
        assert!(!can_combine(0, 5));
    }
}
