//! Where the versions of the interpreter keep the values that Python stacks are read from.
//!
//! From 3.13 on an interpreter publishes the offsets of its structures (`_Py_DebugOffsets`, PEP 768
//! describes the use). Those of 3.9 to 3.12 are from their headers, and the same on all machines
//! with 64 bits. Invariant: a layout that is returned is of a version in this list, and its
//! published offsets are plausible.

/// The offsets of fields, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) thread: ThreadLayout,
    pub(super) frame: FrameLayout,
    pub(super) code: CodeLayout,
    pub(super) text: TextLayout,
}

/// Where the state of a thread leads to its innermost frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ThreadLayout {
    /// To the frame. Each evaluator executes one frame, and nothing tells where it is on the stack.
    Calls { frame: u64 },
    /// To the frame, and to a structure on the stack of the innermost evaluator. Each evaluator has
    /// one, and executes one frame. The last one is in the thread's state, for calls that come from
    /// no evaluator, and leads nowhere.
    CallsAndEvaluators { frame: u64, evaluator: u64, previous: u64, last: u64 },
    /// To a structure on the stack of the evaluator, which has the frame. Each evaluator has one.
    /// The outermost frame of each evaluator is marked.
    Evaluators { evaluator: u64, frame: u64, previous: u64, is_outermost: usize },
    /// To such a structure; each evaluator has an entry frame on its stack.
    EvaluatorThenEntries { evaluator: u64, frame: u64 },
    /// To the frame; each evaluator has an entry frame on its stack.
    Entries { frame: u64 },
}

/// The fields of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FrameLayout {
    pub(super) code: usize,
    pub(super) previous: usize,
    pub(super) instruction: InstructionLayout,
    /// The owner of the frame; `None` in versions without entry frames.
    pub(super) owner: Option<usize>,
}

/// The field of a frame that tells which instruction it executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InstructionLayout {
    /// The address of the instruction.
    Pointer { field: usize },
    /// The size of the instructions before it in units of this many bytes, as an `i32`; -1 before
    /// the first one.
    Distance { field: u64, unit: u32 },
}

impl FrameLayout {
    /// The bytes that contain the fields, at most.
    pub(super) const SIZE: usize = 80;
}

/// The fields of a code object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CodeLayout {
    pub(super) first_line: usize,
    pub(super) file: usize,
    pub(super) name: usize,
    pub(super) lines: usize,
    pub(super) line_form: LineForm,
    /// Only for frames that have the address of an instruction.
    pub(super) instructions: u64,
}

/// The form of a table of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineForm {
    /// Pairs of bytes: the size of the instructions since the last pair, and the change of the line
    /// there.
    Changes,
    /// Pairs of bytes: the size of the instructions of a line, and its distance from the last line.
    Sizes,
    /// Entries that have columns, too.
    Locations,
}

impl CodeLayout {
    /// The bytes that contain the fields before the instructions, at most.
    pub(super) const SIZE: usize = 144;
}

/// The sizes of text objects before their characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextLayout {
    pub(super) ascii: u64,
    pub(super) other: u64,
}

/// The bytes of an instruction.
pub(super) const INSTRUCTION: u32 = 2;
/// The offset of the type of an object.
pub(super) const TYPE: usize = 8;
/// The offset of the length of a text or bytes object, of the hash of a text, and of its kind.
pub(super) const LENGTH: usize = 16;
pub(super) const HASH: usize = 24;
pub(super) const KIND: usize = 32;
/// The offset of the content of a bytes object.
pub(super) const BYTES: u64 = 32;
/// The owner of an entry frame: the stack, or the interpreter. Those of Python functions are less.
pub(super) const ENTRY: u8 = 3;

const OF_3_9: Layout = Layout {
    thread: ThreadLayout::Calls { frame: 24 },
    frame: FrameLayout {
        code: 32,
        previous: 24,
        instruction: InstructionLayout::Distance { field: 104, unit: 1 },
        owner: None,
    },
    code: CodeLayout {
        first_line: 40,
        file: 104,
        name: 112,
        lines: 120,
        line_form: LineForm::Changes,
        instructions: 0,
    },
    text: TextLayout { ascii: 48, other: 72 },
};

const OF_3_10: Layout = Layout {
    thread: ThreadLayout::CallsAndEvaluators { frame: 24, evaluator: 48, previous: 8, last: 264 },
    frame: FrameLayout {
        instruction: InstructionLayout::Distance { field: 96, unit: INSTRUCTION },
        ..OF_3_9.frame
    },
    code: CodeLayout { line_form: LineForm::Sizes, ..OF_3_9.code },
    text: OF_3_9.text,
};

const OF_3_11: Layout = Layout {
    thread: ThreadLayout::Evaluators { evaluator: 56, frame: 8, previous: 16, is_outermost: 68 },
    frame: FrameLayout {
        code: 32,
        previous: 48,
        instruction: InstructionLayout::Pointer { field: 56 },
        owner: Some(69),
    },
    code: CodeLayout {
        first_line: 72,
        file: 112,
        name: 128,
        lines: 136,
        line_form: LineForm::Locations,
        instructions: 184,
    },
    text: OF_3_9.text,
};

const OF_3_12: Layout = Layout {
    thread: ThreadLayout::EvaluatorThenEntries { evaluator: 56, frame: 0 },
    frame: FrameLayout { code: 0, previous: 8, owner: Some(70), ..OF_3_11.frame },
    code: CodeLayout { first_line: 68, instructions: 192, ..OF_3_11.code },
    text: TextLayout { ascii: 40, other: 56 },
};

/// The places of the published offsets that are needed, in words.
struct Published {
    thread_frame: usize,
    /// Of a frame: its previous one, its code, its instruction; its owner.
    frame: [usize; 3],
    owner: usize,
    /// Of a code object: its file, its qualified name, its line table, its first line.
    code: [usize; 4],
    instructions: usize,
    object_type: usize,
    bytes: usize,
    /// Of a text: its kind, its length, its size in ASCII.
    text: [usize; 3],
}

const PUBLISHED_BY_3_13: Published = Published {
    thread_frame: 23,
    frame: [29, 30, 31],
    owner: 33,
    code: [35, 37, 38, 39],
    instructions: 43,
    object_type: 45,
    bytes: 66,
    text: [68, 69, 70],
};

const PUBLISHED_BY_3_14: Published = Published {
    thread_frame: 26,
    frame: [32, 33, 34],
    owner: 36,
    code: [40, 42, 43, 44],
    instructions: 48,
    object_type: 51,
    bytes: 76,
    text: [78, 79, 80],
};

/// The number of words that are read of the published offsets.
pub(super) const PUBLISHED_WORDS: usize = 96;
const COOKIE: u64 = u64::from_ne_bytes(*b"xdebugpy");
const VERSION_WORD: usize = 1;
const IS_FREE_THREADED: usize = 2;

/// Returns the layout of the interpreter with this `PY_VERSION_HEX`, of which 3.9 and 3.10 need
/// only the upper half, and, from 3.13 on, these published offsets. Returns `None` if it is not
/// known.
pub(super) fn layout_of(version: u64, published: Option<&[u64; PUBLISHED_WORDS]>) -> Option<Layout> {
    match version >> 16 {
        0x0309 => Some(OF_3_9),
        0x030a => Some(OF_3_10),
        0x030b => Some(OF_3_11),
        0x030c => Some(OF_3_12),
        0x030d => published_layout(version, published?, &PUBLISHED_BY_3_13),
        0x030e => published_layout(version, published?, &PUBLISHED_BY_3_14),
        _ => None,
    }
}

fn published_layout(version: u64, words: &[u64; PUBLISHED_WORDS], places: &Published) -> Option<Layout> {
    let is_of_version = words[0] == COOKIE && words[VERSION_WORD] == version && words[IS_FREE_THREADED] == 0;
    let within = |place: usize, size: usize, limit: usize| {
        usize::try_from(words[place]).ok().filter(|offset| offset + size <= limit)
    };
    let in_frame = |place, size| within(place, size, FrameLayout::SIZE);
    let in_code = |place, size| within(place, size, CodeLayout::SIZE);
    let [previous, code, instruction] = places.frame;
    let [file, name, lines, first_line] = places.code;
    let [kind, length, ascii] = places.text;
    let fixed = [(places.object_type, TYPE), (length, LENGTH), (kind, KIND), (places.bytes, BYTES as usize)];
    let are_fixed = fixed.into_iter().all(|(place, offset)| words[place] == offset as u64);
    let is_size = |words: u64| (1..1 << 16).contains(&words);
    let instructions = words[places.instructions];
    let is_plausible = is_of_version
        && are_fixed
        && [words[places.thread_frame], instructions, words[ascii]].into_iter().all(is_size);
    Some(Layout {
        thread: is_plausible.then_some(ThreadLayout::Entries { frame: words[places.thread_frame] })?,
        frame: FrameLayout {
            code: in_frame(code, 8)?,
            previous: in_frame(previous, 8)?,
            instruction: InstructionLayout::Pointer { field: in_frame(instruction, 8)? },
            owner: Some(in_frame(places.owner, 1)?),
        },
        code: CodeLayout {
            first_line: in_code(first_line, 4)?,
            file: in_code(file, 8)?,
            name: in_code(name, 8)?,
            lines: in_code(lines, 8)?,
            line_form: LineForm::Locations,
            instructions,
        },
        // The length and the pointer of its form in UTF-8 follow.
        text: TextLayout { ascii: words[ascii], other: words[ascii] + 16 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published(version: u64) -> [u64; PUBLISHED_WORDS] {
        let mut words = [0; PUBLISHED_WORDS];
        (words[0], words[1]) = (COOKIE, version);
        let places =
            [(26, 72), (32, 8), (33, 0), (34, 56), (36, 74), (40, 112), (42, 128), (43, 136), (44, 68)];
        let sizes = [(48, 208), (51, 8), (76, 32), (78, 32), (79, 16), (80, 40)];
        places.into_iter().chain(sizes).for_each(|(place, offset)| words[place] = offset);
        words
    }

    #[test]
    fn published_offsets_are_used_from_3_13_on() {
        let version = 0x030e_00f0;
        let layout = layout_of(version, Some(&published(version))).unwrap();
        assert_eq!(layout.thread, ThreadLayout::Entries { frame: 72 });
        let instruction = InstructionLayout::Pointer { field: 56 };
        assert_eq!(layout.frame, FrameLayout { code: 0, previous: 8, instruction, owner: Some(74) });
        assert_eq!((layout.code.first_line, layout.code.instructions), (68, 208));
        assert_eq!(layout.text, TextLayout { ascii: 40, other: 56 });
        assert_eq!(layout_of(version, None), None);
    }

    #[test]
    fn a_layout_that_is_not_plausible_is_not_known() {
        let version = 0x030e_00f0;
        let with = |place: usize, value| {
            let mut words = published(version);
            words[place] = value;
            layout_of(version, Some(&words))
        };
        assert!(with(4, 1).is_some());
        // Another interpreter, threads without a common lock, offsets outside of the structures.
        assert!(
            [(0, 1), (1, 0x030e_01f0), (2, 1), (26, 0), (36, 80), (44, 142), (48, 1 << 40), (78, 40)]
                .into_iter()
                .all(|(place, value)| with(place, value).is_none())
        );
        assert!(
            [0x0308_00f0, 0x0310_00f0, 0x030f_00f0].iter().all(|&other| layout_of(other, None).is_none())
        );
    }
}
