//! The cases: for every kind of finding how to build an archive that has it, and one that differs from it only by not having it.

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
    /// Other findings that the fault cannot do without.
    pub also: &'static [&'static str],
    /// Adds to the sound archive; the fault too, if asked to.
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

/// All cases; a kind may have several.
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
