//! Functions for locations, and the pointer that the host stores for the plugin at each of them.

use core::ffi::{CStr, c_void};

use super::{Host, NO_ID, entry, host_string};
use crate::handles::Location;
use crate::kinds::LocationType;
use core::sync::atomic::Ordering;

impl Host {
    /// The type of a location.
    pub fn location_type(&self, location: Location) -> LocationType {
        let get = entry!(self, SCOREP_Location_GetType).filter(|_| self.has_definitions());
        // SAFETY: the location was passed by the host, and its definition still exists.
        get.map_or(LocationType::INVALID, |get| LocationType(unsafe { get(location.as_ptr()) }))
    }

    /// The name of a location. The host may change it until `pre_unify`.
    pub fn location_name(&self, location: Location) -> Option<&CStr> {
        let get = entry!(self, SCOREP_Location_GetName).filter(|_| self.has_definitions())?;
        // SAFETY: the location was passed by the host, and its name lives as long as its
        // definition.
        unsafe { host_string(get(location.as_ptr())) }
    }

    /// The number of a location in this process: 0, 1, 2, … in the order of definition.
    pub fn location_id(&self, location: Location) -> Option<u32> {
        let get = entry!(self, SCOREP_Location_GetId).filter(|_| self.has_definitions())?;
        // SAFETY: the location was passed by the host, and its definition still exists.
        Some(unsafe { get(location.as_ptr()) })
    }

    /// The number of a location in the program. `None` before `init_mpp`, when a call would make
    /// the host end the program, and after `write_data`.
    pub fn location_global_id(&self, location: Location) -> Option<u64> {
        let get = entry!(self, SCOREP_Location_GetGlobalId)
            .filter(|_| self.has_definitions() && self.has_processes())?;
        // SAFETY: the location was passed by the host, its definition still exists, and the rank is
        // known.
        Some(unsafe { get(location.as_ptr()) })
    }

    /// The pointer that the host stores for this plugin at a location. It is initially null, and
    /// valid from `create_location` to `delete_location`. Before `assign_id` the result is null.
    pub fn location_data<T>(&self, location: Location) -> *mut T {
        let get = entry!(self, SCOREP_Location_GetData).zip(self.plugin_id());
        // SAFETY: the location was passed by the host, and the id was assigned by it.
        get.map_or(core::ptr::null_mut(), |(get, id)| unsafe { get(location.as_ptr(), id) }.cast())
    }

    /// Sets the pointer of [`location_data`](Self::location_data) with a plain store. Returns
    /// `false` if the host cannot store it.
    pub fn set_location_data<T>(&self, location: Location, data: *mut T) -> bool {
        let Some((set, id)) = entry!(self, SCOREP_Location_SetData).zip(self.plugin_id()) else {
            return false;
        };
        // SAFETY: the location was passed by the host, and the id was assigned by it. The host does
        // not follow the pointer.
        unsafe { set(location.as_ptr(), id, data.cast::<c_void>()) };
        true
    }

    fn plugin_id(&self) -> Option<usize> {
        Some(self.cell.plugin_id.load(Ordering::Relaxed)).filter(|&id| id != NO_ID)
    }
}
