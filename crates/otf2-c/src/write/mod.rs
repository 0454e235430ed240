//! Writers of the files of an archive.
//!
//! A record that cannot be written leaves the writer as it was. Writers take no lock, except for
//! the counts of the archive.

mod buffer;
mod chunks;
pub(crate) mod definitions;
pub(crate) mod events;
pub(crate) mod markers;
pub(crate) mod snapshots;
pub(crate) mod thumbnails;

pub(crate) use buffer::Buffer;

use crate::error::{ErrorCode, Failure, INVALID_ARGUMENT, SUCCESS, fail, fail_with};
use kymo_otf2::error::Result;
use kymo_otf2::write::{Closed, DefinitionWriter, ThumbnailWriter, TimedWriter};

/// A writer of the format library with the memory of this one.
trait FileWriter {
    fn buffer(&mut self) -> &mut Buffer;
    fn finish(&mut self) -> Result<Closed>;
}

impl<K> FileWriter for TimedWriter<K, Buffer> {
    fn buffer(&mut self) -> &mut Buffer {
        self.pieces_mut()
    }
    fn finish(&mut self) -> Result<Closed> {
        TimedWriter::finish(self)
    }
}

impl<K> FileWriter for DefinitionWriter<K, Buffer> {
    fn buffer(&mut self) -> &mut Buffer {
        self.pieces_mut()
    }
    fn finish(&mut self) -> Result<Closed> {
        DefinitionWriter::finish(self)
    }
}

impl FileWriter for ThumbnailWriter<Buffer> {
    fn buffer(&mut self) -> &mut Buffer {
        self.pieces_mut()
    }
    fn finish(&mut self) -> Result<Closed> {
        self.finish_incomplete()
    }
}

/// Ends the file and frees the memory. If a function of the program unwinds, the call can be
/// repeated.
fn close(writer: &mut impl FileWriter) -> Result<(), Failure> {
    let length = match writer.buffer().length() {
        Some(length) => length,
        None => finish(writer)?,
    };
    Ok(writer.buffer().end(length)?)
}

fn finish(writer: &mut impl FileWriter) -> Result<u64, Failure> {
    writer.buffer().begin_end();
    let finished = writer.finish();
    if finished.is_err() {
        writer.buffer().drop_content();
    }
    Ok(finished?.length)
}

/// Returns the code of the outcome of writing a record.
#[inline(always)]
fn code_of(result: Result<()>) -> ErrorCode {
    match result {
        Ok(()) => SUCCESS,
        Err(error) => fail_with(&error),
    }
}

#[cold]
#[track_caller]
fn missing() -> ErrorCode {
    fail(INVALID_ARGUMENT, format_args!("no writer, or a string or array is missing"))
}
