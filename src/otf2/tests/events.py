"""Reads an archive with the OTF2 Python bindings and prints one line per event, in order: location,
time, kind, fields, attributes.

With the argument --ids it uses the low-level bindings, which deliver references as ids. These can
also read archives with undefined references.
"""
import argparse
import struct

import _otf2
import otf2
from otf2.event_reader import BufferedEventReader


def shown(value):
    """Formats definitions as their ids, strings as their bytes, floating point numbers as their bits."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return "s" + value.encode("utf-8", "surrogateescape").hex()
    if isinstance(value, float):
        return "f" + struct.pack(">d", value).hex()
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(shown, value)) + "]"
    if hasattr(value, "_ref"):
        return "#%d" % value._ref
    return "%d" % getattr(value, "value", value)


def show(location, time, kind, fields, attributes):
    entries = ["%d=%s" % (attribute, shown(value)) for attribute, value in attributes]
    print(location, time, kind, *map(shown, fields), "{%s}" % ",".join(entries))


def show_definitions(path):
    with otf2.reader.open(path) as trace:
        for location, event in trace.events:
            fields = dict(vars(event))
            time, attributes = fields.pop("time"), fields.pop("attributes") or {}
            attributes = [(attribute._ref, value) for attribute, value in attributes.items()]
            show(location._ref, time, type(event).__name__, fields.values(), attributes)


# The members of the union by type. All other types are references: of 64 bits for locations, else
# 32.
MEMBERS = ["uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float32", "float64"]


def member(type_, union):
    if 1 <= type_.value <= len(MEMBERS):
        return getattr(union, MEMBERS[type_.value - 1])
    is_short = otf2.Type.STRING.value <= type_.value <= otf2.Type.LOCATION_GROUP.value
    return union.uint32 if is_short and type_ != otf2.Type.LOCATION else union.uint64


class Events(BufferedEventReader):
    """Prints events as they are delivered."""

    def __init__(self):
        pass

    def _append(self, kind, location, time, _, attributes, *fields):
        if kind is otf2.events.Metric:
            metric, types, values = fields
            members = {otf2.Type.UINT64: "unsigned_int", otf2.Type.INT64: "signed_int", otf2.Type.DOUBLE: "floating_point"}
            values = [getattr(value, members.get(type_, "unsigned_int")) for type_, value in zip(types, values)]
            fields = metric, values
        count = _otf2.AttributeList_GetNumberOfElements(attributes)
        entries = (_otf2.AttributeList_GetAttributeByIndex(attributes, index) for index in range(count))
        show(location, time, kind.__name__, fields, [(id, member(type_, value)) for id, type_, value in entries])


def show_ids(path):
    reader = _otf2.Reader_Open(path)
    _otf2.Reader_SetSerialCollectiveCallbacks(reader)
    locations = []
    definitions = _otf2.Reader_GetGlobalDefReader(reader)
    callbacks = _otf2.GlobalDefReaderCallbacks_New()
    _otf2.GlobalDefReaderCallbacks_SetLocationCallback(callbacks, lambda _, location, *rest: locations.append(location))
    _otf2.Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, None)
    _otf2.Reader_ReadAllGlobalDefinitions(reader, definitions)
    open_files(reader, locations)
    events = _otf2.Reader_GetGlobalEvtReader(reader)
    callbacks = _otf2.GlobalEvtReaderCallbacks_New()
    Events()._set_global_event_reader_callbacks(callbacks)
    _otf2.GlobalEvtReader_SetCallbacks(events, callbacks, None)
    while _otf2.GlobalEvtReader_ReadEvents(events, 1000) == 1000:
        pass


def open_files(reader, locations):
    for location in locations:
        _otf2.Reader_SelectLocation(reader, location)
    _otf2.Reader_OpenDefFiles(reader)
    _otf2.Reader_OpenEvtFiles(reader)
    for location in locations:
        try:
            definitions = _otf2.Reader_GetDefReader(reader, location)
        except _otf2.Error:
            definitions = None
        if definitions:
            _otf2.Reader_ReadAllLocalDefinitions(reader, definitions)
            _otf2.Reader_CloseDefReader(reader, definitions)
        _otf2.Reader_GetEvtReader(reader, location)


parser = argparse.ArgumentParser()
parser.add_argument("--ids", action="store_true")
parser.add_argument("archive")
arguments = parser.parse_args()
(show_ids if arguments.ids else show_definitions)(arguments.archive)
