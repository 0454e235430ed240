//! Unification: the definitions of several processes become those of one archive, equal ones once.
//!
//! [`Unified`] takes in one log of definitions after the other and gives the ids that its definitions have got. [`unify`] does so
//! along the tree of the ranks: every rank takes in what the ranks below it know, gives the result to its parent, and gets back the
//! ids that rank 0 has given. Invariant: ids are dense in the order of first appearance, rank by rank, so the result does not depend
//! on how the ranks are grouped.

mod bundle;
mod key;
mod looks;
mod ranks;
mod unified;

pub use key::{Key, Keys};
pub(crate) use looks::{bytes, own_id};
pub use ranks::{Gathered, Joined, NotJoined, gather, room_for, unify};
pub use unified::{Unified, UnifyError};
