//! OpenACC: the constructs, data operations and launches that its profiling interface reports.
//!
//! The runtime registers its callback with gcc's library itself; other libraries find
//! `acc_register_library`. Names and types of regions are those of Score-P. gcc's library does not
//! tell where a construct is, so its functions are interposed ([`sites`]), only to see where they
//! are called from. Invariants: no callback calls OpenACC; a library has the callback once.

mod abi;
mod constructs;
mod events;
mod memory;
mod registration;
mod sites;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{MutexGuard, OnceLock};

use kymo_substrate::bindings::SCOREP_PARADIGM_OPENACC;

use super::annotations::{self, AnnotationInterface, AnnotationsHold};
use crate::adapter::Adapter;
use crate::host::{Host, host};
use crate::measurement::{self, Caller};
use crate::processes::ForkHold;
use crate::settings::Settings;
use crate::slots::Key;

/// The adapter of OpenACC.
#[derive(Debug)]
pub(crate) struct OpenAcc;

static OPENACC: AnnotationInterface = AnnotationInterface::called_by("openacc", Caller::Library);
/// The settings choose the adapter.
static IS_CHOSEN: AtomicBool = AtomicBool::new(false);

/// The paradigm of a measurement, once it is defined.
static PARADIGM: Key<OnceLock<()>> = Key::new();

type OpenAccHold = (AnnotationsHold, [MutexGuard<'static, usize>; 2], MutexGuard<'static, usize>);

thread_local! {
    static HELD: ForkHold<OpenAccHold> = const { ForkHold::new() };
}

impl Adapter for OpenAcc {
    fn name(&self) -> &'static str {
        OPENACC.name()
    }

    fn prepare(&self, settings: &Settings) -> bool {
        let is_chosen = OPENACC.prepare(settings);
        IS_CHOSEN.store(is_chosen, Relaxed);
        is_chosen
    }

    fn awaited(&self) {
        turn_on();
    }

    fn define(&self) {
        if let Some(host) = host() {
            host.slots.set(&PARADIGM, Some(Box::leak(Box::default())));
        }
    }

    fn begun(&self) {
        turn_on();
    }

    fn ended(&self) {
        OPENACC.turn_off();
        sites::turn_off();
    }

    fn thread_ended(&self) {
        annotations::end_thread();
    }

    fn pooled_thread_ended(&self) {
        annotations::end_thread();
    }

    fn hold(&self) {
        HELD.with(|held| held.keep((OPENACC.hold(), sites::hold(), memory::hold())));
    }

    fn release(&self) {
        drop(HELD.with(ForkHold::take));
    }

    fn forget(&self) {
        OPENACC.forget();
        memory::forget();
    }

    fn unloaded(&self, is_gone: bool) {
        if is_gone && OPENACC.is_on() {
            // The thread counts as inside the runtime: nothing that is called here may be recorded.
            let _here = measurement::here();
            sites::forget();
        }
    }
}

fn turn_on() {
    OPENACC.turn_on();
    sites::turn_on();
    registration::register_found();
}

/// Defines the paradigm, once.
fn define_paradigm(host: &Host) {
    if let Some(is_defined) = host.slots.get(&PARADIGM) {
        is_defined.get_or_init(|| host.definitions.accelerator_paradigm(SCOREP_PARADIGM_OPENACC, b"OpenACC"));
    }
}
