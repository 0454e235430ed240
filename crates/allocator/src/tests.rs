use super::region::{GRANULE, Region};
use super::regions::Regions;
use super::set_aside_in;
use core::alloc::Layout;
use core::ptr::NonNull;

fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).unwrap()
}

/// Pseudorandom numbers that depend only on a seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// Blocks that overlap would overwrite each other's bytes.
#[test]
fn blocks_are_aligned_and_disjoint_and_freed_parts_are_joined() {
    const BYTES: usize = 1 << 16;
    let memory = Box::leak(vec![0_u8; BYTES + GRANULE].into_boxed_slice());
    let skip = memory.as_ptr().align_offset(GRANULE);
    let start = NonNull::from(&mut memory[skip..skip + BYTES]).cast();
    // SAFETY: the memory has this length, is aligned, and is used only here.
    let mut region = unsafe { Region::new(start, BYTES) };
    let mut draw = Draw(17);
    let mut blocks: Vec<(*mut u8, Layout, u8)> = Vec::new();
    let (mut refused, steps) = (0, if cfg!(miri) { 300 } else { 30_000 });
    for step in 0..steps {
        if draw.below(5) < 2 && !blocks.is_empty() {
            let (block, layout, byte) = blocks.swap_remove(draw.below(blocks.len()));
            // SAFETY: the block is as long as its layout.
            let bytes = unsafe { core::slice::from_raw_parts(block, layout.size()) };
            assert!(bytes.iter().all(|&it| it == byte), "step {step}");
            // SAFETY: the block was handed out with this layout.
            unsafe { region.give_back(block, layout) };
            continue;
        }
        let layout = layout(1 + draw.below(2000), 1 << draw.below(9));
        let block = region.take(layout);
        if block.is_null() {
            refused += 1;
            continue;
        }
        assert_eq!(block.align_offset(layout.align()), 0);
        let byte = draw.below(256) as u8;
        // SAFETY: the block is as long as its layout.
        unsafe { block.write_bytes(byte, layout.size()) };
        blocks.push((block, layout, byte));
    }
    assert!(refused > 0 && !region.is_free());
    for (block, layout, _) in blocks {
        // SAFETY: the block was handed out with this layout.
        unsafe { region.give_back(block, layout) };
    }
    assert!(region.is_free(), "a part is lost, or adjacent parts are not joined");
}

#[test]
fn a_region_provides_exactly_its_size() {
    const BYTES: usize = 4096;
    let memory = Box::leak(vec![0_u128; (BYTES + GRANULE) / 16].into_boxed_slice());
    let start: *mut u8 = memory.as_mut_ptr().cast();
    let start = NonNull::new(start.wrapping_add(start.align_offset(GRANULE))).unwrap();
    // SAFETY: the memory has this length, is aligned, and is used only here.
    let mut region = unsafe { Region::new(start, BYTES) };
    assert!(region.take(layout(BYTES + 1, 1)).is_null());
    let all = region.take(layout(BYTES, 1));
    assert_eq!((all, region.take(layout(1, 1)).is_null()), (start.as_ptr(), true));
}

#[test]
fn memory_set_aside_is_used_and_returned() {
    let regions = Regions::new();
    let at = regions.add(3 << 20).unwrap();
    let (large, small) = (layout(2 << 20, 64), layout(1, 1));
    let block = regions.take(large);
    let second = regions.take(small);
    assert!(
        regions.has(block) && regions.has(second) && !regions.has((&raw const regions).cast_mut().cast())
    );
    assert!((block.addr()..block.addr() + (3 << 20)).contains(&second.addr()));
    regions.remove(at);
    assert!(regions.has(block), "it is in use");
    // SAFETY: the blocks were handed out with these layouts.
    unsafe {
        regions.give_back(block, large);
        regions.give_back(second, small);
    }
    regions.remove(at);
    assert!(!regions.has(block));
}

/// One process that plays 16,384 ranks had no memory to merge the definitions.
#[test]
fn memory_can_be_set_aside_when_there_are_many_regions() {
    let regions = Regions::new();
    let bytes = 2 << 20;
    let added = (0..1000).map_while(|_| set_aside_in(&regions, bytes).unwrap()).collect::<Vec<_>>();
    assert!(added.len() < 1000 && regions.is_full());
    assert_eq!(set_aside_in(&regions, bytes), Some(None));
    regions.remove(added[0]);
    assert_eq!(set_aside_in(&regions, usize::MAX / 2), None, "the system does not have it");
    added[1..].iter().for_each(|&at| regions.remove(at));
}

#[test]
fn threads_share_the_regions() {
    let regions = Regions::new();
    std::thread::scope(|scope| {
        for thread in 0..4_u8 {
            let regions = &regions;
            scope.spawn(move || {
                for round in 0..if cfg!(miri) { 20 } else { 2000 } {
                    let layout = layout(1 + round % 500, 8);
                    let block = regions.take(layout);
                    // SAFETY: the block was handed out with this layout.
                    unsafe {
                        block.write_bytes(thread, layout.size());
                        let bytes = core::slice::from_raw_parts(block, layout.size());
                        assert!(bytes.iter().all(|&byte| byte == thread));
                        regions.give_back(block, layout);
                    }
                }
            });
        }
    });
}

/// The holder of the lock was a thread of the parent, and the child waited for it forever.
#[test]
#[cfg_attr(miri, ignore = "Miri has no fork")]
fn a_child_takes_over_a_lock_of_its_parent() {
    let regions = Regions::new();
    let before = layout(100, 8);
    let kept = regions.take(before);
    regions.as_if_held_by(u32::MAX);
    let block = regions.take(layout(64, 8));
    assert!(!block.is_null() && block != kept);
    // SAFETY: the block was handed out with this layout.
    unsafe { regions.give_back(kept, before) };
    assert!(regions.has(kept));
}
