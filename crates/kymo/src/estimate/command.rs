//! The commands of otf2-estimator: words that are separated by spaces and tabs.

use kymo_otf2::enums::{MappingType, Type};
use kymo_otf2::events::Event;
use kymo_otf2::field::{FieldInfo, FieldKind};
use kymo_otf2::mappings::space_of;
use kymo_otf2::references::Space;

use super::number::number;

/// A command.
#[derive(Debug, PartialEq)]
pub(super) enum Command<'l> {
    Exit,
    List(Listing),
    Set(Space, u64),
    /// `text` is the begin of the answer: everything from the key to the end of the line.
    Get {
        key: Key,
        text: &'l [u8],
    },
}

/// The things that can be listed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Listing {
    Definitions,
    Events,
    Types,
}

/// Something that has a size.
#[derive(Debug, PartialEq)]
pub(super) enum Key {
    DefinitionChunk,
    Timestamp,
    AttributeList(Vec<Type>),
    /// The id of an event and the number of its elements.
    Event(u8, u64),
}

impl<'l> Command<'l> {
    /// Parses a line without its end. Returns `None` if it contains no words, and a description of
    /// the mistake if it is no command.
    pub(super) fn parse(line: &'l [u8]) -> Result<Option<Self>, String> {
        let mut words = Words(line);
        match words.next().unwrap_or_default() {
            b"" => Ok(None),
            b"exit" => Ok(Some(Self::Exit)),
            b"list" => listing(words.next().unwrap_or_default()).map(|it| Some(Self::List(it))),
            b"set" => set(words).map(|(space, number)| Some(Self::Set(space, number))),
            b"get" => {
                let text = words.rest();
                get(words, text).map(|key| Some(Self::Get { key, text }))
            }
            other => Err(format!("unknown command: '{}'", shown(other))),
        }
    }
}

fn listing(what: &[u8]) -> Result<Listing, String> {
    match what {
        b"definitions" => Ok(Listing::Definitions),
        b"events" => Ok(Listing::Events),
        b"types" => Ok(Listing::Types),
        other => Err(format!("can not list: '{}'", shown(other))),
    }
}

fn set(mut words: Words<'_>) -> Result<(Space, u64), String> {
    let name = words.next().ok_or("missing definition specification in set command")?;
    let count = words.next().ok_or("missing number of definitions in set command")?;
    let mut spaces = MappingType::VALUES.iter().filter_map(|&mapping| space_of(mapping));
    let space = spaces.find(|space| space.name().as_bytes() == name);
    let space = space.ok_or_else(|| format!("unknown definition '{}'", shown(name)))?;
    // As the functions of the library take it: a wider number loses its upper bits.
    let number = number(count) as u64;
    Ok((space, if space == Space::Location { number } else { number as u32 as u64 }))
}

fn get(mut words: Words<'_>, text: &[u8]) -> Result<Key, String> {
    let name = words.next().ok_or("missing event specification for get command")?;
    match name {
        b"DefChunkSize" => return Ok(Key::DefinitionChunk),
        b"Timestamp" => return Ok(Key::Timestamp),
        b"AttributeList" => return types(words).map(Key::AttributeList),
        _ => {}
    }
    let event = Event::RECORDS.iter().find(|(_, event, _)| event.as_bytes() == name);
    let (id, event, fields) = event.ok_or_else(|| format!("unknown event '{}'", shown(text)))?;
    let Some((count, kind)) = list_count(fields) else { return Ok(Key::Event(*id, 0)) };
    let elements = words.next().ok_or_else(|| format!("missing {count} parameter for {event} event"))?;
    let elements = number(elements);
    Ok(Key::Event(*id, if kind == FieldKind::U8 { elements as u8 as u64 } else { elements as u32 as u64 }))
}

fn types(words: Words<'_>) -> Result<Vec<Type>, String> {
    let mut types = Vec::new();
    for word in words {
        let found = Type::VALUES.iter().find(|it| it.name().is_some_and(|name| name.as_bytes() == word));
        match found {
            // A value without a type is left out.
            Some(&Type::NONE) => {}
            Some(&type_) => types.push(type_),
            None => return Err(format!("unknown attribute type: '{}'", shown(word))),
        }
    }
    Ok(types)
}

/// Returns the name and the kind of the number of elements, if an event has a list.
pub(super) fn list_count(fields: &[FieldInfo]) -> Option<(&'static str, FieldKind)> {
    fields.iter().find_map(|field| match field.kind {
        FieldKind::List { count, .. } => Some((field.names.split(' ').next()?, *count)),
        _ => None,
    })
}

fn shown(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The words of a line.
#[derive(Debug, Clone, Copy)]
struct Words<'l>(&'l [u8]);

impl<'l> Words<'l> {
    /// Returns everything from the next word on.
    fn rest(self) -> &'l [u8] {
        let start = self.0.iter().position(|byte| !is_space(byte));
        start.and_then(|start| self.0.get(start..)).unwrap_or_default()
    }
}

impl<'l> Iterator for Words<'l> {
    type Item = &'l [u8];

    fn next(&mut self) -> Option<&'l [u8]> {
        let rest = self.rest();
        let end = rest.iter().position(is_space).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        self.0 = after;
        Some(word).filter(|word| !word.is_empty())
    }
}

fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
