//! Communication between locations: messages and collective operations.
//!
//! [`Operations`] finds the operations of one location; locations are independent of each other up
//! to there. [`Matcher`] joins the operations of all locations. Invariant: a send and a receive
//! belong together by the rule of [`Unmatched`], which every user of messages shares.

mod flows;
mod matcher;
mod operation;
mod probed;
mod row;

pub use crate::channel::{Channel, Direction, Message, NoChannel, Unmatched};
pub use crate::communicators::{Communicator, CommunicatorDefinitions, Communicators, Process, Rank, Scope};
pub use flows::Flows;
pub use matcher::{Collective, Matched, Matcher, Member, Pair};
pub use operation::{CollectivePart, Instance, MessageEnd, Operation, Operations, Post};
pub use probed::is_reserved;
