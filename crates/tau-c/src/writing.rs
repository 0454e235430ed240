//! Writing: the functions of `TAU_tf_writer.h`.

use std::ffi::{c_char, c_double, c_int, c_longlong, c_uint, c_ulonglong};
use std::sync::{Arc, Mutex, PoisonError};

use kymo_tau::{Message, Result, Thread, Writer};

use crate::guard::{LastError, complain, guarded, report, set_errno};
use crate::handles::{self, Handle, Open};
use crate::strings::{path, text};

/// A trace being written, by one call at a time.
pub(crate) struct Writing(Mutex<Busy>);

struct Busy {
    /// `None` after the trace was closed.
    writer: Option<Writer>,
    last_error: LastError,
}

fn open(trace: *const c_char, event_file: *const c_char) -> Handle {
    let (Some(trace), Some(event_file)) = (path(trace), path(event_file)) else {
        set_errno(libc::EINVAL);
        complain("Ttf_OpenFileForOutput: expected the names of a trace and of an event file, found NULL");
        return std::ptr::null_mut();
    };
    match Writer::create(trace, event_file) {
        Ok(writer) => {
            let busy = Busy { writer: Some(writer), last_error: LastError::default() };
            handles::add(Open::Writing(Arc::new(Writing(Mutex::new(busy)))))
        }
        Err(error) => {
            report(&error);
            std::ptr::null_mut()
        }
    }
}

/// Ends the trace. Returns null, as a closed file has no handle.
pub(crate) fn close(writing: &Writing) -> Handle {
    let mut busy = writing.0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(Err(error)) = busy.writer.take().map(Writer::finish) {
        report(&error);
    }
    std::ptr::null_mut()
}

/// Runs a closure with an open output file. Returns 0, or -1 if it fails or the handle is not one
/// of an output file.
fn with(handle: Handle, body: impl FnOnce(&mut Writer) -> Result<()>) -> c_int {
    guarded(-1, || {
        let Some(Open::Writing(writing)) = handles::get(handle) else { return -1 };
        let Ok(mut busy) = writing.0.lock() else { return -1 };
        match busy.writer.as_mut().map(body) {
            Some(Ok(())) => 0,
            Some(Err(error)) => {
                busy.last_error.report(&error);
                -1
            }
            None => -1,
        }
    })
}

/// Like [`with`], but with a name, which must not be null.
fn with_name(handle: Handle, name: *const c_char, body: impl FnOnce(&mut Writer, &[u8])) -> c_int {
    text(name).map_or(-1, |name| {
        with(handle, |writer| {
            body(writer, name.to_bytes());
            Ok(())
        })
    })
}

/// Numbers have 16 bits in the format; higher bits are lost, as with TAU's writer.
fn thread(node: c_uint, thread: c_uint) -> Thread {
    Thread { node: node as u16, thread: thread as u16 }
}

fn message(partner: c_uint, length: c_uint, tag: c_uint, communicator: c_uint) -> Message {
    Message { partner: partner as u16, length, tag: tag as u16, communicator: communicator as u8 }
}

/// See `include/TAU_tf_writer.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_OpenFileForOutput(trc: *const c_char, edf: *const c_char) -> Handle {
    guarded(std::ptr::null_mut(), || open(trc, edf))
}

/// See `include/TAU_tf_writer.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_DefClkPeriod(handle: Handle, _period: c_double) -> c_int {
    with(handle, |_| Ok(()))
}

/// See `include/TAU_tf_writer.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_DefThread(
    handle: Handle,
    node: c_uint,
    thread_id: c_uint,
    _name: *const c_char,
) -> c_int {
    with(handle, |writer| {
        writer.define_thread(thread(node, thread_id));
        Ok(())
    })
}

/// See `include/TAU_tf_writer.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_DefStateGroup(handle: Handle, name: *const c_char, group: c_uint) -> c_int {
    with_name(handle, name, |writer, name| writer.define_group(group, name))
}

/// See `include/TAU_tf_writer.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_DefState(
    handle: Handle,
    state: c_uint,
    name: *const c_char,
    group: c_uint,
) -> c_int {
    with_name(handle, name, |writer, name| writer.define_state(state, name, group))
}

/// See `include/TAU_tf_writer.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_DefUserEvent(
    handle: Handle,
    event: c_uint,
    name: *const c_char,
    monotonic: c_int,
) -> c_int {
    with_name(handle, name, |writer, name| writer.define_user_event(event, name, monotonic))
}

/// See `include/TAU_tf_writer.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_EnterState(
    handle: Handle,
    time: c_ulonglong,
    node: c_uint,
    thread_id: c_uint,
    state: c_uint,
) -> c_int {
    with(handle, |writer| writer.enter(time, thread(node, thread_id), state))
}

/// See `include/TAU_tf_writer.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_LeaveState(
    handle: Handle,
    time: c_ulonglong,
    node: c_uint,
    thread_id: c_uint,
    state: c_uint,
) -> c_int {
    with(handle, |writer| writer.leave(time, thread(node, thread_id), state))
}

/// See `include/TAU_tf_writer.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_SendMessage(
    handle: Handle,
    time: c_double,
    source_node: c_uint,
    source_thread: c_uint,
    destination_node: c_uint,
    _destination_thread: c_uint,
    size: c_uint,
    tag: c_uint,
    communicator: c_uint,
) -> c_int {
    let message = message(destination_node, size, tag, communicator);
    with(handle, |writer| writer.send(time as u64, thread(source_node, source_thread), message))
}

/// See `include/TAU_tf_writer.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_RecvMessage(
    handle: Handle,
    time: c_double,
    source_node: c_uint,
    _source_thread: c_uint,
    destination_node: c_uint,
    destination_thread: c_uint,
    size: c_uint,
    tag: c_uint,
    communicator: c_uint,
) -> c_int {
    let message = message(source_node, size, tag, communicator);
    with(handle, |writer| writer.receive(time as u64, thread(destination_node, destination_thread), message))
}

/// See `include/TAU_tf_writer.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_EventTrigger(
    handle: Handle,
    time: c_double,
    node: c_uint,
    thread_id: c_uint,
    event: c_uint,
    value: c_double,
) -> c_int {
    with(handle, |writer| writer.trigger(time as u64, thread(node, thread_id), event, value as c_longlong))
}

/// See `include/TAU_tf_writer.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_LongEventTrigger(
    handle: Handle,
    time: c_ulonglong,
    node: c_uint,
    thread_id: c_uint,
    event: c_uint,
    value: c_ulonglong,
) -> c_int {
    with(handle, |writer| writer.trigger(time, thread(node, thread_id), event, value as c_longlong))
}

/// See `include/TAU_tf_writer.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_FlushTrace(handle: Handle) -> c_int {
    with(handle, Writer::flush)
}

/// See `include/TAU_tf_writer.h`.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn Ttf_CloseOutputFile(handle: Handle) -> Handle {
    guarded(std::ptr::null_mut(), || match handles::get(handle) {
        Some(Open::Writing(writing)) => {
            handles::remove(handle);
            close(&writing)
        }
        _ => std::ptr::null_mut(),
    })
}
