//! Which threads have had a record.
//!
//! Invariant: memory is proportional to the number of threads, with a bound of 8 MiB for the part that is a table.

use std::collections::HashSet;
use std::fmt;

use crate::record::Thread;

/// Threads of a node that the table has.
const WIDTH: u16 = 1024;
const WORDS: usize = WIDTH as usize / 64;
const NODES: usize = 1 << 16;

/// A set of threads.
pub(crate) struct Threads {
    /// Bits of the first threads of every node, so that no node lies outside. The system gives the pages that are used.
    table: Box<[[u64; WORDS]; NODES]>,
    others: HashSet<Thread>,
}

impl Default for Threads {
    fn default() -> Self {
        let table = vec![[0; WORDS]; NODES].into_boxed_slice();
        // A vector has the length that it was made with.
        let table = table.try_into().expect("as many words as were asked for");
        Threads { table, others: HashSet::new() }
    }
}

/// The table is much too long for anybody who looks at a reader.
impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Threads").finish_non_exhaustive()
    }
}

impl Threads {
    /// Whether a thread is in the set.
    pub(crate) fn contains(&self, thread: Thread) -> bool {
        if thread.thread < WIDTH { self.table_has(thread) } else { self.others.contains(&thread) }
    }

    /// Whether a thread is in the set and has a place in the table.
    #[inline(always)]
    pub(crate) fn table_has(&self, thread: Thread) -> bool {
        // A node always has its words: the compiler sees that.
        let words = &self.table[usize::from(thread.node)];
        words.get(usize::from(thread.thread / 64)).is_some_and(|word| word >> (thread.thread % 64) & 1 != 0)
    }

    /// Puts a thread in; whether it is new.
    pub(crate) fn insert(&mut self, thread: Thread) -> bool {
        if thread.thread >= WIDTH {
            return self.others.insert(thread);
        }
        let is_new = !self.contains(thread);
        let words = &mut self.table[usize::from(thread.node)];
        if let Some(word) = words.get_mut(usize::from(thread.thread / 64)) {
            *word |= 1 << (thread.thread % 64);
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_is_new_once() {
        let mut threads = Threads::default();
        let numbers = [0, 1, 63, 64, 1023, 1024, 1025, 65_535];
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
}
