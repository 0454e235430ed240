//! The macros that turn a table of records into types with their encoders, decoders and metadata.

// One record.
//
// Input:
//
//     /// A thing.
//     11 Thing since "1.0" {
//         /// The id of this definition.
//         "self" id: ThingRef;
//         /// The name.
//         "name" name: StringRef,
//             obsolete "kind" kind: enums::OldKind = Self::kind;
//         since "1.4" {
//             /// The flags.
//             "flags" flags: flags::ThingFlag = kind.flags();
//         }
//     }
//
// Expansion:
//
//     pub struct Thing { pub id: ThingRef, pub name: StringRef, pub flags: flags::ThingFlag }
//     impl Record for Thing { const ID: u8 = 11; … }
//     impl AnyRecord for Thing {
//         fn bound(&self) -> usize {
//             self.id.size() + self.name.size() + Self::kind(self).size() + self.flags.size()
//         }
//         fn encode(…) {
//             self.id.put(cursor);
//             self.name.put(cursor);
//             Self::kind(self).put(cursor);
//             self.flags.put(cursor)
//         }
//         …
//     }
//     impl<'a> Decode<'a> for Thing {
//         fn decode(…) {
//             let id = get(cursor)?;
//             let name = get(cursor)?;
//             let kind: enums::OldKind = get(cursor)?;
//             // Each field has a byte or more. Fewer bytes are an addition of another version.
//             let present = fields.left() >= ["flags"].len();
//             let flags = if present { get(cursor)? } else { kind.flags() };
//             Ok(Thing { id, name, flags })
//         }
//     }
//
// `[clock]` after a type: the clock correction applies. `[singleton]` after the version: no length
// byte. `[order …]`: the order of the C interface. `$rule` is the bound that libotf2 uses for the
// kind of file, `width` or `size`.
macro_rules! record {
    (
        $rule:ident $(#[$doc:meta])* $id:literal $name:ident [$($lt:lifetime)?] $since:literal
        [$($option:ident $($order:literal)*)?]
        {
            $(
                $(#[$fdoc:meta])* $fnames:literal $field:ident: $type:ty $([$clock:ident])?
                $(, obsolete $onames:literal $old:ident: $otype:ty = $derived:expr)?;
            )*
            $(since $gsince:literal {
                $($(#[$gdoc:meta])* $gnames:literal $gfield:ident: $gtype:ty = $default:expr;)*
            })*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct $name $(<$lt>)? {
            $($(#[$fdoc])* pub $field: $type,)*
            $($($(#[$gdoc])* pub $gfield: $gtype,)*)*
        }

        // Records without fields leave some of this unused.
        #[allow(unused_variables, unused_imports, unused_mut)]
        const _: () = {
            use $crate::records::field::{Field, FieldInfo, FieldValue, Get};
            use $crate::records::{AnyRecord, Decode, Mappings, Record};
            use $crate::{byte_order::ByteOrder, error::Problem, wire};

            impl $(<$lt>)? Record for $name $(<$lt>)? {
                const ID: u8 = $id;
                const NAME: &'static str = stringify!($name);
                const SINGLETON: bool = $crate::records::option!(singleton $($option)?);
                const SINCE: &'static str = $since;
                const FIELDS: &'static [FieldInfo] = &[
                    $(
                        FieldInfo {
                            names: $fnames,
                            kind: <$type as Field>::KIND,
                            since: $since,
                            clock: $crate::records::option!(clock $($clock)?),
                            obsolete: false,
                        },
                        $(FieldInfo {
                            names: $onames,
                            kind: <$otype as Field>::KIND,
                            since: $since,
                            clock: false,
                            obsolete: true,
                        },)?
                    )*
                    $($(FieldInfo {
                        names: $gnames,
                        kind: <$gtype as Field>::KIND,
                        since: $gsince,
                        clock: false,
                        obsolete: false,
                    },)*)*
                ];
                const API_ORDER: Option<&'static [&'static str]> =
                    $crate::records::order!($($option $($order)*)?);
            }

            impl $(<$lt>)? AnyRecord for $name $(<$lt>)? {
                #[inline(always)]
                fn id(&self) -> u8 {
                    $id
                }
                fn name(&self) -> &'static str {
                    stringify!($name)
                }
                #[inline(always)]
                fn is_singleton(&self) -> bool {
                    Self::SINGLETON
                }
                #[inline(always)]
                fn bound(&self) -> usize {
                    0 $(+ Field::$rule(&self.$field) $(+ Field::$rule(&$derived(self)))?)*
                        $($(+ Field::$rule(&self.$gfield))*)*
                }
                #[inline(always)]
                fn width(&self) -> usize {
                    0 $(+ Field::width(&self.$field) $(+ Field::width(&$derived(self)))?)*
                        $($(+ Field::width(&self.$gfield))*)*
                }
                #[inline(always)]
                fn encode<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
                    $(
                        Field::put(&self.$field, cursor);
                        $(Field::put(&$derived(self), cursor);)?
                    )*
                    $($(Field::put(&self.$gfield, cursor);)*)*
                }
                fn visit(&self, visit: &mut dyn FnMut(&'static FieldInfo, FieldValue<'_>)) {
                    let mut fields = Self::FIELDS.iter().filter(|field| !field.obsolete);
                    let mut show = |value: FieldValue<'_>| {
                        if let Some(field) = fields.next() {
                            visit(field, value);
                        }
                    };
                    $(show(Field::show(&self.$field));)*
                    $($(show(Field::show(&self.$gfield));)*)*
                }
            }

            impl<'a> Decode<'a> for $name $(<$lt>)? {
                const LAYOUTS: &'static [u8; 256] =
                    &$crate::records::layouts(&[(Self::ID, Self::SINGLETON, Self::FIELDS)]);
                #[inline(always)]
                fn decode<F: wire::Fields<'a>>(_: u8, fields: &mut F) -> Result<Self, Problem> {
                    $(
                        let $field = <$type as Get<'a>>::get(fields)?;
                        $(let $old = <$otype as Get<'a>>::get(fields)?;)?
                    )*
                    $(
                        let present = fields.left() >= [$(stringify!($gfield)),*].len();
                        $(let $gfield = if present { <$gtype as Get<'a>>::get(fields)? } else { $default };)*
                    )*
                    Ok($name { $($field,)* $($($gfield,)*)* })
                }
                #[inline]
                fn map(&mut self, mappings: &'a Mappings) {
                    $(Get::map(&mut self.$field, mappings);)*
                    $($(Get::map(&mut self.$gfield, mappings);)*)*
                }
                fn name_of(_: u8) -> Option<&'static str> {
                    Some(Self::NAME)
                }
            }
        };
    };
}

macro_rules! option {
    ($wanted:ident) => {
        false
    };
    (singleton singleton) => {
        true
    };
    (clock clock) => {
        true
    };
    ($wanted:ident $other:ident) => {
        false
    };
}

macro_rules! order {
    (order $($name:literal)*) => { Some(&[$($name),*]) };
    ($($other:ident)?) => { None };
}

// The enum of all records of one kind of file.
//
// Input:
//
//     Event: EventRecord; frequent Enter; Enter [], Metric ['a],
//
// Expansion:
//
//     pub enum Event<'a> { Enter(Enter), Metric(Metric<'a>), Unknown { id: u8, data: &'a [u8] } }
//
// with the marker trait for the enum and every record, `From` for every record, and `AnyRecord`,
// `Decode` and `RecordEnum` by id.
macro_rules! family {
    (
        $(#[$doc:meta])* $family:ident: $marker:ident; frequent $($frequent:ident)*;
        $($name:ident [$($lt:lifetime)?],)*
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[non_exhaustive]
        #[allow(missing_docs)]
        #[repr(u8)]
        pub enum $family<'a> {
            $($name($name $(<$lt>)?) = $crate::records::rank(<$name as $crate::records::Record>::ID),)*
            /// A record with an id that is not in the tables.
            Unknown {
                /// The id.
                id: u8,
                /// The data.
                data: &'a [u8],
            } = u8::MAX,
        }

        impl $crate::records::$marker for $family<'_> {}
        $(
            impl $(<$lt>)? $crate::records::$marker for $name $(<$lt>)? {}

            impl<'a> From<$name $(<$lt>)?> for $family<'a> {
                #[inline(always)]
                fn from(record: $name $(<$lt>)?) -> Self {
                    $family::$name(record)
                }
            }
        )*

        const _: () = {
            use $crate::records::field::{FieldInfo, FieldValue};
            use $crate::records::{AnyRecord, Decode, Mappings, Record};
            use $crate::{byte_order::ByteOrder, error::Problem, wire};

            impl $family<'_> {
                /// The id, name and fields of every record, in the order of the tables.
                pub const RECORDS: &'static [(u8, &'static str, &'static [FieldInfo])] =
                    &[$(($name::ID, $name::NAME, $name::FIELDS)),*];

                /// Returns the names of the attributes in the order of the C interface, if that
                /// differs from the byte order.
                pub fn api_order(&self) -> Option<&'static [&'static str]> {
                    match self {
                        $($family::$name(_) => $name::API_ORDER,)*
                        $family::Unknown { .. } => None,
                    }
                }
            }

            impl AnyRecord for $family<'_> {
                fn id(&self) -> u8 {
                    match self {
                        $($family::$name(_) => $name::ID,)*
                        $family::Unknown { id, .. } => *id,
                    }
                }
                fn name(&self) -> &'static str {
                    match self {
                        $($family::$name(_) => $name::NAME,)*
                        $family::Unknown { .. } => "Unknown",
                    }
                }
                fn is_singleton(&self) -> bool {
                    match self {
                        $($family::$name(_) => $name::SINGLETON,)*
                        $family::Unknown { .. } => false,
                    }
                }
                fn bound(&self) -> usize {
                    match self {
                        $($family::$name(record) => record.bound(),)*
                        $family::Unknown { data, .. } => data.len(),
                    }
                }
                fn width(&self) -> usize {
                    match self {
                        $($family::$name(record) => record.width(),)*
                        $family::Unknown { data, .. } => data.len(),
                    }
                }
                fn encode<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
                    match self {
                        $($family::$name(record) => record.encode(cursor),)*
                        $family::Unknown { data, .. } => cursor.bytes(data),
                    }
                }
                fn visit(&self, visit: &mut dyn FnMut(&'static FieldInfo, FieldValue<'_>)) {
                    match self {
                        $($family::$name(record) => record.visit(visit),)*
                        $family::Unknown { .. } => {}
                    }
                }
            }

            impl<'a> Decode<'a> for $family<'a> {
                const LAYOUTS: &'static [u8; 256] =
                    &$crate::records::layouts(&[$(($name::ID, $name::SINGLETON, $name::FIELDS)),*]);
                #[inline(always)]
                fn decode<F: wire::Fields<'a>>(id: u8, fields: &mut F) -> Result<Self, Problem> {
                    Ok(match id {
                        $($name::ID => {
                            // A separate copy stays in registers, whatever the code of other
                            // records does.
                            let mut own = fields.clone();
                            let record = Decode::decode(id, &mut own);
                            *fields = own;
                            $family::$name(record?)
                        })*
                        _ => $family::Unknown { id, data: fields.all()? },
                    })
                }
                fn map(&mut self, mappings: &'a Mappings) {
                    match self {
                        $($family::$name(record) => record.map(mappings),)*
                        $family::Unknown { .. } => {}
                    }
                }
                fn name_of(id: u8) -> Option<&'static str> {
                    match id {
                        $($name::ID => Some($name::NAME),)*
                        _ => None,
                    }
                }
            }

            impl<'a> $crate::records::RecordEnum<'a> for $family<'a> {
                fn blank() -> Self {
                    $family::Unknown { id: 0, data: &[] }
                }
                #[inline(never)]
                fn refill<E: ByteOrder>(
                    bytes: &'a [u8; wire::AMPLE],
                    end: usize,
                    record: &mut Self,
                    id: u8,
                ) -> bool {
                    match id {
                        $($name::ID => $crate::records::refill_with::<$name, Self, E>(bytes, end, record),)*
                        _ => false,
                    }
                }
                #[allow(unused_variables)] // Most families have no frequent kinds.
                #[inline(always)]
                fn frequent<E: ByteOrder, T: $crate::records::Found<Self>>(
                    id: u8,
                    bytes: &'a [u8; wire::AMPLE],
                    end: usize,
                    found: T,
                ) -> Option<T::Output> {
                    match id {
                        $($frequent::ID => {
                            let record = $crate::records::decode_ample::<$frequent, E>(bytes, end)?;
                            Some(found.found(record.into()))
                        })*
                        _ => None,
                    }
                }
            }
        };
    };
}

// A table: the kind of file, then records in the form shown above.
macro_rules! records {
    (
        $(#[$fdoc:meta])* $family:ident: $marker:ident, $rule:ident;
        $(frequent: $($frequent:ident)*;)?
        $(
            $(#[$doc:meta])* $id:literal $name:ident $(<$lt:lifetime>)? since $since:literal
            $([$($option:tt)*])? { $($body:tt)* }
        )*
    ) => {
        $($crate::records::record! {
            $rule $(#[$doc])* $id $name [$($lt)?] $since [$($($option)*)?] { $($body)* }
        })*
        $crate::records::family! { $(#[$fdoc])* $family: $marker; frequent $($($frequent)*)?; $($name [$($lt)?],)* }
    };
}

// The definition table: records of global files, of local files, and of both.
macro_rules! definitions {
    (
        global { $(
            $(#[$gdoc:meta])* $gid:literal $gname:ident $(<$glt:lifetime>)? since $gsince:literal
            $([$($goption:tt)*])? { $($gbody:tt)* }
        )* }
        local { $(
            $(#[$ldoc:meta])* $lid:literal $lname:ident $(<$llt:lifetime>)? since $lsince:literal
            $([$($loption:tt)*])? { $($lbody:tt)* }
        )* }
        both { $(
            $(#[$bdoc:meta])* $bid:literal $bname:ident $(<$blt:lifetime>)? since $bsince:literal
            $([$($boption:tt)*])? { $($bbody:tt)* }
        )* }
    ) => {
        $($crate::records::record! {
            size $(#[$gdoc])* $gid $gname [$($glt)?] $gsince [$($($goption)*)?] { $($gbody)* }
        })*
        $($crate::records::record! {
            size $(#[$ldoc])* $lid $lname [$($llt)?] $lsince [$($($loption)*)?] { $($lbody)* }
        })*
        $($crate::records::record! {
            size $(#[$bdoc])* $bid $bname [$($blt)?] $bsince [$($($boption)*)?] { $($bbody)* }
        })*
        $crate::records::family! {
            /// A record of a global definition file.
            GlobalDefinition: GlobalDefinitionRecord; frequent String Region; $($gname [$($glt)?],)* $($bname [$($blt)?],)*
        }
        $crate::records::family! {
            /// A record of a local definition file.
            LocalDefinition: LocalDefinitionRecord; frequent; $($lname [$($llt)?],)* $($bname [$($blt)?],)*
        }
    };
}

pub(crate) use {definitions as definitions_macro, family, option, order, record, records};
