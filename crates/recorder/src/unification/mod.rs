//! Unification: the definitions of all processes become those of one archive, with equal ones
//! merged.
//!
//! [`Unified`] merges logs of definitions, one at a time, and returns the new ids of their
//! definitions. [`unify`] does so along the tree of the ranks: every rank merges the definitions of
//! the ranks below it with its own, sends the result to its parent, and receives the ids assigned
//! by rank 0. Invariant: ids are dense in the order of first appearance, rank by rank, so the
//! result does not depend on how the ranks are grouped.

mod bundle;
mod key;
mod ranks;
mod signature;
mod unified;

pub use key::{Key, Keys};
pub use ranks::{Gathered, Joined, NotJoined, gather, room_for, unify};
pub(crate) use signature::{bytes, own_id};
pub use unified::{Unified, UnifyError};
