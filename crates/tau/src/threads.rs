//! The set of threads that have had a record.
//!
//! Invariant: memory is proportional to the number of threads and bounded by 8 MiB for the table
//! and about 1 GiB for all other possible threads.

use std::collections::HashMap;

use crate::record::Thread;

/// The number of threads per node that are in the table.
const WIDTH: u16 = 1024;
const WORDS: usize = WIDTH as usize / 64;
/// The bits of [`WIDTH`] threads.
type Words = [u64; WORDS];

/// A set of threads.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    /// The bits of the first threads of each node.
    table: Vec<Words>,
    /// The bits of the other threads, by node and by thread number divided by [`WIDTH`].
    others: HashMap<(u16, u16), Words>,
}

impl Threads {
    /// Returns whether a thread is in the set.
    pub(crate) fn contains(&self, thread: Thread) -> bool {
        match thread.thread / WIDTH {
            0 => self.table_has(thread),
            place => self.others.get(&(thread.node, place)).is_some_and(|words| bit(words, thread)),
        }
    }

    /// Returns whether a thread is in the set and in the table.
    #[inline(always)]
    pub(crate) fn table_has(&self, thread: Thread) -> bool {
        let words = self.table.get(usize::from(thread.node));
        thread.thread < WIDTH && words.is_some_and(|words| bit(words, thread))
    }

    /// Inserts a thread. Returns whether it is new.
    pub(crate) fn insert(&mut self, thread: Thread) -> bool {
        let is_new = !self.contains(thread);
        self.words_mut(thread)[word(thread)] |= 1 << (thread.thread % 64);
        is_new
    }

    fn words_mut(&mut self, Thread { node, thread }: Thread) -> &mut Words {
        let place = thread / WIDTH;
        if place > 0 {
            return self.others.entry((node, place)).or_default();
        }
        let node = usize::from(node);
        if self.table.len() <= node {
            self.table.resize(node + 1, [0; WORDS]);
        }
        &mut self.table[node]
    }
}

/// Returns the index of a thread's word, which is always less than [`WORDS`].
#[inline(always)]
fn word(thread: Thread) -> usize {
    usize::from(thread.thread % WIDTH / 64)
}

#[inline(always)]
fn bit(words: &Words, thread: Thread) -> bool {
    words[word(thread)] >> (thread.thread % 64) & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_is_new_once() {
        let mut threads = Threads::default();
        let numbers = [0, 1, 63, 64, 1023, 1024, 1025, 1088, 2048, 65_535];
        for again in [false, true] {
            for node in numbers {
                for thread in numbers {
                    let thread = Thread { node, thread };
                    assert_eq!(threads.contains(thread), again, "{thread:?}");
                    assert_eq!(threads.insert(thread), !again, "{thread:?}");
                }
            }
        }
        assert!(!threads.contains(Thread { node: 2, thread: 1 }));
        assert!(!threads.contains(Thread { node: 2, thread: 3000 }));
    }

    /// Each of these threads once had an entry of its own, 40 GB for a trace with all threads.
    #[test]
    fn many_threads_of_a_node_take_little_memory() {
        let mut threads = Threads::default();
        (0..=u16::MAX).for_each(|thread| assert!(threads.insert(Thread { node: 7, thread })));
        assert_eq!(threads.others.len(), 63);
    }
}
