//! The regions of kernels, by the objects of the program.
//!
//! Invariant: each function that creates a kernel comes here, so an object that is at the address
//! of one that was released has its own region.

use std::sync::MutexGuard;

use kymo_substrate::bindings::{SCOREP_PARADIGM_OPENCL, SCOREP_REGION_KERNEL};

use super::functions::{ClFunction, WORDS};
use super::layer::{SUCCESS, ask};
use crate::address_table::{AddressTable, UNKNOWN};
use crate::filtering;
use crate::measurement::{self, Region};

/// `CL_KERNEL_FUNCTION_NAME`.
const FUNCTION_NAME: usize = 0x1190;
/// The longest name that is read. A longer one is unknown.
const LONGEST: usize = 4096;
/// The source file of all kernels, as in Score-P.
const FILE: &[u8] = b"OPENCL_KERNEL";
/// Added to handles in the table, in which 0 is no value: a region that is left out has none.
const OFFSET: u64 = 1;

static REGIONS: AddressTable = AddressTable::new();

pub(super) fn hold() -> MutexGuard<'static, usize> {
    REGIONS.hold()
}

/// A kernel was created.
pub(super) fn add(kernel: usize) {
    REGIONS.set(kernel, u64::from(define(kernel).0) + OFFSET);
}

/// Kernels were created by `clCreateKernelsInProgram`.
///
/// # Safety
///
/// The words must be the arguments of the call, which has succeeded, with a place for the number of
/// kernels.
pub(super) unsafe fn add_all(words: &[usize; WORDS]) {
    let [_, most, kernels, count, ..] = *words;
    // SAFETY: the place in which the call has stored how many kernels there are.
    let count = unsafe { *std::ptr::with_exposed_provenance::<u32>(count) };
    for number in (0..count.min(most as u32) as usize).filter(|_| kernels != 0) {
        // SAFETY: the call has stored so many kernels there.
        add(unsafe { *std::ptr::with_exposed_provenance::<usize>(kernels).add(number) });
    }
}

/// Returns the region of a kernel; no region if it is left out.
pub(super) fn region(kernel: usize) -> Region {
    match REGIONS.get(kernel) {
        UNKNOWN => define(kernel),
        known => Region((known - OFFSET) as u32),
    }
}

fn define(kernel: usize) -> Region {
    let mut name = [0_u8; LONGEST];
    let words = [kernel, FUNCTION_NAME, LONGEST - 1, name.as_mut_ptr().expose_provenance(), 0];
    // SAFETY: the object is a kernel, and the place has so many bytes.
    let is_known = unsafe { ask(ClFunction::clGetKernelInfo, words) } == SUCCESS;
    let name = name.split(|&byte| byte == 0).next().filter(|name| is_known && !name.is_empty());
    let Some(name) = name else { return Region::default() };
    let marked = [b"$", name].concat();
    if filtering::excludes(&marked, Some(name), Some(FILE)) {
        return Region::default();
    }
    measurement::define_region(&marked, name, Some(FILE), 0, 0, SCOREP_PARADIGM_OPENCL, SCOREP_REGION_KERNEL)
}
