"""Reads exported tables with pyarrow, pandas, DuckDB and Polars, with their defaults.

    tables.py FOLDER...

Each folder contains the Parquet datasets in `parquet`, the CSV files in `csv`, and `profile.csv`,
the output of `kymo profile --recursive sum --format csv`.
"""

import csv
import os
import sys

import duckdb
import pandas
import polars
import pyarrow.parquet


def profile_of(folder):
    """Returns visits, inclusive and exclusive time by name of region."""
    sums = {}
    with open(f"{folder}/csv/regions.csv", newline="") as file:
        defined = {row["region"] for row in csv.DictReader(file)}
    with open(f"{folder}/profile.csv", newline="") as file:
        for row in csv.DictReader(file):
            # A region that is not defined has no name in tables.
            name = row["region"] if row["region"] in defined else None
            values = sums.setdefault(name, [0, 0, 0])
            for place, column in enumerate(["visits", "inclusive_ns", "exclusive_ns"]):
                values[place] += int(row[column] or 0)
    return {name: tuple(values) for name, values in sums.items() if values[0] > 0}


def judge_sums(folder, expected):
    """Compares the sums of all engines."""
    query = """select region, count(*), sum(duration)::bigint, sum(exclusive)::bigint
        from {} group by region"""
    for source in ["parquet/calls/*.parquet", "csv/calls.csv"]:
        rows = duckdb.sql(query.format(f"'{folder}/{source}'")).fetchall()
        assert {row[0]: tuple(row[1:]) for row in rows} == expected, (folder, source, rows)
    frame = polars.read_parquet(f"{folder}/parquet/calls/")
    sums = frame.group_by("region").agg(
        polars.len(), polars.col("duration").sum(), polars.col("exclusive").sum()
    )
    assert {row[0]: row[1:] for row in sums.rows()} == expected, folder
    assert frame.schema["region"] == polars.Categorical
    frame = pyarrow.parquet.read_table(f"{folder}/parquet/calls").to_pandas()
    assert frame.dtypes["region"] == "category"
    groups = frame.groupby("region", observed=True, dropna=False)
    found = {}
    for name, group in groups:
        name = name if isinstance(name, str) else None
        found[name] = (len(group), int(group.duration.sum()), int(group.exclusive.sum()))
    assert found == expected, folder
    return frame


def judge_calls(folder, calls):
    """Checks that callers contain their callees, and that rows are in the order of time."""
    for location, frame in calls.groupby("location"):
        frame = frame.reset_index(drop=True)
        assert (frame.time.diff().dropna() >= 0).all(), (folder, location)
        inner = frame[frame.parent >= 0]
        outer = frame.loc[inner.parent.values]
        assert (outer.depth.values + 1 == inner.depth.values).all(), (folder, location)
        assert (outer.time.values <= inner.time.values).all(), (folder, location)
        # A task may be suspended while its caller is not, so that only times without tasks nest.
        if not os.path.exists(f"{folder}/has-tasks"):
            ends = [frame.time.values + frame.duration.values for frame in (outer, inner)]
            assert (ends[0] >= ends[1]).all(), (folder, location)


def judge_messages(folder, calls):
    """Checks that messages refer to calls that were in progress."""
    messages = pyarrow.parquet.read_table(f"{folder}/parquet/messages").to_pandas()
    if len(messages) == 0:
        return 0
    calls = {location: frame.reset_index(drop=True) for location, frame in calls.groupby("location")}
    for side, when, call in [("source", "time", "send_call"), ("destination", "receive_time", "receive_call")]:
        for row in messages.dropna(subset=[side, when, call]).itertuples():
            found = calls[getattr(row, side)].iloc[int(getattr(row, call))]
            assert found.time <= getattr(row, when) <= found.time + found.duration, (folder, row, found)
    return len(messages)


def judge_datasets(folder):
    """Reads everything with everything, and counts the rows."""
    for name in sorted(os.listdir(f"{folder}/parquet")):
        parquet, text = f"{folder}/parquet/{name}", f"{folder}/csv/{name}.csv"
        table = pyarrow.parquet.read_table(parquet)
        columns = table.column_names
        query = "select count(*) from '{}'"
        found = [
            (len(pandas.read_csv(text)), list(pandas.read_csv(text).columns)),
            (polars.read_csv(text).height, polars.read_csv(text).columns),
            (polars.read_parquet(f"{parquet}/").height, polars.read_parquet(f"{parquet}/").columns),
            (duckdb.sql(query.format(text)).fetchall()[0][0], columns),
            (duckdb.sql(query.format(f"{parquet}/*.parquet")).fetchall()[0][0], columns),
        ]
        assert all(it == (table.num_rows, columns) for it in found), (folder, name, found)
        unsigned = [it for it in table.schema if str(it.type).startswith("uint")]
        assert not unsigned, unsigned


def judge_pruning(folder):
    """Checks that row groups state which locations they contain."""
    metadata = pyarrow.parquet.ParquetFile(f"{folder}/parquet/calls/part-00000.parquet").metadata
    for group in range(metadata.num_row_groups):
        columns = metadata.row_group(group)
        columns = {columns.column(it).path_in_schema: columns.column(it) for it in range(metadata.num_columns)}
        assert columns["location"].statistics.has_min_max, folder
        assert columns["time"].statistics.has_min_max, folder
    keys = {key.decode() for key in metadata.metadata}
    assert {"kymo.version", "kymo.clock.resolution", "kymo.events_lost", "ARROW:schema"} <= keys, keys


def main():
    calls = messages = 0
    for folder in sys.argv[1:]:
        expected = profile_of(folder)
        frame = judge_sums(folder, expected)
        judge_calls(folder, frame)
        messages += judge_messages(folder, frame)
        judge_datasets(folder)
        judge_pruning(folder)
        calls += len(frame)
    print(calls, "calls", messages, "messages")


main()
