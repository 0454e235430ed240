//! Operations as numbers, for a [`Spill`](crate::spill::Spill) or a file.

use super::operation::{CollectivePart, Instance, MessageEnd, Operation, Post};
use crate::channel::{Channel, Direction};
use crate::communicators::{Process, Rank, Scope};
use crate::file_waits::FileOperation;
use crate::one_sided::OneSidedOperation;
use crate::spill::Row;
use crate::threads::ThreadOperation;
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::references::*;

/// The largest number of numbers of an operation.
const MOST: usize = 15;
/// The number of numbers of a channel, with the kind of the operation.
const CHANNEL: usize = 6;

/// The first number of a row is the kind. That of a message also has bits of its channel, and which
/// of its optional numbers are there.
const KIND_BITS: u32 = 4;
const OWN_BITS: u32 = 2;
const HAS_REQUEST: u64 = 1 << (KIND_BITS + OWN_BITS);
const HAS_POST: u64 = HAS_REQUEST << 1;
const SENDER_SIDE: u32 = KIND_BITS + OWN_BITS + 2;
const RECEIVER_SIDE: u32 = SENDER_SIDE + u8::BITS;

impl Operation {
    /// Returns the operation as numbers, a few for the simple ones.
    pub fn to_row(&self) -> impl Iterator<Item = u64> + use<> {
        let (row, length) = match self {
            Self::Message(end) => message_row(end),
            Self::Cancelled { channel, request } => {
                let [head, communicator, own, sender, receiver, tag] = channel_numbers(2, *channel);
                padded([head, communicator, own, sender, receiver, tag, *request])
            }
            Self::Collective(part) => (collective(part), MOST),
            Self::Sent { request } => padded([4, *request]),
            Self::Thread(operation) => {
                let [first, second, third, fourth] = operation.to_numbers();
                padded([5, first, second, third, fourth])
            }
            Self::Posted { post } => padded([6, *post]),
            Self::OneSided(operation) => {
                let [first, second, third, fourth, fifth] = operation.to_numbers();
                padded([7, first, second, third, fourth, fifth])
            }
            Self::File(operation) => {
                let [first, second, third] = operation.to_numbers();
                padded([8, first, second, third])
            }
        };
        row.into_iter().take(length)
    }

    /// Reads an operation. Numbers that [`to_row`](Self::to_row) does not return give any
    /// operation.
    pub fn from_row(row: &mut Row<'_>) -> Self {
        let head = row.number();
        match head & ((1 << KIND_BITS) - 1) {
            3 => Self::Collective(part(std::array::from_fn(|_| row.number()))),
            4 => Self::Sent { request: row.number() },
            5 => Self::Thread(ThreadOperation::from_numbers(std::array::from_fn(|_| row.number()))),
            6 => Self::Posted { post: row.number() },
            7 => Self::OneSided(OneSidedOperation::from_numbers(std::array::from_fn(|_| row.number()))),
            8 => Self::File(FileOperation::from_numbers(std::array::from_fn(|_| row.number()))),
            kind => {
                let channel = channel(head, std::array::from_fn(|_| row.number()));
                match kind {
                    2 => Self::Cancelled { channel, request: row.number() },
                    _ => Self::Message(message(head, channel, row)),
                }
            }
        }
    }
}

fn padded<const N: usize>(numbers: [u64; N]) -> ([u64; MOST], usize) {
    let mut row = [0; MOST];
    row[..N].copy_from_slice(&numbers);
    (row, N)
}

fn message_row(end: &MessageEnd) -> ([u64; MOST], usize) {
    let kind = match end.direction {
        Direction::Send => 0,
        Direction::Receive => 1,
    };
    let mut row = [0; MOST];
    row[..CHANNEL].copy_from_slice(&channel_numbers(kind, end.channel));
    row[CHANNEL] = end.length;
    let mut length = CHANNEL + 1;
    if let Some(request) = end.request {
        row[0] |= HAS_REQUEST;
        row[length] = request;
        length += 1;
    }
    if let Some(Post { start, end, call, number }) = end.posted {
        row[0] |= HAS_POST;
        row[length..length + 4].copy_from_slice(&[start, end.wrapping_sub(start), call, number]);
        length += 4;
    }
    (row, length)
}

fn message(head: u64, channel: Channel, row: &mut Row<'_>) -> MessageEnd {
    let direction = if head & 1 == 0 { Direction::Send } else { Direction::Receive };
    let length = row.number();
    let request = (head & HAS_REQUEST != 0).then(|| row.number());
    let posted = (head & HAS_POST != 0).then(|| {
        let [start, length, call, number] = [(); 4].map(|()| row.number());
        Post { start, end: start.wrapping_add(length), call, number }
    });
    MessageEnd { channel, direction, length, request, posted }
}

/// Returns the first numbers of an operation on a channel.
fn channel_numbers(kind: u64, channel: Channel) -> [u64; CHANNEL] {
    let Channel { communicator, own, sender, receiver, tag } = channel;
    let [own_kind, own] = owner(own);
    let sides = u64::from(sender.side) << SENDER_SIDE | u64::from(receiver.side) << RECEIVER_SIDE;
    let head = kind | own_kind << KIND_BITS | sides;
    [head, communicator.0.into(), own, sender.rank.into(), receiver.rank.into(), tag.into()]
}

fn channel(head: u64, numbers: [u64; CHANNEL - 1]) -> Channel {
    let [communicator, own, sender, receiver, tag] = numbers;
    Channel {
        communicator: CommRef(communicator as u32),
        own: process(head >> KIND_BITS & ((1 << OWN_BITS) - 1), own),
        sender: Rank { side: (head >> SENDER_SIDE) as u8, rank: sender as u32 },
        receiver: Rank { side: (head >> RECEIVER_SIDE) as u8, rank: receiver as u32 },
        tag: tag as u32,
    }
}

fn collective(part: &CollectivePart) -> [u64; MOST] {
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
    let [has_post, post] = optional(part.post);
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
        has_post,
        post,
    ]
}

fn part(numbers: [u64; MOST - 1]) -> CollectivePart {
    let [scope_kind, scope, has_instance, number, own_kind, own, is_unordered, operation, root, rest @ ..] =
        numbers;
    let [sent, received, start, has_post, post] = rest;
    let scope = match scope_kind {
        0 => Scope::Communicator(CommRef(scope as u32)),
        _ => Scope::Window(RmaWinRef(scope as u32)),
    };
    let operation = CollectiveOp(operation as u8);
    let unordered = (is_unordered == 1).then_some(operation);
    let instance = Instance { scope, own: process(own_kind, own), unordered, number };
    let instance = (has_instance == 1).then_some(instance);
    let post = (has_post == 1).then_some(post);
    CollectivePart { scope, instance, operation, root: root as u32, sent, received, start, post }
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
