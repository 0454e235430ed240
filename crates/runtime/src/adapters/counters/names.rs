//! The names of perf events, which are those of Score-P and of the program `perf`.

use crate::perf::{CACHE, HARDWARE, RAW, SOFTWARE};

/// An event of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CounterEvent {
    pub(super) kind: u32,
    pub(super) config: u64,
    /// The event happens in the kernel: without that part it is never counted.
    pub(super) is_of_kernel: bool,
}

const fn hardware(config: u64) -> CounterEvent {
    CounterEvent { kind: HARDWARE, config, is_of_kernel: false }
}

const fn software(config: u64) -> CounterEvent {
    CounterEvent { kind: SOFTWARE, config, is_of_kernel: false }
}

const fn of_kernel(config: u64) -> CounterEvent {
    CounterEvent { kind: SOFTWARE, config, is_of_kernel: true }
}

const NAMES: [(&str, CounterEvent); 28] = [
    ("cycles", hardware(0)),
    ("cpu-cycles", hardware(0)),
    ("instructions", hardware(1)),
    ("cache-references", hardware(2)),
    ("cache-misses", hardware(3)),
    ("branches", hardware(4)),
    ("branch-instructions", hardware(4)),
    ("branch-misses", hardware(5)),
    ("bus-cycles", hardware(6)),
    ("stalled-cycles-frontend", hardware(7)),
    ("idle-cycles-frontend", hardware(7)),
    ("stalled-cycles-backend", hardware(8)),
    ("idle-cycles-backend", hardware(8)),
    ("ref-cycles", hardware(9)),
    ("cpu-clock", software(0)),
    ("task-clock", software(1)),
    ("page-faults", software(2)),
    ("faults", software(2)),
    ("context-switches", of_kernel(3)),
    ("cs", of_kernel(3)),
    ("cpu-migrations", of_kernel(4)),
    ("migrations", of_kernel(4)),
    ("minor-faults", software(5)),
    ("major-faults", software(6)),
    ("alignment-faults", software(7)),
    ("emulation-faults", software(8)),
    ("cgroup-switches", of_kernel(11)),
    ("bpf-output", software(10)),
];

const CACHES: [(&str, u64); 7] =
    [("L1-dcache", 0), ("L1-icache", 1), ("LLC", 2), ("dTLB", 3), ("iTLB", 4), ("branch", 5), ("node", 6)];

/// The operations on a cache, and the numbers of operation and result.
const OPERATIONS: [(&str, u64, u64); 6] = [
    ("loads", 0, 0),
    ("load-misses", 0, 1),
    ("stores", 1, 0),
    ("store-misses", 1, 1),
    ("prefetches", 2, 0),
    ("prefetch-misses", 2, 1),
];

impl CounterEvent {
    /// Returns the event of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        let plain = NAMES.iter().find(|(known, _)| *known == name).map(|(_, event)| *event);
        plain.or_else(|| cache(name)).or_else(|| raw(name))
    }
}

fn cache(name: &str) -> Option<CounterEvent> {
    let (cache, operation) = CACHES
        .iter()
        .find_map(|(cache, number)| Some((*number, name.strip_prefix(cache)?.strip_prefix('-')?)))?;
    // Score-P's form of the names of misses is "loads-misses".
    let (_, operation, result) = OPERATIONS.iter().find(|(known, ..)| {
        *known == operation
            || operation.strip_suffix("-misses").is_some_and(|it| {
                known
                    .strip_suffix("-misses")
                    .is_some_and(|known| it == format!("{known}s") || it == format!("{known}es"))
            })
    })?;
    Some(CounterEvent { kind: CACHE, config: cache | operation << 8 | result << 16, is_of_kernel: false })
}

/// Returns the event of the processor that `r` and a hexadecimal number name.
fn raw(name: &str) -> Option<CounterEvent> {
    let config = u64::from_str_radix(name.strip_prefix('r')?, 16).ok()?;
    Some(CounterEvent { kind: RAW, config, is_of_kernel: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_have_the_names_of_perf() {
        let numbers = |name| CounterEvent::named(name).map(|event| (event.kind, event.config));
        assert_eq!(numbers("instructions"), Some((HARDWARE, 1)));
        assert_eq!(numbers("faults"), numbers("page-faults"));
        assert_eq!(numbers("L1-dcache-load-misses"), Some((CACHE, 0x1_0000)));
        assert_eq!(numbers("L1-dcache-loads-misses"), Some((CACHE, 0x1_0000)));
        assert_eq!(numbers("LLC-prefetches-misses"), Some((CACHE, 0x1_0202)));
        assert_eq!(numbers("dTLB-stores"), Some((CACHE, 0x103)));
        assert_eq!(numbers("r1a8"), Some((RAW, 0x1a8)));
        for name in ["cyclesX", "", "r", "rxyz", "L1-dcache", "L2-loads", "task-clock2"] {
            assert_eq!(numbers(name), None, "{name}");
        }
    }
}
