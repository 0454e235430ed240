//! The regions of a location that are entered and not left.

use std::collections::HashMap;

/// A stack of regions with a fast test for membership.
#[derive(Debug, Default)]
pub(super) struct Open {
    stack: Vec<u32>,
    /// The number of occurrences of each region on the stack. Built at the first test, since most
    /// traces need none.
    counts: Option<HashMap<u32, u64>>,
}

impl Open {
    pub(super) fn len(&self) -> usize {
        self.stack.len()
    }

    pub(super) fn last(&self) -> Option<u32> {
        self.stack.last().copied()
    }

    pub(super) fn push(&mut self, region: u32) {
        self.stack.push(region);
        if let Some(counts) = &mut self.counts {
            *counts.entry(region).or_default() += 1;
        }
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        let region = self.stack.pop()?;
        if let Some(counts) = &mut self.counts
            && let Some(count) = counts.get_mut(&region)
        {
            *count -= 1;
            if *count == 0 {
                counts.remove(&region);
            }
        }
        Some(region)
    }

    pub(super) fn contains(&mut self, region: u32) -> bool {
        let counts = self.counts.get_or_insert_with(|| {
            let mut counts = HashMap::new();
            for &region in &self.stack {
                *counts.entry(region).or_default() += 1;
            }
            counts
        });
        counts.contains_key(&region)
    }
}

#[cfg(test)]
mod tests {
    use super::Open;

    #[test]
    fn membership_follows_push_and_pop() {
        let mut open = Open::default();
        [1, 2, 1].into_iter().for_each(|region| open.push(region));
        assert!(open.contains(1) && open.contains(2) && !open.contains(3));
        open.push(3);
        assert!(open.contains(3));
        assert_eq!((open.pop(), open.pop(), open.last(), open.len()), (Some(3), Some(1), Some(2), 2));
        assert!(open.contains(1) && open.contains(2) && !open.contains(3));
        assert_eq!((open.pop(), open.pop(), open.pop()), (Some(2), Some(1), None));
        assert!(!open.contains(1) && !open.contains(2));
    }
}
