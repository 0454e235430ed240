//! Which threads have had a record.
//!
//! Invariant: memory is proportional to the number of threads, with a bound of 8 MiB for the part that is a table.

use std::collections::HashSet;

use crate::record::Thread;

/// Threads of a node that the table has.
const WIDTH: u16 = 1024;
const WORDS: usize = WIDTH as usize / 64;

/// A set of threads.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    /// Bits of the first threads of each node.
    table: Vec<[u64; WORDS]>,
    others: HashSet<Thread>,
}

impl Threads {
    /// Whether a thread is in the set.
    #[inline(always)]
    pub(crate) fn contains(&self, thread: Thread) -> bool {
        let words = self.table.get(usize::from(thread.node));
        let word = words.and_then(|words| words.get(usize::from(thread.thread / 64)));
        match word {
            Some(word) => word >> (thread.thread % 64) & 1 != 0,
            None => self.is_other(thread),
        }
    }

    #[cold]
    #[inline(never)]
    fn is_other(&self, thread: Thread) -> bool {
        self.others.contains(&thread)
    }

    /// Puts a thread in; whether it is new.
    pub(crate) fn insert(&mut self, thread: Thread) -> bool {
        if self.contains(thread) {
            return false;
        }
        if thread.thread >= WIDTH {
            return self.others.insert(thread);
        }
        let node = usize::from(thread.node);
        if self.table.len() <= node {
            self.table.resize(node + 1, [0; WORDS]);
        }
        let words = self.table.get_mut(node);
        if let Some(word) = words.and_then(|words| words.get_mut(usize::from(thread.thread / 64))) {
            *word |= 1 << (thread.thread % 64);
        }
        true
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
