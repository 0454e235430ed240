"""Reads archives with the package `kymograph`, and compares.

    package.py FOLDER...
    package.py --events ARCHIVE EVENTS

Each folder has the archive in `archive`, all tables of `kymo export` in `parquet`, the output of `kymo
profile --format csv` in `profile.csv`, with `--tree` in `tree.csv`, and that of `bindings_events.py` in
`events`, which is empty if the bindings are missing or refuse the archive. With `--events`, only the
events of an archive are compared with that output.
"""

import concurrent.futures
import csv
import doctest
import fnmatch
import gc
import json
import multiprocessing
import os
import pathlib
import pickle
import sys

import duckdb
import kymograph
import pandas
import polars
import pyarrow
import pyarrow.parquet


#: The number of events from which on tables have several batches; not to be compared row by row.
MANY = 100_000


def plain(table):
    """Returns rows without dictionaries, whose order is no part of a table."""
    is_name = lambda column: pyarrow.types.is_dictionary(column.type)
    columns = {name: table[name] for name in table.column_names}
    return pyarrow.table({name: it.cast("string") if is_name(it) else it for name, it in columns.items()})


def judge_tables(trace, folder):
    """Every table has the rows of the exported one."""
    for name in sorted(os.listdir(folder)):
        exported = plain(pyarrow.parquet.read_table(f"{folder}/{name}"))
        table = trace.table(name)
        assert plain(table.to_arrow()).equals(exported), name
        assert table.columns == pyarrow.schema(table).names, name
        some = table.columns[::-2]
        assert plain(table.select(some).to_arrow()).equals(exported.select(some)), name
        if name in ("calls", "messages"):
            assert plain(trace.table(name, threads=1).to_arrow()).equals(exported), name
            assert plain(pyarrow.table(table)).equals(exported), name


def judge_libraries(trace):
    """All libraries read the same."""
    calls = trace.calls()
    rows = pyarrow.table(calls).num_rows
    assert polars.DataFrame(calls).height == calls.to_polars().height == rows
    assert len(calls.to_pandas()) == len(calls.to_dicts()) == rows
    assert sum(batch.num_rows for batch in calls.batches()) == rows
    assert duckdb.sql("select count(*) from calls").fetchall() == [(rows,)]
    if rows > 0:
        assert isinstance(calls.to_pandas()["region"].dtype, pandas.CategoricalDtype)


def judge_profile(trace, folder):
    """Profiles have the columns and the rows of the command, but for the labels of equal names."""
    for table, file in [(trace.profile(), "profile.csv"), (trace.call_tree(), "tree.csv")]:
        with open(f"{folder}/{file}", newline="") as text:
            expected = list(csv.DictReader(text))
        # Metrics are the last columns.
        names = table.columns
        assert not expected or list(expected[0])[: len(names)] == names, (list(expected[0]), names)
        exact = [name for name in names if name not in ("region", "mean_ns", "deviation_ns")]
        rows = table.to_dicts()
        key = lambda row: tuple("" if row[name] is None else str(row[name]) for name in exact)
        assert sorted(map(key, rows)) == sorted(map(key, expected)), file
        for name in ("mean_ns", "deviation_ns"):
            found = sorted(row[name] for row in rows if row[name] is not None)
            assert found == sorted(float(row[name]) for row in expected if row[name]), name
    regions = trace.profile().select(["visits", "region"]).to_dicts()
    assert regions == [
        {name: row[name] for name in ("visits", "region")} for row in trace.profile().to_dicts()
    ]
    visits = trace.profile().to_pandas()["visits"].sum()
    assert trace.profile("location").to_pandas()["visits"].sum() == visits


def rows_of_part(task):
    trace, part = task
    return trace.calls(part=part).to_dicts()


def judge_sums(trace):
    """Sums of the run are those of its tables, and of the command."""
    sums = {}
    for row in trace.messages().to_dicts():
        if row["time"] is not None and row["receive_time"] is not None:
            sum_of = sums.setdefault((row["source"], row["destination"]), [0, 0])
            sum_of[0] += 1
            sum_of[1] += row["bytes"]
    matrix = trace.communication_matrix().to_dicts()
    assert {(row["source"], row["destination"]): [row["messages"], row["bytes"]] for row in matrix} == sums
    stated = trace.statistics()
    balance = trace.load_imbalance().to_dicts()
    assert [row["idle_ns"] for row in balance] == sorted((row["idle_ns"] for row in balance), reverse=True)
    by_region = {row["region"]: row for row in balance}
    for row in stated["imbalance"]:
        if row["region"] in by_region:
            found = by_region[row["region"]]
            assert (row["locations"], row["longest_ns"], row["idle_ns"]) == (
                found["locations"],
                found["longest_ns"],
                found["idle_ns"],
            ), row
    assert trace.efficiencies() == (stated["efficiency"] or {})
    assert "findings" in trace.explain()


def judge_time_profile(trace):
    """Slices of time add up to the profile, and a location has no more in each than its time."""

    def sums(frame):
        # Some regions have the same name.
        sums = frame.groupby("region", observed=True)[["exclusive_ns", "visits"]].sum().to_dict("index")
        return {region: it for region, it in sums.items() if any(it.values())}

    total = sums(trace.profile().to_pandas())
    for slices in (1, 64, 256):
        frame = trace.time_profile(slices).to_pandas()
        assert sums(frame) == total, slices
        assert (frame["slice"] < slices).all() and (frame["time"] == frame["slice"] * frame["duration"]).all()
        each = trace.time_profile(slices, "location").to_pandas()
        assert sums(each) == total, slices
        times = each.groupby(["location", "slice"])["exclusive_ns"].sum()
        # A sample counts where it was taken, and may stand for more time than a slice has.
        has_samples = len(trace.samples().to_dicts()) > 0
        assert has_samples or times.empty or times.max() <= each["duration"].iloc[0], slices


def judge_definitions(trace):
    """Objects have the values of the tables."""
    definitions = trace.definitions
    for objects, table in [
        (definitions.location_groups, trace.location_groups()),
        (definitions.regions, trace.regions()),
        (definitions.communicators, trace.communicators()),
        (definitions.metrics, trace.metric_definitions()),
    ]:
        assert [tuple(it) for it in objects.values()] == [tuple(row.values()) for row in table.to_dicts()]
        assert all(it.id == id for id, it in objects.items())
    groups = {row["location"]: row["location_group"] for row in trace.locations().to_dicts()}
    assert {id: it.group and it.group.id for id, it in definitions.locations.items()} == groups


def judge_selected_answers(trace):
    """Answers of the command are about the part that is asked for."""
    locations = [row["location"] for row in trace.locations().to_dicts() if row["kind"] == "CPU_THREAD"][:1]
    assert trace.statistics(locations=iter(locations))["trace"]["active_locations"] <= 1
    half = (0, trace.length // 2)
    assert trace.explain(time=half, threads=1)["trace"]["length_ns"] <= trace.length // 2
    picture = trace.picture("flame", time=half)
    assert picture._repr_svg_().startswith("<svg") and "<img" in picture.to_html()


def judge_parts(trace):
    """Parts in processes add up to the whole. Forked processes lack the threads of other libraries."""
    whole = trace.calls().to_dicts()
    tasks = [(trace, (index, 3)) for index in range(3)]
    # A pool of multiprocessing waits forever for a process that died.
    fork = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=fork) as pool:
        parts = list(pool.map(rows_of_part, tasks))
    key = lambda row: (row["location"], row["time"], row["depth"], row["context"])
    assert sorted((row for part in parts for row in part), key=key) == sorted(whole, key=key)
    assert pickle.loads(pickle.dumps(trace)).path == trace.path
    for pattern in ("MPI_*", "main"):
        kept = [row for row in whole if row["region"] and fnmatch.fnmatch(row["region"], pattern)]
        if kept:
            assert trace.calls(regions=[pattern]).to_dicts() == kept
            times = [{"time": row["time"]} for row in kept]
            assert trace.calls(regions=[pattern]).select("time").to_dicts() == times
            visits = sum(row["visits"] for row in trace.profile(regions=pattern).to_dicts())
            assert visits == len(kept)
    locations = sorted({row["location"] for row in whole})[:1]
    if locations:
        only = [row for row in whole if row["location"] in locations]
        assert trace.calls(locations=locations).to_dicts() == only


#: Fields that the bindings name in their own way, or resolve.
RENAMED = {"values": "metricvalues"}
RESOLVED = {"string", "programname", "programarguments", "file"}


def plain_name(name):
    name = name.replace("_", "").lower()
    return RENAMED.get(name, name)


def plain_fields(fields, regions):
    """Returns fields by plain names, without those that are resolved or have no value."""
    fields = {plain_name(name): value for name, value in fields.items()}
    if "region" in fields:
        fields["region"] = regions[fields["region"]]
    # Undefined numbers are none in the bindings, where they refer to something.
    undefined = {2**8 - 1, 2**32 - 1, 2**64 - 1, None}
    is_known = lambda value: isinstance(value, list) or value not in undefined
    return {name: value for name, value in fields.items() if name not in RESOLVED and is_known(value)}


def judge_events(trace, path):
    """Events are those of the bindings, in the same order and with the same values."""
    regions = {id: region.name for id, region in trace.definitions.regions.items()}
    found, expected = {}, {}
    for row in trace.events().to_dicts():
        fields = json.loads(row["fields"]) if row["fields"] else {}
        if row["region"] is not None:
            fields = {**fields, "region": row["region"]}
        event = (plain_name(row["kind"]), plain_fields(fields, dict(zip(regions.values(), regions.values()))))
        found.setdefault(row["location"], []).append(event)
    with open(path) as file:
        for line in file:
            location, _, name, fields = line.rstrip("\n").split("\t")
            event = (plain_name(name), plain_fields(json.loads(fields), regions))
            expected.setdefault(int(location), []).append(event)
    assert found.keys() == expected.keys()
    for location, events in found.items():
        for number, (event, other) in enumerate(zip(events, expected[location])):
            assert event == other, (location, number, event, other)
        assert len(events) == len(expected[location]), location


def judge_command(folder):
    """The functions do the same as the command; its refusal is an exception."""
    archive = f"{folder}/archive"
    assert kymograph.check(archive) == []
    report = kymograph.report(archive)
    assert report.path.is_file() and "<iframe" in report._repr_html_()
    path = report.path
    del report
    assert not path.parent.exists()
    with kymograph.record(["sh", "-c", "exit 3"], options=["--with", "io"]) as recording:
        assert recording.returncode == 3 and len(recording.trace.location_groups().to_dicts()) == 1
    assert not recording.path.exists()
    with kymograph.record(["true"], f"{folder}/recorded") as recording:
        pass
    assert kymograph.open(recording.path).number_of_events == recording.trace.number_of_events
    kymograph.merge([archive, archive], f"{folder}/merged")
    merged = kymograph.open(f"{folder}/merged")
    assert merged.number_of_events == 2 * kymograph.open(archive).number_of_events
    try:
        kymograph.merge([archive], f"{folder}/merged")
    except kymograph.CommandError as error:
        assert error.status == 2 and "merged" in str(error), error
    else:
        raise AssertionError("an archive was replaced")


def judge_dask(folder):
    """A data frame of Dask, in processes, has the sums of the whole."""
    import distributed
    import kymograph.dask

    examples = doctest.testmod(kymograph.dask, extraglobs={"EXAMPLE": folder})
    assert examples.attempted > 0 and examples.failed == 0, examples
    whole = kymograph.open(folder).calls().to_pandas()
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    )
    with cluster, distributed.Client(cluster):
        calls = kymograph.dask.calls(folder, partitions=3)
        assert calls.npartitions == 3
        sums = calls.groupby("region", observed=True)["exclusive"].sum().compute().to_dict()
        assert sums == whole.groupby("region", observed=True)["exclusive"].sum().to_dict()
        assert len(calls) == len(whole)
        lengths = kymograph.dask.calls(folder, partitions=3, columns=["duration"])
        assert (
            list(lengths.columns) == ["duration"]
            and lengths["duration"].sum().compute() == whole["duration"].sum()
        )
    try:
        kymograph.dask.table(folder, "messages")
    except ValueError:
        return
    raise AssertionError("messages have no partitions")


def pipit_calls(frame):
    """Returns pipit's columns for the calls of a frame, by its rules, row by row."""
    partners, callers, callees, depths, exclusive = {}, {}, {}, {}, {}
    times, kinds, names = (frame[name].tolist() for name in ("Timestamp (ns)", "Event Type", "Name"))
    # Regions without a definition have no name.
    names = [None if pandas.isna(name) else name for name in names]
    for _, rows in frame.groupby(["Process", "Thread"], observed=True).groups.items():
        opened = []
        for row in rows:
            if kinds[row] == "Enter":
                opened.append(row)
            elif kinds[row] == "Leave":
                same = [it for it in opened if names[it] == names[row]]
                if same:
                    opened.remove(same[-1])
                    partners[same[-1]], partners[row] = row, same[-1]
        stack = []
        for row in (row for row in rows if row in partners):
            if kinds[row] == "Enter":
                depths[row] = len(stack)
                exclusive[row] = times[partners[row]] - times[row]
                if stack:
                    callers[row] = stack[-1]
                    callees.setdefault(stack[-1], []).append(row)
                    exclusive[stack[-1]] -= times[partners[row]] - times[row]
                stack.append(row)
            else:
                stack.pop()
    return partners, depths, callers, callees, exclusive


def judge_pipit(trace):
    """The frame has the rows and the calls that pipit would find."""
    frame = trace.to_pipit()
    known = lambda name: {
        row: value for row, value in frame[name].items() if isinstance(value, list) or pandas.notna(value)
    }
    partners, depths, callers, callees, exclusive = pipit_calls(frame)
    assert known("_matching_event") == partners
    assert known("_depth") == depths and known("_parent") == callers and known("_children") == callees
    assert known("time.exc") == exclusive
    assert frame["Timestamp (ns)"].is_monotonic_increasing
    threads = {row["location"] for row in trace.locations().to_dicts() if row["kind"] == "CPU_THREAD"}
    rows = [
        row for row in trace.events().to_dicts() if row["location"] in threads and row["kind"] != "Metric"
    ]
    assert len(frame) == len(rows)
    assert len(partners) // 2 <= sum(row["location"] in threads for row in trace.calls().to_dicts())


def judge_threads(trace):
    """Threads of Python share a trace, also while objects of others are collected."""
    questions = [trace.calls, trace.events, trace.messages, trace.profile, trace.time_profile, trace.regions]
    answers = [question().to_dicts() for question in questions]
    usual = gc.get_threshold()
    gc.set_threshold(1)
    try:
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            asked = [
                (place, pool.submit(lambda it=it: it().to_dicts())) for place, it in enumerate(questions * 3)
            ]
            # Tables that nobody reads to their end.
            unread = [next(table.batches(), None) for table in (trace.calls(), trace.events())]
            for place, answer in asked:
                assert answer.result() == answers[place % len(questions)], place
            del unread
    finally:
        gc.set_threshold(*usual)


def judge_mistakes(trace):
    """Mistakes are exceptions of the usual kinds."""
    for wrong, kind in [
        (lambda: kymograph.open("/nowhere/traces.otf2"), FileNotFoundError),
        (lambda: kymograph.open(__file__), kymograph.TraceError),
        (lambda: trace.table("nothing"), KeyError),
        (lambda: trace.calls(locations=[2**63]), KeyError),
        (lambda: trace.calls(time=(2, 1)), ValueError),
        (lambda: trace.calls(part=(3, 3)), ValueError),
        (lambda: trace.messages(part=(0, 2)), ValueError),
        (lambda: trace.messages(regions="main"), ValueError),
        (lambda: trace.calls(regions="no such region"), KeyError),
        (lambda: trace.calls(regions="no such region*"), KeyError),
        (lambda: trace.calls(threads=0), ValueError),
        (lambda: trace.calls(nothing=1), TypeError),
        (lambda: trace.calls().select(["time", "end"]), KeyError),
        (lambda: trace.calls().select(["time", "time"]), ValueError),
        (lambda: trace.calls().select([]), ValueError),
        (lambda: trace.profile("process"), ValueError),
        (lambda: trace.time_profile(8), ValueError),
        (lambda: trace.time_profile(0), ValueError),
        (lambda: trace.explain(part=(0, 2)), ValueError),
        (lambda: trace.statistics(regions="main"), ValueError),
        (lambda: trace.efficiencies(locations=[2**63]), KeyError),
        (lambda: trace.picture("pie"), kymograph.CommandError),
        (lambda: trace.explain(locations=[]), ValueError),
        (lambda: kymograph.record(["/nowhere/program"]), kymograph.CommandError),
        (lambda: kymograph.record("true"), TypeError),
        # Something is there already.
        (lambda: kymograph.record(["true"], pathlib.Path(trace.path).parent), FileExistsError),
    ]:
        try:
            wrong()
        except kind:
            continue
        raise AssertionError(kind)


def main(folders):
    for folder in folders:
        trace = kymograph.open(f"{folder}/archive")
        if trace.number_of_events <= MANY:
            judge_parts(trace)
    for module in (kymograph, kymograph._writer):
        names = {"EXAMPLE": f"{folders[0]}/archive", "NEW_FOLDER": f"{folders[0]}/written"}
        examples = doctest.testmod(module, extraglobs=names)
        assert examples.attempted > 0 and examples.failed == 0, examples
    judge_command(folders[0])
    judge_dask(f"{folders[0]}/archive")
    for folder in folders:
        trace = kymograph.open(f"{folder}/archive")
        judge_tables(trace, f"{folder}/parquet")
        judge_libraries(trace)
        if trace.number_of_events > MANY:
            continue
        judge_profile(trace, folder)
        judge_sums(trace)
        judge_time_profile(trace)
        judge_definitions(trace)
        judge_selected_answers(trace)
        judge_pipit(trace)
        judge_threads(trace)
        if os.path.getsize(f"{folder}/events") > 0:
            judge_events(trace, f"{folder}/events")
        judge_mistakes(trace)
        assert trace.path in repr(trace) and "<table>" in trace._repr_html_()
        assert "<th>region</th>" in trace.profile()._repr_html_()


if __name__ == "__main__":
    if sys.argv[1] == "--events":
        judge_events(kymograph.open(sys.argv[2]), sys.argv[3])
    else:
        main(sys.argv[1:])
