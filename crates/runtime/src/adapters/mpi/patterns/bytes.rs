//! The bytes that a process sends and receives in a collective operation: the formulas of
//! crates/runtime/src/adapters/mpi/functions.toml, `[bytes.*]`.
//!
//! Invariant: arguments are read only where the standard makes them significant.

use crate::adapters::mpi::call::{HandleKind, MpiCall, product, type_size};
use crate::adapters::mpi::communicators::Shape;
use crate::adapters::mpi::function::{ArgumentPlace, Bytes, Collective, NONE};

/// The role of this process in an operation with a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Of an inter-communicator, the group of the root does not take part.
    Absent,
    /// The root of an inter-communicator.
    RemoteRoot,
    Root,
    Other,
}

/// A collective operation of this process.
struct Operation<'a> {
    call: &'a MpiCall<'a>,
    of: &'a Collective,
    shape: Shape,
    /// The processes that this one communicates with: its own group, or the remote one.
    peers: i64,
    me: usize,
    role: Role,
}

/// Returns the bytes sent and received.
pub(super) fn of(call: &MpiCall<'_>, of: &Collective, comm: usize) -> (u64, u64) {
    if of.bytes == Bytes::Barrier {
        return (0, 0);
    }
    let shape = Shape::of(comm);
    let peers = i64::from(shape.remote.unwrap_or(shape.size));
    let root = if of.root == NONE { -1 } else { call.int(of.root) };
    let role = match shape.remote {
        Some(_) if of.root != NONE && root == call.abi.root => Role::RemoteRoot,
        Some(_) if of.root != NONE && root == call.abi.proc_null => Role::Absent,
        Some(_) => Role::Other,
        None if root == shape.rank => Role::Root,
        None => Role::Other,
    };
    Operation { call, of, shape, peers, me: shape.rank.unsigned_abs() as usize, role }.bytes()
}

fn bounded(bytes: i128) -> u64 {
    // Negative counts give huge numbers, as in Score-P.
    bytes as u64
}

impl Operation<'_> {
    fn is_inter(&self) -> bool {
        self.shape.remote.is_some()
    }

    /// Whether this process, as the root, receives from or sends to all.
    fn is_root(&self) -> bool {
        matches!(self.role, Role::Root | Role::RemoteRoot)
    }

    /// Whether this process takes part with its own data.
    fn takes_part(&self) -> bool {
        matches!(self.role, Role::Root | Role::Other)
    }

    fn times(&self, factor: i64, count: ArgumentPlace, datatype: ArgumentPlace) -> u64 {
        let bytes = self.product(count, datatype);
        bounded(i128::from(factor) * i128::from(bytes))
    }

    /// Returns the bytes of a count of a type.
    fn product(&self, count: ArgumentPlace, datatype: ArgumentPlace) -> u64 {
        let datatype = self.call.handle(HandleKind::Datatype, datatype);
        product(self.call.abi, self.call.count(count), datatype)
    }

    fn sent(&self, factor: i64) -> u64 {
        self.times(factor, self.of.send_count, self.of.send_type)
    }

    fn received(&self, factor: i64) -> u64 {
        self.times(factor, self.of.receive_count, self.of.receive_type)
    }

    /// Returns the sum of an array of counts, of this many processes, times the size of the type.
    fn sum(&self, counts: ArgumentPlace, datatype: ArgumentPlace, processes: i64, without_own: bool) -> u64 {
        let all: i128 = (0..processes as usize)
            .filter(|&rank| !(without_own && rank == self.me))
            .map(|rank| i128::from(self.call.count_at(counts, rank)))
            .sum();
        if all == 0 {
            return 0;
        }
        bounded(all * i128::from(type_size(self.call.handle(HandleKind::Datatype, datatype))))
    }

    /// Like `sum`, with a type for each process.
    fn sum_of_types(&self, counts: ArgumentPlace, types: ArgumentPlace, without_own: bool) -> u64 {
        let ranks = (0..self.peers as usize).filter(|&rank| !(without_own && rank == self.me));
        let bytes = ranks.map(|rank| {
            let datatype = self.call.handle_at(HandleKind::Datatype, types, rank);
            i128::from(product(self.call.abi, self.call.count_at(counts, rank), datatype))
        });
        bounded(bytes.sum())
    }

    fn sends_in_place(&self) -> bool {
        !self.is_inter() && self.call.is_in_place(self.of.send_buffer)
    }

    fn receives_in_place(&self) -> bool {
        !self.is_inter() && self.call.is_in_place(self.of.receive_buffer)
    }

    /// Returns the number of processes, without this one if the data stays in place.
    fn peers_without(&self, in_place: bool) -> i64 {
        self.peers - i64::from(in_place)
    }

    fn bytes(&self) -> (u64, u64) {
        match self.of.bytes {
            Bytes::Barrier => (0, 0),
            Bytes::Bcast => self.broadcast(),
            Bytes::Gather | Bytes::Gatherv => self.gather(),
            Bytes::Scatter | Bytes::Scatterv => self.scatter(),
            Bytes::Allgather => self.all_gather(),
            Bytes::Allgatherv => self.all_gather_parts(),
            Bytes::Alltoall => self.all_to_all(),
            Bytes::Alltoallv => self.all_to_all_parts(),
            Bytes::Alltoallw => self.all_to_all_types(),
            Bytes::Allreduce => {
                let bytes = self.sent(self.peers_without(self.sends_in_place()));
                (bytes, bytes)
            }
            Bytes::Reduce => self.reduce(),
            Bytes::ReduceScatter => self.reduce_scatter(),
            Bytes::ReduceScatterBlock => {
                let factor = i64::from(self.shape.size) - i64::from(self.sends_in_place());
                let bytes = self.times(factor, self.of.receive_count, self.of.send_type);
                (bytes, bytes)
            }
            Bytes::Scan | Bytes::Exscan => self.scan(),
        }
    }

    fn broadcast(&self) -> (u64, u64) {
        match self.role {
            Role::Root => (self.sent(self.peers), self.sent(1)),
            Role::RemoteRoot => (self.sent(self.peers), 0),
            Role::Absent => (0, 0),
            Role::Other => (0, self.sent(1)),
        }
    }

    fn gather(&self) -> (u64, u64) {
        let in_place = self.is_root() && self.sends_in_place();
        let sent = if self.takes_part() && !in_place { self.sent(1) } else { 0 };
        let received = match (self.is_root(), self.of.bytes) {
            (false, _) => 0,
            (true, Bytes::Gather) => self.received(self.peers_without(in_place)),
            (true, _) => self.sum(self.of.receive_count, self.of.receive_type, self.peers, in_place),
        };
        (sent, received)
    }

    fn scatter(&self) -> (u64, u64) {
        let in_place = self.is_root() && self.receives_in_place();
        let sent = match (self.is_root(), self.of.bytes) {
            (false, _) => 0,
            (true, Bytes::Scatter) => self.sent(self.peers_without(in_place)),
            (true, _) => self.sum(self.of.send_count, self.of.send_type, self.peers, in_place),
        };
        let received = if self.takes_part() && !in_place { self.received(1) } else { 0 };
        (sent, received)
    }

    fn all_gather(&self) -> (u64, u64) {
        let in_place = self.sends_in_place();
        let peers = self.peers_without(in_place);
        let sent = if in_place { self.received(peers) } else { self.sent(peers) };
        (sent, self.received(peers))
    }

    fn all_gather_parts(&self) -> (u64, u64) {
        let in_place = self.sends_in_place();
        let sent = if in_place {
            let own = i128::from(self.call.count_at(self.of.receive_count, self.me));
            let size = type_size(self.call.handle(HandleKind::Datatype, self.of.receive_type));
            bounded(i128::from(self.peers - 1) * own * i128::from(size))
        } else {
            self.sent(self.peers)
        };
        (sent, self.sum(self.of.receive_count, self.of.receive_type, self.peers, in_place))
    }

    fn all_to_all(&self) -> (u64, u64) {
        if self.is_inter() {
            return (self.sent(self.peers), self.received(self.peers));
        }
        let bytes = self.received(self.peers_without(self.sends_in_place()));
        (bytes, bytes)
    }

    fn all_to_all_parts(&self) -> (u64, u64) {
        let in_place = self.sends_in_place();
        let received = self.sum(self.of.receive_count, self.of.receive_type, self.peers, in_place);
        if in_place {
            return (received, received);
        }
        (self.sum(self.of.send_count, self.of.send_type, self.peers, false), received)
    }

    fn all_to_all_types(&self) -> (u64, u64) {
        let in_place = self.sends_in_place();
        let received = self.sum_of_types(self.of.receive_count, self.of.receive_type, in_place);
        if in_place {
            return (received, received);
        }
        (self.sum_of_types(self.of.send_count, self.of.send_type, false), received)
    }

    fn reduce(&self) -> (u64, u64) {
        match self.role {
            Role::Absent => (0, 0),
            Role::RemoteRoot => (0, self.sent(self.peers)),
            Role::Other => (self.sent(1), 0),
            Role::Root if self.sends_in_place() => (0, self.sent(self.peers - 1)),
            Role::Root => (self.sent(1), self.sent(self.peers)),
        }
    }

    fn reduce_scatter(&self) -> (u64, u64) {
        let in_place = self.sends_in_place();
        let (counts, datatype) = (self.of.receive_count, self.of.send_type);
        let sent = self.sum(counts, datatype, self.shape.size.into(), in_place);
        let own = i128::from(self.call.count_at(counts, self.me));
        if own == 0 {
            return (sent, 0);
        }
        let size = type_size(self.call.handle(HandleKind::Datatype, datatype));
        (sent, bounded(i128::from(self.peers_without(in_place)) * own * i128::from(size)))
    }

    fn scan(&self) -> (u64, u64) {
        let (me, size) = (i64::from(self.shape.rank), i64::from(self.shape.size));
        let is_exclusive = self.of.bytes == Bytes::Exscan;
        let own = i64::from(!is_exclusive && !self.sends_in_place());
        (self.sent(size - me - 1 + own), self.sent(me + own))
    }
}
