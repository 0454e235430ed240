//! What a thread needs to be sampled: its source, the bounds of its stack, and the stacks that wait
//! to be recorded.
//!
//! Samplers are never freed; threads take one and give it back. Invariants: stacks are stored by
//! the thread's handler and taken while no handler can store any, on the same thread inside the
//! runtime or at the end of the measurement; the list of all samplers only grows and is read
//! without a lock, so that a forked child can use it.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering::*};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::contexts::{Path, Place, Walked};
use super::events::LastEvent;
use super::modules::Cache;
use super::source::Source;

/// The number of words for waiting stacks.
const ROOM: usize = 8192;
/// The number of words from which on a handler tries to record what waits.
const MANY: usize = ROOM / 4;
/// The words before the addresses of a stack: its time, their number with that of the values that
/// follow them, and the context of the open region that they are in.
const HEAD: usize = 3;
/// The bits of a number.
const NUMBER: u32 = 32;
/// Set in the number of the addresses if the last one is in the frame that entered the region.
const HAS_BASE: u64 = 1 << 31;

/// What a thread needs to be sampled.
pub(crate) struct Sampler {
    is_taken: AtomicBool,
    next: AtomicPtr<Sampler>,
    pub(super) source: Source,
    /// The addresses of the thread's stack, from its end on.
    low: AtomicU64,
    high: AtomicU64,
    pub(super) cache: Mutex<Cache>,
    words: Box<[AtomicU64]>,
    used: AtomicUsize,
    /// The number of stacks that wait.
    waiting: AtomicUsize,
    lost: AtomicU64,
    path: Mutex<Path>,
    pub(super) last_event: Mutex<LastEvent>,
    /// The context of the thread's last sample or event.
    leaf: AtomicU32,
}

impl std::fmt::Debug for Sampler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sampler").field("source", &self.source).finish_non_exhaustive()
    }
}

static FIRST: AtomicPtr<Sampler> = AtomicPtr::new(ptr::null_mut());

impl Sampler {
    /// Returns all samplers.
    pub(super) fn all() -> impl Iterator<Item = &'static Self> {
        // SAFETY: null, or a sampler, which is never freed.
        let at = |place: &AtomicPtr<Self>| unsafe { place.load(Acquire).as_ref::<'static>() };
        std::iter::successors(at(&FIRST), move |sampler| at(&sampler.next))
    }

    /// Takes a sampler for the calling thread.
    pub(super) fn claim() -> Option<&'static Self> {
        let free = Self::all().find(|sampler| !sampler.is_taken.swap(true, AcqRel));
        let sampler = free.unwrap_or_else(Self::add);
        let (low, high) = stack()?;
        sampler.low.store(low, Relaxed);
        sampler.high.store(high, Relaxed);
        Some(sampler)
    }

    fn add() -> &'static Self {
        let sampler: &'static Self = Box::leak(Box::new(Self {
            is_taken: AtomicBool::new(true),
            next: AtomicPtr::new(ptr::null_mut()),
            source: Source::default(),
            low: AtomicU64::new(0),
            high: AtomicU64::new(0),
            cache: Mutex::new(Cache::new_in()),
            words: (0..ROOM).map(|_| AtomicU64::new(0)).collect(),
            used: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            lost: AtomicU64::new(0),
            path: Mutex::new(Path::default()),
            last_event: Mutex::new(LastEvent::new()),
            leaf: AtomicU32::new(0),
        }));
        let own = ptr::from_ref(sampler).cast_mut();
        let mut first = FIRST.load(Relaxed);
        loop {
            sampler.next.store(first, Relaxed);
            match FIRST.compare_exchange_weak(first, own, Release, Relaxed) {
                Ok(_) => return sampler,
                Err(other) => first = other,
            }
        }
    }

    /// Gives the sampler back, without the stacks that were not taken.
    pub(super) fn release(&self) {
        self.empty();
        self.lost.store(0, Relaxed);
        self.forget_path();
        self.is_taken.store(false, Release);
    }

    /// Begins anew with no calling context.
    pub(super) fn forget_path(&self) {
        *self.path() = Path::default();
        self.last_event.lock().unwrap_or_else(PoisonError::into_inner).forget();
        self.leaf.store(0, Relaxed);
    }

    /// Returns the part of the thread's stack above an address in it; `None` for an address
    /// elsewhere, as on an alternate stack of a signal handler.
    pub(super) fn stack_above(&self, address: u64) -> Option<std::ops::Range<u64>> {
        let (low, high) = (self.low.load(Relaxed), self.high.load(Relaxed));
        (low..high).contains(&address).then_some(address..high)
    }

    /// Returns how many bytes of the thread's stack are free below an address in it.
    pub(super) fn room_below(&self, address: u64) -> u64 {
        self.stack_above(address).map_or(0, |_| address - self.low.load(Relaxed))
    }

    /// Stores a stack with the values of metrics. Returns whether many wait.
    pub(super) fn put(&self, time: u64, stack: Walked<'_>, metrics: &[u64]) -> bool {
        let used = self.used.load(Relaxed);
        let end = used + HEAD + stack.addresses.len() + metrics.len();
        let Some(words) = self.words.get(used..end) else {
            self.lose();
            return true;
        };
        let flag = if stack.has_base { HAS_BASE } else { 0 };
        let numbers = stack.addresses.len() as u64 | flag | (metrics.len() as u64) << NUMBER;
        let base = u64::from(stack.base.context) | u64::from(stack.base.depth) << NUMBER;
        let values = [time, numbers, base].into_iter().chain(stack.addresses.iter().chain(metrics).copied());
        words.iter().zip(values).for_each(|(word, value)| word.store(value, Relaxed));
        self.used.store(end, Relaxed);
        self.waiting.fetch_add(1, Relaxed);
        end >= MANY
    }

    fn empty(&self) {
        self.used.store(0, Relaxed);
        self.waiting.store(0, Relaxed);
    }

    /// Returns the number of stacks that wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }

    /// Returns the time of the first stack that waits.
    pub(super) fn first_time(&self) -> Option<u64> {
        let time = self.words.first().map(|word| word.load(Relaxed));
        time.filter(|_| self.waiting() > 0)
    }

    /// Gives the sampler of a parent's thread back, in a forked child. One whose thread was in the
    /// middle of something stays as it is for good.
    pub(super) fn forget(&self) {
        self.source.forget();
        let is_free = self.cache.try_lock().is_ok()
            && self.path.try_lock().is_ok()
            && self.last_event.try_lock().is_ok();
        if is_free {
            self.release();
        }
    }

    /// Passes each waiting stack to `record`, the oldest first: its time, the stack, the values of
    /// metrics, and the path of the thread's last sample.
    pub(super) fn take(&self, mut record: impl FnMut(u64, Walked<'_>, &mut [u64], &mut Path)) {
        let mut path = self.path();
        let used = self.used.load(Relaxed);
        let mut words = self.words.iter().take(used).map(|word| word.load(Relaxed));
        let mut addresses = Vec::new();
        let mut metrics = Vec::new();
        while let (Some(time), Some(numbers), Some(base)) = (words.next(), words.next(), words.next()) {
            addresses.clear();
            addresses.extend(words.by_ref().take((numbers & !HAS_BASE) as u32 as usize));
            metrics.clear();
            metrics.extend(words.by_ref().take((numbers >> NUMBER) as usize));
            let base = Place { context: base as u32, depth: (base >> NUMBER) as u32 };
            let stack = Walked { base, addresses: &addresses, has_base: numbers & HAS_BASE != 0 };
            record(time, stack, &mut metrics, &mut path);
        }
        self.empty();
    }

    /// Counts a sample that is not recorded.
    pub(super) fn lose(&self) {
        self.lost.fetch_add(1, Relaxed);
    }

    pub(super) fn take_lost(&self) -> u64 {
        self.lost.swap(0, Relaxed)
    }

    /// Returns the calling context of the last sample or event; 0 before the first one.
    pub(super) fn leaf(&self) -> u32 {
        self.leaf.load(Relaxed)
    }

    /// Sets the calling context of the last sample or event, and returns the one before.
    pub(super) fn set_leaf(&self, context: u32) -> u32 {
        self.leaf.swap(context, Relaxed)
    }

    fn path(&self) -> MutexGuard<'_, Path> {
        self.path.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the bounds of the calling thread's stack.
fn stack() -> Option<(u64, u64)> {
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut low, mut size) = (ptr::null_mut(), 0);
    // SAFETY: the attributes are written before they are read, and destroyed after that.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut low, &raw mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
    }
    let low = low.addr() as u64;
    Some((low, low + size as u64))
}
