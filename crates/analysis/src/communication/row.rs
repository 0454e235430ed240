//! Operations as numbers, for a [`Spill`](crate::spill::Spill) or a file.

use super::operation::{CollectivePart, Instance, MessageEnd, Operation};
use crate::channel::{Channel, Direction};
use crate::communicators::{Process, Rank, Scope};
use crate::spill::Row;
use crate::threads::ThreadOperation;
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::references::*;

const LENGTH: usize = Operation::NUMBERS;

impl Operation {
    /// How many numbers an operation has.
    pub const NUMBERS: usize = 14;

    /// Returns the operation as numbers.
    pub fn to_row(&self) -> [u64; LENGTH] {
        match self {
            Self::Message(end) => {
                let kind = match end.direction {
                    Direction::Send => 0,
                    Direction::Receive => 1,
                };
                let [has_request, request] = optional(end.request);
                let [has_posted, posted] = optional(end.posted);
                with_channel(kind, end.channel, [end.length, has_request, request, has_posted, posted])
            }
            Self::Cancelled { channel, request } => with_channel(2, *channel, [*request, 0, 0, 0, 0]),
            Self::Collective(part) => collective(part),
            Self::Thread(operation) => {
                let mut row = [0; LENGTH];
                row[0] = 5;
                row[1..=ThreadOperation::NUMBERS].copy_from_slice(&operation.to_numbers());
                row
            }
            Self::Sent { request } => {
                let mut row = [0; LENGTH];
                (row[0], row[1]) = (4, *request);
                row
            }
        }
    }

    /// Reads an operation. Numbers that [`to_row`](Self::to_row) does not return give any
    /// operation.
    pub fn from_row(row: &mut Row<'_>) -> Self {
        let numbers: [u64; LENGTH] = std::array::from_fn(|_| row.number());
        let [kind, rest @ ..] = numbers;
        if kind == 3 {
            return Self::Collective(part(rest));
        }
        if kind == 4 {
            return Self::Sent { request: rest[0] };
        }
        if kind == 5 {
            let [first, second, third, fourth, ..] = rest;
            return Self::Thread(ThreadOperation::from_numbers([first, second, third, fourth]));
        }
        let [communicator, own_kind, own, sender_side, sender, receiver_side, receiver, tag, rest @ ..] =
            rest;
        let channel = Channel {
            communicator: CommRef(communicator as u32),
            own: process(own_kind, own),
            sender: Rank { side: sender_side as u8, rank: sender as u32 },
            receiver: Rank { side: receiver_side as u8, rank: receiver as u32 },
            tag: tag as u32,
        };
        let [first, has_request, request, has_posted, posted] = rest;
        if kind == 2 {
            return Self::Cancelled { channel, request: first };
        }
        Self::Message(MessageEnd {
            channel,
            direction: if kind == 0 { Direction::Send } else { Direction::Receive },
            length: first,
            request: (has_request == 1).then_some(request),
            posted: (has_posted == 1).then_some(posted),
        })
    }
}

fn with_channel(kind: u64, channel: Channel, rest: [u64; 5]) -> [u64; LENGTH] {
    let Channel { communicator, own, sender, receiver, tag } = channel;
    let [own_kind, own] = owner(own);
    let [sender_side, receiver_side] = [sender, receiver].map(|it| u64::from(it.side));
    let [sender, receiver] = [sender, receiver].map(|it| u64::from(it.rank));
    let [a, b, c, d, e] = rest;
    let communicator = communicator.0.into();
    [
        kind,
        communicator,
        own_kind,
        own,
        sender_side,
        sender,
        receiver_side,
        receiver,
        tag.into(),
        a,
        b,
        c,
        d,
        e,
    ]
}

fn collective(part: &CollectivePart) -> [u64; LENGTH] {
    let [scope_kind, scope] = match part.scope {
        Scope::Communicator(id) => [0, id.0.into()],
        Scope::Window(id) => [1, id.0.into()],
    };
    let own = part.instance.and_then(|it| it.own);
    let is_unordered = part.instance.is_some_and(|it| it.unordered.is_some());
    let [has_instance, number] = optional(part.instance.map(|it| it.number));
    let [own_kind, own] = owner(own);
    let operation = part.operation.0.into();
    let (root, start) = (part.root.into(), part.start);
    [
        3,
        scope_kind,
        scope,
        has_instance,
        number,
        own_kind,
        own,
        is_unordered.into(),
        operation,
        root,
        part.sent,
        part.received,
        start,
        0,
    ]
}

fn part(numbers: [u64; LENGTH - 1]) -> CollectivePart {
    let [scope_kind, scope, has_instance, number, own_kind, own, is_unordered, operation, root, rest @ ..] =
        numbers;
    let [sent, received, start, _] = rest;
    let scope = match scope_kind {
        0 => Scope::Communicator(CommRef(scope as u32)),
        _ => Scope::Window(RmaWinRef(scope as u32)),
    };
    let operation = CollectiveOp(operation as u8);
    let unordered = (is_unordered == 1).then_some(operation);
    let instance = Instance { scope, own: process(own_kind, own), unordered, number };
    let instance = (has_instance == 1).then_some(instance);
    CollectivePart { scope, instance, operation, root: root as u32, sent, received, start }
}

fn optional(number: Option<u64>) -> [u64; 2] {
    number.map_or([0, 0], |number| [1, number])
}

fn owner(process: Option<Process>) -> [u64; 2] {
    match process {
        None => [0, 0],
        Some(process @ Process::Group(_)) => [1, process.number()],
        Some(process @ Process::Location(_)) => [2, process.number()],
    }
}

fn process(kind: u64, number: u64) -> Option<Process> {
    match kind {
        1 => Some(Process::Group(LocationGroupRef(number as u32))),
        2 => Some(Process::Location(LocationRef(number))),
        _ => None,
    }
}
