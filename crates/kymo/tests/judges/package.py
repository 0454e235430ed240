"""Reads archives with the package `kymograph`, and compares.

    package.py FOLDER...

Each folder has the archive in `archive`, all tables of `kymo export` in `parquet`, the output of `kymo
profile --format csv` in `profile.csv`, and that of `bindings_events.py` in `events`, which is empty if
the bindings do not read the archive.
"""

import csv
import doctest
import multiprocessing
import os
import pickle
import sys

import duckdb
import kymograph
import pandas
import polars
import pyarrow
import pyarrow.parquet


def plain(table):
    """Returns rows without dictionaries, whose order is no part of a table."""
    return table.to_pylist()


def judge_tables(trace, folder):
    """Every table has the rows of the exported one."""
    for name in sorted(os.listdir(folder)):
        exported = plain(pyarrow.parquet.read_table(f"{folder}/{name}"))
        table = trace.table(name)
        assert plain(table.to_arrow()) == exported, name
        assert table.columns == pyarrow.schema(table).names, name
        if name in ("calls", "messages"):
            assert plain(trace.table(name, threads=1).to_arrow()) == exported, name
            assert plain(pyarrow.table(table)) == exported, name


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


def judge_profile(trace, path):
    """Sums are those of the command."""
    with open(path, newline="") as file:
        expected = [
            (row["region_id"], row["visits"], row["inclusive_ns"], row["exclusive_ns"], row["samples"])
            for row in csv.DictReader(file)
        ]
    keys = ("region_id", "visits", "inclusive_ns", "exclusive_ns", "samples")
    found = [tuple("" if row[key] is None else str(row[key]) for key in keys) for row in trace.profile().to_dicts()]
    assert sorted(found) == sorted(expected), (found, expected)
    tree = trace.call_tree().to_pandas()
    assert tree["exclusive_ns"].sum() == sum(int(row[3]) for row in expected)
    by_location = trace.profile("location").to_pandas()
    assert by_location["visits"].sum() == sum(int(row[1]) for row in expected)


def rows_of_part(task):
    trace, part = task
    return trace.calls(part=part).to_dicts()


def judge_parts(trace):
    """Parts in processes add up to the whole."""
    whole = trace.calls().to_dicts()
    tasks = [(trace, (index, 3)) for index in range(3)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        parts = pool.map(rows_of_part, tasks)
    key = lambda row: (row["location"], row["time"], row["depth"], row["context"])
    assert sorted((row for part in parts for row in part), key=key) == sorted(whole, key=key)
    assert pickle.loads(pickle.dumps(trace)).path == trace.path
    locations = sorted({row["location"] for row in whole})[:1]
    if locations:
        only = [row for row in whole if row["location"] in locations]
        assert trace.calls(locations=locations).to_dicts() == only


def judge_events(trace, path):
    """Events are those of the bindings, in the same order."""
    found = {}
    for row in trace.events().to_dicts():
        found.setdefault(row["location"], []).append(row["kind"])
    expected = {}
    with open(path) as file:
        for line in file:
            location, _, name = line.rstrip("\n").split("\t")
            expected.setdefault(int(location), []).append(name)
    assert {location: len(kinds) for location, kinds in found.items()} == {
        location: len(kinds) for location, kinds in expected.items()
    }
    plain_name = lambda name: name.replace("_", "").lower()
    for location, kinds in found.items():
        assert [plain_name(it) for it in kinds] == [plain_name(it) for it in expected[location]], location


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
        (lambda: trace.calls(threads=0), ValueError),
        (lambda: trace.calls(nothing=1), TypeError),
        (lambda: trace.profile("process"), ValueError),
    ]:
        try:
            wrong()
        except kind:
            continue
        raise AssertionError(kind)


def main(folders):
    examples = doctest.testmod(kymograph, extraglobs={"EXAMPLE": f"{folders[0]}/archive"})
    assert examples.attempted > 0 and examples.failed == 0, examples
    for folder in folders:
        trace = kymograph.open(f"{folder}/archive")
        judge_tables(trace, f"{folder}/parquet")
        judge_libraries(trace)
        judge_profile(trace, f"{folder}/profile.csv")
        judge_parts(trace)
        if os.path.getsize(f"{folder}/events") > 0:
            judge_events(trace, f"{folder}/events")
        judge_mistakes(trace)
        assert trace.path in repr(trace) and "<table>" in trace._repr_html_()
        assert "<th>region</th>" in trace.profile()._repr_html_()


if __name__ == "__main__":
    main(sys.argv[1:])
