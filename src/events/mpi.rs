//! MPI: point to point, collectives, requests, communicators (events 11 to 20 and 79 to 82).

use kymo_otf2::events::{
    CommCreate, CommDestroy, MpiCollectiveBegin, MpiCollectiveEnd, MpiIrecv, MpiIrecvRequest, MpiIsend,
    MpiIsendComplete, MpiRecv, MpiRequestCancelled, MpiRequestTest, MpiSend, NonBlockingCollectiveComplete,
    NonBlockingCollectiveRequest,
};
use kymo_recorder::EventClass;
use kymo_substrate::{CollectiveType, InterimCommunicatorHandle, Location, MpiRank, Timestamp};

use crate::{Kymo, mapping};

impl Kymo {
    pub(crate) fn mpi_send(
        &self,
        at: Location,
        time: Timestamp,
        destination: MpiRank,
        communicator: InterimCommunicatorHandle,
        tag: u32,
        bytes: u64,
    ) {
        self.record_classed(
            at,
            time,
            EventClass::MpiCommunication,
            &MpiSend {
                receiver: destination.0 as u32,
                communicator: self.comm(communicator),
                msg_tag: tag,
                msg_length: bytes,
            },
        );
    }

    pub(crate) fn mpi_recv(
        &self,
        at: Location,
        time: Timestamp,
        source: MpiRank,
        communicator: InterimCommunicatorHandle,
        tag: u32,
        bytes: u64,
    ) {
        self.record_classed(
            at,
            time,
            EventClass::MpiCommunication,
            &MpiRecv {
                sender: source.0 as u32,
                communicator: self.comm(communicator),
                msg_tag: tag,
                msg_length: bytes,
            },
        );
    }

    pub(crate) fn mpi_collective_begin(&self, at: Location, time: Timestamp) {
        self.record_classed(at, time, EventClass::MpiCommunication, &MpiCollectiveBegin {});
    }

    pub(crate) fn mpi_collective_end(
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
        self.record_classed(at, time, EventClass::MpiCommunication, &record);
    }

    pub(crate) fn mpi_isend_complete(&self, at: Location, time: Timestamp, request: u64) {
        self.record(at, time, &MpiIsendComplete { request_id: request });
    }

    pub(crate) fn mpi_irecv_request(&self, at: Location, time: Timestamp, request: u64) {
        self.record_classed(at, time, EventClass::MpiCommunication, &MpiIrecvRequest { request_id: request });
    }

    pub(crate) fn mpi_request_tested(&self, at: Location, time: Timestamp, request: u64) {
        self.record_classed(at, time, EventClass::MpiCommunication, &MpiRequestTest { request_id: request });
    }

    pub(crate) fn mpi_request_cancelled(&self, at: Location, time: Timestamp, request: u64) {
        self.record_classed(
            at,
            time,
            EventClass::MpiCommunication,
            &MpiRequestCancelled { request_id: request },
        );
    }

    pub(crate) fn mpi_isend(
        &self,
        at: Location,
        time: Timestamp,
        destination: MpiRank,
        communicator: InterimCommunicatorHandle,
        tag: u32,
        bytes: u64,
        request: u64,
    ) {
        self.record_classed(
            at,
            time,
            EventClass::MpiCommunication,
            &MpiIsend {
                receiver: destination.0 as u32,
                communicator: self.comm(communicator),
                msg_tag: tag,
                msg_length: bytes,
                request_id: request,
            },
        );
    }

    pub(crate) fn mpi_irecv(
        &self,
        at: Location,
        time: Timestamp,
        source: MpiRank,
        communicator: InterimCommunicatorHandle,
        tag: u32,
        bytes: u64,
        request: u64,
    ) {
        self.record_classed(
            at,
            time,
            EventClass::MpiCommunication,
            &MpiIrecv {
                sender: source.0 as u32,
                communicator: self.comm(communicator),
                msg_tag: tag,
                msg_length: bytes,
                request_id: request,
            },
        );
    }

    pub(crate) fn mpi_non_blocking_collective_request(&self, at: Location, time: Timestamp, request: u64) {
        self.record_classed(
            at,
            time,
            EventClass::MpiCommunication,
            &NonBlockingCollectiveRequest { request_id: request },
        );
    }

    pub(crate) fn mpi_non_blocking_collective_complete(
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
        self.record_classed(at, time, EventClass::MpiCommunication, &record);
    }

    pub(crate) fn comm_create(&self, at: Location, time: Timestamp, communicator: InterimCommunicatorHandle) {
        self.record_classed(
            at,
            time,
            EventClass::MpiCommunication,
            &CommCreate { communicator: self.comm(communicator) },
        );
    }

    pub(crate) fn comm_destroy(
        &self,
        at: Location,
        time: Timestamp,
        communicator: InterimCommunicatorHandle,
    ) {
        self.record_classed(
            at,
            time,
            EventClass::MpiCommunication,
            &CommDestroy { communicator: self.comm(communicator) },
        );
    }
}

/// Converts the root of a collective. The special roots of inter-communicators (-1 none, -2 self,
/// -3 other member of the group) become the top values of OTF2's root.
fn collective_root(root: MpiRank) -> u32 {
    root.0 as u32
}
