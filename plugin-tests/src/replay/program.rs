//! A program with several ranks: starts one process for each, and waits for them.
//!
//! Every rank runs this program with the same arguments plus its number. The socket to which others
//! connect is created before any rank starts and becomes the rank's standard input. No rank
//! outlives this process. When one fails, the others notice at their next call or have a short time
//! to end; then they are killed, as by `mpirun`.

use crate::replay::Error;
use crate::replay::host::report;
use crate::replay::ipc::{Links, address};
use std::env;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixListener;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long the other ranks may continue after one has failed: only ranks that hang take so long.
const GRACE: Duration = Duration::from_secs(60);
/// The interval between checks of the processes.
const LOOK: Duration = Duration::from_millis(2);

/// The running processes.
#[derive(Debug)]
pub(crate) struct Program {
    running: Vec<(u32, Child)>,
}

impl Program {
    /// Starts all ranks.
    pub(crate) fn start(ranks: &[u32]) -> Result<Self, Error> {
        let name = name();
        let listen = |&rank| Ok((rank, UnixListener::bind_addr(&address(&name, rank)?)?));
        let listeners: io::Result<Vec<(u32, UnixListener)>> = ranks.iter().map(listen).collect();
        let listeners = listeners.map_err(|error| Error::Usage(format!("cannot make sockets: {error}")))?;
        let mut program = Self { running: Vec::new() };
        for (rank, listener) in listeners {
            match start(&name, rank, listener) {
                Ok(child) => program.running.push((rank, child)),
                Err(error) => {
                    program.kill();
                    return Err(Error::io(Path::new("/proc/self/exe"), error));
                }
            }
        }
        Ok(program)
    }

    /// Waits until all ranks have ended; returns an error if one of them failed.
    pub(crate) fn wait(mut self) -> Result<(), Error> {
        let (mut failed, mut first) = (Vec::new(), None);
        while !self.running.is_empty() {
            failed.extend(self.ended()?.into_iter().filter(|(_, status)| !status.success()));
            if !failed.is_empty() && first.get_or_insert_with(Instant::now).elapsed() > GRACE {
                self.kill();
            }
            sleep(LOOK);
        }
        failed.sort_unstable_by_key(|(rank, _)| *rank);
        let failed: Vec<String> =
            failed.into_iter().map(|(rank, status)| format!("rank {rank} {}", describe(status))).collect();
        if failed.is_empty() { Ok(()) } else { Err(Error::Ranks(failed.join(", "))) }
    }

    /// Removes and returns the processes that have ended.
    fn ended(&mut self) -> Result<Vec<(u32, ExitStatus)>, Error> {
        let mut ended = Vec::new();
        for (rank, child) in &mut self.running {
            let status = child.try_wait().map_err(|error| Error::io(Path::new("/proc/self/exe"), error))?;
            ended.extend(status.map(|status| (*rank, status)));
        }
        self.running.retain(|(rank, _)| !ended.iter().any(|(other, _)| rank == other));
        Ok(ended)
    }

    fn kill(&mut self) {
        for (rank, child) in &mut self.running {
            report(&format!("rank {rank} is killed"));
            // It may have ended on its own by now.
            let _ = child.kill();
            let _ = child.wait();
        }
        self.running.clear();
    }
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with exit status {code}"),
        (None, Some(signal)) => format!("was killed by signal {signal}"),
        (None, None) => "ended in an unknown way".to_owned(),
    }
}

/// Returns a name that no other program has.
fn name() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    format!("{}-{:x}", std::process::id(), now.map_or(0, |now| now.as_nanos()))
}

fn start(name: &str, rank: u32, listener: UnixListener) -> io::Result<Child> {
    let mut command = Command::new(env::current_exe()?);
    command.args(env::args_os().skip(1)).args(["--member", &rank.to_string(), "--program", name]);
    command.stdin(OwnedFd::from(listener));
    // SAFETY: one system call between fork and exec.
    unsafe { command.pre_exec(end_with_parent) };
    command.spawn()
}

fn end_with_parent() -> io::Result<()> {
    // SAFETY: only sets the signal for the end of the parent.
    match unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Returns the links of a rank that `start` started.
pub(crate) fn links(program: String, rank: u32, size: u32, patience: Duration) -> Result<Links, Error> {
    let links = || {
        let listener = UnixListener::from(io::stdin().as_fd().try_clone_to_owned()?);
        Links::new(program, listener, rank, size, patience)
    };
    links().map_err(|error| Error::Usage(format!("standard input is not a socket of the program: {error}")))
}
