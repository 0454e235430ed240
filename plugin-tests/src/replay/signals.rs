//! Samples inside a signal handler, where real hosts take them. The handler of a signal that the
//! recorded thread raises on itself plays the definitions announced right before a sample, then the
//! sample.

use crate::replay::events::number;
use crate::replay::player::Player;
use crate::replay::recording::Action;
use crate::replay::script::{Script, Step};
use std::cell::Cell;
use std::ffi::c_int;
use std::ptr;

/// The steps that a handler must play.
struct Job<'a> {
    player: &'a Player,
    steps: &'a [Step],
    shift: u64,
}

thread_local! {
    static JOB: Cell<*const Job<'static>> = const { Cell::new(ptr::null()) };
}

/// Installs the handler.
pub(crate) fn install() {
    // SAFETY: zeros are no flags and an empty mask.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = on_signal as extern "C" fn(c_int) as usize;
    action.sa_flags = libc::SA_RESTART;
    // SAFETY: the handler is never unloaded, and does not allocate.
    let result = unsafe { libc::sigaction(libc::SIGPROF, &raw const action, ptr::null_mut()) };
    assert_eq!(result, 0, "sigaction: {}", std::io::Error::last_os_error());
}

/// Returns how many of the first steps belong in a handler: announcements and the sample after
/// them; 0 if none do.
pub(crate) fn interrupting(script: &Script, steps: &[Step]) -> usize {
    let is_announcement = |step: &&Step| match step {
        Step::Call(action) => {
            matches!(script.actions.get(*action as usize), Some(Action::NewDefinitionHandle(_)))
        }
        Step::Event(_) => false,
    };
    let announced = steps.iter().take_while(is_announcement).count();
    match steps.get(announced) {
        Some(Step::Event(event)) if event.number == number::SAMPLE => announced + 1,
        _ => 0,
    }
}

/// Plays steps in the handler of a signal to the calling thread.
pub(crate) fn interrupt(player: &Player, steps: &[Step], shift: u64) {
    let job = Job { player, steps, shift };
    JOB.set(ptr::from_ref(&job).cast());
    // SAFETY: the handler is installed; it returns before this does.
    let result = unsafe { libc::raise(libc::SIGPROF) };
    assert!(result == 0 && JOB.get().is_null(), "the signal was not delivered");
}

extern "C" fn on_signal(_signal: c_int) {
    let job = JOB.replace(ptr::null());
    // SAFETY: null, or the job of `interrupt`, which lives until this returns.
    if let Some(job) = unsafe { job.as_ref() } {
        job.player.play_interrupting(job.steps, job.shift);
    }
}
