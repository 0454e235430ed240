//! The tasks, one per module.

pub(crate) mod aarch64;
pub(crate) mod bench;
pub(crate) mod book;
pub(crate) mod ci;
pub(crate) mod deep;
pub(crate) mod dependencies;
pub(crate) mod doc;
pub(crate) mod faults;
pub(crate) mod features;
pub(crate) mod fuzz;
pub(crate) mod headers;
pub(crate) mod install;
pub(crate) mod kills;
pub(crate) mod licences;
pub(crate) mod lint;
pub(crate) mod long;
pub(crate) mod loom;
pub(crate) mod miri;
pub(crate) mod msrv;
pub(crate) mod packages;
pub(crate) mod programs;
pub(crate) mod release;
pub(crate) mod sanitize;
pub(crate) mod test;
pub(crate) mod texts;
pub(crate) mod trial;
