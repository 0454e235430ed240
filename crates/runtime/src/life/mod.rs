//! The life cycle of a measurement: the order of calls in docs/spec/scorep-substrate-abi.md, §5.1,
//! on which plugins rely.
//!
//! | step | description | where |
//! | --- | --- | --- |
//! | 1 … 9 | from loading the plugins to the event that begins the program | [`begin`] |
//! | 10 | the experiment directory and `init_mpp` | [`join`] |
//! | 11 | events and threads | [`crate::measurement`] |
//! | 12 … 17 | from leaving open regions to `finalize` | [`end`] |

pub(crate) mod barrier;
pub(crate) mod begin;
pub(crate) mod beginning;
pub(crate) mod end;
pub(crate) mod fork;
pub(crate) mod join;
pub(crate) mod later;
pub(crate) mod metrics;
pub(crate) mod names;
pub(crate) mod threads;
