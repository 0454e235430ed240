//! The program's calls: each has a region, and some start or end operations of a device.

use super::commands::{self, StartedCommand};
use super::functions::{ClFunction, WORDS};
use super::layer::{self, SUCCESS};
use super::queues::{self, QueueProperties};
use super::{OPENCL, SWITCH, contexts, kernels};
use crate::cancellation::uncancelled;
use crate::host::host;
use crate::measurement::{self, Caller, Here};
use crate::next::keeping_errno;
use crate::thread;

/// The function of the layer with a number.
#[allow(clippy::too_many_arguments, reason = "as many as a function of OpenCL has")]
pub(super) unsafe extern "C-unwind" fn wrapper<const NUMBER: usize>(
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
    g: usize,
    h: usize,
    i: usize,
    j: usize,
    k: usize,
    l: usize,
    m: usize,
    n: usize,
) -> usize {
    let words = [a, b, c, d, e, f, g, h, i, j, k, l, m, n];
    // SAFETY: the words are the program's arguments, which are valid for the function.
    unsafe { call(ClFunction::ALL[NUMBER], words) }
}

/// Makes a call of the program.
///
/// # Safety
///
/// The words must be valid arguments of the function.
pub(super) unsafe fn call(function: ClFunction, mut words: [usize; WORDS]) -> usize {
    if !SWITCH.is_on() {
        // SAFETY: the words are valid arguments of the function, as this one demands.
        return unsafe { layer::call(function, words) };
    }
    let is_entered = inside(|here| {
        if let Some(host) = host() {
            OPENCL.define(host);
        }
        here.enter_from(Caller::Function, function.region().define(), here.now());
        // SAFETY: the words are the arguments of the call, which follows.
        unsafe { before(here, function, &words) };
    });
    let mut properties = QueueProperties::default();
    let (mut event, mut count) = (0, 0_u32);
    if is_entered.is_some() && function == ClFunction::clCreateKernelsInProgram && words[3] == 0 {
        words[3] = (&raw mut count).expose_provenance();
    }
    let is_changed = is_entered.is_some() && properties.add_to(function, &mut words);
    // SAFETY: the words are the arguments of the call, which follows.
    let command =
        is_entered.and_then(|()| inside(|here| unsafe { commands::start(here, function, &words) })).flatten();
    if let Some(command) = &command {
        command.set_event(&mut words, &mut event);
    }
    // SAFETY: the arguments of the program, or ours in their place, which outlive the call.
    let mut result = unsafe { layer::call(function, words) };
    if is_changed && result == 0 {
        // The device cannot tell times. The call decides without our property.
        properties.remove_from(&mut words);
        // SAFETY: as above, without our property.
        result = unsafe { layer::call(function, words) };
    }
    if is_entered.is_some() {
        inside(|here| {
            // SAFETY: the arguments of the call, which has returned.
            unsafe { after(here, function, &words, result, command) };
            here.leave(function.region().defined());
        });
    }
    result
}

/// Executes an action with the location of the calling thread, which is not cancelled in it. Memory
/// that it allocates is not the program's.
pub(super) fn inside<T>(action: impl FnOnce(&Here) -> T) -> Option<T> {
    keeping_errno(|| {
        let here = measurement::here_or_orphan()?;
        Some(uncancelled(|| thread::owning(|| action(&here))))
    })
}

/// Prepares for a call that releases a queue or a context.
///
/// # Safety
///
/// The words must be the arguments of the call.
unsafe fn before(here: &Here, function: ClFunction, words: &[usize; WORDS]) {
    match function {
        ClFunction::clReleaseCommandQueue => queues::release(here, words[0]),
        ClFunction::clReleaseContext => {
            queues::collect_all(here, false);
            contexts::release(words[0]);
        }
        _ => {}
    }
}

/// Keeps the command and the objects that a call has created. After a wait, collects the commands
/// that have ended.
///
/// # Safety
///
/// The words must be the arguments of the call, and the result its own.
unsafe fn after(
    here: &Here,
    function: ClFunction,
    words: &[usize; WORDS],
    result: usize,
    command: Option<StartedCommand>,
) {
    if let Some(command) = command {
        // SAFETY: the words are the arguments of the call, and the result is its own.
        unsafe { command.keep(here, function, words, result) };
    }
    match function {
        ClFunction::clCreateCommandQueue | ClFunction::clCreateCommandQueueWithProperties => {
            // SAFETY: the words are the arguments of the call.
            unsafe { queues::create(here, function, words, result) };
        }
        ClFunction::clCreateKernel | ClFunction::clCloneKernel if result != 0 => kernels::add(result),
        ClFunction::clCreateKernelsInProgram if result as i32 == SUCCESS => {
            // SAFETY: the words are the arguments of the call, which has succeeded, with a place
            // for the number.
            unsafe { kernels::add_all(words) };
        }
        _ if commands::waits(function, words) => queues::collect_all(here, true),
        _ => {}
    }
}
