//! The functions that have a region, in the order of Score-P, which defines all regions at the
//! beginning. Functions that Score-P does not record follow. Several names of the C library can
//! have the region of one.

use kymo_substrate::bindings::{
    SCOREP_PARADIGM_IO, SCOREP_REGION_FILE_IO, SCOREP_REGION_FILE_IO_METADATA, SCOREP_REGION_WRAPPER,
};

use crate::measurement::{LazyRegion, Region};

/// The source files that Score-P reports for these functions.
const POSIX: &str = "POSIX_IO";
const ISOC: &str = "ISOC";

const TRANSFER: u32 = SCOREP_REGION_FILE_IO;
const METADATA: u32 = SCOREP_REGION_FILE_IO_METADATA;
const WRAPPER: u32 = SCOREP_REGION_WRAPPER;

// The functions: the variant, the function's name, the file, the kind of region, and whether it
// begins a measurement that waits for its first event.
//
// Input:
//     Close "close" POSIX METADATA false;
// Expansion:
//     enum Function { Close }
//     static REGIONS: [LazyRegion; 1] = …;
//     impl Function { fn begins(self) -> bool }
macro_rules! functions {
    ($($function:ident $name:literal $file:ident $kind:ident $begins:literal;)*) => {
        /// The functions that have a region.
        #[derive(Debug, Clone, Copy)]
        pub(super) enum Function {
            $($function,)*
        }

        /// The regions of the functions, in their order.
        static REGIONS: [LazyRegion; [$($name),*].len()] =
            [$(LazyRegion::new($name, $file, SCOREP_PARADIGM_IO, $kind)),*];

        impl Function {
            /// Returns whether the function begins a measurement that waits for its first event.
            #[inline]
            pub(super) fn begins(self) -> bool {
                match self {
                    $(Self::$function => $begins,)*
                }
            }
        }
    };
}

functions! {
    Close "close" POSIX METADATA false;
    Creat "creat" POSIX METADATA true;
    Creat64 "creat64" POSIX METADATA true;
    Dup "dup" POSIX METADATA false;
    Dup2 "dup2" POSIX METADATA false;
    Dup3 "dup3" POSIX METADATA false;
    Fcntl "fcntl" POSIX METADATA false;
    Fdatasync "fdatasync" POSIX TRANSFER true;
    Fsync "fsync" POSIX TRANSFER true;
    Lockf "lockf" POSIX TRANSFER true;
    Lseek "lseek" POSIX METADATA true;
    Lseek64 "lseek64" POSIX METADATA true;
    Open "open" POSIX METADATA true;
    Open64 "open64" POSIX METADATA true;
    Openat "openat" POSIX METADATA true;
    Pread "pread" POSIX TRANSFER true;
    Pread64 "pread64" POSIX TRANSFER true;
    Preadv "preadv" POSIX TRANSFER true;
    Preadv2 "preadv2" POSIX TRANSFER true;
    Preadv64 "preadv64" POSIX TRANSFER true;
    Preadv64v2 "preadv64v2" POSIX TRANSFER true;
    Pselect "pselect" POSIX WRAPPER false;
    Pwrite "pwrite" POSIX TRANSFER true;
    Pwrite64 "pwrite64" POSIX TRANSFER true;
    Pwritev "pwritev" POSIX TRANSFER true;
    Pwritev2 "pwritev2" POSIX TRANSFER true;
    Pwritev64 "pwritev64" POSIX TRANSFER true;
    Pwritev64v2 "pwritev64v2" POSIX TRANSFER true;
    Read "read" POSIX TRANSFER true;
    Readv "readv" POSIX TRANSFER true;
    Select "select" POSIX WRAPPER false;
    Sync "sync" POSIX TRANSFER true;
    Syncfs "syncfs" POSIX TRANSFER true;
    Unlink "unlink" POSIX METADATA true;
    Unlinkat "unlinkat" POSIX METADATA true;
    Write "write" POSIX TRANSFER true;
    Writev "writev" POSIX TRANSFER true;
    Closedir "closedir" POSIX METADATA false;
    AioCancel "aio_cancel" POSIX TRANSFER false;
    AioError "aio_error" POSIX TRANSFER false;
    AioFsync "aio_fsync" POSIX TRANSFER true;
    AioRead "aio_read" POSIX TRANSFER true;
    AioReturn "aio_return" POSIX WRAPPER false;
    AioSuspend "aio_suspend" POSIX WRAPPER false;
    AioWrite "aio_write" POSIX TRANSFER true;
    LioListio "lio_listio" POSIX TRANSFER true;
    Fclose "fclose" ISOC METADATA false;
    Fdopen "fdopen" ISOC METADATA true;
    Fflush "fflush" ISOC TRANSFER true;
    Fgetc "fgetc" ISOC TRANSFER true;
    Fgetpos "fgetpos" ISOC WRAPPER false;
    Fgets "fgets" ISOC TRANSFER true;
    Flockfile "flockfile" ISOC TRANSFER false;
    Fopen "fopen" ISOC METADATA true;
    Fopen64 "fopen64" ISOC METADATA true;
    Fprintf "fprintf" ISOC TRANSFER true;
    Fputc "fputc" ISOC TRANSFER true;
    Fputs "fputs" ISOC TRANSFER true;
    Fread "fread" ISOC TRANSFER true;
    Freopen "freopen" ISOC METADATA true;
    Fscanf "fscanf" ISOC TRANSFER true;
    Fseek "fseek" ISOC METADATA true;
    Fseeko "fseeko" ISOC METADATA true;
    Fseeko64 "fseeko64" ISOC METADATA true;
    Ftell "ftell" ISOC WRAPPER false;
    Ftello "ftello" ISOC WRAPPER false;
    Ftrylockfile "ftrylockfile" ISOC TRANSFER false;
    Funlockfile "funlockfile" ISOC TRANSFER false;
    Fwrite "fwrite" ISOC TRANSFER true;
    Getchar "getchar" ISOC TRANSFER true;
    Gets "gets" ISOC TRANSFER true;
    Printf "printf" ISOC TRANSFER true;
    Putchar "putchar" ISOC TRANSFER true;
    Puts "puts" ISOC TRANSFER true;
    Remove "remove" ISOC METADATA true;
    Rewind "rewind" ISOC METADATA true;
    Scanf "scanf" ISOC TRANSFER true;
    Ungetc "ungetc" ISOC TRANSFER false;
    Vfprintf "vfprintf" ISOC TRANSFER true;
    Vfscanf "vfscanf" ISOC TRANSFER true;
    Vprintf "vprintf" ISOC TRANSFER true;
    Vscanf "vscanf" ISOC TRANSFER true;
    Closefrom "closefrom" POSIX METADATA false;
    CloseRange "close_range" POSIX METADATA false;
    CopyFileRange "copy_file_range" POSIX TRANSFER true;
    Dprintf "dprintf" POSIX TRANSFER true;
    EpollPwait "epoll_pwait" POSIX WRAPPER false;
    EpollWait "epoll_wait" POSIX WRAPPER false;
    Flock "flock" POSIX TRANSFER true;
    Ftruncate "ftruncate" POSIX METADATA true;
    Ftruncate64 "ftruncate64" POSIX METADATA true;
    Mkostemp "mkostemp" POSIX METADATA true;
    Mkostemp64 "mkostemp64" POSIX METADATA true;
    Mkstemp "mkstemp" POSIX METADATA true;
    Mkstemp64 "mkstemp64" POSIX METADATA true;
    Poll "poll" POSIX WRAPPER false;
    Ppoll "ppoll" POSIX WRAPPER false;
    Rename "rename" POSIX METADATA true;
    Renameat "renameat" POSIX METADATA true;
    Renameat2 "renameat2" POSIX METADATA true;
    Sendfile "sendfile" POSIX TRANSFER true;
    Sendfile64 "sendfile64" POSIX TRANSFER true;
    Splice "splice" POSIX TRANSFER true;
    SyncFileRange "sync_file_range" POSIX TRANSFER true;
    Truncate "truncate" POSIX METADATA true;
    Truncate64 "truncate64" POSIX METADATA true;
    Vdprintf "vdprintf" POSIX TRANSFER true;
    Fcloseall "fcloseall" ISOC METADATA false;
    Fsetpos "fsetpos" ISOC METADATA true;
    Getdelim "getdelim" ISOC TRANSFER true;
    Getline "getline" ISOC TRANSFER true;
    Pclose "pclose" ISOC METADATA false;
    Popen "popen" ISOC METADATA true;
    Tmpfile "tmpfile" ISOC METADATA true;
    Tmpfile64 "tmpfile64" ISOC METADATA true;
}

/// Defines the regions; those that a filter leaves out have none.
pub(super) fn define() {
    for region in &REGIONS {
        region.define();
    }
}

impl Function {
    pub(super) fn lazy_region(self) -> &'static LazyRegion {
        &REGIONS[self as usize]
    }

    pub(super) fn region(self) -> Region {
        self.lazy_region().defined()
    }

    /// Returns whether a filter leaves the function out.
    pub(super) fn is_excluded(self) -> bool {
        self.lazy_region().is_excluded()
    }
}
