//! Calling contexts: the definitions of the calls that samples and events found.
//!
//! A context is an instruction of a frame in the context of its caller. A region that was entered
//! by an event has one below the function that entered it, and functions that it calls are below
//! that. Invariants: a context is defined once, when a sample or an event first finds it, with its
//! place in the file; nothing else is known about it while the program runs, so its region is a
//! [placeholder](kymo_symbols::placeholder); nothing here waits for a lock that an interrupted
//! thread of the program may hold, so that it runs in signal handlers, too.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use kymo_substrate::bindings::SCOREP_PARADIGM_SAMPLING;
use kymo_symbols::placeholder::FramePart;

use super::code_file::{CodeFile, CodePosition, CodeRole};
use super::context_table::{self, ContextKey};
use super::generated_code;
use super::python;
use super::walked_frames::POSITIONS;
use crate::definitions::{CodeDefinition, DefinitionStore};
use crate::host::Host;
use crate::message::report;

/// Marks the callee of a context as a part of a frame. Handles of regions are less.
const FRAME: u32 = 1 << 31;
/// Marks it as the last frame of a stack.
const LAST: u32 = 1 << 30;
/// The name of the region of all functions that are not known, but have called others.
const UNKNOWN_CALLER: &str = "[unknown caller]";

/// The calling contexts of a stack below an open region, the outermost first.
#[derive(Debug)]
pub(super) struct Path {
    /// The context of the region; none if no region is open.
    base: ContextPlace,
    steps: Vec<Step>,
}

impl Path {
    pub(super) fn new() -> Self {
        Self { base: ContextPlace::default(), steps: Vec::with_capacity(POSITIONS) }
    }

    pub(super) fn forget(&mut self) {
        self.base = ContextPlace::default();
        self.steps.clear();
    }
}

/// An instruction of a stack, with its context.
#[derive(Debug, Clone, Copy)]
struct Step {
    code: CodePosition,
    part: FramePart,
    place: ContextPlace,
}

/// A context and the number of contexts up to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ContextPlace {
    pub(super) context: u32,
    pub(super) depth: u32,
}

/// A stack up to the frame that has entered the innermost open region on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walked<'a> {
    /// The context of that region; none if there is no such region.
    pub(super) base: ContextPlace,
    /// The instructions of its frames, the innermost first.
    pub(super) frames: &'a [CodePosition],
    /// The last one is in the frame that has entered the region.
    pub(super) has_base: bool,
}

impl Walked<'_> {
    /// Returns the instructions, the outermost first, with their parts.
    fn steps(&self, omits_innermost: bool) -> impl Iterator<Item = (CodePosition, FramePart)> {
        let last = self.frames.len().saturating_sub(1);
        self.frames.iter().enumerate().rev().map(move |(number, &code)| {
            let is_inside = self.has_base && number == last;
            (code, FramePart { is_inside, omits_innermost: omits_innermost && number == 0 })
        })
    }
}

/// Makes `path` that of a stack, and returns its innermost context. With `omits_innermost`, it is
/// the context of the caller of the innermost function.
pub(super) fn follow(host: &Host, path: &mut Path, stack: Walked<'_>, omits_innermost: bool) -> ContextPlace {
    if path.base != stack.base {
        path.steps.clear();
        path.base = stack.base;
    }
    let steps = || stack.steps(omits_innermost);
    let is_same =
        |(step, (code, part)): &(&Step, (CodePosition, FramePart))| step.code == *code && step.part == *part;
    let same = path.steps.iter().zip(steps()).take_while(is_same).count();
    path.steps.truncate(same);
    let mut at = path.steps.last().map_or(path.base, |step| step.place);
    for (code, part) in steps().skip(same) {
        at = called(&host.definitions, at, code, part, false);
        path.steps.push(Step { code, part, place: at });
    }
    // All of it may be code that starts programs, as at the beginning of one.
    if let (0, Some(step)) = (at.context, path.steps.last_mut()) {
        at = called(&host.definitions, at, step.code, step.part, true);
        step.place = at;
    }
    at
}

/// Returns the context of a region that an event enters, at the instruction of its call. Returns
/// `None` if it cannot be defined.
pub(super) fn entered(
    host: &Host,
    caller: ContextPlace,
    region: u32,
    code: CodePosition,
) -> Option<ContextPlace> {
    let key = ContextKey { caller: caller.context, callee: region, code };
    let context = known_or_new(&host.definitions, key, || region)?;
    Some(ContextPlace { context, depth: caller.depth + 1 })
}

/// Returns the context of an instruction that was called from `caller`. Code that starts programs
/// has none of its own, unless it is the last of its stack, nor has this library.
fn called(
    definitions: &DefinitionStore,
    caller: ContextPlace,
    code: CodePosition,
    part: FramePart,
    is_last: bool,
) -> ContextPlace {
    let is_left_out = match code.role() {
        CodeRole::Program => false,
        CodeRole::Starter => caller.context == 0,
        CodeRole::Runtime => true,
    };
    if is_left_out && !is_last {
        return caller;
    }
    let last = if is_last { LAST } else { 0 };
    let callee = FRAME | last | generated_code::forks(code) | part.number() as u32;
    let key = ContextKey { caller: caller.context, callee, code };
    let context = known_or_new(definitions, key, || match (code.python(), code.file()) {
        (Some((function, _)), _) => python::region(definitions, function),
        (None, Some(file)) => file.region(definitions, part),
        (None, None) if code == CodePosition::UNKNOWN_CALLER => unknown_caller(definitions),
        (None, None) => generated_code::region(definitions),
    });
    // Without memory for definitions, the caller stands for its callees.
    context.map_or(caller, |context| ContextPlace { context, depth: caller.depth + 1 })
}

fn known_or_new(definitions: &DefinitionStore, key: ContextKey, region: impl FnOnce() -> u32) -> Option<u32> {
    context_table::find(key).or_else(|| {
        if !context_table::has_room() {
            report_full();
            return None;
        }
        let defined = |handle: &u32| *handle != 0;
        let (instruction, line) = defined_place(definitions, key.code)?;
        let region = Some(region()).filter(defined)?;
        let context = definitions.calling_context(instruction, region, line, key.caller);
        Some(context).filter(defined).and_then(|context| context_table::add(key, context).or(Some(context)))
    })
}

/// Returns the definitions of a position: an instruction, or a line of a function of Python.
fn defined_place(definitions: &DefinitionStore, code: CodePosition) -> Option<((u64, u64, u32), u32)> {
    if let Some((function, line)) = code.python() {
        return Some(((0, 0, 0), python::source_line(definitions, function, line)));
    }
    if code == CodePosition::UNKNOWN_CALLER {
        return Some(((0, 0, 0), 0));
    }
    let path = |file: &CodeFile| Some(file.path(definitions)).filter(|&path| path != 0);
    let file = code.file().map_or(Some(0), path)?;
    Some(((code.address(), code.address(), file), 0))
}

/// States once that further contexts have no place.
#[cold]
fn report_full() {
    static IS_REPORTED: AtomicBool = AtomicBool::new(false);
    if !IS_REPORTED.swap(true, Relaxed) {
        report(format_args!(
            "there is room for {} call paths: further ones end at a caller that has one",
            context_table::capacity()
        ));
    }
}

/// Defines the region of all functions that are not known, but have called others.
fn unknown_caller(definitions: &DefinitionStore) -> u32 {
    definitions.code(&CodeDefinition {
        name: UNKNOWN_CALLER.as_bytes(),
        canonical: UNKNOWN_CALLER.as_bytes(),
        description: b"",
        paradigm: SCOREP_PARADIGM_SAMPLING,
    })
}
