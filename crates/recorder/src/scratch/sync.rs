//! The atomics of the protocol between locations and the writer: those of `core`, or those of loom
//! in the model tests.

#[cfg(not(kymo_loom))]
pub(crate) use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
#[cfg(kymo_loom)]
pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
