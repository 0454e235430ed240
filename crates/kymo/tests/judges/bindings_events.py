"""Prints the location, the ticks, the kind and the fields of each event, as the OTF2 bindings read
them.

References are ids and undefined ones null; enumerations are names, flags numbers. Strings, which the
bindings resolve, are left out.
"""

import ctypes
import json
import sys

import otf2


def plain(value):
    """Returns a value without objects of the bindings."""
    if hasattr(value, "_ref"):
        return value._ref
    if isinstance(value, ctypes._SimpleCData):
        is_set = any(kind.__name__ == "EnumBitset" for kind in type(value).__mro__)
        return value.value if is_set else str(value).rpartition(".")[2]
    if isinstance(value, (list, tuple)):
        return [plain(it) for it in value]
    return value


def fields_of(event):
    fields = {
        name: plain(value)
        for name, value in vars(event).items()
        if name not in ("time", "attributes") and not isinstance(value, str)
    }
    context = getattr(event, "calling_context", None)
    return fields if context is None else {**fields, "region": plain(context.region)}


with otf2.reader.open(sys.argv[1]) as trace:
    for location, event in trace.events:
        print(location._ref, event.time, type(event).__name__, json.dumps(fields_of(event)), sep="\t")
