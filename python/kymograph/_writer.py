"""Traces that Python programs write: simulators, converters."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from kymograph import _native
from kymograph._table import Table

if TYPE_CHECKING:
    import datetime
    from types import TracebackType

    import pyarrow
    from typing_extensions import Self

#: The columns of numbers that each table must have, with their types.
_NEEDED = {
    "calls": {"location": "uint64", "time": "uint64", "duration": "uint64"},
    "events": {"location": "uint64", "time": "uint64"},
    "messages": {},
    "collectives": {"location": "uint64", "time": "uint64", "duration": "uint64"},
    "metrics": {"location": "uint64", "time": "uint64"},
}
#: The others: their types, and the values of rows without them.
_OPTIONAL: dict[str, dict[str, tuple[str, int | None]]] = {
    "calls": {"depth": ("uint32", None)},
    "events": {},
    "messages": {
        "source": ("uint64", None),
        "destination": ("uint64", None),
        "time": ("uint64", None),
        "receive_time": ("uint64", None),
        "source_rank": ("uint32", None),
        "destination_rank": ("uint32", None),
        "tag": ("uint32", 0),
        "bytes": ("uint64", 0),
    },
    "collectives": {"root": ("uint32", None), "bytes_sent": ("uint64", 0), "bytes_received": ("uint64", 0)},
    "metrics": {"value_int": ("int64", None), "value_double": ("float64", None)},
}


class Writer:
    """Writes an OTF2 trace to a folder that does not exist or is empty.

        >>> import kymograph
        >>> with kymograph.Writer(NEW_FOLDER) as writer:
        ...     thread = writer.location("Master thread", writer.process("Rank 0"))
        ...     writer.write(calls={
        ...         "location": [thread, thread],
        ...         "time": [0, 200],
        ...         "duration": [1000, 300],
        ...         "region": ["main", "solve"],
        ...     })
        >>> kymograph.open(NEW_FOLDER).profile().to_dicts()[0]["exclusive_ns"]
        700

    Definitions return the ids that tables refer to. The columns of tables are those of
    :class:`kymograph.Trace`, of which only a few must be there; times are ticks of the clock, nanoseconds
    by default. The trace is complete, and can be read, after :meth:`close`, which the end of a ``with``
    calls, also after an exception. Needs pyarrow.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        ticks_per_second: int = 1_000_000_000,
        start: datetime.datetime | int | None = None,
        description: str = "",
    ) -> None:
        """Starts a trace. ``start`` is the time 0: with a time zone, or nanoseconds since 1970 UTC."""
        self._native = _native.Writer(
            os.fspath(path), ticks_per_second, None if start is None else _nanoseconds(start), description
        )
        self._regions: dict[str, int] = {}
        self._metrics: dict[str, int] = {}
        self._communicators: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Completes the trace. Calls that are not left stay so. Does nothing the second time."""
        self._native.close()

    # Definitions.

    def node(self, name: str, *, class_name: str = "node", parent: int | None = None) -> int:
        """Defines a node of the machine."""
        return self._native.node(name, class_name, parent)

    def process(self, name: str, *, node: int | None = None) -> int:
        """Defines a process, on the first node unless another one is named. The ranks of processes in
        the communicator of all follow the order of their first threads."""
        return self._native.process(name, node)

    def location(self, name: str, process: int, *, kind: str = "CPU_THREAD", id: int | None = None) -> int:
        """Defines a location, a thread unless ``kind`` is ``ACCELERATOR_STREAM`` or ``METRIC``. Without
        ``id``, it gets the one after the largest."""
        return self._native.location({"id": id, "name": name, "kind": kind, "process": process})

    def region(
        self,
        name: str,
        *,
        canonical_name: str | None = None,
        role: str = "FUNCTION",
        paradigm: str = "USER",
        file: str | None = None,
        first_line: int = 0,
        last_line: int = 0,
    ) -> int:
        """Defines a region, to which tables refer by its id, or by its name if it is the last one with
        that name. Regions that tables name and nobody has defined are functions of the program. Waits are
        found in calls of communication: ``paradigm="MPI"``."""
        id = self._native.region(
            {
                "name": name,
                "canonical_name": canonical_name,
                "role": role,
                "paradigm": paradigm,
                "file": file,
                "first_line": first_line,
                "last_line": last_line,
            }
        )
        self._regions[name] = id
        return id

    def metric(
        self,
        name: str,
        *,
        unit: str = "",
        description: str = "",
        mode: str = "ABSOLUTE_POINT",
        value_type: str = "DOUBLE",
    ) -> int:
        """Defines a metric. ``value_type`` is ``DOUBLE``, ``INT64`` or ``UINT64``; ``mode`` says what values
        mean, by OTF2's names: ``ACCUMULATED_START`` for those that count from the start of the trace,
        ``ABSOLUTE_POINT`` for those at a point in time."""
        id = self._native.metric(
            {"name": name, "description": description, "unit": unit, "mode": mode, "value_type": value_type}
        )
        self._metrics[name] = id
        return id

    def communicator(self, name: str, locations: Iterable[int]) -> int:
        """Defines a communicator of the processes of locations, in the order of their ranks."""
        id = self._native.communicator(name, list(locations))
        self._communicators[name] = id
        return id

    def property(self, name: str, value: str) -> None:
        """Sets a property of the archive, whose name is in two parts, such as ``PROGRAM::VERSION``."""
        self._native.property(name, value)

    # Events.

    def write(
        self,
        *,
        calls: Any = None,
        events: Any = None,
        messages: Any = None,
        collectives: Any = None,
        metrics: Any = None,
    ) -> None:
        """Writes rows of tables: frames of pandas or Polars, tables of pyarrow or of a trace, or
        dictionaries of columns.

        * ``calls``: location, time, duration, region. Calls inside others are found by their times; with
          depth, rows are in the order of their starts, callers first.
        * ``events``: location, time, kind (``Enter`` or ``Leave``) and region, in their order; for calls
          that are longer than the part that is written at a time.
        * ``messages``: source, destination (locations), time (of the send), receive_time, bytes, tag,
          communicator; a side without a time is not written.
        * ``collectives``: location, time, duration, operation (``ALLREDUCE``), communicator, root (a rank),
          bytes_sent, bytes_received.
        * ``metrics``: location, time, metric, value (or value_int, value_double).

        Without a communicator, all processes take part. Rows of a location may be in any order, but not
        before those that were written for it before. Raises ``ValueError`` or ``KeyError`` if a row is
        wrong, ``OSError`` if a file cannot be written; then no event of these tables is in the trace.
        """
        tables = {
            "calls": calls,
            "events": events,
            "messages": messages,
            "collectives": collectives,
            "metrics": metrics,
        }
        self._native.write(
            **{
                name: self._columns(name, _arrow(table))
                for name, table in tables.items()
                if table is not None
            }
        )

    def _columns(self, name: str, table: pyarrow.Table) -> pyarrow.Table:
        """Returns the columns of a table that the native part expects."""
        import pyarrow
        import pyarrow.compute

        rows = table.num_rows
        columns: dict[str, Any] = {}
        for column, kind in _NEEDED[name].items():
            columns[column] = _cast(name, column, _needed(name, table, column), kind)
        for column, (kind, default) in _OPTIONAL[name].items():
            if column in table.column_names:
                values = _cast(name, column, table[column], kind)
                columns[column] = values if default is None else pyarrow.compute.fill_null(values, default)
            else:
                columns[column] = pyarrow.repeat(pyarrow.scalar(default, kind), rows)
        if name in ("calls", "events"):
            columns["region"] = _references(name, "region", table, self._region)
        if name == "events":
            columns["is_enter"] = _references(name, "kind", table, _is_enter, may_be_ids=False).cast("uint8")
        if name in ("messages", "collectives"):
            columns["communicator"] = self._communicator_column(name, table)
        if name == "collectives":
            operations = dict(_native.Writer.collective_operations())
            column = _references(name, "operation", table, lambda it: operations[it])
            columns["operation"] = _cast(name, "operation", column, "uint8")
        if name == "metrics":
            columns["metric"] = _references(name, "metric", table, self._metric)
            if "value" in table.column_names:
                is_integer = pyarrow.types.is_integer(table["value"].type)
                kind = "value_int" if is_integer else "value_double"
                columns[kind] = _cast(name, "value", table["value"], _OPTIONAL[name][kind][0])
        return pyarrow.table(columns).combine_chunks()

    def _region(self, name: str) -> int:
        id = self._regions.get(name)
        return self.region(name) if id is None else id

    def _metric(self, name: str) -> int:
        if name not in self._metrics:
            raise KeyError(f"metrics: no metric {name} is defined")
        return self._metrics[name]

    def _communicator(self, name: str) -> int:
        if name in self._communicators:
            return self._communicators[name]
        if name == "MPI_COMM_WORLD":
            return self._native.world()
        raise KeyError(f"no communicator {name} is defined")

    def _communicator_column(self, name: str, table: pyarrow.Table) -> Any:
        import pyarrow
        import pyarrow.compute

        if "communicator" not in table.column_names:
            world = self._communicator("MPI_COMM_WORLD")
            return pyarrow.repeat(pyarrow.scalar(world, "uint32"), table.num_rows)
        column = _references(name, "communicator", table, self._communicator)
        if column.null_count == 0:
            return column
        return pyarrow.compute.fill_null(column, self._communicator("MPI_COMM_WORLD"))


def _is_enter(kind: str) -> int:
    if kind not in ("Enter", "Leave"):
        raise ValueError(f"events: expected the kind Enter or Leave, not {kind}")
    return int(kind == "Enter")


def _needed(name: str, table: pyarrow.Table, column: str) -> Any:
    if column not in table.column_names:
        raise ValueError(f"{name}: expected a column {column}")
    return table[column]


def _cast(name: str, column: str, values: Any, kind: str) -> Any:
    """Returns values of another type."""
    import pyarrow

    try:
        return values.cast(kind)
    except pyarrow.ArrowException as error:
        raise ValueError(f"{name}: column {column}: {error}") from None


def _references(
    name: str, column: str, table: pyarrow.Table, id_of: Callable[[str], int], *, may_be_ids: bool = True
) -> Any:
    """Returns a column of ids: as they are, or those of names."""
    import pyarrow

    values = _needed(name, table, column)
    if pyarrow.types.is_dictionary(values.type) and not _are_texts(values.type.value_type):
        values = values.cast(values.type.value_type)
    if pyarrow.types.is_integer(values.type) or pyarrow.types.is_floating(values.type):
        if not may_be_ids:
            raise ValueError(f"{name}: expected names in column {column}")
        # Libraries without a missing integer make floating-point numbers of ids.
        return _cast(name, column, values, "uint32")
    if not pyarrow.types.is_dictionary(values.type):
        # Empty columns have no type.
        if not _are_texts(values.type) and not pyarrow.types.is_null(values.type):
            raise ValueError(f"{name}: expected names in column {column}, not {values.type}")
        try:
            values = values.cast("string").dictionary_encode()
        except pyarrow.ArrowNotImplementedError:
            # pyarrow 16 converts no views of texts, which Polars gives.
            values = pyarrow.array(values.to_pylist(), "string").dictionary_encode()
    chunks = values.chunks if isinstance(values, pyarrow.ChunkedArray) else [values]
    values = pyarrow.chunked_array(chunks, type=values.type).unify_dictionaries().combine_chunks()
    if isinstance(values, pyarrow.ChunkedArray):
        values = values.chunk(0) if values.num_chunks else pyarrow.array([], values.type)
    # Dictionaries may have names that no row has.
    used = set(values.indices.unique().to_pylist())
    ids = [
        id_of(text) if place in used and text is not None else None
        for place, text in enumerate(values.dictionary.to_pylist())
    ]
    return pyarrow.array(ids, "uint32").take(values.indices)


def _are_texts(kind: Any) -> bool:
    import pyarrow

    is_view = getattr(pyarrow.types, "is_string_view", lambda _: False)(kind)
    return bool(pyarrow.types.is_string(kind) or pyarrow.types.is_large_string(kind) or is_view)


def _arrow(table: Any) -> pyarrow.Table:
    import pyarrow

    if isinstance(table, Table):
        return table.to_arrow()
    if isinstance(table, Mapping):
        return pyarrow.table(dict(table))
    if hasattr(table, "__arrow_c_stream__"):
        return pyarrow.table(table)
    if hasattr(table, "columns") and hasattr(table, "index"):
        return pyarrow.Table.from_pandas(table, preserve_index=False)
    raise TypeError(f"expected a table, not {type(table).__name__}")


def _nanoseconds(start: datetime.datetime | int) -> int:
    import datetime
    import operator

    if isinstance(start, datetime.datetime):
        if start.tzinfo is None:
            raise ValueError("start: expected a time with a time zone")
        since = start - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        # pandas has times with nanoseconds.
        rest: int = getattr(start, "nanosecond", 0)
        nanoseconds = since // datetime.timedelta(microseconds=1) * 1000 + rest
    else:
        nanoseconds = operator.index(start)
    if not 0 <= nanoseconds < 2**63:
        raise ValueError("start: expected a time from 1970 on")
    return nanoseconds
