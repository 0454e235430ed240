//! A request: an operation that a program has started, as it is kept until its completion.

use crate::adapters::mpi::table::Fields;

/// The operation that a request completes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum RequestKind {
    Send,
    Receive,
    /// A receive of a message that a probe has reserved.
    MatchedReceive,
    /// A send and a receive with one request.
    SendReceive,
    Collective,
    /// `MPI_Comm_idup`.
    Duplicate,
    Read,
    Write,
    Rma,
}

const KINDS: [RequestKind; 9] = [
    RequestKind::Send,
    RequestKind::Receive,
    RequestKind::MatchedReceive,
    RequestKind::SendReceive,
    RequestKind::Collective,
    RequestKind::Duplicate,
    RequestKind::Read,
    RequestKind::Write,
    RequestKind::Rma,
];

pub(super) const PERSISTENT: u8 = 1;
pub(super) const ACTIVE: u8 = 2;
/// `MPI_Cancel` was called: whether it was cancelled must be asked.
pub(super) const CANCELLED: u8 = 4;
/// Its completion was recorded, but the program has not waited for it.
pub(super) const DONE: u8 = 8;
/// The start of a receive has no event (without the group `xnonblock`).
pub(super) const PLAIN: u8 = 16;

/// A request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request {
    pub(super) kind: RequestKind,
    pub(super) flags: u8,
    /// The destination of a send, the root of a collective operation.
    pub(super) peer: i32,
    pub(super) id: u64,
    /// The communicator, window or file.
    pub(super) definition: u32,
    /// The tag of a send, the kind of a collective operation.
    pub(super) tag: u32,
    pub(super) sent: u64,
    pub(super) received: u64,
    /// The id of the send of `SendReceive`, the number of the message of a probe, the address of
    /// the new communicator, the key of the operation on a window.
    pub(super) extra: u64,
}

impl Request {
    pub(super) fn new(kind: RequestKind, id: u64, definition: u32) -> Self {
        Self { kind, flags: 0, peer: 0, id, definition, tag: 0, sent: 0, received: 0, extra: 0 }
    }

    pub(super) fn fields(self) -> Fields {
        let Self { kind, flags, peer, id, definition, tag, sent, received, extra } = self;
        let first = kind as u64 | u64::from(flags) << 8 | u64::from(peer.cast_unsigned()) << 32;
        [first, id, u64::from(definition) | u64::from(tag) << 32, sent, received, extra]
    }

    pub(super) fn of(fields: Fields) -> Option<Self> {
        let [first, id, second, sent, received, extra] = fields;
        Some(Self {
            kind: *KINDS.get((first & 0xff) as usize)?,
            flags: (first >> 8) as u8,
            peer: ((first >> 32) as u32).cast_signed(),
            id,
            definition: second as u32,
            tag: (second >> 32) as u32,
            sent,
            received,
            extra,
        })
    }

    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}
