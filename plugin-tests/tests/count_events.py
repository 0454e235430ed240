"""Reads a whole archive with the OTF2 Python bindings; prints the number of events of each location by id."""
import collections
import sys

import otf2

counts = collections.Counter()
with otf2.reader.open(sys.argv[1]) as trace:
    locations = {location: location._ref for location in trace.definitions.locations}
    for location, event in trace.events:
        # Not str(event): the bindings cannot name combined flags, whichever software wrote them.
        vars(event)
        counts[locations[location]] += 1
for location in sorted(counts):
    print(location, counts[location])
