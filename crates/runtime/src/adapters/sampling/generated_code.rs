//! Code that no file contains, such as code that was generated at run time.
//!
//! Its names are in files that the program writes, a perf map or a jitdump, and are looked up after
//! it has ended. The region of such code states the process and when it began, for this look-up
//! ([`CodeGenerator`]). Invariants: a region belongs to one process, so that a forked child, which
//! may generate other code at the same address, has contexts of its own; a child knows its parents,
//! whose code is in its memory.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering::*};
use std::time::{SystemTime, UNIX_EPOCH};

use kymo_substrate::bindings::SCOREP_PARADIGM_SAMPLING;
use kymo_symbols::code_generator::{ClockPair, CodeGenerator, CodeMaker, ForkedMaker};
use kymo_symbols::placeholder::{GENERATED, GENERATED_CODE};
use kymo_symbols::{Mapping, mappings};

use super::code_file::CodePosition;
use crate::cancellation::uncancelled;
use crate::clock::Clock;
use crate::definitions::{CodeDefinition, DefinitionStore};
use crate::thread;

/// The folder in which programs write perf maps.
const FOLDER: &str = "/tmp";
/// The number of parents that a process knows, at most.
const PARENTS: usize = 4;
/// The first bit that the number of forks has in the key of a context, and the bits of it.
const FORKS_SHIFT: u32 = 2;
const FORKS_MASK: u32 = (1 << 28) - 1;

/// This process; null before it is noted. Its target is never freed.
static THIS: AtomicPtr<CodeGenerator> = AtomicPtr::new(ptr::null_mut());
/// The number of forks that led from the first process to this one.
static FORKS: AtomicU32 = AtomicU32::new(0);
/// The size of the perf map before a fork, and the time.
static MAP_SIZE: AtomicU64 = AtomicU64::new(0);
static FORK_TIME: AtomicU64 = AtomicU64::new(0);
/// The number of contexts in generated code.
static CONTEXTS: AtomicU32 = AtomicU32::new(0);

fn this() -> Option<&'static CodeGenerator> {
    // SAFETY: null, or from a box that was leaked.
    unsafe { THIS.load(Acquire).as_ref() }
}

fn replace(generator: CodeGenerator) {
    THIS.store(Box::into_raw(Box::new(generator)), Release);
}

/// Notes which process this is, unless that is known.
pub(super) fn note_process(clock: Option<&Clock>) {
    if this().is_some_and(|this| this.maker.process == std::process::id()) {
        return;
    }
    thread::with_separate_memory(|| {
        uncancelled(|| {
            let folder = fs::metadata(FOLDER).map_or((0, 0), |it| (it.dev(), it.ino()));
            let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
            replace(CodeGenerator {
                maker: maker(),
                // SAFETY: takes no arguments.
                user: unsafe { libc::geteuid() },
                folder,
                boot: boot.trim().to_owned(),
                clock: clock.and_then(clock_pair),
                parents: Vec::new(),
                dump: None,
            });
        });
    });
}

/// Notes the size of the perf map, and the time, before this process forks. The parent may continue
/// before the child.
pub(super) fn note_before_fork() {
    if let Some(this) = this() {
        MAP_SIZE
            .store(thread::with_separate_memory(|| uncancelled(|| map_size(this.maker.process))), Relaxed);
        FORK_TIME.store(monotonic(), Relaxed);
    }
}

/// Notes that this process was forked from the one that was noted.
pub(super) fn note_fork(clock: Option<&Clock>) {
    FORKS.fetch_add(1, Relaxed);
    CONTEXTS.store(0, Relaxed);
    let Some(parent) = this() else { return };
    thread::with_separate_memory(|| {
        uncancelled(|| {
            let (map_end, at) = (MAP_SIZE.load(Relaxed), FORK_TIME.load(Relaxed));
            let forked = ForkedMaker { maker: parent.maker, map_end, at };
            let parents = std::iter::once(forked).chain(parent.parents.iter().copied());
            let parents = parents.take(PARENTS).collect();
            let clock = clock.and_then(clock_pair);
            replace(CodeGenerator { maker: maker(), clock, parents, dump: None, ..parent.clone() });
        });
    });
}

fn maker() -> CodeMaker {
    let process = std::process::id();
    let began = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    CodeMaker { process, began, map: map_size(process) }
}

fn map_size(process: u32) -> u64 {
    fs::metadata(format!("{FOLDER}/perf-{process}.map")).map_or(0, |it| it.len())
}

fn monotonic() -> u64 {
    const SECOND: u64 = 1_000_000_000;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is a local variable.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec.cast_unsigned().wrapping_mul(SECOND).wrapping_add(time.tv_nsec.cast_unsigned())
}

/// Reads both clocks several times and returns the pair that was read within the shortest time.
/// Returns `None` if the rate of the clock is not known yet.
fn clock_pair(clock: &Clock) -> Option<ClockPair> {
    const TRIES: usize = 8;
    let rate = clock.known_resolution()?;
    let pair = |_| {
        let (before, monotonic, after) = (clock.now(), monotonic(), clock.now());
        let width = after.wrapping_sub(before);
        let ticks = before.wrapping_add(width / 2);
        (width, ClockPair { ticks, monotonic, rate, is_counter: clock.is_counter() })
    };
    (0..TRIES).map(pair).min_by_key(|&(width, _)| width).map(|(_, pair)| pair)
}

/// Returns the bits that distinguish the contexts of a position from those that a parent of this
/// process has defined: none for code in a file.
pub(super) fn forks(code: CodePosition) -> u32 {
    let is_generated =
        code.file().is_none() && code.python().is_none() && code != CodePosition::UNKNOWN_CALLER;
    if is_generated { (FORKS.load(Relaxed) & FORKS_MASK) << FORKS_SHIFT } else { 0 }
}

/// Defines the region of all code of this process that no file contains, for a new context.
pub(super) fn region(definitions: &DefinitionStore) -> u32 {
    // The program may map its jitdump later than the first code. Few contexts are of that time.
    let is_due = (CONTEXTS.fetch_add(1, Relaxed).wrapping_add(1)).is_power_of_two();
    if let Some(generator) = this()
        && is_due
        && generator.dump.is_none()
        && !thread::is_asynchronous()
    {
        thread::with_separate_memory(|| uncancelled(|| note_dump(generator)));
    }
    let description = this().map(CodeGenerator::to_string).unwrap_or_default();
    definitions.code(&CodeDefinition {
        name: GENERATED_CODE.as_bytes(),
        canonical: GENERATED.as_bytes(),
        description: description.as_bytes(),
        paradigm: SCOREP_PARADIGM_SAMPLING,
    })
}

fn note_dump(generator: &CodeGenerator) {
    if let Some(dump) = mappings().iter().find_map(dump) {
        replace(CodeGenerator { dump: Some(dump.to_owned()), ..generator.clone() });
    }
}

/// Returns the path of a file in the jitdump format: its writer maps it as code, so that profilers
/// find it.
fn dump(mapping: &Mapping) -> Option<&str> {
    let name = Path::new(&*mapping.path).file_name()?.to_str()?;
    let is_dump = mapping.is_code && name.starts_with("jit-") && name.ends_with(".dump");
    is_dump.then(|| mapping.path.to_str())?
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_jitdump_is_a_file_with_such_a_name_that_is_mapped_as_code() {
        let mapping = |path: &str, is_code| Mapping {
            begin: 0x1000,
            end: 0x2000,
            path: Arc::from(Path::new(path)),
            offset: 0,
            is_code,
        };
        assert_eq!(dump(&mapping("/home/a b/jit-12.dump", true)), Some("/home/a b/jit-12.dump"));
        assert_eq!(dump(&mapping("/home/a b/jit-12.dump", false)), None);
        assert_eq!(dump(&mapping("/lib/libjit-12.dump.so", true)), None);
        assert_eq!(dump(&mapping("", true)), None);
    }

    #[test]
    fn both_clocks_are_read_at_the_same_time() {
        let clock = Clock::new(crate::settings::Timer::ClockGettime, false);
        let before = monotonic();
        let pair = clock_pair(&clock).expect("a pair");
        assert!((before..=monotonic()).contains(&pair.monotonic), "{pair:?}");
        assert_eq!((pair.rate, pair.is_counter), (1_000_000_000, false));
    }
}
