//! The fields of records as arguments of C functions: in writers, from arguments to a record; in
//! callbacks, from a record to arguments.
//!
//! [`arguments!`] walks over the fields of a record of the tables of `kymo_otf2` and passes the
//! arguments to a macro, which makes a function of it.

use crate::id_map::IdMap;
use crate::mapping::{HUGE_PAGE, Mapping};
use kymo_otf2::list::{Count, Element, List};
use kymo_otf2::text::Text;
use kymo_otf2::value::{IoParadigmPropertyValue, MetricValue, Timestamp, Value};
use kymo_otf2::{enums, flags, references};
use std::collections::VecDeque;
use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

/// The types of fields by their names in the tables.
pub(crate) mod types {
    pub(crate) use kymo_otf2::references::*;
    pub(crate) use kymo_otf2::value::Timestamp;
    pub(crate) use kymo_otf2::{enums, flags};
    pub(crate) use std::primitive::*;
}

/// A field that is one number in C.
pub(crate) trait Scalar: Copy {
    type C: Copy;
    fn from_c(number: Self::C) -> Self;
    fn into_c(self) -> Self::C;
}

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl Scalar for $type {
            type C = $type;
            #[inline(always)]
            fn from_c(number: $type) -> Self {
                number
            }
            #[inline(always)]
            fn into_c(self) -> $type {
                self
            }
        }
    )*};
}

numbers!(u8, u32, u64, i64, f64);

impl Scalar for Timestamp {
    type C = u64;
    #[inline(always)]
    fn from_c(number: u64) -> Self {
        Timestamp(number)
    }
    #[inline(always)]
    fn into_c(self) -> u64 {
        self.0
    }
}

macro_rules! enumerations {
    ($($(#[$doc:meta])* $name:ident: $int:tt { $($values:tt)* })*) => {$(
        impl Scalar for enums::$name {
            type C = $int;
            #[inline(always)]
            fn from_c(number: $int) -> Self {
                enums::$name(number)
            }
            #[inline(always)]
            fn into_c(self) -> $int {
                self.0
            }
        }
    )*};
}

kymo_otf2::for_each_enum!(enumerations);

macro_rules! flag_sets {
    ($($(#[$doc:meta])* $name:ident { $($values:tt)* })*) => {$(
        impl Scalar for flags::$name {
            type C = u32;
            #[inline(always)]
            fn from_c(number: u32) -> Self {
                flags::$name::from_bits_retain(number)
            }
            #[inline(always)]
            fn into_c(self) -> u32 {
                self.bits()
            }
        }
    )*};
}

kymo_otf2::for_each_flag_set!(flag_sets);

macro_rules! reference_types {
    ($($(#[$doc:meta])* $name:ident: $int:ty, $space:ident, $mapping:expr;)*) => {$(
        impl Scalar for references::$name {
            type C = $int;
            #[inline(always)]
            fn from_c(number: $int) -> Self {
                references::$name(number)
            }
            #[inline(always)]
            fn into_c(self) -> $int {
                self.0
            }
        }
    )*};
}

kymo_otf2::for_each_reference!(reference_types);

/// An element of a list that is laid out as the number that it is in C.
///
/// # Safety
///
/// The type is transparent over that number.
pub(crate) unsafe trait Item: Scalar + Element {}

// SAFETY: a number is itself; references are transparent.
unsafe impl Item for u32 {}
// SAFETY: a number is itself.
unsafe impl Item for u64 {}
// SAFETY: transparent over `u32`.
unsafe impl Item for references::StringRef {}
// SAFETY: transparent over `u32`.
unsafe impl Item for references::MetricMemberRef {}
// SAFETY: transparent over `u32`.
unsafe impl Item for references::CartDimensionRef {}

/// Returns an array as a list.
///
/// # Safety
///
/// An array of this length that lives long enough; it may be null if the length is 0.
#[inline(always)]
pub(crate) unsafe fn list<'a, C: Count, T: Item>(count: C, items: *const T::C) -> List<'a, C, T> {
    let count: u64 = count.into();
    match count {
        0 => List::empty(),
        // SAFETY: `items` is not null, so it is an array of `count` numbers, which stays as it is
        // while the list is used; the types have the same layout.
        _ => List::truncated(unsafe { std::slice::from_raw_parts(items.cast(), count as usize) }),
    }
}

/// Returns a C string as a text.
///
/// # Safety
///
/// A C string that lives long enough.
pub(crate) unsafe fn text<'a>(string: *const c_char) -> Text<'a> {
    // SAFETY: `string` is a C string, which stays as it is while the text is used.
    unsafe { CStr::from_ptr(string) }.into()
}

/// Elements of several arrays, joined for a list with a count of one byte.
pub(crate) struct Gathered<T>([MaybeUninit<T>; u8::MAX as usize]);

impl<T: Copy> Gathered<T> {
    pub(crate) fn new() -> Self {
        Gathered([MaybeUninit::uninit(); u8::MAX as usize])
    }

    #[inline]
    fn fill(&mut self, count: u8, element: impl Fn(usize) -> T) -> &[T] {
        for (at, place) in self.0[..count.into()].iter_mut().enumerate() {
            place.write(element(at));
        }
        // SAFETY: these elements were written.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), count.into()) }
    }
}

/// Returns types and values of metrics as a list.
///
/// # Safety
///
/// Arrays of this length.
#[inline]
pub(crate) unsafe fn metrics(
    count: u8,
    types: *const u8,
    values: *const u64,
    gathered: &mut Gathered<MetricValue>,
) -> List<'_, u8, MetricValue> {
    // SAFETY: `types` and `values` are arrays of `count` elements, and `at` is less.
    let element =
        |at| unsafe { MetricValue { type_: enums::Type(types.add(at).read()), bits: values.add(at).read() } };
    List::truncated(gathered.fill(count, element))
}

/// Returns properties with types and values as a list.
///
/// # Safety
///
/// Arrays of this length.
pub(crate) unsafe fn properties(
    count: u8,
    properties: *const u8,
    types: *const u8,
    values: *const u64,
    gathered: &mut Gathered<IoParadigmPropertyValue>,
) -> List<'_, u8, IoParadigmPropertyValue> {
    // SAFETY: all three are arrays of `count` elements, and `at` is less.
    let element = |at| unsafe {
        IoParadigmPropertyValue {
            property: enums::IoParadigmProperty(properties.add(at).read()),
            value: Value::new(enums::Type(types.add(at).read()), values.add(at).read()),
        }
    };
    List::truncated(gathered.fill(count, element))
}

/// The size of the first block of strings, in bytes.
const FIRST_TEXTS: usize = 64 << 10;

/// The largest size of all other blocks of strings, unless a string is longer.
const TEXTS: usize = 8 << 20;

/// The largest chunk of a file.
const LARGEST_CHUNK: usize = 16 << 20;

/// The number of chunks whose strings are kept at least.
const KEPT_CHUNKS: usize = 4;

/// Memory for strings.
#[derive(Debug)]
enum TextBlock {
    Small(Vec<u8>),
    Large(Mapping),
}

/// The strings that callbacks have received. They are kept as long as the reader, except for the
/// first ones of many, whose memory is used again: in libotf2 they are part of its buffer, which
/// has a chunk of the file, and programs such as ViTE use them after the callback.
#[derive(Debug)]
struct Texts {
    /// With their sizes in bytes.
    blocks: VecDeque<(TextBlock, usize)>,
    /// The size of all blocks.
    kept: usize,
    /// The most memory of strings that are kept, in bytes.
    most: usize,
    /// The free rest of the last block.
    place: *mut u8,
    left: usize,
}

impl Default for Texts {
    fn default() -> Self {
        Texts::of_chunks(LARGEST_CHUNK)
    }
}

impl Texts {
    /// Keeps the strings of several chunks of this size.
    fn of_chunks(size: usize) -> Self {
        let most = KEPT_CHUNKS * size;
        Texts { blocks: VecDeque::new(), kept: 0, most, place: std::ptr::dangling_mut(), left: 0 }
    }

    #[inline]
    fn add(&mut self, bytes: &[u8]) -> *const c_char {
        let need = bytes.len() + 1;
        if self.left < need {
            self.next_block(need);
        }
        let text = self.place;
        // SAFETY: the block has room for the string and the byte that ends it.
        unsafe {
            text.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            text.add(bytes.len()).write(0);
            self.place = text.add(need);
        }
        self.left -= need;
        text.cast()
    }

    #[cold]
    fn next_block(&mut self, need: usize) {
        let is_first = self.blocks.is_empty();
        let usual = if is_first { FIRST_TEXTS } else { TEXTS.min(self.most / KEPT_CHUNKS) };
        let mut block = None;
        while self.kept + usual > self.most
            && let Some((first, size)) = self.blocks.pop_front()
        {
            self.kept -= size;
            block = Some((first, size)).filter(|(_, size)| *size >= need);
        }
        let (mut block, size) = block.unwrap_or_else(|| TextBlock::new(need.max(usual)));
        self.place = match &mut block {
            TextBlock::Small(bytes) => bytes.as_mut_ptr(),
            TextBlock::Large(mapping) => mapping.bytes(),
        };
        self.left = size;
        self.kept += size;
        self.blocks.push_back((block, size));
    }
}

impl TextBlock {
    /// Returns memory of this size; from the allocator if it is small or the system has no other.
    fn new(size: usize) -> (Self, usize) {
        let mapping = if size < HUGE_PAGE { None } else { Mapping::new(size) };
        (mapping.map_or_else(|| TextBlock::Small(Vec::with_capacity(size)), TextBlock::Large), size)
    }
}

/// The most values of a metric event.
const METRICS: usize = u8::MAX as usize;

/// Memory for the arrays of one call of a callback, for the strings of all calls, and for the id
/// maps, which live until the archive is closed.
#[derive(Debug)]
pub(crate) struct Scratch {
    metric_types: [u8; METRICS],
    metric_values: [u64; METRICS],
    /// Words, so that arrays of any number are aligned. Blocks stay where they are until
    /// [`clear`](Self::clear).
    blocks: Vec<Vec<u64>>,
    used: usize,
    texts: Texts,
    // Callbacks have pointers to them.
    #[allow(clippy::vec_box)]
    id_maps: Vec<Box<IdMap>>,
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch {
            metric_types: [0; METRICS],
            metric_values: [0; METRICS],
            blocks: Vec::new(),
            used: 0,
            texts: Texts::default(),
            id_maps: Vec::new(),
        }
    }
}

impl Scratch {
    /// Keeps the strings of several chunks of this size in bytes.
    pub(crate) fn of_chunks(size: u64) -> Self {
        let size = usize::try_from(size).unwrap_or(LARGEST_CHUNK).min(LARGEST_CHUNK);
        Scratch { texts: Texts::of_chunks(size), ..Scratch::default() }
    }

    /// Ends the life of the arrays.
    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.used = 0;
    }

    /// Returns the id maps of all calls.
    #[allow(clippy::vec_box)]
    pub(crate) fn into_id_maps(self) -> Vec<Box<IdMap>> {
        self.id_maps
    }

    /// Returns uninitialised memory for at least one element.
    fn block<T>(&mut self, count: usize) -> *mut T {
        if self.used == self.blocks.len() {
            self.blocks.push(Vec::new());
        }
        let block = &mut self.blocks[self.used];
        self.used += 1;
        block.reserve((count * size_of::<T>()).div_ceil(size_of::<u64>()).max(1));
        block.as_mut_ptr().cast()
    }

    pub(crate) fn array<T: Copy>(&mut self, items: impl ExactSizeIterator<Item = T>) -> *const T {
        let count = items.len();
        let block = self.block::<T>(count);
        for (at, item) in items.take(count).enumerate() {
            // SAFETY: the block has room for all elements.
            unsafe { block.add(at).write(item) };
        }
        block
    }

    /// Returns the types of metrics; [`metric_values`](Self::metric_values) are the values.
    #[inline(always)]
    pub(crate) fn metrics(&mut self, metrics: &List<'_, u8, MetricValue>) -> *const u8 {
        let mut places = self.metric_types.iter_mut().zip(&mut self.metric_values);
        metrics.iter().for_each(|metric| {
            if let Some((type_, value)) = places.next() {
                (*type_, *value) = (metric.type_.0, metric.bits);
            }
        });
        self.metric_types.as_ptr()
    }

    #[inline(always)]
    pub(crate) fn metric_values(&self) -> *const u64 {
        self.metric_values.as_ptr()
    }

    pub(crate) fn list<C: Count, T: Item>(&mut self, list: &List<'_, C, T>) -> *const T::C {
        self.array(list.iter().map(Scalar::into_c))
    }

    pub(crate) fn text(&mut self, text: Text<'_>) -> *const c_char {
        self.texts.add(text.as_bytes())
    }

    pub(crate) fn id_map(&mut self, map: &kymo_otf2::id_map::IdMap<'_>) -> *const IdMap {
        self.id_maps.push(Box::new(IdMap::of(map)));
        self.id_maps.last().map_or(std::ptr::null(), |map| &raw const **map)
    }
}

// Input: `then [context] record scratch Name { fields as in the table }`.
// Expansion: `then! { [context] record scratch Name {args} {fields} {missing} {types} {pass} }`:
// - args: the arguments of the C function of a writer: `region: u32,`
// - fields: those of the record, made of the arguments: `region: Scalar::from_c(region),`
// - missing: whether a pointer is missing: `|| string.is_null()`
// - types: the types of the arguments of the callback: `u32,`
// - pass: the arguments of the callback, made of `record` and `scratch`: `record.region.into_c(),`
// Three records have another order in C than in the file.
macro_rules! arguments {
    ($then:ident $context:tt $record:ident $scratch:ident Attribute $body:tt) => {
        $crate::arguments::arguments! { @next $then $context $record $scratch Attribute {} {} {} {} {}
            "self" id: AttributeRef;
            "name" name: StringRef;
            "description" description: StringRef;
            "type" type_: enums::Type;
        }
    };
    ($then:ident $context:tt $record:ident $scratch:ident Region $body:tt) => {
        $crate::arguments::arguments! { @next $then $context $record $scratch Region {} {} {} {} {}
            "self" id: RegionRef;
            "name" name: StringRef;
            "canonicalName" canonical_name: StringRef;
            "description" description: StringRef;
            "regionRole" region_role: enums::RegionRole;
            "paradigm" paradigm: enums::Paradigm;
            "regionFlags" region_flags: flags::RegionFlag;
            "sourceFile" source_file: StringRef;
            "beginLineNumber" begin_line_number: u32;
            "endLineNumber" end_line_number: u32;
        }
    };
    ($then:ident $context:tt $record:ident $scratch:ident Group $body:tt) => {
        $crate::arguments::arguments! { @next $then $context $record $scratch Group {} {} {} {} {}
            "self" id: GroupRef;
            "name" name: StringRef;
            "groupType" group_type: enums::GroupType;
            "paradigm" paradigm: enums::Paradigm;
            "groupFlags" group_flags: flags::GroupFlag;
            "numberOfMembers members" members: List<'a, u32, u64>;
        }
    };
    ($then:ident $context:tt $record:ident $scratch:ident $name:ident { $($body:tt)* }) => {
        $crate::arguments::arguments! { @next $then $context $record $scratch $name {} {} {} {} {} $($body)* }
    };

    (@next $then:ident $context:tt $record:ident $scratch:ident $name:ident
        $args:tt $fields:tt $missing:tt $types:tt $pass:tt) => {
        $then! { $context $record $scratch $name $args $fields $missing $types $pass }
    };
    (@next $then:ident $context:tt $record:ident $scratch:ident $name:ident
        $args:tt $fields:tt $missing:tt $types:tt $pass:tt
        #[$doc:meta] $($rest:tt)*) => {
        $crate::arguments::arguments! { @next $then $context $record $scratch $name
            $args $fields $missing $types $pass $($rest)* }
    };
    (@next $then:ident $context:tt $record:ident $scratch:ident $name:ident
        $args:tt $fields:tt $missing:tt $types:tt $pass:tt
        since $version:literal { $($inner:tt)* } $($rest:tt)*) => {
        $crate::arguments::arguments! { @next $then $context $record $scratch $name
            $args $fields $missing $types $pass $($inner)* $($rest)* }
    };
    (@next $then:ident $context:tt $record:ident $scratch:ident $name:ident
        {$($args:tt)*} {$($fields:tt)*} {$($missing:tt)*} {$($types:tt)*} {$($pass:tt)*}
        $api:literal $field:ident: List<'a, $count:ident, MetricValue>; $($rest:tt)*) => {
        $crate::arguments::arguments! { @next $then $context $record $scratch $name
            { $($args)* number: u8, types: *const u8, values: *const u64, }
            { $($fields)* $field: $crate::arguments::metrics(
                number, types, values, &mut $crate::arguments::Gathered::new()
            ), }
            { $($missing)* || (number > 0 && (types.is_null() || values.is_null())) }
            { $($types)* u8, *const u8, *const u64, }
            { $($pass)*
                $record.$field.len() as u8,
                $scratch.metrics(&$record.$field),
                $scratch.metric_values(),
            }
            $($rest)* }
    };
    (@next $then:ident $context:tt $record:ident $scratch:ident $name:ident
        {$($args:tt)*} {$($fields:tt)*} {$($missing:tt)*} {$($types:tt)*} {$($pass:tt)*}
        $api:literal $field:ident: List<'a, $count:ident, IoParadigmPropertyValue>; $($rest:tt)*) => {
        $crate::arguments::arguments! { @next $then $context $record $scratch $name
            { $($args)* number: u8, properties: *const u8, types: *const u8, values: *const u64, }
            { $($fields)* $field: $crate::arguments::properties(
                number, properties, types, values, &mut $crate::arguments::Gathered::new()
            ), }
            { $($missing)*
                || (number > 0 && (properties.is_null() || types.is_null() || values.is_null())) }
            { $($types)* u8, *const u8, *const u8, *const u64, }
            { $($pass)*
                $record.$field.len() as u8,
                $scratch.array($record.$field.iter().map(|property| property.property.0)),
                $scratch.array($record.$field.iter().map(|property| property.value.type_().0)),
                $scratch.array($record.$field.iter().map(|property| property.value.bits())),
            }
            $($rest)* }
    };
    (@next $then:ident $context:tt $record:ident $scratch:ident $name:ident
        {$($args:tt)*} {$($fields:tt)*} {$($missing:tt)*} {$($types:tt)*} {$($pass:tt)*}
        $api:literal $field:ident: List<'a, $count:ident, $item:ident>; $($rest:tt)*) => {
        $crate::arguments::arguments! { @next $then $context $record $scratch $name
            { $($args)* number: $count,
                items: *const <$crate::arguments::types::$item as $crate::arguments::Scalar>::C, }
            { $($fields)* $field: $crate::arguments::list(number, items), }
            { $($missing)* || (number > 0 && items.is_null()) }
            { $($types)* $count,
                *const <$crate::arguments::types::$item as $crate::arguments::Scalar>::C, }
            { $($pass)* $record.$field.len() as $count, $scratch.list(&$record.$field), }
            $($rest)* }
    };
    (@next $then:ident $context:tt $record:ident $scratch:ident $name:ident
        {$($args:tt)*} {$($fields:tt)*} {$($missing:tt)*} {$($types:tt)*} {$($pass:tt)*}
        $api:literal $field:ident: Text<'a>; $($rest:tt)*) => {
        $crate::arguments::arguments! { @next $then $context $record $scratch $name
            { $($args)* $field: *const std::ffi::c_char, }
            { $($fields)* $field: $crate::arguments::text($field), }
            { $($missing)* || $field.is_null() }
            { $($types)* *const std::ffi::c_char, }
            { $($pass)* $scratch.text($record.$field), }
            $($rest)* }
    };
    (@next $then:ident $context:tt $record:ident $scratch:ident $name:ident
        {$($args:tt)*} {$($fields:tt)*} {$($missing:tt)*} {$($types:tt)*} {$($pass:tt)*}
        $api:literal $field:ident: Value $(= $default:expr)?; $($rest:tt)*) => {
        $crate::arguments::arguments! { @next $then $context $record $scratch $name
            { $($args)* type_: u8, value: u64, }
            { $($fields)* $field: kymo_otf2::value::Value::new(kymo_otf2::enums::Type(type_), value), }
            { $($missing)* }
            { $($types)* u8, u64, }
            { $($pass)* $record.$field.type_().0, $record.$field.bits(), }
            $($rest)* }
    };
    (@next $then:ident $context:tt $record:ident $scratch:ident $name:ident
        {$($args:tt)*} {$($fields:tt)*} {$($missing:tt)*} {$($types:tt)*} {$($pass:tt)*}
        $api:literal $field:ident: IdMap<'a>; $($rest:tt)*) => {
        $crate::arguments::arguments! { @next $then $context $record $scratch $name
            { $($args)* $field: *const $crate::id_map::IdMap, }
            { $($fields)* $field: (*$field).entries().as_map(), }
            { $($missing)* || $field.is_null() }
            { $($types)* *const $crate::id_map::IdMap, }
            { $($pass)* $scratch.id_map(&$record.$field), }
            $($rest)* }
    };
    (@next $then:ident $context:tt $record:ident $scratch:ident $name:ident
        $args:tt $fields:tt $missing:tt $types:tt $pass:tt
        $api:literal $field:ident: $module:ident::$type:ident $($rest:tt)*) => {
        $crate::arguments::arguments! { @scalar $field { $module::$type } $then $context $record $scratch $name
            $args $fields $missing $types $pass $($rest)* }
    };
    (@next $then:ident $context:tt $record:ident $scratch:ident $name:ident
        $args:tt $fields:tt $missing:tt $types:tt $pass:tt
        $api:literal $field:ident: $type:ident $($rest:tt)*) => {
        $crate::arguments::arguments! { @scalar $field { $type } $then $context $record $scratch $name
            $args $fields $missing $types $pass $($rest)* }
    };

    (@scalar $field:ident { $($type:tt)* } $then:ident $context:tt $record:ident $scratch:ident $name:ident
        {$($args:tt)*} {$($fields:tt)*} $missing:tt {$($types:tt)*} {$($pass:tt)*} $($rest:tt)*) => {
        $crate::arguments::arguments! { @skip $then $context $record $scratch $name
            { $($args)*
                $field: <$crate::arguments::types::$($type)* as $crate::arguments::Scalar>::C, }
            { $($fields)* $field: $crate::arguments::Scalar::from_c($field), }
            $missing
            { $($types)* <$crate::arguments::types::$($type)* as $crate::arguments::Scalar>::C, }
            { $($pass)* $crate::arguments::Scalar::into_c($record.$field), }
            $($rest)* }
    };

    // Passes over defaults, options and obsolete fields.
    (@skip $then:ident $context:tt $record:ident $scratch:ident $name:ident
        $args:tt $fields:tt $missing:tt $types:tt $pass:tt ; $($rest:tt)*) => {
        $crate::arguments::arguments! { @next $then $context $record $scratch $name
            $args $fields $missing $types $pass $($rest)* }
    };
    (@skip $then:ident $context:tt $record:ident $scratch:ident $name:ident
        $args:tt $fields:tt $missing:tt $types:tt $pass:tt $skipped:tt $($rest:tt)*) => {
        $crate::arguments::arguments! { @skip $then $context $record $scratch $name
            $args $fields $missing $types $pass $($rest)* }
    };
}

pub(crate) use arguments;
