//! `fork`: the child measures itself from scratch, from its first event on, and does not touch
//! anything that belongs to the parent.
//!
//! The forking thread holds the lock of the definitions meanwhile, so that the child finds them
//! consistent. They keep their handles, which instrumentation in the child continues to use. The
//! child's plugins are copies of the libraries.

use crate::current;
use crate::definitions::LockedDefinitions;
use crate::host::{Phase, forget, host, is};
use crate::life::beginning::{Beginning, Inherited};
use crate::life::later;
use std::cell::Cell;
use std::mem::ManuallyDrop;

/// The lock that the forking thread holds.
type Held = LockedDefinitions<'static>;

thread_local! {
    // A thread-local variable with a destructor needs memory; without it the C library would end
    // the program.
    static HELD: Cell<Option<ManuallyDrop<Held>>> = const { Cell::new(None) };
}

/// Keeps the lock for this thread, and returns the one kept before.
fn hold(held: Option<Held>) -> Option<Held> {
    HELD.with(|kept| kept.replace(held.map(ManuallyDrop::new))).map(ManuallyDrop::into_inner)
}

/// Called before the fork, on the forking thread.
pub(crate) fn before() {
    let Some(host) = host().filter(|_| is(Phase::On)) else { return };
    // A signal handler that forks may have interrupted this thread while it was defining: the child
    // is not measured then.
    if let Some(definitions) = host.definitions.lock_to_define() {
        hold(Some(definitions));
    }
}

/// Called after the fork in the parent.
pub(crate) fn in_parent() {
    drop(hold(None));
}

/// Called after the fork in the child.
pub(crate) fn in_child() {
    let held = hold(None);
    let parent = host().filter(|_| is(Phase::On));
    current::set_location(None);
    forget();
    let Some((parent, mut held)) = parent.zip(held) else { return };
    if !parent.settings.children {
        return;
    }
    let inherited = Inherited {
        arena: parent.definitions.arena,
        definitions: std::mem::take(&mut *held),
        group: parent.group(),
    };
    drop(held);
    later::put(Beginning::Child(inherited));
}
