//! The thread functions that have regions. A dry run applies a filter to them.

use std::collections::BTreeSet;

use kymo_filter::{Filter, Region};

/// The file that the runtime states for these functions.
const FILE: &str = "PTHREAD";

/// Functions that have a region of their own.
const REGIONS: [&str; 38] = [
    "cnd_broadcast",
    "cnd_destroy",
    "cnd_init",
    "cnd_signal",
    "cnd_timedwait",
    "cnd_wait",
    "mtx_destroy",
    "mtx_init",
    "mtx_lock",
    "mtx_trylock",
    "mtx_unlock",
    "pthread_cancel",
    "pthread_cond_broadcast",
    "pthread_cond_destroy",
    "pthread_cond_init",
    "pthread_cond_signal",
    "pthread_cond_timedwait",
    "pthread_cond_wait",
    "pthread_create",
    "pthread_detach",
    "pthread_exit",
    "pthread_join",
    "pthread_mutex_destroy",
    "pthread_mutex_init",
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
    "pthread_rwlock_destroy",
    "pthread_rwlock_init",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_unlock",
    "pthread_rwlock_wrlock",
    "thrd_create",
    "thrd_detach",
    "thrd_exit",
    "thrd_join",
];

/// Functions that share the region of another one.
const VARIANTS: [(&str, &str); 11] = [
    ("mtx_timedlock", "mtx_lock"),
    ("pthread_clockjoin_np", "pthread_join"),
    ("pthread_cond_clockwait", "pthread_cond_timedwait"),
    ("pthread_mutex_clocklock", "pthread_mutex_lock"),
    ("pthread_mutex_timedlock", "pthread_mutex_lock"),
    ("pthread_rwlock_clockrdlock", "pthread_rwlock_rdlock"),
    ("pthread_rwlock_clockwrlock", "pthread_rwlock_wrlock"),
    ("pthread_rwlock_timedrdlock", "pthread_rwlock_rdlock"),
    ("pthread_rwlock_timedwrlock", "pthread_rwlock_wrlock"),
    ("pthread_timedjoin_np", "pthread_join"),
    ("pthread_tryjoin_np", "pthread_join"),
];

/// Returns the regions of thread functions that a program calls and that a filter leaves out.
pub(super) fn left_out<'a>(
    imports: impl Iterator<Item = &'a str>,
    filter: &Filter,
) -> BTreeSet<&'static str> {
    imports.filter_map(region).filter(|name| excludes(filter, name)).collect()
}

fn excludes(filter: &Filter, name: &str) -> bool {
    filter.excludes(&Region { name: name.as_bytes(), mangled: None, file: Some(FILE.as_bytes()) })
}

/// Returns the region of a function, if it has one.
fn region(function: &str) -> Option<&'static str> {
    let own = REGIONS.iter().find(|name| **name == function).copied();
    own.or_else(|| VARIANTS.iter().find(|(name, _)| *name == function).map(|(_, region)| *region))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns, for each line, the text after the first `before` up to the next `after`.
    fn names<'a>(source: &'a str, before: &str, after: char) -> BTreeSet<&'a str> {
        let name = |line: &'a str| line.split_once(before)?.1.split(after).next();
        source.lines().filter_map(name).collect()
    }

    #[test]
    fn the_functions_are_those_of_the_runtime() {
        let source = include_str!("../../../runtime/src/adapters/threads/mod.rs");
        let table = source.split("\nfunctions! {").nth(1).and_then(|rest| rest.split('}').next());
        let regions = names(table.expect("the table of the runtime"), " \"", '"');
        assert_eq!(regions, REGIONS.into_iter().collect());
        let sources = [
            include_str!("../../../runtime/src/adapters/threads/c11.rs"),
            include_str!("../../../runtime/src/adapters/threads/life.rs"),
            include_str!("../../../runtime/src/adapters/threads/locks.rs"),
            include_str!("../../../runtime/src/adapters/threads/rwlocks.rs"),
        ];
        let functions = sources.iter().flat_map(|source| names(source, "fn ", '('));
        let interposed = functions.filter(|name| {
            ["pthread_", "thrd_", "mtx_", "cnd_"].iter().any(|kind| name.starts_with(kind))
                && !name.starts_with("pthread_attr")
        });
        let without: Vec<&str> = interposed.filter(|name| region(name).is_none()).collect();
        assert_eq!(without, [""; 0]);
        assert!(VARIANTS.iter().all(|(_, region)| REGIONS.contains(region)));
    }
}
