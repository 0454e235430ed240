//! The walk along the calls of a stack.
//!
//! A call is left by the rule of its instruction, which a cache keeps. Invariants: an address is
//! taken for that of a caller only if it follows a call in code that is known; all else ends the
//! walk, as [`WalkEnd::Unknown`]. Nothing is allocated.

use super::code::{bare_rules, follows_call};
use super::evaluation::{Failure, RowInformation};
use super::information::{RowContext, UnwindInformation};
use super::registers::{AllRegisters, FrameRegisters, number};
use super::rule::{BareRules, CallerRule};

/// The number of rules that a cache has room for.
const RULES: usize = 512;
/// How often a walk is repeated for registers of inner calls, at most: hardly any needs it once.
const MOST_AGAIN: usize = 8;

/// The known properties of code.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct KnownCode<'a> {
    pub(in super::super) information: Option<&'a UnwindInformation>,
    /// The code stays as it is while the source has its generation.
    pub(in super::super) is_constant: bool,
}

/// A source of the code that stacks lead through.
pub(in super::super) trait CodeSource {
    /// Returns the known properties of the code at an address; `None` for an address of no code.
    fn code(&self, address: u64) -> Option<KnownCode<'_>>;

    /// Returns whether signal handlers return to an address.
    fn is_signal_return(&self, address: u64) -> bool;

    /// Returns a number that a source with other code does not have; not 0.
    fn generation(&self) -> u64;
}

/// How a walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum WalkEnd {
    /// Nothing has called the outermost function.
    Outermost,
    /// The caller of the outermost function is not known.
    Unknown,
}

impl From<Failure> for WalkEnd {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Outermost => Self::Outermost,
            Failure::Register | Failure::Invalid => Self::Unknown,
        }
    }
}

/// How the caller of a call is found.
#[derive(Debug, Clone, Copy)]
enum Step {
    Rule(CallerRule),
    /// By that of these which leads to a caller.
    Bare(BareRules),
    /// By evaluation of the unwind information.
    Row,
    /// The system has stored the registers of the interrupted code.
    SignalReturn,
    Outermost,
    Unknown,
    /// No call leads here.
    NoCaller,
}

#[derive(Debug, Clone, Copy)]
struct CachedStep {
    address: u64,
    is_exact: bool,
    generation: u64,
    step: Step,
}

/// The rules that the walks of a thread found.
pub(in super::super) struct Cache {
    steps: Box<[CachedStep]>,
    context: Box<RowContext>,
}

impl Cache {
    pub(in super::super) fn new() -> Self {
        let none = CachedStep { address: 0, is_exact: false, generation: 0, step: Step::Unknown };
        Self { steps: vec![none; RULES].into_boxed_slice(), context: Box::new(RowContext::new_in()) }
    }

    /// Returns how a call is left; `None` if its code is not known.
    #[inline(always)]
    fn step(&mut self, source: &impl CodeSource, registers: &FrameRegisters) -> Option<Step> {
        let FrameRegisters { address, is_exact, .. } = *registers;
        let place = (address ^ address >> 9) as usize % RULES;
        let generation = source.generation();
        match self.steps.get(place) {
            Some(cached)
                if (cached.address, cached.is_exact, cached.generation)
                    == (address, is_exact, generation) =>
            {
                Some(cached.step)
            }
            _ => self.new_step(source, registers, place),
        }
    }

    #[cold]
    #[inline(never)]
    fn new_step(
        &mut self,
        source: &impl CodeSource,
        registers: &FrameRegisters,
        place: usize,
    ) -> Option<Step> {
        let code = source.code(registers.instruction())?;
        let step = self.found_step(source, registers, code);
        if let Some(cached) = self.steps.get_mut(place).filter(|_| code.is_constant) {
            let FrameRegisters { address, is_exact, .. } = *registers;
            *cached = CachedStep { address, is_exact, generation: source.generation(), step };
        }
        Some(step)
    }

    fn found_step(
        &mut self,
        source: &impl CodeSource,
        registers: &FrameRegisters,
        code: KnownCode<'_>,
    ) -> Step {
        if source.is_signal_return(registers.instruction()) {
            return Step::SignalReturn;
        }
        let row = row(registers, code, &mut self.context);
        let is_signal = row.as_ref().is_some_and(|row| row.is_signal);
        if !registers.is_exact && !is_signal && !follows_call(registers.address) {
            return Step::NoCaller;
        }
        match row {
            Some(row) if row.is_outermost() => Step::Outermost,
            Some(row) => CallerRule::of(&row).map_or(Step::Row, Step::Rule),
            None => Step::Bare(bare_rules(registers.address)),
        }
    }
}

/// Returns the unwind information of a call.
fn row<'a>(
    registers: &FrameRegisters,
    code: KnownCode<'a>,
    context: &'a mut RowContext,
) -> Option<RowInformation<'a>> {
    code.information?.row(registers.instruction(), context)
}

/// A walk along the calls of a stack, from the innermost on.
pub(in super::super) struct Walker<'a, S> {
    source: &'a S,
    cache: &'a mut Cache,
    start: &'a AllRegisters,
    /// The call that comes next.
    next: Option<(FrameRegisters, Step)>,
    /// The number of calls before it.
    count: usize,
    end: WalkEnd,
    /// Registers of inner calls were needed, besides those that a walk follows.
    has_used_all: bool,
    /// How often the walk was repeated for them.
    again: usize,
}

impl<'a, S: CodeSource> Walker<'a, S> {
    pub(in super::super) fn new(source: &'a S, cache: &'a mut Cache, start: &'a AllRegisters) -> Self {
        let registers = start.of_frame();
        let step = cache.step(source, &registers).unwrap_or(Step::Unknown);
        let next = Some((registers, step));
        Self { source, cache, start, next, count: 0, end: WalkEnd::Unknown, has_used_all: false, again: 0 }
    }

    /// Returns the registers of the call that comes next.
    #[inline(always)]
    pub(in super::super) fn registers(&self) -> Option<FrameRegisters> {
        self.next.map(|(registers, _)| registers)
    }

    /// Goes on to the caller. Returns the canonical frame address of the call that is left; `None`
    /// if its caller is not found.
    #[inline(always)]
    pub(in super::super) fn leave(&mut self, read: &mut impl FnMut(u64) -> Result<u64, ()>) -> Option<u64> {
        let (registers, step) = self.next.take()?;
        self.count += 1;
        let found = match step {
            Step::Rule(rule) => by_rule(&rule, &registers, read),
            _ => self.by_evaluation(&registers, step, read),
        };
        match found {
            Ok((canonical, caller)) => {
                self.next = self.known(caller);
                Some(canonical)
            }
            Err(end) => {
                self.end = end;
                None
            }
        }
    }

    /// Returns how the walk ended, if it has not gone on.
    pub(in super::super) fn end(&self) -> WalkEnd {
        if self.next.is_some() { WalkEnd::Unknown } else { self.end }
    }

    /// Returns whether the walk depends on more registers than those that it follows.
    pub(in super::super) fn has_used_all(&self) -> bool {
        self.has_used_all
    }

    /// Returns a caller with how it is left, or sets the end if it is none.
    #[inline(always)]
    fn known(&mut self, caller: FrameRegisters) -> Option<(FrameRegisters, Step)> {
        self.end = WalkEnd::Unknown;
        if caller.address == 0 {
            self.end = WalkEnd::Outermost;
            return None;
        }
        let step = self.cache.step(self.source, &caller)?;
        (!matches!(step, Step::NoCaller)).then_some((caller, step))
    }

    #[cold]
    #[inline(never)]
    fn by_evaluation(
        &mut self,
        registers: &FrameRegisters,
        step: Step,
        read: &mut impl FnMut(u64) -> Result<u64, ()>,
    ) -> Result<(u64, FrameRegisters), WalkEnd> {
        match step {
            Step::Outermost => return Err(WalkEnd::Outermost),
            Step::Unknown | Step::NoCaller => return Err(WalkEnd::Unknown),
            Step::Bare(rules) => return self.by_bare_rules(&rules, registers, read),
            Step::Rule(_) | Step::Row | Step::SignalReturn => {}
        }
        let inner = self.count - 1;
        let known = if inner == 0 { *self.start } else { registers.into() };
        self.has_used_all |= inner == 0 && matches!(step, Step::Row);
        let found = match self.caller(&known, read) {
            Err(Failure::Register) if inner > 0 && self.again < MOST_AGAIN => {
                self.has_used_all = true;
                self.again += 1;
                let mut all = *self.start;
                for _ in 0..inner {
                    all = self.caller(&all, read)?.1;
                }
                self.caller(&all, read)
            }
            found => found,
        };
        let (canonical, caller) = found?;
        Ok((canonical, caller.of_frame()))
    }

    /// Returns the canonical frame address of a call, and all registers of its caller.
    fn caller(
        &mut self,
        registers: &AllRegisters,
        read: &mut impl FnMut(u64) -> Result<u64, ()>,
    ) -> Result<(u64, AllRegisters), Failure> {
        let of_frame = registers.of_frame();
        if self.source.is_signal_return(of_frame.instruction()) {
            let stored = AllRegisters::stored(of_frame.stack, read);
            let stack = stored.get(number::STACK).filter(|_| stored.get(number::ADDRESS).is_some());
            return Ok((stack.ok_or(Failure::Invalid)?, stored));
        }
        let code = self.source.code(of_frame.instruction()).ok_or(Failure::Invalid)?;
        if let Some(row) = row(&of_frame, code, &mut self.cache.context) {
            let (canonical, caller) = row.caller(registers, read)?;
            let is_outer = row.is_signal || is_outer(canonical, &of_frame);
            return if is_outer { Ok((canonical, caller)) } else { Err(Failure::Invalid) };
        }
        let rules = bare_rules(of_frame.address);
        let (canonical, caller) =
            self.by_bare_rules(&rules, &of_frame, read).map_err(|_| Failure::Invalid)?;
        Ok((canonical, (&caller).into()))
    }

    /// Returns the result of the only rule that leads to a caller.
    fn by_bare_rules(
        &mut self,
        rules: &BareRules,
        registers: &FrameRegisters,
        read: &mut impl FnMut(u64) -> Result<u64, ()>,
    ) -> Result<(u64, FrameRegisters), WalkEnd> {
        let mut found = None;
        for rule in rules.iter() {
            let Ok(to) = by_rule(&rule.into(), registers, read) else { continue };
            if self.known(to.1).is_some() && found.replace(to).is_some() {
                return Err(WalkEnd::Unknown);
            }
        }
        found.ok_or(WalkEnd::Unknown)
    }
}

/// Returns the canonical frame address of a call, and the registers of its caller. Calls never
/// move up the stack.
#[inline(always)]
fn by_rule(
    rule: &CallerRule,
    registers: &FrameRegisters,
    read: &mut impl FnMut(u64) -> Result<u64, ()>,
) -> Result<(u64, FrameRegisters), WalkEnd> {
    let canonical = rule.canonical(registers, read).map_err(|()| WalkEnd::Unknown)?;
    let caller = rule.caller(registers, canonical, read).map_err(|()| WalkEnd::Unknown)?;
    if is_outer(canonical, registers) { Ok((canonical, caller)) } else { Err(WalkEnd::Unknown) }
}

/// Returns whether a canonical frame address is outside of the call. A function that calls no other
/// may have put nothing on the stack, where calls do not.
#[inline(always)]
fn is_outer(canonical: u64, registers: &FrameRegisters) -> bool {
    canonical > registers.stack || cfg!(target_arch = "aarch64") && canonical == registers.stack
}
