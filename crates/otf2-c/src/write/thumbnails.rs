//! `OTF2_ThumbWriter`: writes a thumbnail. It is closed with its archive.

use super::{Buffer, close, code_of, missing};
use crate::arguments::list;
use crate::error::{ErrorCode, Failure, INTEGRITY_FAULT, INVALID_ARGUMENT, SUCCESS, fail};
use kymo_otf2::error::Result;
use kymo_otf2::thumbnails::{ThumbnailHeader, ThumbnailSample};
use kymo_otf2::write::ThumbnailWriter;

/// `OTF2_ThumbWriter`.
pub(crate) struct ThumbWriter {
    thumbnail: ThumbnailWriter<Buffer>,
    number_of_metrics: u32,
    number_of_samples: u32,
    written: u32,
}

impl ThumbWriter {
    pub(crate) fn new(buffer: Buffer, header: &ThumbnailHeader<'_>) -> Result<Box<Self>> {
        let number_of_metrics = header.refs_to_defs.len() as u32;
        let thumbnail = ThumbnailWriter::new(buffer, header)?;
        let number_of_samples = header.number_of_samples;
        let mut writer =
            Box::new(ThumbWriter { thumbnail, number_of_metrics, number_of_samples, written: 0 });
        let handle = &raw mut *writer;
        writer.thumbnail.pieces_mut().set_caller(handle.cast());
        Ok(writer)
    }

    pub(crate) fn close(&mut self) -> Result<(), Failure> {
        close(&mut self.thumbnail)?;
        let (written, expected) = (self.written, self.number_of_samples);
        match written == expected {
            true => Ok(()),
            false => Err(Failure {
                code: INTEGRITY_FAULT,
                message: format!("{written} of {expected} samples of a thumbnail"),
            }),
        }
    }
}

/// Writes a sample.
///
/// # Safety
///
/// Null or a writer; null or an array of this length.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_ThumbWriter_WriteSample(
    this: *mut ThumbWriter,
    baseline: u64,
    number_of_metrics: u32,
    samples: *const u64,
) -> ErrorCode {
    // SAFETY: `this` is null or an open writer that nothing else uses during this call.
    let (Some(writer), false) = (unsafe { (this.as_mut(), samples.is_null()) }) else {
        return missing();
    };
    if number_of_metrics != writer.number_of_metrics {
        let expected = writer.number_of_metrics;
        return fail(INVALID_ARGUMENT, format_args!("{number_of_metrics} values of samples with {expected}"));
    }
    // SAFETY: `samples` is not null, so it is an array of `number_of_metrics` numbers.
    let metric_samples = unsafe { list(number_of_metrics, samples) };
    let code = code_of(writer.thumbnail.any_sample(&ThumbnailSample { baseline, metric_samples }));
    writer.written = writer.written.saturating_add(u32::from(code == SUCCESS));
    code
}
