//! The frames of Python functions that the calling thread executes.

use super::super::code_file::CodePosition;
use super::super::handler::DEEPEST;
use super::functions::{self, FunctionIdentity, FunctionTexts};
use super::interpreter::{Interpreter, interpreter};
use super::layout::{
    BYTES, CodeLayout, ENTRY, FrameLayout, HASH, INSTRUCTION, InstructionLayout, KIND, LENGTH, Layout, TYPE,
    TextLayout, ThreadLayout,
};
use super::lines;
use super::memory::{BATCH, MemoryWindow, read_each, word_at};
use crate::readable;

/// The number of frames that are read. Of deeper recursions the outer ones are left out.
const MOST: usize = 1 << 12;
/// The bytes of a text object that are read to compare it.
const TEXT: usize = 40;
/// The bits of a code object's address that tell how it is referred to.
const TAGS: u64 = 7;

/// The frames that a call of the evaluator executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Evaluation {
    pub(in super::super) place: EvaluatorPlace,
    /// The number of calls up to its outermost one.
    pub(in super::super) end: usize,
}

/// Where on the stack an evaluator is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum EvaluatorPlace {
    /// This address is in its frame.
    At(u64),
    /// It is the next one.
    Next,
    /// It was not read.
    Unknown,
}

impl EvaluatorPlace {
    fn number(self) -> u64 {
        match self {
            Self::At(address) => address,
            Self::Next => 1,
            Self::Unknown => 2,
        }
    }
}

/// A frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PythonFrame {
    address: u64,
    code: u64,
    instruction: u64,
}

/// The position of a frame's function, if it is one.
#[derive(Debug, Clone, Copy)]
struct KnownFrame {
    frame: PythonFrame,
    call: Option<CodePosition>,
    /// A frame that equals this one has the same function.
    is_lasting: bool,
}

/// The Python functions that a thread executes.
#[derive(Debug)]
pub(in super::super) struct PythonStack {
    window: MemoryWindow,
    /// The innermost first.
    frames: Vec<PythonFrame>,
    /// The frames of the stack that was read last, the outermost first.
    known: Vec<KnownFrame>,
    /// The innermost first. Their ends count `frames` until these are looked up, then `calls`.
    evaluations: Vec<Evaluation>,
    /// The innermost first.
    calls: Vec<CodePosition>,
}

impl PythonStack {
    /// Returns a stack that has room for frames if there is an interpreter.
    pub(in super::super) fn new() -> Self {
        let room = if interpreter().is_some() { DEEPEST } else { 0 };
        Self {
            window: MemoryWindow::with_room(room > 0),
            frames: Vec::with_capacity(room),
            known: Vec::with_capacity(room),
            evaluations: Vec::with_capacity(room),
            calls: Vec::with_capacity(room),
        }
    }

    /// Returns a stack of these calls.
    #[cfg(test)]
    pub(in super::super) fn of(calls: Vec<CodePosition>, evaluations: Vec<Evaluation>) -> Self {
        Self { calls, evaluations, ..Self::new() }
    }

    /// Returns the evaluations, the innermost first.
    pub(in super::super) fn evaluations(&self) -> &[Evaluation] {
        &self.evaluations
    }

    /// Returns the calls, the innermost first.
    pub(in super::super) fn calls(&self) -> &[CodePosition] {
        &self.calls
    }

    /// Returns a number that is another one, as good as certainly, if the functions are others.
    pub(in super::super) fn hash(&self) -> u64 {
        let calls = self.calls.iter().map(|call| call.number());
        let evaluations = self.evaluations.iter().flat_map(|it| [it.place.number(), it.end as u64]);
        calls
            .chain(evaluations)
            .fold(0, |hash, word| (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
    }

    /// Reads the stack of the calling thread. Of one that is deeper than there is room, the
    /// outermost functions are left out.
    pub(in super::super) fn read(&mut self) {
        if self.frames.capacity() == 0 {
            return;
        }
        self.window.forget();
        self.frames.clear();
        self.evaluations.clear();
        self.calls.clear();
        let Some(interpreter) = interpreter() else { return };
        if let Some((thread, layout)) = interpreter.thread()
            && self.read_frames(thread, &layout).is_some()
        {
            self.look_up(interpreter, &layout);
        } else {
            self.evaluations.clear();
        }
    }

    /// Reads the frames. Returns `None` if one of them is not mapped.
    fn read_frames(&mut self, thread: u64, layout: &Layout) -> Option<()> {
        let (mut evaluator, mut frame) = match layout.thread {
            ThreadLayout::Calls { frame } | ThreadLayout::CallsAndEvaluators { frame, .. } => {
                (0, self.window.word(thread.wrapping_add(frame))?)
            }
            ThreadLayout::Evaluators { evaluator, frame, .. }
            | ThreadLayout::EvaluatorThenEntries { evaluator, frame } => {
                let evaluator = self.window.word(thread.wrapping_add(evaluator))?;
                (evaluator, self.window.word(evaluator.wrapping_add(frame))?)
            }
            ThreadLayout::Entries { frame } => (0, self.window.word(thread.wrapping_add(frame))?),
        };
        for count in 0..MOST {
            if frame == 0 {
                return self.find_evaluators(thread, layout.thread, Some(count));
            }
            let fields: [u8; FrameLayout::SIZE] = self.window.read(frame)?;
            let field = |offset| word_at(&fields, offset);
            let owner = layout.frame.owner.and_then(|owner| fields.get(owner));
            let is_entry = owner.is_some_and(|owner| *owner >= ENTRY);
            if !is_entry && self.frames.len() < self.frames.capacity() {
                let code = field(layout.frame.code) & !TAGS;
                let instruction = match layout.frame.instruction {
                    InstructionLayout::Pointer { field: place } => field(place),
                    InstructionLayout::Distance { field, .. } => {
                        let distance = self.window.read(frame.wrapping_add(field))?;
                        u64::try_from(i32::from_ne_bytes(distance)).unwrap_or(0)
                    }
                };
                self.frames.push(PythonFrame { address: frame, code, instruction });
            }
            match layout.thread {
                ThreadLayout::Evaluators { previous, is_outermost, .. }
                    if fields.get(is_outermost).is_some_and(|mark| *mark != 0) =>
                {
                    self.end_evaluation(EvaluatorPlace::At(evaluator));
                    evaluator = self.window.word(evaluator.wrapping_add(previous))?;
                }
                ThreadLayout::Calls { .. } => self.end_evaluation(EvaluatorPlace::Next),
                _ if is_entry => self.end_evaluation(EvaluatorPlace::At(frame)),
                _ => {}
            }
            frame = field(layout.frame.previous);
        }
        self.find_evaluators(thread, layout.thread, None)?;
        self.end_evaluation(EvaluatorPlace::Unknown);
        Some(())
    }

    fn end_evaluation(&mut self, place: EvaluatorPlace) {
        self.add_evaluation(place, self.frames.len());
    }

    fn add_evaluation(&mut self, place: EvaluatorPlace, end: usize) {
        if self.evaluations.len() < self.evaluations.capacity() {
            self.evaluations.push(Evaluation { place, end });
        }
    }

    /// Finds the evaluators of the frames where the thread's state leads to these, too.
    ///
    /// An evaluator that begins has no frame yet, and one that ends is gone before its frame: the
    /// outermost ones of both belong together, if the number of frames is known.
    fn find_evaluators(&mut self, thread: u64, layout: ThreadLayout, count: Option<usize>) -> Option<()> {
        let ThreadLayout::CallsAndEvaluators { evaluator, previous, last, .. } = layout else {
            return Some(());
        };
        let (mut address, mut evaluators) = (self.window.word(thread.wrapping_add(evaluator))?, 0);
        while address != thread.wrapping_add(last) && evaluators < MOST {
            evaluators += 1;
            self.add_evaluation(EvaluatorPlace::At(address), evaluators);
            address = self.window.word(address.wrapping_add(previous))?;
        }
        let count = count.unwrap_or(evaluators);
        for evaluation in &mut self.evaluations {
            evaluation.end = (evaluation.end + count).saturating_sub(evaluators).min(self.frames.len());
        }
        let gone = count.saturating_sub(evaluators);
        if gone > 0 && self.evaluations.len() < self.evaluations.capacity() {
            self.evaluations.insert(0, Evaluation { place: EvaluatorPlace::At(0), end: gone });
        }
        Some(())
    }

    /// Finds the functions of the frames and their lines: from the first frame on, as seen from the
    /// outermost, that is not as it was at the last time.
    fn look_up(&mut self, interpreter: &Interpreter, layout: &Layout) {
        let is_same = |(known, frame): &(&KnownFrame, &PythonFrame)| known.frame == **frame;
        let same = self.known.iter().zip(self.frames.iter().rev()).take_while(is_same).count();
        self.known.truncate(same);
        self.forget_replaced(interpreter, layout);
        let new = self.frames.get(..self.frames.len() - self.known.len()).unwrap_or_default();
        for frames in new.rchunks(BATCH) {
            let found = functions_of(frames, interpreter, layout);
            for (frame, identity) in frames.iter().zip(found).rev() {
                self.known.push(known_frame(frame, identity.as_ref(), layout));
            }
        }
        self.put_calls();
    }

    /// Forgets the frames from the first one on that has another function now.
    fn forget_replaced(&mut self, interpreter: &Interpreter, layout: &Layout) {
        let is_replaced = |known: &KnownFrame| {
            let [identity, ..] = functions_of(std::slice::from_ref(&known.frame), interpreter, layout);
            known_frame(&known.frame, identity.as_ref(), layout).call != known.call
        };
        let replaced = self.known.iter().position(|known| !known.is_lasting && is_replaced(known));
        self.known.truncate(replaced.unwrap_or(self.known.len()));
    }

    /// Makes the calls of the known frames, and counts those of each evaluation.
    fn put_calls(&mut self) {
        let mut ends = self.evaluations.iter_mut().peekable();
        for (number, known) in self.known.iter().rev().enumerate() {
            while let Some(evaluation) = ends.next_if(|it| it.end <= number) {
                evaluation.end = self.calls.len();
            }
            self.calls.extend(known.call);
        }
        ends.for_each(|evaluation| evaluation.end = self.calls.len());
    }
}

/// Returns the position of a frame whose function is `identity`, if it is one.
fn known_frame(frame: &PythonFrame, identity: Option<&FunctionIdentity>, layout: &Layout) -> KnownFrame {
    let call = identity.and_then(|identity| call(frame, identity, layout));
    let function = call.and_then(CodePosition::python);
    let is_lasting = function.is_some_and(|(function, _)| functions::is_lasting(function));
    KnownFrame { frame: *frame, call, is_lasting }
}

/// Returns the identities of the functions of some frames, where they are functions.
fn functions_of(
    frames: &[PythonFrame],
    interpreter: &Interpreter,
    layout: &Layout,
) -> [Option<FunctionIdentity>; BATCH] {
    let mut addresses = [0; BATCH];
    addresses.iter_mut().zip(frames).for_each(|(address, frame)| *address = frame.code);
    let mut codes = [[0; CodeLayout::SIZE]; BATCH];
    read_each(addresses.get(..frames.len()).unwrap_or_default(), &mut codes);
    let names = codes.each_ref().map(|code| word_at(code, layout.code.name));
    let mut texts = [[0; TEXT]; BATCH];
    read_each(names.get(..frames.len()).unwrap_or_default(), &mut texts);
    let mut found = [None; BATCH];
    for (place, (&address, (code, name))) in
        found.iter_mut().zip(addresses.iter().zip(codes.iter().zip(&texts)))
    {
        let is_function =
            word_at(code, TYPE) == interpreter.code_type && word_at(name, TYPE) == interpreter.text_type;
        *place = is_function.then(|| FunctionIdentity {
            code: address,
            file: word_at(code, layout.code.file),
            name: word_at(code, layout.code.name),
            lines: word_at(code, layout.code.lines),
            first_line: word_at(code, layout.code.first_line) as u32,
            name_hash: word_at(name, HASH),
        });
    }
    found
}

/// Returns the position of a frame's instruction.
fn call(frame: &PythonFrame, identity: &FunctionIdentity, layout: &Layout) -> Option<CodePosition> {
    let read = |address, into: &mut [u8]| read_text(address, &layout.text, into);
    let function = functions::number(identity, || FunctionTexts::read(read, identity))?;
    // A function that has not begun yet is before its first instruction.
    let begin = frame.code.wrapping_add(layout.code.instructions);
    let (distance, unit) = match layout.frame.instruction {
        InstructionLayout::Pointer { .. } => (frame.instruction.saturating_sub(begin), 1),
        InstructionLayout::Distance { unit, .. } => (frame.instruction, unit),
    };
    let instruction =
        u32::try_from(distance).map_or(0, |distance| distance.saturating_mul(unit) / INSTRUCTION);
    let line = lines::line(function, instruction, || {
        let table = LineTable::at(identity.lines);
        lines::line_in(table, layout.code.line_form, identity.first_line, instruction)
    });
    Some(CodePosition::in_python(function, line))
}

/// The longest table of lines that is read, in bytes. That of ten thousand lines has some 100,000.
const LONGEST: u64 = 1 << 20;

/// The bytes of a table of lines.
struct LineTable {
    window: [u8; 512],
    at: usize,
    end: usize,
    next: u64,
    rest: u64,
}

impl LineTable {
    /// Returns the table at this address; an empty one if it cannot be read.
    fn at(address: u64) -> Self {
        let mut length = [0; 8];
        let is_read = readable::read(address.wrapping_add(LENGTH as u64), &mut length);
        let rest = if is_read { u64::from_ne_bytes(length).min(LONGEST) } else { 0 };
        Self { window: [0; 512], at: 0, end: 0, next: address.wrapping_add(BYTES), rest }
    }
}

impl Iterator for LineTable {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if self.at == self.end {
            let size = self.rest.min(self.window.len() as u64) as usize;
            let window = self.window.get_mut(..size).filter(|window| !window.is_empty())?;
            if !readable::read(self.next, window) {
                self.rest = 0;
                return None;
            }
            (self.at, self.end) = (0, size);
            self.next = self.next.wrapping_add(size as u64);
            self.rest -= size as u64;
        }
        let byte = self.window.get(self.at).copied();
        self.at += 1;
        byte
    }
}

/// Reads a text as UTF-8; returns its length. Characters without room are left out.
fn read_text(address: u64, layout: &TextLayout, into: &mut [u8]) -> Option<usize> {
    /// The characters that are read at once.
    const PART: usize = 64;
    let mut head = [0; TEXT];
    if !readable::read(address, &mut head) {
        return None;
    }
    let kind = word_at(&head, KIND) as u32;
    let (size, is_compact, is_ascii) = ((kind >> 2 & 7) as usize, kind >> 5 & 1 == 1, kind >> 6 & 1 == 1);
    if !is_compact || ![1, 2, 4].contains(&size) {
        return None;
    }
    let begin = address.wrapping_add(if is_ascii { layout.ascii } else { layout.other });
    let characters = usize::try_from(word_at(&head, LENGTH)).ok()?.min(into.len());
    let mut length = 0;
    for first in (0..characters).step_by(PART) {
        let mut bytes = [0; 4 * PART];
        let bytes = bytes.get_mut(..size * PART.min(characters - first))?;
        if !readable::read(begin.wrapping_add((first * size) as u64), bytes) {
            return None;
        }
        for character in bytes.chunks_exact(size) {
            let mut number = [0; 4];
            number.get_mut(..size)?.copy_from_slice(character);
            let character = char::from_u32(u32::from_le_bytes(number)).unwrap_or(char::REPLACEMENT_CHARACTER);
            let Some(place) = into.get_mut(length..length + character.len_utf8()) else {
                return Some(length);
            };
            character.encode_utf8(place);
            length += place.len();
        }
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::super::layout::layout_of;
    use super::*;

    /// The state of a thread of 3.9 or 3.10, its frames and the structures of its evaluators, the
    /// innermost first.
    struct TestThread {
        state: Box<[u64; 64]>,
        frames: Vec<[u64; 16]>,
        evaluators: Vec<[u64; 2]>,
    }

    impl TestThread {
        fn new(frames: usize, evaluators: usize) -> Self {
            let mut this = Self {
                state: Box::new([0; 64]),
                frames: vec![[0; 16]; frames],
                evaluators: vec![[0; 2]; evaluators],
            };
            let addresses: Vec<_> = this.frames.iter().map(|frame| frame.as_ptr().addr() as u64).collect();
            for (frame, previous) in this.frames.iter_mut().zip(addresses.iter().skip(1).chain([&0])) {
                (frame[3], frame[4]) = (*previous, 16);
            }
            // The structure in the state leads nowhere.
            (this.state[33], this.state[34]) = (7, 9);
            let last = this.address() + 264;
            let structures: Vec<_> = (0..evaluators).map(|number| this.evaluator(number)).collect();
            for (evaluator, previous) in
                this.evaluators.iter_mut().zip(structures.iter().skip(1).chain([&last]))
            {
                evaluator[1] = *previous;
            }
            this.state[3] = addresses.first().copied().unwrap_or(0);
            this.state[6] = structures.first().copied().unwrap_or(last);
            this
        }

        fn address(&self) -> u64 {
            self.state.as_ptr().addr() as u64
        }

        fn evaluator(&self, number: usize) -> u64 {
            self.evaluators[number].as_ptr().addr() as u64
        }

        /// Returns the number of frames that are read, and the places and ends of evaluations.
        fn read(&self, version: u64) -> (usize, Vec<(EvaluatorPlace, usize)>) {
            let mut stack = PythonStack {
                window: MemoryWindow::with_room(true),
                frames: Vec::with_capacity(DEEPEST),
                evaluations: Vec::with_capacity(DEEPEST),
                ..PythonStack::new()
            };
            let layout = layout_of(version, None).expect("a known version");
            stack.read_frames(self.address(), &layout).expect("mapped memory");
            let evaluations = stack.evaluations.iter().map(|it| (it.place, it.end)).collect();
            (stack.frames.len(), evaluations)
        }
    }

    const OF_3_9: u64 = 0x0309_0000;
    const OF_3_10: u64 = 0x030a_0000;

    #[test]
    fn the_outermost_frames_and_evaluators_belong_together() {
        let ends = |frames, evaluators| {
            let thread = TestThread::new(frames, evaluators);
            let (count, found) = thread.read(OF_3_10);
            assert_eq!(count, frames);
            let number = |place| match place {
                EvaluatorPlace::At(0) => None,
                EvaluatorPlace::At(address) => {
                    (0..evaluators).find(|number| thread.evaluator(*number) == address)
                }
                _ => panic!("{place:?}"),
            };
            found.into_iter().map(|(place, end)| (number(place), end)).collect::<Vec<_>>()
        };
        assert_eq!(ends(2, 2), [(Some(0), 1), (Some(1), 2)]);
        // The innermost evaluator begins.
        assert_eq!(ends(1, 2), [(Some(0), 0), (Some(1), 1)]);
        // The innermost one has ended, and its frame is left.
        assert_eq!(ends(3, 2), [(None, 1), (Some(0), 2), (Some(1), 3)]);
        assert_eq!(ends(0, 1), [(Some(0), 0)]);
        assert_eq!(ends(0, 0), []);
    }

    #[test]
    fn each_frame_of_3_9_has_the_next_evaluator() {
        let next = EvaluatorPlace::Next;
        assert_eq!(TestThread::new(2, 0).read(OF_3_9), (2, vec![(next, 1), (next, 2)]));
    }

    #[test]
    fn of_more_frames_than_are_counted_the_innermost_ones_are_known() {
        let thread = TestThread::new(MOST + 1, MOST + 1);
        let (count, found) = thread.read(OF_3_10);
        assert_eq!((count, found.len()), (DEEPEST, DEEPEST));
        let expected = (0..DEEPEST).map(|number| (EvaluatorPlace::At(thread.evaluator(number)), number + 1));
        assert!(found.into_iter().eq(expected));
    }
}
