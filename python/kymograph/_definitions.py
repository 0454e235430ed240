"""Definitions as objects."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from kymograph._table import Table
    from kymograph._trace import Trace


class LocationGroup(NamedTuple):
    """A group of locations, usually a process. ``node`` is the name of its node of the machine."""

    id: int
    name: str | None
    kind: str | None
    node: str | None


class Location(NamedTuple):
    """A location, usually a thread, with the number of events that its definition states."""

    id: int
    name: str | None
    kind: str | None
    group: LocationGroup | None
    events: int | None


class Region(NamedTuple):
    """A region, usually a function. Lines are 0 where they are unknown."""

    id: int
    name: str | None
    canonical_name: str | None
    role: str | None
    paradigm: str | None
    file: str | None
    first_line: int
    last_line: int


class Communicator(NamedTuple):
    """A communicator with the number of its members and the id of its parent."""

    id: int
    name: str | None
    members: int | None
    parent: int | None


class Metric(NamedTuple):
    """A metric with the unit of its values."""

    id: int
    name: str | None
    description: str | None
    unit: str | None
    mode: str | None
    value_type: str | None


class Definitions:
    """The definitions of a trace by their ids; each kind is read when it is asked for."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    @cached_property
    def location_groups(self) -> dict[int, LocationGroup]:
        """The location groups."""
        return {row[0]: LocationGroup(*row) for row in _rows(self._trace.location_groups())}

    @cached_property
    def locations(self) -> dict[int, Location]:
        """The locations."""
        groups = self.location_groups
        return {
            id: Location(id, name, kind, groups.get(group), events)
            for id, name, kind, group, events in _rows(self._trace.locations())
        }

    @cached_property
    def regions(self) -> dict[int, Region]:
        """The regions."""
        return {row[0]: Region(*row) for row in _rows(self._trace.regions())}

    @cached_property
    def communicators(self) -> dict[int, Communicator]:
        """The communicators."""
        return {row[0]: Communicator(*row) for row in _rows(self._trace.communicators())}

    @cached_property
    def metrics(self) -> dict[int, Metric]:
        """The metrics."""
        return {row[0]: Metric(*row) for row in _rows(self._trace.metric_definitions())}

    def __repr__(self) -> str:
        return f"<kymograph.Definitions {self._trace.path}>"


def _rows(table: Table) -> list[tuple[Any, ...]]:
    """Returns the rows of a table as tuples."""
    return [tuple(row.values()) for row in table.to_dicts()]
