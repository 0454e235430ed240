//! MPI: point to point, collectives, requests, communicators (events 11 to 20 and 79 to 82), and
//! matched receives (83 to 86).

use kymo_otf2::events::{
    CommCreate, CommDestroy, MpiCollectiveBegin, MpiCollectiveEnd, MpiImrecv, MpiImrecvRequest, MpiIrecv,
    MpiIrecvRequest, MpiIsend, MpiIsendComplete, MpiMrecv, MpiProbe, MpiRecv, MpiRequestCancelled,
    MpiRequestTest, MpiSend, NonBlockingCollectiveComplete, NonBlockingCollectiveRequest,
};
use kymo_otf2::records::EventRecord;
use kymo_recorder::EventClass;
use kymo_substrate::{CollectiveType, InterimCommunicatorHandle, Location, MpiRank, Timestamp};

use super::callbacks;
use crate::{events::Sink, mapping};

callbacks! {
    [record]
    |_sink, request: u64| { request_id: request }
    mpi_isend_complete: MpiIsendComplete,
}

callbacks! {
    [count MpiCommunication]
    |_sink, request: u64| { request_id: request }
    mpi_irecv_request: MpiIrecvRequest,
    mpi_request_tested: MpiRequestTest,
    mpi_request_cancelled: MpiRequestCancelled,
    mpi_non_blocking_collective_request: NonBlockingCollectiveRequest,
}

callbacks! {
    [count MpiCommunication]
    |_sink, message: u64, bytes: u64| { message_id: message, msg_length: bytes }
    mpi_mrecv: MpiMrecv,
}

callbacks! {
    [count MpiCommunication]
    |_sink, message: u64, request: u64| { message_id: message, request_id: request }
    mpi_imrecv_request: MpiImrecvRequest,
}

callbacks! {
    [count MpiCommunication]
    |_sink, request: u64, bytes: u64| { request_id: request, msg_length: bytes }
    mpi_imrecv: MpiImrecv,
}

callbacks! {
    [count MpiCommunication]
    |sink, communicator: InterimCommunicatorHandle| { communicator: sink.comm(communicator) }
    comm_create: CommCreate,
    comm_destroy: CommDestroy,
}

impl Sink {
    pub(super) fn mpi_send(
        &self,
        at: Location,
        time: Timestamp,
        destination: MpiRank,
        communicator: InterimCommunicatorHandle,
        tag: u32,
        bytes: u64,
    ) {
        self.record_mpi(
            at,
            time,
            &MpiSend {
                receiver: destination.0 as u32,
                communicator: self.comm(communicator),
                msg_tag: tag,
                msg_length: bytes,
            },
        );
    }

    pub(super) fn mpi_recv(
        &self,
        at: Location,
        time: Timestamp,
        source: MpiRank,
        communicator: InterimCommunicatorHandle,
        tag: u32,
        bytes: u64,
    ) {
        self.record_mpi(
            at,
            time,
            &MpiRecv {
                sender: source.0 as u32,
                communicator: self.comm(communicator),
                msg_tag: tag,
                msg_length: bytes,
            },
        );
    }

    pub(super) fn mpi_probe(
        &self,
        at: Location,
        time: Timestamp,
        source: MpiRank,
        communicator: InterimCommunicatorHandle,
        tag: u32,
        message: u64,
    ) {
        let (sender, communicator) = (source.0 as u32, self.comm(communicator));
        self.record_mpi(at, time, &MpiProbe { sender, communicator, tag, message_id: message });
    }

    pub(super) fn mpi_collective_begin(&self, at: Location, time: Timestamp) {
        self.record_mpi(at, time, &MpiCollectiveBegin {});
    }

    pub(super) fn mpi_collective_end(
        &self,
        at: Location,
        time: Timestamp,
        communicator: InterimCommunicatorHandle,
        root: MpiRank,
        collective: CollectiveType,
        sent: u64,
        received: u64,
    ) {
        let record = MpiCollectiveEnd {
            collective_op: mapping::collective_op(collective),
            communicator: self.comm(communicator),
            root: collective_root(root),
            size_sent: sent,
            size_received: received,
        };
        self.record_mpi(at, time, &record);
    }

    pub(super) fn mpi_isend(
        &self,
        at: Location,
        time: Timestamp,
        destination: MpiRank,
        communicator: InterimCommunicatorHandle,
        tag: u32,
        bytes: u64,
        request: u64,
    ) {
        self.record_mpi(
            at,
            time,
            &MpiIsend {
                receiver: destination.0 as u32,
                communicator: self.comm(communicator),
                msg_tag: tag,
                msg_length: bytes,
                request_id: request,
            },
        );
    }

    pub(super) fn mpi_irecv(
        &self,
        at: Location,
        time: Timestamp,
        source: MpiRank,
        communicator: InterimCommunicatorHandle,
        tag: u32,
        bytes: u64,
        request: u64,
    ) {
        self.record_mpi(
            at,
            time,
            &MpiIrecv {
                sender: source.0 as u32,
                communicator: self.comm(communicator),
                msg_tag: tag,
                msg_length: bytes,
                request_id: request,
            },
        );
    }

    pub(super) fn mpi_non_blocking_collective_complete(
        &self,
        at: Location,
        time: Timestamp,
        communicator: InterimCommunicatorHandle,
        root: MpiRank,
        collective: CollectiveType,
        sent: u64,
        received: u64,
        request: u64,
    ) {
        let record = NonBlockingCollectiveComplete {
            collective_op: mapping::collective_op(collective),
            communicator: self.comm(communicator),
            root: collective_root(root),
            size_sent: sent,
            size_received: received,
            request_id: request,
        };
        self.record_mpi(at, time, &record);
    }

    fn record_mpi<R: EventRecord>(&self, at: Location, time: Timestamp, record: &R) {
        self.record_classed(at, time, EventClass::MpiCommunication, record);
    }
}

/// Converts the root of a collective. The special roots of inter-communicators (-1 none, -2 self,
/// -3 other member of the group) become the top values of OTF2's root.
fn collective_root(root: MpiRank) -> u32 {
    root.0 as u32
}
