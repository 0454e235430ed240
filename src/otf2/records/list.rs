//! Lists: a count and that many elements. Several arrays with one count are one list of a small
//! struct, because their elements are interleaved on the wire.
//!
//! A list borrows either a slice (for writing) or bytes whose elements were all validated (as
//! read). Iteration never allocates and never fails.

use super::enums::{IoParadigmProperty, Type};
use super::field::{Elements, Field, FieldKind, FieldValue, Get};
use super::mappings::Mappings;
use super::references::{CartDimensionRef, MetricMemberRef, StringRef};
use super::value::{IoParadigmPropertyValue, MetricValue};
use crate::byte_order::ByteOrder;
use crate::error::{Problem, Usage};
use crate::wire;
use std::fmt;
use std::marker::PhantomData;

/// An element of a list.
pub trait Element: Copy {
    /// The meaning of its parts.
    const PARTS: &'static [FieldKind];
    /// Returns the largest encoded size.
    fn width(&self) -> usize;
    /// Returns the encoded size, with the value of a tagged value counted as nine bytes.
    fn size(&self) -> usize;
    /// Appends the element.
    fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>);
    /// Reads an element.
    fn get<'a, F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem>;
    /// Returns the element with global ids.
    fn mapped(self, _: &Mappings) -> Self {
        self
    }
    /// Calls `visit` with the parts.
    fn show(&self, visit: &mut dyn FnMut(&[FieldValue<'_>]));
}

macro_rules! element {
    ($($type:ty),*) => {$(
        impl Element for $type {
            const PARTS: &'static [FieldKind] = &[<$type as Field>::KIND];
            #[inline(always)]
            fn width(&self) -> usize {
                Field::width(self)
            }
            #[inline]
            fn size(&self) -> usize {
                Field::size(self)
            }
            #[inline]
            fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
                Field::put(self, cursor)
            }
            #[inline]
            fn get<'a, F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
                Get::get(fields)
            }
            fn mapped(mut self, mappings: &Mappings) -> Self {
                Get::map(&mut self, mappings);
                self
            }
            fn show(&self, visit: &mut dyn FnMut(&[FieldValue<'_>])) {
                visit(&[Field::show(self)])
            }
        }
    )*};
}

element!(u32, u64, StringRef, MetricMemberRef, CartDimensionRef);

impl Element for MetricValue {
    const PARTS: &'static [FieldKind] = &[<Type as Field>::KIND, FieldKind::MetricValue];
    #[inline(always)]
    fn width(&self) -> usize {
        10
    }
    #[inline]
    fn size(&self) -> usize {
        1 + Field::size(&self.bits)
    }
    #[inline(always)]
    fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
        cursor.u8_u64c(self.type_.0, self.bits);
    }
    #[inline(always)]
    fn get<'a, F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
        Ok(MetricValue { type_: Get::get(fields)?, bits: Get::get(fields)? })
    }
    fn show(&self, visit: &mut dyn FnMut(&[FieldValue<'_>])) {
        visit(&[self.type_.show(), Field::show(&self.bits)])
    }
}

impl Element for IoParadigmPropertyValue {
    const PARTS: &'static [FieldKind] =
        &[<IoParadigmProperty as Field>::KIND, <Type as Field>::KIND, FieldKind::Value];
    fn width(&self) -> usize {
        11
    }
    fn size(&self) -> usize {
        11
    }
    fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
        self.property.put(cursor);
        self.value.put(cursor);
    }
    fn get<'a, F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
        Ok(IoParadigmPropertyValue { property: Get::get(fields)?, value: Get::get(fields)? })
    }
    fn mapped(self, mappings: &Mappings) -> Self {
        IoParadigmPropertyValue { value: self.value.mapped(mappings), ..self }
    }
    fn show(&self, visit: &mut dyn FnMut(&[FieldValue<'_>])) {
        visit(&[self.property.show(), self.value.type_().show(), self.value.show()])
    }
}

/// The type of the count of a list.
pub trait Count: Field + for<'a> Get<'a> + TryFrom<usize> + Into<u64> {
    /// The largest count.
    const LIMIT: usize;
}

impl Count for u8 {
    const LIMIT: usize = u8::MAX as usize;
}

impl Count for u32 {
    const LIMIT: usize = u32::MAX as usize;
}

/// A list of `T` with a count of type `C`.
pub struct List<'a, C, T> {
    source: Source<'a, T>,
    count: PhantomData<C>,
}

enum Source<'a, T> {
    Slice(&'a [T]),
    /// Consecutive elements, all validated, then arbitrary bytes.
    Encoded {
        bytes: &'a [u8],
        count: u32,
        big: bool,
        mappings: Option<&'a Mappings>,
    },
}

impl<C, T> Clone for List<'_, C, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C, T> Copy for List<'_, C, T> {}

impl<T> Clone for Source<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Source<'_, T> {}

impl<'a, C: Count, T: Element> List<'a, C, T> {
    /// Creates a list of the elements of a slice. Fails if the count field cannot express their
    /// number.
    #[inline]
    pub fn new(elements: &'a [T]) -> Result<Self, Usage> {
        match elements.len() <= C::LIMIT {
            true => Ok(List { source: Source::Slice(elements), count: PhantomData }),
            false => Err(Usage::TooManyElements(elements.len())),
        }
    }

    /// Creates a list of the first elements of a slice, up to the largest number that the count
    /// field can express.
    #[inline]
    pub fn truncated(elements: &'a [T]) -> Self {
        List { source: Source::Slice(&elements[..elements.len().min(C::LIMIT)]), count: PhantomData }
    }

    /// Creates a list without elements.
    pub fn empty() -> Self {
        List { source: Source::Slice(&[]), count: PhantomData }
    }

    /// Returns the number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        match self.source {
            Source::Slice(elements) => elements.len(),
            Source::Encoded { count, .. } => count as usize,
        }
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the elements in order.
    #[inline]
    pub fn iter(&self) -> Iter<'a, T> {
        Iter(match self.source {
            Source::Slice(elements) => Rest::Slice(elements),
            Source::Encoded { bytes, count, big, mappings } => Rest::Encoded { bytes, count, big, mappings },
        })
    }

    fn count(&self) -> C {
        match C::try_from(self.len()) {
            Ok(count) => count,
            Err(_) => unreachable!("lists are no longer than their count can express"),
        }
    }
}

impl<'a, C: Count, T: Element> IntoIterator for List<'a, C, T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<C: Count, T: Element + PartialEq> PartialEq for List<'_, C, T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<C: Count, T: Element + fmt::Debug> fmt::Debug for List<'_, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// An iterator over the elements of a list.
pub struct Iter<'a, T>(Rest<'a, T>);

enum Rest<'a, T> {
    Slice(&'a [T]),
    Encoded { bytes: &'a [u8], count: u32, big: bool, mappings: Option<&'a Mappings> },
}

impl<T> fmt::Debug for Iter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Iter").finish_non_exhaustive()
    }
}

impl<T: Element> Iterator for Iter<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match &mut self.0 {
            Rest::Slice(elements) => {
                let (first, rest) = elements.split_first()?;
                *elements = rest;
                Some(*first)
            }
            Rest::Encoded { bytes, count, big, mappings } => {
                *count = count.checked_sub(1)?;
                let (element, rest) = encoded::<T>(bytes, *big)?;
                *bytes = rest;
                Some(mappings.map_or(element, |mappings| element.mapped(mappings)))
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = match self.0 {
            Rest::Slice(elements) => elements.len(),
            Rest::Encoded { count, .. } => count as usize,
        };
        (count, Some(count))
    }

    /// Reads all elements with one cursor. Inlined, because the kind of list and its byte order are
    /// mostly known there.
    #[inline(always)]
    fn fold<B, G: FnMut(B, T) -> B>(self, first: B, mut join: G) -> B {
        match self.0 {
            Rest::Slice(elements) => elements.iter().copied().fold(first, join),
            Rest::Encoded { bytes, count, big, mappings } => {
                let (mut cursor, mut folded) = (wire::Cursor::new(bytes, 0, big), first);
                for _ in 0..count {
                    // All elements are valid.
                    let Ok(element) = T::get(&mut cursor) else { break };
                    folded = join(folded, mappings.map_or(element, |mappings| element.mapped(mappings)));
                }
                folded
            }
        }
    }
}

/// Returns the first element and the remaining bytes. Not inlined: visitors in which lists are rare
/// stay short enough to be inlined into loops.
#[inline(never)]
fn encoded<T: Element>(bytes: &[u8], big: bool) -> Option<(T, &[u8])> {
    let mut cursor = wire::Cursor::new(bytes, 0, big);
    let element = T::get(&mut cursor).ok()?;
    Some((element, cursor.ahead()))
}

impl<T: Element> ExactSizeIterator for Iter<'_, T> {}

impl<C: Count, T: Element> Elements for List<'_, C, T> {
    fn count(&self) -> usize {
        self.len()
    }
    fn each(&self, visit: &mut dyn FnMut(&[FieldValue<'_>])) {
        self.iter().for_each(|element| element.show(visit));
    }
}

impl<C: Count, T: Element> Field for List<'_, C, T> {
    const KIND: FieldKind = FieldKind::List { count: &C::KIND, element: T::PARTS };
    #[inline(always)]
    fn width(&self) -> usize {
        let elements = match self.source {
            Source::Slice(elements) => elements.iter().map(T::width).sum::<usize>(),
            Source::Encoded { .. } => self.iter().map(|element| element.width()).sum(),
        };
        self.count().width() + elements
    }
    fn size(&self) -> usize {
        self.count().size() + self.iter().map(|element| element.size()).sum::<usize>()
    }
    #[inline(always)]
    fn put<E: ByteOrder>(&self, cursor: &mut wire::Encoder<'_, E>) {
        self.count().put(cursor);
        match self.source {
            Source::Slice(elements) => elements.iter().for_each(|element| element.put(cursor)),
            Source::Encoded { .. } => self.iter().for_each(|element| element.put(cursor)),
        }
    }
    fn show(&self) -> FieldValue<'_> {
        FieldValue::List(self)
    }
}

impl<'a, C: Count, T: Element> Get<'a> for List<'a, C, T> {
    #[inline]
    fn get<F: wire::Fields<'a>>(fields: &mut F) -> Result<Self, Problem> {
        let count: u64 = C::get(fields)?.into();
        // Every element takes at least one byte, so the record limits a hostile count.
        if count > fields.left() as u64 {
            return Err(Problem::UnexpectedEnd);
        }
        let rest = fields.cursor();
        for _ in 0..count {
            T::get(fields)?;
        }
        // Counts have at most 32 bits.
        let source =
            Source::Encoded { bytes: rest.ahead(), count: count as u32, big: rest.is_big(), mappings: None };
        Ok(List { source, count: PhantomData })
    }

    /// Sets the mappings of a list that was read. A list made of a slice keeps the ids of the
    /// slice.
    fn map(&mut self, all: &'a Mappings) {
        if let Source::Encoded { mappings, .. } = &mut self.source {
            *mappings = Some(all);
        }
    }
}
