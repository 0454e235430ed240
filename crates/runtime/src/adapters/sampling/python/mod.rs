//! Functions of Python on the stacks of the interpreter CPython.
//!
//! The interpreter keeps the frames of Python functions in memory of its own. On the stack of a
//! thread are only calls of its evaluator, each of which executes some of these frames. [`layout`]
//! states where the interpreter keeps its data, [`frames`] reads the frames of the calling thread,
//! [`functions`] keeps their names, and [`lines`] finds their lines.
//!
//! Invariants: nothing of the interpreter is called but the function that returns the thread's
//! state, which takes no lock; its memory is read through the system, which refuses addresses that
//! are not mapped, since a signal may arrive while the interpreter changes it; a frame whose code
//! is no code object is left out; nothing is allocated, so that stacks are read in signal handlers,
//! too.

mod frames;
mod functions;
mod interpreter;
mod layout;
mod lines;
mod memory;

#[cfg(test)]
pub(super) use self::frames::Evaluation;
pub(super) use self::frames::{EvaluatorPlace, PythonStack};
pub(super) use self::functions::{FunctionNumber, region, source_line};
pub(super) use self::interpreter::{is_evaluator, is_in_interpreter, prepare};
