"""The events that otf2-print should show of a recording."""
import struct
from collections import defaultdict

from names import *


class Events:
    """The records of each location. A record is a list of time, kind, text, attributes."""

    def __init__(self, recording):
        self.r = recording
        self.records = defaultdict(list)
        self.marks = defaultdict(list)           # per location: region, time, number of records, classes seen
        self.memory = {}                         # the allocation function that a location is in
        self.flush = {}
        self.incomplete = set()
        self.begun, self.reused = set(), False
        self.seen = defaultdict(list)            # classes of events, per location
        self.times = []
        for call in recording.calls:
            if call["call"] == "event":
                self.event(call)

    CLASSES = {**dict.fromkeys([11, 12, 13, 14, 16, 17, 18, 19, 20, 79, 80], "MPI_COMMUNICATION"),
               **dict.fromkeys(range(47, 55), "THREAD_FORK_JOIN_EVENT"), **dict.fromkeys(range(55, 59), "THREAD_CREATE_WAIT_EVENT"),
               39: "THREAD_LOCK_EVENT", 40: "THREAD_LOCK_EVENT"}
    NEW = ["MPI_NON_BLOCKING_COLLECTIVE_REQUEST", "MPI_NON_BLOCKING_COLLECTIVE_COMPLETE", "COMM_CREATE", "COMM_DESTROY"]
    # Kept while recording is off: events that later events refer to, and the end.
    KEPT = ["RMA_WIN_CREATE", "RMA_WIN_DESTROY", "COMM_CREATE", "COMM_DESTROY", "IO_CREATE_HANDLE", "IO_DESTROY_HANDLE",
            "IO_DUPLICATE_HANDLE", "PROGRAM_END"]

    @staticmethod
    def class_of(name):
        if name.startswith("MPI_") and name != "MPI_ISEND_COMPLETE":
            return "MPI_COMMUNICATION"
        if name.startswith("THREAD_FORK_JOIN"):
            return "THREAD_FORK_JOIN_EVENT"
        if name.startswith("THREAD_CREATE_WAIT"):
            return "THREAD_CREATE_WAIT_EVENT"
        return "THREAD_LOCK_EVENT" if name in ("THREAD_ACQUIRE_LOCK", "THREAD_RELEASE_LOCK") else None

    def write(self, location, time, kind, text="", attributes=()):
        if location in self.flush and len(self.flush[location]) == 2:
            begin, end = self.flush.pop(location)
            self.records[location].append([min(begin, time), "BUFFER_FLUSH", f"Stop Time: {end}", []])
        self.records[location].append([time, kind, text, list(attributes)])

    def event(self, e):
        name, at, time = e["name"], e["location"] << 32, e["timestamp"]
        if self.r.old and name in self.NEW:
            return
        kind = self.class_of(name)
        if name == "THREAD_CREATE_WAIT_BEGIN":
            self.reused |= at in self.begun
            self.begun.add(at)
        if e.get("table") == "disabled":
            if name == "PROGRAM_END":
                self.times.append(time)
            if kind:
                self.incomplete.add(kind)
            if name not in self.KEPT:
                return
        elif kind:
            self.seen[at].append(kind)
        if name in ("PROGRAM_BEGIN", "PROGRAM_END"):
            self.times.append(time)
        getattr(self, name.lower())(e, at, time)

    # Metrics.

    def values(self, location, time, sampling_set, values):
        body, metrics = self.r.sets[sampling_set]
        shown = []
        for metric, bits in zip(metrics, values):
            kind = VALUE_TYPES[self.r.word(metric, 36)]
            value = {"INT64": lambda: str(struct.unpack("<q", struct.pack("<Q", bits))[0]), "UINT64": lambda: str(bits),
                     "DOUBLE": lambda: "%g" % struct.unpack("<d", struct.pack("<Q", bits))[0]}[kind]()
            shown.append(f"({self.r.metric_names[metric]}; {kind}; {value})")
        self.write(location, time, "METRIC", f"Metric: {{{body}}}, {plural(len(shown), 'Value')}: " + ", ".join(shown))

    def metrics(self, e, lists=("async", "strict", "sync")):
        for name in lists:
            for entry in e.get("metrics", {}).get(name, []):
                time = entry["timestamp"] if name == "async" else e["timestamp"]
                self.values(entry["location"] << 32, time, entry["samplingSet"], entry["values"])

    # Recording, regions, contexts.

    def enable_recording(self, e, at, time):
        self.write(at, time, "MEASUREMENT_ON_OFF", "Mode: ON")

    def disable_recording(self, e, at, time):
        self.write(at, time, "MEASUREMENT_ON_OFF", "Mode: OFF")

    def on_tracing_buffer_flush_begin(self, e, at, time):
        self.flush[at] = (time,)

    def on_tracing_buffer_flush_end(self, e, at, time):
        self.flush[at] = (self.flush[at][0], time)

    def enter_region(self, e, at, time):
        self.metrics(e)
        region = e["regionHandle"]
        self.write(at, time, "ENTER", f"Region: {self.r.regions[region]}")
        if self.r.word(region, 32) in (40, 41, 42) and self.r.word(region, 48) in (4, 6):
            # The record of the enter, whether the region is MPI's, its type, the attributes of the leave.
            self.memory[at] = [self.records[at][-1], self.r.word(region, 48) == 6, self.r.word(region, 32), None]

    def exit_region(self, e, at, time):
        self.metrics(e)
        region = e["regionHandle"]
        attributes = []
        if self.r.word(region, 32) in (40, 41, 42) and self.r.word(region, 48) in (4, 6) and at in self.memory:
            _, mpi, kind, leave = self.memory.pop(at)
            nothing = [] if mpi else [("DEALLOCATION_SIZE", 0)] if kind == 41 else [("RESULT_ADDRESS", 0)]
            attributes = nothing if leave is None else leave
        self.write(at, time, "LEAVE", f"Region: {self.r.regions[region]}", attributes)

    def track(self, at, enter, leave):
        if at not in self.memory:
            return
        record, mpi, kind, _ = self.memory[at]
        enter, leave = enter(kind, mpi), leave(mpi)
        if self.records[at] and self.records[at][-1] is record:
            record[3] = enter
        self.memory[at][3] = leave

    def track_alloc(self, e, at, time):
        self.track(at, lambda kind, mpi: [("ALLOCATION_SIZE", e["bytesAllocated"])],
                   lambda mpi: [] if mpi else [("RESULT_ADDRESS", e["addrAllocated"])])

    def track_realloc(self, e, at, time):
        self.track(at, lambda kind, mpi: [("ALLOCATION_SIZE", e["newBytesAllocated"]), ("ARGUMENT_ADDRESS", e["oldAddr"])],
                   lambda mpi: [("DEALLOCATION_SIZE", e["oldBytesAllocated"]), ("RESULT_ADDRESS", e["newAddr"])])

    def track_free(self, e, at, time):
        address = [("ARGUMENT_ADDRESS", e["addrFreed"])]
        self.track(at, lambda kind, mpi: [] if mpi else [("ALLOCATION_SIZE", 0)] + address if kind == 42 else address,
                   lambda mpi: [("DEALLOCATION_SIZE", e["bytesFreed"])])

    def sample(self, e, at, time):
        self.metrics(e, ("async",))
        if e["callingContext"]:
            self.metrics(e, ("strict", "sync"))
            generator = self.r.generators.get(e["interruptGeneratorHandle"], "UNDEFINED")
            self.write(at, time, "CALLING_CONTEXT_SAMPLE", f"Calling Context: {self.r.contexts[e['callingContext']]}, Unwind Distance: "
                       f"{e['unwindDistance']}, Interrupt Generator: {generator}")

    def calling_context_enter(self, e, at, time):
        self.metrics(e)
        self.write(at, time, "CALLING_CONTEXT_ENTER",
                   f"Calling Context: {self.r.contexts[e['callingContext']]}, Unwind Distance: {e['unwindDistance']}")

    def calling_context_exit(self, e, at, time):
        self.metrics(e)
        self.write(at, time, "CALLING_CONTEXT_LEAVE", f"Calling Context: {self.r.contexts[e['callingContext']]}")

    def enter_rewind_region(self, e, at, time):
        marks = self.marks[at]
        marks[:] = [mark for mark in marks if mark[0] != e["regionHandle"]]
        marks.append((e["regionHandle"], time, len(self.records[at]), len(self.seen[at])))

    def exit_rewind_region(self, e, at, time):
        marks = self.marks[at]
        place = next((i for i, mark in enumerate(marks) if mark[0] == e["regionHandle"]), None)
        if place is None:
            return
        _, begin, count, seen = marks[place]
        del marks[place:]
        if e["doRewind"]:
            del self.records[at][count:]
            self.incomplete |= set(self.seen[at][seen:])
            self.write(at, begin, "MEASUREMENT_ON_OFF", "Mode: OFF")
            self.write(at, begin, "MEASUREMENT_ON_OFF", "Mode: ON")

    # Messages.

    def named(self, interim):
        communicator = self.r.comm_of[interim]
        return communicator, self.r.text(self.r.word(communicator, 28))

    def root(self, root, communicator):
        special = {NONE32: "NONE", NONE32 - 1: "SELF", NONE32 - 2: "THIS_GROUP"}
        return special.get(root) or self.r.rank(root, communicator)

    def message(self, e, at, time, kind, who, rank, length, request=False):
        communicator, name = self.named(e["communicatorHandle"])
        text = (f"{who}: {self.r.rank(e[rank] & NONE32, communicator)}, Communicator: {name}, Tag: {e['tag']}, Length: {e[length]}")
        self.write(at, time, kind, text + (f", Request: {e['requestId']}" if request else ""))

    def mpi_send(self, e, at, time):
        self.message(e, at, time, "MPI_SEND", "Receiver", "destinationRank", "bytesSent")

    def mpi_recv(self, e, at, time):
        self.message(e, at, time, "MPI_RECV", "Sender", "sourceRank", "bytesReceived")

    def mpi_isend(self, e, at, time):
        self.message(e, at, time, "MPI_ISEND", "Receiver", "destinationRank", "bytesSent", True)

    def mpi_irecv(self, e, at, time):
        self.message(e, at, time, "MPI_IRECV", "Sender", "sourceRank", "bytesReceived", True)

    def mpi_collective_begin(self, e, at, time):
        self.write(at, time, "MPI_COLLECTIVE_BEGIN")

    def collective(self, e, at, time, kind):
        communicator, name = self.named(e["communicatorHandle"])
        return (f"Operation: {of(COLLECTIVES, e['collectiveType'])}, Communicator: {name}, Root: "
                f"{self.root(e['rootRank'] & NONE32, communicator)}, Sent: {e['bytesSent']}, Received: {e['bytesReceived']}")

    def mpi_collective_end(self, e, at, time):
        self.write(at, time, "MPI_COLLECTIVE_END", self.collective(e, at, time, None))

    def mpi_non_blocking_collective_complete(self, e, at, time):
        self.write(at, time, "NON_BLOCKING_COLLECTIVE_COMPLETE", self.collective(e, at, time, None) + f", Request: {e['requestId']}")

    def comm_create(self, e, at, time):
        self.write(at, time, "COMM_CREATE", f"Communicator: {self.named(e['communicatorHandle'])[1]}")

    def comm_destroy(self, e, at, time):
        self.write(at, time, "COMM_DESTROY", f"Communicator: {self.named(e['communicatorHandle'])[1]}")

    # Threads.

    def model(self, e):
        return f"Model: {self.r.paradigm(e['paradigm'])}"

    def thread_acquire_lock(self, e, at, time, kind="THREAD_ACQUIRE_LOCK"):
        self.write(at, time, kind, f"{self.model(e)}, Lock: {e['lockId']}, Acquisition Order: {e['acquisitionOrder']}")

    def thread_release_lock(self, e, at, time):
        self.thread_acquire_lock(e, at, time, "THREAD_RELEASE_LOCK")

    def thread_fork_join_fork(self, e, at, time):
        self.write(at, time, "THREAD_FORK", f"{self.model(e)}, # Requested Threads: {e['nRequestedThreads']}")

    def thread_fork_join_join(self, e, at, time):
        self.write(at, time, "THREAD_JOIN", self.model(e))

    def thread_id(self, e):
        return [("ThreadId", e["threadId"])] if self.r.release >= "7" and e["threadId"] else []

    def thread_fork_join_team_begin(self, e, at, time):
        self.write(at, time, "THREAD_TEAM_BEGIN", f"Thread Team: {self.named(e['threadTeam'])[1]}", self.thread_id(e))

    def thread_fork_join_team_end(self, e, at, time):
        self.write(at, time, "THREAD_TEAM_END", f"Thread Team: {self.named(e['threadTeam'])[1]}")

    def task(self, e, at, time, kind):
        communicator, name = self.named(e["threadTeam"])
        self.write(at, time, kind, f"Thread Team: {name}, Creating Thread: {self.r.rank(e['threadId'], communicator)}, "
                   f"Generation Number: {e['generationNumber']}")

    def thread_fork_join_task_create(self, e, at, time):
        self.task(e, at, time, "THREAD_TASK_CREATE")

    def thread_fork_join_task_switch(self, e, at, time):
        self.task(e, at, time, "THREAD_TASK_SWITCH")

    def thread_fork_join_task_begin(self, e, at, time):
        self.task(e, at, time, "THREAD_TASK_SWITCH")
        self.metrics(e)
        self.write(at, time, "ENTER", f"Region: {self.r.regions[e['regionHandle']]}")

    def thread_fork_join_task_end(self, e, at, time):
        self.metrics(e)
        self.write(at, time, "LEAVE", f"Region: {self.r.regions[e['regionHandle']]}")
        self.task(e, at, time, "THREAD_TASK_COMPLETE")

    def contingent(self, e, at, time, kind, attributes=()):
        count = e["createSequenceCount"]
        shown = NONE64 if count == NONE32 else count
        self.write(at, time, kind, f"Thread Contingent: {self.named(e['threadTeam'])[1]}, Sequence Count: {shown}", attributes)

    def thread_create_wait_create(self, e, at, time):
        self.contingent(e, at, time, "THREAD_CREATE")

    def thread_create_wait_wait(self, e, at, time):
        self.contingent(e, at, time, "THREAD_WAIT")

    def thread_create_wait_begin(self, e, at, time):
        self.contingent(e, at, time, "THREAD_BEGIN", self.thread_id(e))

    def thread_create_wait_end(self, e, at, time):
        self.contingent(e, at, time, "THREAD_END")

    # Counters, parameters, the program.

    def counter(self, e, at, time, kind, value):
        body, metrics = self.r.sets[e["counterHandle"]]
        self.write(at, time, "METRIC", f"Metric: {{{body}}}, 1 Value: ({self.r.metric_names[metrics[0]]}; {kind}; {value})")

    def trigger_counter_int64(self, e, at, time):
        self.counter(e, at, time, "INT64", e["value"])

    def trigger_counter_uint64(self, e, at, time):
        self.counter(e, at, time, "UINT64", e["value"])

    def trigger_counter_double(self, e, at, time):
        self.counter(e, at, time, "DOUBLE", "%g" % e["value"])

    def write_post_mortem_metrics(self, e, at, time):
        self.values(at, time, e["samplingSet"], e["metricValues"])

    def parameter(self, e, at, time, kind, value):
        self.write(at, time, kind, f"Parameter: {self.r.text(self.r.word(e['parameterHandle'], 20))}, Value: {value}")

    def trigger_parameter_int64(self, e, at, time):
        self.parameter(e, at, time, "PARAMETER_INT64", e["value"])

    def trigger_parameter_uint64(self, e, at, time):
        self.parameter(e, at, time, "PARAMETER_UINT64", e["value"])

    def trigger_parameter_string(self, e, at, time):
        self.parameter(e, at, time, "PARAMETER_STRING", self.r.text(e["string_handle"]))

    def program_begin(self, e, at, time):
        arguments = [self.r.text(handle) for handle in e["programArguments"]]
        attributes = []
        if self.r.release >= "7":
            attributes = [("ProcessId", "*")]
            if e["threadId"] not in (0, e["processId"]):
                attributes.append(("ThreadId", e["threadId"]))
        self.write(at, time, "PROGRAM_BEGIN", f"Name: {self.r.text(e['programName'])}, {plural(len(arguments), 'Argument')}"
                   + (": " + ", ".join(arguments) if arguments else ""), attributes)

    def program_end(self, e, at, time):
        status = e["exitStatus"]
        self.write(at, time, "PROGRAM_END", f"Exit status: {'UNDEFINED' if status in (1 << 63, -(1 << 63)) else status}")

    # One-sided communication.

    def rma(self, e, at, time, kind, text=""):
        self.write(at, time, kind, f"Window: {self.r.windows[e['windowHandle']][0]}{text}")

    def remote(self, e):
        return f", Remote: {self.r.rank(e['remote'], self.r.windows[e['windowHandle']][1])}"

    def rma_win_create(self, e, at, time):
        self.rma(e, at, time, "RMA_WIN_CREATE")

    def rma_win_destroy(self, e, at, time):
        self.rma(e, at, time, "RMA_WIN_DESTROY")

    def rma_collective_begin(self, e, at, time):
        self.write(at, time, "RMA_COLLECTIVE_BEGIN")

    def rma_collective_end(self, e, at, time):
        name, communicator = self.r.windows[e["windowHandle"]]
        self.write(at, time, "RMA_COLLECTIVE_END", f"Operation: {of(COLLECTIVES, e['collectiveOp'])}, Window: {name}, Level of "
                   f"Synchronicity: {flags(LEVELS, e['syncLevel'])}, Root: {self.root(e['root'], communicator)}, Sent: "
                   f"{e['bytesSent']}, Received: {e['bytesReceived']}")

    def rma_lock(self, e, at, time, kind):
        self.rma(e, at, time, kind, f"{self.remote(e)}, Lock: {e['lockId']}, Type: {of(LOCKS, e['lockType'])}")

    def rma_try_lock(self, e, at, time):
        self.rma_lock(e, at, time, "RMA_TRY_LOCK")

    def rma_acquire_lock(self, e, at, time):
        self.rma_lock(e, at, time, "RMA_ACQUIRE_LOCK")

    def rma_request_lock(self, e, at, time):
        self.rma_lock(e, at, time, "RMA_REQUEST_LOCK")

    def rma_release_lock(self, e, at, time):
        self.rma(e, at, time, "RMA_RELEASE_LOCK", f"{self.remote(e)}, Lock: {e['lockId']}")

    def rma_sync(self, e, at, time):
        self.rma(e, at, time, "RMA_SYNC", f"{self.remote(e)}, Sync Type: {of(SYNCS, e['syncType'])}")

    def rma_group_sync(self, e, at, time):
        self.write(at, time, "RMA_GROUP_SYNC", f"Level of Synchronicity: {flags(LEVELS, e['syncLevel'])}, Window: "
                   f"{self.r.windows[e['windowHandle']][0]}, Group: {self.r.groups[e['groupHandle']]}")

    def rma_put(self, e, at, time, kind="RMA_PUT"):
        self.rma(e, at, time, kind, f"{self.remote(e)}, Bytes: {e['bytes']}, Matching: {e['matchingId']}")

    def rma_get(self, e, at, time):
        self.rma_put(e, at, time, "RMA_GET")

    def rma_atomic(self, e, at, time):
        self.rma(e, at, time, "RMA_ATOMIC", f"{self.remote(e)}, Type: {of(ATOMICS, e['type'])}, Sent: {e['bytesSent']}, Received: "
                 f"{e['bytesReceived']}, Matching: {e['matchingId']}")

    def rma_wait_change(self, e, at, time):
        self.rma(e, at, time, "RMA_WAIT_CHANGE")

    # Input and output.

    def io(self, e, at, time, kind, text="", attributes=()):
        self.write(at, time, kind, f"Handle: {self.r.io_handles[e['handle']]}{text}", attributes)

    def io_create_handle(self, e, at, time):
        self.io(e, at, time, "IO_CREATE_HANDLE", f", Access Mode: {of(ACCESS, e['mode'])}, Creation Flags: "
                f"{flags(CREATION, e['creationFlags'])}, Status Flags: {flags(STATUS, e['statusFlags'])}")

    def io_destroy_handle(self, e, at, time):
        self.io(e, at, time, "IO_DESTROY_HANDLE")

    def io_duplicate_handle(self, e, at, time):
        old, new = (self.r.io_handles[e[name]] for name in ("oldHandle", "newHandle"))
        self.write(at, time, "IO_DUPLICATE_HANDLE", f"Old Handle: {old}, New Handle: {new}, Status Flags: "
                   f"{flags(STATUS, e['statusFlags'])}")

    def io_seek(self, e, at, time):
        self.io(e, at, time, "IO_SEEK", f", Offset Request: {e['offsetRequest']}, Whence: {of(SEEKS, e['whence'])}, Offset Result: "
                f"{e['offsetResult']}")

    def io_change_status_flags(self, e, at, time):
        self.io(e, at, time, "IO_CHANGE_FLAGS", f", Status Flags: {flags(STATUS, e['statusFlags'])}")

    def io_delete_file(self, e, at, time):
        known = self.r.io_paradigms
        paradigm = known[e["ioParadigm"]] if e["ioParadigm"] < len(known) else "INVALID <255>"
        self.write(at, time, "IO_DELETE_FILE", f"I/O Paradigm: {paradigm}, File: {self.r.files[e['ioFile']]}")

    def io_operation_begin(self, e, at, time):
        offset = [("Offset", e["offset"])] if self.r.release >= "7" and e["offset"] != NONE64 else []
        self.io(e, at, time, "IO_OPERATION_BEGIN", f", Mode: {of(OPERATIONS, e['mode'])}, Operation Flags: "
                f"{flags(OPERATION_FLAGS, e['operationFlags'])}, Bytes Request: {e['bytesRequest']}, Matching Id: {e['matchingId']}",
                offset)

    def io_operation_complete(self, e, at, time):
        self.io(e, at, time, "IO_OPERATION_COMPLETE", f", Bytes Result: {e['bytesResult']}, Matching Id: {e['matchingId']}")

    def __getattr__(self, name):
        """Handles the events that have only a request, an operation or a lock."""
        kinds = {"mpi_isend_complete": "MPI_ISEND_COMPLETE", "mpi_irecv_request": "MPI_IRECV_REQUEST",
                 "mpi_request_tested": "MPI_REQUEST_TEST", "mpi_request_cancelled": "MPI_REQUEST_CANCELLED",
                 "mpi_non_blocking_collective_request": "NON_BLOCKING_COLLECTIVE_REQUEST"}
        if name in kinds:
            return lambda e, at, time: self.write(at, time, kinds[name], f"Request: {e['requestId']}")
        if name.startswith("rma_op_"):
            return lambda e, at, time: self.rma(e, at, time, name.upper(), f", Matching: {e['matchingId']}")
        if name.startswith("io_operation_"):
            return lambda e, at, time: self.io(e, at, time, name.upper(), f", Matching Id: {e['matchingId']}")
        if name in ("io_acquire_lock", "io_try_lock", "io_release_lock"):
            return lambda e, at, time: self.io(e, at, time, name.upper(), f", Type: {of(LOCKS, e['lockType'])}")
        raise AttributeError(name)
