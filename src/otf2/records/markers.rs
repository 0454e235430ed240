//! Marker records, docs/spec/otf2-format.md, "Markers, thumbnails". Times are global times.

use super::enums;
use super::records;
use super::references::*;
use super::text::Text;

/// Passes the table of marker records to a macro.
#[macro_export]
macro_rules! for_each_marker {
    ($macro:ident) => {
        $macro! {
            /// A record of a marker file.
            AnyMarker: MarkerRecord, width;

            /// A kind of marker.
            5 DefMarker<'a> since "1.2" {
                /// The id of this definition.
                "self" id: MarkerRef;
                /// The group of the marker.
                "markerGroup" marker_group: Text<'a>;
                /// The category of the marker.
                "markerCategory" marker_category: Text<'a>;
                /// The severity.
                "severity" severity: enums::MarkerSeverity;
            }

            /// A marker: a time span of the trace with a text.
            6 Marker<'a> since "1.2" {
                /// The time, in ticks.
                "time" time: u64;
                /// The duration, in ticks.
                "duration" duration: u64;
                /// The kind of marker.
                "marker" marker: MarkerRef;
                /// The kind of object to which the marker refers.
                "markerScope" marker_scope: enums::MarkerScope;
                /// The id of that object, in the id space that `marker_scope` names; all ones for
                /// the whole trace.
                "scope" scope: u64;
                /// The text.
                "text" text: Text<'a>;
            }
        }
    };
}

for_each_marker!(records);
