//! Compressed files, docs/spec/otf2-format.md, "zlib archives": each chunk is a block with a zlib
//! stream that is never finished.
//!
//! OTF2 2.2 and 2.3 reserve the inflated size for each block, so the next block is searched for in
//! both places. Invariant: no byte of the file is inflated twice, and the data before a fault is
//! kept.

use super::budget::Lease;
use crate::error::{Error, FormatError, Problem, Result};
use flate2::{Decompress, FlushDecompress};

/// The first bytes of a block, in the byte order of the machine that wrote it.
const MAGIC: u64 = 0xFFFF_FFFF;
/// The number of bytes before the stream: magic, compressed size, size, compressed size of the
/// block before.
const HEADER: usize = 20;

/// Returns the chunks of a file, up to the first fault, and the fault. Fails if there is no memory.
pub(super) fn inflate(
    file: &[u8],
    chunk_size: u64,
    lease: &mut Lease,
) -> Result<(Vec<u8>, Option<FormatError>)> {
    let mut chunks = Vec::new();
    match inflate_into(&mut chunks, file, chunk_size, lease) {
        Ok(()) => Ok((chunks, None)),
        Err(Error::Format(fault)) => Ok((chunks, Some(fault))),
        Err(error) => Err(error),
    }
}

fn inflate_into(chunks: &mut Vec<u8>, file: &[u8], chunk_size: u64, lease: &mut Lease) -> Result<()> {
    let mut at = 0;
    while at < file.len() {
        let block = Block::at(file, at)?;
        if block.size == 0 || block.size as u64 > chunk_size {
            return Err(error(at, "a block is empty or larger than a chunk"));
        }
        if !(chunks.len() as u64).is_multiple_of(chunk_size) {
            return Err(error(at, "a block follows one that does not fill its chunk"));
        }
        let start = chunks.len();
        lease.extend(chunks, block.size)?;
        let inflated = block.inflate(&mut chunks[start..]);
        chunks.truncate(start + inflated);
        if inflated < block.size {
            return Err(error(at, "a zlib stream is damaged or cut"));
        }
        at = block.next;
    }
    Ok(())
}

fn error(at: usize, what: &'static str) -> Error {
    Error::format(at as u64, None, Problem::Compressed(what))
}

struct Block<'a> {
    /// The stream, perhaps followed by garbage.
    data: &'a [u8],
    size: usize,
    /// The offset of the next block.
    next: usize,
}

impl<'a> Block<'a> {
    fn at(file: &'a [u8], at: usize) -> Result<Self> {
        let header: &[u8; HEADER] =
            file[at..].first_chunk().ok_or_else(|| error(at, "it ends inside the header of a block"))?;
        if !has_magic(header) {
            return Err(error(at, "a block does not begin with its mark"));
        }
        let number = |from: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| header[from + byte])) as usize;
        let (compressed, size) = (number(8), number(12));
        let data = &file[at + HEADER..];
        let is_dense = compressed == data.len() || data.get(compressed..).is_some_and(has_magic);
        let length = if is_dense { compressed } else { size };
        Ok(Block {
            data: &data[..compressed.min(length).min(data.len())],
            size,
            next: (at + HEADER).saturating_add(length),
        })
    }

    /// Fills the chunk and returns the number of bytes written.
    fn inflate(&self, chunk: &mut [u8]) -> usize {
        let mut stream = Decompress::new(true);
        loop {
            let (read, written) = (stream.total_in(), stream.total_out());
            let (rest, room) = (&self.data[read as usize..], &mut chunk[written as usize..]);
            let is_full = room.is_empty() || stream.decompress(rest, room, FlushDecompress::Sync).is_err();
            if is_full || (stream.total_in(), stream.total_out()) == (read, written) {
                return stream.total_out() as usize;
            }
        }
    }
}

fn has_magic(bytes: &[u8]) -> bool {
    let first = bytes.first_chunk::<8>().copied().unwrap_or_default();
    u64::from_le_bytes(first) == MAGIC || u64::from_be_bytes(first) == MAGIC
}
