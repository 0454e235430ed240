//! Hash tables for code that runs inside a measured program.
//!
//! The tables of the standard library take their seed from thread-local memory, and the loader ends
//! the program if it has no memory left for it. They also panic if the system provides no random
//! number. The seed used here is made once per process, never fails, and cannot be predicted by the
//! author of an archive.

use core::{
    hash::{BuildHasher, Hasher},
    num::NonZeroUsize,
};
use std::{
    collections,
    hash::DefaultHasher,
    time::{SystemTime, UNIX_EPOCH},
};

use once_cell::race::OnceNonZeroUsize;
use rustix::rand::{GetRandomFlags, getrandom};

/// A hash map; create it with `default()`.
pub type HashMap<K, V> = collections::HashMap<K, V, Seeded>;
/// A hash set; create it with `default()`.
pub type HashSet<K> = collections::HashSet<K, Seeded>;

/// Builds hashers with the seed of the process.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seeded;

impl BuildHasher for Seeded {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        let mut hasher = DefaultHasher::new();
        hasher.write_usize(seed().get());
        hasher
    }
}

/// Returns the seed, the same at every call.
fn seed() -> NonZeroUsize {
    static SEED: OnceNonZeroUsize = OnceNonZeroUsize::new();
    SEED.get_or_init(|| NonZeroUsize::MIN | random() as usize)
}

/// Returns a random number from the system. If there is none, derives one from the time and from
/// the address of the stack.
fn random() -> u64 {
    let mut bytes = [0; 8];
    match getrandom(&mut bytes, GetRandomFlags::NONBLOCK) {
        Ok(8) => u64::from_ne_bytes(bytes),
        _ => {
            let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
            time.rotate_left(32) ^ core::ptr::from_ref(&bytes).addr() as u64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_is_constant() {
        let hash = |number: u64| Seeded.hash_one(number);
        assert_eq!(hash(7), hash(7));
        assert_ne!(hash(7), hash(8));
    }
}
