"""Prints the location, the ticks and the kind of each event, as the OTF2 bindings read them."""

import sys

import otf2

with otf2.reader.open(sys.argv[1]) as trace:
    for location, event in trace.events:
        print(location._ref, event.time, type(event).__name__, sep="\t")
