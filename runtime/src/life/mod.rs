//! The life of a measurement: the order of calls of ABI §5.1, which plugins rely on.
//!
//! | step | what | where |
//! | --- | --- | --- |
//! | 1 … 10 | from loading the plugins to `init_mpp` | [`begin`] |
//! | 11 | events and threads | [`crate::measurement`] |
//! | 12 … 17 | from leaving what is open to `finalize` | [`end`] |

pub(crate) mod begin;
pub(crate) mod end;
pub(crate) mod fork;
pub(crate) mod later;
pub(crate) mod metrics;
pub(crate) mod threads;
