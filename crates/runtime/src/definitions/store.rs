//! All definitions of the process, and how they are found and announced.

use crate::arena::{Arena, Fill};
use crate::message::report;
use crate::plugins::Plugins;
use crate::thread::{self, Defining};
use kymo_substrate::bindings::*;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

pub(super) const NEXT: usize = 0;
pub(crate) const UNIFIED: usize = 4;
const CHAIN: usize = 8;
pub(super) const HASH: usize = 12;
pub(super) const NUMBER: usize = 16;
/// Whether a sampling set is scoped.
pub(super) const IS_SCOPED: usize = 20;
/// The offset of the body.
pub(crate) const BODY: usize = 20;

/// All definitions, and the plugins to which they are announced.
#[derive(Debug)]
pub(crate) struct DefinitionStore {
    pub(crate) arena: &'static Arena,
    pub(super) plugins: &'static Plugins,
    state: Mutex<DefinitionState>,
}

/// The state of the definitions. It outlives the measurement in a child made by `fork`, which
/// continues to use the handles of its parent.
#[derive(Debug, Default)]
pub(crate) struct DefinitionState {
    pub(super) fill: Fill,
    /// The newest definition for each kind and hash.
    pub(super) chains: BTreeMap<(u32, u32), u32>,
    pub(super) numbers: BTreeMap<u32, u32>,
    /// Handles and kinds, in the order of announcement.
    pub(crate) announced: Vec<(u32, u32)>,
    is_full: bool,
    /// Everything is unified; nothing can be defined any more.
    pub(super) is_closed: bool,
}

/// The state of the definitions, while no other thread can define anything.
#[derive(Debug)]
pub(crate) struct LockedDefinitions<'a> {
    state: MutexGuard<'a, DefinitionState>,
    /// Dropped after the lock. `None` if the thread was defining something before.
    _defining: Option<Defining>,
}

impl Deref for LockedDefinitions<'_> {
    type Target = DefinitionState;

    fn deref(&self) -> &DefinitionState {
        &self.state
    }
}

impl DerefMut for LockedDefinitions<'_> {
    fn deref_mut(&mut self) -> &mut DefinitionState {
        &mut self.state
    }
}

/// How often a thread that must not wait for the lock lets others run before it gives up.
const TRIES: usize = 200;

/// Kinds that a child made by `fork` defines again.
const OF_ONE_PROCESS: [u32; 10] = [
    SCOREP_HANDLE_TYPE_LOCATION,
    SCOREP_HANDLE_TYPE_LOCATION_PROPERTY,
    SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR,
    SCOREP_HANDLE_TYPE_PARADIGM,
    SCOREP_HANDLE_TYPE_IO_PARADIGM,
    SCOREP_HANDLE_TYPE_GROUP,
    SCOREP_HANDLE_TYPE_RMA_WINDOW,
    SCOREP_HANDLE_TYPE_IO_HANDLE,
    SCOREP_HANDLE_TYPE_CARTESIAN_TOPOLOGY,
    SCOREP_HANDLE_TYPE_CARTESIAN_COORDS,
];

impl DefinitionState {
    /// Returns the part that a child keeps and must announce to its own plugins.
    pub(crate) fn inherited(mut self, arena: &Arena) -> Self {
        self.announced.retain(|(_, kind)| !OF_ONE_PROCESS.contains(kind));
        self.forget_scoped_sets(arena);
        self.numbers.retain(|kind, _| !OF_ONE_PROCESS.contains(kind));
        self.chains.retain(|(kind, _), _| !OF_ONE_PROCESS.contains(kind));
        self
    }

    /// Forgets the sampling sets of locations of the parent, and numbers the others again.
    fn forget_scoped_sets(&mut self, arena: &Arena) {
        const KIND: u32 = SCOREP_HANDLE_TYPE_SAMPLING_SET;
        let is_scoped = |handle| arena.bytes(handle, IS_SCOPED, 1) == [1];
        self.announced.retain(|&(handle, kind)| kind != KIND || !is_scoped(handle));
        let mut count = 0;
        for &(handle, _) in self.announced.iter().filter(|(_, kind)| *kind == KIND) {
            arena.set_word(handle, NUMBER, count);
            count += 1;
        }
        if count > 0 {
            self.numbers.insert(KIND, count);
        } else {
            self.numbers.remove(&KIND);
        }
    }

    /// Returns the number of the next definition of a kind.
    pub(crate) fn next_number(&mut self, kind: u32) -> u32 {
        let number = self.numbers.entry(kind).or_default();
        *number += 1;
        *number - 1
    }

    /// Finds a definition of `kind` whose body has the same bytes in `parts`.
    fn find(&self, arena: &Arena, kind: u32, hash: u32, body: &[u8], parts: &[Range<usize>]) -> Option<u32> {
        let first = *self.chains.get(&(kind, hash))?;
        let mut chain = std::iter::successors(Some(first), |&handle| Some(arena.word(handle, CHAIN)))
            .take_while(|&handle| handle != 0);
        chain.find(|&handle| {
            parts.iter().all(|part| arena.bytes(handle, BODY + part.start, part.len()) == &body[part.clone()])
        })
    }

    fn add(&mut self, arena: &Arena, kind: u32, hash: u32, body: &[u8]) -> Option<u32> {
        let handle = arena.allocate(&mut self.fill, BODY + body.len())?;
        let number = self.next_number(kind);
        arena.set_word(handle, NUMBER, number);
        arena.set_word(handle, HASH, hash);
        arena.set_word(handle, CHAIN, self.chains.insert((kind, hash), handle).unwrap_or(0));
        arena.fill(handle, BODY, body);
        Some(handle)
    }
}

impl DefinitionStore {
    pub(crate) fn new(arena: &'static Arena, plugins: &'static Plugins, inherited: DefinitionState) -> Self {
        Self { arena, plugins, state: Mutex::new(inherited) }
    }

    /// Announces the inherited definitions to the plugins.
    pub(crate) fn announce_inherited(&self) {
        for &(handle, kind) in &self.lock().announced {
            self.plugins.announce(handle, kind);
        }
    }

    /// Waits for the lock. Memory that the plugins allocate meanwhile is not the program's, and no
    /// sample is recorded, since its definitions would need the lock.
    pub(crate) fn lock(&self) -> LockedDefinitions<'_> {
        let defining = Defining::enter();
        LockedDefinitions {
            state: self.state.lock().unwrap_or_else(PoisonError::into_inner),
            _defining: defining,
        }
    }

    /// Waits for the lock. Returns `None` if the thread has it, as in a signal handler that
    /// interrupted a definition, or if it must not wait for as long as another one needs it.
    pub(crate) fn lock_to_define(&self) -> Option<LockedDefinitions<'_>> {
        let defining = Defining::enter()?;
        let locked = |state| LockedDefinitions { state, _defining: Some(defining) };
        if !thread::is_impatient() {
            return Some(locked(self.state.lock().unwrap_or_else(PoisonError::into_inner)));
        }
        // A definition that refers to one that was refused is refused, too.
        if thread::is_refused() {
            return None;
        }
        for _ in 0..TRIES {
            match self.state.try_lock() {
                Ok(state) => return Some(locked(state)),
                Err(TryLockError::Poisoned(state)) => return Some(locked(state.into_inner())),
                Err(TryLockError::WouldBlock) => std::thread::yield_now(),
            }
        }
        thread::set_refused();
        None
    }

    /// Returns a definition of `kind` with this body: an existing one if its `parts` are equal,
    /// else a new one. With empty `parts` it is always new. Returns 0 if no memory is left, and in
    /// a signal handler that interrupted its thread in this module.
    pub(crate) fn define(&self, kind: u32, body: &[u8], parts: &[Range<usize>]) -> u32 {
        let hash = hash(body, parts);
        let Some(mut state) = self.lock_to_define() else { return 0 };
        if state.is_closed {
            return 0;
        }
        let known = if parts.is_empty() { None } else { state.find(self.arena, kind, hash, body, parts) };
        known.unwrap_or_else(|| {
            let added = state.add(self.arena, kind, hash, body);
            self.announce(&mut state, added, kind)
        })
    }

    /// Announces a definition and returns its handle; returns 0 if no memory was left for it.
    pub(super) fn announce(&self, state: &mut DefinitionState, handle: Option<u32>, kind: u32) -> u32 {
        if let Some(handle) = handle {
            state.announced.push((handle, kind));
            self.plugins.announce(handle, kind);
        } else if !std::mem::replace(&mut state.is_full, true) {
            report(format_args!(
                "definitions need more memory than SCOREP_TOTAL_MEMORY allows; the rest is not recorded"
            ));
        }
        handle.unwrap_or(0)
    }

    /// Defines a paradigm, whose structure has no header.
    pub(crate) fn define_headless(&self, kind: u32, size: usize, fill: impl FnOnce(&Arena, u32)) -> u32 {
        let Some(mut state) = self.lock_to_define() else { return 0 };
        if state.is_closed {
            return 0;
        }
        let handle = self.arena.allocate(&mut state.fill, size);
        if let Some(handle) = handle {
            fill(self.arena, handle);
        }
        self.announce(&mut state, handle, kind)
    }

    /// Returns the number of a definition among those of its kind.
    pub(crate) fn number(&self, handle: u32) -> u32 {
        self.arena.word(handle, NUMBER)
    }
}

/// Returns the hash of the parts that identify a definition (FNV-1a).
fn hash(body: &[u8], parts: &[Range<usize>]) -> u32 {
    let bytes = parts.iter().flat_map(|part| &body[part.clone()]);
    bytes.fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
