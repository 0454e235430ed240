//! The attributes that this plugin adds to events.
//!
//! Score-P's own tracing defines the first one in every run and the next three since 7.0. Those of
//! memory recording exist if it is on, which is recognised by the announcement of their names. All
//! texts are fixed (docs/spec/scorep-to-otf2.md, §2.4).

use kymo_otf2::{definitions::Attribute, enums::Type, references::AttributeRef};
use kymo_recorder::{
    DefinitionLog,
    journal::{Entry, Journal},
};

/// The offset of an I/O operation in its file, in bytes.
pub(crate) const OFFSET: AttributeRef = AttributeRef(1);
/// The process id.
pub(crate) const PROCESS_ID: AttributeRef = AttributeRef(2);
/// The thread id of the system.
pub(crate) const THREAD_ID: AttributeRef = AttributeRef(3);

/// The number of bytes requested.
pub(crate) const ALLOCATION_SIZE: AttributeRef = AttributeRef(4);
/// The number of bytes freed.
pub(crate) const DEALLOCATION_SIZE: AttributeRef = AttributeRef(5);
/// The address passed to an allocation function.
pub(crate) const ARGUMENT_ADDRESS: AttributeRef = AttributeRef(6);
/// The address returned by an allocation function.
pub(crate) const RESULT_ADDRESS: AttributeRef = AttributeRef(7);

/// The number of records missing before the event.
pub(crate) const LOST_EVENTS: AttributeRef = AttributeRef(8);

/// The condition under which an attribute exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exists {
    Always,
    /// If the host passes the values.
    Values,
    /// If the host announced the name.
    Announced,
    /// If events were lost.
    Lost,
}

/// A known attribute. Its id in events is its index in the table.
struct Known {
    name: &'static str,
    description: &'static str,
    type_: Type,
    exists: Exists,
}

const fn known(name: &'static str, description: &'static str, exists: Exists) -> Known {
    Known { name, description, type_: Type::UINT64, exists }
}

const ALL: [Known; 9] = [
    Known {
        type_: Type::SOURCE_CODE_LOCATION,
        ..known("SOURCE_CODE_LOCATION", "Source code location", Exists::Always)
    },
    known("Offset", "Absolute read/write offset within a file.", Exists::Values),
    known("ProcessId", "Process identifier", Exists::Values),
    known("ThreadId", "Thread identifier", Exists::Values),
    known("ALLOCATION_SIZE", "Size of memory to allocate", Exists::Announced),
    known("DEALLOCATION_SIZE", "Size of memory to deallocate", Exists::Announced),
    known("ARGUMENT_ADDRESS", "Address argument", Exists::Announced),
    known("RESULT_ADDRESS", "Result of allocation", Exists::Announced),
    known("KYMO::EVENTS_LOST", "Number of records missing before this event", Exists::Lost),
];

const _: () = assert!(LOST_EVENTS.0 as usize == ALL.len() - 1);

/// The facts that decide which attributes exist.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    /// Whether the host passes values for attributes.
    pub(crate) has_values: bool,
    /// Whether events were lost.
    pub(crate) has_lost: bool,
}

/// Defines the attributes of a run with ids without gaps, and returns these by the ids in events.
/// The attributes of adapters are defined only if `announced` contains their names.
pub(super) fn define_all<'a>(
    log: &mut DefinitionLog,
    facts: Facts,
    announced: impl Iterator<Item = &'a [u8]> + Clone,
) -> Vec<u64> {
    let mut next = 0;
    let mut define = |attribute: &Known| {
        let exists = match attribute.exists {
            Exists::Always => true,
            Exists::Values => facts.has_values,
            Exists::Announced => announced.clone().any(|name| name == attribute.name.as_bytes()),
            Exists::Lost => facts.has_lost,
        };
        if !exists {
            return u64::MAX;
        }
        let (name, description) =
            (log.string(attribute.name.as_bytes()), log.string(attribute.description.as_bytes()));
        log.define(&Attribute { id: AttributeRef(next), name, description, type_: attribute.type_ });
        next += 1;
        u64::from(next) - 1
    };
    ALL.iter().map(&mut define).collect()
}

/// Notes in the journal which attributes events may have.
pub(crate) fn note_all(journal: &Journal) {
    for (id, attribute) in (0..).zip(&ALL) {
        let texts = format!("{}\0{}", attribute.name, attribute.description);
        journal.append(&Entry::Attribute { id, value_type: attribute.type_.0, texts: texts.as_bytes() });
    }
}
