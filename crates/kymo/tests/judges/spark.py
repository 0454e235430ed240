"""Reads exported calls with Spark on two local cores, and adds up the same as the profile.

    spark.py FOLDER...

The folders are those of `tables.py`.
"""

import csv
import sys

from pyspark.sql import SparkSession, functions


def profile_of(folder):
    """Returns visits, inclusive and exclusive time by name of region."""
    sums = {}
    with open(f"{folder}/profile.csv", newline="") as file:
        for row in csv.DictReader(file):
            values = sums.setdefault(row["region"], [0, 0, 0])
            for place, column in enumerate(["visits", "inclusive_ns", "exclusive_ns"]):
                values[place] += int(row[column] or 0)
    return {name: tuple(values) for name, values in sums.items() if values[0] > 0}


spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
calls = 0
for folder in sys.argv[1:]:
    frame = spark.read.parquet(f"{folder}/parquet/calls")
    unknown = {name: kind for name, kind in frame.dtypes if kind not in ("bigint", "string", "int")}
    assert not unknown, unknown
    sums = frame.groupBy("region").agg(
        functions.count("*"), functions.sum("duration"), functions.sum("exclusive")
    )
    found = {row[0]: tuple(row[1:]) for row in sums.collect()}
    assert found == profile_of(folder), (folder, found)
    calls += frame.count()
print(calls, "calls")
