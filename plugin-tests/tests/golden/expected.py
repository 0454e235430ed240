#!/usr/bin/env python3
"""What otf2-print should show of a recording: an independent reading of the rules, for the golden files beside it.

    expected.py RECORDING [6.0|7.1|8.4|9.0]     the expected text, as if that release had been recorded
    expected.py --canonical PRINT               the output of otf2-print -A in the same form

The form: archive properties and definitions sorted, without ids, then the events of each location in order. A metric is
named by its definition. It reads recordings of Score-P 8.4 with one process and shares no code with the plugin.
"""
import gzip, json, pathlib, re, struct, sys
from collections import defaultdict

# ---- otf2-print's output without ids ----

ID = re.compile(r'(?<=") <\d+>')
PROCESS_ID = re.compile(r'(\("ProcessId"; UINT64; )\d+')


def canonical(text):
    section, name, definitions, events, last = "", "", [], defaultdict(list), None
    metrics = {}
    lines = text.splitlines()
    for line in lines:
        if match := re.match(r"METRIC_(CLASS|INSTANCE) +(\d+) +(.*)", line):
            metrics[match.group(2)] = ID.sub("", match.group(3))
    instance = re.compile(r"^Class: (\d+)")
    metrics = {k: instance.sub(lambda m: "Class: {" + metrics.get(m.group(1), "?") + "}", v) for k, v in metrics.items()}
    named = re.compile(r"\b(Metric|Class): (\d+)(?=,)")
    name_metric = lambda t: named.sub(lambda m: f"{m.group(1)}: {{{metrics.get(m.group(2), '?')}}}", t)
    for line in lines:
        if line.startswith("=== "):
            section = line.split()[1]
        elif line.startswith("Property name"):
            name = line.split()[-1]
        elif line.startswith("Property value"):
            definitions.append(f"PROPERTY {name}: {line.split()[-1]}")
        elif section == "Global" and (match := re.match(r"([A-Z_]+) +(\d+ +)?(\S.*)", line)):
            kind, number, body = match.groups()
            if kind != "STRING":
                number = f" {number.strip()}" if kind == "LOCATION" else ""
                definitions.append(f"{kind}{number} {name_metric(ID.sub('', body))}")
        elif section == "Events" and line.startswith(" ") and line.strip():
            events[last][-1] += " | " + PROCESS_ID.sub(r"\1*", ID.sub("", line.strip()))
        elif section == "Events" and (match := re.match(r"([A-Z0-9_]+) +(\d+) +(\d+) *(.*)", line)):
            kind, last, time, body = match.groups()
            events[last].append(f"{time} {kind} {name_metric(ID.sub('', body))}".rstrip())
    return definitions, events


def show(definitions, events):
    print("\n".join(sorted(definitions)))
    for location in sorted(events, key=int):
        print(f"\n=== location {location}")
        print("\n".join(events[location]))


# ---- Score-P's numbers as OTF2's names ----

ROLES = ("UNKNOWN FUNCTION LOOP FUNCTION CODE CODE CODE CODE LOOP FUNCTION LOOP COLL_ONE2ALL COLL_ALL2ONE COLL_ALL2ALL COLL_OTHER "
         "POINT2POINT PARALLEL SECTIONS SECTION WORKSHARE SINGLE MASTER CRITICAL ATOMIC BARRIER IMPLICIT_BARRIER FLUSH CRITICAL_SBLOCK "
         "SINGLE_SBLOCK WRAPPER TASK TASK_UNTIED TASK_WAIT TASK_CREATE ORDERED ORDERED_SBLOCK ARTIFICIAL RMA THREAD_CREATE THREAD_WAIT "
         "ALLOCATE DEALLOCATE REALLOCATE FILE_IO FILE_IO_METADATA WRAPPER FUNCTION DATA_TRANSFER").split()
REGION_FLAGS = {5: "{PHASE}", 6: "{DYNAMIC}", 7: "{DYNAMIC, PHASE}", 8: "{DYNAMIC}", 9: "{DYNAMIC}", 10: "{DYNAMIC, PHASE}"}
PARADIGMS = ("MEASUREMENT_SYSTEM USER COMPILER SAMPLING NONE NONE MPI SHMEM OPENMP PTHREAD UNKNOWN CUDA OPENCL OPENACC NONE KOKKOS "
             "HIP").split() + ["INVALID <25>"]
COLLECTIVES = ("BARRIER BCAST GATHER GATHERV SCATTER SCATTERV ALLGATHER ALLGATHERV ALLTOALL ALLTOALLV ALLTOALLW ALLREDUCE REDUCE "
               "REDUCE_SCATTER REDUCE_SCATTER_BLOCK SCAN EXSCAN CREATE_HANDLE DESTROY_HANDLE ALLOCATE DEALLOCATE "
               "CREATE_HANDLE_AND_ALLOCATE DESTROY_HANDLE_AND_DEALLOCATE").split()
ATOMICS = ("ACCUMULATE INCREMENT TEST_AND_SET COMPARE_AND_SWAP SWAP FETCH_AND_ADD FETCH_AND_INCREMENT ACCUMULATE "
           "FETCH_AND_ACCUMULATE").split()
LOCKS = ["EXCLUSIVE", "SHARED"]
SYNCS = ["MEMORY", "NOTIFY_IN", "NOTIFY_OUT"]
LEVELS = ["PROCESS", "MEMORY"]
ACCESS = ["INVALID <255>", "READ_ONLY", "WRITE_ONLY", "READ_WRITE", "EXECUTE_ONLY", "SEARCH_ONLY"]
CREATION = ("CREATE TRUNCATE DIRECTORY EXCLUSIVE NO_CONTROLLING_TERMINAL NO_FOLLOW PATH TEMPORARY_FILE LARGEFILE NO_SEEK "
            "UNIQUE").split()
STATUS = "CLOSE_ON_EXEC APPEND NON_BLOCKING ASYNC SYNC DATA_SYNC AVOID_CACHING NO_ACCESS_TIME DELETE_ON_CLOSE".split()
OPERATIONS = ["READ", "WRITE", "FLUSH"]
OPERATION_FLAGS = ["NON_BLOCKING", "COLLECTIVE"]
SEEKS = "FROM_START FROM_CURRENT FROM_END DATA HOLE".split()
MODES = ("ACCUMULATED_START ACCUMULATED_POINT ACCUMULATED_LAST ACCUMULATED_NEXT ABSOLUTE_POINT ABSOLUTE_LAST ABSOLUTE_NEXT "
         "RELATIVE_POINT RELATIVE_LAST RELATIVE_NEXT").split()
VALUE_TYPES = ["INT64", "UINT64", "DOUBLE"]
SOURCES = ["PAPI", "RUSAGE", "USER", "OTHER", "OTHER", "OTHER", "OTHER"]
OCCURRENCES = ["SYNCHRONOUS_STRICT", "SYNCHRONOUS", "ASYNCHRONOUS"]
RECORDERS = ["ABSTRACT", "CPU", "GPU"]
BASES = ["BINARY", "DECIMAL"]
DOMAINS = "MACHINE SHARED_MEMORY NUMA SOCKET CACHE CORE PU ACCELERATOR_DEVICE NETWORKING_DEVICE".split()
PARADIGM_CLASSES = ["PROCESS", "THREAD_FORK_JOIN", "THREAD_CREATE_WAIT", "ACCELERATOR"]
# Type of a group: OTF2's type, paradigm (Score-P's number or OTF2's name), flag GLOBAL_MEMBERS.
GROUPS = {0: ("UNKNOWN", "UNKNOWN", 0), 1: ("LOCATIONS", "NONE", 0), 2: ("REGIONS", "NONE", 0), 3: ("METRIC", "NONE", 0),
          4: ("COMM_LOCATIONS", 6, 0), 5: ("COMM_GROUP", 6, 0), 6: ("COMM_SELF", 6, 0), 7: ("COMM_LOCATIONS", 8, 0),
          8: ("COMM_GROUP", 8, 0), 9: ("COMM_LOCATIONS", 11, 0), 10: ("COMM_GROUP", 11, 0), 11: ("COMM_LOCATIONS", 7, 1),
          12: ("COMM_GROUP", 7, 1), 13: ("COMM_SELF", 7, 1), 14: ("COMM_LOCATIONS", 9, 0), 15: ("COMM_GROUP", 9, 0),
          16: ("COMM_LOCATIONS", 12, 0), 17: ("COMM_GROUP", 12, 0), 18: ("COMM_LOCATIONS", "HARDWARE", 0),
          19: ("COMM_GROUP", "HARDWARE", 0), 20: ("COMM_LOCATIONS", 0, 0), 21: ("COMM_GROUP", 0, 0), 22: ("COMM_LOCATIONS", 1, 0),
          23: ("COMM_GROUP", 1, 0)}
NONE32, NONE64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


def of(table, value):
    return table[value] if value < len(table) else "INVALID <255>"


def flags(table, value):
    names = [name for bit, name in enumerate(table) if value >> bit & 1]
    return "{" + ", ".join(names) + "}" if names else "NONE"


def plural(count, noun):
    return f"{count} {noun}" + ("" if count == 1 else "s")


# ---- a recording ----

class Recording:
    def __init__(self, folder, release):
        folder = pathlib.Path(folder)
        self.calls = [json.loads(line) for line in gzip.open(folder / "rank0.jsonl.gz", "rt")]
        self.arena = gzip.open(folder / "rank0.write_data.arena.gz").read()
        self.release, self.old = release, release < "8"
        self.texts = {c["handle"]: c["value"] for c in self.of("STRING")}
        self.definitions, self.printed = [], defaultdict(list)
        self.paradigm_names = {}
        self.comm_of = {}
        self.define()

    def of(self, kind):
        return [c for c in self.calls if c["call"] == "new_definition_handle" and c["type"] == kind]

    def handles(self, kind):
        return sorted((c["handle"] for c in self.of(kind)), key=lambda h: self.word(h, 16))

    def word(self, handle, at):
        return struct.unpack_from("<I", self.arena, handle + at)[0]

    def long(self, handle, at, form="<Q"):
        return struct.unpack_from(form, self.arena, handle + at)[0]

    def text(self, handle):
        return f'"{self.texts.get(handle, "")}"'

    def put(self, kind, body):
        self.definitions.append(f"{kind} {body}")

    def paradigm(self, number):
        name = of(PARADIGMS, number) if number < len(PARADIGMS) else "UNKNOWN"
        return self.paradigm_names.get(name, name)

    # Definitions, in the order of the rules.

    def define(self):
        self.define_paradigms()
        self.define_tree()
        self.define_locations()
        self.define_regions()
        self.define_groups()
        self.define_communicators()
        self.define_metrics()
        self.define_attributes()
        self.define_contexts()
        self.define_topologies()
        self.define_io()
        for parameter in self.handles("PARAMETER"):
            kind = ["INT64", "UINT64", "STRING"][self.word(parameter, 24)]
            self.put("PARAMETER", f"Name: {self.text(self.word(parameter, 20))}, Type: {kind}")

    def define_paradigms(self):
        announced = [c["handle"] for c in self.of("PARADIGM")]
        for handle in announced:
            self.paradigm_names[of(PARADIGMS, self.word(handle, 8))] = self.text(self.word(handle, 16))
        for handle in announced:
            kind, name = of(PARADIGMS, self.word(handle, 8)), self.text(self.word(handle, 16))
            if kind != "UNKNOWN":
                self.put("PARADIGM", f"{kind}, Name: {name}, Class: {of(PARADIGM_CLASSES, self.word(handle, 12))}")
            else:
                self.put("PARADIGM", f"UNKNOWN, Name: {name}, Class: {of(PARADIGM_CLASSES, self.word(handle, 12))}")
            for at, name_of in (36, "COMM_NAME_TEMPLATE"), (40, "RMA_WIN_NAME_TEMPLATE"):
                if value := self.word(handle, at):
                    self.put("PARADIGM_PROPERTY",
                             f"Paradigm: {name}, Property: {name_of}, Type: STRING, Value: {self.text(value)}")
            if self.word(handle, 32) & 1:
                self.put("PARADIGM_PROPERTY", f"Paradigm: {name}, Property: RMA_ONLY, Type: UINT8, Value: 1")
        self.io_paradigms = []
        for call in self.of("IO_PARADIGM"):
            handle = call["handle"]
            self.io_paradigms.append(self.text(self.word(handle, 28)))
            self.put("IO_PARADIGM", f"Identification: {self.text(self.word(handle, 24))}, Name: {self.io_paradigms[-1]}, Class: "
                     f"{['SERIAL', 'PARALLEL'][self.word(handle, 20)]}, Flags: {flags(['OS'], self.word(handle, 40))}, 0 Properties")

    def node(self, handle):
        if not handle:
            return "UNDEFINED"
        return f'"{self.texts[self.word(handle, 32)]}::{self.texts[self.word(handle, 28)]}"'

    def define_tree(self):
        for handle in self.handles("SYSTEM_TREE_NODE"):
            self.put("SYSTEM_TREE_NODE", f"Name: {self.text(self.word(handle, 28))}, Class: {self.text(self.word(handle, 32))}, "
                     f"Parent: {self.node(self.word(handle, 20))}")
            for bit, domain in enumerate(DOMAINS):
                if self.word(handle, 24) >> bit & 1:
                    self.put("SYSTEM_TREE_NODE_DOMAIN", f"System Tree Node: {self.node(handle)}, Domain: {domain}")
        for handle in self.handles("SYSTEM_TREE_NODE_PROPERTY"):
            name, value = (self.text(self.word(handle, at)) for at in (24, 28))
            self.put("SYSTEM_TREE_NODE_PROPERTY",
                     f"System Tree Node: {self.node(self.word(handle, 20))}, Name: {name}, Type: STRING, Value: {value}")

    def define_locations(self):
        self.locations, self.location_names, self.location_handles = {}, {}, {}
        groups = [g for g in self.handles("LOCATION_GROUP") if not (self.old and self.word(g, 28) == 1)]
        name = lambda group: self.text(self.word(group, 20))
        for group in groups:
            creator = self.word(group, 32)
            self.put("LOCATION_GROUP", f"Name: {name(group)}, Type: {['PROCESS', 'ACCELERATOR'][self.word(group, 28)]}, Parent: "
                     f"{self.node(self.word(group, 24))}, Creator: {name(creator) if creator and not self.old else 'UNDEFINED'}")
        for handle in self.handles("LOCATION"):
            id = self.word(handle, 16) << 32
            group = self.word(handle, 44)
            self.location_handles[handle] = id
            self.location_names[id] = self.text(self.word(handle, 32))
            kind = ["CPU_THREAD", "ACCELERATOR_STREAM", "METRIC"][self.word(handle, 36)]
            self.locations[id] = (kind, name(group if group in groups else groups[0]))
        for handle in self.handles("LOCATION_PROPERTY"):
            property_name, value = (self.text(self.word(handle, at)) for at in (20, 24))
            location = self.location_names[self.location_handles[self.word(handle, 28)]]
            self.put("LOCATION_PROPERTY", f"Location: {location}, Name: {property_name}, Type: STRING, Value: {value}")
        self.group_name = name

    def define_regions(self):
        self.regions, groups = {}, defaultdict(list)
        for handle in self.handles("REGION"):
            w = lambda at: self.word(handle, at)
            name = self.regions[handle] = self.text(w(20))
            role = ROLES[w(32)] if w(32) < len(ROLES) else "UNKNOWN"
            self.put("REGION", f"Name: {name} (Aka. {self.text(w(24)) if w(24) else name}), Descr.: {self.text(w(28))}, Role: {role}, "
                     f"Paradigm: {self.paradigm(w(48))}, Flags: {REGION_FLAGS.get(w(32), 'NONE')}, "
                     f"File: {self.text(w(36)) if w(36) else 'UNDEFINED'}, Begin: {w(40)}, End: {w(44)}")
            if w(52):
                groups[w(52), w(48)].append(name)
        for (group, _), members in groups.items():
            self.put("GROUP", f"Name: {self.text(group)}, Type: REGIONS, Paradigm: NONE, Flags: NONE, "
                     f"{plural(len(members), 'Member')}" + (": " + ", ".join(members) if members else ""))

    def members(self, group):
        return [self.long(group, 40 + 8 * i) for i in range(self.long(group, 32))]

    def define_groups(self):
        self.rank_locations = {}
        for handle in self.handles("GROUP"):
            kind = GROUPS.get(self.word(handle, 20))
            if kind and kind[0] == "COMM_LOCATIONS":
                self.rank_locations[kind[1]] = self.members(handle)
        self.groups = {}
        for handle in self.handles("GROUP"):
            kind, paradigm, all_members = GROUPS.get(self.word(handle, 20), ("UNKNOWN", "UNKNOWN", 0))
            name, members = self.text(self.word(handle, 24)), self.members(handle)
            location = lambda id: self.location_names.get(id, f"INVALID <{id}>")
            if kind in ("COMM_LOCATIONS", "LOCATIONS"):
                shown = [location(id) for id in members]
            else:
                known = self.rank_locations.get(paradigm, [])
                shown = [f"{m} ({location(known[m])})" if m < len(known) else f"{m} (INVALID)" for m in members]
            self.groups[handle] = name
            self.put("GROUP", f"Name: {name}, Type: {kind}, Paradigm: {self.paradigm(paradigm) if isinstance(paradigm, int) else paradigm}, "
                     f"Flags: {'{GLOBAL_MEMBERS}' if all_members else 'NONE'}, {plural(len(members), 'Member')}"
                     + (": " + ", ".join(shown) if shown else ""))

    def comm(self, interim):
        return self.comm_of.get(interim, ("UNDEFINED", None))

    def define_communicators(self):
        final = {}
        for handle in self.handles("INTERIM_COMMUNICATOR"):
            unified = self.word(handle, 4)
            final.setdefault(unified, self.word(handle, 28))
            self.comm_of[handle] = unified
        key = lambda h: (self.word(h, 20), self.word(h, 24), self.word(h, 28), self.word(h, 32)) if final[h] != 6 else h
        written = {}
        for handle, paradigm in final.items():
            name = self.text(self.word(handle, 28))
            a, b, parent = (self.word(handle, at) for at in (20, 24, 32))
            shown = lambda h: self.text(self.word(h, 28)) if h else "UNDEFINED"
            comm_flags = "{CREATE_DESTROY_EVENTS}" if self.word(handle, 40) & 1 and not self.old else "NONE"
            if a == b or self.old:
                line = f"COMM Name: {name}, Group: {self.groups[a]}, Parent: {shown(parent)}, Flags: {comm_flags}"
            else:
                line = (f"INTER_COMM name: {name}, Group A: {self.groups[a]}, Group B: {self.groups[b]}, "
                        f"Common Communicator: {shown(parent)}, Flags: {comm_flags}")
            written[key(handle)] = line
        self.definitions += written.values()
        self.windows = {}
        for handle in self.handles("RMA_WINDOW"):
            name, communicator = self.text(self.word(handle, 20)), self.word(handle, 24)
            self.windows[handle] = (name, communicator)
            # Windows of 6.0 and 7.x have no flags, and readers take the old record for this.
            window_flags = "{CREATE_DESTROY_EVENTS}" if self.old or self.word(handle, 36) & 1 else "NONE"
            self.put("RMA_WIN", f"Name: {name}, Communicator: {self.text(self.word(communicator, 28))}, Flags: {window_flags}")

    def rank(self, number, communicator):
        """A rank in a communicator, as otf2-print shows it."""
        if number in (NONE32, NONE32 - 1, NONE32 - 2):
            return {NONE32: "UNDEFINED"}.get(number, f"{number} (INVALID)")
        group = self.word(communicator, 20)
        kind, paradigm, _ = GROUPS[self.word(group, 20)]
        members = self.members(group)
        if kind == "COMM_SELF" or number >= len(members):
            return f"{number} (INVALID)"
        return f"{number} ({self.location_names.get(self.rank_locations[paradigm][members[number]], 'INVALID')})"

    def define_metrics(self):
        self.metric_names, self.sets = {}, {}
        for handle in self.handles("METRIC"):
            w = lambda at: self.word(handle, at)
            self.metric_names[handle] = self.text(w(20))
            self.put("METRIC_MEMBER", f"Name: {self.text(w(20))}, Descr.: {self.text(w(24))}, Type: {SOURCES[w(28)]}, Mode: "
                     f"{MODES[w(32)]}, Value Type: {VALUE_TYPES[w(36)]}, Base: {BASES[w(40)]}, Exponent: {self.long(handle, 48, '<q')}, "
                     f"Unit: {self.text(w(56))}")
        scoped = lambda handle: self.arena[handle + 20]
        for handle in self.handles("SAMPLING_SET"):
            if not scoped(handle):
                metrics = [self.word(handle, 60 + 4 * i) for i in range(self.arena[handle + 56])]
                body = (f"Occurrence: {OCCURRENCES[self.word(handle, 32)]}, Kind: {RECORDERS[self.word(handle, 36)]}, "
                        f"{plural(len(metrics), 'Member')}: " + ", ".join(self.metric_names[m] for m in metrics))
                self.sets[handle] = (body, metrics)
                self.put("METRIC_CLASS", body)
        for handle in self.handles("SAMPLING_SET"):
            if scoped(handle):
                body, metrics = self.sets[self.word(handle, 24)]
                recorder = self.location_names[self.location_handles[self.word(handle, 28)]]
                body = f"Class: {{{body}}}, Recorder: {recorder}, Scope: {self.scope(handle)}"
                self.sets[handle] = (body, metrics)
                self.put("METRIC_INSTANCE", body)
        for handle in self.handles("SAMPLING_SET_RECORDER"):
            recorder = self.location_names[self.location_handles[self.word(handle, 24)]]
            self.put("METRIC_CLASS_RECORDER", f"Class: {{{self.sets[self.word(handle, 20)][0]}}}, Recorder: {recorder}")

    def scope(self, handle):
        kind, of_what = self.word(handle, 32), self.word(handle, 36)
        if kind == 0:
            return f"LOCATION {self.location_names[self.location_handles[of_what]]}"
        if kind == 1:
            return f"LOCATION_GROUP {self.group_name(of_what)}"
        return f"SYSTEM_TREE_NODE {self.node(of_what)}" if kind == 2 else f"GROUP {self.groups[of_what]}"

    def define_attributes(self):
        attributes = [("SOURCE_CODE_LOCATION", "Source code location", "SOURCE_CODE_LOCATION")]
        if self.release >= "7":
            attributes += [("Offset", "Absolute read/write offset within a file.", "UINT64"),
                           ("ProcessId", "Process identifier", "UINT64"), ("ThreadId", "Thread identifier", "UINT64")]
        for name, description in (("ALLOCATION_SIZE", "Size of memory to allocate"),
                                  ("DEALLOCATION_SIZE", "Size of memory to deallocate"), ("ARGUMENT_ADDRESS", "Address argument"),
                                  ("RESULT_ADDRESS", "Result of allocation")):
            if name in self.texts.values():
                attributes.append((name, description, "UINT64"))
        for name, description, kind in attributes:
            self.put("ATTRIBUTE", f'Name: "{name}", Description: "{description}", Type: {kind}')

    def define_contexts(self):
        for handle in self.handles("SOURCE_CODE_LOCATION"):
            self.put("SOURCE_CODE_LOCATION", f"File: {self.text(self.word(handle, 20))}, Line Number: {self.word(handle, 24)}")
        place = lambda h: f"{self.texts[self.word(h, 20)]}:{self.word(h, 24)}"
        self.contexts = {}
        for handle in self.handles("CALLING_CONTEXT"):
            region, at = self.regions[self.word(handle, 44)], self.word(handle, 48)
            self.contexts[handle] = f'{region[:-1]}@{place(at).split("/")[-1]}"' if at else region
        for handle in self.handles("CALLING_CONTEXT"):
            at, parent = self.word(handle, 48), self.word(handle, 52)
            code = f'"{place(at)}"' if at else "UNDEFINED"
            self.put("CALLING_CONTEXT", f"Region: {self.regions[self.word(handle, 44)]}, Source code location: {code}, Parent: "
                     f"{self.contexts.get(parent, 'UNDEFINED')}")
            offset, file = self.long(handle, 32), self.word(handle, 40)
            head = f"Calling Context: {self.contexts[handle]}, Name:"
            if offset and file:
                self.put("CALLING_CONTEXT_PROPERTY", f'{head} "EXECUTABLE/SHARED OBJECT", Type: STRING, Value: {self.text(file)}')
                self.put("CALLING_CONTEXT_PROPERTY", f'{head} "INSTRUCTION OFFSET", Type: UINT64, Value: {offset}')
            elif offset:
                self.put("CALLING_CONTEXT_PROPERTY", f'{head} "INSTRUCTION ADDRESS", Type: UINT64, Value: {offset}')
        self.generators = {}
        for handle in self.handles("INTERRUPT_GENERATOR"):
            w = lambda at: self.word(handle, at)
            self.generators[handle] = self.text(w(20))
            self.put("INTERRUPT_GENERATOR", f"Name: {self.text(w(20))}, Mode: {['TIME', 'COUNT'][w(24)]}, Base: {BASES[w(28)]}, "
                     f"Exponent: {self.long(handle, 32, '<q')}, Period: {self.long(handle, 40)}")

    def define_topologies(self):
        names = {}
        for handle in self.handles("CARTESIAN_TOPOLOGY"):
            dimensions = []
            for i in range(self.word(handle, 32)):
                at = 36 + 12 * i
                dimensions.append(self.text(self.word(handle, at + 8)))
                self.put("CART_DIMENSION", f"Name: {dimensions[-1]}, Size: {self.word(handle, at)}, Periodicity: "
                         f"{['FALSE', 'TRUE'][self.arena[handle + at + 4]]}")
            communicator = self.word(handle, 24)
            own = self.text(self.word(communicator, 28))
            of_mpi = self.word(handle, 28) == 0
            names[handle] = (own if of_mpi and own != '""' else self.text(self.word(handle, 20)), communicator, of_mpi)
            self.put("CART_TOPOLOGY", f"Name: {names[handle][0]}, Communicator: {own}, "
                     f"{plural(len(dimensions), 'Dimension')}: ({', '.join(dimensions)})")
        for handle in self.handles("CARTESIAN_COORDS"):
            name, communicator, of_mpi = names[self.word(handle, 20)]
            values = [str(self.word(handle, 36 + 4 * i)) for i in range(self.word(handle, 24))]
            rank = self.word(handle, 28)
            if not of_mpi:
                group = self.word(communicator, 20)
                locations = self.rank_locations[GROUPS[self.word(group, 20)][1]]
                rank = [locations[m] for m in self.members(group)].index(self.word(handle, 32) << 32 | rank)
            self.put("CART_COORDINATE", f"Cartesian Topology: {name}, Rank: {self.rank(rank, communicator)}, "
                     f"Coordinate{'s' if len(values) > 1 else ''}: ({', '.join(values)})")

    def define_io(self):
        self.files = {}
        for handle in self.handles("IO_FILE"):
            name = self.texts[self.word(handle, 20)]
            self.files[handle] = f'"file://{name}"'
            self.put("IO_REGULAR_FILE", f'Name: "{name}", Scope: {self.node(self.word(handle, 24))}')
        for handle in self.handles("IO_FILE_PROPERTY"):
            name, value = (self.text(self.word(handle, at)) for at in (24, 28))
            self.put("IO_FILE_PROPERTY", f"File: {self.files[self.word(handle, 20)]}, Name: {name}, Type: STRING, Value: {value}")
        self.io_handles = {}
        for handle in self.handles("IO_HANDLE"):
            name, file = self.text(self.word(handle, 20)), self.word(handle, 24)
            paradigm = self.io_paradigms[self.word(handle, 28)]
            shown = self.files.get(file, '"UNDEFINED"').strip('"')
            self.io_handles[handle] = name if name != '""' else f'"[{paradigm[1:-1]}]{shown}"'
        merged = {}
        for handle in self.handles("IO_HANDLE"):
            w = lambda at: self.word(handle, at)
            # Equal handles are one, unless their key says that they are not.
            key = (w(20), w(24), w(28), w(32), w(36), merged.get(w(40), w(40)), w(44))
            if w(44) and key in merged:
                merged[handle] = merged[key]
                continue
            merged[key] = merged[handle] = handle
            communicator = self.text(self.word(w(36), 28)) if w(36) else "UNDEFINED"
            self.put("IO_HANDLE", f"Name: {self.text(w(20))}, File: {self.files.get(w(24), 'UNDEFINED')}, I/O Paradigm: "
                     f"{self.io_paradigms[w(28)]}, Flags: {flags(['PRE_CREATED', 'ALL_PROXY'], w(32))}, Communicator: "
                     f"{communicator}, Parent: {self.io_handles.get(w(40), 'UNDEFINED')}")
            if w(32) & 1:
                self.put("IO_PRE_CREATED_HANDLE_STATE", f"Handle: {self.io_handles[handle]}, Access Mode: {of(ACCESS, w(48))}, "
                         f"Status Flags: {flags(STATUS, w(52))}")


# ---- events ----

class Events:
    """The records of each location. A record is a list of time, kind, text, attributes."""

    def __init__(self, recording):
        self.r = recording
        self.records = defaultdict(list)
        self.marks = defaultdict(list)           # of a location: region, time, number of records, classes seen
        self.memory = {}                         # the allocation function a location is in
        self.flush = {}
        self.incomplete = set()
        self.seen = defaultdict(list)            # classes of events of a location
        self.times = []
        for call in recording.calls:
            if call["call"] == "event":
                self.event(call)

    CLASSES = {**dict.fromkeys([11, 12, 13, 14, 16, 17, 18, 19, 20, 79, 80], "MPI_COMMUNICATION"),
               **dict.fromkeys(range(47, 55), "THREAD_FORK_JOIN_EVENT"), **dict.fromkeys(range(55, 59), "THREAD_CREATE_WAIT_EVENT"),
               39: "THREAD_LOCK_EVENT", 40: "THREAD_LOCK_EVENT"}
    NEW = ["MPI_NON_BLOCKING_COLLECTIVE_REQUEST", "MPI_NON_BLOCKING_COLLECTIVE_COMPLETE", "COMM_CREATE", "COMM_DESTROY"]
    # While recording is off: what later events refer to, and the end.
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
            # The enter, whether the library of messages, the type, what happened inside.
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
        """The events that have nothing but a request, an operation or a lock."""
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


def expected(folder, release):
    recording = Recording(folder, release)
    events = Events(recording)
    definitions = list(recording.definitions)
    for name in ("MPI_COMMUNICATION", "THREAD_FORK_JOIN_EVENT", "THREAD_CREATE_WAIT_EVENT", "THREAD_LOCK_EVENT"):
        definitions.append(f"PROPERTY OTF2::{name}_COMPLETE: {'false' if name in events.incomplete else 'true'}")
    definitions.append("PROPERTY OTF2::PTHREAD_LOCATION_REUSED: false")
    begin, end = min(events.times), max(events.times)
    resolution = next(c["clock_resolution"] for c in recording.calls if c["call"] == "write_data")
    definitions.append(f"CLOCK_PROPERTIES Ticks per Seconds: {resolution}, Global Offset: {begin}, Length: {end - begin}, Date: UNDEFINED")
    for id, (kind, group) in recording.locations.items():
        definitions.append(f"LOCATION {id} Name: {recording.location_names[id]}, Type: {kind}, # Events: "
                           f"{len(events.records[id])}, Group: {group}")
    lines = {}
    for location, records in events.records.items():
        if records:
            lines[str(location)] = [record_line(*record) for record in records]
    return definitions, lines


def record_line(time, kind, text, attributes):
    line = f"{time} {kind} {text}".rstrip()
    if attributes:
        line += " | ADDITIONAL ATTRIBUTES: " + ", ".join(f'("{name}"; UINT64; {value})' for name, value in attributes)
    return line


if __name__ == "__main__":
    if sys.argv[1] == "--canonical":
        path = pathlib.Path(sys.argv[2])
        raw = path.read_bytes()
        show(*canonical((gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode()))
    else:
        show(*expected(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "8.4"))
