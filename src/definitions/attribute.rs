//! The attributes that this plugin adds to events.
//!
//! Score-P's own tracing defines the first in every run, the next three since 7.0. Those of memory recording exist where it is on, which the
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

/// Defines the attributes of a run. Of the adapters' attributes those exist whose names `announced` has; a host that passes no
/// values has not defined the three for them.
pub(super) fn define_all<'a>(log: &mut Log, has_values: bool, announced: impl Iterator<Item = &'a [u8]>) {
    define(
        log,
        SOURCE_CODE_LOCATION,
        b"SOURCE_CODE_LOCATION",
        b"Source code location",
        Type::SOURCE_CODE_LOCATION,
    );
    if has_values {
        define(log, OFFSET, b"Offset", b"Absolute read/write offset within a file.", Type::UINT64);
        define(log, PROCESS_ID, b"ProcessId", b"Process identifier", Type::UINT64);
        define(log, THREAD_ID, b"ThreadId", b"Thread identifier", Type::UINT64);
    }
    for name in announced {
        define_named(log, has_values, name);
    }
}

/// Global ids by the ids that events have: without the three for values those behind them move up.
pub(super) fn mapping(has_values: bool) -> Vec<u64> {
    (0..=RESULT_ADDRESS.0).map(|id| global(AttributeRef(id), has_values).0.into()).collect()
}

fn global(attribute: AttributeRef, has_values: bool) -> AttributeRef {
    match has_values || attribute < ALLOCATION_SIZE {
        true => attribute,
        false => AttributeRef(attribute.0 - (THREAD_ID.0 - SOURCE_CODE_LOCATION.0)),
    }
}

fn define_named(log: &mut Log, has_values: bool, name: &[u8]) {
    let (id, description): (_, &[u8]) = match name {
        b"ALLOCATION_SIZE" => (ALLOCATION_SIZE, b"Size of memory to allocate"),
        b"DEALLOCATION_SIZE" => (DEALLOCATION_SIZE, b"Size of memory to deallocate"),
        b"ARGUMENT_ADDRESS" => (ARGUMENT_ADDRESS, b"Address argument"),
        b"RESULT_ADDRESS" => (RESULT_ADDRESS, b"Result of allocation"),
        _ => return,
    };
    define(log, global(id, has_values), name, description, Type::UINT64);
}

fn define(log: &mut Log, id: AttributeRef, name: &[u8], description: &[u8], type_: Type) {
    let record = Attribute { id, name: log.string(name), description: log.string(description), type_ };
    log.define(&record);
}
