//! Which functions of a program the library calls for locks, collectives, flushes and memory, in
//! which order and with which arguments: those that libotf2 calls.

use crate::common::{compile_for_both, names};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

struct Program {
    program: PathBuf,
    _folder: TempDir,
}

fn program() -> Option<Program> {
    let folder = tempfile::tempdir().expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hosts/transcripts.c");
    let program = compile_for_both(&source, folder.path())?;
    Some(Program { program, _folder: folder })
}

impl Program {
    /// Returns the transcript of a run in a folder.
    fn run(&self, library: Option<&Path>, arguments: &[&str], folder: &Path) -> String {
        let mut command = Command::new("timeout");
        command.arg("300").arg(&self.program).args(arguments).current_dir(folder);
        library.map(|library| command.env("LD_LIBRARY_PATH", library));
        let output = command.output().expect("the program");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}: {}\n{stderr}", output.status);
        without_locks_at_the_end(&String::from_utf8_lossy(&output.stdout))
    }

    /// Writes an archive with both libraries and reads it; returns the transcript.
    fn compare(&self, arguments: &[&str]) -> String {
        let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let mut all = String::new();
        for mode in ["write", "read"] {
            let arguments = [&[mode], arguments].concat();
            let ours = self.run(Some(names()), &arguments, folders[0].path());
            let theirs = self.run(None, &arguments, folders[1].path());
            assert_eq!(ours, theirs, "{arguments:?}");
            all += &ours;
        }
        all
    }
}

/// Closing an archive, libotf2 takes the lock for each number in the anchor file.
fn without_locks_at_the_end(text: &str) -> String {
    let mut is_closing = false;
    let mut kept = String::new();
    for line in text.lines() {
        is_closing = line == "Close" || is_closing && !line.starts_with("rank ");
        if !is_closing || !line.ends_with("lock") {
            kept += line;
            kept += "\n";
        }
    }
    kept
}

/// The chunk size of definitions was broadcast with another type, and not at all a second time.
#[test]
fn the_library_calls_the_functions_of_a_program_as_libotf2_does() {
    let Some(program) = program() else { return };
    for ranks in ["1", "2", "5"] {
        let transcript = program.compare(&[ranks]);
        // The program reached the calls that it is for.
        for expected in
            ["  lock\n", "  bcast g 1 4 0: 262144\n", "  allocate 3 ", "  pre_flush 0 ", "  enter 0 1 1\n"]
        {
            assert!(transcript.contains(expected), "{expected}");
        }
        let [taken, released] = ["  lock\n", "  unlock\n"].map(|line| transcript.matches(line).count());
        assert_eq!(taken, released);
    }
}

#[test]
fn broadcasts_that_fail_are_answered_as_by_libotf2() {
    let Some(program) = program() else { return };
    // The numbers of two broadcasts among the calls: the folders were made, the chunk size.
    for call in ["7", "13"] {
        let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let ours = program.run(Some(names()), &["write", "3", call], folders[0].path());
        assert!(ours.lines().any(|line| line.starts_with("  bcast") && line.ends_with(" fails")), "{ours}");
        assert_eq!(ours, program.run(None, &["write", "3", call], folders[1].path()));
    }
}
