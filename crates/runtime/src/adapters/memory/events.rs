//! The events of allocated and freed blocks, as calls of the plugins.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;

use crate::events::call;
use crate::host::Host;
use crate::locations::Location;
use crate::measurement::Here;

/// Plugins may keep data of each block. Those of this host's plugins would have to be kept with the
/// block, so each event has empty places instead; there are enough for this number of plugins.
const PLUGINS: usize = 16;

type Data = [*mut c_void; PLUGINS];

impl Here {
    /// Records that a block was allocated, after which the process holds `total` bytes.
    pub(super) fn track_alloc(&self, address: u64, size: usize, total: usize) {
        let mut data: Data = [ptr::null_mut(); PLUGINS];
        let (host, location, time) = self.track();
        call!(
            host.table(),
            SCOREP_EVENT_TRACK_ALLOC: SCOREP_Substrates_TrackAllocCb,
            location.address(), time, address, size, data.as_mut_ptr(), total, total
        );
    }

    /// Records that a block was freed, after which the process holds `total` bytes.
    pub(super) fn track_free(&self, address: u64, size: usize, total: usize) {
        let mut data: Data = [ptr::null_mut(); PLUGINS];
        let (host, location, time) = self.track();
        call!(
            host.table(),
            SCOREP_EVENT_TRACK_FREE: SCOREP_Substrates_TrackFreeCb,
            location.address(), time, address, size, data.as_mut_ptr(), total, total
        );
    }

    /// Records that a block has a new size and perhaps a new address, after which the process holds
    /// `total` bytes.
    pub(super) fn track_realloc(&self, (old, before): (u64, usize), (new, size): (u64, usize), total: usize) {
        let (mut old_data, mut new_data): (Data, Data) =
            ([ptr::null_mut(); PLUGINS], [ptr::null_mut(); PLUGINS]);
        let (host, location, time) = self.track();
        call!(
            host.table(),
            SCOREP_EVENT_TRACK_REALLOC: SCOREP_Substrates_TrackReallocCb,
            location.address(), time, old, before, old_data.as_mut_ptr(), new, size, new_data.as_mut_ptr(), total, total
        );
    }

    /// Returns the host, the location and the time of an event of this module.
    fn track(&self) -> (&'static Host, &'static Location, u64) {
        let (host, location) = self.parts();
        let time = self.now();
        location.last_time.store(time, Relaxed);
        (host, location, time)
    }
}
