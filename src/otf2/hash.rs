//! Hash tables for code that runs inside a measured program.
//!
//! The tables of the standard library take their seed from thread-local memory, and the loader ends
//! the program if it has no memory left for it. They also panic if the system provides no random
//! number. The seed used here is made once per process, never fails, and cannot be predicted by the
//! author of an archive.

use core::{
    hash::{BuildHasher, Hasher},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};
use std::{
    collections,
    hash::DefaultHasher,
    time::{SystemTime, UNIX_EPOCH},
};

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
        hasher.write_u64(seed());
        hasher
    }
}

/// Returns the seed, which is never 0 and equal at every call.
fn seed() -> u64 {
    static SEED: AtomicU64 = AtomicU64::new(0);
    let seed = SEED.load(Relaxed);
    if seed != 0 {
        return seed;
    }
    match SEED.compare_exchange(0, random() | 1, Relaxed, Relaxed) {
        Ok(_) => SEED.load(Relaxed),
        Err(seed) => seed,
    }
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
        assert_ne!(seed(), 0);
    }
}
