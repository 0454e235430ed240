//! The only source of memory after initialisation.
//!
//! Event callbacks can run inside a signal handler that interrupted `malloc`, so nothing here
//! touches the allocator. Every block is an anonymous private mapping, taken with one system call
//! from a [`Budget`] that refuses instead of failing later. A refused block is an ordinary
//! `Option::None`; the caller drops and counts.

mod budget;
mod bump;
mod page_vec;
mod pages;

pub use budget::Budget;
pub use bump::Bump;
pub use page_vec::PageVec;
pub use pages::Pages;
