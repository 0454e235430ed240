//! The attributes that this plugin adds to events.
//!
//! Score-P's own tracing defines these four in every run; their texts are fixed (`scorep-to-otf2`, §2.4).

use kymo_otf2::{definitions::Attribute, enums::Type, references::AttributeRef};
use kymo_recorder::Definitions as Log;

const SOURCE_CODE_LOCATION: AttributeRef = AttributeRef(0);
/// Offset of an I/O operation in its file, in bytes.
pub(crate) const OFFSET: AttributeRef = AttributeRef(1);
/// The system's number of the process.
pub(crate) const PROCESS_ID: AttributeRef = AttributeRef(2);
/// The system's number of the thread.
pub(crate) const THREAD_ID: AttributeRef = AttributeRef(3);

pub(super) fn define_all(log: &mut Log) {
    let mut define = |id, name: &[u8], description: &[u8], type_| {
        let record = Attribute { id, name: log.string(name), description: log.string(description), type_ };
        log.define(&record);
    };
    define(
        SOURCE_CODE_LOCATION,
        b"SOURCE_CODE_LOCATION",
        b"Source code location",
        Type::SOURCE_CODE_LOCATION,
    );
    define(OFFSET, b"Offset", b"Absolute read/write offset within a file.", Type::UINT64);
    define(PROCESS_ID, b"ProcessId", b"Process identifier", Type::UINT64);
    define(THREAD_ID, b"ThreadId", b"Thread identifier", Type::UINT64);
}
