//! The activity of the processes of a test that hangs, and their end.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::process::program;

/// The time for a handler of SIGABRT to print its stacks, as Python's does.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Describes the processes that a program has started and that have not ended, and kills them: the
/// tests that wait for them fail, and report their output. The description is empty if there are
/// none.
pub(super) fn end_descendants(parent: u32) -> String {
    let processes = descendants(parent);
    let text = processes.iter().map(|&process| description(process)).collect();
    send("-ABRT", &processes);
    let began = Instant::now();
    while began.elapsed() < LAST_WORDS && processes.iter().any(|&process| !command(process).is_empty()) {
        thread::sleep(Duration::from_millis(50));
    }
    send("-KILL", &processes);
    text
}

fn send(signal: &str, processes: &[u32]) {
    for process in processes {
        // Minimal systems have no program `kill`. A process may have ended by itself.
        let _ = program("sh").args(["-c", &format!("kill {signal} {process}")]).output();
    }
}

/// Returns the command of a process, nothing once it has ended.
fn command(process: u32) -> String {
    let words = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&words).replace('\0', " ")
}

/// Returns the running processes that a process and its descendants have started.
fn descendants(process: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for thread in threads(process) {
        let children = fs::read_to_string(thread.join("children")).unwrap_or_default();
        for child in children.split_whitespace().filter_map(|word| word.parse().ok()) {
            found.push(child);
            found.extend(descendants(child));
        }
    }
    found
}

/// Returns the folders of the threads of a process.
fn threads(process: u32) -> Vec<PathBuf> {
    let tasks = fs::read_dir(Path::new("/proc").join(process.to_string()).join("task"));
    tasks.into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// Returns the number and the command of a process, and where each of its threads waits.
fn description(process: u32) -> String {
    let mut text = format!("{process} {}\n", command(process));
    for thread in threads(process) {
        let read = |name| fs::read_to_string(thread.join(name)).unwrap_or_default();
        let status = read("status");
        let state = status.lines().find_map(|line| line.strip_prefix("State:")).unwrap_or_default();
        let (name, place, call) = (read("comm"), read("wchan"), read("syscall"));
        let [name, state, call] = [&*name, state, &*call].map(str::trim);
        let _ = writeln!(text, "    {name}: {state}, {place}, system call {call}");
    }
    text
}
