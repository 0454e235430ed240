//! The streams of devices: locations on which any thread records the operations of a device.
//!
//! Invariants: one thread at a time records on a stream; the times of a location do not decrease;
//! operations that overlap on a stream that may execute several at once have locations of their
//! own.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kymo_substrate::bindings::SCOREP_LOCATION_TYPE_GPU;

use super::AcceleratorParadigm;
use crate::events::call;
use crate::host::Host;
use crate::life::threads::create_without_thread;
use crate::locations::Location;
use crate::measurement::{Caller, Here, Region, regions};

/// The number that all transfers have, as in Score-P: those of a location do not overlap.
const MATCHING: u64 = 42;
/// The most locations of a stream.
const MOST_LANES: usize = 64;

/// An operation that a device has executed, with its times in ticks.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct DeviceOperation {
    pub(in super::super) begin: u64,
    pub(in super::super) end: u64,
    pub(in super::super) work: DeviceWork,
}

/// The work of a device in an operation. The host is the location of the thread that started it.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum DeviceWork {
    /// A kernel, or another operation that moves no data.
    Region(Region),
    /// A transfer of this many bytes.
    FromHost {
        bytes: u64,
        host: &'static Location,
    },
    ToHost {
        bytes: u64,
        host: &'static Location,
    },
    WithinDevice {
        bytes: u64,
    },
}

/// A stream of a device.
#[derive(Debug)]
pub(in super::super) struct DeviceStream {
    paradigm: &'static AcceleratorParadigm,
    name: String,
    context: u32,
    /// Its operations are executed one after the other.
    is_ordered: bool,
    /// The first location, and others for operations that overlap. The lock makes a thread the only
    /// writer.
    lanes: Mutex<Vec<&'static Location>>,
}

impl DeviceStream {
    /// Creates a stream in a context.
    pub(in super::super) fn new(
        host: &Host,
        paradigm: &'static AcceleratorParadigm,
        name: String,
        context: u32,
        is_ordered: bool,
    ) -> &'static Self {
        let first = create_without_thread(host, name.as_bytes(), SCOREP_LOCATION_TYPE_GPU, context);
        let lanes = Mutex::new(vec![first]);
        let stream: &Self = Box::leak(Box::new(Self { paradigm, name, context, is_ordered, lanes }));
        if let Some(state) = paradigm.state(host) {
            state.streams().push(stream);
        }
        stream
    }

    fn locked_lanes(&self) -> MutexGuard<'_, Vec<&'static Location>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the numbers of the locations in the job.
    pub(super) fn locations(&self) -> Vec<u64> {
        self.locked_lanes().iter().map(|lane| lane.global_id()).collect()
    }

    /// Records operations. They are sorted by their begin.
    pub(in super::super) fn record(&self, here: &Here, operations: &mut [DeviceOperation]) {
        operations.sort_by_key(|operation| operation.begin);
        let (host, _) = here.parts();
        let mut lanes = self.locked_lanes();
        for operation in operations {
            let Some(lane) = self.lane(host, &mut lanes, operation.begin) else { return };
            // Times of the same device can differ by the error of the conversion.
            let begin = operation.begin.max(lane.last_time.load(Relaxed));
            self.record_on(
                host,
                lane,
                DeviceOperation { begin, end: operation.end.max(begin), ..*operation },
            );
        }
    }

    /// Returns a location on which nothing is executed at a time.
    fn lane(&self, host: &Host, lanes: &mut Vec<&'static Location>, begin: u64) -> Option<&'static Location> {
        let is_free = |lane: &&&Location| self.is_ordered || lane.last_time.load(Relaxed) <= begin;
        let free = lanes.iter().find(is_free).copied();
        if free.is_some() || lanes.len() >= MOST_LANES {
            return free.or_else(|| lanes.last().copied());
        }
        let name = format!("{}#{}", self.name, lanes.len() + 1);
        lanes.push(create_without_thread(host, name.as_bytes(), SCOREP_LOCATION_TYPE_GPU, self.context));
        lanes.last().copied()
    }

    fn record_on(&self, host: &'static Host, lane: &'static Location, operation: DeviceOperation) {
        let DeviceOperation { begin, end, work } = operation;
        match work {
            DeviceWork::Region(region) => {
                regions::enter_measured(host, lane, Caller::Unknown, region, begin);
                regions::leave(host, lane, region, end);
            }
            DeviceWork::FromHost { bytes, host: thread } => {
                self.get(host, lane, (begin, end), bytes, self.paradigm.rank(host, thread));
            }
            DeviceWork::WithinDevice { bytes } => {
                self.get(host, lane, (begin, end), bytes, self.paradigm.rank(host, lane));
            }
            DeviceWork::ToHost { bytes, host: thread } => {
                self.put(host, lane, (begin, end), bytes, self.paradigm.rank(host, thread));
            }
        }
        lane.last_time.store(end, Relaxed);
    }

    /// Records that the stream has fetched data.
    fn get(&self, host: &Host, lane: &'static Location, (begin, end): (u64, u64), bytes: u64, rank: u32) {
        let window = self.member(host, lane);
        call!(
            host.table(),
            SCOREP_EVENT_RMA_GET: SCOREP_Substrates_RmaGetCb,
            lane.address(), begin, window, rank, bytes, MATCHING
        );
        complete(host, lane, window, end);
    }

    /// Records that the stream has sent data.
    fn put(&self, host: &Host, lane: &'static Location, (begin, end): (u64, u64), bytes: u64, rank: u32) {
        let window = self.member(host, lane);
        call!(
            host.table(),
            SCOREP_EVENT_RMA_PUT: SCOREP_Substrates_RmaPutCb,
            lane.address(), begin, window, rank, bytes, MATCHING
        );
        complete(host, lane, window, end);
    }

    /// Makes a location a member of the communicator; returns the window.
    fn member(&self, host: &Host, lane: &'static Location) -> u32 {
        self.paradigm.rank(host, lane);
        self.paradigm.window(host)
    }
}

fn complete(host: &Host, lane: &Location, window: u32, end: u64) {
    call!(
        host.table(),
        SCOREP_EVENT_RMA_OP_COMPLETE_BLOCKING: SCOREP_Substrates_RmaOpCompleteBlockingCb,
        lane.address(), end, window, MATCHING
    );
}
