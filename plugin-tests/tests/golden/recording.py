"""A recording of Score-P 8.4, and the definitions that otf2-print should show of it."""
import gzip, json, pathlib, struct
from collections import defaultdict

from names import *


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
            # Windows of 6.0 and 7.x have no flags; readers take CREATE_DESTROY_EVENTS for granted.
            window_flags = "{CREATE_DESTROY_EVENTS}" if self.old or self.word(handle, 36) & 1 else "NONE"
            self.put("RMA_WIN", f"Name: {name}, Communicator: {self.text(self.word(communicator, 28))}, Flags: {window_flags}")

    def rank(self, number, communicator):
        """Returns a rank in a communicator as otf2-print shows it."""
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
            # Equal handles with equal keys are merged, unless the key is 0.
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
