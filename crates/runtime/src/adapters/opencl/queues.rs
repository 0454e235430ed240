//! The program's queues, each of which is a stream, and the commands that have not ended.
//!
//! The times of a command are known after its end. They are collected where the program waits for a
//! device, and now and then when it puts commands into a queue. Invariant: no lock is held while
//! the library is called.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::calls;
use super::clock::{self, synchronise};
use super::contexts::{self, StreamKind};
use super::functions::{ClFunction, WORDS};
use super::layer::{SUCCESS, ask};
use crate::adapters::accelerators::{ClockLine, ClockPoint, DeviceOperation, DeviceStream, DeviceWork};
use crate::address_table::{AddressTable, UNKNOWN};
use crate::host::Host;
use crate::measurement::{self, Here, Region};
use crate::message::report;
use crate::processes::may_allocate;

/// Properties of a queue.
const OUT_OF_ORDER: usize = 1;
pub(super) const PROFILING: usize = 2;
const ON_DEVICE: usize = 4;
/// `CL_QUEUE_PROPERTIES`.
const PROPERTIES: usize = 0x1093;

/// `CL_EVENT_COMMAND_EXECUTION_STATUS`; 0 after the end, less after an error.
const STATUS: usize = 0x11D3;
/// `CL_PROFILING_COMMAND_START` and `_END`.
const START: usize = 0x1282;
const END: usize = 0x1283;

/// How many commands can wait before the queue is asked which have ended.
const MANY: usize = 1024;

/// A queue of the program.
#[derive(Debug)]
pub(super) struct ClQueue {
    stream: &'static DeviceStream,
    kind: StreamKind,
    context: usize,
    device: usize,
    is_ordered: bool,
    /// The measurement in whose process the queue exists.
    generation: u32,
    /// Unknown as long as the device has had no time to tell its clock.
    clock: Mutex<Option<ClockLine>>,
    pending: Mutex<Vec<PendingCommand>>,
    /// A thread asks the queue which commands have ended.
    is_collecting: AtomicBool,
    /// The program has released it for the last time.
    is_released: AtomicBool,
}

/// A command that has not ended, as far as is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingCommand {
    pub(super) event: usize,
    pub(super) work: DeviceWork,
    /// When the call began that has started it, in ticks.
    pub(super) queued: u64,
}

/// The queues by the program's objects.
static QUEUES: AddressTable = AddressTable::new();
/// All queues.
static ALL: Mutex<Vec<&'static ClQueue>> = Mutex::new(Vec::new());
/// The number of commands whose times could not be read.
static WITHOUT_TIMES: AtomicUsize = AtomicUsize::new(0);
/// The number of commands that have failed.
static FAILED: AtomicUsize = AtomicUsize::new(0);
/// The number of commands that could not be kept: without memory, or at the end of the process.
static REFUSED: AtomicUsize = AtomicUsize::new(0);
/// The handlers of libraries at the end of the process may have run. OpenCL is not asked any more.
static IS_OVER: AtomicBool = AtomicBool::new(false);

pub(super) type ClQueuesHold = (MutexGuard<'static, usize>, MutexGuard<'static, Vec<&'static ClQueue>>);

pub(super) fn hold() -> ClQueuesHold {
    (QUEUES.hold(), all())
}

fn all() -> MutexGuard<'static, Vec<&'static ClQueue>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Forgets the parent's queues, in a forked child.
pub(super) fn forget() {
    QUEUES.forget(|| all().clear());
    [&WITHOUT_TIMES, &FAILED, &REFUSED].into_iter().for_each(|count| count.store(0, Relaxed));
    IS_OVER.store(false, Relaxed);
}

/// Room for the properties of a queue, with ours.
#[derive(Debug, Default)]
pub(super) struct QueueProperties {
    list: [usize; 32],
    /// The program's argument.
    before: usize,
}

impl QueueProperties {
    /// Asks for the times of commands in a call that creates a queue. Returns whether an argument
    /// was changed.
    pub(super) fn add_to(&mut self, function: ClFunction, words: &mut [usize; WORDS]) -> bool {
        self.before = words[2];
        match function {
            ClFunction::clCreateCommandQueue => words[2] |= PROFILING,
            ClFunction::clCreateCommandQueueWithProperties => {
                // SAFETY: null, or a list that ends with 0, as OpenCL requires.
                let is_added = unsafe { self.add_to_list(words[2]) };
                if is_added {
                    words[2] = self.list.as_ptr().expose_provenance();
                }
            }
            _ => return false,
        }
        words[2] != self.before
    }

    pub(super) fn remove_from(&self, words: &mut [usize; WORDS]) {
        words[2] = self.before;
    }

    /// Copies a list of names and values, with the property; returns `false` if that is impossible
    /// or unnecessary.
    ///
    /// # Safety
    ///
    /// The address must be 0, or that of a list that ends with 0.
    unsafe fn add_to_list(&mut self, address: usize) -> bool {
        let mut length = 0;
        let mut has_properties = false;
        // SAFETY: 0, or the address of a list that ends with 0 and outlives this call.
        for [name, mut value] in unsafe { pairs(address) } {
            if name == PROPERTIES {
                if value & (ON_DEVICE | PROFILING) != 0 {
                    return false;
                }
                value |= PROFILING;
                has_properties = true;
            }
            let Some([to_name, to_value, _, _, _]) = self.list.get_mut(length..length + 5) else {
                return false;
            };
            (*to_name, *to_value) = (name, value);
            length += 2;
        }
        if !has_properties {
            let Some([name, value, _]) = self.list.get_mut(length..length + 3) else { return false };
            (*name, *value) = (PROPERTIES, PROFILING);
        }
        true
    }
}

/// A queue was created. It has a stream if it can tell times.
///
/// # Safety
///
/// The words must be the arguments of the call that has created it.
pub(super) unsafe fn create(here: &Here, function: ClFunction, words: &[usize; WORDS], queue: usize) {
    let [context, device, properties, ..] = *words;
    let properties = match function {
        ClFunction::clCreateCommandQueue => properties,
        // SAFETY: null, or a list that ends with 0.
        _ => unsafe { value_of(properties, PROPERTIES) },
    };
    // Another object may have been at this address.
    QUEUES.set(queue, UNKNOWN);
    if queue == 0 || properties & PROFILING == 0 || properties & ON_DEVICE != 0 {
        return;
    }
    let (host, _) = here.parts();
    let clock =
        synchronise(host, context, device).map(|point| ClockLine::new(point, host.clock.resolution()));
    let is_ordered = properties & OUT_OF_ORDER == 0;
    collect_before_end();
    let (stream, kind) = contexts::stream(host, context, device, is_ordered);
    let created = Box::leak(Box::new(ClQueue {
        stream,
        kind,
        context,
        device,
        is_ordered,
        generation: measurement::generation(),
        clock: Mutex::new(clock),
        pending: Mutex::new(Vec::new()),
        is_collecting: AtomicBool::new(false),
        is_released: AtomicBool::new(false),
    }));
    all().push(created);
    QUEUES.set(queue, std::ptr::from_ref(created).expose_provenance() as u64);
}

/// Returns the value of a name in a list; 0 without one.
///
/// # Safety
///
/// The address must be 0, or that of a list that ends with 0.
unsafe fn value_of(address: usize, name: usize) -> usize {
    // SAFETY: 0, or the address of a list that ends with 0 and outlives this call.
    unsafe { pairs(address) }.find(|[other, _]| *other == name).map_or(0, |[_, value]| value)
}

/// Returns the names and values of a list.
///
/// # Safety
///
/// The address must be 0, or that of a list that ends with 0 and outlives the result.
unsafe fn pairs(address: usize) -> impl Iterator<Item = [usize; 2]> {
    let pairs = std::ptr::with_exposed_provenance::<[usize; 2]>(address);
    (0..).map_while(move |number| {
        // SAFETY: a name, or the 0 at the end.
        let has_ended = pairs.is_null() || unsafe { *pairs.add(number).cast::<usize>() } == 0;
        // SAFETY: a value follows each name.
        (!has_ended).then(|| unsafe { *pairs.add(number) })
    })
}

/// `CL_QUEUE_REFERENCE_COUNT`.
const REFERENCES: usize = 0x1092;

/// A queue is about to be released: if that ends it, its commands are the last ones.
pub(super) fn release(here: &Here, handle: usize) {
    let Some(queue) = ClQueue::of(handle) else { return };
    let mut references = 0_u32;
    let place = (&raw mut references).expose_provenance();
    let words = [handle, REFERENCES, size_of::<u32>(), place, 0];
    // SAFETY: the program's queue, and a place with as many bytes.
    let is_known = unsafe { ask(ClFunction::clGetCommandQueueInfo, words) } == SUCCESS;
    if is_known && references == 1 {
        QUEUES.set(handle, UNKNOWN);
        queue.is_released.store(true, Relaxed);
    }
    queue.collect(here, false);
}

/// Lets commands be collected before libraries end. At the end of the measurement their handlers
/// may have run.
fn collect_before_end() {
    static IS_REGISTERED: AtomicBool = AtomicBool::new(false);
    extern "C" fn at_exit() {
        calls::inside(|here| collect_all(here, false));
        IS_OVER.store(true, Relaxed);
    }
    if !IS_REGISTERED.swap(true, Relaxed) {
        // SAFETY: a function of this library, which is never unloaded.
        unsafe { libc::atexit(at_exit) };
    }
}

/// Collects the commands that have ended in all queues. A thread that has waited can read the
/// clocks of devices.
pub(super) fn collect_all(here: &Here, has_waited: bool) {
    let queue = |number: usize| all().get(number).copied();
    (0..).map_while(queue).for_each(|queue| queue.collect(here, has_waited));
}

/// Collects the commands that have ended, and reports the others, at the end of the measurement.
pub(super) fn end(here: &Here) {
    if !IS_OVER.load(Relaxed) {
        collect_all(here, false);
    }
    let left: usize = all().iter().map(|queue| queue.pending().len()).sum();
    for (count, what) in [
        (left, "commands that had not ended, not recorded"),
        (FAILED.swap(0, Relaxed), "commands that have failed, not recorded"),
        (WITHOUT_TIMES.swap(0, Relaxed), "commands without times, not recorded"),
        (REFUSED.swap(0, Relaxed), "commands that could not be kept, not recorded"),
    ] {
        if count > 0 {
            report(format_args!("opencl: {what}: {count}"));
        }
    }
}

impl ClQueue {
    /// Returns the queue of an object of the program; `None` if it is not recorded.
    pub(super) fn of(queue: usize) -> Option<&'static Self> {
        let address = QUEUES.get(queue);
        let queue = std::ptr::with_exposed_provenance::<Self>(address as usize);
        // SAFETY: null, or a queue, which is never freed.
        unsafe { queue.as_ref() }.filter(|queue| queue.generation == measurement::generation())
    }

    fn pending(&self) -> MutexGuard<'_, Vec<PendingCommand>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a command that was put into the queue.
    pub(super) fn add(&self, here: &Here, command: PendingCommand) {
        let count = {
            let mut pending = self.pending();
            let is_full = pending.len() == pending.capacity();
            if IS_OVER.load(Relaxed) || is_full && !may_allocate() {
                drop(pending);
                REFUSED.fetch_add(1, Relaxed);
                command.release();
                return;
            }
            pending.push(command);
            pending.len()
        };
        if count >= MANY && count % (MANY / 4) == 0 {
            self.collect(here, false);
        }
    }

    /// Records the commands that have ended. Only one thread does so at a time.
    fn collect(&self, here: &Here, has_waited: bool) {
        if self.is_collecting.swap(true, Acquire) {
            return;
        }
        // An empty list keeps its memory.
        let mut commands = Vec::new();
        if !self.pending().is_empty() {
            std::mem::swap(&mut commands, &mut *self.pending());
        }
        if !commands.is_empty() {
            self.record_ended(here, &mut commands, has_waited);
            let mut pending = self.pending();
            commands.append(&mut pending);
            *pending = commands;
        }
        let is_gone = self.is_released.load(Relaxed) && self.pending().is_empty();
        self.is_collecting.store(false, Release);
        if is_gone && self.is_released.swap(false, Relaxed) {
            all().retain(|queue| !std::ptr::eq(*queue, self));
            contexts::free(self.stream, self.kind);
        }
    }

    /// Records commands that have ended, and removes them.
    fn record_ended(&self, here: &Here, commands: &mut Vec<PendingCommand>, has_waited: bool) {
        let mut ended = Vec::new();
        let mut may_have_ended = true;
        commands.retain(|command| {
            // A queue in order ends no command before those in front of it.
            let status = if may_have_ended { status(command.event) } else { 1 };
            may_have_ended &= status <= 0 || !self.is_ordered;
            if status <= 0 {
                ended.push((*command, status));
            }
            status > 0
        });
        if ended.is_empty() {
            return;
        }
        let clock = self.clock(here.parts().0, has_waited);
        let now = here.now();
        // Without a comparison of the clocks, the last command has ended now.
        let last = || ended.iter().filter_map(|(command, _)| times(command.event)).map(|(_, end)| end).max();
        let clock = clock.unwrap_or_else(|| {
            let point = ClockPoint { device: last().unwrap_or(0), ticks: now };
            ClockLine::new(point, here.parts().0.clock.resolution())
        });
        let operation = |(command, status): &(PendingCommand, i32)| command.ended(*status, &clock, now);
        let mut operations: Vec<DeviceOperation> = ended.iter().filter_map(operation).collect();
        self.stream.record(here, &mut operations);
        // The context, of which the clock was asked, may end with the last event.
        ended.iter().for_each(|(command, _)| command.release());
    }

    /// Returns the conversion of times, with a new point where there is none, or the last one is
    /// old; `None` if the device has had no time for any.
    fn clock(&self, host: &Host, has_waited: bool) -> Option<ClockLine> {
        let known = *self.locked_clock();
        let is_good = |line: ClockLine| !has_waited || !clock::is_old(host, line.last());
        if known.is_some_and(is_good) {
            return known;
        }
        let point = synchronise(host, self.context, self.device);
        let mut clock = self.locked_clock();
        match (&mut *clock, point) {
            (Some(line), Some(point)) => line.add(point),
            (line @ None, Some(point)) => *line = Some(ClockLine::new(point, host.clock.resolution())),
            (_, None) => {}
        }
        *clock
    }

    fn locked_clock(&self) -> MutexGuard<'_, Option<ClockLine>> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PendingCommand {
    /// Returns the operation of the device, between the call and the moment when it is known to
    /// have ended, whatever the error of the clock; `None` if nothing is recorded.
    fn ended(&self, status: i32, clock: &ClockLine, now: u64) -> Option<DeviceOperation> {
        if status < 0 {
            FAILED.fetch_add(1, Relaxed);
            return None;
        }
        let Some((start, end)) = times(self.event) else {
            WITHOUT_TIMES.fetch_add(1, Relaxed);
            return None;
        };
        if matches!(self.work, DeviceWork::Region(region) if region == Region::default()) {
            return None;
        }
        let [begin, end] =
            [start, end].map(|time| clock.ticks(time).clamp(self.queued, now.max(self.queued)));
        Some(DeviceOperation { begin, end, work: self.work })
    }

    /// Releases the event.
    fn release(&self) {
        // SAFETY: kept since the command was put into the queue.
        unsafe { ask(ClFunction::clReleaseEvent, [self.event]) };
    }
}

/// Returns the status of a command: 0 if it has ended, less if it has failed.
pub(super) fn status(event: usize) -> i32 {
    let mut status = 0_i32;
    let place = (&raw mut status).expose_provenance();
    // SAFETY: the event is kept, and the place has as many bytes.
    let result = unsafe { ask(ClFunction::clGetEventInfo, [event, STATUS, size_of::<i32>(), place, 0]) };
    if result == SUCCESS { status } else { result }
}

/// Returns when a command has begun and ended, in nanoseconds of its device.
pub(super) fn times(event: usize) -> Option<(u64, u64)> {
    let time = |name: usize| {
        let mut time = 0_u64;
        let place = (&raw mut time).expose_provenance();
        let words = [event, name, size_of::<u64>(), place, 0];
        // SAFETY: the event is kept, and the place has as many bytes.
        (unsafe { ask(ClFunction::clGetEventProfilingInfo, words) } == SUCCESS).then_some(time)
    };
    time(START).zip(time(END))
}
