//! The scratch file of a process: where it lies, what its head says.
//!
//! Invariant: the file belongs to the process that made it; only that process removes it.

use core::ptr::NonNull;
use core::sync::atomic::Ordering::{Relaxed, Release};
use std::{
    env, fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use kymo_launch::Launch;
use rustix::{
    fs::{FallocateFlags, Mode, OFlags, StatFs, fallocate, fstatfs, open, unlink},
    process::{getpid, getuid},
};

use crate::unnoticed::{Resource, limit};

use super::{
    FIRST_ROOM,
    descriptor::Descriptor,
    layout::{BYTE_ORDER, Head, MAGIC},
    mapping,
};

/// Where scratch files lie if the user does not say.
const SHARED_MEMORY: &str = "/dev/shm";

/// Where the user wants the scratch file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ScratchPlace {
    /// Wherever the node keeps it without a disk.
    #[default]
    Automatic,
    /// Nowhere: events are kept in memory of the process.
    Nowhere,
    /// In this folder.
    Folder(PathBuf),
}

/// A scratch file that is open.
#[derive(Debug)]
pub struct ScratchFile {
    descriptor: Descriptor,
    path: PathBuf,
    head: Option<&'static Head>,
}

impl ScratchFile {
    /// Makes the file of this process; `Ok(None)` if there is to be none or nothing fits. An error says why the folder that the user
    /// wants cannot be had.
    pub fn make(place: &ScratchPlace) -> Result<Option<Self>, String> {
        if cfg!(any(miri, feature = "allocator-memory")) {
            return Ok(None);
        }
        match place {
            ScratchPlace::Nowhere => Ok(None),
            ScratchPlace::Automatic => {
                let temporary = || Self::make_in(Path::new(&env::var_os("TMPDIR")?)).ok();
                Self::make_told(Path::new(SHARED_MEMORY)).or_else(|what| temporary().ok_or(what)).map(Some)
            }
            ScratchPlace::Folder(folder) => Self::make_told(folder).map(Some),
        }
    }

    fn make_told(folder: &Path) -> Result<Self, String> {
        Self::make_in(folder).map_err(|error| format!("no scratch file in {}: {error}", folder.display()))
    }

    fn make_in(folder: &Path) -> io::Result<Self> {
        // Growing beyond such a limit would be answered with a signal to the program.
        if limit(Resource::FileSize).is_some() {
            return Err(io::Error::other("the size of files is limited"));
        }
        let folder = fs::canonicalize(folder)?;
        let path = folder.join(name());
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let file = open(&path, flags, Mode::RUSR | Mode::WUSR)?;
        let descriptor = Descriptor::new(file).inspect_err(|_| _ = unlink(&path))?;
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
        if !keeps_promises(&fstatfs(file)?) {
            return Err(io::Error::other("its file system cannot promise space, or not without waiting"));
        }
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        // With room for the first events, or another folder is better.
        let promised = first_room();
        mapping::promise(file, 0, promised).ok_or_else(full)?;
        let start = mapping::shared(file, 0, mapping::page(), promised).ok_or_else(full)?;
        // SAFETY: fresh memory of a page, which is zero, stays mapped and belongs to nobody else.
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

    /// More memory in the file; `None` if the file system has none, or the program took the file away.
    pub(super) fn grow(&self, offset: u64, len: usize) -> Option<NonNull<u8>> {
        mapping::shared(self.descriptor.get(&self.path).ok()?, offset, len, first_room())
    }

    /// Counts an event of a location for which there was no memory.
    pub(crate) fn count_homeless(&self) {
        self.head.inspect(|head| _ = head.homeless.fetch_add(1, Relaxed));
    }

    /// An extent is not in the file.
    pub(super) fn count_elsewhere(&self) {
        self.head.inspect(|head| _ = head.elsewhere.fetch_add(1, Relaxed));
    }

    /// Whether all memory is in the file.
    pub fn has_all(&self) -> bool {
        self.head.is_none_or(|head| head.elsewhere.load(Relaxed) == 0)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The process has got its rank.
    pub fn set_rank(&self, rank: u32) {
        if let Some(head) = self.head {
            head.rank.store(rank, Relaxed);
        }
    }

    /// The boot of the machine; empty if that cannot be told.
    pub(crate) fn boot() -> Vec<u8> {
        fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default()
    }

    /// When this process started, in ticks since the boot.
    pub(crate) fn started() -> u64 {
        started()
    }

    /// Notes in which folder the archive lies.
    pub fn set_directory(&self, directory: &Path) {
        let bytes = directory.as_os_str().as_bytes();
        let Some(head) = self.head.filter(|head| bytes.len() <= head.directory.len()) else { return };
        if head.directory_length.load(Relaxed) == 0 {
            bytes.iter().zip(&head.directory).for_each(|(&byte, place)| place.store(byte, Relaxed));
            head.directory_length.store(bytes.len() as u32, Release);
        }
    }

    /// Removes the file; what is mapped stays. One that cannot be removed gives its memory back, and the error is told.
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

/// Bytes that a new file is promised: the head and the first extent.
fn first_room() -> u64 {
    FIRST_ROOM as u64 + mapping::page() as u64
}

/// Node and boot, working directory, wish of the user for the experiment directory, and what the launcher says.
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
    // Half a name of a job could be that of another.
    if let Some(launch) = launch.filter(|text| text.len() < head.launch.len()) {
        put(&mut head.launch, 0, launch.as_bytes());
    }
}

/// Puts as much of `text` as has room, from `at` on; where it ends.
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

/// When this process started, in ticks since the boot: field 22 of its `stat`.
fn started() -> u64 {
    let stat = fs::read("/proc/self/stat").unwrap_or_default();
    // The name of the program, in parentheses, may hold anything.
    let rest = stat.iter().rposition(|&byte| byte == b')').map_or(&[][..], |at| &stat[at + 1..]);
    let mut fields = rest.split(|&byte| byte == b' ').filter(|field| !field.is_empty());
    let field = fields.nth(19).and_then(|field| str::from_utf8(field).ok());
    field.and_then(|field| field.parse().ok()).unwrap_or(0)
}

/// Whether a file system keeps the space that it has promised, and does not make those wait who store into mapped files.
fn keeps_promises(of: &StatFs) -> bool {
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
    fn a_scratch_file_says_whose_it_is_and_goes() {
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
    fn a_folder_without_promises_is_refused_by_name() {
        let refused = ScratchFile::make(&ScratchPlace::Folder("/proc/self".into())).unwrap_err();
        assert!(refused.starts_with("no scratch file in /proc/"), "{refused}");
    }
}
