"""Writes traces with the package `kymograph`, and reads them again.

    written_traces.py FOLDER ARCHIVE...

Writes the calls, messages, collective operations and metrics of each archive to a folder in FOLDER, and
random calls. Prints the written archives.
"""

import datetime
import json
import pathlib
import random
import resource
import signal
import sys

import kymograph
import pandas
import polars
import pyarrow


def raises(kind, call, text=""):
    """The call raises an exception of a kind, with a text."""
    try:
        call()
    except kind as error:
        assert text in str(error), (text, str(error))
        return
    raise AssertionError(f"{kind} expected")


def copy_of(trace, folder):
    """Writes all tables of a trace that a writer takes."""
    with kymograph.Writer(
        folder, start=trace.date or 0, ticks_per_second=10**9, description="copy"
    ) as writer:
        nodes, processes = {}, {}
        for group in trace.definitions.location_groups.values():
            if group.node not in nodes:
                nodes[group.node] = writer.node(group.node or "")
            processes[group.id] = writer.process(group.name or "", node=nodes[group.node])
        for location in trace.definitions.locations.values():
            process = processes[location.group.id] if location.group else writer.process("")
            writer.location(location.name or "", process, kind=location.kind, id=location.id)
        for region in trace.definitions.regions.values():
            writer.region(
                region.name or "",
                canonical_name=region.canonical_name,
                role=region.role,
                paradigm=region.paradigm,
                file=region.file,
                first_line=region.first_line,
                last_line=region.last_line,
            )
        for metric in trace.definitions.metrics.values():
            writer.metric(
                metric.name,
                unit=metric.unit,
                description=metric.description,
                mode=metric.mode,
                value_type=metric.value_type,
            )
        # Their members are no part of the tables; ranks are. Windows have operations, too.
        tables = [trace.messages(), trace.collectives()]
        for communicator in {row["communicator"] for table in tables for row in table.to_dicts()}:
            writer.communicator(communicator, [])
        calls = trace.calls().to_arrow()
        writer.write(
            calls=calls.append_column("named", calls["region"]),
            messages=trace.messages(),
            collectives=trace.collectives().to_pandas(),
            metrics=trace.metrics().to_polars(),
        )
    return kymograph.open(folder)


def rows(table, *names):
    return [tuple(row[name] for name in names) for row in table.to_dicts()]


def judge_copy(trace, folder):
    """A copy has the same tables."""
    copied = copy_of(trace, folder)
    assert copied.date == (trace.date or datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc))
    for table, names in [
        ("calls", ("location", "time", "duration", "exclusive", "depth", "region", "parent")),
        ("metrics", ("location", "time", "metric", "value_int", "value_double")),
        (
            "collectives",
            (
                "location",
                "time",
                "duration",
                "operation",
                "communicator",
                "root",
                "bytes_sent",
                "bytes_received",
            ),
        ),
        ("locations", ("location", "name", "kind")),
        ("regions", ("region_id", "region", "canonical_name", "role", "paradigm", "file", "first_line")),
        ("metrics_defs", ("metric", "description", "unit", "mode", "value_type")),
    ]:
        found, expected = (rows(it.table(table), *names) for it in (copied, trace))
        assert found == expected, (table, found[:3], expected[:3])
    # Messages without the members of communicators are events only.
    for kind, rank, sides in [
        ("MpiSend", "receiver", ("source", "time", "destination_rank", "tag", "bytes")),
        ("MpiRecv", "sender", ("destination", "receive_time", "source_rank", "tag", "bytes")),
    ]:
        events = [row for row in copied.events().to_dicts() if row["kind"] == kind]
        fields = [json.loads(row["fields"]) for row in events]
        found = [
            (row["location"], row["time"], it[rank], it["msgTag"], it["msgLength"])
            for row, it in zip(events, fields)
        ]
        expected = [row for row in rows(trace.messages(), *sides) if row[1] is not None]
        assert sorted(found) == sorted(expected), kind
    return copied


def random_calls(generator, count):
    """Returns calls of two locations that are inside each other or apart, with their depths."""
    calls = []
    for location in (3, 8):

        def fill(start, end, depth):
            time = start
            while time < end and len(calls) < count and depth < 6:
                first = generator.randint(time, end)
                last = generator.randint(first, end)
                calls.append((location, first, last - first, depth, f"f{generator.randint(0, 4)}"))
                if last > first:
                    fill(first, last, depth + 1)
                time = last + generator.randint(0, 3)

        fill(0, 10_000, 0)
    return pandas.DataFrame(calls, columns=["location", "time", "duration", "depth", "region"])


def judge_random_calls(folder, seed):
    """Calls in any order are those that were written; with depths, so are those around them."""
    generator = random.Random(seed)
    calls = random_calls(generator, 300)
    shuffled = calls.drop(columns="depth").sample(frac=1, random_state=seed)
    for name, table in [("sorted", calls), ("shuffled", shuffled)]:
        path = f"{folder}/{name}-{seed}"
        with kymograph.Writer(path) as writer:
            process = writer.process("Process")
            for location in (3, 8):
                writer.location(f"Thread {location}", process, id=location)
            writer.write(calls=table)
        names = ("location", "time", "duration", "region") + (("depth",) if name == "sorted" else ())
        found = rows(kymograph.open(path).calls(), *names)
        expected = list(calls[list(names)].itertuples(index=False, name=None))
        assert sorted(found) == sorted(expected) and (name == "shuffled" or found == expected), seed


def judge_streams(folder):
    """Calls may be longer than the part that is written at a time."""
    with kymograph.Writer(folder) as writer:
        thread = writer.location("Thread", writer.process("Process"))
        main = writer.region("main", role="FUNCTION", file="main.c", first_line=3)
        writer.write(events={"location": [thread], "time": [0], "kind": ["Enter"], "region": [main]})
        for step in range(10):
            writer.write(
                calls=polars.DataFrame(
                    {"location": [thread], "time": [step * 10], "duration": [5], "region": ["step"]}
                )
            )
        writer.write(
            events=pyarrow.table({"location": [thread], "time": [100], "kind": ["Leave"], "region": [main]})
        )
    calls = kymograph.open(folder).calls().to_dicts()
    assert [row["depth"] for row in calls] == [0] + [1] * 10
    assert calls[0]["duration"] == 100 and calls[0]["exclusive"] == 50


def judge_order(folder):
    """Events at the time of a call's start or end are in that call."""
    with kymograph.Writer(folder) as writer:
        threads = [writer.location("Thread", writer.process(f"Rank {rank}")) for rank in range(2)]
        writer.metric("load", value_type="UINT64")
        writer.write(
            calls={
                "location": threads * 3,
                "time": [0, 0, 10, 10, 20, 20],
                "duration": [10] * 6,
                "region": ["before", "before", "send", "receive", "after", "after"],
            },
            messages={"source": [0, 0], "destination": [1, 0], "time": [10, 15], "receive_time": [20, 15]},
            collectives={"location": [0], "time": [15], "duration": [0], "operation": ["BARRIER"]},
            metrics={"location": [0], "time": [10], "metric": ["load"], "value": [3]},
        )
    trace = kymograph.open(folder)
    events = [(row["location"], row["time"], row["kind"], row["region"]) for row in trace.events().to_dicts()]
    assert events == [
        (0, 0, "Enter", "before"),
        (0, 10, "Metric", None),
        (0, 10, "Leave", "before"),
        (0, 10, "Enter", "send"),
        (0, 10, "MpiSend", None),
        (0, 15, "MpiSend", None),
        (0, 15, "MpiRecv", None),
        (0, 15, "MpiCollectiveBegin", None),
        (0, 15, "MpiCollectiveEnd", None),
        (0, 20, "Leave", "send"),
        (0, 20, "Enter", "after"),
        (0, 30, "Leave", "after"),
        (1, 0, "Enter", "before"),
        (1, 10, "Leave", "before"),
        (1, 10, "Enter", "receive"),
        (1, 20, "MpiRecv", None),
        (1, 20, "Leave", "receive"),
        (1, 20, "Enter", "after"),
        (1, 30, "Leave", "after"),
    ], events
    matrix = trace.communication_matrix().to_dicts()
    assert [(row["source"], row["destination"]) for row in matrix] == [(0, 0), (0, 1)]


def judge_answers(folder):
    """The facts known of a written program are found in it: rank 3 computes twice as long."""
    ranks = range(4)
    with kymograph.Writer(folder) as writer:
        threads = [writer.location("Thread", writer.process(f"Rank {rank}")) for rank in ranks]
        writer.region("MPI_Barrier", role="BARRIER", paradigm="MPI")
        work = [10_000, 10_000, 10_000, 20_000]
        rest = [21_000 - it for it in work]
        writer.write(
            calls={
                "location": threads * 3,
                "time": [0] * 8 + work,
                "duration": [21_000] * 4 + work + rest,
                "region": ["main"] * 4 + ["compute"] * 4 + ["MPI_Barrier"] * 4,
            },
            collectives={"location": threads, "time": work, "duration": rest, "operation": ["BARRIER"] * 4},
        )
    trace = kymograph.open(folder)
    waits = rows(trace.waits(), "location", "time", "duration", "kind", "region", "cause")
    assert waits == [(rank, 10_000, 10_000, "barrier", "MPI_Barrier", 3) for rank in range(3)], waits
    blame = trace.explain()["blame"]
    assert [(it["location"], it["path"], it["time_ns"]) for it in blame] == [(3, ["main", "compute"], 30_000)]
    profile = {row["region"]: row["exclusive_ns"] for row in trace.profile().to_dicts()}
    assert profile == {"compute": 50_000, "MPI_Barrier": 34_000, "main": 0}


def judge_calls_without_time(folder):
    """Calls that take no time do not take the events of those around them."""
    with kymograph.Writer(folder) as writer:
        thread = writer.location("Thread", writer.process("Process"))
        writer.write(
            calls={
                "location": [thread] * 3,
                "time": [0, 10, 20],
                "duration": [10, 0, 5],
                "region": ["receive", "nothing", "send"],
                "depth": [0, 1, 0],
            },
            messages={"source": [thread], "destination": [thread], "time": [20], "receive_time": [10]},
        )
    kinds = [(row["kind"], row["region"]) for row in kymograph.open(folder).events().to_dicts()]
    assert kinds == [
        ("Enter", "receive"),
        ("Enter", "nothing"),
        ("Leave", "nothing"),
        ("MpiRecv", None),
        ("Leave", "receive"),
        ("Enter", "send"),
        ("MpiSend", None),
        ("Leave", "send"),
    ], kinds


def judge_mistakes(folder):
    """A table with a mistake is refused, and nothing of it is written."""
    with kymograph.Writer(folder) as writer:
        raises(KeyError, lambda: writer.location("Thread", 7), "process 7")
        process = writer.process("Process")
        thread = writer.location("Thread", process)
        other = writer.location("Other thread", process)
        device = writer.location("Stream", writer.process("Device"), kind="ACCELERATOR_STREAM")
        writer.metric("load", value_type="INT64")
        raises(ValueError, lambda: writer.location("Thread", process, id=thread), "location 0")
        raises(ValueError, lambda: writer.location("Thread", process, kind="FIBRE"), "CPU_THREAD")
        raises(ValueError, lambda: writer.region("f", role="KERNELS"), "role")
        raises(ValueError, lambda: writer.property("version", "1"), "version")
        raises(ValueError, lambda: writer.region("a\0b"), "NUL")
        raises(ValueError, lambda: writer.region("a" * (1 << 21)), "bytes")
        raises(ValueError, lambda: writer.location("Thread", process, id=2**63), "larger")
        raises(TypeError, lambda: writer.write(calls=5), "int")
        raises(ValueError, lambda: writer.communicator("two", [thread, thread]), "one process")
        call = {"location": [thread], "time": [10], "duration": [5], "region": ["f"]}
        writer.write(calls=call)
        for kind, text, tables in [
            (KeyError, "location 9", {"calls": {**call, "location": [9], "time": [20]}}),
            (KeyError, "region 9", {"calls": {**call, "region": [9], "time": [20]}}),
            (ValueError, "before 15", {"calls": {**call, "time": [14]}}),
            (
                ValueError,
                "duration",
                {"calls": {name: call[name] for name in ("location", "time", "region")}},
            ),
            (
                ValueError,
                "no value in row 0",
                {"calls": {**call, "duration": pyarrow.array([None], "int64")}},
            ),
            (ValueError, "", {"calls": {**call, "time": [-1]}}),
            (
                ValueError,
                "later than a time can be",
                {"calls": {**call, "time": [20], "duration": pyarrow.array([2**64 - 1], "uint64")}},
            ),
            (
                ValueError,
                "ends after the call around it",
                {
                    "calls": {
                        "location": [thread] * 3,
                        "time": [20, 30, 35],
                        "duration": [20, 10, 10],
                        "region": ["f"] * 3,
                    }
                },
            ),
            (ValueError, "depth is 1, but 0 calls are open", {"calls": {**call, "time": [20], "depth": [1]}}),
            (ValueError, "column time", {"calls": {**call, "time": [datetime.timedelta(1)]}}),
            (ValueError, "names in column region", {"calls": {**call, "region": [True]}}),
            (
                ValueError,
                "names in column kind",
                {"events": {"location": [thread], "time": [20], "kind": [1], "region": ["f"]}},
            ),
            (
                ValueError,
                "time 20 follows 30",
                {
                    "events": {
                        "location": [thread] * 2,
                        "time": [30, 20],
                        "kind": ["Enter", "Leave"],
                        "region": ["f"] * 2,
                    }
                },
            ),
            (
                ValueError,
                "no operation",
                {"collectives": {"location": [0], "time": [20], "duration": [1], "operation": [250]}},
            ),
            (
                ValueError,
                "no call is open",
                {"events": {"location": [thread], "time": [20], "kind": ["Leave"], "region": ["f"]}},
            ),
            (
                ValueError,
                "MpiSend",
                {"events": {"location": [thread], "time": [20], "kind": ["MpiSend"], "region": ["f"]}},
            ),
            (
                ValueError,
                "destination_rank",
                {"messages": {"source": [thread], "time": [20], "bytes": [1]}},
            ),
            (
                ValueError,
                "no thread",
                {"messages": {"source": [thread], "destination": [device], "time": [20], "bytes": [1]}},
            ),
            (
                KeyError,
                "communicator none",
                {"messages": {"source": [0], "destination": [0], "time": [20], "communicator": ["none"]}},
            ),
            (
                KeyError,
                "SHOUT",
                {"collectives": {"location": [0], "time": [20], "duration": [1], "operation": ["SHOUT"]}},
            ),
            (
                KeyError,
                "speed",
                {"metrics": {"location": [0], "time": [20], "metric": ["speed"], "value": [1]}},
            ),
            (
                ValueError,
                "INT64",
                {"metrics": {"location": [0], "time": [20], "metric": ["load"], "value": [1.5]}},
            ),
        ]:
            # Rows without a mistake are not written either.
            tables = {"calls": {**call, "location": [other]}, **tables}
            raises(kind, lambda: writer.write(**tables), text)
    raises(ValueError, lambda: writer.write(calls=call), "complete")
    writer.close()
    raises(FileExistsError, lambda: kymograph.Writer(folder))
    raises(ValueError, lambda: kymograph.Writer(f"{folder}-none", ticks_per_second=0))
    raises(ValueError, lambda: kymograph.Writer(f"{folder}-none", start=datetime.datetime(2026, 1, 1)))
    assert rows(kymograph.open(folder).calls(), "time", "region") == [(10, "f")]


def judge_failures(folder):
    """After an error of the file system, a trace is as before, and goes on when it is over."""
    writer = kymograph.Writer(f"{folder}/full")
    process = writer.process("Process")
    threads = [writer.location("Thread", process) for _ in range(2)]
    few = {"location": [threads[0]], "time": [0], "duration": [5], "region": ["f"]}
    count = 100_000
    many = {
        "location": [threads[1]] * count,
        "time": range(0, 10 * count, 10),
        "duration": [5] * count,
        "region": ["f"] * count,
    }
    both = {name: few[name] + list(many[name]) for name in few}
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))
    try:
        raises(OSError, lambda: writer.write(calls=both), "traces/1.evt")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    writer.write(calls=both)
    # A file in the place of the definitions.
    definitions = pathlib.Path(folder, "full/traces.def")
    definitions.mkdir()
    raises(IsADirectoryError, writer.close, "traces.def")
    raises(ValueError, lambda: writer.write(calls=few), "being completed")
    definitions.rmdir()
    writer.close()
    assert len(kymograph.open(f"{folder}/full").calls().to_dicts()) == count + 1

    with kymograph.Writer(f"{folder}/files") as writer:
        process = writer.process("Process")
        files = pathlib.Path(folder, "files/traces")
        (files / "0.def").mkdir()
        raises(IsADirectoryError, lambda: writer.location("Thread", process), "traces/0.def")
        (files / "0.def").rmdir()
        assert writer.location("Thread", process) == 0
    return [f"{folder}/full", f"{folder}/files"]


def judge_references(folder):
    """Ids may be numbers of any kind, and names of a communicator that is defined count."""
    with kymograph.Writer(folder) as writer:
        thread = writer.location("Thread", writer.process("Process"))
        regions = [writer.region(name) for name in ("f", "g")]
        world = writer.communicator("MPI_COMM_WORLD", [thread])
        times = {"location": [thread] * 2, "duration": [1, 1]}
        for start, column in enumerate(
            [
                [float(region) for region in regions],
                pandas.Categorical(regions),
                pyarrow.array(["f", "g"], "large_string"),
                pandas.Series(["f", "g"], dtype="object"),
            ]
        ):
            frame = {**times, "time": [start * 10, start * 10 + 5]}
            writer.write(calls=pyarrow.table({**frame, "region": pyarrow.array(column)}))
        writer.write(
            collectives={"location": [thread], "time": [50], "duration": [1], "operation": ["BARRIER"]},
            messages={"source": [thread], "destination": [thread], "time": [60], "communicator": [world]},
        )
    trace = kymograph.open(folder)
    assert [row["region"] for row in trace.calls().to_dicts()] == ["f", "g"] * 4
    assert len(trace.regions().to_dicts()) == 2 and len(trace.communicators().to_dicts()) == 1


def main(folder, archives):
    written = []
    for number, archive in enumerate(archives):
        trace, copy = kymograph.open(archive), f"{folder}/copy-{number}"
        if trace.table("tasks").to_dicts():
            # The calls of a task that waits are not inside each other.
            raises(ValueError, lambda: copy_of(trace, copy), "call before it")
            continue
        judge_copy(trace, copy)
        written.append(copy)
    for seed in range(20):
        judge_random_calls(folder, seed)
    judge_streams(f"{folder}/streams")
    judge_order(f"{folder}/order")
    judge_calls_without_time(f"{folder}/no-time")
    judge_answers(f"{folder}/answers")
    judge_mistakes(f"{folder}/mistakes")
    judge_references(f"{folder}/references")
    written += judge_failures(folder)
    written += [
        f"{folder}/{name}" for name in ("sorted-0", "shuffled-0", "streams", "order", "references", "answers")
    ]
    print(*written, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
