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

/// What is defined in a measurement.
#[derive(Debug, Default)]
pub(super) struct Defined {
    devices: Vec<DefinedDevice>,
    /// Contexts and devices of the program, with the definitions.
    contexts: Vec<((usize, usize), u32)>,
}

#[derive(Debug)]
struct DefinedDevice {
    device: usize,
    definition: u32,
    name: String,
    /// The number of queues.
    queues: usize,
}

static DEFINED: Mutex<Defined> = Mutex::new(Defined { devices: Vec::new(), contexts: Vec::new() });

pub(super) fn hold() -> MutexGuard<'static, Defined> {
    DEFINED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Forgets what the parent has defined, in a forked child.
pub(super) fn forget() {
    *hold() = Defined::default();
}

/// Defines the stream of a new queue, with its context and its device.
pub(super) fn stream(host: &Host, context: usize, device: usize, is_ordered: bool) -> &'static DeviceStream {
    let name = device_name(device);
    let mut defined = hold();
    let Defined { devices, contexts } = &mut *defined;
    let place = devices.iter().position(|known| known.device == device).unwrap_or_else(|| {
        let definition = OPENCL.device(host, name.as_bytes());
        devices.push(DefinedDevice { device, definition, name, queues: 0 });
        devices.len() - 1
    });
    let on = &mut devices[place];
    on.queues += 1;
    let known = contexts.iter().find(|(of, _)| *of == (context, device)).map(|(_, context)| *context);
    let group = known.unwrap_or_else(|| {
        let group = OPENCL.context(host, on.definition, contexts.len() + 1);
        contexts.push(((context, device), group));
        group
    });
    DeviceStream::new(host, &OPENCL, format!("{}:{}", on.name, on.queues), group, is_ordered)
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
