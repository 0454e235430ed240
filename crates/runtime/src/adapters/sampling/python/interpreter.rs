//! The interpreter in this process.

use std::ffi::{CStr, c_void};
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::layout::{Layout, layout_of};
use super::{functions, lines};
use crate::linker;
use crate::loaded;
use crate::message::report;
use crate::readable;

/// The versions whose layouts are known.
const KNOWN: &str = "3.9 to 3.14";

/// The interpreter.
#[derive(Debug)]
pub(super) struct Interpreter {
    state_of_thread: StateOfThread,
    /// The types of code objects and of texts.
    pub(super) code_type: u64,
    pub(super) text_type: u64,
    /// The layout of its structures, if it is known.
    layout: Option<Layout>,
    /// Its `PY_VERSION_HEX`, of which only the upper half is known before 3.11; 0 before 3.9.
    version: u64,
    /// The code of its evaluator, where frames do not tell which evaluator executes them.
    evaluator: Range<u64>,
}

type StateOfThread = unsafe extern "C" fn() -> *mut c_void;

static INTERPRETER: OnceLock<Option<Interpreter>> = OnceLock::new();

/// Looks for an interpreter in the process.
pub(in super::super) fn prepare() {
    let found = INTERPRETER.get_or_init(Interpreter::find);
    if found.is_some() {
        functions::prepare();
        lines::prepare();
    }
}

/// Returns whether these addresses contain the interpreter.
pub(in super::super) fn is_in_interpreter(range: &Range<u64>) -> bool {
    interpreter().is_some_and(|it| range.contains(&((it.state_of_thread as usize) as u64)))
}

/// Returns whether code at this address evaluates a frame that is found by counting.
pub(in super::super) fn is_evaluator(address: u64) -> bool {
    interpreter().is_some_and(|it| it.evaluator.contains(&address))
}

pub(super) fn interpreter() -> Option<&'static Interpreter> {
    INTERPRETER.get()?.as_ref()
}

impl Interpreter {
    fn find() -> Option<Self> {
        let address = |name: &CStr| Some(linker::global(name)).filter(|found| !found.is_null());
        let state_of_thread = address(c"PyGILState_GetThisThreadState")?;
        let [code_type, text_type] = [address(c"PyCode_Type")?, address(c"PyUnicode_Type")?];
        let has = |name: &CStr| address(name).is_some();
        let version = match address(c"Py_Version") {
            Some(version) => readable::word(version.addr() as u64).unwrap_or(0),
            // These versions do not tell their number, but have functions that older ones lack.
            None if has(c"PyIter_Send") => 0x030a_0000,
            None if has(c"PyFrame_GetBack") => 0x0309_0000,
            None => 0,
        };
        let evaluator = address(c"_PyEval_EvalFrameDefault").filter(|_| version >> 16 == 0x0309);
        let published = address(c"_PyRuntime").and_then(|runtime| words(runtime.addr() as u64));
        let evaluator = evaluator.map_or(0..0, |begin| loaded::function_at(begin.addr() as u64));
        let may_count = version >> 16 != 0x0309 || !evaluator.is_empty();
        Some(Self {
            // SAFETY: the interpreter declares its function of this name so.
            state_of_thread: unsafe { std::mem::transmute::<*mut c_void, StateOfThread>(state_of_thread) },
            code_type: code_type.addr() as u64,
            text_type: text_type.addr() as u64,
            layout: layout_of(version, published.as_ref()).filter(|_| may_count),
            version,
            evaluator,
        })
    }

    /// Returns the address of the calling thread's state, with the layout of the structures that it
    /// leads to, if the thread has a state. States once that the layout is not known.
    pub(super) fn thread(&self) -> Option<(u64, Layout)> {
        // SAFETY: the function reads a variable of the thread and can be called at any time.
        let state = unsafe { (self.state_of_thread)() };
        if state.is_null() {
            return None;
        }
        if self.layout.is_none() {
            self.report_unknown();
        }
        Some((state.addr() as u64, self.layout?))
    }

    #[cold]
    fn report_unknown(&self) {
        static IS_REPORTED: AtomicBool = AtomicBool::new(false);
        if IS_REPORTED.swap(true, Relaxed) {
            return;
        }
        let (major, minor) = (self.version >> 24 & 0xFF, self.version >> 16 & 0xFF);
        match self.version {
            0 => report(format_args!(
                "samples show no functions of Python: it is older than 3.9, and those of {KNOWN} are known"
            )),
            _ => report(format_args!(
                "samples show no functions of Python: the frames of this {major}.{minor} are not known, only \
                 those of {KNOWN} with a global lock"
            )),
        }
    }
}

fn words<const COUNT: usize>(address: u64) -> Option<[u64; COUNT]> {
    let mut words = [0; COUNT];
    for (number, word) in words.iter_mut().enumerate() {
        *word = readable::word(address + 8 * number as u64)?;
    }
    Some(words)
}
