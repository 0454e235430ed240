//! Work that Ctrl-C interrupts.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The time between two looks at the signals of the process.
pub(crate) const INTERRUPT_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` in another thread, with the interpreter unlocked, and returns its result.
///
/// # Errors
///
/// The exception of a handler of signals, such as `KeyboardInterrupt`. The work then goes on, and
/// its result is dropped.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    let receiver = Mutex::new(receiver);
    let builder = thread::Builder::new().name("kymograph".to_owned());
    builder.spawn(move || drop(sender.send(work())))?;
    loop {
        let received = py.detach(|| {
            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            receiver.recv_timeout(INTERRUPT_INTERVAL)
        });
        match received {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the work ended early"));
            }
        }
    }
}
