//! The memory that Kokkos has allocated in each of its spaces: one metric a space.

use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::KOKKOS;
use crate::adapter::MetricDefinition;
use crate::adapters::annotations::text;
use crate::measurement::{self, Counter};
use crate::processes::may_allocate;

/// A space, as Kokkos passes it.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct SpaceHandle([u8; 64]);

impl SpaceHandle {
    /// Returns the name.
    pub(super) fn name(&self) -> &[u8] {
        self.0.split(|&byte| byte == 0).next().unwrap_or_default()
    }
}

/// A space in which the program has allocated.
#[derive(Debug)]
struct KokkosSpace {
    name: Box<[u8]>,
    counter: Counter,
    bytes: AtomicI64,
}

/// More than Kokkos has.
const MOST: usize = 64;

/// The spaces, in the order of their first allocations. One is added under the lock.
static SPACES: [OnceLock<KokkosSpace>; MOST] = [const { OnceLock::new() }; MOST];
static ADDING: Mutex<()> = Mutex::new(());

pub(super) type KokkosSpacesHold = MutexGuard<'static, ()>;

pub(super) fn hold() -> KokkosSpacesHold {
    ADDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records that the allocated memory of a space has grown or shrunk.
pub(super) fn change(space: &SpaceHandle, bytes: i64) {
    KOKKOS.record(|here| {
        if let Some(space) = find(space.name()).or_else(|| add(space.name())) {
            let total = space.bytes.fetch_add(bytes, Relaxed).saturating_add(bytes);
            // Memory that was allocated before the measurement can be freed in it.
            here.counter_u64(space.counter, total.max(0).unsigned_abs());
        }
    });
}

fn find(name: &[u8]) -> Option<&'static KokkosSpace> {
    SPACES.iter().map_while(OnceLock::get).find(|space| *space.name == *name)
}

#[cold]
fn add(name: &[u8]) -> Option<&'static KokkosSpace> {
    if !may_allocate() {
        return None;
    }
    let _adding = hold();
    let known = find(name);
    if known.is_some() {
        return known;
    }
    let new = || KokkosSpace { name: name.into(), counter: define(name), bytes: AtomicI64::new(0) };
    SPACES.iter().find(|space| space.get().is_none()).map(|space| space.get_or_init(new))
}

fn define(name: &[u8]) -> Counter {
    let name = format!("Kokkos Memory ({})", text::valid(name));
    let description = "Memory that Kokkos has allocated in this space".to_owned();
    measurement::define_counter(&MetricDefinition::held_memory(name, description))
}
