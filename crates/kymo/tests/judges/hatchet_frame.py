"""Reads literals of `kymo profile --format hatchet` with Hatchet.

    hatchet_frame.py FILE...

Prints visits and exclusive seconds of each, summed over all nodes.
"""

import json
import sys

import hatchet

for path in sys.argv[1:]:
    with open(path) as file:
        frame = hatchet.GraphFrame.from_literal(json.load(file)).dataframe
    print(int(frame["visits"].sum()), float(frame["time"].sum()))
