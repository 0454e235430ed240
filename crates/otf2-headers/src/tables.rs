//! The tables of `kymo-otf2` with their comments.

// The matchers name parts of the tables that the headers do not need.

use kymo_otf2::records::Record;

use crate::record::{Entry, RecordDocs};

/// The names and comments of the fields of a record, in byte order, without obsolete ones.
macro_rules! fields {
    (
        $(
            $(#[doc = $doc:literal])* $names:literal $field:ident: $type:ty $([$clock:ident])?
            $(, obsolete $onames:literal $old:ident: $otype:ty = $derived:expr)?;
        )*
        $(since $gsince:literal {
            $($(#[doc = $gdoc:literal])* $gnames:literal $gfield:ident: $gtype:ty = $default:expr;)*
        })*
    ) => {
        &[
            $((stringify!($field), &[$($doc),*]),)*
            $($((stringify!($gfield), &[$($gdoc),*]),)*)*
        ]
    };
}

macro_rules! record {
    ($name:ident [$($doc:literal)*] { $($body:tt)* }) => {
        RecordDocs {
            name: stringify!($name),
            docs: &[$($doc),*],
            since: source::$name::SINCE,
            fields: fields!($($body)*),
            infos: source::$name::FIELDS,
            order: source::$name::API_ORDER,
        }
    };
}

macro_rules! records {
    (
        $(#[$fdoc:meta])* $family:ident: $marker:ident, $rule:ident;
        $(frequent: $($frequent:ident)*;)?
        $(
            $(#[doc = $doc:literal])* $id:literal $name:ident $(<$lt:lifetime>)? since $since:literal
            $([$($option:tt)*])? { $($body:tt)* }
        )*
    ) => {
        vec![$(record!($name [$($doc)*] { $($body)* })),*]
    };
}

macro_rules! definitions {
    ($($scope:ident { $(
        $(#[doc = $doc:literal])* $id:literal $name:ident $(<$lt:lifetime>)? since $since:literal
        $([$($option:tt)*])? { $($body:tt)* }
    )* })*) => {
        vec![$((stringify!($scope), vec![$(record!($name [$($doc)*] { $($body)* })),*])),*]
    };
}

/// Returns the records of event files.
pub(crate) fn events() -> Vec<RecordDocs> {
    use kymo_otf2::events as source;
    kymo_otf2::for_each_event!(records)
}

/// Returns the records of snapshot files.
pub(crate) fn snapshots() -> Vec<RecordDocs> {
    use kymo_otf2::snapshots as source;
    kymo_otf2::for_each_snapshot!(records)
}

/// Returns the records of definition files: those of one kind of file, `global` or `local`, then
/// those of both.
pub(crate) fn definitions(scope: &str) -> Vec<RecordDocs> {
    use kymo_otf2::definitions as source;
    let all: Vec<(&str, Vec<RecordDocs>)> = kymo_otf2::for_each_definition!(definitions);
    all.into_iter().filter(|(it, _)| *it == scope || *it == "both").flat_map(|(_, records)| records).collect()
}

macro_rules! enums {
    ($($(#[doc = $doc:literal])* $name:ident: $int:tt { $($value:ident = $number:literal,)* })*) => {
        vec![$(Entry {
            name: stringify!($name),
            docs: &[$($doc),*],
            kind: stringify!($int),
            values: vec![$((stringify!($value), $number)),*],
            is_flags: false,
        }),*]
    };
}

macro_rules! flag_sets {
    ($($(#[doc = $doc:literal])* $name:ident { $($flag:ident = $bit:literal,)* })*) => {
        vec![$(Entry {
            name: stringify!($name),
            docs: &[$($doc),*],
            kind: "u32",
            values: vec![("NONE", 0_u32), $((stringify!($flag), $bit)),*],
            is_flags: true,
        }),*]
    };
}

/// Returns the enumerations and flag sets.
pub(crate) fn enumerations() -> Vec<Entry> {
    let mut entries: Vec<Entry> = kymo_otf2::for_each_enum!(enums);
    let flag_sets: Vec<Entry> = kymo_otf2::for_each_flag_set!(flag_sets);
    entries.extend(flag_sets);
    entries
}

macro_rules! references {
    ($($(#[doc = $doc:literal])* $name:ident: $int:tt, $space:ident, $mapping:expr;)*) => {
        vec![$((stringify!($space), stringify!($int))),*]
    };
}

/// Returns the id spaces with the types of their ids.
pub(crate) fn references() -> Vec<(&'static str, &'static str)> {
    kymo_otf2::for_each_reference!(references)
}
