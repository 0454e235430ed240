#!/usr/bin/env python3
"""The expected output of otf2-print for a recording: an independent implementation of the rules, for the golden files.

    expected.py RECORDING [6.0|7.1|8.4|9.0]     the expected text, as if that release had been recorded
    expected.py --canonical PRINT               the output of otf2-print -A in the same form

The form: archive properties and definitions sorted, without ids, then the events of each location in order. A metric is
named by its definition. The script reads recordings of Score-P 8.4 with one process and shares no code with the plugin.
"""
import gzip, pathlib, re, sys
from collections import defaultdict

sys.dont_write_bytecode = True
from events import Events
from recording import Recording

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


def expected(folder, release):
    recording = Recording(folder, release)
    events = Events(recording)
    definitions = list(recording.definitions)
    for name in ("MPI_COMMUNICATION", "THREAD_FORK_JOIN_EVENT", "THREAD_CREATE_WAIT_EVENT", "THREAD_LOCK_EVENT"):
        definitions.append(f"PROPERTY OTF2::{name}_COMPLETE: {'false' if name in events.incomplete else 'true'}")
    definitions.append(f"PROPERTY OTF2::PTHREAD_LOCATION_REUSED: {'true' if events.reused else 'false'}")
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
