//! Wait states: intervals in which a location waited inside a call for another location.
//!
//! A [`WaitState`] has a cause: the location whose action at the end of the interval ended the
//! wait. The definitions are those of the field's analyses of wait states, Scalasca above all,
//! where they exist. [`WaitFinder`] finds them in the joined operations of all locations.
//!
//! Invariants: a call has at most one wait state, the longest of its operations; a wait state lies
//! in its call and is not empty. So the wait states of a location do not overlap, unless a call
//! that communicates is inside another one, and their sum is not more than the time in calls.
//! Contradictions between clocks give clipped or no wait states.

mod call_operations;
mod calls;
mod collectives;
mod eager;
mod enclosing_call;
mod finder;
mod kind;
mod messages;
mod receive_order;
mod state;
mod sums;
mod wait_events;

pub use call_operations::{CallOperations, CommunicationFacts};
pub(crate) use collectives::{CollectiveShape, all_finalize, synchronised};
pub use enclosing_call::{EnclosingCall, selected};
pub use finder::{WaitFinder, Waits};
pub use kind::WaitKind;
pub(crate) use messages::Posted;
pub use receive_order::WrongOrder;
pub use state::WaitState;
pub use sums::{WaitSums, Waited};
pub(crate) use wait_events::{EventCall, SynchronisationPartners, WaitEvents};
