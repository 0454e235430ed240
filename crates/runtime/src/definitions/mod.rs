//! The definitions of this process, in Score-P's order. A definition is announced to every plugin
//! immediately, under the lock, so that plugins receive announcements in sequence and numbers
//! without gaps.
//!
//! A definition is a header of five words (next, unified, hash chain, hash, number within its kind)
//! and a body ([`shapes`]). Equal definitions are stored once; they are found through chains that
//! are linked by the third word. Nothing is ever removed.

pub(crate) mod accelerators;
mod end;
mod io;
pub(crate) mod metric;
mod mpi;
mod openmp;
mod shapes;
mod store;

pub(crate) use self::io::{ALL_PROXY, IoHandle, IoParadigm, PRE_CREATED};
pub(crate) use self::mpi::{Groups, MPI_GROUP, MPI_LOCATIONS, Payload};
pub(crate) use self::shapes::{CodeDefinition, RegionDefinition};
pub(crate) use self::store::{DefinitionState, DefinitionStore, LockedDefinitions};
