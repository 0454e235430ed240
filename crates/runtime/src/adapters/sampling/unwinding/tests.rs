use yaxpeax_arch::LengthedInstruction;
use yaxpeax_x86::long_mode::{InstDecoder, Instruction, Opcode};

use super::super::layout::Layout;
use super::bare_code::{follows_call, rules_at};
use super::information::{RowContext, UnwindInformation};
use super::rule::{BareRule, Base, BasedPlace, CallerRule, CanonicalRule, RestoringRule};
use crate::readable;

/// The rule of a function's instruction, whose canonical frame address is at a place.
fn rule(base: Base, offset: i32, frame: RestoringRule) -> Option<BareRule> {
    Some(BareRule { canonical: BasedPlace { base, offset }, frame })
}

/// The rules at the first of these instructions.
fn rules_of(code: &[u8]) -> Vec<BareRule> {
    // The bytes after them are no instruction.
    let code = [code, &[0x06; 16]].concat();
    rules_at(code.as_ptr().addr() as u64).iter().collect()
}

/// The rule at the first of these instructions, if there is only one.
fn rule_of(code: &[u8]) -> Option<BareRule> {
    match rules_of(code)[..] {
        [rule] => Some(rule),
        _ => None,
    }
}

#[test]
fn a_function_without_unwind_information_returns_where_its_instructions_say() {
    let (same, stack) = (RestoringRule::Same, Base::Stack);
    // ret
    assert_eq!(rule_of(&[0xC3]), rule(stack, 8, same));
    // push rbp; mov rbp, rsp; sub rsp, 0x20; leave; ret
    let framed = [0x55, 0x48, 0x89, 0xE5, 0x48, 0x83, 0xEC, 0x20, 0xC9, 0xC3];
    assert_eq!(rule_of(&framed), rule(stack, 8, same));
    let pushed = |offset| RestoringRule::Word(BasedPlace { base: stack, offset });
    assert_eq!(rule_of(&framed[1..]), rule(stack, 16, pushed(0)));
    let in_frame = RestoringRule::Word(BasedPlace { base: Base::Frame, offset: 0 });
    assert_eq!(rule_of(&framed[4..]), rule(Base::Frame, 16, in_frame));
    // add rsp, 0x118; pop rbx; pop rbp; ret
    let popping = [0x48, 0x81, 0xC4, 0x18, 0x01, 0, 0, 0x5B, 0x5D, 0xC3];
    assert_eq!(rule_of(&popping), rule(stack, 0x130, pushed(0x120)));
    // xor ebp, ebp; ret
    assert_eq!(rule_of(&[0x31, 0xED, 0xC3]), rule(stack, 8, RestoringRule::Undefined));
}

#[test]
fn all_ways_to_the_end_of_a_function_agree() {
    let same = rule(Base::Stack, 16, RestoringRule::Same);
    // je +2; pop rbx; ret; pop rbx; ret
    assert_eq!(rule_of(&[0x74, 0x02, 0x5B, 0xC3, 0x5B, 0xC3]), same);
    // As above, but the second way leaves a word behind.
    let both = [rule(Base::Stack, 16, RestoringRule::Same), rule(Base::Stack, 8, RestoringRule::Same)];
    assert_eq!(rules_of(&[0x74, 0x02, 0x5B, 0xC3, 0x90, 0xC3]), both.map(Option::unwrap));
    // dec ecx; jne to the begin; pop rbx; ret
    assert_eq!(rule_of(&[0xFF, 0xC9, 0x75, 0xFC, 0x5B, 0xC3]), same);
    // je +5; pop rbx; jmp to a place in a table; pop rbx; ret
    assert_eq!(rule_of(&[0x74, 0x04, 0x5B, 0x90, 0xFF, 0xE0, 0x5B, 0xC3]), same);
    // call; endbr64; push rbx: another function begins behind a call that never returns.
    assert_eq!(rule_of(&[0xE8, 0, 0, 0, 0, 0xF3, 0x0F, 0x1E, 0xFA, 0x53, 0xC3]), None);
    // jmp rax, and a loop without an end.
    assert_eq!((rule_of(&[0xFF, 0xE0]), rule_of(&[0xEB, 0xFE])), (None, None));
    // push rax; ret
    assert_eq!(rule_of(&[0x50, 0xC3]), None);
    // and rsp, -32; ret
    assert_eq!(rule_of(&[0x48, 0x83, 0xE4, 0xE0, 0xC3]), None);
    // An instruction that is none.
    assert_eq!(rule_of(&[0x06, 0xC3]), None);
    // je +3; pop rbx; ret; enter 0, 0
    assert_eq!(rule_of(&[0x74, 0x02, 0x5B, 0xC3, 0xC8, 0, 0, 0, 0xC3]), None);
}

#[test]
fn an_address_behind_a_call_is_recognized() {
    let follows = |code: &[u8]| {
        let code = [&[0x90; 8], code, &[0x90; 8]].concat();
        follows_call(code.as_ptr().addr() as u64 + code.len() as u64 - 8)
    };
    let calls: [&[u8]; 6] = [
        &[0xE8, 1, 2, 3, 4],
        // Of registers.
        &[0xFF, 0xD0],
        &[0x41, 0xFF, 0xD4],
        // Of words in memory.
        &[0xFF, 0x15, 1, 2, 3, 4],
        &[0xFF, 0x94, 0xC8, 1, 2, 3, 4],
        &[0x41, 0xFF, 0x94, 0xC0, 1, 2, 3, 4],
    ];
    assert!(calls.iter().all(|call| follows(call)));
    let others: [&[u8]; 4] = [&[0xE9, 1, 2, 3, 4], &[0xFF, 0xE0], &[0x90], &[0xFF, 0x25, 1, 2, 3, 4]];
    assert!(!others.iter().any(|other| follows(other)));
    assert!(!follows_call(8));
}

/// Compares the two for all instructions of libgcc. They differ in few places: in a linkage table,
/// and where a call that never returns is followed by the next function.
#[test]
fn instructions_tell_the_same_as_unwind_information() {
    let layout = Layout::read();
    let is_libgcc = |path: &std::path::Path| path.to_string_lossy().contains("libgcc_s");
    let file = layout.files.iter().find(|file| is_libgcc(&file.path)).expect("libgcc is loaded");
    let information = file.unwind_information().expect("libgcc has unwind information");
    let (mut same, mut different) = (0, Vec::new());
    let mut context = Box::new(RowContext::new_in());
    information.each_function(|function| {
        for address in instructions(function) {
            let Some(known) = known_rule(&information, address, &mut context) else { continue };
            let told: Vec<_> = rules_at(address).iter().collect();
            let is_same = |it: &BareRule| CanonicalRule::At(it.canonical) == known.canonical;
            // A rule relative to the other register is not compared.
            let is_like = |it: &BareRule| {
                matches!(known.canonical, CanonicalRule::At(place) if place.base == it.canonical.base)
            };
            if told.iter().any(is_same) {
                same += 1;
            } else if !told.is_empty() && told.iter().all(is_like) {
                different.push(address - file.bias);
            }
        }
    });
    assert!(same > 10_000 && different.len() < 10, "{same}; {different:x?}");
}

fn known_rule(information: &UnwindInformation, address: u64, context: &mut RowContext) -> Option<CallerRule> {
    CallerRule::of(&information.row(address, context)?)
}

/// The addresses of the instructions of a function that are executed: those that fill gaps are not.
fn instructions(function: std::ops::Range<u64>) -> Vec<u64> {
    let mut found = Vec::new();
    let (mut at, mut is_gap) = (function.start, false);
    while at < function.end {
        let mut bytes = [0; 15];
        let is_read = (1..=bytes.len()).rev().any(|size| readable::read(at, &mut bytes[..size]));
        let Ok(instruction) = InstDecoder::default().decode_slice(&bytes) else { break };
        assert!(is_read);
        is_gap &= is_filling(&instruction);
        if !is_gap {
            found.push(at);
        }
        is_gap |= matches!(instruction.opcode(), Opcode::RETURN | Opcode::JMP);
        at += instruction.len().to_const();
    }
    found
}

fn is_filling(instruction: &Instruction) -> bool {
    matches!(instruction.opcode(), Opcode::NOP | Opcode::XCHG)
}
