//! Rows of unwind information, evaluated with all registers whose values are known.

use gimli::{
    CfaRule, Encoding, Evaluation, EvaluationResult, EvaluationStorage, Expression, Location, Piece, Reader,
    RegisterRule, UnwindExpression, Value,
};

use super::information::{Bytes, Frames, Row};
use super::registers::{AllRegisters, number};

/// The most operations of an expression. Those of compilers and assemblers have less than ten.
const MOST_OPERATIONS: u32 = 256;

/// Why the caller of a call is not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// The value of a register is not known.
    Register,
    /// The information is damaged, or memory cannot be read.
    Invalid,
    /// Nothing has called the function.
    Outermost,
}

impl From<gimli::Error> for Failure {
    fn from(_: gimli::Error) -> Self {
        Self::Invalid
    }
}

/// Room for the evaluation of an expression.
struct EvaluationRoom;

impl<R: Reader> EvaluationStorage<R> for EvaluationRoom {
    type Stack = [Value; 32];
    type ExpressionStack = [(R, R); 1];
    type Result = [Piece<R>; 1];
}

/// The information about the instruction of a call.
pub(super) struct RowInformation<'a> {
    pub(super) row: &'a Row,
    pub(super) frames: &'a Frames,
    pub(super) encoding: Encoding,
    /// The row is that of code to which signal handlers return.
    pub(super) is_signal: bool,
}

impl RowInformation<'_> {
    /// Returns whether nothing has called the function.
    pub(super) fn is_outermost(&self) -> bool {
        #[cfg(target_arch = "x86_64")]
        let register = number::ADDRESS;
        #[cfg(target_arch = "aarch64")]
        let register = number::LINK;
        matches!(self.row.register(register), Some(RegisterRule::Undefined))
    }

    /// Returns the canonical frame address of a call, and the registers of its caller.
    pub(super) fn caller(
        &self,
        registers: &AllRegisters,
        read: &mut impl FnMut(u64) -> Result<u64, ()>,
    ) -> Result<(u64, AllRegisters), Failure> {
        let canonical = match self.row.cfa() {
            CfaRule::RegisterAndOffset { register, offset } => {
                registers.get(*register).ok_or(Failure::Register)?.wrapping_add_signed(*offset)
            }
            CfaRule::Expression(expression) => self.value(expression, None, registers, read)?,
        };
        let mut caller = AllRegisters::none(self.is_signal);
        for register in number::KEPT {
            if let Some(value) = registers.get(register) {
                caller.set(register, value);
            }
        }
        caller.set(number::STACK, canonical);
        #[cfg(target_arch = "aarch64")]
        if let Some(link) = registers.get(number::LINK) {
            caller.set(number::ADDRESS, link);
        }
        for (register, rule) in self.row.registers() {
            if cfg!(target_arch = "x86_64")
                && is_return_address(*register)
                && matches!(rule, RegisterRule::SameValue)
            {
                return Err(Failure::Invalid);
            }
            match self.restored(*register, rule, canonical, registers, read) {
                Ok(Some(value)) => caller.set(*register, value),
                Ok(None) if is_return_address(*register) => return Err(Failure::Outermost),
                Ok(None) => caller.forget(*register),
                Err(failure) if is_essential(*register) => return Err(failure),
                Err(_) => caller.forget(*register),
            }
        }
        #[cfg(target_arch = "aarch64")]
        if !self.is_signal {
            let link = caller.get(number::LINK).ok_or(Failure::Register)?;
            caller.set(number::ADDRESS, super::rule::without_signature(link));
        }
        caller.get(number::ADDRESS).ok_or(Failure::Invalid)?;
        Ok((canonical, caller))
    }

    /// Returns the value of a register in the caller; `None` if it has none.
    fn restored(
        &self,
        register: gimli::Register,
        rule: &RegisterRule<usize>,
        canonical: u64,
        registers: &AllRegisters,
        read: &mut impl FnMut(u64) -> Result<u64, ()>,
    ) -> Result<Option<u64>, Failure> {
        let same = |register| registers.get(register).ok_or(Failure::Register);
        let mut word = |address| read(address).map_err(|()| Failure::Invalid);
        let value = match rule {
            RegisterRule::Undefined => return Ok(None),
            RegisterRule::SameValue => same(register)?,
            RegisterRule::Register(other) => same(*other)?,
            RegisterRule::Offset(offset) => word(canonical.wrapping_add_signed(*offset))?,
            RegisterRule::ValOffset(offset) => canonical.wrapping_add_signed(*offset),
            RegisterRule::Constant(value) => *value,
            RegisterRule::Expression(place) => {
                let place = self.value(place, Some(canonical), registers, read)?;
                read(place).map_err(|()| Failure::Invalid)?
            }
            RegisterRule::ValExpression(value) => self.value(value, Some(canonical), registers, read)?,
            RegisterRule::Architectural => return Err(Failure::Invalid),
        };
        Ok(Some(value))
    }

    /// Evaluates an expression, which begins with a value on its stack.
    fn value(
        &self,
        expression: &UnwindExpression<usize>,
        initial: Option<u64>,
        registers: &AllRegisters,
        read: &mut impl FnMut(u64) -> Result<u64, ()>,
    ) -> Result<u64, Failure> {
        let Expression::<Bytes>(bytes) = expression.get(self.frames)?;
        let mut evaluation = Evaluation::<_, EvaluationRoom>::new_in(bytes, self.encoding);
        evaluation.set_max_iterations(MOST_OPERATIONS);
        if let Some(value) = initial {
            evaluation.set_initial_value(value);
        }
        let mut result = evaluation.evaluate()?;
        loop {
            result = match result {
                EvaluationResult::Complete => break,
                EvaluationResult::RequiresRegister { register, .. } => {
                    let value = registers.get(register).ok_or(Failure::Register)?;
                    evaluation.resume_with_register(Value::Generic(value))?
                }
                EvaluationResult::RequiresMemory { address, size: 8, .. } => {
                    let word = read(address).map_err(|()| Failure::Invalid)?;
                    evaluation.resume_with_memory(Value::Generic(word))?
                }
                _ => return Err(Failure::Invalid),
            };
        }
        match evaluation.as_result() {
            [Piece { location: Location::Address { address }, .. }] => Ok(*address),
            _ => Err(Failure::Invalid),
        }
    }
}

/// Whether a rule is that of the address to which the function returns.
fn is_return_address(register: gimli::Register) -> bool {
    #[cfg(target_arch = "x86_64")]
    return register == number::ADDRESS;
    #[cfg(target_arch = "aarch64")]
    return register == number::LINK;
}

/// Whether no walk goes on without a register.
fn is_essential(register: gimli::Register) -> bool {
    is_return_address(register) || register == number::STACK
}
