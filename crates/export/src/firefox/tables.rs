//! The tables of a thread, which follow one another in its object: samples, markers, stacks and
//! counters.

use super::category;
use super::thread::Thread;
use crate::json::{integer, string};
use crate::track::{Pieces, Section};
use kymo_analysis::profile::{Counting, counting};
use kymo_analysis::spill::{Row, Spill, SpilledRows};
use kymo_analysis::{Class, Error};
use kymo_otf2::references::RegionRef;
use serde_json::json;
use std::collections::HashMap;

/// Appends nanoseconds as milliseconds.
fn milliseconds(out: &mut Vec<u8>, time: u64) {
    integer(out, time / 1_000_000);
    let mut rest = time % 1_000_000;
    if rest == 0 {
        return;
    }
    out.push(b'.');
    let mut unit = 100_000;
    while rest > 0 {
        out.push(b'0' + (rest / unit) as u8);
        rest %= unit;
        unit /= 10;
    }
}

/// Appends a column in brackets, with the cells that `cell` appends.
fn column(
    spill: &Spill,
    rows: &mut SpilledRows,
    pieces: &mut Pieces<'_>,
    section: Section,
    mut cell: impl FnMut(&mut Vec<u8>, &mut Row<'_>),
) -> Result<(), Error> {
    let mut bracket = b'[';
    spill.each(rows, |row| {
        let out = pieces.of(section);
        out.push(bracket);
        bracket = b',';
        cell(out, row);
    })?;
    let out = pieces.of(section);
    if bracket == b'[' {
        out.push(b'[');
    }
    out.push(b']');
    Ok(())
}

/// Reads all numbers of a row of markers. Returns the first three, and the data.
fn marker_row(row: &mut Row<'_>) -> ([u64; 3], Vec<u8>) {
    let [name, start, end, length] = [(); 4].map(|()| row.number());
    ([name, start, end], (0..length).map(|_| row.number() as u8).collect())
}

impl Thread<'_> {
    pub(super) fn write_samples(&mut self, pieces: &mut Pieces<'_>) -> Result<(), Error> {
        let (spill, mut rows) = (&self.format.spill, self.samples.stream.take()?);
        pieces.of(Section::Track).extend_from_slice(b"\"samples\":{\"weightType\":\"tracing-ms\",\"stack\":");
        column(spill, &mut rows, pieces, Section::Track, |out, row| {
            let [context, _] = [(); 2].map(|()| row.number());
            match context.checked_sub(1) {
                Some(stack) => integer(out, stack),
                None => out.extend_from_slice(b"null"),
            }
        })?;
        pieces.of(Section::Track).extend_from_slice(b",\"timeDeltas\":");
        let mut delta = self.first;
        column(spill, &mut rows, pieces, Section::Track, |out, row| {
            let [_, duration] = [(); 2].map(|()| row.number());
            milliseconds(out, std::mem::replace(&mut delta, duration));
        })?;
        pieces.of(Section::Track).extend_from_slice(b",\"weight\":");
        column(spill, &mut rows, pieces, Section::Track, |out, row| {
            let [_, duration] = [(); 2].map(|()| row.number());
            milliseconds(out, duration);
        })?;
        let end = format!(",\"length\":{}}}", self.samples.length);
        pieces.of(Section::Track).extend_from_slice(end.as_bytes());
        Ok(())
    }

    pub(super) fn write_markers(&mut self, pieces: &mut Pieces<'_>) -> Result<(), Error> {
        let (spill, mut rows) = (&self.format.spill, self.markers.stream.take()?);
        type Cell = fn(&mut Vec<u8>, [u64; 3], Vec<u8>);
        let columns: [(&str, Cell); 6] = [
            ("name", |out, [name, ..], _| integer(out, name)),
            ("startTime", |out, [_, start, _], _| milliseconds(out, start)),
            ("endTime", |out, [_, start, end], _| match start == end {
                true => out.extend_from_slice(b"null"),
                false => milliseconds(out, end),
            }),
            ("phase", |out, [_, start, end], _| integer(out, u64::from(start != end))),
            ("category", |out, _, data| {
                let is_transfer = data.ends_with(b"\"type\":\"Transfer\"}");
                let class = if is_transfer { Class::InputOutput } else { Class::Communication };
                integer(out, category(class));
            }),
            ("data", |out, _, data| out.extend_from_slice(&data)),
        ];
        pieces.of(Section::Track).extend_from_slice(b",\"markers\":{");
        for (name, cell) in columns {
            pieces.of(Section::Track).extend_from_slice(format!("\"{name}\":").as_bytes());
            column(spill, &mut rows, pieces, Section::Track, |out, row| {
                let (head, data) = marker_row(row);
                cell(out, head, data);
            })?;
            pieces.of(Section::Track).push(b',');
        }
        let end = format!("\"length\":{}}}", self.markers.length);
        pieces.of(Section::Track).extend_from_slice(end.as_bytes());
        Ok(())
    }

    /// Writes the tables of stacks, frames and functions.
    pub(super) fn write_tables(&self, pieces: &mut Pieces<'_>) {
        let mut frames = Vec::new();
        let mut places = HashMap::new();
        for context in self.contexts.iter() {
            let region = self.contexts.region(context);
            places.entry(region).or_insert_with(|| {
                frames.push(region);
                frames.len() as u64 - 1
            });
        }
        let list = |pieces: &mut Pieces<'_>, name: &str, cells: &mut dyn Iterator<Item = Option<u64>>| {
            pieces.of(Section::Track).extend_from_slice(format!("\"{name}\":[").as_bytes());
            for (place, cell) in cells.enumerate() {
                let out = pieces.of(Section::Track);
                if place > 0 {
                    out.push(b',');
                }
                match cell {
                    Some(number) => integer(out, number),
                    None => out.extend_from_slice(b"null"),
                }
            }
            pieces.of(Section::Track).extend_from_slice(b"],");
        };
        let contexts = || self.contexts.iter();
        pieces.of(Section::Track).extend_from_slice(b",\"stackTable\":{");
        let frame = |context| places.get(&self.contexts.region(context)).copied();
        list(pieces, "frame", &mut contexts().map(frame));
        let parent = |context| u64::from(self.contexts.parent(context).0).checked_sub(1);
        list(pieces, "prefix", &mut contexts().map(parent));
        let end = format!("\"length\":{}}}", self.contexts.len() - 1);
        pieces.of(Section::Track).extend_from_slice(end.as_bytes());
        let trace = self.format.trace;
        let sources = self.format.sources();
        let all = |value: serde_json::Value| vec![value; frames.len()];
        let null = || all(serde_json::Value::Null);
        let numbers: Vec<_> = (0..frames.len()).collect();
        let line = |region: &RegionRef| trace.region(*region).map(|it| it.line).filter(|line| *line > 0);
        let source = |region: &RegionRef| {
            let file = self.format.strings.files.get(region)?;
            sources.binary_search(file).ok()
        };
        let lines: Vec<_> = frames.iter().map(line).collect();
        let tables = json!({
            "length": frames.len(), "address": all(json!(-1)), "inlineDepth": all(json!(0)),
            "category": frames.iter().map(|it| category(Class::of(trace, *it))).collect::<Vec<_>>(),
            "subcategory": all(json!(0)), "func": numbers, "nativeSymbol": (null()),
            "innerWindowID": all(json!(0)), "line": lines, "column": (null()),
        });
        let functions = json!({
            "length": frames.len(), "isJS": all(json!(false)), "relevantForJS": all(json!(false)),
            "name": frames.iter().map(|it| self.format.strings.region(*it)).collect::<Vec<_>>(),
            "resource": all(json!(-1)), "source": frames.iter().map(source).collect::<Vec<_>>(),
            "lineNumber": lines, "columnNumber": (null()),
        });
        let text = format!(
            ",\"frameTable\":{tables},\"funcTable\":{functions},\
             \"resourceTable\":{{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],\"type\":[]}},\
             \"nativeSymbols\":{{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[]}}}}"
        );
        pieces.of(Section::Track).extend_from_slice(text.as_bytes());
    }

    pub(super) fn write_counters(&mut self, pieces: &mut Pieces<'_>) -> Result<(), Error> {
        let (trace, spill) = (self.format.trace, &self.format.spill);
        let thread = trace.location_name(self.location);
        let (_, main) = self.format.threads.get(&self.location.id).copied().unwrap_or_default();
        let process = self.format.processes.get(&self.location.group).copied().unwrap_or(0);
        let mut separator: &[u8] = b"\n";
        for counter in self.counters.values_mut() {
            let mut rows = counter.values.stream.take()?;
            let text = |id| trace.string(id).unwrap_or_default();
            let (name, unit) = (text(counter.metric.name), text(counter.metric.unit));
            let is_state = counting(&counter.metric) == Counting::Absolute;
            let display = json!({
                "graphType": if is_state { "line-accumulated" } else { "line-rate" },
                "unit": unit, "color": "blue", "markerSchemaLocation": null, "sortWeight": 50,
                "label": format!("{name}, {thread}"), "tooltipRows": [],
            });
            let out = pieces.of(Section::End);
            out.extend_from_slice(separator);
            separator = b",\n";
            out.extend_from_slice(b"{\"name\":");
            string(out, name);
            out.extend_from_slice(b",\"category\":\"\",\"description\":");
            string(out, &format!("{name}, {thread}"));
            let rest = format!(
                ",\"pid\":\"{process}\",\"mainThreadIndex\":{main},\"display\":{display},\"samples\":{{\"time\":"
            );
            out.extend_from_slice(rest.as_bytes());
            column(spill, &mut rows, pieces, Section::End, |out, row| {
                let [time, _] = [(); 2].map(|()| row.number());
                milliseconds(out, time);
            })?;
            pieces.of(Section::End).extend_from_slice(b",\"count\":");
            column(spill, &mut rows, pieces, Section::End, |out, row| {
                let [_, bits] = [(); 2].map(|()| row.number());
                out.extend_from_slice(json!(f64::from_bits(bits)).to_string().as_bytes());
            })?;
            let end = format!(",\"length\":{}}}}}", counter.values.length);
            pieces.of(Section::End).extend_from_slice(end.as_bytes());
        }
        Ok(())
    }
}
