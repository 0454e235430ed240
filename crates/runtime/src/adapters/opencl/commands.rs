//! The commands that the program puts into queues.
//!
//! Each has an event, that of the program or one of ours, which is kept until the command has
//! ended.

use super::functions::{ClFunction, WORDS};
use super::kernels;
use super::layer::{SUCCESS, ask};
use super::queues::{ClQueue, PendingCommand};
use crate::adapters::accelerators::DeviceWork;
use crate::measurement::{Here, Region};

/// A command while it is put into a queue.
#[derive(Debug)]
pub(super) struct StartedCommand {
    queue: &'static ClQueue,
    work: DeviceWork,
    /// When the call began, in ticks.
    queued: u64,
    /// The place of the event's argument.
    argument: usize,
    /// The program does not ask for the event.
    is_own: bool,
}

/// `CL_IMAGE_ELEMENT_SIZE`, `CL_MEM_SIZE`.
const IMAGE_ELEMENT_SIZE: usize = 0x1111;
const MEMORY_SIZE: usize = 0x1102;
/// `CL_MAP_READ`, `CL_MIGRATE_MEM_OBJECT_HOST`.
const MAP_READ: usize = 1;
const TO_HOST: usize = 1;

/// The operation of a command, before its queue and thread are known.
enum CommandKind {
    Kernel(Region),
    /// Bytes from the host, to the host, and within the device.
    Write(usize),
    Read(usize),
    Copy(usize),
    /// No data moves.
    Other,
}

/// Returns the command that a call starts on a device; `None` if it starts none that is recorded.
///
/// # Safety
///
/// The words must be the arguments of the call.
pub(super) unsafe fn start(
    here: &Here,
    function: ClFunction,
    words: &[usize; WORDS],
) -> Option<StartedCommand> {
    // SAFETY: the words are the arguments of the call.
    let (argument, kind) = unsafe { kind(function, words) }?;
    let queue = ClQueue::of(words[0])?;
    let (_, host) = here.parts();
    let work = match kind {
        CommandKind::Kernel(region) => DeviceWork::Region(region),
        CommandKind::Write(bytes) => DeviceWork::FromHost { bytes: bytes as u64, host },
        CommandKind::Read(bytes) => DeviceWork::ToHost { bytes: bytes as u64, host },
        CommandKind::Copy(bytes) => DeviceWork::WithinDevice { bytes: bytes as u64 },
        CommandKind::Other => DeviceWork::Region(function.region().defined()),
    };
    let queued = here.now();
    Some(StartedCommand { queue, work, queued, argument, is_own: words[argument] == 0 })
}

/// Returns the place of the event's argument, and the operation of the command.
///
/// # Safety
///
/// The words must be the arguments of the call.
unsafe fn kind(function: ClFunction, words: &[usize; WORDS]) -> Option<(usize, CommandKind)> {
    use ClFunction as Cl;
    use CommandKind::{Copy, Kernel, Other, Read, Write};
    // SAFETY: the words at these places are null or addresses of three sizes.
    let volume = |place: usize| unsafe { product(words[place]) };
    let map = |flags: usize, bytes| if flags & MAP_READ != 0 { Read(bytes) } else { Write(bytes) };
    Some(match function {
        Cl::clEnqueueNDRangeKernel => (8, Kernel(kernels::region(words[1]))),
        Cl::clEnqueueTask => (4, Kernel(kernels::region(words[1]))),
        Cl::clEnqueueNativeKernel => (9, Other),
        Cl::clEnqueueReadBuffer => (8, Read(words[4])),
        Cl::clEnqueueWriteBuffer => (8, Write(words[4])),
        Cl::clEnqueueCopyBuffer => (8, Copy(words[5])),
        Cl::clEnqueueReadBufferRect => (13, Read(volume(5))),
        Cl::clEnqueueWriteBufferRect => (13, Write(volume(5))),
        Cl::clEnqueueCopyBufferRect => (12, Copy(volume(5))),
        Cl::clEnqueueReadImage => (10, Read(volume(4).saturating_mul(element_size(words[1])))),
        Cl::clEnqueueWriteImage => (10, Write(volume(4).saturating_mul(element_size(words[1])))),
        Cl::clEnqueueCopyImage => (8, Copy(volume(5).saturating_mul(element_size(words[1])))),
        Cl::clEnqueueCopyImageToBuffer => (8, Copy(volume(4).saturating_mul(element_size(words[1])))),
        Cl::clEnqueueCopyBufferToImage => (8, Copy(volume(5).saturating_mul(element_size(words[2])))),
        Cl::clEnqueueFillBuffer => (8, Other),
        Cl::clEnqueueFillImage => (7, Other),
        Cl::clEnqueueMapBuffer => (8, map(words[3], words[5])),
        Cl::clEnqueueMapImage => (10, map(words[3], volume(5).saturating_mul(element_size(words[1])))),
        Cl::clEnqueueMigrateMemObjects => {
            // SAFETY: an array of so many objects.
            let bytes = unsafe { sizes(words[2], words[1] as u32 as usize) };
            (6, if words[3] & TO_HOST != 0 { Read(bytes) } else { Write(bytes) })
        }
        Cl::clEnqueueSVMMemcpy => (7, Copy(words[4])),
        Cl::clEnqueueSVMMemFill => (7, Other),
        Cl::clEnqueueSVMMap => (7, map(words[2], words[4])),
        Cl::clEnqueueSVMMigrateMem => {
            // SAFETY: null, or an array of so many sizes.
            let bytes = unsafe { sum(words[3], words[1] as u32 as usize) };
            (7, if words[4] & TO_HOST != 0 { Read(bytes) } else { Write(bytes) })
        }
        _ => return None,
    })
}

/// Returns the product of three sizes.
///
/// # Safety
///
/// The address must be 0, or that of three sizes.
unsafe fn product(address: usize) -> usize {
    let sizes = std::ptr::with_exposed_provenance::<[usize; 3]>(address);
    // SAFETY: null or valid.
    unsafe { sizes.as_ref() }.map_or(0, |sizes| sizes.iter().fold(1, |all, &size| all.saturating_mul(size)))
}

/// Returns the sum of sizes.
///
/// # Safety
///
/// The address must be 0, or that of so many sizes.
unsafe fn sum(address: usize, count: usize) -> usize {
    let sizes = std::ptr::with_exposed_provenance::<usize>(address);
    // SAFETY: one of the sizes.
    let size = |number: usize| unsafe { *sizes.add(number) };
    (0..count).filter(|_| address != 0).map(size).fold(0, usize::saturating_add)
}

/// Returns the size of an element of an image, in bytes.
fn element_size(image: usize) -> usize {
    let mut size = 0_usize;
    let place = (&raw mut size).expose_provenance();
    // SAFETY: the place has as many bytes.
    unsafe { ask(ClFunction::clGetImageInfo, [image, IMAGE_ELEMENT_SIZE, size_of::<usize>(), place, 0]) };
    size
}

/// Returns the size of memory objects together, in bytes.
///
/// # Safety
///
/// The address must be 0, or that of so many objects.
unsafe fn sizes(address: usize, count: usize) -> usize {
    let size_of_object = |number: usize| {
        let mut size = 0_usize;
        let place = (&raw mut size).expose_provenance();
        // SAFETY: an object of the array.
        let object = unsafe { *std::ptr::with_exposed_provenance::<usize>(address).add(number) };
        // SAFETY: the place has as many bytes.
        unsafe { ask(ClFunction::clGetMemObjectInfo, [object, MEMORY_SIZE, size_of::<usize>(), place, 0]) };
        size
    };
    (0..count).filter(|_| address != 0).map(size_of_object).fold(0, usize::saturating_add)
}

/// Returns whether a call has waited for a device.
pub(super) fn waits(function: ClFunction, words: &[usize; WORDS]) -> bool {
    use ClFunction as Cl;
    match function {
        Cl::clFinish | Cl::clWaitForEvents => true,
        Cl::clEnqueueReadBuffer
        | Cl::clEnqueueWriteBuffer
        | Cl::clEnqueueReadImage
        | Cl::clEnqueueWriteImage
        | Cl::clEnqueueMapBuffer
        | Cl::clEnqueueMapImage
        | Cl::clEnqueueReadBufferRect
        | Cl::clEnqueueWriteBufferRect => words[2] as u32 != 0,
        Cl::clEnqueueSVMMemcpy | Cl::clEnqueueSVMMap => words[1] as u32 != 0,
        _ => false,
    }
}

impl StartedCommand {
    /// Lets the call store the event where the program has no place for it.
    pub(super) fn set_event(&self, words: &mut [usize; WORDS], event: &mut usize) {
        if self.is_own {
            words[self.argument] = (&raw mut *event).expose_provenance();
        }
    }

    /// Keeps the command, if the call has succeeded, until it has ended.
    ///
    /// # Safety
    ///
    /// The words must be the arguments of the call, and the result its own.
    pub(super) unsafe fn keep(
        self,
        here: &Here,
        function: ClFunction,
        words: &[usize; WORDS],
        result: usize,
    ) {
        let is_map = matches!(function, ClFunction::clEnqueueMapBuffer | ClFunction::clEnqueueMapImage);
        if is_map && result == 0 || !is_map && result as i32 != SUCCESS {
            return;
        }
        // SAFETY: the place where the call has stored the event.
        let event = unsafe { *std::ptr::with_exposed_provenance::<usize>(words[self.argument]) };
        if event == 0 {
            return;
        }
        if !self.is_own {
            // SAFETY: the program's event, which exists.
            unsafe { ask(ClFunction::clRetainEvent, [event]) };
        }
        self.queue.add(here, PendingCommand { event, work: self.work, queued: self.queued });
    }
}
