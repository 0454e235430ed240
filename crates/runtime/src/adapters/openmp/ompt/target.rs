//! The callbacks about devices, of OpenMP 5.1 (`_emi`).
//!
//! Invariant: the word that the runtime keeps for a target region is the address of its place, and
//! 0 outside of any: the runtime has one word for all regions of a thread.

use std::ffi::c_void;
use std::ptr;

use super::abi::{BEGIN, Data, END, operation, target as kinds};
use crate::adapters::openmp::is_on;
use crate::adapters::openmp::sites::{Construct, Site, site_at};
use crate::adapters::openmp::target::{self, Operation, TargetKind};
use crate::measurement::{self, Here};
use crate::next::keeping_errno;
use crate::thread;

/// Executes an action with the location of the calling thread, which may be one of the runtime's.
fn here(action: impl FnOnce(&Here)) {
    if is_on() {
        // The runtime lets its own threads be cancelled at any instruction, and never cancels them.
        // Such a thread of the program could not call OpenMP.
        thread::set_asynchronous(false);
        keeping_errno(|| {
            if let Some(here) = measurement::here_or_orphan() {
                action(&here);
            }
        });
    }
}

pub(super) unsafe extern "C" fn target(
    kind: u32,
    end: u32,
    _device: i32,
    _task: *mut Data,
    _target_task: *mut Data,
    region: *mut Data,
    address: *const c_void,
) {
    let mut kept = ptr::null();
    if end == BEGIN {
        let is_deferred = kind & kinds::DEFERRED != 0;
        let kind = match kind & !kinds::DEFERRED {
            kinds::TARGET => TargetKind::Target,
            kinds::ENTER_DATA => TargetKind::EnterData,
            kinds::EXIT_DATA => TargetKind::ExitData,
            kinds::UPDATE => TargetKind::Update,
            _ => return,
        };
        here(|here| {
            let site = site_at(address.addr());
            kept = ptr::from_ref(site);
            target::begin(here, site, kind, is_deferred);
        });
    } else {
        here(target::end);
    }
    // SAFETY: the runtime's data.
    unsafe { Data::set(region, kept.expose_provenance()) };
}

/// Returns the place of a target region, or that of an address outside of any. The thread is inside
/// the runtime.
///
/// # Safety
///
/// The region must be null or the data of a target region.
unsafe fn site_of(region: *const Data, address: *const c_void) -> &'static Site {
    // SAFETY: the data is null or that of a region, which `target` has set to 0 or a place; places
    // are never freed.
    let kept = unsafe { ptr::with_exposed_provenance::<Site>(Data::get(region)).as_ref() };
    kept.unwrap_or_else(|| site_at(address.addr()))
}

pub(super) unsafe extern "C" fn target_operation(
    end: u32,
    _target_task: *mut Data,
    region: *mut Data,
    _operation: *mut u64,
    kind: u32,
    _from: *mut c_void,
    _from_device: i32,
    _to: *mut c_void,
    _to_device: i32,
    bytes: usize,
    address: *const c_void,
) {
    let operation = match kind & !operation::ASYNCHRONOUS {
        operation::ALLOCATION => Operation::Allocation,
        operation::TO_DEVICE => Operation::ToDevice,
        operation::FROM_DEVICE => Operation::FromDevice,
        operation::RELEASE => Operation::Release,
        _ => return,
    };
    here(|here| {
        if end != END {
            // SAFETY: the data of a target region, or of none.
            target::begin_operation(here, unsafe { site_of(region, address) }, operation, bytes);
        }
        if end != BEGIN {
            here.leave_construct(operation.construct());
        }
    });
}

pub(super) unsafe extern "C" fn target_submit(
    end: u32,
    region: *mut Data,
    _operation: *mut u64,
    _requested_teams: u32,
) {
    here(|here| {
        if end != END {
            // SAFETY: the data of a target region.
            let site = unsafe { site_of(region, ptr::null()) };
            here.enter_construct(site.region(Construct::TargetSubmit));
        }
        if end != BEGIN {
            here.leave_construct(Construct::TargetSubmit);
        }
    });
}
