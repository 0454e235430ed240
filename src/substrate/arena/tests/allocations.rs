//! Announcements may be made in a signal handler that interrupted the allocator, so handling them
//! must not allocate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use super::fake::{Double, Fake, Word};
use crate::arena::Generation;
use crate::handles::{GroupHandle, StringHandle, SystemTreeNodeHandle};
use crate::kinds::HandleType;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// Counts the allocations of each thread.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call is forwarded to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's layout is not empty.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the block came from `System`, with this layout, and the caller uses it no more.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Returns the number of allocations that `call` makes.
fn allocations<R>(call: impl FnOnce() -> R) -> (usize, R) {
    let before = ALLOCATIONS.get();
    let result = call();
    (ALLOCATIONS.get() - before, result)
}

#[test]
fn allocations_are_counted() {
    assert_eq!(allocations(|| drop(Box::new(1))).0, 1);
}

#[test]
fn neither_checks_nor_readers_allocate() {
    let mut fake = Fake::new();
    let name = fake.text("a name");
    let (region, metric) = (fake.region(name), fake.metric(name));
    let set = fake.sampling_set(&[metric, metric]);
    let node = fake.put(HandleType::SYSTEM_TREE_NODE, 56, &[(28, Word(name))]);
    let group = fake.put(HandleType::LOCATION_GROUP, 40, &[(24, Word(node))]);
    let location = fake.put(HandleType::LOCATION, 56, &[(44, Word(group))]);
    let members = fake.put(HandleType::GROUP, 64, &[(32, Double(3))]);
    let wrong = fake.put(HandleType::GROUP, 64, &[(16, Word(9))]);
    let announced = [
        (HandleType::STRING, name),
        (HandleType::REGION, region),
        (HandleType::METRIC, metric),
        (HandleType::SAMPLING_SET, set),
        (HandleType::SYSTEM_TREE_NODE, node),
        (HandleType::LOCATION_GROUP, group),
        (HandleType::LOCATION, location),
        (HandleType::GROUP, members),
    ];
    // SAFETY: this test's host follows no handle.
    let (string, node, members) = unsafe {
        let node = SystemTreeNodeHandle::from_raw(node);
        (StringHandle::from_raw(name), node, GroupHandle::from_raw(members))
    };
    let (count, last) = allocations(|| {
        for (kind, handle) in announced {
            assert_eq!(fake.announce(kind, handle), Ok(()));
        }
        assert_eq!(fake.arena.generation(), Generation::From8);
        assert_eq!(fake.arena.string(string), Some(c"a name"));
        assert_eq!(fake.arena.system_tree_node_properties(node).map(Iterator::count), Some(0));
        assert_eq!(fake.arena.group_members(members).map(|members| members.iter().sum()), Some(0_u64));
        fake.announce(HandleType::GROUP, wrong)
    });
    assert!(last.is_err());
    assert_eq!(count, 0);
}
