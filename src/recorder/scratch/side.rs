//! The files that a running process keeps beside its archive, in `<folder of the archive>/recovery`.
//!
//! | name | content |
//! | --- | --- |
//! | `<rank>.note` | where the scratch file is: lines `name=value` for `scratch`, `node`, `boot`, `process`, `started`, `rank`, `size`; `sync` if there is a `synced` from time to time |
//! | `<rank>.journal` | [`JOURNAL_MAGIC`], [`BYTE_ORDER`](super::layout::BYTE_ORDER), the rank, then the journal's entries from its beginning |
//! | `<rank>.locations` | [`LOCATIONS_MAGIC`], the byte order, CRC-32 of what follows, then the [`Slot`](super::layout::Slot)s of all locations, with `length` as far as the event files hold them |
//! | `<rank>.synced` | a `locations` of what is on the disk: it survives a loss of power, and all that it says with it |
//!
//! Numbers are in the byte order of the machine. `journal` only grows; `locations` is replaced as a whole. After a clean end the
//! folder is gone.

/// Name of the folder.
pub const FOLDER: &str = "recovery";
/// First bytes of a `journal`.
pub const JOURNAL_MAGIC: [u8; 8] = *b"KYMOJRN1";
/// First bytes of a `locations`.
pub const LOCATIONS_MAGIC: [u8; 8] = *b"KYMOLOC1";
/// Bytes in front of the content of both.
pub const HEADER: usize = 16;
