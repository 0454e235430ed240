//! Hash tables for the state of rules.
//!
//! Rules look things up for every event, and the hash of the standard library is slow for such
//! keys. This one is seeded as well: the author of an archive, who chooses the keys, cannot know
//! which of them collide. Nothing that is printed depends on the order of a table.

use std::collections;

use foldhash::fast::RandomState;

pub(crate) type HashMap<K, V> = collections::HashMap<K, V, RandomState>;
pub(crate) type HashSet<K> = collections::HashSet<K, RandomState>;
