//! Definitions, properties and markers as rows.

use crate::dataset::{self, Value};
use crate::error::Error;
use crate::sink::Rows;
use kymo_analysis::Trace;
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::markers::AnyMarker;
use kymo_otf2::references::*;
use std::collections::HashMap;
use std::io::ErrorKind;

pub(crate) fn write(trace: &Trace, rows: &mut Rows<'_>) -> Result<(), Error> {
    trace.archive().each_global_definition(|definition| {
        let text = |id: StringRef| trace.string(id).map_or(Value::None, Value::from);
        match definition {
            GlobalDefinition::Location(it) => {
                let group = it.location_group.is_defined().then_some(it.location_group.0);
                let kind = Value::Text(it.location_type.to_string());
                let row = [
                    Value::Integer(it.id.0 as i64),
                    text(it.name),
                    kind,
                    group.into(),
                    it.number_of_events.into(),
                ];
                rows.push(&dataset::LOCATIONS, row)
            }
            GlobalDefinition::LocationGroup(it) => {
                let node = Value::Text(trace.system_tree_node_name(trace.node_of(it.id)).into_owned());
                let kind = Value::Text(it.location_group_type.to_string());
                rows.push(&dataset::LOCATION_GROUPS, [it.id.0.into(), text(it.name), kind, node])
            }
            GlobalDefinition::Region(it) => {
                let row = [
                    it.id.0.into(),
                    Value::Text(trace.region_name(it.id).into_owned()),
                    text(it.canonical_name),
                    Value::Text(it.region_role.to_string()),
                    Value::Text(it.paradigm.to_string()),
                    text(it.source_file),
                    it.begin_line_number.into(),
                    it.end_line_number.into(),
                ];
                rows.push(&dataset::REGIONS, row)
            }
            GlobalDefinition::MetricMember(it) => {
                let row = [
                    it.id.0.into(),
                    text(it.name),
                    text(it.description),
                    text(it.unit),
                    Value::Text(it.metric_mode.to_string()),
                    Value::Text(it.value_type.to_string()),
                ];
                rows.push(&dataset::METRICS_DEFS, row)
            }
            GlobalDefinition::Comm(it) => communicator(trace, rows, it.id, it.parent),
            GlobalDefinition::InterComm(it) => communicator(trace, rows, it.id, it.common_communicator),
            _ => Ok(()),
        }
    })?;
    for property in trace.archive().anchor().properties.iter() {
        let row = [property.name, property.value].map(|it| Value::Text(it.to_string_lossy().into_owned()));
        rows.push(&dataset::PROPERTIES, row)?;
    }
    if rows.wants(&dataset::MARKERS) { markers(trace, rows) } else { Ok(()) }
}

fn communicator(trace: &Trace, rows: &mut Rows<'_>, id: CommRef, parent: CommRef) -> Result<(), Error> {
    let members = trace.communicators().get(id).map(|it| it.members());
    let parent = parent.is_defined().then_some(parent.0);
    let name = Value::Text(trace.communicator_name(id).into_owned());
    rows.push(&dataset::COMMUNICATORS, [id.0.into(), name, members.into(), parent.into()])
}

fn markers(trace: &Trace, rows: &mut Rows<'_>) -> Result<(), Error> {
    let file = match trace.archive().markers() {
        Ok(file) => file,
        // Archives without markers have no such file.
        Err(kymo_otf2::Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let clock = trace.clock();
    let mut kinds = HashMap::new();
    for record in file.records()? {
        match record? {
            AnyMarker::DefMarker(it) => {
                let texts = [it.marker_group, it.marker_category].map(|it| it.to_string_lossy().into_owned());
                kinds.insert(it.id, (texts, it.severity));
            }
            AnyMarker::Marker(it) => {
                let kind = kinds.get(&it.marker);
                let text = |place: usize| kind.map_or(Value::None, |it| Value::Text(it.0[place].clone()));
                let end = it.time.saturating_add(it.duration);
                let (start, end) = (clock.nanoseconds(it.time), clock.nanoseconds(end));
                let row = [
                    start.into(),
                    (end - start).into(),
                    text(1),
                    text(0),
                    kind.map_or(Value::Integer(-1), |it| Value::Integer(it.1.0.into())),
                    Value::Integer(it.marker_scope.0.into()),
                    it.scope.into(),
                    Value::Text(it.text.to_string_lossy().into_owned()),
                ];
                rows.push(&dataset::MARKERS, row)?;
            }
            _ => {}
        }
    }
    Ok(())
}
