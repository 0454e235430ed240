//! The atomics of the protocol between locations and the writer: those of `core`, or in the model tests those of loom.

#[cfg(not(kymo_loom))]
pub(crate) use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
#[cfg(kymo_loom)]
pub(crate) use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};
