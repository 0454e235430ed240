//! Compressed files, OTF2 format, section "zlib archives": each chunk is a block with a zlib stream that is never finished.
//!
//! OTF2 2.2 and 2.3 leave as many bytes for a block as it has when inflated, so the next block is looked for in both places.

use super::budget::Lease;
use crate::error::{Error, Problem, Result};
use flate2::{Decompress, FlushDecompress};

/// First bytes of a block, in the byte order of the machine that wrote it.
const MAGIC: u64 = 0xFFFF_FFFF;
/// Bytes before the stream: magic, compressed size, size, compressed size of the block before.
const HEADER: usize = 20;

/// The chunks of a file.
pub(super) fn inflate(file: &[u8], chunk_size: u64, lease: &mut Lease) -> Result<Vec<u8>> {
    let mut chunks = Vec::new();
    let mut at = 0;
    while at < file.len() {
        let block = Block::at(file, at)?;
        if block.size as u64 > chunk_size {
            return Err(error(at, "a block is larger than a chunk"));
        }
        let start = chunks.len();
        lease.resize(&mut chunks, start + block.size)?;
        block.inflate(&mut chunks[start..]).ok_or_else(|| error(at, "a zlib stream is damaged"))?;
        at = block.next(file, at);
    }
    Ok(chunks)
}

fn error(at: usize, what: &'static str) -> Error {
    Error::format(at as u64, None, Problem::Compressed(what))
}

struct Block<'a> {
    data: &'a [u8],
    compressed: usize,
    size: usize,
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
        Ok(Block { data: &data[..compressed.min(data.len())], compressed, size })
    }

    /// Fills the chunk.
    fn inflate(&self, chunk: &mut [u8]) -> Option<()> {
        let mut stream = Decompress::new(true);
        loop {
            let (read, written) = (stream.total_in(), stream.total_out());
            if written as usize == chunk.len() {
                return Some(());
            }
            let (rest, room) = (&self.data[read as usize..], &mut chunk[written as usize..]);
            stream.decompress(rest, room, FlushDecompress::Sync).ok()?;
            if (stream.total_in(), stream.total_out()) == (read, written) {
                return None;
            }
        }
    }

    /// Offset of the next block.
    fn next(&self, file: &[u8], at: usize) -> usize {
        let dense = at + HEADER + self.compressed;
        match file.get(dense..).is_some_and(has_magic) {
            true => dense,
            false => at + HEADER + self.size.max(1),
        }
    }
}

fn has_magic(bytes: &[u8]) -> bool {
    let first = bytes.first_chunk::<8>().copied().unwrap_or_default();
    u64::from_le_bytes(first) == MAGIC || u64::from_be_bytes(first) == MAGIC
}
