//! Markers: events and spans next to the calls.

use crate::track::{Instant, Value};
use serde_json::json;

/// The names of markers that are not those of events.
pub(super) const MESSAGES: [&str; 2] = ["send to rank", "receive from rank"];
pub(super) const TRANSFER: &str = "input or output";
pub(super) const OTHER: &str = "event";

/// The kind of thing that a marker shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkerKind {
    Message,
    Collective,
    Transfer,
    Event,
}

impl MarkerKind {
    pub(super) const ALL: [Self; 4] = [Self::Message, Self::Collective, Self::Transfer, Self::Event];

    pub(super) fn of(instant: &Instant<'_>) -> Self {
        let has = |name: &str| instant.arguments.iter().any(|it| it.0 == name);
        match () {
            () if instant.flow.is_some() => Self::Message,
            () if has("begin_ns") => Self::Collective,
            () if instant.name.starts_with("IoOperation") => Self::Transfer,
            () => Self::Event,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Message => "Message",
            Self::Collective => "Collective",
            Self::Transfer => "Transfer",
            Self::Event => "Event",
        }
    }

    pub(super) fn schema(self) -> serde_json::Value {
        let bytes = |key: &str, label: &str| json!({ "key": key, "label": label, "format": "bytes" });
        let other =
            |key: &str, label: &str, format: &str| json!({ "key": key, "label": label, "format": format });
        let fields = match self {
            Self::Message => vec![
                other("rank", "Rank", "integer"),
                bytes("bytes", "Bytes"),
                other("tag", "Tag", "integer"),
                other("communicator", "Communicator", "string"),
            ],
            Self::Collective => vec![bytes("bytes_sent", "Sent"), bytes("bytes_received", "Received")],
            Self::Transfer => vec![
                bytes("bytes", "Bytes"),
                other("handle", "Handle", "integer"),
                other("mode", "Mode", "integer"),
            ],
            Self::Event => vec![other("fields", "Fields", "string")],
        };
        let display: &[&str] = match self {
            Self::Transfer => &["marker-chart", "marker-table", "timeline-overview"],
            _ => &["marker-chart", "marker-table"],
        };
        json!({ "name": self.name(), "display": display, "fields": fields })
    }
}

/// Returns a number or text as JSON.
pub(super) fn json_of(value: &Value) -> serde_json::Value {
    match value {
        Value::Integer(number) => json!(number),
        Value::Unsigned(number) => json!(number),
        Value::Double(number) => json!(number),
        Value::Text(text) => json!(text),
    }
}
