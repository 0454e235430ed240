//! `OTF2_Archive`: the data for all files of an archive, and the handles of its files.
//!
//! The lock of the program, if it has given one, is held while lists and counts of the archive
//! change, and never twice at a time.

mod fields;
mod files;
mod open;
mod properties;
mod settings;

pub(crate) use fields::Archive;
pub(crate) use files::*;
pub(crate) use open::*;
pub(crate) use properties::*;
pub(crate) use settings::*;
