//! Waits for changes in a folder. The system reports them, so no polling is needed.
//!
//! The system may not report changes of other nodes in a shared folder, so a wait ends after a
//! given time, and the caller looks again.

use std::mem::MaybeUninit;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use rustix::fs::inotify::{self, CreateFlags, Reader, WatchFlags};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// The event that ends a wait.
enum Event {
    Changed,
    Signal,
}

/// The changes of a folder from now on.
#[derive(Debug)]
pub(super) struct Changes(Receiver<Event>);

impl Changes {
    /// Watches this folder for new entries. If the system cannot do that, nothing changes.
    pub(super) fn of(folder: &Path) -> Self {
        let (sender, receiver) = channel();
        watch(folder, sender.clone());
        if let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) {
            let handle = signals.handle();
            let wait = move || {
                for _ in signals.forever() {
                    if sender.send(Event::Signal).is_err() {
                        break;
                    }
                }
            };
            if thread::Builder::new().spawn(wait).is_err() {
                handle.close();
            }
        }
        Self(receiver)
    }

    /// Waits for a change, at most for this long. Returns false if a signal arrived instead.
    pub(super) fn wait(&self, most: Duration) -> bool {
        match self.0.recv_timeout(most) {
            Ok(Event::Signal) => false,
            Ok(Event::Changed) | Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(most);
                true
            }
        }
    }
}

fn watch(folder: &Path, events: Sender<Event>) {
    let Ok(inotify) = inotify::init(CreateFlags::CLOEXEC) else { return };
    let what = WatchFlags::CREATE | WatchFlags::MOVED_TO;
    if inotify::add_watch(&inotify, folder, what).is_err() {
        return;
    }
    let wait = move || {
        let mut room = [MaybeUninit::uninit(); 4096];
        let mut reader = Reader::new(inotify, &mut room);
        while reader.next().is_ok() && events.send(Event::Changed).is_ok() {}
    };
    // Without the thread, nothing changes.
    let _ = thread::Builder::new().spawn(wait);
}
