//! Communication between locations: messages and collective operations.
//!
//! [`Operations`] finds what one location did; locations are independent of each other up to there.
//! [`Matcher`] joins the operations of all locations. Invariant: a send and a receive belong
//! together by the rule of [`Unmatched`], which every user of messages shares.

mod channel;
mod communicators;
mod flows;
mod matcher;
mod operation;
mod probes;
mod row;

pub use channel::{Channel, Direction, Message, NoChannel, Unmatched};
pub use communicators::{Communicator, CommunicatorDefinitions, Communicators, Process, Rank};
pub use flows::Flows;
pub use matcher::{Collective, CollectiveShape, Matched, Matcher, Member, Pair};
pub use operation::{Half, Instance, Operation, Operations, Part, Scope};
pub(crate) use probes::Probes;
pub use probes::is_reserved;
