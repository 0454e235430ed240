"""Writes an archive to the folder in the first argument, and prints the records that it reads from it."""
import sys

import _otf2
import otf2
from otf2 import events

print(_otf2.Config.lib_path())

with otf2.writer.open(sys.argv[1], timer_resolution=1000) as trace:
    root = trace.definitions.system_tree_node("root node")
    group = trace.definitions.location_group("Prözess", system_tree_parent=root)
    function = trace.definitions.region("My Function")
    parameter = trace.definitions.parameter("a parameter", parameter_type=otf2.ParameterType.STRING)
    attribute = trace.definitions.attribute("an attribute", "text", otf2.Type.DOUBLE)
    other = trace.definitions.attribute("a string", "text", otf2.Type.STRING)
    metric = trace.definitions.metric_member("a metric", unit="#", value_type=otf2.Type.INT64)
    absolute = trace.definitions.metric_member("a double", unit="s", value_type=otf2.Type.DOUBLE)
    values = trace.definitions.metric_class([metric, absolute])
    for rank in range(3):
        writer = trace.event_writer(f"Thread {rank}", group=group)
        for step in range(rank, 40, 3):
            writer.enter(step * 10, function, {attribute: step / 2, other: "näme"})
            writer.parameter_string(step * 10 + 1, parameter, f"value {step}")
            writer.metric(step * 10 + 2, values, [-step, step / 8])
            writer.leave(step * 10 + 3, function)

with otf2.reader.open(sys.argv[1] + "/traces.otf2") as trace:
    print(trace.timer_resolution, trace.definitions.clock_properties.trace_length)
    for table in (trace.definitions.strings, trace.definitions.regions, trace.definitions.locations,
                  trace.definitions.metrics, trace.definitions.attributes):
        for definition in table:
            print(definition)
    entered = 0
    for location, event in trace.events:
        entered += isinstance(event, events.Enter)
        print(location.name, event.time, type(event).__name__, getattr(event, "attributes", None),
              getattr(event, "values", None), getattr(event, "value", None))
    assert entered == 40
