//! `fork`: the child measures itself from scratch, and nothing of it touches what is the parent's.
//!
//! The forking thread holds the lock of the definitions meanwhile, so that the child finds them whole. They stay at their
//! handles, which instrumentation in the child goes on using; the child's plugins are copies of the libraries.

use crate::definitions::State;
use crate::host::{Phase, forget, host, is};
use crate::life::begin::{Inherited, begin};
use crate::thread;
use std::cell::RefCell;
use std::sync::MutexGuard;

thread_local! {
    static HELD: RefCell<Option<MutexGuard<'static, State>>> = const { RefCell::new(None) };
}

fn hold(guard: Option<MutexGuard<'static, State>>) -> Option<MutexGuard<'static, State>> {
    HELD.try_with(|held| held.try_borrow_mut().ok().and_then(|mut held| std::mem::replace(&mut *held, guard)))
        .ok()?
}

/// Before the fork, on the forking thread.
pub(crate) fn before() {
    if is(Phase::On) && !thread::is_defining() {
        hold(host().map(|host| host.definitions.lock()));
    }
}

/// After it in the parent.
pub(crate) fn in_parent() {
    drop(hold(None));
}

/// After it in the child.
pub(crate) fn in_child() {
    let held = hold(None);
    let parent = host().filter(|_| is(Phase::On));
    thread::set_location(None);
    forget();
    let Some((parent, mut held)) = parent.zip(held) else { return };
    if !parent.settings.children {
        return;
    }
    let inherited = Inherited {
        arena: parent.definitions.arena,
        definitions: std::mem::take(&mut *held),
        group: parent.process.get().map_or(0, |process| process.group),
    };
    drop(held);
    begin(Some(inherited));
}
