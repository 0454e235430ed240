//! The loader's lock of its list of libraries, which is found in the loader's variables.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::{loaded, loader_list, program};

/// Finds the lock when the library is loaded: this thread has it while it walks the list. In C
/// libraries before 2.34 it is not found.
pub(crate) fn prepare() {
    // The state of the lock, how often its thread has it, the thread, the number of threads, and
    // the kind of a lock that a thread can take more than once.
    const RECURSIVE: u32 = 1;
    let own = [1, 1, program::thread_id() as u32, 1, RECURSIVE];
    loaded::look_at_loader_variable(c"_rtld_global", |words| {
        let is_own = |lock: &&'static [AtomicU32]| lock.iter().map(|it| it.load(Relaxed)).eq(own);
        let mut found = words.windows(own.len()).filter(is_own);
        // A thread that loads this library later has another lock as well.
        if let (Some([lock, ..]), None) = (found.next(), found.next()) {
            loader_list::set_lock(lock);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader_list::{is_broken, is_locked, wait_while};

    /// Children of a process in which another thread added a library waited for this lock forever.
    #[test]
    fn the_list_is_locked_while_it_is_walked() {
        prepare();
        if is_locked().is_none() {
            return kymo_testdata::missing("the C library 2.34 or later");
        }
        let mut is_locked_there = None;
        loaded::look_at_loader_variable(c"_rtld_global", |_| is_locked_there = is_locked());
        assert_eq!(is_locked_there, Some(true));
        // Another test may walk it now.
        wait_while(|| is_locked() == Some(true));
        assert!(!is_broken());
    }
}
