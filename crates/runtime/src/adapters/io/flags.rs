//! The flags of open files: those of the system, and those of definitions and events.

use std::ffi::c_int;

use kymo_substrate::bindings::*;

/// How a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) access: u32,
    pub(super) creation: u32,
    pub(super) status: u32,
}

/// Returns the bits whose flags are set; of a flag with several bits, all must be.
fn translate(flags: c_int, table: &[(c_int, u32)]) -> u32 {
    let set = table.iter().filter(|&&(bits, _)| flags & bits == bits);
    set.fold(0, |all, &(_, flag)| all | flag)
}

/// Returns the access mode in the flags of `open`.
fn access(flags: c_int) -> u32 {
    match flags & libc::O_ACCMODE {
        libc::O_RDONLY => SCOREP_IO_ACCESS_MODE_READ_ONLY,
        libc::O_WRONLY => SCOREP_IO_ACCESS_MODE_WRITE_ONLY,
        _ => SCOREP_IO_ACCESS_MODE_READ_WRITE,
    }
}

fn creation(flags: c_int) -> u32 {
    // This flag contains the bit of `O_DIRECTORY`.
    let is_temporary = flags & libc::O_TMPFILE == libc::O_TMPFILE;
    let (flags, temporary) = match is_temporary {
        true => (flags & !libc::O_TMPFILE, SCOREP_IO_CREATION_FLAG_TEMPORARY_FILE),
        false => (flags, 0),
    };
    temporary
        | translate(
            flags,
            &[
                (libc::O_CREAT, SCOREP_IO_CREATION_FLAG_CREATE),
                (libc::O_TRUNC, SCOREP_IO_CREATION_FLAG_TRUNCATE),
                (libc::O_DIRECTORY, SCOREP_IO_CREATION_FLAG_DIRECTORY),
                (libc::O_EXCL, SCOREP_IO_CREATION_FLAG_EXCLUSIVE),
                (libc::O_NOCTTY, SCOREP_IO_CREATION_FLAG_NO_CONTROLLING_TERMINAL),
                (libc::O_NOFOLLOW, SCOREP_IO_CREATION_FLAG_NO_FOLLOW),
                (libc::O_PATH, SCOREP_IO_CREATION_FLAG_PATH),
            ],
        )
}

/// Returns the status flags in the flags of `open`, or in those that the system has for a file.
pub(super) fn status(flags: c_int) -> u32 {
    let synchronous = match flags & libc::O_SYNC {
        libc::O_SYNC => SCOREP_IO_STATUS_FLAG_SYNC,
        libc::O_DSYNC => SCOREP_IO_STATUS_FLAG_DATA_SYNC,
        _ => 0,
    };
    synchronous
        | translate(
            flags,
            &[
                (libc::O_CLOEXEC, SCOREP_IO_STATUS_FLAG_CLOSE_ON_EXEC),
                (libc::O_APPEND, SCOREP_IO_STATUS_FLAG_APPEND),
                (libc::O_NONBLOCK, SCOREP_IO_STATUS_FLAG_NON_BLOCKING),
                (libc::O_ASYNC, SCOREP_IO_STATUS_FLAG_ASYNC),
                (libc::O_DIRECT, SCOREP_IO_STATUS_FLAG_AVOID_CACHING),
                (libc::O_NOATIME, SCOREP_IO_STATUS_FLAG_NO_ACCESS_TIME),
            ],
        )
}

impl Flags {
    /// Reads the flags of `open`.
    pub(super) fn of_open(flags: c_int) -> Self {
        Self { access: access(flags), creation: creation(flags), status: status(flags) }
    }

    /// Reads the mode of `fopen`. The encoding follows a comma.
    pub(super) fn of_mode(mode: &[u8]) -> Self {
        let mode = mode.split(|&letter| letter == b',').next().unwrap_or_default();
        let has = |letter| mode.contains(&letter);
        let kind = match mode.first() {
            Some(b'w') => libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC,
            Some(b'a') => libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND,
            _ => libc::O_RDONLY,
        };
        let kind = if has(b'+') { kind & !libc::O_ACCMODE | libc::O_RDWR } else { kind };
        let exclusive = if has(b'x') { libc::O_EXCL } else { 0 };
        let closes = if has(b'e') { libc::O_CLOEXEC } else { 0 };
        Self::of_open(kind | exclusive | closes)
    }

    /// Asks the system for the flags of an open file.
    pub(super) fn of_descriptor(descriptor: c_int) -> Self {
        // SAFETY: both only read flags.
        let (flags, own) =
            unsafe { (libc::fcntl(descriptor, libc::F_GETFL), libc::fcntl(descriptor, libc::F_GETFD)) };
        let flags = if flags == -1 { libc::O_RDWR } else { flags };
        let closes = if own != -1 && own & libc::FD_CLOEXEC != 0 { libc::O_CLOEXEC } else { 0 };
        Self { access: access(flags), creation: SCOREP_IO_CREATION_FLAG_NONE, status: status(flags | closes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_several_bits_are_all_set() {
        let of = |flags| Flags::of_open(flags);
        assert_eq!(of(libc::O_DSYNC).status, SCOREP_IO_STATUS_FLAG_DATA_SYNC);
        assert_eq!(of(libc::O_SYNC).status, SCOREP_IO_STATUS_FLAG_SYNC);
        assert_eq!(of(libc::O_DIRECTORY).creation, SCOREP_IO_CREATION_FLAG_DIRECTORY);
        assert_eq!(of(libc::O_TMPFILE | libc::O_RDWR).creation, SCOREP_IO_CREATION_FLAG_TEMPORARY_FILE);
        let all = of(libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC | libc::O_APPEND | libc::O_CLOEXEC);
        assert_eq!((all.access, all.creation, all.status), (2, 3, 3));
    }

    #[test]
    fn modes_of_streams_have_letters_in_any_order() {
        let of = |mode: &[u8]| Flags::of_mode(mode);
        assert_eq!(of(b"r"), Flags::of_open(libc::O_RDONLY));
        assert_eq!(of(b"rb+"), Flags::of_open(libc::O_RDWR));
        assert_eq!(
            of(b"w+xe"),
            Flags::of_open(libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC | libc::O_EXCL | libc::O_CLOEXEC)
        );
        assert_eq!(of(b"a,ccs=x+"), Flags::of_open(libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND));
    }
}
