//! The code in the memory of the process: the program, the libraries, and code that no file
//! contains.
//!
//! Invariant: it is read from `/proc/self/maps` and the headers in memory, without a lock of the
//! loader; memory that is not mapped is never accessed.

use std::ops::Range;
use std::path::Path;
use std::ptr;
use std::slice;
use std::sync::Arc;

use kymo_symbols::mappings;
use libc::{Elf64_Ehdr, Elf64_Phdr, PF_X, PT_LOAD, PT_NOTE};

use super::unwinding::UnwindInformation;
use crate::readable;

/// `PT_GNU_EH_FRAME`.
const UNWIND_HEADER: u32 = 0x6474_e550;
/// The encoding of the address of the unwind information that all linkers use: four bytes relative
/// to their place.
const RELATIVE: u8 = 0x1b;
/// The type of an ELF note that identifies the content of a file, and its owner.
const BUILD_ID: u32 = 3;
const GNU: &[u8] = b"GNU\0";
/// The name of the code that the system adds to every program.
const SYSTEM_CODE: &str = "[vdso]";

/// The code in the memory of the process.
#[derive(Debug)]
pub(super) struct Layout {
    /// The program, the libraries, and the code that the system adds to every program.
    pub(super) files: Vec<File>,
    pub(super) generated: Vec<Range<u64>>,
}

impl Layout {
    pub(super) fn read() -> Self {
        let mappings = mappings();
        let (of_files, generated): (Vec<_>, Vec<_>) =
            mappings.into_iter().partition(|mapping| !mapping.path.as_os_str().is_empty());
        let is_code = |range: &Range<u64>| {
            of_files.iter().any(|it| it.is_code && (it.begin..it.end).contains(&range.start))
        };
        // Some programs map files of code to read them.
        let is_loaded = |file: &File| file.code.iter().all(|range| is_code(&file.moved(range)));
        let starts = of_files.iter().filter(|mapping| mapping.offset == 0);
        let files = starts.filter_map(|mapping| File::at(mapping.begin, &mapping.path));
        let mut files: Vec<_> = files.filter(is_loaded).collect();
        // SAFETY: takes only a number.
        let of_system = unsafe { libc::getauxval(libc::AT_SYSINFO_EHDR) };
        if of_system != 0 {
            files.extend(File::at(of_system, &Arc::from(Path::new(SYSTEM_CODE))));
        }
        let generated = generated.iter().map(|mapping| mapping.begin..mapping.end);
        let generated = generated.filter(|range| !range.contains(&of_system)).collect();
        Self { files, generated }
    }
}

/// A loaded file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct File {
    pub(super) path: Arc<Path>,
    /// The offset that is added to the addresses in the file.
    pub(super) bias: u64,
    /// The addresses in the file of its unwind information, and of the index of that.
    frames: Option<Range<u64>>,
    index: Option<Range<u64>>,
    pub(super) code: Vec<Range<u64>>,
    /// The identity of its content; empty if it has none.
    pub(super) build_id: Vec<u8>,
    /// The address in the file of its first instruction; 0 for a library.
    pub(super) entry: u64,
}

impl File {
    /// Returns the file whose header is at `base`, if it is a program or library.
    pub(super) fn at(base: u64, path: &Arc<Path>) -> Option<Self> {
        let (segments, first_instruction) = segments(base)?;
        let loaded = || segments.iter().filter(|segment| segment.p_type == PT_LOAD);
        let range = |segment: &Elf64_Phdr| segment.p_vaddr..segment.p_vaddr.saturating_add(segment.p_memsz);
        // The first segment begins at the start of the file.
        let start = loaded().next()?.p_vaddr;
        let bias = base.wrapping_sub(start);
        let index = segments.iter().find(|segment| segment.p_type == UNWIND_HEADER).map(range);
        let frames = index.as_ref().and_then(|index| {
            let start = information(index.start.wrapping_add(bias))?.wrapping_sub(bias);
            let holder = loaded().map(range).find(|range| range.contains(&start))?;
            Some(start..holder.end)
        });
        let code = loaded().filter(|segment| segment.p_flags & PF_X != 0).map(range).collect();
        let notes = segments.iter().filter(|segment| segment.p_type == PT_NOTE);
        let build_id = notes.filter_map(|notes| build_id(range(notes), bias)).next().unwrap_or_default();
        // Libraries have an address there, too, but no system starts a program in one.
        // SAFETY: takes only a number.
        let is_program = unsafe { libc::getauxval(libc::AT_ENTRY) } == first_instruction.wrapping_add(bias);
        let entry = if is_program { first_instruction } else { 0 };
        let path = Arc::clone(path);
        Some(Self { path, bias, frames, index, code, build_id, entry })
    }

    pub(super) fn moved(&self, range: &Range<u64>) -> Range<u64> {
        range.start.wrapping_add(self.bias)..range.end.wrapping_add(self.bias)
    }

    pub(super) fn is_mapped(&self) -> bool {
        let ends = self.frames.iter().chain(&self.index).map(|range| self.moved(range));
        let mut ends = ends.flat_map(|range| [range.start, range.end.saturating_sub(8)]);
        ends.all(|address| readable::word(address).is_some())
    }

    pub(super) fn unwind_information(&self) -> Option<UnwindInformation> {
        let [index, frames] = [self.index.as_ref()?, self.frames.as_ref()?].map(|range| self.moved(range));
        // A library that could not be loaded after all is gone.
        if !self.is_mapped() {
            return None;
        }
        UnwindInformation::new((memory(&index), index.start), (memory(&frames), frames.start))
    }
}

/// Returns the address of the unwind information, which its index contains.
fn information(index: u64) -> Option<u64> {
    let mut start = [0_u8; 8];
    if !readable::read(index, &mut start) {
        return None;
    }
    let [_, encoding, _, _, place @ ..] = start;
    let distance = i64::from(i32::from_ne_bytes(place));
    (encoding == RELATIVE).then(|| (index + 4).wrapping_add_signed(distance))
}

/// Returns the identity of the content of a file, if it is among these notes.
fn build_id(notes: Range<u64>, bias: u64) -> Option<Vec<u8>> {
    const MOST: u64 = 1 << 12;
    const HEADER: usize = 12;
    let size = notes.end.saturating_sub(notes.start).min(MOST);
    let mut bytes = vec![0; size as usize];
    if !readable::read(notes.start.wrapping_add(bias), &mut bytes) {
        return None;
    }
    let mut rest = &bytes[..];
    loop {
        let number = |at: usize| Some(u32::from_ne_bytes(*rest.get(at..)?.first_chunk()?));
        let (name, content, kind) = (number(0)? as usize, number(4)? as usize, number(8)?);
        let start = HEADER.checked_add(name.checked_next_multiple_of(4)?)?;
        let end = start.checked_add(content)?;
        let note = rest.get(start..end)?;
        if kind == BUILD_ID && rest.get(HEADER..HEADER + name) == Some(GNU) {
            return Some(note.to_owned());
        }
        rest = rest.get(end.checked_next_multiple_of(4)?..)?;
    }
}

/// Returns the segments of the program or library whose header is at `base`, and the address of its
/// first instruction.
fn segments(base: u64) -> Option<(Vec<Elf64_Phdr>, u64)> {
    let mut header = [0_u8; size_of::<Elf64_Ehdr>()];
    if !readable::read(base, &mut header) {
        return None;
    }
    // SAFETY: the structure has this size, and any bytes are a value of it.
    let header = unsafe { header.as_ptr().cast::<Elf64_Ehdr>().read_unaligned() };
    let is_file =
        header.e_ident.starts_with(b"\x7fELF") && usize::from(header.e_phentsize) == size_of::<Elf64_Phdr>();
    let mut bytes = vec![0; is_file.then(|| usize::from(header.e_phnum) * size_of::<Elf64_Phdr>())?];
    if !readable::read(base.checked_add(header.e_phoff)?, &mut bytes) {
        return None;
    }
    let segments = bytes.chunks_exact(size_of::<Elf64_Phdr>());
    // SAFETY: as above.
    let segments = segments.map(|bytes| unsafe { bytes.as_ptr().cast::<Elf64_Phdr>().read_unaligned() });
    Some((segments.collect(), header.e_entry))
}

/// Returns memory of a loaded file.
fn memory(range: &Range<u64>) -> &'static [u8] {
    let (start, size) = (range.start as usize, (range.end - range.start) as usize);
    // SAFETY: the loader mapped the segment that contains the range. It stays mapped while a walk
    // reads it, since no walk runs while a library is being unloaded.
    unsafe { slice::from_raw_parts(ptr::with_exposed_provenance(start), size) }
}
