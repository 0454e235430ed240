//! Rules that lead from a call to its caller with two registers and few words of memory, which is
//! all that the code of compilers needs.

use gimli::{CfaRule, Operation, Register, RegisterRule, UnwindExpression};

use super::evaluation::RowInformation;
use super::information::Bytes;
use super::registers::{FrameRegisters, number};

/// A register that addresses begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    Stack,
    Frame,
}

impl Base {
    fn of(register: Register) -> Option<Self> {
        [(number::STACK, Self::Stack), (number::FRAME, Self::Frame)]
            .into_iter()
            .find_map(|(of, base)| (of == register).then_some(base))
    }

    #[inline(always)]
    fn value(self, registers: &FrameRegisters) -> u64 {
        match self {
            Self::Stack => registers.stack,
            Self::Frame => registers.frame,
        }
    }
}

/// A place relative to a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BasedPlace {
    pub(super) base: Base,
    pub(super) offset: i32,
}

impl BasedPlace {
    fn of(register: Register, offset: i64) -> Option<Self> {
        Some(Self { base: Base::of(register)?, offset: offset.try_into().ok()? })
    }

    #[inline(always)]
    fn address(self, registers: &FrameRegisters) -> u64 {
        self.base.value(registers).wrapping_add_signed(self.offset.into())
    }
}

/// The canonical frame address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CanonicalRule {
    At(BasedPlace),
    /// The word at a place, and the number that is added to it.
    Word(BasedPlace, i32),
}

/// The value of a register in the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RestoringRule {
    Same,
    /// The word at this distance from the canonical frame address.
    Canonical(i32),
    /// The word at a place.
    Word(BasedPlace),
    Undefined,
}

/// A rule that leads from a call to its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CallerRule {
    pub(super) canonical: CanonicalRule,
    pub(super) frame: RestoringRule,
    /// Where the address to which the function returns is.
    pub(super) link: RestoringRule,
}

/// A rule of code without unwind information, whose calls put the address to which they return on
/// the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BareRule {
    pub(super) canonical: BasedPlace,
    pub(super) frame: RestoringRule,
}

impl BareRule {
    /// Returns whether the function can return by this rule: memory below the stack pointer does
    /// not belong to its caller.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn is_possible(&self) -> bool {
        self.canonical.base == Base::Frame || self.canonical.offset >= 8
    }
}

impl From<BareRule> for CallerRule {
    fn from(rule: BareRule) -> Self {
        const RETURN: RestoringRule = RestoringRule::Canonical(-8);
        Self { canonical: CanonicalRule::At(rule.canonical), frame: rule.frame, link: RETURN }
    }
}

/// Different rules, one of which is that of the function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct BareRules([Option<BareRule>; 3]);

impl BareRules {
    /// Adds a rule. Returns `None` without room for it.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn add(&mut self, rule: BareRule) -> Option<()> {
        let place = self.0.iter_mut().find(|place| place.is_none_or(|known| known == rule))?;
        *place = Some(rule);
        Some(())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = BareRule> {
        self.0.into_iter().flatten()
    }
}

impl CallerRule {
    /// Returns the rule with the meaning of a row, if there is one.
    pub(super) fn of(information: &RowInformation<'_>) -> Option<Self> {
        let row = information.row;
        if information.is_signal || row.register(number::STACK).is_some() {
            return None;
        }
        let canonical = match row.cfa() {
            CfaRule::RegisterAndOffset { register, offset } => {
                CanonicalRule::At(BasedPlace::of(*register, *offset)?)
            }
            CfaRule::Expression(expression) => word(information, expression)?,
        };
        let restoring = |register| {
            Some(match row.register(register) {
                None | Some(RegisterRule::SameValue) => RestoringRule::Same,
                Some(RegisterRule::Undefined) => RestoringRule::Undefined,
                Some(RegisterRule::Offset(offset)) => RestoringRule::Canonical(offset.try_into().ok()?),
                Some(RegisterRule::Expression(place)) => RestoringRule::Word(place_of(information, &place)?),
                Some(_) => return None,
            })
        };
        #[cfg(target_arch = "x86_64")]
        let link = restoring(number::ADDRESS).filter(|link| *link != RestoringRule::Same)?;
        #[cfg(target_arch = "aarch64")]
        let link = restoring(number::LINK)?;
        Some(Self { canonical, frame: restoring(number::FRAME)?, link })
    }

    /// Returns the canonical frame address of a call.
    #[inline(always)]
    pub(super) fn canonical(
        &self,
        registers: &FrameRegisters,
        read: &mut impl FnMut(u64) -> Result<u64, ()>,
    ) -> Result<u64, ()> {
        match self.canonical {
            CanonicalRule::At(place) => Ok(place.address(registers)),
            CanonicalRule::Word(place, more) => {
                Ok(read(place.address(registers))?.wrapping_add_signed(more.into()))
            }
        }
    }

    /// Returns the registers of the caller, with the canonical frame address of the call.
    #[inline(always)]
    pub(super) fn caller(
        &self,
        registers: &FrameRegisters,
        canonical: u64,
        read: &mut impl FnMut(u64) -> Result<u64, ()>,
    ) -> Result<FrameRegisters, ()> {
        let mut restored = |rule, same| match rule {
            RestoringRule::Same => Ok(same),
            RestoringRule::Canonical(offset) => read(canonical.wrapping_add_signed(offset.into())),
            RestoringRule::Word(place) => read(place.address(registers)),
            RestoringRule::Undefined => Ok(0),
        };
        let link = restored(self.link, registers.link)?;
        let frame = restored(self.frame, registers.frame)?;
        let address = without_signature(link);
        #[cfg(target_arch = "x86_64")]
        let link = 0;
        Ok(FrameRegisters { address, is_exact: false, stack: canonical, frame, link })
    }
}

/// Returns an address without the signature that the machine may have put into it.
#[cfg(target_arch = "x86_64")]
pub(super) fn without_signature(address: u64) -> u64 {
    address
}

/// Returns an address without the signature that the machine may have put into it.
#[cfg(target_arch = "aarch64")]
pub(super) fn without_signature(address: u64) -> u64 {
    address & ((1 << 48) - 1)
}

/// Returns the rule of an expression that is a word of memory, and maybe a constant added to it.
fn word(information: &RowInformation<'_>, expression: &UnwindExpression<usize>) -> Option<CanonicalRule> {
    let bytes = expression.get::<Bytes, _>(information.frames).ok()?;
    let mut operations = bytes.operations(information.encoding);
    let mut next = || operations.next().ok();
    let Operation::RegisterOffset { register, offset, .. } = next()?? else { return None };
    let Operation::Deref { size: 8, space: false, .. } = next()?? else { return None };
    let more = match next()? {
        None => 0,
        Some(Operation::PlusConstant { value }) if next()?.is_none() => value.try_into().ok()?,
        Some(_) => return None,
    };
    Some(CanonicalRule::Word(BasedPlace::of(register, offset)?, more))
}

/// Returns the place of an expression that adds a constant to a register.
fn place_of(information: &RowInformation<'_>, expression: &UnwindExpression<usize>) -> Option<BasedPlace> {
    let bytes = expression.get::<Bytes, _>(information.frames).ok()?;
    let mut operations = bytes.operations(information.encoding);
    let Operation::RegisterOffset { register, offset, .. } = operations.next().ok()?? else { return None };
    operations.next().ok()?.is_none().then(|| BasedPlace::of(register, offset))?
}
