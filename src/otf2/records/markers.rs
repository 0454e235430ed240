//! Marker records, OTF2 format, section "Markers, thumbnails". Times are global times.

use super::enums;
use super::records;
use super::references::*;
use super::text::Text;

records! {
    /// Record of a marker file.
    AnyMarker: MarkerRecord, width;

    /// Kind of marker.
    5 DefMarker<'a> since "1.2" {
        /// Id of this definition.
        "self" id: MarkerRef;
        /// Group of the marker.
        "markerGroup" marker_group: Text<'a>;
        /// Category of the marker.
        "markerCategory" marker_category: Text<'a>;
        /// Severity.
        "severity" severity: enums::MarkerSeverity;
    }

    /// A marker: a time span of the trace with a text.
    6 Marker<'a> since "1.2" {
        /// Time, in ticks.
        "time" time: u64;
        /// Duration, in ticks.
        "duration" duration: u64;
        /// Kind of marker.
        "marker" marker: MarkerRef;
        /// Kind of thing the marker is about.
        "markerScope" marker_scope: enums::MarkerScope;
        /// Id of that thing, in the id space that the scope kind names; all ones for the whole trace.
        "scope" scope: u64;
        /// Text.
        "text" text: Text<'a>;
    }
}
