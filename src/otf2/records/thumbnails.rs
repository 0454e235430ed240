//! Thumbnail records, docs/spec/otf2-format.md, "Markers, thumbnails".

use super::enums;
use super::list::List;
use super::records;
use super::text::Text;

records! {
    /// A record of a thumbnail file.
    Thumbnail: ThumbnailRecord, width;

    /// The meaning of the samples of a thumbnail. The first record of the file, which occurs once.
    10 ThumbnailHeader<'a> since "1.2" {
        /// The name.
        "name" name: Text<'a>;
        /// The description.
        "description" description: Text<'a>;
        /// The kind of definitions to which `refs_to_defs` refers.
        "thumbnailType" thumbnail_type: enums::ThumbnailType;
        /// The number of samples that follow.
        "numberOfSamples" number_of_samples: u32;
        /// The definitions to which the values refer.
        "numberOfMetrics refsToDefs" refs_to_defs: List<'a, u32, u64>;
    }

    /// One sample of a thumbnail.
    11 ThumbnailSample<'a> since "1.2" {
        /// The sum of which the values are shares, or 0 if they are not shares.
        "baseline" baseline: u64;
        /// One value per definition.
        "numberOfMetrics metricSamples" metric_samples: List<'a, u32, u64>;
    }
}
