//! Thumbnail records, OTF2 format, section "Markers, thumbnails".

use super::enums;
use super::list::List;
use super::records;
use super::text::Text;

records! {
    /// Record of a thumbnail file.
    Thumbnail: ThumbnailRecord, width;

    /// What the samples of a thumbnail mean. Comes first and once.
    10 ThumbnailHeader<'a> since "1.2" {
        /// Name.
        "name" name: Text<'a>;
        /// Description.
        "description" description: Text<'a>;
        /// What `refs_to_defs` refers to.
        "thumbnailType" thumbnail_type: enums::ThumbnailType;
        /// Number of samples that follow.
        "numberOfSamples" number_of_samples: u32;
        /// Definitions the values belong to.
        "numberOfMetrics refsToDefs" refs_to_defs: List<'a, u32, u64>;
    }

    /// One sample of a thumbnail.
    11 ThumbnailSample<'a> since "1.2" {
        /// Sum the values are a share of, 0 if they are none.
        "baseline" baseline: u64;
        /// One value per definition.
        "numberOfMetrics metricSamples" metric_samples: List<'a, u32, u64>;
    }
}
