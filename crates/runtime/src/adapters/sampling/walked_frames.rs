//! The frames that a walk of a stack found.

use std::mem;

use super::code_file::{CodePosition, CodeRole};
use super::handler::DEEPEST;
use super::modules::Owner;
use super::python::{EvaluatorPlace, PythonStack};

/// The largest number of positions of a stack: its frames, and that of an unknown caller.
pub(super) const POSITIONS: usize = DEEPEST + 1;

/// The kind of a stack's last frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StackEnd {
    /// The function that has entered the innermost open region.
    Base,
    /// One that nothing has called.
    Outermost,
    /// One whose caller is not known.
    Called,
}

impl StackEnd {
    pub(super) fn of(has_base: bool, has_unknown_caller: bool) -> Self {
        match (has_base, has_unknown_caller) {
            (true, _) => Self::Base,
            (false, false) => Self::Outermost,
            (false, true) => Self::Called,
        }
    }
}

/// A call that is under way.
#[derive(Debug, Clone, Copy)]
pub(super) struct NativeFrame {
    pub(super) code: CodePosition,
    /// The canonical frame address.
    pub(super) canonical: u64,
    pub(super) owner: Owner,
    /// It evaluates a frame of Python that is found by counting.
    pub(super) is_evaluator: bool,
}

impl NativeFrame {
    /// The code with which a program begins is not the interpreter, though in its file.
    fn is_interpreter(&self) -> bool {
        self.owner == Owner::Interpreter && self.code.role() == CodeRole::Program
    }
}

/// The positions of a stack's functions, the innermost first.
#[derive(Debug)]
pub(super) struct Positions<'a> {
    room: &'a mut [CodePosition; POSITIONS],
    count: usize,
}

impl<'a> Positions<'a> {
    /// Puts functions of Python in the place of the interpreter's frames. If the last frame has
    /// entered a region, the Python functions that it executes were there before; it is the last
    /// position, too, if the result says so.
    ///
    /// Without functions of Python, all frames are of interest, those of the interpreter too.
    pub(super) fn of(
        frames: impl ExactSizeIterator<Item = NativeFrame> + Clone,
        end: StackEnd,
        python: &PythonStack,
        room: &'a mut [CodePosition; POSITIONS],
    ) -> (Self, bool) {
        let has_base = end == StackEnd::Base;
        let (mut this, keeps_base) = Self::called(frames, has_base, python, room);
        if end == StackEnd::Called {
            this.count = this.count.min(DEEPEST);
            this.push(CodePosition::UNKNOWN_CALLER);
        }
        (this, keeps_base)
    }

    fn called(
        frames: impl ExactSizeIterator<Item = NativeFrame> + Clone,
        has_base: bool,
        python: &PythonStack,
        room: &'a mut [CodePosition; POSITIONS],
    ) -> (Self, bool) {
        let mut this = Self { room, count: 0 };
        if python.calls().is_empty() {
            frames.for_each(|frame| this.push(frame.code));
            return (this, has_base);
        }
        let (last, mut keeps_base) = (frames.len().saturating_sub(1), false);
        let mut evaluations = python.evaluations().iter().peekable();
        let (mut begin, mut interpreters) = (0, frames.clone().filter(NativeFrame::is_interpreter).count());
        let evaluators = frames.clone().filter(|frame| frame.is_evaluator).count();
        // An evaluator that begins or ends has no frame. Of a part of a stack they are not known.
        let counted = evaluations.clone().filter(|it| it.place == EvaluatorPlace::Next).count();
        let mut without_frame = if has_base { 0 } else { evaluators.saturating_sub(counted) };
        for (number, frame) in frames.enumerate() {
            let is_base = has_base && number == last;
            if !frame.is_interpreter() {
                this.push(frame.code);
                keeps_base = is_base;
                continue;
            }
            interpreters -= 1;
            let mut evaluates = frame.is_evaluator && without_frame == 0;
            without_frame = without_frame.saturating_sub(frame.is_evaluator.into());
            let mut is_inside = |place| match place {
                EvaluatorPlace::At(address) => address < frame.canonical,
                EvaluatorPlace::Next => mem::take(&mut evaluates),
                EvaluatorPlace::Unknown => false,
            };
            while let Some(evaluation) = evaluations.next_if(|it| !is_base && is_inside(it.place)) {
                this.push_all(python.calls().get(begin..evaluation.end));
                begin = evaluation.end;
            }
            // The frames of the others were not read, or not reached by the walk.
            if interpreters == 0 && !has_base {
                this.push_all(python.calls().get(begin..));
                begin = python.calls().len();
            }
        }
        if !has_base {
            this.push_all(python.calls().get(begin..));
        }
        (this, keeps_base)
    }

    fn push_all(&mut self, positions: Option<&[CodePosition]>) {
        positions.unwrap_or_default().iter().for_each(|&position| self.push(position));
    }

    fn push(&mut self, position: CodePosition) {
        if let Some(place) = self.room.get_mut(self.count) {
            *place = position;
            self.count += 1;
        }
    }

    pub(super) fn all(self) -> &'a [CodePosition] {
        self.room.get(..self.count).unwrap_or_default()
    }
}

/// The kinds of code that a stack leads through, as far as they are known, from its innermost frame
/// on.
#[derive(Debug, Default)]
pub(super) struct StackContent {
    /// Whether the last frame is in a file with an allocator, or in the loader.
    last: Option<bool>,
    has_program: bool,
    has_delicate: bool,
    /// The program has called delicate code.
    is_mixed: bool,
}

impl StackContent {
    /// Adds the caller of the last frame.
    pub(super) fn add(&mut self, is_delicate: bool) {
        match self.last.replace(is_delicate) {
            Some(true) => self.has_delicate = true,
            Some(false) => {
                self.has_program = true;
                self.is_mixed |= self.has_delicate;
            }
            None => {}
        }
    }

    /// The outermost frame does not count: it belongs to code that starts programs.
    pub(super) fn is_only_the_program(&self) -> bool {
        self.has_program && !self.is_mixed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::sampling::python::{Evaluation, FunctionNumber};

    /// The positions of a stack with these owners, whose frames end at 10, 20 and so on. Frames
    /// have the numbers of their places, functions of Python 100 and more.
    fn positions(owners: &[Owner], has_base: bool, python: &[(u64, &[u32])]) -> (Vec<u64>, bool) {
        let evaluations: Vec<_> =
            python.iter().map(|&(address, numbers)| (EvaluatorPlace::At(address), numbers)).collect();
        positions_of(owners, has_base, &[], &evaluations)
    }

    /// Like [`positions`], with the numbers of the frames that evaluate functions found by
    /// counting.
    fn positions_of(
        owners: &[Owner],
        has_base: bool,
        evaluators: &[u64],
        python: &[(EvaluatorPlace, &[u32])],
    ) -> (Vec<u64>, bool) {
        let call = |&number: &u32| CodePosition::in_python(FunctionNumber(0), 100 + number);
        let calls: Vec<_> = python.iter().flat_map(|(_, numbers)| numbers.iter().map(call)).collect();
        let ends = python.iter().scan(0, |end, (_, numbers)| {
            *end += numbers.len();
            Some(*end)
        });
        let evaluations = python.iter().zip(ends).map(|(&(place, _), end)| Evaluation { place, end });
        let stack = PythonStack::of(calls, evaluations.collect());
        let frame = |(number, &owner): (u64, &Owner)| NativeFrame {
            code: CodePosition::in_memory(number),
            canonical: 10 * (number + 1),
            owner,
            is_evaluator: evaluators.contains(&number),
        };
        let frames: Vec<_> = (0..).zip(owners).map(frame).collect();
        let mut room = [CodePosition::NONE; POSITIONS];
        let end = StackEnd::of(has_base, false);
        let (positions, keeps_base) = Positions::of(frames.into_iter(), end, &stack, &mut room);
        let shown = |it: &CodePosition| it.python().map_or(it.address(), |(_, line)| line.into());
        (positions.all().iter().map(shown).collect(), keeps_base)
    }

    use Owner::{Interpreter, Program};

    #[test]
    fn functions_of_python_take_the_place_of_the_frames_that_evaluate_them() {
        let owners = [Program, Interpreter, Interpreter, Program, Interpreter, Program];
        let python: [(u64, &[u32]); 2] = [(25, &[1, 2]), (45, &[3])];
        assert_eq!(positions(&owners, false, &python), (vec![0, 101, 102, 3, 103, 5], false));
        // A frame in which a region was entered.
        assert_eq!(positions(&owners, true, &python), (vec![0, 101, 102, 3, 103, 5], true));
        assert_eq!(positions(&owners[..4], true, &python), (vec![0, 101, 102, 3], true));
        // The functions that it evaluates are around the region.
        assert_eq!(positions(&owners[..5], true, &python), (vec![0, 101, 102, 3], false));
        assert_eq!(positions(&owners[..3], true, &python), (vec![0], false));
    }

    #[test]
    fn evaluators_without_a_known_place_are_counted_from_the_outermost() {
        let owners = [Interpreter, Interpreter, Program, Interpreter, Interpreter, Program];
        let next: [(EvaluatorPlace, &[u32]); 2] =
            [(EvaluatorPlace::Next, &[1]), (EvaluatorPlace::Next, &[2])];
        assert_eq!(positions_of(&owners, false, &[1, 3], &next), (vec![101, 2, 102, 5], false));
        // The innermost evaluator has no frame yet.
        assert_eq!(positions_of(&owners, false, &[0, 1, 3], &next), (vec![101, 2, 102, 5], false));
        assert_eq!(positions_of(&owners, false, &[0, 3, 4], &next), (vec![2, 101, 102, 5], false));
        // The outermost one was not reached.
        assert_eq!(positions_of(&owners[..3], false, &[1], &next), (vec![101, 102, 2], false));
        // The functions that the frame of a region evaluates are around the region.
        assert_eq!(positions_of(&owners[..4], true, &[1, 3], &next), (vec![101, 2], false));
    }

    #[test]
    fn a_stack_without_functions_of_python_has_the_frames_of_the_interpreter() {
        assert_eq!(positions(&[Interpreter, Program], true, &[]), (vec![0, 1], true));
    }

    #[test]
    fn functions_of_python_whose_frames_a_walk_has_not_reached_are_the_outermost() {
        let python: [(u64, &[u32]); 3] = [(5, &[1]), (25, &[2]), (1000, &[3])];
        assert_eq!(positions(&[Interpreter, Program], false, &python), (vec![101, 102, 103, 1], false));
        assert_eq!(positions(&[Program], false, &python), (vec![0, 101, 102, 103], false));
        assert_eq!(positions(&[Program, Interpreter], true, &python), (vec![0], false));
    }

    #[test]
    fn a_stack_is_only_the_program_if_it_leads_into_no_delicate_code() {
        let is_only = |frames: &[bool]| {
            let mut content = StackContent::default();
            frames.iter().for_each(|&is_delicate| content.add(is_delicate));
            content.is_only_the_program()
        };
        // The innermost frame is the first one.
        let (program, delicate) = (false, true);
        assert!(is_only(&[program, program, delicate, delicate]));
        assert!(is_only(&[program, program]));
        assert!(
            !is_only(&[delicate, program, delicate]) && !is_only(&[program, delicate, program, delicate])
        );
        assert!(!is_only(&[delicate, delicate]) && !is_only(&[program]) && !is_only(&[]));
    }
}
