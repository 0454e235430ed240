//! An archive as one string of bytes, so that a fuzzer can change any file of it.
//!
//! ```text
//! control bytes | mark, kind, content of a file | mark, kind, content of a file | …
//! ```
//!
//! A mark may be anywhere, so inserted and deleted bytes do not shift the rest. The kind `z`
//! continues the previous file at the next multiple of 256 KiB, so that files with several chunks
//! are
//! small.

use kymo_otf2::FileName;
use kymo_otf2::storage::{Content, Storage};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The mark that begins a file.
const MARK: &[u8] = b"\n--";
/// The size of the smallest chunk.
const CHUNK: usize = 262_144;
/// The maximum number of chunks of an archive that are filled up, so that inputs remain fast.
const LONGEST: usize = 8;
/// The locations, by the position of their letter.
const LOCATIONS: [u64; 4] = [0, 1, 2, 4_294_967_301];

/// The files of an archive, and how they are read.
#[derive(Debug, Clone)]
pub struct Files {
    control: Vec<u8>,
    files: BTreeMap<FileName, Arc<Vec<u8>>>,
    /// The maximum number of bytes in a read.
    step: usize,
    read: Arc<AtomicU64>,
}

impl Files {
    /// Splits a string into files.
    pub fn parse(bytes: &[u8]) -> Files {
        let mut parts = split(bytes);
        let control = parts.next().unwrap_or_default().to_vec();
        let mut files: BTreeMap<FileName, Vec<u8>> = BTreeMap::new();
        let (mut last, mut filled) = (None, 0);
        for part in parts {
            let Some((kind, content)) = part.split_first() else { continue };
            match name(*kind) {
                Some(name) => {
                    files.insert(name, content.to_vec());
                    last = Some(name);
                }
                None => {
                    let Some(file) = last.and_then(|last| files.get_mut(&last)) else { continue };
                    let length = file.len().next_multiple_of(CHUNK);
                    filled += 1;
                    if *kind == b'z' && filled <= LONGEST {
                        file.resize(length, 0);
                    }
                    file.extend_from_slice(content);
                }
            }
        }
        Files { control, ..Files::new(files) }
    }

    /// Creates files that can be read with any length.
    pub fn new(files: impl IntoIterator<Item = (FileName, Vec<u8>)>) -> Files {
        let files = files.into_iter().map(|(name, content)| (name, Arc::new(content))).collect();
        Files { control: Vec::new(), files, step: usize::MAX, read: Arc::default() }
    }

    /// Returns a copy in which a file has other content, or in which the file is missing if
    /// `content` is `None`.
    pub fn with(&self, name: FileName, content: Option<Vec<u8>>) -> Files {
        let mut files = self.clone();
        files.files.remove(&name);
        files.files.extend(content.map(|content| (name, Arc::new(content))));
        files
    }

    /// Returns the content of a file.
    pub fn content(&self, name: FileName) -> &[u8] {
        self.files.get(&name).map_or(&[], |content| content)
    }

    /// Returns the names of the files that exist.
    pub fn present(&self) -> impl Iterator<Item = FileName> {
        self.files.keys().copied()
    }

    /// Joins files; returns `None` if one of them contains a mark.
    pub fn join<'f>(files: impl IntoIterator<Item = (FileName, &'f [u8])>) -> Option<Vec<u8>> {
        let mut bytes = vec![0; 5];
        for (name, content) in files {
            if split(content).count() > 1 {
                return None;
            }
            bytes.extend_from_slice(MARK);
            bytes.push(kind(name)?);
            let mut chunks = content.chunks(CHUNK).peekable();
            while let Some(chunk) = chunks.next() {
                let end = chunk.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                match chunks.peek() {
                    Some(_) => {
                        bytes.extend_from_slice(&chunk[..end]);
                        bytes.extend_from_slice(MARK);
                        bytes.push(b'z');
                    }
                    None => bytes.extend_from_slice(chunk),
                }
            }
        }
        Some(bytes)
    }

    /// Returns the names of the files that an archive may have here.
    pub fn names() -> impl Iterator<Item = FileName> {
        (0..=u8::MAX).filter_map(name)
    }

    /// Returns a byte that controls how the files are read; 0 if it is missing.
    pub fn control(&self, index: usize) -> u8 {
        self.control.get(index).copied().unwrap_or(0)
    }

    /// Returns whether ids are mapped and times corrected.
    pub fn is_global(&self) -> bool {
        self.control(4) & 1 == 0
    }

    /// Returns the files with reads of at most `step` bytes.
    pub fn in_steps(self, step: usize) -> Files {
        Files { step, ..self }
    }

    /// Returns the locations that have files.
    pub fn locations(&self) -> impl Iterator<Item = u64> {
        self.files.keys().filter_map(|name| name.location())
    }

    /// Returns the length of a file; 0 if it is missing.
    pub fn length(&self, name: FileName) -> u64 {
        self.content(name).len() as u64
    }

    /// Returns the length of all files.
    pub fn total_length(&self) -> usize {
        self.files.values().map(|content| content.len()).sum()
    }

    /// Returns the number of bytes read from all files since the last call.
    pub fn take_read(&self) -> u64 {
        self.read.swap(0, Ordering::Relaxed)
    }
}

fn split(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(bytes);
    std::iter::from_fn(move || {
        let bytes = rest?;
        let end = bytes.windows(MARK.len()).position(|window| window == MARK);
        rest = end.map(|end| &bytes[end + MARK.len()..]);
        Some(&bytes[..end.unwrap_or(bytes.len())])
    })
}

/// Returns the file of a kind. Kinds are letters: upper case for files of all locations, and for
/// each type of local file one letter for each location.
fn name(kind: u8) -> Option<FileName> {
    let location = |first: u8| LOCATIONS[usize::from(kind - first)];
    Some(match kind {
        b'A' => FileName::Anchor,
        b'D' => FileName::GlobalDefinitions,
        b'M' => FileName::Markers,
        b'T' => FileName::Thumbnail(0),
        b'a'..=b'd' => FileName::LocalDefinitions(location(b'a')),
        b'e'..=b'h' => FileName::Events(location(b'e')),
        b's'..=b'v' => FileName::Snapshots(location(b's')),
        _ => return None,
    })
}

fn kind(file: FileName) -> Option<u8> {
    (0..=u8::MAX).find(|&kind| name(kind) == Some(file))
}

impl Storage for Files {
    fn create(&self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
    fn write_at(&self, _: FileName, _: u64, _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
    fn set_len(&self, _: FileName, _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
    fn open(&self, file: FileName) -> io::Result<Box<dyn Content>> {
        let content = self.files.get(&file).ok_or(io::ErrorKind::NotFound)?.clone();
        Ok(Box::new(Reads { content, step: self.step, read: self.read.clone() }))
    }
}

struct Reads {
    content: Arc<Vec<u8>>,
    step: usize,
    read: Arc<AtomicU64>,
}

impl Content for Reads {
    fn length(&self) -> io::Result<u64> {
        self.content.length()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.step);
        let count = self.content.read_at(offset, &mut buffer[..length])?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
