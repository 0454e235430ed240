//! The interpreter in this process.

use std::ffi::{CStr, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::layout::{Layout, layout_of};
use super::{functions, lines};
use crate::linker;
use crate::message::report;
use crate::readable;

/// The versions whose layouts are known.
const KNOWN: &str = "3.11 to 3.14";

/// The interpreter.
#[derive(Debug)]
pub(super) struct Interpreter {
    state_of_thread: StateOfThread,
    /// The types of code objects and of texts.
    pub(super) code_type: u64,
    pub(super) text_type: u64,
    /// The layout of its structures, if it is known.
    layout: Option<Layout>,
    /// Its `PY_VERSION_HEX`; 0 before 3.11.
    version: u64,
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
pub(in super::super) fn is_in_interpreter(range: &std::ops::Range<u64>) -> bool {
    interpreter().is_some_and(|it| range.contains(&((it.state_of_thread as usize) as u64)))
}

pub(super) fn interpreter() -> Option<&'static Interpreter> {
    INTERPRETER.get()?.as_ref()
}

impl Interpreter {
    fn find() -> Option<Self> {
        let address = |name: &CStr| Some(linker::global(name)).filter(|found| !found.is_null());
        let state_of_thread = address(c"PyGILState_GetThisThreadState")?;
        let [code_type, text_type] = [address(c"PyCode_Type")?, address(c"PyUnicode_Type")?];
        let version =
            address(c"Py_Version").and_then(|version| readable::word(version.addr() as u64)).unwrap_or(0);
        let published = address(c"_PyRuntime").and_then(|runtime| words(runtime.addr() as u64));
        Some(Self {
            // SAFETY: the interpreter declares its function of this name so.
            state_of_thread: unsafe { std::mem::transmute::<*mut c_void, StateOfThread>(state_of_thread) },
            code_type: code_type.addr() as u64,
            text_type: text_type.addr() as u64,
            layout: layout_of(version, published.as_ref()),
            version,
        })
    }

    /// Returns the address of the calling thread's state, with the layout of what it leads to, if
    /// the thread has a state. States once that the layout is not known.
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
                "samples show no functions of Python: it is older than 3.11, and those of {KNOWN} are known"
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
