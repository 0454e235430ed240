//! `OTF2_ThumbReader`: reads a thumbnail of an archive.

use crate::error::{
    ErrorCode, INDEX_OUT_OF_BOUNDS, INVALID_ARGUMENT, INVALID_DATA, MEM_ALLOC_FAILED, code, fail, fail_with,
};
use crate::results::{duplicate, place};
use kymo_otf2::read::DefinitionReader;
use kymo_otf2::read::definitions::kind;
use kymo_otf2::thumbnails::Thumbnail;
use std::ffi::{CString, c_char};

/// `OTF2_ThumbReader`.
pub(crate) struct ThumbReader {
    records: DefinitionReader<kind::Thumbnails>,
    name: CString,
    description: CString,
    type_: u8,
    number_of_samples: u32,
    references: Vec<u64>,
    /// The number of samples that were read.
    read: u32,
}

impl ThumbReader {
    /// Reads the header.
    pub(crate) fn new(mut records: DefinitionReader<kind::Thumbnails>) -> Result<Box<Self>, ErrorCode> {
        let header = match records.next() {
            Ok(Some(Thumbnail::ThumbnailHeader(header))) => header,
            Ok(_) => return Err(fail(INVALID_DATA, format_args!("the thumbnail has no header"))),
            Err(error) => return Err(fail_with(&error)),
        };
        let [name, description] =
            [header.name, header.description].map(|text| CString::new(text.as_bytes()).unwrap_or_default());
        let (type_, number_of_samples) = (header.thumbnail_type.0, header.number_of_samples);
        let references = header.refs_to_defs.iter().collect();
        Ok(Box::new(ThumbReader {
            records,
            name,
            description,
            type_,
            number_of_samples,
            references,
            read: 0,
        }))
    }

    fn sample(&mut self, baseline: &mut u64, values: &mut [u64]) -> Result<(), ErrorCode> {
        if self.read == self.number_of_samples {
            // This is no failure of the program: the handler is not called.
            return Err(INDEX_OUT_OF_BOUNDS);
        }
        let sample = match self.records.next() {
            Ok(Some(Thumbnail::ThumbnailSample(sample))) => sample,
            Ok(None) => return Err(INDEX_OUT_OF_BOUNDS),
            Ok(Some(_)) => {
                return Err(fail(INVALID_DATA, format_args!("a sample of a thumbnail is missing")));
            }
            Err(error) => return Err(fail_with(&error)),
        };
        if sample.metric_samples.len() != values.len() {
            return Err(fail(
                INVALID_DATA,
                format_args!("a sample has {} values", sample.metric_samples.len()),
            ));
        }
        *baseline = sample.baseline;
        for (value, found) in values.iter_mut().zip(sample.metric_samples.iter()) {
            *value = found;
        }
        self.read += 1;
        Ok(())
    }
}

/// Returns a reader, or fails if the handle is null.
///
/// # Safety
///
/// Null or a reader that nothing else uses.
#[track_caller]
unsafe fn reader<'a>(reader: *mut ThumbReader) -> Result<&'a mut ThumbReader, ErrorCode> {
    // SAFETY: `reader` is null or an open reader that nothing else uses as long as the reference.
    unsafe { reader.as_mut() }.ok_or_else(|| fail(INVALID_ARGUMENT, format_args!("no reader of a thumbnail")))
}

/// Returns the header. The caller frees the strings and the array.
///
/// # Safety
///
/// Null or a reader; null or places for the results.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_ThumbReader_GetHeader(
    this: *mut ThumbReader,
    name: *mut *mut c_char,
    description: *mut *mut c_char,
    type_: *mut u8,
    number_of_samples: *mut u32,
    number_of_metrics: *mut u32,
    references: *mut *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open reader that nothing else uses during this call; the other
    // arguments are null or places for results, of which the array has the given length.
    code(unsafe { reader(this) }.and_then(|reader| unsafe {
        let (name, description, references) = (place(name)?, place(description)?, place(references)?);
        let (type_, samples, metrics) = (place(type_)?, place(number_of_samples)?, place(number_of_metrics)?);
        let array: *mut u64 = libc::malloc(reader.references.len().max(1) * size_of::<u64>()).cast();
        if array.is_null() {
            return Err(fail(MEM_ALLOC_FAILED, format_args!("no memory for the header of a thumbnail")));
        }
        array.copy_from_nonoverlapping(reader.references.as_ptr(), reader.references.len());
        *references = array;
        (*name, *description) = (duplicate(&reader.name)?, duplicate(&reader.description)?);
        (*type_, *samples) = (reader.type_, reader.number_of_samples);
        *metrics = reader.references.len() as u32;
        Ok(())
    }))
}

/// Reads the next sample.
///
/// # Safety
///
/// Null or a reader; null or places for the results, the array of this length.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_ThumbReader_ReadSample(
    this: *mut ThumbReader,
    baseline: *mut u64,
    count: u32,
    values: *mut u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open reader that nothing else uses during this call; the other
    // arguments are null or places for results, of which the array has the given length.
    code(unsafe { reader(this) }.and_then(|reader| unsafe {
        let baseline = place(baseline)?;
        place(values)?;
        if count as usize != reader.references.len() {
            let expected = reader.references.len();
            return Err(fail(INVALID_ARGUMENT, format_args!("{count} values of samples with {expected}")));
        }
        reader.sample(baseline, std::slice::from_raw_parts_mut(values, count as usize))
    }))
}
