//! The stack of a thread at its last event or sample, of which the next one walks only the frames
//! that have changed.
//!
//! A walk is determined by its registers and by the words that it reads. Invariant: the frames from
//! one on are taken over only if the registers there are those of the last walk, and each word that
//! the last walk read from there on still has the same value.

use std::mem;
use std::ops::Range;

use super::code_file::CodePosition;
use super::handler::DEEPEST;
use super::modules::{CodeAt, Owner, StackFrame, Walking, read_stack};
use super::python::is_evaluator;
use super::unwinding::{AllRegisters, Cache, FrameRegisters, WalkEnd};
use super::walked_frames::NativeFrame;

/// A frame of a walked stack.
#[derive(Debug, Clone, Copy)]
pub(super) struct WalkedFrame {
    pub(super) frame: StackFrame,
    pub(super) code: CodePosition,
    pub(super) owner: Owner,
    /// Its file contains an allocator, or may hold a lock that an allocator needs.
    pub(super) is_delicate: bool,
    registers: FrameRegisters,
    /// The number of words that were read for the frames inside of it.
    read: usize,
}

impl WalkedFrame {
    pub(super) fn native(&self) -> NativeFrame {
        NativeFrame {
            code: self.code,
            canonical: self.frame.canonical,
            owner: self.owner,
            is_evaluator: self.owner == Owner::Interpreter && is_evaluator(self.frame.address),
        }
    }
}

/// A stack, and the words that it depends on.
#[derive(Debug, Default)]
struct Walk {
    /// The frames, the innermost first.
    frames: Vec<WalkedFrame>,
    /// The addresses and values of the words that were read.
    words: Vec<(u64, u64)>,
    /// The caller of the last frame is not known.
    has_unknown_caller: bool,
}

impl Walk {
    fn with_room() -> Self {
        // Most frames need two words. A stack with more is not taken over.
        Self {
            frames: Vec::with_capacity(DEEPEST),
            words: Vec::with_capacity(2 * DEEPEST),
            has_unknown_caller: true,
        }
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

    /// Walks a stack from these registers on, up to a frame for which `is_last` returns true.
    /// Returns whether all of it is as at the last time.
    pub(super) fn walk(
        &mut self,
        walking: &Walking,
        start: &AllRegisters,
        cache: &mut Cache,
        stack: Option<&Range<u64>>,
        is_last: impl Fn(&WalkedFrame) -> bool,
    ) -> bool {
        let may_take_over = self.generation == walking.generation();
        let (last, next) = (&self.walk, &mut self.before);
        next.clear();
        let mut walker = walking.walker(cache, start);
        let (mut place, mut is_complete, mut is_same, mut is_taken_over) = (0, true, false, false);
        while next.frames.len() < DEEPEST
            && let Some(at) = walker.registers()
        {
            let address = at.instruction();
            if may_take_over && let Some(stack) = stack {
                let is_inner = |it: &WalkedFrame| it.registers.stack < at.stack;
                place += last.frames.iter().skip(place).take_while(|it| is_inner(it)).count();
                if let Some(same) = last.frames.get(place)
                    && same.registers == at
                    && holds(last.words.get(same.read..).unwrap_or_default(), stack)
                {
                    // Calls inside of it are gone.
                    is_same = next.frames.is_empty() && place == 0;
                    is_complete &= is_same || take_over(last, place, next);
                    is_taken_over = true;
                    break;
                }
            }
            let read = next.words.len();
            let canonical = walker.leave(&mut |address| {
                let word = read_stack(stack, address)?;
                is_complete &= next.note((address, word));
                Ok(word)
            });
            let CodeAt { position: code, owner, is_delicate } = walking.code(address);
            let frame = StackFrame { address, canonical: canonical.unwrap_or(StackFrame::OUTERMOST) };
            let walked = WalkedFrame { frame, code, owner, is_delicate, registers: at, read };
            next.frames.push(walked);
            if is_last(&walked) {
                break;
            }
        }
        if !is_taken_over {
            next.has_unknown_caller = walker.end() == WalkEnd::Unknown;
        }
        is_complete &= !walker.has_used_all();
        if !is_same {
            mem::swap(&mut self.walk, &mut self.before);
            self.generation = if is_complete { walking.generation() } else { 0 };
        }
        is_same
    }

    /// Returns whether something that is not known has called the last frame.
    pub(super) fn has_unknown_caller(&self) -> bool {
        self.walk.has_unknown_caller
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
    next.has_unknown_caller = last.has_unknown_caller || count < frames.len();
    has_room
}
