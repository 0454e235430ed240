//! The fields of a record as JSON.

use kymo_otf2::events::Event;
use kymo_otf2::field::FieldValue;
use kymo_otf2::records::AnyRecord;
use serde_json::{Map, Value};

/// Returns the fields of an event as an object, by their names in the format. References are
/// numbers, and a field without a number or text, such as a value with a type, is a text.
pub(crate) fn json(event: &Event<'_>) -> String {
    let mut fields = Map::new();
    event.visit(&mut |info, value| {
        // A list covers its count, and an array of types before that of the values.
        let mut names = info.names.split(' ');
        let name = match value {
            FieldValue::List(_) => names.next_back(),
            _ => names.next(),
        };
        fields.insert(name.unwrap_or(info.names).to_owned(), of(&value));
    });
    Value::Object(fields).to_string()
}

fn of(value: &FieldValue<'_>) -> Value {
    match value {
        FieldValue::Unsigned(number) => (*number).into(),
        FieldValue::Signed(number) => (*number).into(),
        FieldValue::Double(number) => (*number).into(),
        FieldValue::Enum(number, name) => name.map_or_else(|| (*number).into(), Value::from),
        FieldValue::Flags(bits, _) => (*bits).into(),
        FieldValue::Text(text) => String::from_utf8_lossy(text).into(),
        FieldValue::List(list) => {
            let mut elements = Vec::new();
            list.each(&mut |parts| {
                elements.push(match parts {
                    [one] => of(one),
                    // Values of metrics.
                    [FieldValue::Enum(_, Some("DOUBLE")), FieldValue::Unsigned(bits)] => {
                        f64::from_bits(*bits).into()
                    }
                    [FieldValue::Enum(_, Some("INT64")), FieldValue::Unsigned(bits)] => (*bits as i64).into(),
                    [FieldValue::Enum(..), FieldValue::Unsigned(bits)] => (*bits).into(),
                    several => several.iter().map(of).collect(),
                });
            });
            elements.into()
        }
        other => format!("{other:?}").into(),
    }
}
