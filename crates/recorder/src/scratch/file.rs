//! The scratch file of a process: its location and its head.
//!
//! Invariant: the file belongs to the process that created it, and only that process removes it.

use core::ptr::NonNull;
use core::sync::atomic::Ordering::{Relaxed, Release};
use std::{
    env, fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use kymo_launch::Launch;
use rustix::{
    fs::{FallocateFlags, FlockOperation, Mode, OFlags, StatFs, fallocate, flock, fstatfs, open, unlink},
    process::{getpid, getuid},
};

use crate::real_path;
use crate::unnoticed::{Resource, limit};

use super::{
    descriptor::Descriptor,
    extent::FIRST_ROOM,
    layout::{BYTE_ORDER, Head, MAGIC},
    mapping,
};

/// The default folder for scratch files.
const SHARED_MEMORY: &str = "/dev/shm";

/// The user's choice of where to put the scratch file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ScratchPlace {
    /// In shared memory, or else in `TMPDIR`.
    #[default]
    Automatic,
    /// Nowhere: events are kept in the process's memory.
    Nowhere,
    /// In this folder.
    Folder(PathBuf),
}

/// An open scratch file.
#[derive(Debug)]
pub struct ScratchFile {
    descriptor: Descriptor,
    path: PathBuf,
    head: Option<&'static Head>,
}

impl ScratchFile {
    /// Creates the file of this process. Returns `Ok(None)` if there should not be one, and an
    /// error that states why none could be created in the folder.
    pub fn make(place: &ScratchPlace) -> Result<Option<Self>, String> {
        if cfg!(any(miri, feature = "allocator-memory")) {
            return Ok(None);
        }
        match place {
            ScratchPlace::Nowhere => Ok(None),
            ScratchPlace::Automatic => {
                let temporary = || Self::create_in(Path::new(&env::var_os("TMPDIR")?)).ok();
                Self::make_in(Path::new(SHARED_MEMORY)).or_else(|what| temporary().ok_or(what)).map(Some)
            }
            ScratchPlace::Folder(folder) => Self::make_in(folder).map(Some),
        }
    }

    fn make_in(folder: &Path) -> Result<Self, String> {
        Self::create_in(folder).map_err(|error| format!("no scratch file in {}: {error}", folder.display()))
    }

    fn create_in(folder: &Path) -> io::Result<Self> {
        // If a file grows beyond such a limit, the program receives a signal.
        if limit(Resource::FileSize).is_some() {
            return Err(io::Error::other("the size of files is limited"));
        }
        let folder = real_path(folder)?;
        let path = folder.join(name());
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let file = open(&path, flags, Mode::RUSR | Mode::WUSR)?;
        // The lock lasts as long as the descriptor or a mapping, so that others see that the
        // process lives, even from another container. Without it they see only the processes in
        // their `/proc`.
        let _ = flock(&file, FlockOperation::NonBlockingLockShared);
        let descriptor = Descriptor::new(file).inspect_err(|_| {
            let _ = unlink(&path);
        })?;
        let mut this = Self { descriptor, path, head: None };
        match this.fill_head() {
            Ok(()) => Ok(this),
            Err(error) => {
                let _ = this.remove();
                Err(error)
            }
        }
    }

    fn fill_head(&mut self) -> io::Result<()> {
        let file = self.descriptor.get(&self.path)?;
        if !can_preallocate(&fstatfs(file)?) {
            return Err(io::Error::other("its file system cannot reserve space, or not without blocking"));
        }
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        // Without room for the first events, another folder is better.
        let preallocated = first_room();
        mapping::preallocate(file, 0, preallocated).ok_or_else(full)?;
        let start = mapping::shared(file, 0, mapping::page(), preallocated).ok_or_else(full)?;
        // SAFETY: the mapping is a fresh zeroed page that stays mapped and that nothing else refers
        // to.
        let head = unsafe { &mut *start.as_ptr().cast::<Head>() };
        put_identity(head);
        let head = &*head;
        head.byte_order.store(BYTE_ORDER, Relaxed);
        head.page.store(mapping::page() as u32, Relaxed);
        head.process.store(process(), Relaxed);
        head.started.store(started(), Relaxed);
        head.rank.store(u32::MAX, Relaxed);
        head.magic.store(u64::from_ne_bytes(MAGIC), Release);
        self.head = Some(head);
        Ok(())
    }

    /// Maps more memory in the file. Returns `None` if the file system has none, or if the program
    /// closed the descriptor and removed the file.
    pub(super) fn grow(&self, offset: u64, len: usize) -> Option<NonNull<u8>> {
        mapping::shared(self.descriptor.get(&self.path).ok()?, offset, len, first_room())
    }

    /// Counts an event of a location for which there was no memory.
    pub(crate) fn count_untracked(&self) {
        if let Some(head) = self.head {
            head.untracked.fetch_add(1, Relaxed);
        }
    }

    /// Counts an extent that is not in the file.
    pub(super) fn count_elsewhere(&self) {
        if let Some(head) = self.head {
            head.elsewhere.fetch_add(1, Relaxed);
        }
    }

    /// Returns whether all memory is in the file.
    pub fn has_all(&self) -> bool {
        self.head.is_none_or(|head| head.elsewhere.load(Relaxed) == 0)
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Records the rank of the process.
    pub fn set_rank(&self, rank: u32) {
        if let Some(head) = self.head {
            head.rank.store(rank, Relaxed);
        }
    }

    /// Returns the id of the machine's boot, or an empty vector if it cannot be read.
    pub(crate) fn boot() -> Vec<u8> {
        fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default()
    }

    /// Returns when this process started, in ticks since the boot.
    pub(crate) fn started() -> u64 {
        started()
    }

    /// Records the folder of the archive.
    pub fn set_directory(&self, directory: &Path) {
        let bytes = directory.as_os_str().as_bytes();
        let Some(head) = self.head.filter(|head| bytes.len() <= head.directory.len()) else { return };
        if head.directory_length.load(Relaxed) == 0 {
            for (&byte, place) in bytes.iter().zip(&head.directory) {
                place.store(byte, Relaxed);
            }
            head.directory_length.store(bytes.len() as u32, Release);
        }
    }

    /// Removes the file; its mappings stay. If that fails, frees the file's memory and returns the
    /// error.
    pub fn remove(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                let everything = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
                if let Ok(file) = self.descriptor.get(&self.path) {
                    let _ = fallocate(file, everything, 0, i64::MAX as u64);
                }
                let path = self.path.display();
                Err(io::Error::new(error.kind(), format!("{path} cannot be removed: {error}")))
            }
            _ => Ok(()),
        }
    }
}

/// The number of bytes to reserve for a new file: the head and the first extent.
fn first_room() -> u64 {
    FIRST_ROOM as u64 + mapping::page() as u64
}

/// Writes the node and its boot, the working directory, the user's choice of the experiment
/// directory, and the data from the launcher.
fn put_identity(head: &mut Head) {
    let mut at = put(&mut head.node, 0, rustix::system::uname().nodename().to_bytes()) + 1;
    let boot = ScratchFile::boot();
    at = put(&mut head.node, at, boot.trim_ascii());
    debug_assert!(at <= head.node.len());
    let cwd = env::current_dir().unwrap_or_default();
    let wish = env::var_os("SCOREP_EXPERIMENT_DIRECTORY").unwrap_or_default();
    let middle = put(&mut head.hint, 0, cwd.as_os_str().as_bytes());
    let end = put(&mut head.hint, middle, wish.as_bytes());
    head.hint_lengths[0].store(middle as u32, Relaxed);
    head.hint_lengths[1].store((end - middle) as u32, Relaxed);
    let launch = Launch::of(|name| env::var(name).ok()).map(|launch| launch.text());
    // A truncated job name could match another job.
    if let Some(launch) = launch.filter(|text| text.len() < head.launch.len()) {
        put(&mut head.launch, 0, launch.as_bytes());
    }
}

/// Copies as much of `text` as fits from offset `at`. Returns the offset of its end.
fn put(room: &mut [u8], at: usize, text: &[u8]) -> usize {
    let room = room.get_mut(at..).unwrap_or_default();
    let length = text.len().min(room.len());
    room[..length].copy_from_slice(&text[..length]);
    at + length
}

fn process() -> u32 {
    getpid().as_raw_nonzero().get().unsigned_abs()
}

fn name() -> String {
    format!("kymo-{}-{}-{:x}.scratch", getuid().as_raw(), process(), started())
}

/// Returns when this process started, in ticks since the boot: field 22 of its `stat`.
fn started() -> u64 {
    let stat = fs::read("/proc/self/stat").unwrap_or_default();
    // The program's name, in parentheses, may contain anything.
    let rest = stat.iter().rposition(|&byte| byte == b')').map_or(&[][..], |at| &stat[at + 1..]);
    let mut fields = rest.split(|&byte| byte == b' ').filter(|field| !field.is_empty());
    let field = fields.nth(19).and_then(|field| str::from_utf8(field).ok());
    field.and_then(|field| field.parse().ok()).unwrap_or(0)
}

/// Returns whether a file system keeps the space that it has reserved, and does not block threads
/// that store into mapped files.
fn can_preallocate(of: &StatFs) -> bool {
    const TMPFS: u64 = 0x0102_1994;
    const RAMFS: u64 = 0x8584_58f6;
    const EXT: u64 = 0xef53;
    const XFS: u64 = 0x5846_5342;
    [TMPFS, RAMFS, EXT, XFS].contains(&(of.f_type as u64 & u64::from(u32::MAX)))
}

#[cfg(test)]
#[cfg(not(any(miri, feature = "allocator-memory")))]
mod tests {
    use super::*;

    #[test]
    fn a_scratch_file_identifies_its_process_and_is_removed() {
        kymo_testdata::require_shared_memory();
        let file = ScratchFile::make(&ScratchPlace::Automatic).unwrap().expect("a file in shared memory");
        file.set_rank(3);
        let bytes = fs::read(file.path()).unwrap();
        assert_eq!(bytes[..8], MAGIC);
        assert_eq!(bytes[16..20], std::process::id().to_ne_bytes());
        assert_eq!(bytes[20..24], 3_u32.to_ne_bytes());
        file.remove().unwrap();
        assert!(!file.path().exists());
    }

    #[test]
    fn a_folder_that_cannot_reserve_space_is_refused_by_name() {
        let refused = ScratchFile::make(&ScratchPlace::Folder("/proc/self".into())).unwrap_err();
        assert!(refused.starts_with("no scratch file in /proc/"), "{refused}");
    }
}
