"""Tables as data frames of Dask: a partition for each group of locations, which a worker reads itself.

    >>> import kymograph.dask
    >>> calls = kymograph.dask.calls(EXAMPLE)
    >>> int(calls.duration.sum().compute()) == sum(row["duration"] for row in kymograph.open(EXAMPLE).calls().to_dicts())
    True

The trace must have the same path on all machines. Needs dask, pandas and pyarrow.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kymograph._table import Table
from kymograph._trace import Trace

if TYPE_CHECKING:
    import dask.dataframe
    import pandas


def table(
    path: str | os.PathLike[str],
    name: str,
    *,
    partitions: int | None = None,
    time: tuple[int, int] | None = None,
    locations: Iterable[int] | None = None,
    columns: Iterable[str] | None = None,
) -> dask.dataframe.DataFrame:
    """Returns a table by the name that :meth:`kymograph.Trace.table` has for it.

    Groups of locations have about a million events or more; ``partitions`` is their number unless given.
    Tables that need all locations, such as messages, have no partitions: ``ValueError``. ``columns`` are
    those of :meth:`kymograph.Table.select`; all unless given.
    """
    import dask.dataframe
    from dask.dataframe.utils import clear_known_categories

    trace = Trace(path)
    selected: dict[str, Any] = {"time": time, "locations": None if locations is None else list(locations)}
    count = partitions or trace.number_of_groups
    # Categories are those of the whole trace, but a table without rows has none.
    some = None if columns is None else list(columns)
    empty = _selected(trace.table(name, part=(0, max(count, 2)), time=time, locations=[]), some).to_pandas()
    return dask.dataframe.from_map(
        _partition,
        range(count),
        path=os.path.abspath(trace.path),
        name=name,
        count=count,
        columns=some,
        selected=selected,
        meta=clear_known_categories(empty),
        label=f"kymograph-{name}",
    )


def _partition(
    index: int, path: str, name: str, count: int, columns: list[str] | None, selected: dict[str, Any]
) -> pandas.DataFrame:
    # Workers share the cores already.
    rows = Trace(path).table(name, part=(index, count), threads=1, **selected)
    return _selected(rows, columns).to_pandas()


def _selected(table: Table, columns: list[str] | None) -> Table:
    return table if columns is None else table.select(columns)


def calls(path: str | os.PathLike[str], **options: Any) -> dask.dataframe.DataFrame:
    """Returns the rows of :meth:`kymograph.Trace.calls`; see :func:`table` for the options."""
    return table(path, "calls", **options)


def events(path: str | os.PathLike[str], **options: Any) -> dask.dataframe.DataFrame:
    """Returns the rows of :meth:`kymograph.Trace.events`; see :func:`table` for the options."""
    return table(path, "events", **options)


def metrics(path: str | os.PathLike[str], **options: Any) -> dask.dataframe.DataFrame:
    """Returns the rows of :meth:`kymograph.Trace.metrics`; see :func:`table` for the options."""
    return table(path, "metrics", **options)


def samples(path: str | os.PathLike[str], **options: Any) -> dask.dataframe.DataFrame:
    """Returns the rows of :meth:`kymograph.Trace.samples`; see :func:`table` for the options."""
    return table(path, "samples", **options)
