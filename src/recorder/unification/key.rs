//! What tells definitions apart that look the same.

use kymo_otf2::{hash::HashMap, references::Space};

/// What a definition has beside its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// It is no other, whatever it looks like.
    Unique,
    /// It is one with those that look the same and have the same number: of a communicator the number of its creation, for instance.
    Number(u64),
}

/// The keys of a log's definitions, by their ids there. Those without a key are one with all that look the same.
#[derive(Debug, Clone, Default)]
pub struct Keys(HashMap<(Space, u64), Key>);

impl Keys {
    /// No keys.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a definition a key.
    pub fn set(&mut self, space: Space, id: u64, key: Key) {
        self.0.insert((space, id), key);
    }

    /// All of them, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (Space, u64, Key)> {
        self.0.iter().map(|(&(space, id), &key)| (space, id, key))
    }

    /// The key of a definition.
    pub fn get(&self, space: Space, id: u64) -> Option<Key> {
        self.0.get(&(space, id)).copied()
    }
}
