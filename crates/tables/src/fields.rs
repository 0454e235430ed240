//! The fields of a record as JSON.

use kymo_otf2::events::Event;
use kymo_otf2::field::FieldValue;
use kymo_otf2::records::AnyRecord;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// Returns the fields of an event as an object, by their names in the format and in its order.
/// References are numbers, and a field without a number or text, such as a value with a type, is a
/// text.
pub(crate) fn json(event: &Event<'_>) -> String {
    serde_json::to_string(&EventFields(event)).unwrap_or_default()
}

struct EventFields<'e>(&'e Event<'e>);

impl Serialize for EventFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        let mut result = Ok(());
        self.0.visit(&mut |info, value| {
            // A list covers its count, and an array of types before that of the values.
            let mut names = info.names.split(' ');
            let name = match value {
                FieldValue::List(_) => names.next_back(),
                _ => names.next(),
            };
            if result.is_ok() {
                result = fields.serialize_entry(name.unwrap_or(info.names), &JsonValue(&value));
            }
        });
        result?;
        fields.end()
    }
}

struct JsonValue<'v>(&'v FieldValue<'v>);

impl Serialize for JsonValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            FieldValue::Unsigned(number) | FieldValue::Enum(number, None) => number.serialize(serializer),
            FieldValue::Signed(number) => number.serialize(serializer),
            FieldValue::Double(number) => number.serialize(serializer),
            FieldValue::Enum(_, Some(name)) => name.serialize(serializer),
            FieldValue::Flags(bits, _) => bits.serialize(serializer),
            FieldValue::Text(text) => String::from_utf8_lossy(text).serialize(serializer),
            FieldValue::List(list) => {
                let mut elements = serializer.serialize_seq(None)?;
                let mut result = Ok(());
                list.each(&mut |parts| {
                    if result.is_ok() {
                        result = elements.serialize_element(&JsonElement(parts));
                    }
                });
                result?;
                elements.end()
            }
            other => serializer.collect_str(&format_args!("{other:?}")),
        }
    }
}

struct JsonElement<'v>(&'v [FieldValue<'v>]);

impl Serialize for JsonElement<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            [one] => JsonValue(one).serialize(serializer),
            // Values of metrics.
            [FieldValue::Enum(_, Some(kind)), FieldValue::Unsigned(bits)] => match *kind {
                "DOUBLE" => f64::from_bits(*bits).serialize(serializer),
                "INT64" => (*bits as i64).serialize(serializer),
                _ => bits.serialize(serializer),
            },
            [FieldValue::Enum(..), FieldValue::Unsigned(bits)] => bits.serialize(serializer),
            several => serializer.collect_seq(several.iter().map(JsonValue)),
        }
    }
}
