"""Ways to read and write traces in Python, for the stage `python` of the benchmarks.

    ways.py WAY ARCHIVE     reads; the ways of WRITERS write to a folder ARCHIVE that does not exist

Prints the seconds of processor time, without imports, and the number of events.
"""

import os
import resource
import sys

#: The number of calls that are written.
CALLS = 1_000_000


def seconds():
    """The processor time of this process and its children."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(it.ru_utime + it.ru_stime for it in used)


def kymograph_table(name, to, **selected):
    def read(path):
        import kymograph

        yield
        trace = kymograph.open(path)
        getattr(trace.table(name, threads=1, **selected), to)()
        yield trace.number_of_events

    return read


def kymograph_batches(path):
    import kymograph
    import pyarrow  # noqa: F401

    yield
    trace = kymograph.open(path)
    for _ in trace.calls(threads=1).batches():
        pass
    yield trace.number_of_events


def kymograph_profile(path):
    import kymograph
    import pyarrow  # noqa: F401

    yield
    trace = kymograph.open(path)
    trace.profile(threads=1).to_arrow()
    yield trace.number_of_events


def kymograph_pipit(path):
    import kymograph
    import pandas  # noqa: F401
    import pyarrow  # noqa: F401

    yield
    trace = kymograph.open(path)
    trace.to_pipit()
    yield trace.number_of_events


def bindings(path):
    import otf2

    yield
    events = 0
    with otf2.reader.open(path) as trace:
        for _location, _event in trace.events:
            events += 1
    yield events


def pipit(path):
    import pipit

    yield
    frame = pipit.Trace.from_otf2(os.path.dirname(path), 1)
    frame._match_events()
    frame._match_caller_callee()
    yield len(frame.events)


def made_calls():
    """Calls of 2 regions, each of the second kind in one of the first."""
    import numpy

    outer = numpy.arange(CALLS // 2) * 1000
    time = numpy.column_stack([outer, outer + 100]).ravel()
    duration = numpy.tile([500, 50], CALLS // 2)
    region = numpy.tile(numpy.array([0, 1], dtype="uint32"), CALLS // 2)
    return {"location": numpy.zeros(CALLS, "uint64"), "time": time, "duration": duration, "region": region}


def kymograph_writer(path):
    import kymograph
    import pyarrow

    calls = pyarrow.table(made_calls())
    yield
    with kymograph.Writer(path) as writer:
        writer.location("Thread", writer.process("Process"))
        for name in ("outer", "inner"):
            writer.region(name)
        writer.write(calls=calls)
    yield 2 * CALLS


def defined(trace):
    """Defines a location and two regions with the bindings; returns the writer of its events, and them."""
    root = trace.definitions.system_tree_node("machine")
    group = trace.definitions.location_group("Process", system_tree_parent=root)
    outer, inner = (trace.definitions.region(name) for name in ("outer", "inner"))
    return trace.event_writer("Thread", group=group), outer, inner


def bindings_writer(path):
    import otf2

    starts = range(0, CALLS // 2 * 1000, 1000)
    yield
    with otf2.writer.open(path, timer_resolution=1_000_000_000) as trace:
        writer, outer, inner = defined(trace)
        for start in starts:
            writer.enter(start, outer)
            writer.enter(start + 100, inner)
            writer.leave(start + 150, inner)
            writer.leave(start + 500, outer)
    yield 2 * CALLS


def raw_bindings_writer(path):
    """The same by the functions that the bindings are made of."""
    import _otf2
    import otf2

    starts = range(0, CALLS // 2 * 1000, 1000)
    yield
    with otf2.writer.open(path, timer_resolution=1_000_000_000) as trace:
        writer, outer, inner = defined(trace)
        writer, outer, inner = writer._handle, outer._ref, inner._ref
        enter, leave = _otf2.EvtWriter_Enter, _otf2.EvtWriter_Leave
        for start in starts:
            enter(writer, None, start, outer)
            enter(writer, None, start + 100, inner)
            leave(writer, None, start + 150, inner)
            leave(writer, None, start + 500, outer)
    yield 2 * CALLS


WAYS = {
    "calls": kymograph_table("calls", "to_arrow"),
    "calls-batches": kymograph_batches,
    "calls-polars": kymograph_table("calls", "to_polars"),
    "calls-pandas": kymograph_table("calls", "to_pandas"),
    "events": kymograph_table("events", "to_arrow"),
    "profile": kymograph_profile,
    "to-pipit": kymograph_pipit,
    "bindings": bindings,
    "pipit": pipit,
    "writer": kymograph_writer,
    "bindings-writer": bindings_writer,
    "raw-bindings-writer": raw_bindings_writer,
}


def main(way, path):
    steps = WAYS[way](path)
    next(steps)
    begin = seconds()
    events = next(steps)
    used = seconds() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(used, events, peak)


if __name__ == "__main__":
    main(*sys.argv[1:])
