//! The events that the callback records.

use std::ffi::{c_char, c_int, c_void};

use super::abi::{DataInfo, EventInfo, LaunchInfo, ProfileInfo, RUNTIME_API};
use super::constructs::AccConstruct;
use super::{OPENACC, memory, sites};
use crate::adapters::annotations::text;
use crate::measurement::{Here, Region};

/// The numbers of the events about the memory of devices.
const ALLOCATION: c_int = 8;
const RELEASE: c_int = 9;

/// Returns the numbers of all events that are recorded.
pub(super) fn numbers() -> impl Iterator<Item = c_int> {
    let of_constructs = AccConstruct::ALL.iter().flat_map(|it| [*it as c_int, *it as c_int + 1]);
    of_constructs.chain([ALLOCATION, RELEASE])
}

/// Receives an event.
///
/// # Safety
///
/// As the interface requires: null, or structures of which as many bytes are readable as they say.
pub(super) unsafe extern "C" fn receive(
    profile: *const ProfileInfo,
    event: *const EventInfo,
    _api: *const c_void,
) {
    // SAFETY: null or readable.
    let (Some(profile), Some(head)) = (unsafe { (profile.as_ref(), event.as_ref()) }) else { return };
    if !OPENACC.is_on() {
        return;
    }
    let number = profile.event;
    if let ALLOCATION | RELEASE = number {
        // SAFETY: the structure of these events.
        let data = unsafe { &*event.cast::<DataInfo>() };
        if let Some(address) = data.device_address() {
            let bytes = if number == ALLOCATION { data.byte_count().unwrap_or(0) } else { 0 };
            memory::change(address.addr(), bytes);
        }
        return;
    }
    for &construct in AccConstruct::ALL {
        if number == construct as c_int {
            OPENACC.begin(OPENACC.owner(construct as u64), region(construct, profile, head), |here| {
                // SAFETY: the structure of the construct's begin.
                unsafe { record_parameters(here, construct, event) };
            });
        } else if number == construct as c_int + 1 {
            OPENACC.end(OPENACC.owner(construct as u64));
        }
    }
}

/// Returns the region of a construct where it is, as far as that is known.
fn region(construct: AccConstruct, profile: &ProfileInfo, event: &EventInfo) -> Region {
    // SAFETY: null or a string.
    let file = profile.file_address().and_then(|file| unsafe { text::bytes(file) });
    let line = profile.line_number().and_then(|line| u32::try_from(line).ok()).filter(|&line| line > 0);
    match (file, line) {
        (Some(file), Some(line)) => construct.region_in(file, line),
        _ if event.parent_construct() == Some(RUNTIME_API) => sites::nowhere().region(construct),
        _ => sites::current().region(construct),
    }
}

/// Records the parameters of a construct, at its beginning.
///
/// # Safety
///
/// The event's structure must be that of the construct.
unsafe fn record_parameters(here: &Here, construct: AccConstruct, event: *const EventInfo) {
    // SAFETY: the head of every event.
    let head = unsafe { &*event };
    if head.implicit().is_some_and(|implicit| implicit != 0) {
        OPENACC.parameter_i64(here, b"acc_implicit", 1);
    }
    match construct {
        AccConstruct::Upload | AccConstruct::Download => {
            // SAFETY: the structure of these events.
            let data = unsafe { &*event.cast::<DataInfo>() };
            record_number(here, b"acc_transfer_bytes", data.byte_count());
            record_text(here, b"acc_variable_name", data.variable_name());
        }
        AccConstruct::Launch => {
            // SAFETY: the structure of this event.
            let launch = unsafe { &*event.cast::<LaunchInfo>() };
            record_text(here, b"acc_kernel_name", launch.kernel_name());
            record_number(here, b"acc_kernel_gangs", launch.gang_count());
            record_number(here, b"acc_kernel_workers", launch.worker_count());
            record_number(here, b"acc_kernel_vector_length", launch.length_of_vectors());
        }
        _ => {}
    }
}

fn record_number(here: &Here, name: &[u8], value: Option<usize>) {
    if let Some(value) = value {
        OPENACC.parameter_u64(here, name, value as u64);
    }
}

fn record_text(here: &Here, name: &[u8], value: Option<*const c_char>) {
    // SAFETY: null or a string.
    let value = value.and_then(|value| unsafe { text::bytes(value) });
    if let Some(value) = value {
        OPENACC.parameter_text(here, name, value);
    }
}
