//! The attributes that this plugin adds to events.
//!
//! Score-P's own tracing defines the first four in every run. Those of memory recording exist where it is on, which the
//! announcement of their names tells. All texts are fixed (`scorep-to-otf2`, §2.4).

use kymo_otf2::{definitions::Attribute, enums::Type, references::AttributeRef};
use kymo_recorder::Definitions as Log;

const SOURCE_CODE_LOCATION: AttributeRef = AttributeRef(0);
/// Offset of an I/O operation in its file, in bytes.
pub(crate) const OFFSET: AttributeRef = AttributeRef(1);
/// The system's number of the process.
pub(crate) const PROCESS_ID: AttributeRef = AttributeRef(2);
/// The system's number of the thread.
pub(crate) const THREAD_ID: AttributeRef = AttributeRef(3);

/// Bytes that were asked for.
pub(crate) const ALLOCATION_SIZE: AttributeRef = AttributeRef(4);
/// Bytes that were freed.
pub(crate) const DEALLOCATION_SIZE: AttributeRef = AttributeRef(5);
/// Address given to an allocation function.
pub(crate) const ARGUMENT_ADDRESS: AttributeRef = AttributeRef(6);
/// Address returned by an allocation function.
pub(crate) const RESULT_ADDRESS: AttributeRef = AttributeRef(7);

/// Defines the attributes of every run.
pub(super) fn define_constant(log: &mut Log) {
    define(
        log,
        SOURCE_CODE_LOCATION,
        b"SOURCE_CODE_LOCATION",
        b"Source code location",
        Type::SOURCE_CODE_LOCATION,
    );
    define(log, OFFSET, b"Offset", b"Absolute read/write offset within a file.", Type::UINT64);
    define(log, PROCESS_ID, b"ProcessId", b"Process identifier", Type::UINT64);
    define(log, THREAD_ID, b"ThreadId", b"Thread identifier", Type::UINT64);
}

/// Defines the attribute of an adapter whose name was announced.
pub(super) fn define_named(log: &mut Log, name: &[u8]) {
    let (id, description): (_, &[u8]) = match name {
        b"ALLOCATION_SIZE" => (ALLOCATION_SIZE, b"Size of memory to allocate"),
        b"DEALLOCATION_SIZE" => (DEALLOCATION_SIZE, b"Size of memory to deallocate"),
        b"ARGUMENT_ADDRESS" => (ARGUMENT_ADDRESS, b"Address argument"),
        b"RESULT_ADDRESS" => (RESULT_ADDRESS, b"Result of allocation"),
        _ => return,
    };
    define(log, id, name, description, Type::UINT64);
}

fn define(log: &mut Log, id: AttributeRef, name: &[u8], description: &[u8], type_: Type) {
    let record = Attribute { id, name: log.string(name), description: log.string(description), type_ };
    log.define(&record);
}
