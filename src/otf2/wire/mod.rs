//! The fields of records as bytes, docs/spec/otf2-format.md, "Primitives": the layer below the
//! record tables.
//!
//! An [`Encoder`] writes fields. [`Fields`] reads them: from a [`Cursor`], which checks and
//! explains each field, or on the fast path, which checks the end once for a whole record.

mod cursor;
mod encoder;
mod fields;

pub use cursor::Cursor;
pub(crate) use encoder::out_of_room;
pub use encoder::{Encoder, SLACK, size_i64c, size_u32c, size_u64c};
pub use fields::Fields;
#[doc(hidden)]
pub use fields::{AMPLE, Ample};
