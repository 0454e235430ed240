//! The stack of a thread at its last event, of which a later event walks only what has changed.
//!
//! A walk is determined by its registers and by the words that it reads. Invariant: the frames from
//! one on are taken over only if the registers there are those of the last walk, and each word that
//! the last walk read from there on still has the same value.

use std::mem;
use std::ops::Range;

use framehop::{FrameAddress, UnwindRegsNative};

use super::code_file::CodePosition;
use super::handler::DEEPEST;
use super::modules::{Cache, Owner, StackFrame, Walking, read_stack};
use super::walked_frames::NativeFrame;

/// A frame of a walked stack.
#[derive(Debug, Clone, Copy)]
pub(super) struct WalkedFrame {
    pub(super) frame: StackFrame,
    pub(super) code: CodePosition,
    pub(super) owner: Owner,
    /// The stack pointer and the frame pointer in it.
    registers: (u64, u64),
    /// The number of words that were read for the frames inside of it.
    read: usize,
}

impl WalkedFrame {
    pub(super) fn native(&self) -> NativeFrame {
        NativeFrame { code: self.code, canonical: self.frame.canonical, owner: self.owner }
    }
}

/// A stack, and what it depends on.
#[derive(Debug, Default)]
struct Walk {
    /// The frames, the innermost first.
    frames: Vec<WalkedFrame>,
    /// The addresses and values of the words that were read.
    words: Vec<(u64, u64)>,
}

impl Walk {
    fn with_room() -> Self {
        // Most frames need two words. A stack with more is not taken over.
        Self { frames: Vec::with_capacity(DEEPEST), words: Vec::with_capacity(2 * DEEPEST) }
    }

    fn clear(&mut self) {
        self.frames.clear();
        self.words.clear();
    }

    /// Notes a word; returns `false` without room for it.
    fn note(&mut self, word: (u64, u64)) -> bool {
        let has_room = self.words.len() < self.words.capacity();
        if has_room {
            self.words.push(word);
        }
        has_room
    }
}

/// The last walk of a thread.
#[derive(Debug)]
pub(super) struct LastWalk {
    /// That of the list of modules; 0 if nothing of the walk may be taken over.
    generation: u64,
    walk: Walk,
    /// The one before, whose memory the next one uses.
    before: Walk,
}

impl LastWalk {
    pub(super) fn new() -> Self {
        Self { generation: 0, walk: Walk::with_room(), before: Walk::with_room() }
    }

    /// Forgets the walk.
    pub(super) fn forget(&mut self) {
        self.generation = 0;
    }

    /// Walks a stack from an address with these registers. Returns whether all of it is as at the
    /// last event.
    pub(super) fn walk(
        &mut self,
        walking: &Walking,
        address: u64,
        mut registers: UnwindRegsNative,
        cache: &mut Cache,
        stack: Option<&Range<u64>>,
    ) -> bool {
        let may_take_over = self.generation == walking.generation();
        let (last, next) = (&self.walk, &mut self.before);
        next.clear();
        let (mut at, mut place) = (FrameAddress::from_instruction_pointer(address), 0);
        let (mut is_complete, mut is_same) = (true, false);
        while next.frames.len() < DEEPEST {
            let (address, pointers) = (at.address_for_lookup(), pointers(&registers));
            if may_take_over && let Some(stack) = stack {
                let is_inner = |it: &WalkedFrame| it.registers.0 < pointers.0;
                place += last.frames.iter().skip(place).take_while(|it| is_inner(it)).count();
                if let Some(same) = last.frames.get(place)
                    && (same.frame.address, same.registers) == (address, pointers)
                    && holds(last.words.get(same.read..).unwrap_or_default(), stack)
                {
                    is_same = next.frames.is_empty();
                    is_complete &= is_same || take_over(last, place, next);
                    break;
                }
            }
            let read = next.words.len();
            let caller = walking.caller(at, &mut registers, cache, &mut |address| {
                let word = read_stack(stack, address)?;
                is_complete &= next.note((address, word));
                Ok(word)
            });
            let canonical = caller.map_or(StackFrame::OUTERMOST, |_| registers.sp());
            let (code, owner) = walking.code(address);
            let frame = StackFrame { address, canonical };
            next.frames.push(WalkedFrame { frame, code, owner, registers: pointers, read });
            match caller {
                Some(caller) => at = caller,
                None => break,
            }
        }
        if !is_same {
            mem::swap(&mut self.walk, &mut self.before);
            self.generation = if is_complete { walking.generation() } else { 0 };
        }
        is_same
    }

    /// Returns the frames, the innermost first.
    pub(super) fn frames(&self) -> &[WalkedFrame] {
        &self.walk.frames
    }
}

/// Returns whether words have the values that they had.
fn holds(words: &[(u64, u64)], stack: &Range<u64>) -> bool {
    let end = stack.end.saturating_sub(8);
    words.iter().all(|&(address, value)| {
        (stack.start..=end).contains(&address) && read_stack(Some(stack), address) == Ok(value)
    })
}

/// Appends the frames of a walk from a place on. Returns `false` without room for all of it.
fn take_over(last: &Walk, place: usize, next: &mut Walk) -> bool {
    let (Some(frames), Some(first)) = (last.frames.get(place..), last.frames.get(place)) else {
        return false;
    };
    let words = last.words.get(first.read..).unwrap_or_default();
    let has_room = next.frames.len() + frames.len() <= DEEPEST
        && next.words.len() + words.len() <= next.words.capacity();
    let moved = next.words.len();
    let moved = |it: &WalkedFrame| WalkedFrame { read: moved + (it.read - first.read), ..*it };
    let count = frames.len().min(DEEPEST - next.frames.len());
    next.frames.extend(frames.iter().take(count).map(moved));
    if has_room {
        next.words.extend_from_slice(words);
    }
    has_room
}

#[cfg(target_arch = "x86_64")]
fn pointers(registers: &UnwindRegsNative) -> (u64, u64) {
    (registers.sp(), registers.bp())
}

#[cfg(target_arch = "aarch64")]
fn pointers(registers: &UnwindRegsNative) -> (u64, u64) {
    (registers.sp(), registers.fp())
}
