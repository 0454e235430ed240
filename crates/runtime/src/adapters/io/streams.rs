//! The streams of ISO C: their beginning and end, and all functions that move bytes or positions,
//! except those with a format (`formatted`).
//!
//! The C library calls its own functions of POSIX under hidden names, so these do not appear inside
//! the regions of streams. The bytes are those that the program passes or receives, not those that
//! the system moves when a buffer is full or empty.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_long, c_void};

use kymo_substrate::bindings::*;
use libc::{FILE, fpos_t, off_t, size_t, ssize_t};

use super::descriptors::{self, NONE};
use super::files::whence;
use super::flags::Flags;
use super::functions::Function;
use super::handles::{self, Stream};
use super::transfers::{BLOCKING, FLUSH, NO_OFFSET, READ, WRITE};
use super::{UNKNOWN, around, buffers, id, interpose, plain, waits};
use crate::measurement::{self, Here};

/// The kind of operations, from which their numbers are made.
const STREAM: u64 = 2;

/// Reads or writes `asked` bytes with `next`; `done` returns how many it moved.
pub(super) fn transfer<R: Copy>(
    function: Function,
    mode: u32,
    stream: *mut FILE,
    asked: impl FnOnce() -> u64,
    next: impl FnOnce() -> R,
    done: impl FnOnce(R) -> u64,
) -> R {
    measurement::awake();
    if function.is_excluded() {
        let result = next();
        if let Some(buffer) = handles::buffer(stream) {
            // SAFETY: a stream that has a buffer is open.
            unsafe { buffer.keep(stream) };
        }
        return result;
    }
    let handle = handles::stream(stream);
    let before = |here: &Here| {
        if handle != NONE {
            here.io_begin(handle, mode, BLOCKING, asked(), id(here, STREAM), NO_OFFSET);
        }
    };
    within(function, stream, before, next, |here, result| {
        if handle != NONE {
            here.io_complete(handle, mode, done(result), id(here, STREAM));
        }
    })
}

/// Calls a function that reads or writes `count` characters while input and output is not recorded.
/// It can only wait if the buffer of the stream does not have them.
#[inline(always)]
fn waits_unless_buffered<R: Copy>(
    function: Function,
    mode: u32,
    stream: *mut FILE,
    count: size_t,
    next: impl FnOnce() -> R,
) -> R {
    // SAFETY: the program's stream, which the C library reads.
    match !stream.is_null() && unsafe { buffers::has_in_buffer(stream, mode, count) } {
        true => next(),
        false => waits(function, next),
    }
}

/// Like [`around`], for a function that may move the positions in the buffer of a stream.
fn within<R: Copy>(
    function: Function,
    stream: *mut FILE,
    before: impl FnOnce(&Here),
    next: impl FnOnce() -> R,
    after: impl FnOnce(&Here, R),
) -> R {
    let buffer = handles::buffer(stream).filter(|buffer| buffer.handle() != NONE);
    let begin = |here: &Here| {
        if let Some(buffer) = buffer {
            // SAFETY: a stream that has a handle is open.
            unsafe { buffer.begin(here, stream, buffer.handle()) };
        }
        before(here);
    };
    around(function, begin, next, |here, result| {
        if let Some(buffer) = buffer {
            // SAFETY: as above.
            unsafe { buffer.end(stream) };
        }
        after(here, result);
    })
}

unsafe extern "C" {
    static stdin: *mut FILE;
    static stdout: *mut FILE;
    static stderr: *mut FILE;
}

pub(super) fn input() -> *mut FILE {
    // SAFETY: a variable of the C library, which programs may set.
    unsafe { (&raw const stdin).read() }
}

pub(super) fn output() -> *mut FILE {
    // SAFETY: as above.
    unsafe { (&raw const stdout).read() }
}

pub(super) fn error() -> *mut FILE {
    // SAFETY: as above.
    unsafe { (&raw const stderr).read() }
}

/// Returns the length of a text that the program passes to the C library.
///
/// # Safety
///
/// The text must be null or a C string.
unsafe fn length(text: *const c_char) -> u64 {
    // SAFETY: the text is not null, so it is a C string.
    if text.is_null() { 0 } else { unsafe { CStr::from_ptr(text) }.count_bytes() as u64 }
}

/// Returns the descriptor of a stream.
///
/// # Safety
///
/// The stream must be open, or null.
unsafe fn descriptor(stream: *mut FILE) -> c_int {
    // SAFETY: the stream is not null, so it is open.
    if stream.is_null() { -1 } else { unsafe { libc::fileno(stream) } }
}

/// How a stream begins.
#[derive(Debug, Clone, Copy)]
enum Beginning {
    /// With a file, for which it opens a descriptor.
    Path(*const c_char),
    /// With a descriptor that is open.
    Descriptor,
    /// Without a name: a temporary file.
    Nameless,
    /// With a pipe, whose descriptor has no handle.
    Pipe,
}

/// Opens a stream with `next`.
///
/// # Safety
///
/// If `next` returns a stream, it must be open, and the mode and the path of `beginning` C strings.
unsafe fn opening(
    function: Function,
    beginning: Beginning,
    mode: *const c_char,
    next: impl FnOnce() -> *mut FILE,
) -> *mut FILE {
    let before = Cell::new(NONE);
    let next = || {
        let stream = next();
        if !matches!(beginning, Beginning::Descriptor) {
            // The handle of a descriptor that was closed unseen.
            // SAFETY: null or open.
            before.set(descriptors::take(unsafe { descriptor(stream) }));
        }
        stream
    };
    around(
        function,
        |_| {},
        next,
        |here, stream| {
            destroy(here, [before.get(), NONE]);
            if !stream.is_null() {
                // SAFETY: the stream is open, and the texts are C strings, as this function
                // demands.
                unsafe { begin(here, stream, beginning, mode) };
            }
        },
    )
}

/// Records the beginning of a stream.
///
/// # Safety
///
/// The stream must be open, and the mode a C string.
unsafe fn begin(here: &Here, stream: *mut FILE, beginning: Beginning, mode: *const c_char) {
    // SAFETY: the stream is open, and the mode is a C string.
    let (descriptor, flags) =
        unsafe { (descriptor(stream), Flags::of_mode(CStr::from_ptr(mode).to_bytes())) };
    let path = match beginning {
        Beginning::Path(path) => path,
        Beginning::Descriptor | Beginning::Nameless | Beginning::Pipe => c"".as_ptr(),
    };
    let is_new = matches!(beginning, Beginning::Path(_) | Beginning::Nameless);
    // SAFETY: a C string.
    unsafe { handles::stream_opened(here, &Stream { stream, descriptor, flags, is_new, path }) };
}

macro_rules! opens {
    ($([$($name:ident)*] $arguments:tt $function:ident $beginning:expr, $mode:expr;)*) => {$(
        interpose!([$($name)*] $arguments -> *mut FILE, |next| {
            // SAFETY: the C library returns null or an open stream, the latter only if the texts
            // are C strings.
            unsafe { opening(Function::$function, $beginning, $mode, next) }
        }, else waits(Function::$function, next));
    )*};
}

opens! {
    [fopen _IO_fopen](path: *const c_char, mode: *const c_char) Fopen Beginning::Path(path), mode;
    [fopen64](path: *const c_char, mode: *const c_char) Fopen64 Beginning::Path(path), mode;
    [fdopen _IO_fdopen](file: c_int, mode: *const c_char) Fdopen Beginning::Descriptor, mode;
    [tmpfile]() Tmpfile Beginning::Nameless, c"w+".as_ptr();
    [tmpfile64]() Tmpfile64 Beginning::Nameless, c"w+".as_ptr();
    [popen](command: *const c_char, mode: *const c_char) Popen Beginning::Pipe, mode;
}

/// Closes a stream with `next`. It is closed even if that fails.
///
/// # Safety
///
/// The stream must be open, or null.
unsafe fn closing(function: Function, stream: *mut FILE, next: impl FnOnce() -> c_int) -> c_int {
    // SAFETY: the stream is open, or null, as this function demands.
    let taken = unsafe { take(stream) };
    around(function, |here| finish(here, stream, taken), next, |_, _| {})
}

/// Removes the handles of a stream and of its descriptor.
///
/// # Safety
///
/// The stream must be open, or null.
unsafe fn take(stream: *mut FILE) -> [u32; 2] {
    // SAFETY: the stream is open, or null, as this function demands.
    [descriptors::take(unsafe { descriptor(stream) }), handles::take_stream(stream)]
}

/// Records the bytes that the program has read and written without a call, and the end of these
/// handles, before a stream is closed: another thread may receive the number of its descriptor
/// immediately.
fn finish(here: &Here, stream: *mut FILE, handles: [u32; 2]) {
    if let Some(buffer) = handles::buffer(stream) {
        // SAFETY: a stream that had a handle is open.
        unsafe { buffer.begin(here, stream, handles[1]) };
    }
    destroy(here, handles);
}

fn destroy(here: &Here, handles: [u32; 2]) {
    handles.into_iter().filter(|&handle| handle != NONE).for_each(|handle| here.io_destroy(handle));
}

interpose!([fclose _IO_fclose](stream: *mut FILE) -> c_int, |next| {
    // SAFETY: the stream is open, as the C library requires.
    unsafe { closing(Function::Fclose, stream, next) }
}, else waits(Function::Fclose, next));
interpose!([pclose](stream: *mut FILE) -> c_int, |next| {
    // SAFETY: as above.
    unsafe { closing(Function::Pclose, stream, next) }
}, else waits(Function::Pclose, next));

interpose!([fcloseall]() -> c_int, |next| {
    let mut taken = [[NONE; 2]; 64];
    // SAFETY: a stream that has a handle is open.
    let all = handles::streams().into_iter().map(|stream| unsafe { take(stream) });
    let count = taken.iter_mut().zip(all).map(|(place, it)| *place = it).count();
    around(Function::Fcloseall, |_| {}, next, |here, _| {
        taken.iter().take(count).for_each(|&handles| destroy(here, handles));
    })
});

/// Replaces the file of a stream with `next`, which returns the stream.
///
/// # Safety
///
/// The stream must be open, or null. If `next` returns a stream, it must be open, the mode a C
/// string, and the path a C string or null.
unsafe fn reopening(
    function: Function,
    path: *const c_char,
    mode: *const c_char,
    stream: *mut FILE,
    next: impl FnOnce() -> *mut FILE,
) -> *mut FILE {
    // SAFETY: the stream is open, or null, as this function demands.
    let taken = unsafe { take(stream) };
    around(
        function,
        |here| finish(here, stream, taken),
        next,
        |here, result| {
            if !result.is_null() {
                // Without a path the stream keeps its file, in another mode.
                let beginning = if path.is_null() { Beginning::Nameless } else { Beginning::Path(path) };
                // SAFETY: the stream is open, and the texts are C strings, as this function
                // demands.
                unsafe { begin(here, result, beginning, mode) };
            }
        },
    )
}

interpose!([freopen](path: *const c_char, mode: *const c_char, stream: *mut FILE) -> *mut FILE, |next| {
    // SAFETY: the stream is open, the mode a C string, and the path a C string or null, as the C
    // library requires.
    unsafe { reopening(Function::Freopen, path, mode, stream, next) }
});
interpose!([freopen64](path: *const c_char, mode: *const c_char, stream: *mut FILE) -> *mut FILE, |next| {
    // SAFETY: as above.
    unsafe { reopening(Function::Freopen, path, mode, stream, next) }
});

macro_rules! blocks {
    ($([$($name:ident)*] $arguments:tt $function:ident $mode:ident $size:ident $count:ident $stream:ident;)*) => {$(
        interpose!([$($name)*] $arguments -> size_t, |next| {
            let bytes = |count: size_t| $size.saturating_mul(count) as u64;
            transfer(Function::$function, $mode, $stream, || bytes($count), next, bytes)
        }, else waits_unless_buffered(Function::$function, $mode, $stream, $size.saturating_mul($count), next));
    )*};
}

blocks! {
    [fread fread_unlocked](bytes: *mut c_void, size: size_t, count: size_t, stream: *mut FILE) Fread READ size count stream;
    [__fread_chk __fread_unlocked_chk](bytes: *mut c_void, room: size_t, size: size_t, count: size_t, stream: *mut FILE)
        Fread READ size count stream;
    [fwrite fwrite_unlocked _IO_fwrite](bytes: *const c_void, size: size_t, count: size_t, stream: *mut FILE)
        Fwrite WRITE size count stream;
}

/// Returns the number of characters that a function which reads or writes one has moved.
fn one(result: c_int) -> u64 {
    u64::from(result != libc::EOF)
}

macro_rules! characters {
    ($([$($name:ident)*] $arguments:tt $function:ident $mode:ident $stream:expr;)*) => {$(
        interpose!([$($name)*] $arguments -> c_int,
            |next| transfer(Function::$function, $mode, $stream, || 1, next, one),
            else waits_unless_buffered(Function::$function, $mode, $stream, 1, next));
    )*};
}

characters! {
    [fgetc getc _IO_getc fgetc_unlocked getc_unlocked](stream: *mut FILE) Fgetc READ stream;
    [getchar getchar_unlocked]() Getchar READ input();
    [fputc putc _IO_putc fputc_unlocked putc_unlocked](character: c_int, stream: *mut FILE) Fputc WRITE stream;
    [putchar putchar_unlocked](character: c_int) Putchar WRITE output();
}

// The macro `putc_unlocked` calls this for a character for which the buffer has no room.
interpose!([__overflow](stream: *mut FILE, character: c_int) -> c_int,
    |next| transfer(Function::Fputc, WRITE, stream, || 1, next, one), else waits(Function::Fputc, next));

// The macro `getc_unlocked` calls this for a character if the buffer is empty.
interpose!([__uflow](stream: *mut FILE) -> c_int,
    |next| transfer(Function::Fgetc, READ, stream, || 1, next, one), else waits(Function::Fgetc, next));

macro_rules! texts {
    ($([$($name:ident)*] $arguments:tt -> $result:ty, $function:ident $mode:ident $stream:expr, $asked:expr, $done:expr;)*) => {$(
        interpose!([$($name)*] $arguments -> $result,
            |next| transfer(Function::$function, $mode, $stream, || $asked, next, $done),
            else waits(Function::$function, next));
    )*};
}

/// Returns the length of the text that was read into memory; 0 for null.
fn text(result: *mut c_char) -> u64 {
    // SAFETY: the C library has returned null or a C string.
    unsafe { length(result) }
}

/// Returns a length as a number of bytes; 0 if there was an error or the end of the file.
fn bytes(result: ssize_t) -> u64 {
    u64::try_from(result).unwrap_or(0)
}

/// Returns `count` if a function has not failed.
fn unless_failed(count: u64) -> impl FnOnce(c_int) -> u64 {
    move |result| if result == libc::EOF { 0 } else { count }
}

/// Returns the length of a text of the program.
fn given(given: *const c_char) -> u64 {
    // SAFETY: the C library requires a C string.
    unsafe { length(given) }
}

texts! {
    [fgets fgets_unlocked](line: *mut c_char, room: c_int, stream: *mut FILE) -> *mut c_char,
        Fgets READ stream, room as u64, text;
    [__fgets_chk __fgets_unlocked_chk](line: *mut c_char, size: size_t, room: c_int, stream: *mut FILE) -> *mut c_char,
        Fgets READ stream, room as u64, text;
    [gets](line: *mut c_char) -> *mut c_char, Gets READ input(), UNKNOWN, text;
    [__gets_chk](line: *mut c_char, size: size_t) -> *mut c_char, Gets READ input(), UNKNOWN, text;
    [getline](line: *mut *mut c_char, room: *mut size_t, stream: *mut FILE) -> ssize_t,
        Getline READ stream, UNKNOWN, bytes;
    [getdelim __getdelim](line: *mut *mut c_char, room: *mut size_t, end: c_int, stream: *mut FILE) -> ssize_t,
        Getdelim READ stream, UNKNOWN, bytes;
    [fputs fputs_unlocked](line: *const c_char, stream: *mut FILE) -> c_int,
        Fputs WRITE stream, given(line), unless_failed(given(line));
    [puts _IO_puts](line: *const c_char) -> c_int,
        Puts WRITE output(), given(line) + 1, unless_failed(given(line) + 1);
}

interpose!([ungetc](character: c_int, stream: *mut FILE) -> c_int, |next| within(Function::Ungetc, stream, |_| {}, next, |_, _| {}));

interpose!([fflush fflush_unlocked _IO_fflush](stream: *mut FILE) -> c_int, |next| {
    transfer(Function::Fflush, FLUSH, stream, || UNKNOWN, next, |_| UNKNOWN)
}, else waits(Function::Fflush, next));

/// Changes the position of a stream with `next`.
fn seek<R: Copy>(
    function: Function,
    stream: *mut FILE,
    asked: Option<(off_t, c_int)>,
    next: impl FnOnce() -> R,
    is_done: impl FnOnce(R) -> bool,
) -> R {
    measurement::awake();
    let handle = handles::stream(stream);
    within(
        function,
        stream,
        |_| {},
        next,
        |here, result| {
            if handle == NONE || !is_done(result) {
                return;
            }
            // SAFETY: the stream is open.
            let position = unsafe { libc::ftello(stream) };
            let (offset, from) = asked.unwrap_or((position, libc::SEEK_SET));
            here.io_seek(handle, offset, whence(from), position as u64);
        },
    )
}

interpose!([fseek](stream: *mut FILE, offset: c_long, from: c_int) -> c_int,
    |next| seek(Function::Fseek, stream, Some((offset, from)), next, |result| result == 0));
interpose!([fseeko](stream: *mut FILE, offset: off_t, from: c_int) -> c_int,
    |next| seek(Function::Fseeko, stream, Some((offset, from)), next, |result| result == 0));
interpose!([fseeko64 __fseeko64](stream: *mut FILE, offset: off_t, from: c_int) -> c_int,
    |next| seek(Function::Fseeko64, stream, Some((offset, from)), next, |result| result == 0));
interpose!([rewind](stream: *mut FILE) -> (),
    |next| seek(Function::Rewind, stream, Some((0, libc::SEEK_SET)), next, |()| true));
interpose!([fsetpos fsetpos64](stream: *mut FILE, position: *const fpos_t) -> c_int,
    |next| seek(Function::Fsetpos, stream, None, next, |result| result == 0));

interpose!([ftell](stream: *mut FILE) -> c_long, |next| plain(Function::Ftell, next));
interpose!([ftello ftello64 __ftello64](stream: *mut FILE) -> off_t, |next| plain(Function::Ftello, next));
interpose!([fgetpos fgetpos64](stream: *mut FILE, position: *mut fpos_t) -> c_int,
    |next| plain(Function::Fgetpos, next));

interpose!([flockfile _IO_flockfile](stream: *mut FILE) -> (), |next| {
    around(Function::Flockfile, |_| {}, next, |here, ()| lock(here, stream, Here::io_lock_acquired))
}, else waits(Function::Flockfile, next));
interpose!([ftrylockfile _IO_ftrylockfile](stream: *mut FILE) -> c_int, |next| {
    around(Function::Ftrylockfile, |_| {}, next, |here, result| {
        lock(here, stream, if result == 0 { Here::io_lock_acquired } else { Here::io_lock_tried });
    })
});
interpose!([funlockfile _IO_funlockfile](stream: *mut FILE) -> (), |next| {
    around(Function::Funlockfile, |here| lock(here, stream, Here::io_lock_released), next, |_, ()| {})
});

fn lock(here: &Here, stream: *mut FILE, event: fn(&Here, u32, u32)) {
    let handle = handles::stream(stream);
    if handle != NONE {
        event(here, handle, SCOREP_LOCK_EXCLUSIVE);
    }
}
