//! Events that Score-P does not have: MPI's matched receives, as OTF2 records them since 3.2.
//!
//! Only a host of ours passes them. It shows that it has them by exporting the symbol [`HOST`], and
//! passes them only to our plugin: their numbers follow those of the newest Score-P, and a later
//! release may use these for something else.

use core::ffi::CStr;

use crate::bindings::*;

/// The symbol that a host with these events exports.
pub const HOST: &CStr = c"kymo_host_has_matched_receives";

/// A message was found and reserved for a receive.
pub const KYMO_EVENT_MPI_PROBE: SCOREP_Substrates_EventType = SCOREP_SUBSTRATES_NUM_EVENTS;
/// The message of a probe was received.
pub const KYMO_EVENT_MPI_MRECV: SCOREP_Substrates_EventType = SCOREP_SUBSTRATES_NUM_EVENTS + 1;
/// A non-blocking receive of the message of a probe begins.
pub const KYMO_EVENT_MPI_IMRECV_REQUEST: SCOREP_Substrates_EventType = SCOREP_SUBSTRATES_NUM_EVENTS + 2;
/// A non-blocking receive of the message of a probe is complete.
pub const KYMO_EVENT_MPI_IMRECV: SCOREP_Substrates_EventType = SCOREP_SUBSTRATES_NUM_EVENTS + 3;
/// The number of events with these.
pub const ALL_EVENTS: usize = KYMO_EVENT_MPI_IMRECV as usize + 1;

/// The location, the time, the source, the communicator, the tag, and the number of the message.
pub type MpiProbeCb = Option<
    unsafe extern "C" fn(
        *mut SCOREP_Location,
        u64,
        SCOREP_MpiRank,
        SCOREP_InterimCommunicatorHandle,
        u32,
        u64,
    ),
>;
/// The location, the time, and two numbers: of the message and its bytes, of the message and the
/// request, or of the request and the bytes.
pub type MatchedReceiveCb = Option<unsafe extern "C" fn(*mut SCOREP_Location, u64, u64, u64)>;
