//! The cases: for every kind of finding, how to build an archive with the fault and a twin that
//! differs only in not having it.

#![allow(unreachable_pub)]

mod definitions;
mod events;
mod io;
mod messages;
mod structure;
mod threads;

use crate::check_common::Trace;

/// One kind of finding.
pub struct Case {
    pub kind: &'static str,
    /// Other findings that the fault inevitably causes.
    pub also: &'static [&'static str],
    /// Adds records to the sound archive, including the fault if the flag is set.
    pub build: fn(&mut Trace, bool),
}

impl Case {
    fn with(self, also: &'static [&'static str]) -> Case {
        Case { also, ..self }
    }
}

fn case(kind: &'static str, build: fn(&mut Trace, bool)) -> Case {
    Case { kind, also: &[], build }
}

/// Returns all cases. A kind may have several.
pub fn all() -> Vec<Case> {
    [
        structure::cases(),
        definitions::cases(),
        definitions::references(),
        events::cases(),
        messages::cases(),
        messages::one_sided(),
        threads::cases(),
        io::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
