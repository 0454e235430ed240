"""Traces, and the questions that they answer."""

from __future__ import annotations

import fnmatch
import functools
import html
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from kymograph import _command, _native
from kymograph._table import Table

if TYPE_CHECKING:
    import datetime

    import hatchet
    import pandas
    from typing_extensions import Unpack

    from kymograph._command import Picture
    from kymograph._definitions import Definitions


#: The number of events up to which a notebook shows the time line with a trace.
_SHOWN_EVENTS = 10_000_000


class Selected(TypedDict, total=False):
    """The part of a trace that a table is about, and how it is read: see :class:`Trace`."""

    time: tuple[int, int] | None
    locations: Iterable[int] | None
    regions: str | Iterable[str] | None
    part: tuple[int, int] | None
    threads: int | None


def open(path: str | os.PathLike[str]) -> Trace:
    """Opens the archive that a path names: its anchor file (``*.otf2``), or the folder of it.

    Only definitions are read. Raises ``FileNotFoundError``, or :class:`kymograph.TraceError` if there is
    no archive or it is damaged.
    """
    return Trace(path)


class Trace:
    """An OTF2 trace.

    Methods with the arguments ``time``, ``locations``, ``regions``, ``part`` and ``threads`` read a part
    of it:

    * ``time``: first and last time in nanoseconds since the start of the trace.
    * ``locations``: ids of locations.
    * ``regions``: names of regions, or patterns such as ``MPI_*``: only rows of these. Times and numbers
      of rows are as without.
    * ``part``: ``(i, n)`` is part i, from 0 to n - 1, of n parts of the locations. All parts together
      have the rows of the whole. Tables whose rows need all locations (messages, waits, the critical
      path, definitions) have no parts: ``ValueError``.
    * ``threads``: how many threads read; all cores by default.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._archive = _native.Archive(os.fspath(path))

    def __reduce__(self) -> tuple[Any, ...]:
        # Processes of a pool open the trace themselves.
        return (Trace, (str(self.path),))

    @property
    def path(self) -> str:
        """The anchor file."""
        return os.fspath(self._archive.path)

    @property
    def length(self) -> int:
        """The length by the clock properties in nanoseconds; 0 if it is unknown."""
        return self._archive.length

    @property
    def date(self) -> datetime.datetime | None:
        """The start of the trace, to a microsecond; None if it is unknown."""
        import datetime

        date = self._archive.date
        epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
        return None if date is None else epoch + datetime.timedelta(microseconds=date // 1000)

    @property
    def clock_resolution(self) -> int:
        """Ticks per second of the clock with which the trace was recorded."""
        return self._archive.clock_resolution

    @property
    def number_of_events(self) -> int:
        """The number of events that the definitions of the locations state."""
        return self._archive.number_of_events

    @property
    def number_of_groups(self) -> int:
        """The number of groups of locations: of more parts than that, some are empty."""
        return self._archive.number_of_groups

    @property
    def events_lost(self) -> int | None:
        """The number of events that the recorder lost; None if it does not say."""
        return self._archive.events_lost

    def table(self, name: str, **selected: Unpack[Selected]) -> Table:
        """Returns a table by the name that ``kymo export --tables`` has for it."""
        return Table(self._archive.table(name, self._selected(**selected)), name)

    # Definitions.

    @functools.cached_property
    def definitions(self) -> Definitions:
        """The definitions as objects with names, by their ids: ``trace.definitions.locations[0].group``.
        Needs pyarrow."""
        from kymograph._definitions import Definitions

        return Definitions(self)

    def locations(self) -> Table:
        """Returns a row per location: location, name, kind, location_group, events."""
        return self.table("locations")

    def location_groups(self) -> Table:
        """Returns a row per location group, usually a process: location_group, name, kind, node."""
        return self.table("location_groups")

    def regions(self) -> Table:
        """Returns a row per region: region_id, region, canonical_name, role, paradigm, file, lines."""
        return self.table("regions")

    def communicators(self) -> Table:
        """Returns a row per communicator: communicator_id, communicator, members, parent."""
        return self.table("communicators")

    def metric_definitions(self) -> Table:
        """Returns a row per metric: metric_id, metric, description, unit, mode, value_type."""
        return self.table("metrics_defs")

    def properties(self) -> dict[str, str]:
        """Returns the properties of the archive."""
        return {row["property"]: row["value"] for row in self.table("properties").to_dicts()}

    def markers(self) -> Table:
        """Returns a row per marker."""
        return self.table("markers")

    # Events.

    def calls(self, **selected: Unpack[Selected]) -> Table:
        """Returns a row per call, in the order of their starts in each location.

        Columns: location, time, duration, exclusive (both in ns), depth, region, parent (the row of the
        caller in the location, -1 without one), context.
        """
        return self.table("calls", **selected)

    def contexts(self, **selected: Unpack[Selected]) -> Table:
        """Returns a row per calling context of each location, to which ``calls().context`` refers."""
        return self.table("contexts", **selected)

    def events(self, **selected: Unpack[Selected]) -> Table:
        """Returns a row per event: location, time, kind, region, and all other fields as JSON."""
        return self.table("events", **selected)

    def messages(self, **selected: Unpack[Selected]) -> Table:
        """Returns a row per message, with both sides; a side that was not recorded is null."""
        return self.table("messages", **selected)

    def collectives(self, **selected: Unpack[Selected]) -> Table:
        """Returns a row per location and collective operation."""
        return self.table("collectives", **selected)

    def metrics(self, **selected: Unpack[Selected]) -> Table:
        """Returns a row per value of a metric: location, time, metric, value_int, value_double."""
        return self.table("metrics", **selected)

    def io(self, **selected: Unpack[Selected]) -> Table:
        """Returns a row per operation of input and output, with bytes and file."""
        return self.table("io", **selected)

    def samples(self, **selected: Unpack[Selected]) -> Table:
        """Returns a row per sample."""
        return self.table("samples", **selected)

    def waits(self, **selected: Unpack[Selected]) -> Table:
        """Returns a row per wait state: who waited, how long, in which call, and for whom."""
        return self.table("waits", **selected)

    def critical_path(self, **selected: Unpack[Selected]) -> Table:
        """Returns a row per segment of the critical path: location, time, duration in ns."""
        return self.table("critical", **selected)

    def iterations(self, **selected: Unpack[Selected]) -> Table:
        """Returns a row per iteration of the first thread of each process."""
        return self.table("iterations", **selected)

    # Sums.

    def profile(self, by: Literal["total", "location"] = "total", **selected: Unpack[Selected]) -> Table:
        """Returns a row per region, those with the most exclusive time first.

        Columns: region, visits, inclusive_ns, exclusive_ns, min_ns, max_ns, mean_ns, deviation_ns,
        samples, region_id, file, line; with ``by="location"``, rows of each location and its id. The inclusive time
        counts a call inside a call of the same region once.
        """
        return self._profile(by, selected, by_context=False)

    def call_tree(self, by: Literal["total", "location"] = "total", **selected: Unpack[Selected]) -> Table:
        """Returns a row per calling context, callers before their callees.

        Columns: those of :meth:`profile`, and context, parent (the context of the caller, null without
        one) and depth.
        """
        return self._profile(by, selected, by_context=True)

    def _profile(self, by: str, selected: Selected, *, by_context: bool) -> Table:
        native = self._archive.profile(by_context, self._is_by_location(by), self._selected(**selected))
        return Table(native, "call_tree" if by_context else "profile")

    @staticmethod
    def _is_by_location(by: str) -> bool:
        if by not in ("total", "location"):
            raise ValueError(f"by: expected 'total' or 'location', not {by!r}")
        return by == "location"

    def time_profile(
        self, slices: int = 64, by: Literal["total", "location"] = "total", **selected: Unpack[Selected]
    ) -> Table:
        """Returns a row per slice of time and region that took time in it.

        Columns: slice (from 0 on), time and duration (the start and the length of the slice), region,
        exclusive_ns, visits (the calls that ended); with ``by="location"``, rows of each location and its
        id. ``slices`` is a power of 4; slices are as long as each other, the last one may end after the
        trace. All slices together have the sums of :meth:`profile`. The time for which a sample stands is in
        the slice of the sample.
        """
        native = self._archive.time_profile(slices, self._is_by_location(by), self._selected(**selected))
        return Table(native, "time_profile")

    def communication_matrix(self, **selected: Unpack[Selected]) -> Table:
        """Returns a row per pair of locations that exchange messages: source, destination, messages,
        bytes. Messages of which one side is missing are left out."""
        native = self._archive.communication_matrix(self._selected(**selected))
        return Table(native, "communication_matrix")

    def load_imbalance(self, **selected: Unpack[Selected]) -> Table:
        """Returns a row per region that several locations call, by the time that all of them would wait
        for the slowest one, longest first.

        Columns: region, locations, mean_ns, longest_ns (the mean and the longest exclusive time of a
        location), slowest (that location), idle_ns (the time that all would wait), region_id.
        """
        return Table(self._archive.load_imbalance(self._selected(**selected)), "load_imbalance")

    # Answers of the command, which need all locations and regions: only `time`, `locations` and
    # `threads` are for them.

    def efficiencies(self, **selected: Unpack[Selected]) -> dict[str, Any]:
        """Returns the efficiencies of the POP project, as ``kymo stats`` states them, numbers from 0 to 1;
        an empty dictionary if nothing was computed."""
        found: dict[str, Any] | None = self.statistics(**selected)["efficiency"]
        return found or {}

    def explain(self, **selected: Unpack[Selected]) -> dict[str, Any]:
        """Returns the answer of ``kymo explain``, as its JSON document: docs/reference/explain.md."""
        found: dict[str, Any] = _command.json_of("explain", *self._json_options(**selected))
        return found

    def statistics(self, **selected: Unpack[Selected]) -> dict[str, Any]:
        """Returns the answer of ``kymo stats``, as its JSON document: docs/reference/stats.md."""
        found: dict[str, Any] = _command.json_of("stats", *self._json_options(**selected))
        return found

    def picture(
        self,
        kind: Literal["all", "timeline", "flame", "matrix"] = "timeline",
        **selected: Unpack[Selected],
    ) -> Picture:
        """Returns a picture of ``kymo report --format svg``, which a notebook shows."""
        return _command.picture(self.path, kind, *self._options(**selected))

    def _json_options(self, **selected: Unpack[Selected]) -> list[str]:
        return ["--format", "json", *self._options(**selected), self.path]

    def _options(self, **selected: Unpack[Selected]) -> list[str]:
        """Returns the options of the command for a part of the trace."""
        part = self._selected(**selected)
        # Mistakes are those of all methods.
        self._archive.check_selected(part)
        for refused in ("part", "regions"):
            if part[refused] is not None:
                raise ValueError(f"{refused}: the command answers for all")
        options: list[str] = []
        if part["time"] is not None:
            options += ["--time", *(f"{it}ns" for it in part["time"])]
        if part["locations"] is not None:
            if not part["locations"]:
                raise ValueError("locations: the command needs one at least")
            for location in part["locations"]:
                options += ["-L", str(location)]
        if part["threads"] is not None:
            options += ["-j", str(part["threads"])]
        return options

    # Frames of other packages.

    def to_hatchet(self, **selected: Unpack[Selected]) -> hatchet.GraphFrame:
        """Returns the call tree as a frame of Hatchet, with visits, time (exclusive) and time (inc) in
        seconds. Needs Hatchet."""
        import hatchet

        options = self._options(**selected)
        return hatchet.GraphFrame.from_literal(
            _command.json_of("profile", "--format", "hatchet", *options, self.path)
        )

    def to_pipit(self) -> pandas.DataFrame:
        """Returns the events of threads as pipit's data frame, for ``pipit.Trace(None, frame)``.

        Rows are in the order of time. Enters and leaves are matched, and times, depths, callers and
        callees of calls are known, so that pipit does not compute them. Needs pandas and pyarrow.
        """
        from kymograph import _pipit

        return _pipit.frame(self)

    def _selected(
        self,
        *,
        time: tuple[int, int] | None = None,
        locations: Iterable[int] | None = None,
        regions: str | Iterable[str] | None = None,
        part: tuple[int, int] | None = None,
        threads: int | None = None,
    ) -> dict[str, Any]:
        return {
            "time": time,
            "locations": None if locations is None else [int(location) for location in locations],
            "regions": None if regions is None else self._names(regions),
            "part": part,
            "threads": threads,
        }

    def _names(self, regions: str | Iterable[str]) -> list[str]:
        """Returns the names of regions that patterns match; a pattern that is a name is that name."""
        patterns = [regions] if isinstance(regions, str) else list(regions)
        if not any(set(pattern) & set("*?[") for pattern in patterns):
            return patterns
        names = {row["region"] for row in self.regions().to_dicts() if row["region"] is not None}
        found: list[str] = []
        for pattern in patterns:
            matching = {pattern} if pattern in names else set(fnmatch.filter(names, pattern))
            if not matching:
                raise KeyError(f"the trace has no region {pattern}")
            found.extend(matching)
        return sorted(set(found))

    def __repr__(self) -> str:
        locations = len(self._archive.location_ids)
        return f"<kymograph.Trace {self.path}: {locations} locations, {self.number_of_events} events>"

    def _repr_html_(self) -> str:
        rows = {
            "trace": self.path,
            "locations": f"{len(self._archive.location_ids):,}",
            "events": f"{self.number_of_events:,}",
            "length": f"{self.length / 1e9:,.3f} s",
            "date": self.date or "",
        }
        cells = "".join(
            f"<tr><th>{key}</th><td>{html.escape(str(value))}</td></tr>" for key, value in rows.items()
        )
        return f"<table>{cells}</table>{self._time_line()}"

    def _time_line(self) -> str:
        """Returns the time line of a trace that is read in about a second; nothing if the command cannot
        draw it."""
        if self.number_of_events > _SHOWN_EVENTS:
            return ""
        try:
            return self.picture().to_html()
        except (_command.CommandError, OSError):
            return ""
