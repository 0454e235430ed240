//! Runs a program and waits for it and its descendants.
//!
//! Processes whose parents have ended become children of this process, so that none is missed.
//! Signals from the terminal reach the program directly; signals that only this process receives
//! are passed on. Nothing that the program inherits is changed: ignored signals stay ignored.

use std::collections::HashMap;
use std::io;
use std::process::{Command, ExitCode};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, kill_process, set_child_subreaper, wait, waitpid,
};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

use super::error::RecordError;
use super::program::Program;
use super::report::ExitSummary;
use crate::interruption::ignored;
use crate::output::complain;

/// How the program ended.
#[derive(Debug)]
pub(super) struct End {
    /// The process ID of the program.
    pub(super) first: u32,
    status: WaitStatus,
    /// Whether some processes are still running.
    pub(super) is_early: bool,
    /// The signals that ended processes, by process ID.
    pub(super) signals: HashMap<u32, i32>,
}

impl End {
    /// Returns the exit code as shells define it.
    pub(super) fn exit_code(&self) -> ExitCode {
        let code = self.status.exit_status().or_else(|| self.signal().map(|signal| 128 + signal));
        ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX))
    }

    /// Returns the summary of the end for the report.
    pub(super) fn summary(&self) -> ExitSummary {
        ExitSummary { signal: self.signal().map(|signal| (None, signal)), is_early: self.is_early }
    }

    /// Returns the signal that ended the program.
    pub(super) fn signal(&self) -> Option<i32> {
        self.status.terminating_signal()
    }
}

/// Something that happened to the processes.
enum Event {
    Ended(Pid, WaitStatus),
    /// No child is left.
    AllEnded,
    Signal(i32),
    /// Nothing else happened until the time that was given.
    Nothing,
}

/// How long processes may outlive the program before that is reported: helpers of a launcher or of
/// an MPI library end when they notice its end.
const REPORT_DELAY: Duration = Duration::from_secs(1);

/// Runs the command and waits for its end or, if `all`, for that of its last descendant.
pub(super) fn run(command: &mut Command, program: &Program, all: bool) -> Result<End, RecordError> {
    let signals = Signals::new(caught()).map_err(RecordError::failed)?;
    if all {
        // Without this, orphaned processes are not waited for.
        let _ = set_child_subreaper(rustix::process::getpid().into());
    }
    let child = command.spawn().map_err(|error| match error.kind() {
        // No process or no memory is available, whatever the program.
        io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => RecordError::io(program.path(), &error),
        _ => RecordError::unfit(program.path(), error),
    })?;
    let first = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let first = first.ok_or_else(|| RecordError::failed("the system returned no process ID"))?;
    let only = (!all).then_some(first);
    let mut ends = HashMap::new();
    let report = || report_left(first);
    let (status, is_early) = match start(signals, only) {
        Some(events) => follow(first, |until| receive(&events, until), all, &mut ends, report)?,
        // Nothing can be waited for and reported at the same time.
        None => {
            let next = |until: Option<_>| Some(if until.is_some() { Event::Nothing } else { next(only) });
            follow(first, next, all, &mut ends, report)?
        }
    };
    Ok(End { first: child.id(), status, is_early, signals: ends })
}

/// Starts the threads that wait for processes and for signals. Returns `None` if the system refuses
/// the first of them, which reports that signals are not passed on.
fn start(signals: Signals, only: Option<Pid>) -> Option<Receiver<Event>> {
    let (sender, events) = channel();
    let handle = signals.handle();
    let waits = thread::Builder::new().spawn({
        let sender = sender.clone();
        move || reap(&sender, only)
    });
    let passes = waits.as_ref().is_ok_and(|_| pass_on(signals, sender).is_ok());
    if !passes {
        handle.close();
        complain("no thread could be started that passes signals on to the program");
    }
    waits.is_ok().then_some(events)
}

/// Returns the signals that would end this process before its work is done, except ignored ones.
/// SIGCHLD is added if it is ignored: the system would keep no exit status.
fn caught() -> Vec<i32> {
    let ignored = ignored().unwrap_or(0);
    let is_ignored = |signal: &i32| ignored & (1 << (signal - 1)) != 0;
    let ends = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|signal| !is_ignored(signal));
    ends.chain(Some(SIGCHLD).filter(is_ignored)).collect()
}

fn pass_on(mut signals: Signals, events: Sender<Event>) -> io::Result<()> {
    let wait = move || {
        for signal in signals.forever().filter(|&signal| signal != SIGCHLD) {
            if events.send(Event::Signal(signal)).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().spawn(wait).map(drop)
}

/// Waits for one child or for all, and reports their ends.
fn reap(events: &Sender<Event>, only: Option<Pid>) {
    loop {
        let event = next(only);
        let is_last = matches!(event, Event::AllEnded);
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// Waits for the end of one child, or of any.
fn next(only: Option<Pid>) -> Event {
    loop {
        let ended = match only {
            Some(child) => waitpid(Some(child), WaitOptions::empty()),
            None => wait(WaitOptions::empty()),
        };
        match ended {
            Ok(Some((process, status))) => return Event::Ended(process, status),
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return Event::AllEnded,
        }
    }
}

/// Waits for the next event, but no longer than until a time. Returns `None` if there is no event
/// any more.
fn receive(events: &Receiver<Event>, until: Option<Instant>) -> Option<Event> {
    let Some(until) = until else { return events.recv().ok() };
    match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
        Err(RecvTimeoutError::Timeout) => Some(Event::Nothing),
        event => event.ok(),
    }
}

/// Returns the status of the first process, and whether others are still running. `next` returns
/// the next event, or that there was none until a time; `report` reports processes that are still
/// running some time after the first one has ended.
fn follow(
    first: Pid,
    mut next: impl FnMut(Option<Instant>) -> Option<Event>,
    all: bool,
    signals: &mut HashMap<u32, i32>,
    report: impl Fn(),
) -> Result<(WaitStatus, bool), RecordError> {
    let (mut ended, mut until) = (None, None);
    while let Some(event) = next(until) {
        if let Event::Ended(process, status) = &event {
            let process = process.as_raw_nonzero().get().unsigned_abs();
            signals.extend(status.terminating_signal().map(|signal| (process, signal)));
        }
        match (event, ended) {
            (Event::Ended(process, status), _) if process == first => {
                if !all {
                    return Ok((status, false));
                }
                ended = Some(status);
                until = Some(Instant::now() + REPORT_DELAY);
            }
            (Event::Ended(..), _) => {}
            (Event::Nothing, _) => {
                until = None;
                report();
            }
            (Event::AllEnded, Some(status)) => return Ok((status, false)),
            // This signal ends the wait for them.
            (Event::Signal(_), Some(status)) => return Ok((status, true)),
            (Event::Signal(signal), None) => forward(first, signal),
            (Event::AllEnded, None) => break,
        }
    }
    let lost = io::Error::other("the exit status of the program was lost");
    Err(RecordError::failed(lost))
}

/// Passes a signal on, unless the terminal sends it to the program as well.
fn forward(process: Pid, signal: i32) {
    let signal = match signal {
        SIGTERM => Signal::TERM,
        SIGHUP => Signal::HUP,
        _ => return,
    };
    // The program may have ended just now.
    let _ = kill_process(process, signal);
}

/// Reports processes that outlive the program.
fn report_left(first: Pid) {
    let own = std::process::id();
    let children = std::fs::read_to_string(format!("/proc/self/task/{own}/children")).unwrap_or_default();
    let first = first.to_string();
    match children.split_ascii_whitespace().filter(|&process| process != first).count() {
        0 => {}
        1 => complain(
            "the program has ended, but one of its processes is still running; waiting for it (Ctrl-C \
             stops waiting)",
        ),
        count => complain(&format!(
            "the program has ended, but {count} of its processes are still running; waiting for them \
             (Ctrl-C stops waiting)"
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Returns how often processes that still run are reported for these events.
    fn reports(events: Vec<Event>) -> u32 {
        let (mut events, count) = (events.into_iter(), Cell::new(0));
        let first = Pid::from_raw(7).unwrap();
        let report = || count.set(count.get() + 1);
        let end = follow(first, |_| events.next(), true, &mut HashMap::new(), report);
        assert!(end.is_ok_and(|(_, is_early)| !is_early));
        count.get()
    }

    #[expect(clippy::zombie_processes, reason = "`waitpid` waits for it")]
    fn ended(process: i32) -> Event {
        let child = Command::new("true").spawn().unwrap();
        let child = Pid::from_raw(child.id().cast_signed()).unwrap();
        let (_, status) = waitpid(Some(child), WaitOptions::empty()).unwrap().unwrap();
        Event::Ended(Pid::from_raw(process).unwrap(), status)
    }

    /// Every MPI program that Open MPI ran without `mpirun` was reported: the daemon that it starts
    /// then ends after it.
    #[test]
    fn a_process_that_ends_soon_after_the_program_is_not_reported() {
        assert_eq!(reports(vec![ended(7), ended(8), Event::AllEnded]), 0);
        assert_eq!(reports(vec![ended(8), ended(7), Event::AllEnded]), 0);
        assert_eq!(reports(vec![ended(7), Event::Nothing, ended(8), Event::AllEnded]), 1);
    }
}
