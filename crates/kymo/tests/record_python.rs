//! `kymo record` of programs in Python, whose functions are on the stacks of samples and events.

use std::collections::BTreeSet;
use std::process::Command;

use crate::record_common::{TestFolder, source};

/// The callers of a pause, in each of the ways in which one function of Python calls another.
const CALLERS: [&str; 24] = [
    "<module>>first>pause",
    "<module>>first",
    "<module>>countdown>countdown>countdown>countdown>pause",
    // Only the innermost functions of a deep recursion are recorded.
    "countdown>…>countdown>pause",
    "<module>>Model.__init__>pause",
    "<module>>Model.fit>Model.step>pause",
    "<module>>Model.loss>pause",
    "<module>>Model.__repr__>pause",
    "<module>>numbers>pause",
    "<module>>numbers>more_numbers>pause",
    "outer>pause",
    "outer>inner>pause",
    "<module>>decorated.<locals>.wrapper>decorated_pause>pause",
    "<module>>handle>pause",
    "<module>>raising>pause",
    "<module>>made>made0>pause",
    "<module>>made>made1>pause",
    "<module>>made>made2>pause",
    "<module>>größe>pause",
    "<module>><lambda>>pause",
    "<module>>compare>pause",
    "Thread.run>first>pause",
    "Thread.run>first",
    "BaseProcess.run>forked>pause",
];

/// The number of functions on a stack, at most.
const DEEPEST: usize = 256;

/// Python sleeps until a time that it computes before, and on a busy machine that can be over when
/// the call begins: then the call takes no time.
const OPTIONS: [&str; 6] = ["-o", "o", "--with", "waiting,sampling=2000", "--min-wait", "1ns"];

/// The interpreter of the tests.
struct Interpreter {
    /// Before 3.11, functions have no qualified names, and `sleep` calls another function.
    is_old: bool,
}

impl Interpreter {
    fn find() -> Self {
        let question = "import sys; sys.exit(sys.version_info >= (3, 11))";
        let status = Command::new("python3").args(["-c", question]).status().expect("python3 starts");
        Self { is_old: status.success() }
    }

    /// Returns a call path with the names that functions have.
    fn named(&self, path: &str) -> String {
        if !self.is_old {
            return path.to_owned();
        }
        // Each function of these versions has calls of the interpreter on the stack, which ends
        // first.
        let path = path.replace(".<locals>", "").replace("countdown>…", "[unknown caller]>…");
        let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
        path.split('>').map(last).collect::<Vec<_>>().join(">")
    }

    /// Returns the function that waits in `sleep`.
    fn wait(&self) -> &'static str {
        if self.is_old { "select" } else { "clock_nanosleep" }
    }
}

/// Only functions of the interpreter were on the stacks.
#[test]
fn functions_of_python_call_each_other_as_in_the_program() {
    let (folder, interpreter) = (TestFolder::new(), Interpreter::find());
    let script = source("callers.py");
    let ended = folder.run(&OPTIONS, &["python3", &script]);
    assert_eq!((ended.status, &*ended.stdout), (Some(0), ""), "{ended:?}");
    let recording = folder.read("o");
    // How asyncio, threads and processes call their function differs from version to version.
    let begins = ["outer", "Thread.run", "BaseProcess.run"].map(|path| interpreter.named(path));
    let own = |path: &str| {
        let path = path.strip_suffix(interpreter.wait())?.strip_suffix('>')?;
        let names: Vec<_> = path.split('>').collect();
        let begin = names.iter().rposition(|name| begins.iter().any(|it| it == name)).unwrap_or(0);
        match (names.first(), names.last_chunk()) {
            // Functions of other libraries are between.
            (Some(first), Some(["compare", "pause"])) => Some(format!("{first}>>compare>pause")),
            (Some(first), Some([caller, "pause"]))
                if names.len() == DEEPEST + usize::from(interpreter.is_old) =>
            {
                Some(format!("{first}>…>{caller}>pause"))
            }
            _ => Some(names.get(begin..)?.join(">")),
        }
    };
    let found: BTreeSet<_> = recording.entered_paths().iter().filter_map(|path| own(path)).collect();
    let expected: BTreeSet<_> = CALLERS.into_iter().map(|path| interpreter.named(path)).collect();
    assert_eq!(found, expected);
}

#[test]
fn functions_of_python_have_their_files_and_lines() {
    let (folder, interpreter) = (TestFolder::new(), Interpreter::find());
    let script = source("callers.py");
    folder.run(&OPTIONS, &["python3", &script]);
    let recording = folder.read("o");
    assert_eq!(recording.place_of("pause"), (script.clone(), 12));
    assert_eq!(recording.place_of(&interpreter.named("Model.step")), (script, 36));
    let lines = recording.lines_entered(interpreter.wait());
    assert_eq!(lines, BTreeSet::from([13, 18]), "{recording:?}");
}

#[test]
fn an_interpreter_of_an_unknown_version_is_named_once() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-rdynamic"], "unknown_python.c");
    let ended = folder.run(&["-o", "o", "--with", "sampling=2000"], &[&program]);
    assert_eq!(ended.status, Some(3), "{ended:?}");
    assert_eq!(ended.stderr.matches("the frames of this 3.99 are not known").count(), 1, "{ended:?}");
    assert!(folder.read("o").samples_in("main") > 0);
}
