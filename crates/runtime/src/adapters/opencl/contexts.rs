//! The devices and contexts of the program's queues, and their definitions.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::OPENCL;
use super::functions::ClFunction;
use super::layer::{SUCCESS, ask};
use crate::adapters::accelerators::DeviceStream;
use crate::host::Host;

/// `CL_DEVICE_NAME`.
const DEVICE_NAME: usize = 0x102B;
const LONGEST: usize = 512;

/// `CL_CONTEXT_REFERENCE_COUNT`.
const REFERENCES: usize = 0x1080;

/// The devices, contexts and free streams of a measurement.
#[derive(Debug, Default)]
pub(super) struct Defined {
    devices: Vec<DefinedDevice>,
    contexts: Vec<DefinedContext>,
    /// The number of contexts of the program so far.
    count: usize,
    /// The streams of queues that are gone.
    free: Vec<FreeStream>,
}

#[derive(Debug)]
struct DefinedDevice {
    device: usize,
    definition: u32,
    name: String,
    /// The number of streams.
    streams: usize,
}

/// A context of the program on a device.
#[derive(Debug)]
struct DefinedContext {
    context: usize,
    device: usize,
    number: usize,
    definition: u32,
}

#[derive(Debug)]
struct FreeStream {
    of: StreamKind,
    stream: &'static DeviceStream,
}

/// The properties that streams share if they can stand for each other: the definition of the
/// context on a device, and whether operations are in order.
pub(super) type StreamKind = (u32, bool);

static DEFINED: Mutex<Defined> =
    Mutex::new(Defined { devices: Vec::new(), contexts: Vec::new(), count: 0, free: Vec::new() });

pub(super) fn hold() -> MutexGuard<'static, Defined> {
    DEFINED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Forgets the definitions of the parent, in a forked child.
pub(super) fn forget() {
    *hold() = Defined::default();
}

/// A context is about to be released: if that ends it, another one can be at its address.
pub(super) fn release(context: usize) {
    let mut references = 0_u32;
    let place = (&raw mut references).expose_provenance();
    let words = [context, REFERENCES, size_of::<u32>(), place, 0];
    // SAFETY: the program's context, and a place with as many bytes.
    let is_known = unsafe { ask(ClFunction::clGetContextInfo, words) } == SUCCESS;
    if is_known && references == 1 {
        hold().contexts.retain(|known| known.context != context);
    }
}

/// Returns the stream of a new queue: that of one that is gone, or a new one, with its context and
/// its device.
pub(super) fn stream(
    host: &Host,
    context: usize,
    device: usize,
    is_ordered: bool,
) -> (&'static DeviceStream, StreamKind) {
    let name = device_name(device);
    let mut defined = hold();
    let Defined { devices, contexts, count, free } = &mut *defined;
    let place = devices.iter().position(|known| known.device == device).unwrap_or_else(|| {
        let definition = OPENCL.device(host, name.as_bytes());
        devices.push(DefinedDevice { device, definition, name, streams: 0 });
        devices.len() - 1
    });
    let on = &mut devices[place];
    let group = contexts.iter().find(|known| known.context == context && known.device == device);
    let group = group.map(|known| known.definition).unwrap_or_else(|| {
        let same = contexts.iter().find(|known| known.context == context);
        let number = same.map_or(*count + 1, |known| known.number);
        *count = number.max(*count);
        let definition = OPENCL.context(host, on.definition, number);
        contexts.push(DefinedContext { context, device, number, definition });
        definition
    });
    let of = (group, is_ordered);
    if let Some(place) = free.iter().position(|free| free.of == of) {
        return (free.swap_remove(place).stream, of);
    }
    on.streams += 1;
    let name = format!("{}:{}", on.name, on.streams);
    (DeviceStream::new(host, &OPENCL, name, group, is_ordered), of)
}

/// Lets another queue have the stream of one that is gone.
pub(super) fn free(stream: &'static DeviceStream, of: StreamKind) {
    hold().free.push(FreeStream { of, stream });
}

/// Returns the name of a device.
fn device_name(device: usize) -> String {
    let mut name = [0_u8; LONGEST];
    let place = name.as_mut_ptr().expose_provenance();
    // SAFETY: the place has so many bytes.
    let result = unsafe { ask(ClFunction::clGetDeviceInfo, [device, DEVICE_NAME, LONGEST - 1, place, 0]) };
    let name = name.split(|&byte| byte == 0).next().unwrap_or_default().trim_ascii();
    match result == SUCCESS && !name.is_empty() {
        true => String::from_utf8_lossy(name).into_owned(),
        false => "unknown device".to_owned(),
    }
}
