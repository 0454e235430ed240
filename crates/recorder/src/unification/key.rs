//! Keys that distinguish definitions that look the same.

use kymo_otf2::{hash::HashMap, references::Space};

/// Information about a definition that is not part of its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// The definition is never merged, whatever it looks like.
    Unique,
    /// The definition is merged with those that look the same and have the same number. For a
    /// communicator, for example, this is the number of its creation.
    Number(u64),
}

/// The keys of a log's definitions, by the definitions' ids in that log. A definition without a key
/// is merged with all that look the same.
#[derive(Debug, Clone, Default)]
pub struct Keys(HashMap<(Space, u64), Key>);

impl Keys {
    /// Creates an empty set of keys.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the key of a definition.
    pub fn set(&mut self, space: Space, id: u64, key: Key) {
        self.0.insert((space, id), key);
    }

    /// Iterates over all keys, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Space, u64, Key)> {
        self.0.iter().map(|(&(space, id), &key)| (space, id, key))
    }

    /// Returns the key of a definition.
    pub fn get(&self, space: Space, id: u64) -> Option<Key> {
        self.0.get(&(space, id)).copied()
    }
}
