//! Code without unwind information, whose callers follow from its instructions.
//!
//! From an instruction, all ways to the end of the function are followed: instructions that move
//! the stack pointer or restore the frame pointer are taken into account, until the function
//! returns. Invariant: where a way is not understood, there is no rule. A call that never returns
//! leads to the end of another function, so that there can be several: only the content of the
//! stack tells which of them leads to a caller.

use yaxpeax_arch::LengthedInstruction;
use yaxpeax_x86::Access;
use yaxpeax_x86::long_mode::{InstDecoder, Instruction, Opcode, Operand, RegSpec};

use super::rule::{BareRule, BareRules, Base, BasedPlace, RestoringRule};
use crate::readable;

/// The most instructions that are looked at.
const MOST_INSTRUCTIONS: usize = 1024;
/// The most branches whose other way is looked at.
const MOST_BRANCHES: usize = 64;
/// The alignment of functions. Instructions that fill a gap after a call show that another one
/// begins.
const FUNCTION_ALIGNMENT: u64 = 16;
/// The size of the code that is read at a time, and of the longest instruction.
const BLOCK: usize = 256;
const LONGEST: usize = 15;
/// The bytes of a call's instruction: at least and at most, without a prefix for a segment.
const CALL_SIZES: std::ops::RangeInclusive<usize> = 2..=8;

/// Returns whether a call ends at an address.
pub(super) fn follows_call(address: u64) -> bool {
    let mut bytes = [0; *CALL_SIZES.end()];
    let start = address.wrapping_sub(bytes.len() as u64);
    // The code may begin later.
    let from =
        (0..bytes.len()).find(|&from| readable::read(start.wrapping_add(from as u64), &mut bytes[from..]));
    let Some(from) = from else { return false };
    let decoder = InstDecoder::default();
    CALL_SIZES.filter(|size| from + size <= bytes.len()).any(|size| {
        let instruction = decoder.decode_slice(&bytes[bytes.len() - size..]);
        instruction.is_ok_and(|it| it.opcode() == Opcode::CALL && it.len().to_const() == size as u64)
    })
}

/// Returns the rules one of which leads from an instruction to the caller of its function; none if
/// its instructions do not tell.
pub(super) fn rules_at(address: u64) -> BareRules {
    let mut search = ExitSearch::new();
    let mut next = Some(CodeState::at(address));
    while let Some(state) = next {
        if search.follow(state).is_none() {
            return BareRules::default();
        }
        next = search.pending.pop();
    }
    search.rules
}

/// A stack pointer or frame pointer that is derived from those at the first instruction.
type Pointer = Option<BasedPlace>;

/// The frame pointer, compared with that at the first instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FramePointer {
    Same,
    /// The address of a place.
    Place(BasedPlace),
    /// The word at a place.
    Word(BasedPlace),
    Unknown,
}

/// A place between two instructions.
#[derive(Debug, Clone, Copy)]
struct CodeState {
    address: u64,
    stack: Pointer,
    frame: FramePointer,
    /// Where the way has stored the frame pointer of the first instruction.
    stored: Pointer,
    /// The way leads over a call, which may never return.
    has_called: bool,
}

impl CodeState {
    fn at(address: u64) -> Self {
        let stack = Some(BasedPlace { base: Base::Stack, offset: 0 });
        Self { address, stack, frame: FramePointer::Same, stored: None, has_called: false }
    }

    fn move_stack(&mut self, distance: i64) {
        self.stack = self.stack.and_then(|place| moved(place, distance));
    }

    /// Returns the frame pointer as an address that is known.
    fn frame_place(&self) -> Pointer {
        match self.frame {
            FramePointer::Same => Some(BasedPlace { base: Base::Frame, offset: 0 }),
            FramePointer::Place(place) => Some(place),
            FramePointer::Word(_) | FramePointer::Unknown => None,
        }
    }

    /// Returns a place of memory, if it is relative to one of the two pointers.
    fn place(&self, operand: Operand) -> Pointer {
        let (base, offset) = match operand {
            Operand::MemDeref { base } => (base, 0),
            Operand::Disp { base, disp } => (base, disp),
            _ => return None,
        };
        let base = match base {
            it if it == RegSpec::rsp() => self.stack,
            it if it == RegSpec::rbp() => self.frame_place(),
            _ => None,
        };
        moved(base?, offset.into())
    }

    fn store_frame(&mut self, place: Pointer) {
        if self.frame == FramePointer::Same {
            self.stored = place;
        }
    }

    fn load_frame(&mut self, place: Pointer) {
        self.frame = match place {
            None => FramePointer::Unknown,
            Some(_) if place == self.stored => FramePointer::Same,
            Some(place) => FramePointer::Word(place),
        };
    }

    /// Changes the pointers as an instruction does that neither returns nor jumps. Returns `None`
    /// if it is not understood.
    fn execute(&mut self, instruction: &Instruction) -> Option<()> {
        let (to, from) = (instruction.operand(0), instruction.operand(1));
        let (stack, frame) = (register(RegSpec::rsp()), register(RegSpec::rbp()));
        match instruction.opcode() {
            Opcode::PUSH => {
                self.move_stack(-word_size(instruction));
                if to == frame {
                    self.store_frame(self.stack);
                }
            }
            Opcode::POP => {
                let place = self.stack;
                self.move_stack(word_size(instruction));
                match to {
                    _ if to == frame => self.load_frame(place),
                    _ if to == stack => self.stack = None,
                    _ => {}
                }
            }
            Opcode::PUSHF => self.move_stack(-8),
            Opcode::POPF => self.move_stack(8),
            Opcode::LEAVE => {
                self.stack = self.frame_place();
                let place = self.stack;
                self.move_stack(8);
                self.load_frame(place);
            }
            Opcode::ENTER => return None,
            Opcode::ADD if to == stack => self.add_to_stack(constant(from)),
            Opcode::SUB if to == stack => self.add_to_stack(constant(from).map(i64::wrapping_neg)),
            Opcode::LEA if to == stack => self.stack = self.place(from),
            Opcode::MOV if to == stack && from == frame => self.stack = self.frame_place(),
            Opcode::LEA if to == frame => self.set_frame(self.place(from)),
            Opcode::MOV if to == frame && from == stack => self.set_frame(self.stack),
            Opcode::MOV if to == frame && from.is_memory() => self.load_frame(self.place(from)),
            Opcode::MOV if to.is_memory() && from == frame => {
                if let Some(place) = self.place(to) {
                    self.store_frame(Some(place));
                }
            }
            _ => self.forget_written(instruction),
        }
        Some(())
    }

    fn add_to_stack(&mut self, distance: Option<i64>) {
        self.stack = distance.zip(self.stack).and_then(|(distance, place)| moved(place, distance));
    }

    fn set_frame(&mut self, place: Pointer) {
        self.frame = place.map_or(FramePointer::Unknown, FramePointer::Place);
    }

    /// Forgets the pointers that an instruction writes in a way of its own.
    fn forget_written(&mut self, instruction: &Instruction) {
        let behavior = instruction.behavior();
        for number in 0..instruction.operand_count() {
            let is_written = !matches!(behavior.operand_access(number), Some(Access::Read | Access::None));
            if let Operand::Register { reg } = instruction.operand(number)
                && is_written
            {
                match whole(reg) {
                    Some(Base::Stack) => self.stack = None,
                    Some(Base::Frame) => self.frame = FramePointer::Unknown,
                    None => {}
                }
            }
        }
    }

    /// Returns the rule of a function that returns here.
    fn exit(&self) -> Option<BareRule> {
        let place = self.stack?;
        let frame = match self.frame {
            FramePointer::Same => RestoringRule::Same,
            FramePointer::Word(place) => RestoringRule::Word(place),
            FramePointer::Place(_) | FramePointer::Unknown => RestoringRule::Undefined,
        };
        Some(BareRule { canonical: moved(place, 8)?, frame })
    }
}

/// The search for the ends of a function.
struct ExitSearch {
    code: Code,
    decoder: InstDecoder,
    left: usize,
    /// Where branches go whose other way was followed first.
    pending: Branches,
    /// The rules of the ends so far.
    rules: BareRules,
}

/// Where a way goes on after an instruction.
enum Way {
    Next,
    To(u64),
    /// Code that does not belong to the function, never returns, or goes on at one of many places.
    End,
    Exit,
}

impl ExitSearch {
    fn new() -> Self {
        Self {
            code: Code::default(),
            decoder: InstDecoder::default(),
            left: MOST_INSTRUCTIONS,
            pending: Branches::default(),
            rules: BareRules::default(),
        }
    }

    /// Follows a way to its end. Returns `None` if it is not understood, or if the ends are too
    /// different.
    fn follow(&mut self, mut state: CodeState) -> Option<()> {
        let (mut is_after_call, mut is_after_filling) = (false, false);
        loop {
            self.left = self.left.checked_sub(1)?;
            let decoded = self.code.at(state.address).map(|code| self.decoder.decode_slice(code));
            // Behind a call that never returns, there may be anything.
            let Some(Ok(instruction)) = decoded else { return state.has_called.then_some(()) };
            let next = state.address.wrapping_add(instruction.len().to_const());
            let is_aligned = is_after_filling && state.address.is_multiple_of(FUNCTION_ALIGNMENT);
            if is_aligned || is_after_call && begins_function(&instruction) {
                return Some(());
            }
            is_after_filling = is_after_call && is_filling(&instruction);
            is_after_call = instruction.opcode() == Opcode::CALL || is_after_filling;
            state.has_called |= is_after_call;
            match self.way(&instruction, next, &state)? {
                Way::Next => {
                    state.execute(&instruction)?;
                    state.address = next;
                }
                Way::To(target) if self.pending.is_known(target) => return Some(()),
                Way::To(target) => {
                    self.pending.note(target)?;
                    state.address = target;
                }
                Way::End => return Some(()),
                Way::Exit => {
                    let rule = state.exit()?;
                    return match rule.is_possible() {
                        true => self.rules.add(rule),
                        false => state.has_called.then_some(()),
                    };
                }
            }
        }
    }

    /// Returns where the way goes on after an instruction, and notes the other way of a branch.
    fn way(&mut self, instruction: &Instruction, next: u64, state: &CodeState) -> Option<Way> {
        let target = || Some(next.wrapping_add_signed(constant(instruction.operand(0))?));
        Some(match instruction.opcode() {
            Opcode::RETURN if instruction.operand_count() == 0 => Way::Exit,
            Opcode::JMP if instruction.operand(0).is_memory() && is_relative(instruction) => Way::Exit,
            Opcode::JMP => target().map_or(Way::End, Way::To),
            Opcode::UD0 | Opcode::UD1 | Opcode::UD2 | Opcode::HLT | Opcode::INT => Way::End,
            Opcode::RETURN | Opcode::RETF | Opcode::IRET | Opcode::IRETD | Opcode::IRETQ | Opcode::JMPF => {
                return None;
            }
            Opcode::LOOP | Opcode::LOOPZ | Opcode::LOOPNZ | Opcode::JRCXZ | Opcode::JECXZ => {
                self.pending.push(CodeState { address: target()?, ..*state })?;
                Way::Next
            }
            opcode if opcode.is_jcc() => {
                self.pending.push(CodeState { address: target()?, ..*state })?;
                Way::Next
            }
            _ => Way::Next,
        })
    }
}

/// Returns whether another function seems to begin with an instruction that follows a call, which
/// then never returns. A way less is no harm: all ways of a function end in the same way.
fn begins_function(instruction: &Instruction) -> bool {
    let operand = instruction.operand(0);
    match instruction.opcode() {
        Opcode::ENDBR64 => true,
        // The bytes 0, which fill a gap between two parts of a file.
        Opcode::ADD if operand == (Operand::MemDeref { base: RegSpec::rax() }) => true,
        Opcode::PUSH => SAVED.iter().any(|saved| operand == register(saved())),
        Opcode::SUB => operand == register(RegSpec::rsp()),
        _ => false,
    }
}

/// Whether an instruction does nothing, as those between functions: `xchg ax, ax` is one.
fn is_filling(instruction: &Instruction) -> bool {
    let (to, from) = (instruction.operand(0), instruction.operand(1));
    instruction.opcode() == Opcode::NOP || instruction.opcode() == Opcode::XCHG && to == from
}

/// The registers that functions put on the stack first.
const SAVED: [fn() -> RegSpec; 6] =
    [RegSpec::rbp, RegSpec::rbx, RegSpec::r12, RegSpec::r13, RegSpec::r14, RegSpec::r15];

/// The ways that were not followed yet, and the targets of all that were found.
struct Branches {
    states: [Option<CodeState>; MOST_BRANCHES],
    count: usize,
    targets: [u64; MOST_BRANCHES],
    known: usize,
}

impl Default for Branches {
    fn default() -> Self {
        Self { states: [None; MOST_BRANCHES], count: 0, targets: [0; MOST_BRANCHES], known: 0 }
    }
}

impl Branches {
    fn is_known(&self, target: u64) -> bool {
        self.targets.iter().take(self.known).any(|known| *known == target)
    }

    fn note(&mut self, target: u64) -> Option<()> {
        *self.targets.get_mut(self.known)? = target;
        self.known += 1;
        Some(())
    }

    fn push(&mut self, state: CodeState) -> Option<()> {
        if !self.is_known(state.address) {
            self.note(state.address)?;
            *self.states.get_mut(self.count)? = Some(state);
            self.count += 1;
        }
        Some(())
    }

    fn pop(&mut self) -> Option<CodeState> {
        self.count = self.count.checked_sub(1)?;
        self.states.get_mut(self.count)?.take()
    }
}

/// A part of the code.
struct Code {
    start: u64,
    bytes: [u8; BLOCK],
    count: usize,
}

impl Default for Code {
    fn default() -> Self {
        Self { start: 0, bytes: [0; BLOCK], count: 0 }
    }
}

impl Code {
    /// Returns the code at an address, at least as much as the longest instruction has if there is
    /// so much.
    fn at(&mut self, address: u64) -> Option<&[u8]> {
        if self.known(address).is_none_or(|known| known.len() < LONGEST) {
            self.start = address;
            let sizes = [BLOCK, LONGEST].into_iter().chain((1..LONGEST).rev());
            let size = sizes.into_iter().find(|&size| readable::read(address, &mut self.bytes[..size]));
            self.count = size?;
        }
        self.known(address)
    }

    fn known(&self, address: u64) -> Option<&[u8]> {
        let at = usize::try_from(address.checked_sub(self.start)?).ok()?;
        self.bytes.get(..self.count)?.get(at..).filter(|known| !known.is_empty())
    }
}

fn register(reg: RegSpec) -> Operand {
    Operand::Register { reg }
}

/// Returns the pointer of which a register is a part.
fn whole(reg: RegSpec) -> Option<Base> {
    let is_any = |all: [RegSpec; 4]| all.contains(&reg);
    if is_any([RegSpec::rsp(), RegSpec::esp(), RegSpec::sp(), RegSpec::spl()]) {
        Some(Base::Stack)
    } else if is_any([RegSpec::rbp(), RegSpec::ebp(), RegSpec::bp(), RegSpec::bpl()]) {
        Some(Base::Frame)
    } else {
        None
    }
}

fn moved(place: BasedPlace, distance: i64) -> Pointer {
    let offset = i64::from(place.offset).checked_add(distance)?.try_into().ok()?;
    Some(BasedPlace { offset, ..place })
}

fn constant(operand: Operand) -> Option<i64> {
    Some(match operand {
        Operand::ImmediateI8 { imm } => imm.into(),
        Operand::ImmediateI16 { imm } => imm.into(),
        Operand::ImmediateI32 { imm } => imm.into(),
        Operand::ImmediateI64 { imm } => imm,
        _ => return None,
    })
}

/// Whether a jump reads its target from a place relative to the instruction, as those of a linkage
/// table do, which lead into another function.
fn is_relative(instruction: &Instruction) -> bool {
    matches!(instruction.operand(0), Operand::Disp { base, .. } if base == RegSpec::rip())
}

/// Returns how much an instruction moves the stack pointer. Some have a prefix for two bytes.
fn word_size(instruction: &Instruction) -> i64 {
    if instruction.prefixes.operand_size() { 2 } else { 8 }
}
