//! The lines of Python instructions.
//!
//! A code object has a table of its instructions in order, whose form depends on the version: each
//! entry has a number of them and the line. Lines that were found are kept, since the table is read
//! from its begin.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::functions::FunctionNumber;
use super::layout::{INSTRUCTION as INSTRUCTION_SIZE, LineForm};
use crate::mapped::{Zeroed, zeroed};

/// The number of lines that are kept.
const KEPT: usize = 1 << 15;
/// The bits of an instruction's number, and of a line.
const INSTRUCTION: u32 = 20;
pub(super) const LINE: u32 = 24;

/// The forms of an entry, by the bits of their first byte.
const FIRST_ONE_LINE: u8 = 10;
const LAST_ONE_LINE: u8 = 12;
const NO_COLUMNS: u8 = 13;
const LONG: u8 = 14;
const NO_LINE: u8 = 15;

struct KeptLine(AtomicU64);

// SAFETY: atomics are integers.
unsafe impl Zeroed for KeptLine {}

static LINES: OnceLock<Option<&'static [KeptLine]>> = OnceLock::new();

/// Takes the memory of the lines that are kept.
pub(super) fn prepare() {
    LINES.get_or_init(|| zeroed(KEPT).map(|lines| &*lines));
}

/// Returns the line of an instruction of a function, which `find` finds if it is not known.
pub(super) fn line(function: FunctionNumber, instruction: u32, find: impl FnOnce() -> u32) -> u32 {
    let key = u64::from(function.0) << INSTRUCTION | u64::from(instruction);
    let place = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - KEPT.trailing_zeros());
    let kept = LINES.get().copied().flatten().and_then(|lines| lines.get(place as usize));
    let is_kept = instruction < 1 << INSTRUCTION;
    match kept.filter(|_| is_kept) {
        None => find(),
        Some(KeptLine(kept)) => {
            let known = kept.load(Relaxed);
            if known != 0 && known >> LINE == key {
                return known as u32 & ((1 << LINE) - 1);
            }
            let line = find().min((1 << LINE) - 1);
            kept.store(key << LINE | u64::from(line), Relaxed);
            line
        }
    }
}

/// Returns the line of an instruction by the table of its function, which begins at `first_line`;
/// that line if the table has none for it.
pub(super) fn line_in(
    table: impl Iterator<Item = u8>,
    form: LineForm,
    first_line: u32,
    instruction: u32,
) -> u32 {
    match form {
        LineForm::Changes => line_by_changes(table, first_line, instruction.saturating_mul(INSTRUCTION_SIZE)),
        LineForm::Sizes => line_by_sizes(table, first_line, instruction.saturating_mul(INSTRUCTION_SIZE)),
        LineForm::Locations => line_by_locations(table, first_line, instruction),
    }
}

/// The pairs of bytes of a table: a size and a signed number of lines.
fn pairs(mut table: impl Iterator<Item = u8>) -> impl Iterator<Item = (u32, i8)> {
    std::iter::from_fn(move || Some((table.next()?.into(), table.next()?.cast_signed())))
}

fn line_by_changes(table: impl Iterator<Item = u8>, first_line: u32, address: u32) -> u32 {
    let (mut line, mut begin) = (i64::from(first_line), 0);
    for (size, change) in pairs(table) {
        begin = size.saturating_add(begin);
        if address < begin {
            break;
        }
        line += i64::from(change);
    }
    u32::try_from(line).unwrap_or(first_line)
}

fn line_by_sizes(table: impl Iterator<Item = u8>, first_line: u32, address: u32) -> u32 {
    /// In place of a distance: these instructions have no line.
    const NONE: i8 = -128;
    let (mut line, mut end) = (i64::from(first_line), 0);
    for (size, distance) in pairs(table) {
        line += if distance == NONE { 0 } else { i64::from(distance) };
        end = size.saturating_add(end);
        if address < end {
            return if distance == NONE { first_line } else { u32::try_from(line).unwrap_or(first_line) };
        }
    }
    first_line
}

fn line_by_locations(mut table: impl Iterator<Item = u8>, first_line: u32, instruction: u32) -> u32 {
    let (mut line, mut begin) = (i64::from(first_line), 0);
    while let Some(head) = table.next().filter(|head| head & 0x80 != 0) {
        let form = head >> 3 & 0xF;
        let (change, rest) = match form {
            FIRST_ONE_LINE..=LAST_ONE_LINE => (i64::from(form - FIRST_ONE_LINE), 2),
            NO_COLUMNS => (signed(&mut table), 0),
            LONG => {
                let change = signed(&mut table);
                // The distance of the last line, and both columns.
                for _ in 0..3 {
                    unsigned(&mut table);
                }
                (change, 0)
            }
            NO_LINE => (0, 0),
            _ => (0, 1),
        };
        line += change;
        for _ in 0..rest {
            table.next();
        }
        begin += u32::from(head & 7) + 1;
        if instruction < begin {
            return if form == NO_LINE { first_line } else { u32::try_from(line).unwrap_or(first_line) };
        }
    }
    first_line
}

/// Six bits a byte, the least significant ones first; all bytes but the last one are marked.
fn unsigned(table: &mut impl Iterator<Item = u8>) -> u64 {
    let mut value = 0;
    for shift in (0..u64::BITS).step_by(6) {
        let Some(byte) = table.next() else { break };
        value |= u64::from(byte & 0x3F) << shift;
        if byte & 0x40 == 0 {
            break;
        }
    }
    value
}

fn signed(table: &mut impl Iterator<Item = u8>) -> i64 {
    let value = unsigned(table);
    let magnitude = (value >> 1).cast_signed();
    if value & 1 == 0 { magnitude } else { -magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_the_line_of_each_instruction() {
        // Two instructions on the first line; one on the next, with columns; two 100 lines later;
        // one 50 lines before, in the long form; one without a line; one on the same line.
        let table = [0x81, 0x12, 0xD8, 4, 5, 0xE9, 0x48, 0x03, 0xF0, 0x65, 0x01, 2, 3, 4, 0xF8, 0x80, 0x11];
        let line = |instruction| line_in(table.into_iter(), LineForm::Locations, 10, instruction);
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7, 8].map(line), [10, 10, 11, 111, 111, 61, 10, 61, 10]);
    }

    #[test]
    fn tables_of_older_versions_consist_of_pairs() {
        // Two instructions; one on the next line; then 228 lines later, in two steps; then 3
        // before.
        let changes = [4, 1, 2, 127, 0, 101, 2, 0xFD];
        let line = |instruction| line_in(changes.into_iter(), LineForm::Changes, 10, instruction);
        assert_eq!([0, 1, 2, 3, 4, 9].map(line), [10, 10, 11, 239, 236, 236]);
        // The same; one without a line; one on the line before it.
        let sizes = [4, 0, 2, 1, 0, 127, 2, 101, 2, 0xFD, 2, 0x80, 2, 0];
        let line = |instruction| line_in(sizes.into_iter(), LineForm::Sizes, 10, instruction);
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(line), [10, 10, 11, 239, 236, 10, 236, 10]);
    }

    #[test]
    fn a_line_is_found_once() {
        prepare();
        let found = |number, instruction, line| super::line(FunctionNumber(number), instruction, || line);
        assert_eq!([found(1, 5, 77), found(1, 5, 1), found(1, 6, 78), found(2, 5, 79)], [77, 77, 78, 79]);
    }
}
