//! Chrome's JSON format, which dozens of tools import: an object per line.
//!
//! Times are microseconds with three decimals. Every object has a name, because some importers
//! refuse files in which one has none.

use crate::json::{integer, string};
use crate::track::{Direction, Format, Instant, Pieces, Track, Value};
use kymo_analysis::{Error, Location, MetricMember, Trace};
use kymo_otf2::references::{LocationGroupRef, RegionRef};
use std::collections::HashMap;

/// Writes Chrome's format.
#[derive(Debug)]
pub struct Chrome<'t> {
    trace: &'t Trace,
    /// The facts about the whole trace: names and values.
    facts: Vec<(String, String)>,
    /// The numbers of the processes, from 1, by location group.
    processes: HashMap<LocationGroupRef, u64>,
}

impl<'t> Chrome<'t> {
    /// Prepares the format.
    pub fn new(trace: &'t Trace, facts: Vec<(String, String)>) -> Self {
        let mut processes = HashMap::new();
        for location in trace.locations() {
            let number = processes.len() as u64 + 1;
            processes.entry(location.group).or_insert(number);
        }
        Self { trace, facts, processes }
    }

    fn process(&self, location: &Location) -> u64 {
        self.processes.get(&location.group).copied().unwrap_or(0)
    }

    /// Appends metadata of a thread or process: a name or a place in the order.
    fn metadata(&self, out: &mut Vec<u8>, what: &str, ids: [u64; 2], value: impl FnOnce(&mut Vec<u8>)) {
        out.extend_from_slice(b"{\"ph\":\"M\",\"name\":");
        string(out, what);
        out.extend_from_slice(b",\"pid\":");
        integer(out, ids[0]);
        out.extend_from_slice(b",\"tid\":");
        integer(out, ids[1]);
        out.extend_from_slice(b",\"args\":{");
        value(out);
        out.extend_from_slice(b"}},\n");
    }
}

impl Format for Chrome<'_> {
    fn head(&self) -> Vec<u8> {
        let mut out = b"{\"displayTimeUnit\":\"ns\",\"otherData\":{".to_vec();
        for (place, (name, value)) in self.facts.iter().enumerate() {
            if place > 0 {
                out.push(b',');
            }
            string(&mut out, name);
            out.push(b':');
            string(&mut out, value);
        }
        out.extend_from_slice(b"},\"traceEvents\":[\n");
        for (place, location) in self.trace.locations().iter().enumerate() {
            let ids = [self.process(location), place as u64 + 1];
            let name = |name: &str| {
                let mut text = b"\"name\":".to_vec();
                string(&mut text, name);
                text
            };
            let process = name(&self.trace.location_group_name(location.group));
            let thread = name(&self.trace.location_name(location));
            let order = |number: u64| format!("\"sort_index\":{number}");
            self.metadata(&mut out, "process_name", ids, |out| out.extend(process));
            self.metadata(&mut out, "process_sort_index", ids, |out| out.extend(order(ids[0]).bytes()));
            self.metadata(&mut out, "thread_name", ids, |out| out.extend(thread));
            self.metadata(&mut out, "thread_sort_index", ids, |out| out.extend(order(ids[1]).bytes()));
        }
        out
    }

    fn track<'f>(&'f self, location: &'f Location, place: usize) -> Box<dyn Track + 'f> {
        let ids = format!(",\"pid\":{},\"tid\":{}", self.process(location), place + 1);
        Box::new(Thread { trace: self.trace, ids, names: HashMap::new() })
    }

    fn tail(&self) -> Vec<u8> {
        // The last event ends with a comma, and after a comma there must be a value.
        b"{\"ph\":\"M\",\"name\":\"end\",\"pid\":0,\"args\":{}}\n]}\n".to_vec()
    }
}

struct Thread<'f> {
    trace: &'f Trace,
    /// Process and thread, as text.
    ids: String,
    /// The names of regions, as JSON.
    names: HashMap<RegionRef, Vec<u8>>,
}

impl Thread<'_> {
    fn event(&self, out: &mut Vec<u8>, phase: &[u8], time: u64) {
        out.extend_from_slice(b"{\"ph\":\"");
        out.extend_from_slice(phase);
        out.extend_from_slice(b"\",\"ts\":");
        integer(out, time / 1000);
        let rest = time % 1000;
        let digit = |number: u64| b'0' + (number % 10) as u8;
        out.extend_from_slice(&[b'.', digit(rest / 100), digit(rest / 10), digit(rest)]);
        out.extend_from_slice(self.ids.as_bytes());
        out.extend_from_slice(b",\"name\":");
    }

    fn region(&mut self, out: &mut Vec<u8>, region: RegionRef) {
        let trace = self.trace;
        let name = self.names.entry(region).or_insert_with(|| {
            let mut name = Vec::new();
            string(&mut name, &trace.region_name(region));
            name
        });
        out.extend_from_slice(name);
    }
}

fn value(out: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Integer(number) => out.extend_from_slice(number.to_string().as_bytes()),
        Value::Unsigned(number) => integer(out, *number),
        Value::Double(number) if number.is_finite() => out.extend_from_slice(number.to_string().as_bytes()),
        // JSON has no such numbers.
        Value::Double(number) => string(out, &number.to_string()),
        Value::Text(text) => string(out, text),
    }
}

impl Track for Thread<'_> {
    fn begin(&mut self, out: &mut Vec<u8>, time: u64, region: RegionRef) {
        self.event(out, b"B", time);
        self.region(out, region);
        out.extend_from_slice(b"},\n");
    }

    fn end(&mut self, out: &mut Vec<u8>, time: u64, region: RegionRef) {
        self.event(out, b"E", time);
        self.region(out, region);
        out.extend_from_slice(b"},\n");
    }

    fn instant(&mut self, out: &mut Vec<u8>, time: u64, instant: &Instant<'_>) {
        self.event(out, b"i", time);
        string(out, &instant.name);
        out.extend_from_slice(b",\"s\":\"t\",\"args\":{");
        for (place, (name, argument)) in instant.arguments.iter().enumerate() {
            if place > 0 {
                out.push(b',');
            }
            string(out, name);
            out.push(b':');
            value(out, argument);
        }
        out.extend_from_slice(b"}},\n");
        let Some(flow) = instant.flow else { return };
        let phase: &[u8] = if flow.direction == Direction::Out { b"s" } else { b"f" };
        self.event(out, phase, time);
        // Numbers of more than 53 bits would be rounded, so the id is a text.
        let end = if flow.direction == Direction::In { ",\"bp\":\"e\"" } else { "" };
        let rest = format!("\"message\",\"cat\":\"message\",\"id\":\"{:x}\"{end}}},\n", flow.number);
        out.extend_from_slice(rest.as_bytes());
    }

    fn counter(&mut self, out: &mut Vec<u8>, time: u64, metric: &MetricMember, number: Value) {
        self.event(out, b"C", time);
        string(out, self.trace.string(metric.name).unwrap_or_default());
        out.extend_from_slice(b",\"args\":{\"value\":");
        value(out, &number);
        out.extend_from_slice(b"}},\n");
    }

    fn finish(&mut self, _out: &mut Pieces<'_>, _time: u64) -> Result<(), Error> {
        Ok(())
    }
}
