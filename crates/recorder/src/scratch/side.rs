//! The files that a running process keeps in the folder `recovery` next to its archive.
//!
//! | name | content |
//! | --- | --- |
//! | `<rank>.note` | where the scratch file is: lines `name=value` for `scratch`, `node`, `boot`, `process`, `started`, `rank`, `size`; `sync` if `synced` is written periodically |
//! | `<rank>.journal` | [`JOURNAL_MAGIC`], [`BYTE_ORDER`](super::layout::BYTE_ORDER), the rank, then all entries of the journal |
//! | `<rank>.locations` | [`LOCATIONS_MAGIC`], the byte order, CRC-32 of the rest, then the [`LocationSlot`](super::layout::LocationSlot)s of all locations, with `length` as the number of bytes in the event files |
//! | `<rank>.synced` | like `locations`, for data synced to disk: the file survives a loss of power, and so does everything that it describes |
//!
//! Numbers are in the byte order of the machine. `journal` only grows; `locations` is replaced as a
//! whole. After a clean end, the folder is removed.

/// The name of the folder.
pub const FOLDER: &str = "recovery";
/// The first bytes of a `journal`.
pub const JOURNAL_MAGIC: [u8; 8] = *b"KYMOJRN1";
/// The first bytes of a `locations`.
pub const LOCATIONS_MAGIC: [u8; 8] = *b"KYMOLOC1";
/// The number of bytes before the content of both.
pub const HEADER: usize = 16;
