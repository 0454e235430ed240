//! The definitions of this process, in Score-P's order. A definition is announced to every plugin
//! immediately, under the lock, so that plugins receive announcements in sequence and numbers
//! without gaps.
//!
//! A definition is a header of five words (next, unified, hash chain, hash, number within its kind)
//! and a body ([`shapes`]). Equal definitions are stored once; they are found through chains that
//! are linked by the third word. Nothing is ever removed.

mod communicators;
mod end;
pub(crate) mod metric;
mod shapes;
mod store;

pub(crate) use self::shapes::{CodeDefinition, DefinitionBody, RegionDefinition, body_part};
pub(crate) use self::store::{BODY, DefinitionState, DefinitionStore, LockedDefinitions, UNIFIED};
