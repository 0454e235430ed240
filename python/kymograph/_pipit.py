"""The data frame of pipit (https://github.com/hpcgroup/pipit), with its matching of calls.

pipit needs one object of Python per event to make it, and a second walk in Python to match enters with
leaves. Here, columns are made of columns, and the native part matches calls.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from kymograph import _native
from kymograph._table import Table

if TYPE_CHECKING:
    import numpy
    import pandas
    import pyarrow

    from kymograph._trace import Trace

#: The definitions to which fields refer, as pipit names them: "Comm 3".
_DEFINITIONS = {
    "communicator": "Comm",
    "thread_team": "Comm",
    "thread_contingent": "Comm",
    "region": "Region",
    "win": "RmaWin",
    "handle": "IoHandle",
    "old_handle": "IoHandle",
    "new_handle": "IoHandle",
    "parameter": "Parameter",
    "calling_context": "CallingContext",
    "interrupt_generator": "InterruptGenerator",
}


def frame(trace: Trace) -> pandas.DataFrame:
    """Returns the events of the threads of processors, in the order of time."""
    import numpy
    import pandas

    places = _places(trace)
    events = trace.events(locations=list(places)).to_arrow()
    rows = numpy.flatnonzero(_codes(events, "kind") != _code(events, "kind", "Metric"))
    events = events.take(rows)
    time = events["time"].to_numpy()
    # Events at the same time stay in the order of their locations.
    order = numpy.argsort(time, kind="stable")
    columns = _columns(events, places, _region_ids(trace), order)
    for name, values in _metrics(trace, list(places), events).items():
        columns[name] = values[order]
    columns.update(_calls(events, order))
    return pandas.DataFrame(columns, copy=False)


def _places(trace: Trace) -> dict[int, tuple[int, int]]:
    """Returns process and thread of each thread of a processor. Threads of a process are numbered in the
    order of their ids; pipit subtracts the smallest id, which is the same where ids have no gaps."""
    places: dict[int, tuple[int, int]] = {}
    threads: dict[int, int] = {}
    for row in sorted(trace.locations().to_dicts(), key=lambda row: row["location"]):
        if row["kind"] == "CPU_THREAD":
            thread = threads.get(row["location_group"], 0)
            places[row["location"]] = (row["location_group"], thread)
            threads[row["location_group"]] = thread + 1
    return places


def _region_ids(trace: Trace) -> dict[str, int]:
    """Returns the ids of the regions whose names are unique: events state names."""
    ids: dict[str, list[int]] = {}
    for row in trace.regions().to_dicts():
        ids.setdefault(row["region"], []).append(row["region_id"])
    return {name: numbers[0] for name, numbers in ids.items() if len(numbers) == 1}


def _codes(table: pyarrow.Table, name: str) -> numpy.ndarray[Any, Any]:
    """Returns a column of names as their places in the dictionary, which all parts share; that of no
    name is the one after the last."""
    import pyarrow

    column = table[name]
    parts = [part.indices.cast("uint32").fill_null(len(part.dictionary)) for part in column.chunks]
    codes: numpy.ndarray[Any, Any] = pyarrow.chunked_array(parts, "uint32").to_numpy()
    return codes


def _names(table: pyarrow.Table, name: str) -> list[str]:
    """Returns the dictionary of a column of names."""
    chunks = table[name].chunks
    names: list[str] = chunks[0].dictionary.to_pylist() if chunks else []
    return names


def _code(table: pyarrow.Table, name: str, text: str) -> int:
    """Returns the code of a name, -1 if no row can have it."""
    names = _names(table, name)
    return names.index(text) if text in names else -1


def _category(codes: numpy.ndarray[Any, Any], names: list[Any]) -> pandas.Categorical:
    """Returns codes as categories in the order of their names, as pandas makes them of texts."""
    import numpy
    import pandas

    used = numpy.flatnonzero(numpy.bincount(codes, minlength=1)).tolist()
    kept = sorted((names[code], code) for code in used if code < len(names) and names[code] is not None)
    # Some names have several codes.
    categories = list(dict.fromkeys(name for name, _ in kept))
    place = {name: number for number, name in enumerate(categories)}
    new = numpy.full(len(names) + 1, -1, dtype="int32")
    for name, code in kept:
        new[code] = place[name]
    return pandas.Categorical.from_codes(new[codes], categories=categories)


def _columns(
    events: pyarrow.Table,
    places: dict[int, tuple[int, int]],
    ids: dict[str, int],
    order: numpy.ndarray[Any, Any],
) -> dict[str, Any]:
    import numpy

    kinds, regions = _codes(events, "kind")[order], _codes(events, "region")[order]
    kind_names, region_names = _names(events, "kind"), _names(events, "region")
    is_enter, is_leave = (kinds == _code(events, "kind", name) for name in ("Enter", "Leave"))
    is_call = is_enter | is_leave
    # An event's name is that of the region, or of the kind.
    names = numpy.where(is_call, regions, kinds + numpy.uint32(len(region_names) + 1))
    types = numpy.where(is_enter, 0, numpy.where(is_leave, 2, 1))
    # All enters of a region have the same dictionary.
    of_regions = [{"region": f"Region {ids[name]}"} if name in ids else {} for name in region_names]
    attributes = numpy.array([*of_regions, {}, None], dtype=object)[
        numpy.where(is_enter, regions, len(region_names) + 1)
    ]
    instants = numpy.flatnonzero(~is_call)
    fields = events["fields"].take(order[instants]).to_pylist()
    for place, text in zip(instants.tolist(), fields):
        attributes[place] = _attributes(text)
    locations = events["location"].to_numpy()
    # The rows of a location are together.
    is_first = numpy.append(True, locations[1:] != locations[:-1])[: len(locations)]
    distinct = locations[is_first].tolist()
    location = (numpy.cumsum(is_first, dtype="uint32") - 1)[order]
    process, thread = ([places[it][part] for it in distinct] for part in (0, 1))
    return {
        "Timestamp (ns)": events["time"].to_numpy()[order].astype("float64"),
        "Event Type": _category(types, ["Enter", "Instant", "Leave"]),
        "Name": _category(names, [*region_names, None, *kind_names]),
        "Thread": _category(location, thread),
        "Process": _category(location, process),
        "Attributes": attributes,
    }


def _attributes(text: str | None) -> dict[str, Any]:
    """Returns the fields of an event by the names of the OTF2 bindings."""
    result: dict[str, Any] = {}
    for name, value in json.loads(text or "{}").items():
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
        kind = _DEFINITIONS.get(name)
        result[name] = value if kind is None else f"{kind} {value}"
    return result


def _metrics(trace: Trace, locations: list[int], events: pyarrow.Table) -> dict[str, numpy.ndarray[Any, Any]]:
    """Returns a column for each metric: values belong to the next event of the location, which has the
    same time."""
    import numpy
    import pandas

    values = trace.metrics(locations=locations).to_pandas()
    if len(values) == 0:
        return {}
    both = pandas.DataFrame({"location": events["location"].to_numpy(), "time": events["time"].to_numpy()})
    first = both.reset_index().drop_duplicates(["location", "time"])
    found = values.merge(first, on=["location", "time"])
    found["value"] = found["value_int"].astype("float64").fillna(found["value_double"])
    columns: dict[str, numpy.ndarray[Any, Any]] = {}
    for name, rows in found.groupby("metric", observed=True):
        column = columns.setdefault(str(name), numpy.full(len(both), numpy.nan))
        column[rows["index"].to_numpy()] = rows["value"].to_numpy()
    return columns


def _calls(events: pyarrow.Table, order: numpy.ndarray[Any, Any]) -> dict[str, Any]:
    """Returns the columns that pipit computes of calls: partners, depths, callers and times."""
    import numpy
    import pyarrow

    kinds = _codes(events, "kind")
    is_enter, is_leave = (kinds == _code(events, "kind", name) for name in ("Enter", "Leave"))
    input_columns = {
        "kind": numpy.where(is_enter, 1, numpy.where(is_leave, 2, 0)).astype("uint8"),
        "name": _codes(events, "region"),
        "location": events["location"].to_numpy().astype("uint64"),
        "time": events["time"].to_numpy().astype("uint64"),
    }
    calls = Table(_native.matched_calls(pyarrow.table(input_columns)), "calls").to_arrow()
    # Where each row is after sorting; that of no row, -1, is the last one.
    place = numpy.full(len(order) + 1, -1, dtype="int32")
    place[order] = numpy.arange(len(order), dtype="int32")
    partner = place[calls["partner"].to_numpy()[order]]
    caller = place[calls["caller"].to_numpy()[order]]
    depth = calls["depth"].to_numpy()[order]
    time = events["time"].to_numpy()[order].astype("float64")
    partner_time = numpy.where(partner >= 0, time[partner], numpy.nan)
    return {
        "_matching_event": _nullable(partner),
        "_matching_timestamp": partner_time,
        "_depth": _numbers(depth),
        "_parent": _numbers(caller),
        "_children": _children(caller),
        "time.inc": numpy.where(depth >= 0, partner_time - time, numpy.nan),
        "time.exc": calls["exclusive"].to_numpy()[order],
    }


def _nullable(numbers: numpy.ndarray[Any, Any]) -> Any:
    """Returns numbers of rows as integers that can be missing; negative ones are."""
    import pandas

    return pandas.arrays.IntegerArray(numbers.astype("int32"), numbers < 0)


def _numbers(numbers: numpy.ndarray[Any, Any]) -> pandas.Categorical:
    """Returns numbers that are not negative as categories."""
    import numpy
    import pandas

    is_used = numpy.zeros(int(numbers.max(initial=-1)) + 2, dtype=bool)
    is_used[numbers] = True
    is_used[-1] = False
    code = numpy.cumsum(is_used, dtype="int32") - 1
    code[-1] = -1
    categories = pandas.array(numpy.flatnonzero(is_used), dtype="Int32")
    return pandas.Categorical.from_codes(code[numbers], categories=categories)


def _children(caller: numpy.ndarray[Any, Any]) -> numpy.ndarray[Any, Any]:
    """Returns the rows of callees for each caller, in their order."""
    import numpy

    called = numpy.flatnonzero(caller >= 0)
    by_caller = called[numpy.argsort(caller[called], kind="stable")]
    callers = caller[by_caller]
    starts = numpy.flatnonzero(numpy.append(True, callers[1:] != callers[:-1])[: len(callers)])
    ends = numpy.append(starts[1:], len(callers))
    rows = by_caller.tolist()
    children = numpy.full(len(caller), None, dtype=object)
    for row, start, end in zip(callers[starts].tolist(), starts.tolist(), ends.tolist()):
        children[row] = rows[start:end]
    return children
