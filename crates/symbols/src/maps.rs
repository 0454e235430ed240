//! The memory layout of this process: `/proc/self/maps`.
//!
//! ```text
//! 55d0c9a02000-55d0c9a04000 r-xp 00002000 fe:01 5242  /usr/bin/true
//! begin        end          mode offset   device inode path
//! ```

use std::fs;
use std::path::Path;
use std::sync::Arc;

/// A position in a file.
#[derive(Debug, Clone)]
pub(crate) struct FilePosition {
    pub(crate) path: Arc<Path>,
    pub(crate) offset: u64,
}

/// A part of the memory of this process: of a file, or code that no file contains.
#[derive(Debug, Clone)]
pub struct Mapping {
    /// The first address.
    pub begin: u64,
    /// The address after the last one.
    pub end: u64,
    /// The file; empty for code that no file contains.
    pub path: Arc<Path>,
    /// The place in the file.
    pub offset: u64,
    /// Whether it can be executed.
    pub is_code: bool,
}

/// Returns the mapped files, and the code that no file contains, by address; nothing if the system
/// does not tell.
pub fn mappings() -> Vec<Mapping> {
    fs::read("/proc/self/maps").map(|text| parsed(&text)).unwrap_or_default()
}

/// The mappings of code at the time of the last unsuccessful lookup. A program maps and unmaps data
/// at any time, also where a library is loaded later.
#[derive(Debug, Default)]
pub(crate) struct Maps {
    mappings: Vec<Mapping>,
}

impl Maps {
    /// Returns the position in a file that is mapped at an address.
    pub(crate) fn find(&mut self, address: u64) -> Option<FilePosition> {
        self.known(address).or_else(|| {
            self.mappings = code(mappings());
            self.known(address)
        })
    }

    fn known(&self, address: u64) -> Option<FilePosition> {
        let mapping = self.mappings.iter().find(|it| (it.begin..it.end).contains(&address))?;
        let offset = mapping.offset.checked_add(address - mapping.begin)?;
        Some(FilePosition { path: Arc::clone(&mapping.path), offset })
    }
}

fn code(mut mappings: Vec<Mapping>) -> Vec<Mapping> {
    mappings.retain(|mapping| mapping.is_code && !mapping.path.as_os_str().is_empty());
    mappings
}

fn parsed(text: &[u8]) -> Vec<Mapping> {
    let mut all: Vec<Mapping> = Vec::new();
    for line in text.split(|&byte| byte == b'\n') {
        let Some((begin, end, is_code, offset, path)) = std::str::from_utf8(line).ok().and_then(fields)
        else {
            continue;
        };
        let path = match all.last() {
            Some(last) if &*last.path == path => Arc::clone(&last.path),
            _ => Arc::from(path),
        };
        all.push(Mapping { begin, end, path, offset, is_code });
    }
    all
}

/// Returns start, end, whether it is code, offset and path of a line with a file or with code.
fn fields(line: &str) -> Option<(u64, u64, bool, u64, &Path)> {
    let (fields, path) = line.split_at_checked(line.find('/').unwrap_or(line.len()))?;
    let mut fields = fields.split_ascii_whitespace();
    let (begin, end) = fields.next()?.split_once('-')?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    let is_code = fields.next()?.contains('x');
    let offset = number(fields.next()?)?;
    (is_code || !path.is_empty()).then_some((number(begin)?, number(end)?, is_code, offset, Path::new(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_with_files_are_used() {
        let text = b"5580-5590 r--p 00000000 fe:01 42                 /usr/bin/with space\n\
            5590-55a0 r-xp 00000010 fe:01 42                 /usr/bin/with space\n\
            55a0-55b0 rw-p 00000000 00:00 0                  [heap]\nbroken / line\n7000-7010 rw-p 00000000 00:00 0\n";
        let mut maps = Maps { mappings: parsed(text) };
        let position = maps.find(0x5594).expect("a position");
        assert_eq!((&*position.path, position.offset), (Path::new("/usr/bin/with space"), 0x14));
        assert_eq!(maps.mappings.len(), 2);
        assert!(maps.known(0x55a0).is_none() && maps.known(0x557f).is_none());
    }

    #[test]
    fn code_without_a_file_is_a_mapping_in_which_no_position_is_found() {
        let text = b"1000-2000 r-xp 00000000 00:00 0 [vdso]\n3000-4000 rw-p 00000000 00:00 0\n";
        let mappings = parsed(text);
        let [mapping] = &mappings[..] else { panic!("{mappings:?}") };
        assert_eq!((mapping.begin, mapping.is_code, &*mapping.path), (0x1000, true, Path::new("")));
        let maps = Maps { mappings: code(mappings) };
        assert!(maps.known(0x1800).is_none());
    }

    /// A file that another thread had mapped for a moment was found in the place of a library.
    #[test]
    fn code_is_found_only_where_code_is_mapped() {
        let text = b"1000-2000 r--p 00000000 fe:01 42 /data\n2000-3000 r-xp 00001000 fe:01 43 /code\n";
        let mut maps = Maps { mappings: code(parsed(text)) };
        assert!(maps.known(0x1800).is_none());
        assert_eq!(maps.find(0x2800).expect("a position").offset, 0x1800);
    }

    #[test]
    fn nothing_is_mapped_at_zero() {
        assert!(Maps::default().find(0).is_none());
    }
}
