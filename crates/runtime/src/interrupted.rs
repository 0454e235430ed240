//! Enters and leaves in a signal handler that interrupted its thread inside the runtime, or inside
//! an allocator.
//!
//! They wait here with their timestamps until the thread can record them. Invariant: only the
//! location's thread accesses its queue, and a handler that interrupts another one ends before the
//! other continues.

use core::ptr;
use core::sync::atomic::{
    AtomicPtr, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

/// The maximum number of events that wait for one interrupted call.
const ROOM: usize = 1 << 14;
const SIZE: usize = ROOM * size_of::<EventSlot>();

/// The subject of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A region that has been defined.
    Region(u32),
    /// The function at an address, whose region may not have been defined yet.
    Function(usize),
}

/// A waiting event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InterruptedEvent {
    pub(crate) subject: Subject,
    /// Whether the subject is left, not entered.
    pub(crate) leaves: bool,
    /// The time in ticks of the measurement's clock.
    pub(crate) time: u64,
}

/// An event in two words. The first contains the subject and, in its lowest two bits, flags for
/// leave and for function.
#[derive(Debug)]
struct EventSlot {
    what: AtomicU64,
    time: AtomicU64,
}

const LEAVES: u64 = 1;
const FUNCTION: u64 = 2;

/// The queue of one location's waiting events, the oldest first.
#[derive(Debug)]
pub(crate) struct Interrupted {
    /// Null before the first event, and if memory is refused.
    slots: AtomicPtr<EventSlot>,
    /// The number of events appended, including those for which there was no room.
    count: AtomicUsize,
    /// The number of events taken.
    taken: AtomicUsize,
}

impl Interrupted {
    pub(crate) const fn new() -> Self {
        Self {
            slots: AtomicPtr::new(ptr::null_mut()),
            count: AtomicUsize::new(0),
            taken: AtomicUsize::new(0),
        }
    }

    /// Returns whether no event waits.
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.count.load(Relaxed) == 0
    }

    /// Appends an event.
    #[cold]
    pub(crate) fn put(&self, event: InterruptedEvent) {
        let slots = self.slots();
        let at = self.count.fetch_add(1, Relaxed);
        let Some(slot) = slot(slots, at) else { return };
        let subject = match event.subject {
            Subject::Region(region) => u64::from(region) << 2,
            Subject::Function(address) => (address as u64) << 2 | FUNCTION,
        };
        slot.time.store(event.time, Relaxed);
        slot.what.store(subject | u64::from(event.leaves), Release);
    }

    /// Returns the oldest event.
    pub(crate) fn first(&self) -> Option<InterruptedEvent> {
        let at = self.taken.load(Relaxed);
        let slot = slot(self.slots.load(Relaxed), at).filter(|_| at < self.count.load(Relaxed))?;
        let what = slot.what.load(Acquire);
        let subject = match what & FUNCTION {
            0 => Subject::Region((what >> 2) as u32),
            _ => Subject::Function((what >> 2) as usize),
        };
        Some(InterruptedEvent { subject, leaves: what & LEAVES != 0, time: slot.time.load(Relaxed) })
    }

    /// Removes the oldest event.
    pub(crate) fn take(&self) {
        self.taken.fetch_add(1, Relaxed);
    }

    /// Empties the queue after all stored events have been taken, and returns how many events had
    /// no room. Returns `None` if a handler has appended another event in the meantime.
    pub(crate) fn finish(&self) -> Option<u64> {
        let (taken, count) = (self.taken.load(Relaxed), self.count.load(Relaxed));
        if taken < count.min(self.room()) {
            return None;
        }
        self.taken.store(0, Relaxed);
        if self.count.compare_exchange(count, 0, Relaxed, Relaxed).is_err() {
            self.taken.store(taken, Relaxed);
            return None;
        }
        Some((count - taken) as u64)
    }

    fn room(&self) -> usize {
        if self.slots.load(Relaxed).is_null() { 0 } else { ROOM }
    }

    /// Returns the memory of the queue, which is allocated at the first event. Signal handlers may
    /// call this.
    fn slots(&self) -> *mut EventSlot {
        let slots = self.slots.load(Relaxed);
        if !slots.is_null() || self.count.load(Relaxed) > 0 {
            return slots;
        }
        let (access, kind) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
        );
        // SAFETY: a new mapping at an address that the system chooses, zeroed and aligned for
        // words.
        let start = unsafe { libc::mmap(ptr::null_mut(), SIZE, access, kind, -1, 0) };
        if start == libc::MAP_FAILED {
            return ptr::null_mut();
        }
        // If this fails, a handler that interrupted this function has set the pointer first.
        match self.slots.compare_exchange(ptr::null_mut(), start.cast(), Relaxed, Relaxed) {
            Ok(_) => start.cast(),
            Err(first) => {
                // SAFETY: the mapping made above, which was not published.
                unsafe { libc::munmap(start, SIZE) };
                first
            }
        }
    }

    /// Frees the memory permanently. Only for the location's thread.
    pub(crate) fn release(&self) {
        let slots = self.slots.swap(ptr::null_mut(), Relaxed);
        if !slots.is_null() {
            // SAFETY: the mapping of `slots`, which is not accessed any more.
            unsafe { libc::munmap(slots.cast(), SIZE) };
        }
    }
}

fn slot<'a>(slots: *mut EventSlot, at: usize) -> Option<&'a EventSlot> {
    if slots.is_null() || at >= ROOM {
        return None;
    }
    // SAFETY: inside the mapping, which stays until the location's thread has ended.
    Some(unsafe { &*slots.add(at) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(number: usize) -> InterruptedEvent {
        let subject = match number % 2 {
            0 => Subject::Region(number as u32),
            _ => Subject::Function(0x7FFF_0000_0000 + number),
        };
        InterruptedEvent { subject, leaves: number.is_multiple_of(3), time: number as u64 }
    }

    #[test]
    fn events_are_returned_in_order_and_those_without_room_are_counted() {
        let queue = Interrupted::new();
        for round in 1..4 {
            assert!(queue.is_empty() && queue.first().is_none());
            (0..ROOM + round).for_each(|number| queue.put(event(number)));
            for number in 0..ROOM {
                assert_eq!(queue.first(), Some(event(number)));
                assert!(queue.finish().is_none());
                queue.take();
            }
            assert_eq!((queue.first(), queue.finish()), (None, Some(round as u64)));
        }
        queue.release();
    }

    #[test]
    fn an_event_put_before_the_end_is_not_lost() {
        let queue = Interrupted::new();
        queue.put(event(4));
        queue.take();
        queue.put(event(5));
        assert!(queue.finish().is_none());
        assert_eq!(queue.first(), Some(event(5)));
        queue.take();
        assert_eq!(queue.finish(), Some(0));
    }
}
