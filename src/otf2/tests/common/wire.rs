//! An independent encoder, driven by the metadata of the records, with which the tests compare the
//! crate's encoder.

use kymo_otf2::enums::Type;
use kymo_otf2::field::{FieldInfo, FieldKind, FieldValue};
use kymo_otf2::records::AnyRecord;
use proptest::prelude::*;
use proptest::strategy::Union;

/// A field in its form on the wire.
#[derive(Debug, Clone, PartialEq)]
pub enum Wire {
    U8(u8),
    U32(u32),
    U64(u64),
    I64(i64),
    Fixed(u64),
    Text(Vec<u8>),
    Value(u8, u64),
    IdMap(bool, Vec<(u64, u64)>),
    List(Box<Wire>, Vec<Vec<Wire>>),
}

/// Generates numbers of every encoded length, and the special ones.
pub fn number(bits: u32) -> impl Strategy<Value = u64> {
    let all = u64::MAX >> (64 - bits);
    prop_oneof![
        1 => Just(0),
        1 => Just(all),
        1 => Just(all - 1),
        6 => (any::<u64>(), 0..bits).prop_map(move |(value, shift)| (value & all) >> shift),
    ]
}

fn text() -> impl Strategy<Value = Wire> {
    prop_oneof![
        9 => prop::collection::vec(1..=255u8, 0..20),
        1 => prop::collection::vec(1..=255u8, 200..300),
    ]
    .prop_map(Wire::Text)
}

fn width(type_: u8) -> (u32, bool) {
    match Type(type_) {
        Type::UINT8 => (8, false),
        Type::INT8 => (8, true),
        Type::UINT16 => (16, false),
        Type::INT16 => (16, true),
        Type::INT32 => (32, true),
        Type::UINT32 | Type::FLOAT => (32, false),
        Type::LOCATION => (64, false),
        Type(11..=25) => (32, false),
        _ => (64, false),
    }
}

fn value() -> impl Strategy<Value = Wire> {
    prop_oneof![9 => 0..28u8, 1 => any::<u8>()].prop_flat_map(|type_| {
        let (bits, signed) = width(type_);
        number(bits).prop_map(move |value| match signed {
            true => Wire::Value(type_, ((value << (64 - bits)) as i64 >> (64 - bits)) as u64),
            false => Wire::Value(type_, value),
        })
    })
}

fn id_map() -> impl Strategy<Value = Wire> {
    let dense = prop::collection::vec(number(64), 1..30)
        .prop_map(|global| Wire::IdMap(false, (0..).zip(global).collect()));
    let sparse = prop::collection::btree_map(number(64), number(64), 1..30)
        .prop_map(|pairs| Wire::IdMap(true, pairs.into_iter().collect()));
    prop_oneof![dense, sparse]
}

/// Generates arbitrary values of a field.
pub fn field(kind: &FieldKind) -> BoxedStrategy<Wire> {
    match *kind {
        FieldKind::U8 | FieldKind::Enum(_) | FieldKind::Reference { bytes: 1, .. } => {
            any::<u8>().prop_map(Wire::U8).boxed()
        }
        FieldKind::U32 | FieldKind::Flags(_) | FieldKind::Reference { bytes: 4, .. } => {
            number(32).prop_map(|value| Wire::U32(value as u32)).boxed()
        }
        FieldKind::U64 | FieldKind::MetricValue | FieldKind::Reference { .. } => {
            number(64).prop_map(Wire::U64).boxed()
        }
        FieldKind::I64 => number(64).prop_map(|value| Wire::I64(value as i64)).boxed(),
        FieldKind::F64 | FieldKind::Timestamp => any::<u64>().prop_map(Wire::Fixed).boxed(),
        FieldKind::Text => text().boxed(),
        FieldKind::Value => value().boxed(),
        FieldKind::IdMap => id_map().boxed(),
        FieldKind::List { count, element } => {
            let count = *count;
            let parts: Vec<_> =
                element.iter().filter(|part| !is_type_of_value(part, element)).map(field).collect();
            let limit = if count == FieldKind::U8 { 255usize } else { 400 };
            let length = Union::new_weighted(vec![(9, (0..8usize).boxed()), (1, (8usize..=limit).boxed())]);
            length
                .prop_flat_map(move |length| prop::collection::vec(parts.clone(), length))
                .prop_map(move |elements| {
                    let length = elements.len();
                    let count = if count == FieldKind::U8 {
                        Wire::U8(length as u8)
                    } else {
                        Wire::U32(length as u32)
                    };
                    Wire::List(Box::new(count), elements)
                })
                .boxed()
        }
        other => panic!("no strategy for {other:?}"),
    }
}

/// In lists the type of a tagged value is a separate part; here it belongs to the value.
fn is_type_of_value(part: &FieldKind, element: &[FieldKind]) -> bool {
    *part == FieldKind::Enum("Type") && element.contains(&FieldKind::Value)
}

/// Generates arbitrary values of the fields of a record.
pub fn fields(fields: &'static [FieldInfo]) -> BoxedStrategy<Vec<Wire>> {
    fields.iter().map(|info| field(&info.kind)).collect::<Vec<_>>().boxed()
}

fn compressed(out: &mut Vec<u8>, value: u64, bits: u32, big: bool) {
    let all = u64::MAX >> (64 - bits);
    match value {
        _ if value == all => out.push(0xFF),
        _ => {
            let length = (1..=8).find(|length| *length == 8 || value >> (8 * length) == 0).unwrap();
            let length = if value == 0 { 0 } else { length };
            out.push(length as u8);
            ordered(out, &value.to_le_bytes()[..length], big);
        }
    }
}

fn signed(out: &mut Vec<u8>, value: i64, bits: u32, big: bool) {
    match value < 0 {
        true => {
            out.push((bits / 8) as u8);
            ordered(out, &value.to_le_bytes()[..bits as usize / 8], big);
        }
        false => compressed(out, value as u64, 64, big),
    }
}

fn ordered(out: &mut Vec<u8>, little: &[u8], big: bool) {
    match big {
        true => out.extend(little.iter().rev()),
        false => out.extend(little),
    }
}

impl Wire {
    pub fn put(&self, out: &mut Vec<u8>, big: bool) {
        match self {
            Wire::U8(value) => out.push(*value),
            Wire::U32(value) => compressed(out, *value as u64, 32, big),
            Wire::U64(value) => compressed(out, *value, 64, big),
            Wire::I64(value) => signed(out, *value, 64, big),
            Wire::Fixed(value) => ordered(out, &value.to_le_bytes(), big),
            Wire::Text(text) => out.extend(text.iter().chain([&0])),
            Wire::Value(type_, value) => {
                out.push(*type_);
                let bytes = value.to_le_bytes();
                match Type(*type_) {
                    Type::UINT8 | Type::INT8 => out.push(bytes[0]),
                    Type::UINT16 | Type::INT16 => ordered(out, &bytes[..2], big),
                    Type::INT32 => signed(out, *value as i64, 32, big),
                    Type::INT64 => signed(out, *value as i64, 64, big),
                    Type::FLOAT => ordered(out, &bytes[..4], big),
                    Type::DOUBLE => ordered(out, &bytes, big),
                    _ => compressed(out, *value, width(*type_).0, big),
                }
            }
            Wire::IdMap(sparse, entries) => {
                compressed(out, entries.len() as u64, 64, big);
                out.push(*sparse as u8);
                for (local, global) in entries {
                    if *sparse {
                        compressed(out, *local, 64, big);
                    }
                    compressed(out, *global, 64, big);
                }
            }
            Wire::List(count, elements) => {
                count.put(out, big);
                elements.iter().flatten().for_each(|part| part.put(out, big));
            }
        }
    }
}

/// Returns the visible fields of a record in their form on the wire.
pub fn visible<R: AnyRecord>(record: &R) -> Vec<Wire> {
    let mut fields = Vec::new();
    record.visit(&mut |info, value| fields.push(shown(&info.kind, value)));
    fields
}

fn shown(kind: &FieldKind, value: FieldValue<'_>) -> Wire {
    match (kind, value) {
        (FieldKind::U8 | FieldKind::Enum(_) | FieldKind::Reference { bytes: 1, .. }, value) => {
            Wire::U8(unsigned(value) as u8)
        }
        (FieldKind::U32 | FieldKind::Flags(_) | FieldKind::Reference { bytes: 4, .. }, value) => {
            Wire::U32(unsigned(value) as u32)
        }
        (FieldKind::Timestamp, value) => Wire::Fixed(unsigned(value)),
        (FieldKind::F64, FieldValue::Double(value)) => Wire::Fixed(value.to_bits()),
        (FieldKind::I64, FieldValue::Signed(value)) => Wire::I64(value),
        (_, FieldValue::Text(text)) => Wire::Text(text.to_vec()),
        (_, FieldValue::Value(value)) => Wire::Value(value.type_().0, value.bits()),
        (_, FieldValue::IdMap(map)) => Wire::IdMap(map.is_sparse(), map.iter().collect()),
        (FieldKind::List { count, element }, FieldValue::List(list)) => {
            let mut elements = Vec::new();
            list.each(&mut |parts| {
                let parts = element.iter().zip(parts).filter(|(kind, _)| !is_type_of_value(kind, element));
                elements.push(parts.map(|(kind, part)| shown(kind, *part)).collect());
            });
            let number = list.count();
            let count =
                if **count == FieldKind::U8 { Wire::U8(number as u8) } else { Wire::U32(number as u32) };
            Wire::List(Box::new(count), elements)
        }
        (_, value) => Wire::U64(unsigned(value)),
    }
}

fn unsigned(value: FieldValue<'_>) -> u64 {
    match value {
        FieldValue::Unsigned(value) | FieldValue::Enum(value, _) => value,
        FieldValue::Flags(bits, _) => bits as u64,
        other => panic!("not a number: {other:?}"),
    }
}
