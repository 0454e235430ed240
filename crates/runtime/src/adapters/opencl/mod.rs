//! OpenCL: the calls of the program, and the kernels and transfers of its devices.
//!
//! The loader of OpenCL finds a layer ([`layer`]) through `OPENCL_LAYERS`; the functions of one
//! without layers are interposed ([`interposition`]). Queues are created so that they tell the
//! times of their commands; each is a stream of its device. Invariants: a command's event is
//! released once, after its times were read, which lets objects of the program live longer; OpenCL
//! is not called after the program's handlers at its end.

mod calls;
mod clock;
mod commands;
mod contexts;
mod functions;
mod interposition;
mod kernels;
mod layer;
mod queues;

use std::sync::MutexGuard;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use kymo_substrate::bindings::SCOREP_PARADIGM_OPENCL;

use super::accelerators::{AcceleratorGroups, AcceleratorParadigm};
use crate::adapter::Adapter;
use crate::filtering;
use crate::host::{Host, host};
use crate::locations::Location;
use crate::measurement::Here;
use crate::processes::ForkHold;
use crate::settings::{Settings, is_chosen_by_environment};
use crate::slots::Key;
use crate::switch::{Switch, is_chosen};
use crate::thread;

/// The adapter of OpenCL.
#[derive(Debug)]
pub(crate) struct OpenCl;

/// The name by which settings choose it.
const NAME: &str = "opencl";

static OPENCL: AcceleratorParadigm = AcceleratorParadigm {
    paradigm: SCOREP_PARADIGM_OPENCL,
    name: "OpenCL",
    short_name: "OPENCL",
    groups: AcceleratorGroups { locations: 16, process: 17 },
    state: Key::new(),
};

static SWITCH: Switch = Switch::new();
/// The settings choose the adapter.
static IS_CHOSEN: AtomicBool = AtomicBool::new(false);

type OpenClHold = (queues::ClQueuesHold, MutexGuard<'static, contexts::Defined>, MutexGuard<'static, usize>);

thread_local! {
    static HELD: ForkHold<OpenClHold> = const { ForkHold::new() };
}

impl Adapter for OpenCl {
    fn name(&self) -> &'static str {
        NAME
    }

    fn loaded(&self, is_recorded: bool) {
        interposition::prepare(is_recorded && is_chosen_by_environment(NAME));
    }

    fn prepare(&self, settings: &Settings) -> bool {
        filtering::read(settings);
        let is_chosen = is_chosen(settings, NAME);
        IS_CHOSEN.store(is_chosen, Relaxed);
        is_chosen
    }

    fn awaited(&self) {
        SWITCH.turn_on();
    }

    fn define(&self) {
        if let Some(host) = host() {
            OPENCL.begin(host);
        }
    }

    fn begun(&self) {
        SWITCH.turn_on();
    }

    fn ending(&self, host: &'static Host, quiet: &[&'static Location]) {
        SWITCH.turn_off();
        if let Some(main) = quiet.first() {
            let here = Here::of(host, main);
            thread::owning(|| queues::end(&here));
        }
    }

    fn unify(&self, host: &Host) {
        OPENCL.unify(host);
    }

    fn ended(&self) {
        SWITCH.turn_off();
    }

    fn hold(&self) {
        HELD.with(|held| held.keep((queues::hold(), contexts::hold(), kernels::hold())));
    }

    fn release(&self) {
        drop(HELD.with(ForkHold::take));
    }

    fn forget(&self) {
        queues::forget();
        contexts::forget();
    }
}
