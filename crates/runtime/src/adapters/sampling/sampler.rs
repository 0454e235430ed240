//! The state of a sampled thread: its source, the bounds of its stack, and the stacks that wait to
//! be recorded.
//!
//! Samplers are never freed; threads take one and give it back. Invariants: stacks are stored by
//! the thread's handler and taken while no handler can store any, on the same thread inside the
//! runtime or at the end of the measurement; the list of all samplers only grows and is read
//! without a lock, so that a forked child can use it.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering::*};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::code_file::CodePosition;
use super::contexts::{ContextPlace, Path, Walked};
use super::events::LastEvent;
use super::last_walk::LastWalk;
use super::python::PythonStack;
use super::source::SampleSource;
use super::unwinding::Cache;
use super::walked_frames::POSITIONS;
use crate::life::metrics;
use crate::own_stack::OwnStack;

/// The number of words for waiting stacks.
const ROOM: usize = 8192;
/// The words before the frames of a stack: its time, the units for which it stands, their number
/// with that of the values that follow them, and the context of the open region that they are in.
const HEAD: usize = 4;
/// The bits of a number.
const NUMBER: u32 = 32;
/// Set in the number of the frames if the last one has entered the region.
const HAS_BASE: u64 = 1 << 31;

/// A sample that waits to be recorded.
pub(super) struct Sample<'a> {
    pub(super) time: u64,
    /// The processor time for which it stands, in units of [`generators`](super::generators).
    pub(super) units: u32,
    pub(super) stack: Walked<'a>,
    /// The values of metrics.
    pub(super) values: &'a [u64],
    /// The path of the thread's last sample.
    pub(super) path: &'a mut Path,
}

/// The state of a sampled thread.
pub(crate) struct Sampler {
    is_taken: AtomicBool,
    next: AtomicPtr<Sampler>,
    pub(super) source: SampleSource,
    pub(super) handler_stack: OwnStack,
    /// The addresses of the thread's stack, from its end on.
    low: AtomicU64,
    high: AtomicU64,
    pub(super) cache: Mutex<Cache>,
    /// The stack at the last sample.
    pub(super) last_walk: Mutex<LastWalk>,
    /// The functions of Python at a sample.
    pub(super) python: Mutex<PythonStack>,
    words: Box<[AtomicU64]>,
    used: AtomicUsize,
    /// The number of stacks that wait, and the time for which they stand.
    waiting: AtomicUsize,
    waiting_units: AtomicU64,
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
        let handler_stack = OwnStack::mapped();
        // The cache of rules alone is larger than the stacks of some threads.
        let sampler = handler_stack.run_undisturbed(|| Self::new(handler_stack));
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

    fn new(handler_stack: OwnStack) -> &'static Self {
        Box::leak(Box::new(Self {
            is_taken: AtomicBool::new(true),
            next: AtomicPtr::new(ptr::null_mut()),
            source: SampleSource::default(),
            handler_stack,
            low: AtomicU64::new(0),
            high: AtomicU64::new(0),
            cache: Mutex::new(Cache::new()),
            last_walk: Mutex::new(LastWalk::new()),
            python: Mutex::new(PythonStack::new()),
            words: (0..ROOM).map(|_| AtomicU64::new(0)).collect(),
            used: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            waiting_units: AtomicU64::new(0),
            lost: AtomicU64::new(0),
            path: Mutex::new(Path::new()),
            last_event: Mutex::new(LastEvent::new()),
            leaf: AtomicU32::new(0),
        }))
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
        self.path().forget();
        self.last_event.lock().unwrap_or_else(PoisonError::into_inner).forget();
        self.last_walk.lock().unwrap_or_else(PoisonError::into_inner).forget();
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

    /// Stores a stack with the values of metrics, which waits to be recorded.
    pub(super) fn put(&self, time: u64, units: u32, stack: Walked<'_>, metrics: &[u64]) {
        let used = self.used.load(Relaxed);
        let end = used + HEAD + stack.frames.len() + metrics.len();
        let Some(words) = self.words.get(used..end) else { return self.lose() };
        let flag = if stack.has_base { HAS_BASE } else { 0 };
        let numbers = stack.frames.len() as u64 | flag | (metrics.len() as u64) << NUMBER;
        let base = u64::from(stack.base.context) | u64::from(stack.base.depth) << NUMBER;
        let frames = stack.frames.iter().map(|code| code.number());
        let values =
            [time, units.into(), numbers, base].into_iter().chain(frames).chain(metrics.iter().copied());
        words.iter().zip(values).for_each(|(word, value)| word.store(value, Relaxed));
        self.used.store(end, Relaxed);
        self.waiting.fetch_add(1, Relaxed);
        self.waiting_units.fetch_add(units.into(), Relaxed);
    }

    fn empty(&self) {
        self.used.store(0, Relaxed);
        self.waiting.store(0, Relaxed);
        self.waiting_units.store(0, Relaxed);
    }

    /// Returns the number of stacks that wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Relaxed)
    }

    /// Returns the processor time for which stacks wait that no measurement has recorded yet, in
    /// units of [`generators`](super::generators).
    pub(super) fn waiting_units(&self) -> u64 {
        self.waiting_units.load(Relaxed)
    }

    /// Returns whether the room for stacks that wait is filling up.
    pub(super) fn has_many(&self) -> bool {
        self.used.load(Relaxed) >= ROOM / 4
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
            && self.last_walk.try_lock().is_ok()
            && self.python.try_lock().is_ok()
            && self.path.try_lock().is_ok()
            && self.last_event.try_lock().is_ok();
        if is_free {
            self.release();
        }
    }

    /// Passes each waiting sample to `record`, the oldest first. Keeps those from the first one on
    /// for which it returns false; returns whether there is none.
    pub(super) fn take(&self, mut record: impl FnMut(Sample<'_>) -> bool) -> bool {
        let mut path = self.path();
        let used = self.used.load(Relaxed);
        let mut at = 0;
        let mut frames = [CodePosition::NONE; POSITIONS];
        let mut values = [0; metrics::MOST];
        while let Some([time, units, numbers, base, rest @ ..]) = self.words.get(at..used) {
            let numbers = numbers.load(Relaxed);
            let count = ((numbers & !HAS_BASE) as u32 as usize).min(POSITIONS);
            let extra = ((numbers >> NUMBER) as usize).min(metrics::MOST);
            let mut rest = rest.iter().map(|word| word.load(Relaxed));
            frames
                .iter_mut()
                .take(count)
                .zip(&mut rest)
                .for_each(|(it, word)| *it = CodePosition::from_number(word));
            values.iter_mut().take(extra).zip(&mut rest).for_each(|(it, word)| *it = word);
            let base = base.load(Relaxed);
            let base = ContextPlace { context: base as u32, depth: (base >> NUMBER) as u32 };
            let stack = Walked { base, frames: &frames[..count], has_base: numbers & HAS_BASE != 0 };
            let (time, units) = (time.load(Relaxed), units.load(Relaxed) as u32);
            let sample = Sample { time, units, stack, values: &values[..extra], path: &mut path };
            if !record(sample) {
                break;
            }
            at += HEAD + count + extra;
            self.waiting.fetch_sub(1, Relaxed);
        }
        self.keep_from(at, used);
        at == used
    }

    /// Forgets the words before a place.
    fn keep_from(&self, at: usize, used: usize) {
        let kept = self.words.get(at..used).unwrap_or_default();
        self.words.iter().zip(kept).for_each(|(to, from)| to.store(from.load(Relaxed), Relaxed));
        self.used.store(kept.len(), Relaxed);
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
