//! The symbols that some distributions keep in stripped files (`.gnu_debugdata`, "MiniDebugInfo" in
//! the manual of gdb): a compressed ELF file with the names of functions that are not exported.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection, ReadCache};
use rustix::fs::{MemfdFlags, memfd_create};

const SECTION: &str = ".gnu_debugdata";
/// The largest file that is decompressed. The symbols of the largest libraries have a tenth of it.
const MOST: u64 = 256 << 20;

/// A file of symbols that exists only in memory.
#[derive(Debug)]
pub(crate) struct MiniDebugInfo(File);

impl MiniDebugInfo {
    /// Decompresses the symbols in a file, if it has any.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let file = ReadCache::new(File::open(path).ok()?);
        let file = ElfFile64::<Endianness, _>::parse(&file).ok()?;
        let compressed = file.section_by_name(SECTION)?.data().ok()?;
        let symbols = File::from(memfd_create(SECTION, MemfdFlags::CLOEXEC).ok()?);
        let mut limited = LimitedWriter { file: symbols, left: MOST };
        lzma_rs::xz_decompress(&mut BufReader::new(compressed), &mut limited).ok()?;
        Some(Self(limited.file))
    }

    /// Returns a path at which the symbols can be read while this exists.
    pub(crate) fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.0.as_raw_fd()).into()
    }
}

/// A writer that fails when it has received too much.
struct LimitedWriter {
    file: File,
    left: u64,
}

impl Write for LimitedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or(io::ErrorKind::FileTooLarge)?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
