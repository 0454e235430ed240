//! Calling contexts: the definitions of what samples found.
//!
//! A context is an instruction of a function in the context of its caller; functions that the
//! compiler inlined have contexts of their own. A region that was entered by an event has one below
//! the function that entered it, and what it calls is below that. Invariant: a context is defined
//! once, when a sample or an event first finds it, with its file, line and place in the module.

use std::collections::HashMap;
use std::ops::Range;
use std::panic;
use std::path::Path as FilePath;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use kymo_substrate::bindings::{SCOREP_PARADIGM_SAMPLING, SCOREP_REGION_FUNCTION};
use kymo_symbols::{FunctionFrame, Instruction, Symbols};

use crate::definitions::{DefinitionStore, RegionDefinition};
use crate::demangler;
use crate::host::Host;
use crate::plugins::own_file;
use crate::processes::has_allocator;

/// The calling contexts of a stack below an open region, the outermost first.
#[derive(Debug, Default)]
pub(super) struct Path {
    /// The context of the region; none if no region is open.
    base: Place,
    steps: Vec<Step>,
    /// The number of times that addresses had been forgotten.
    forgotten: u64,
}

/// An address of a stack, with the context of its function.
#[derive(Debug, Clone, Copy)]
struct Step {
    address: u64,
    part: InstructionPart,
    place: Place,
}

/// Which of the functions that contain an instruction have contexts there: the function of the
/// frame and those that the compiler inlined into it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
struct InstructionPart {
    /// Only those that were called since the region of the frame was entered.
    is_inside: bool,
    /// Not the innermost one: it is the region that is entered.
    omits_innermost: bool,
}

/// A context and the number of contexts up to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) context: u32,
    pub(super) depth: u32,
}

/// An instruction, as contexts need it.
#[derive(Debug)]
struct Known {
    /// What the files state about it; `None` without a file.
    found: Option<Instruction>,
    kind: CodeKind,
    defined: Option<Defined>,
}

/// The definitions for an instruction. They are made when the first context needs them.
#[derive(Debug)]
struct Defined {
    /// The functions that contain it, the outermost first, and the lines in them.
    functions: Vec<(u32, u32)>,
    /// The name of the module.
    file: u32,
    /// The address in the module, or in memory without a module.
    offset: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CodeKind {
    /// Code of the program.
    Program,
    /// Code that can start the program or a thread.
    Starter,
    /// Code of this library.
    Runtime,
}

/// The contexts that are defined, and what they are made of.
#[derive(Debug, Default)]
pub(crate) struct Contexts {
    forgotten: u64,
    symbols: Symbols,
    instructions: HashMap<u64, Known>,
    /// The places by caller and address.
    places: HashMap<(u32, u64, InstructionPart), Place>,
    /// The contexts of regions that events enter, by caller, region and address of the call.
    entered: HashMap<(u32, u32, u64), u32>,
    /// The callers and regions of these contexts, and the addresses of the calls.
    origins: HashMap<u32, (u32, u32, u64)>,
}

static CONTEXTS: Mutex<Option<Contexts>> = Mutex::new(None);
/// How often addresses have been forgotten.
static FORGOTTEN: AtomicU64 = AtomicU64::new(0);

pub(super) type Hold = MutexGuard<'static, Option<Contexts>>;

/// Keeps contexts from being defined.
pub(super) fn hold() -> Hold {
    CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Like [`hold`], but only waits for a thread that defines something if this one may do so, too:
/// otherwise it may itself hold a lock that the other one needs for that.
fn hold_if(may_define: &impl Fn() -> bool) -> Option<Hold> {
    match CONTEXTS.try_lock() {
        Ok(contexts) => Some(contexts),
        Err(TryLockError::Poisoned(contexts)) => Some(contexts.into_inner()),
        Err(TryLockError::WouldBlock) => may_define().then(hold),
    }
}

/// Forgets what was at addresses at which other code may be from now on.
pub(super) fn forget_addresses(ranges: &[Range<u64>]) {
    if let Some(contexts) = hold().as_mut().filter(|_| !ranges.is_empty()) {
        let stays = |address: &u64| !ranges.iter().any(|range| range.contains(address));
        contexts.instructions.retain(|address, _| stays(address));
        contexts.places.retain(|(_, address, _), _| stays(address));
        contexts.entered.retain(|(_, _, address), _| stays(address));
        contexts.symbols.forget();
        contexts.forgotten += 1;
        FORGOTTEN.store(contexts.forgotten, Relaxed);
    }
}

/// A stack up to the frame that has entered the innermost open region on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walked<'a> {
    /// The context of that region; none if there is no such region.
    pub(super) base: Place,
    /// The addresses of its frames, the innermost first.
    pub(super) addresses: &'a [u64],
    /// The last address is in the frame that has entered the region.
    pub(super) has_base: bool,
}

impl Walked<'_> {
    /// Returns the addresses, the outermost first, with their parts.
    fn steps(&self, omits_innermost: bool) -> impl Iterator<Item = (u64, InstructionPart)> {
        let last = self.addresses.len().saturating_sub(1);
        self.addresses.iter().enumerate().rev().map(move |(number, &address)| {
            let is_inside = self.has_base && number == last;
            (address, InstructionPart { is_inside, omits_innermost: omits_innermost && number == 0 })
        })
    }
}

/// Makes `path` that of a stack, and returns its innermost context. With `omits_innermost`, it is
/// the context of the caller of the innermost function. Returns `None`, with part of the path, if
/// something must be defined for it and `may_define` refuses that.
pub(super) fn follow(
    host: &Host,
    path: &mut Path,
    stack: Walked<'_>,
    omits_innermost: bool,
    may_define: impl Fn() -> bool,
) -> Option<Place> {
    let mut contexts = hold_if(&may_define)?;
    let contexts = contexts.get_or_insert_default();
    if path.forgotten != contexts.forgotten || path.base != stack.base {
        path.steps.clear();
        (path.base, path.forgotten) = (stack.base, contexts.forgotten);
    }
    let steps = || stack.steps(omits_innermost);
    let is_same = |(step, (address, part)): &(&Step, (u64, InstructionPart))| {
        step.address == *address && step.part == *part
    };
    let same = path.steps.iter().zip(steps()).take_while(is_same).count();
    path.steps.truncate(same);
    let mut at = path.steps.last().map_or(path.base, |step| step.place);
    let mut is_allowed = None;
    for (address, part) in steps().skip(same) {
        let is_known = path.steps.len() < path.steps.capacity() && contexts.knows(at, address, part);
        if !is_known && !*is_allowed.get_or_insert_with(&may_define) {
            return None;
        }
        at = contexts.place(&host.definitions, at, address, part, false);
        path.steps.push(Step { address, part, place: at });
    }
    // All of it may be code that starts programs, as at the beginning of one.
    if let (0, Some(step)) = (at.context, path.steps.last_mut()) {
        if !is_allowed.unwrap_or_else(may_define) {
            return None;
        }
        at = contexts.place(&host.definitions, at, step.address, step.part, true);
        step.place = at;
    }
    Some(at)
}

/// Returns whether no address of a path has been forgotten.
pub(super) fn is_current(path: &Path) -> bool {
    path.forgotten == FORGOTTEN.load(Relaxed)
}

/// Returns the context of a region that an event enters, at the address of its call. Returns `None`
/// if it must be defined and `may_define` refuses that.
pub(super) fn entered(
    host: &Host,
    caller: Place,
    region: u32,
    address: u64,
    may_define: impl Fn() -> bool,
) -> Option<Place> {
    let mut contexts = hold_if(&may_define)?;
    let contexts = contexts.get_or_insert_default();
    let key = (caller.context, region, address);
    let context = match contexts.entered.get(&key) {
        Some(known) => *known,
        None if !may_define() => return None,
        None => contexts.define_entered(&host.definitions, key),
    };
    (context != 0).then_some(Place { context, depth: caller.depth + 1 })
}

/// Returns the context of a region that is open, as `base`, at another of its instructions.
pub(super) fn at_instruction(host: &Host, base: Place, address: u64) -> Place {
    let origin = hold().as_ref().and_then(|contexts| contexts.origins.get(&base.context).copied());
    let Some((caller, region, _)) = origin else { return base };
    let caller = Place { context: caller, depth: base.depth.saturating_sub(1) };
    entered(host, caller, region, address, || true).unwrap_or(base)
}

impl Contexts {
    /// Returns the place of an address that was called from `caller`. Code that starts programs has
    /// none of its own, unless it is the `last` of its stack, nor has this library.
    fn place(
        &mut self,
        definitions: &DefinitionStore,
        caller: Place,
        address: u64,
        part: InstructionPart,
        is_last: bool,
    ) -> Place {
        let key = (caller.context, address, part);
        if let Some(&known) = self.places.get(&key).filter(|_| !is_last) {
            return Place { depth: caller.depth + known.depth, ..known };
        }
        let outer =
            if part.is_inside { self.functions_around(definitions, caller.context, address) } else { 0 };
        let known = self.instruction(address);
        let is_left_out = match known.kind {
            CodeKind::Program => false,
            CodeKind::Starter => caller.context == 0 && !is_last,
            CodeKind::Runtime => !is_last,
        };
        let mut place = Place { context: caller.context, depth: 0 };
        let defined = (!is_left_out).then(|| known.define(definitions, address));
        let functions = defined.as_ref().map_or(&[][..], |defined| &defined.functions);
        let inner = usize::from(part.omits_innermost);
        for &(region, line) in functions.iter().take(functions.len().saturating_sub(inner)).skip(outer) {
            let instruction = defined.map_or((address, 0, 0), |it| (address, it.offset, it.file));
            // Without memory for definitions, the caller stands for what it calls.
            match definitions.calling_context(instruction, region, line, place.context) {
                0 => break,
                context => place = Place { context, depth: place.depth + 1 },
            }
        }
        if !is_last {
            self.places.insert(key, place);
        }
        Place { depth: caller.depth + place.depth, ..place }
    }

    /// Returns whether the place of an address that was called from `caller` is known.
    fn knows(&self, caller: Place, address: u64, part: InstructionPart) -> bool {
        self.places.contains_key(&(caller.context, address, part))
    }

    /// Returns how many of the functions that contain an address are around the region that was
    /// entered with this context, in the same frame: those that contain the address of its call,
    /// too.
    fn functions_around(&mut self, definitions: &DefinitionStore, context: u32, address: u64) -> usize {
        match self.origins.get(&context).copied() {
            Some((_, _, entry)) if entry != 0 => {
                let around = self.instruction(entry).define(definitions, entry).functions.clone();
                let functions = &self.instruction(address).define(definitions, address).functions;
                around.iter().zip(functions).take_while(|((region, _), (other, _))| region == other).count()
            }
            _ => usize::MAX,
        }
    }

    fn define_entered(&mut self, definitions: &DefinitionStore, key: (u32, u32, u64)) -> u32 {
        let (caller, region, address) = key;
        let (line, file, offset) = match address {
            0 => (0, 0, 0),
            address => self.instruction(address).define(definitions, address).innermost(),
        };
        let context = definitions.calling_context((address, offset, file), region, line, caller);
        self.entered.insert(key, context);
        self.origins.insert(context, (caller, region, address));
        context
    }

    fn instruction(&mut self, address: u64) -> &mut Known {
        let Self { symbols, instructions, .. } = self;
        instructions.entry(address).or_insert_with(|| {
            // Symbols come from files of any origin, so a panic must be caught.
            let find = panic::AssertUnwindSafe(|| symbols.instruction(address));
            Known::new(panic::catch_unwind(find).ok().flatten())
        })
    }
}

impl Known {
    fn new(found: Option<Instruction>) -> Self {
        let kind = found.as_ref().map_or(CodeKind::Program, kind);
        Self { found, kind, defined: None }
    }

    fn define(&mut self, definitions: &DefinitionStore, address: u64) -> &Defined {
        self.defined.get_or_insert_with(|| Defined::new(definitions, address, self.found.as_ref()))
    }
}

fn kind(instruction: &Instruction) -> CodeKind {
    let Instruction { module, frames, .. } = instruction;
    let is_start = frames.last().is_some_and(|outermost| outermost.function.mangled == "_start");
    match own_file().is_some_and(|own| *own == **module) {
        true => CodeKind::Runtime,
        false if is_start || has_allocator(module) => CodeKind::Starter,
        false => CodeKind::Program,
    }
}

impl Defined {
    fn new(definitions: &DefinitionStore, address: u64, found: Option<&Instruction>) -> Self {
        let Some(Instruction { module, offset, frames }) = found else {
            let region = unnamed(definitions, "generated code");
            return Self { functions: vec![(region, 0)], file: 0, offset: address };
        };
        let frames = frames.iter().rev().filter(|frame| !is_of_own_header(frame));
        let mut functions: Vec<_> = frames.map(|frame| function(definitions, frame)).collect();
        if functions.is_empty() {
            functions.push((unnamed(definitions, &name_of(module)), 0));
        }
        let file = definitions.string(module.as_os_str().as_encoded_bytes());
        Self { functions, file, offset: *offset }
    }
}

impl Defined {
    /// Returns the line of the innermost function, the name of the module and the address in it.
    fn innermost(&self) -> (u32, u32, u64) {
        (self.functions.last().map_or(0, |(_, line)| *line), self.file, self.offset)
    }
}

/// Whether a function is one of those that mark regions in the source of the program, which are in
/// our headers. The compiler has inlined it.
fn is_of_own_header(frame: &FunctionFrame) -> bool {
    const HEADERS: [&str; 2] = ["/kymo/user.h", "/scorep/SCOREP_User.h"];
    let file = frame.function.file.as_deref().unwrap_or_default();
    HEADERS.iter().any(|header| file.ends_with(header))
}

fn name_of(module: &FilePath) -> String {
    module.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Defines a function, and the line in it.
fn function(definitions: &DefinitionStore, frame: &FunctionFrame) -> (u32, u32) {
    let function = &frame.function;
    let name = demangler::demangled(&function.name);
    let region = definitions.region(&RegionDefinition {
        name: name.as_ref().unwrap_or(&function.name).as_bytes(),
        canonical: function.mangled.as_bytes(),
        file: function.file.as_deref().map(str::as_bytes),
        begin: function.line,
        end: 0,
        paradigm: SCOREP_PARADIGM_SAMPLING,
        region_type: SCOREP_REGION_FUNCTION,
    });
    let line = match &frame.file {
        Some(file) if frame.line > 0 => definitions.source_code_location(file.as_bytes(), frame.line),
        _ => 0,
    };
    (region, line)
}

/// Defines the region of all code without a name in a file.
fn unnamed(definitions: &DefinitionStore, file: &str) -> u32 {
    let name = format!("[{file}]");
    definitions.region(&RegionDefinition {
        name: name.as_bytes(),
        canonical: name.as_bytes(),
        file: None,
        begin: 0,
        end: 0,
        paradigm: SCOREP_PARADIGM_SAMPLING,
        region_type: SCOREP_REGION_FUNCTION,
    })
}
