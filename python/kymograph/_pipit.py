"""The data frame of pipit (https://github.com/hpcgroup/pipit), with its matching of calls.

pipit needs one object of Python per event to make it, and a second walk in Python to match enters with
leaves. Here, arrays of all events are matched at once.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

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
    kinds = _texts(events, "kind")
    rows = numpy.flatnonzero(kinds != "Metric")
    columns = _columns(events, kinds, places, _region_ids(trace), rows)
    for name, values in _metrics(trace, list(places), events, rows).items():
        columns[name] = values
    result = pandas.DataFrame(columns)
    # Events at the same time stay in the order of their locations.
    order = numpy.argsort(columns["Timestamp (ns)"], kind="stable")
    result = result.take(order).reset_index(drop=True)
    _match(result, columns, order)
    categories = ["Event Type", "Name", "Thread", "Process"]
    return result.astype(dict.fromkeys(categories, "category"))


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


def _texts(table: pyarrow.Table, name: str) -> numpy.ndarray[Any, Any]:
    """Returns a column of names as an array of texts, and None where there is none."""
    import numpy

    column = table[name].combine_chunks()
    names = numpy.array([*column.dictionary.to_pylist(), None], dtype=object)
    found: numpy.ndarray[Any, Any] = names[column.indices.fill_null(len(names) - 1).to_numpy()]
    return found


def _columns(
    events: pyarrow.Table,
    kinds: numpy.ndarray[Any, Any],
    places: dict[int, tuple[int, int]],
    ids: dict[str, int],
    rows: numpy.ndarray[Any, Any],
) -> dict[str, Any]:
    import numpy

    locations = events["location"].to_numpy()[rows]
    kinds, regions = kinds[rows], _texts(events, "region")[rows]
    is_call = (kinds == "Enter") | (kinds == "Leave")
    fields = events["fields"].to_pylist()
    attributes = numpy.empty(len(rows), dtype=object)
    for place, row in enumerate(rows):
        if kinds[place] == "Enter":
            number: int | None = ids.get(regions[place])
            attributes[place] = {} if number is None else {"region": f"Region {number}"}
        elif kinds[place] != "Leave":
            attributes[place] = _attributes(fields[row])
    distinct, inverse = numpy.unique(locations, return_inverse=True)
    process = numpy.array([places[int(it)][0] for it in distinct], dtype="int32")
    thread = numpy.array([places[int(it)][1] for it in distinct], dtype="int32")
    return {
        "Timestamp (ns)": events["time"].to_numpy()[rows].astype("float64"),
        "Event Type": numpy.where(is_call, kinds, "Instant"),
        "Name": numpy.where(is_call, regions, kinds),
        "Thread": thread[inverse] if len(rows) else thread,
        "Process": process[inverse] if len(rows) else process,
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


def _metrics(
    trace: Trace, locations: list[int], events: pyarrow.Table, rows: numpy.ndarray[Any, Any]
) -> dict[str, numpy.ndarray[Any, Any]]:
    """Returns a column for each metric: values belong to the next event of the location, which has the
    same time."""
    import numpy

    values = trace.metrics(locations=locations).to_arrow()
    if values.num_rows == 0:
        return {}
    time, location = events["time"].to_numpy()[rows], events["location"].to_numpy()[rows]
    first: dict[tuple[int, int], int] = {}
    for place in range(len(rows) - 1, -1, -1):
        first[int(location[place]), int(time[place])] = place
    columns: dict[str, numpy.ndarray[Any, Any]] = {}
    for row in values.to_pylist():
        event = first.get((row["location"], row["time"]))
        if event is not None:
            column = columns.setdefault(row["metric"], numpy.full(len(rows), numpy.nan))
            column[event] = row["value_double"] if row["value_int"] is None else row["value_int"]
    return columns


def _match(result: pandas.DataFrame, columns: dict[str, Any], order: numpy.ndarray[Any, Any]) -> None:
    """Adds what pipit computes of calls: partners, depths, callers and times."""
    import numpy
    import pandas

    count = len(result)
    # Where each row is after sorting.
    place = numpy.empty(count, dtype="int64")
    place[order] = numpy.arange(count)
    enters, leaves, depth, caller = _calls(columns)
    time = columns["Timestamp (ns)"]
    partner, partner_time = numpy.full(count, -1, dtype="int64"), numpy.full(count, numpy.nan)
    inclusive, exclusive = numpy.full(count, numpy.nan), numpy.full(count, numpy.nan)
    depths, callers = numpy.full(count, -1, dtype="int64"), numpy.full(count, -1, dtype="int64")
    partner[place[enters]], partner[place[leaves]] = place[leaves], place[enters]
    partner_time[place[enters]], partner_time[place[leaves]] = time[leaves], time[enters]
    duration = time[leaves] - time[enters]
    inclusive[place[enters]] = duration
    own = duration.copy()
    has_caller = caller >= 0
    numpy.subtract.at(own, caller[has_caller], duration[has_caller])
    exclusive[place[enters]] = own
    depths[place[enters]] = depth
    callers[place[enters[has_caller]]] = place[enters[caller[has_caller]]]
    result["_matching_event"] = _nullable(partner)
    result["_matching_timestamp"] = partner_time
    result["_depth"] = _nullable(depths).astype("category")
    result["_parent"] = _nullable(callers).astype("category")
    called: list[list[int] | None] = [None] * count
    for row in place[enters[has_caller]][numpy.argsort(place[enters[has_caller]])]:
        of_caller = called[callers[row]]
        if of_caller is None:
            called[callers[row]] = [int(row)]
        else:
            of_caller.append(int(row))
    result["_children"] = pandas.Series(called, dtype=object)
    result["time.inc"], result["time.exc"] = inclusive, exclusive


def _nullable(numbers: numpy.ndarray[Any, Any]) -> pandas.Series:
    """Returns numbers of rows as integers that can be missing; negative ones are."""
    import pandas

    return pandas.Series(pandas.arrays.IntegerArray(numbers.astype("int32"), numbers < 0))


def _calls(columns: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
    """Returns the rows of enters and leaves that belong together, in the order of enters, their depths,
    and the number of the caller among them, -1 without one.

    A leave ends the innermost open call of its region in its location.
    """
    import numpy

    kinds, names = columns["Event Type"], columns["Name"]
    keys = columns["Process"].astype("int64") << 32 | columns["Thread"].astype("int64")
    rows = numpy.flatnonzero(kinds != "Instant")
    is_enter = kinds[rows] == "Enter"
    _, location = numpy.unique(keys[rows], return_inverse=True)
    level = _levels(location, is_enter)
    # An enter and the next event of its level are a call, if all calls of the location nest.
    by_level = numpy.lexsort((rows, level, location))
    one, other = by_level[:-1], by_level[1:]
    is_pair = is_enter[one] & ~is_enter[other]
    is_pair &= (location[one] == location[other]) & (level[one] == level[other])
    enters, leaves = one[is_pair], other[is_pair]
    is_wrong = names[rows[enters]] != names[rows[leaves]]
    for wrong in numpy.unique(location[enters[is_wrong]]):
        own = numpy.flatnonzero(location == wrong)
        found = _calls_one_by_one(own, is_enter[own], names[rows[own]])
        kept = location[enters] != wrong
        enters = numpy.concatenate([enters[kept], found[0]])
        leaves = numpy.concatenate([leaves[kept], found[1]])
    by_start = numpy.argsort(enters)
    enters, leaves = enters[by_start], leaves[by_start]
    matched = numpy.sort(numpy.concatenate([enters, leaves]))
    depth = (_levels(location[matched], is_enter[matched]) - 1)[is_enter[matched]]
    return rows[enters], rows[leaves], depth, _callers(location[enters], depth, enters)


def _levels(location: numpy.ndarray[Any, Any], is_enter: numpy.ndarray[Any, Any]) -> numpy.ndarray[Any, Any]:
    """Returns the number of open calls of the location, of which an event is the last one or ends it."""
    import numpy

    step = numpy.where(is_enter, 1, -1)
    level = numpy.cumsum(step)
    # The events of a location follow each other.
    is_first = numpy.append(True, location[1:] != location[:-1])[: len(location)]
    before = (level - step)[is_first]
    level -= numpy.repeat(before, numpy.diff(numpy.append(numpy.flatnonzero(is_first), len(location))))
    result: numpy.ndarray[Any, Any] = level + ~is_enter
    return result


def _callers(
    location: numpy.ndarray[Any, Any], depth: numpy.ndarray[Any, Any], row: numpy.ndarray[Any, Any]
) -> numpy.ndarray[Any, Any]:
    """Returns the number of the last call before each that is one less deep."""
    import numpy

    if len(row) == 0:
        return numpy.zeros(0, dtype="int64")
    depths, rows = int(depth.max()) + 1, int(row.max()) + 1
    key = (location * depths + depth) * rows + row
    by_key = numpy.argsort(key)
    place = numpy.searchsorted(key[by_key], key - rows) - 1
    return numpy.where(depth > 0, by_key[place], -1)


def _calls_one_by_one(
    rows: numpy.ndarray[Any, Any], is_enter: numpy.ndarray[Any, Any], names: numpy.ndarray[Any, Any]
) -> tuple[numpy.ndarray[Any, Any], numpy.ndarray[Any, Any]]:
    """Returns the enters and leaves of a location whose calls do not nest."""
    import numpy

    enters: list[int] = []
    leaves: list[int] = []
    stack: list[tuple[int, Any]] = []
    for row, begins, name in zip(rows, is_enter, names):
        if begins:
            stack.append((int(row), name))
            continue
        for at in range(len(stack) - 1, -1, -1):
            if stack[at][1] == name:
                enters.append(stack.pop(at)[0])
                leaves.append(int(row))
                break
    return numpy.array(enters, dtype="int64"), numpy.array(leaves, dtype="int64")
