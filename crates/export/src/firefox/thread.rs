//! A location as a thread: the rows that are collected until all of its tables are written.

use super::Firefox;
use super::marker::{MarkerKind, TRANSFER, json_of};
use crate::json::string;
use crate::track::{Instant, Pieces, Section, Track, Value};
use kymo_analysis::profile::{Counting, counting};
use kymo_analysis::spill::Stream;
use kymo_analysis::{ContextId, Contexts, Error, Location, MetricMember};
use kymo_otf2::references::{MetricMemberRef, RegionRef};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};

/// Rows that become columns.
#[derive(Debug)]
pub(super) struct Column<'f> {
    pub(super) stream: Stream<'f>,
    pub(super) length: u64,
}

impl<'f> Column<'f> {
    fn new(format: &'f Firefox<'_>) -> Self {
        Self { stream: format.spill.stream(), length: 0 }
    }

    fn push(&mut self, row: impl IntoIterator<Item = u64>) -> Result<(), Error> {
        self.length += 1;
        self.stream.push(row)
    }
}

/// A location.
pub(super) struct Thread<'f> {
    pub(super) format: &'f Firefox<'f>,
    pub(super) location: &'f Location,
    pub(super) contexts: Contexts,
    open: Vec<ContextId>,
    /// The stack since the last change, and the time of that.
    running: Option<(ContextId, u64)>,
    /// The time of the first sample.
    pub(super) first: u64,
    /// Stacks, and how long they stayed.
    pub(super) samples: Column<'f>,
    /// Names, kinds, starts, ends, and data as bytes.
    pub(super) markers: Column<'f>,
    /// The starts and modes of operations of input and output that are not complete.
    transfers: HashMap<(u64, u64), (u64, u64)>,
    pub(super) counters: BTreeMap<MetricMemberRef, Counter<'f>>,
    failure: Option<Error>,
}

/// The values of a metric: times, each with the count since the value before.
pub(super) struct Counter<'f> {
    pub(super) metric: MetricMember,
    last: f64,
    pub(super) values: Column<'f>,
}

impl<'f> Thread<'f> {
    pub(super) fn new(format: &'f Firefox<'_>, location: &'f Location) -> Self {
        Self {
            format,
            location,
            contexts: Contexts::new(),
            open: Vec::new(),
            running: None,
            first: 0,
            samples: Column::new(format),
            markers: Column::new(format),
            transfers: HashMap::new(),
            counters: BTreeMap::new(),
            failure: None,
        }
    }

    fn note(&mut self, result: Result<(), Error>) {
        if let Err(error) = result {
            self.failure.get_or_insert(error);
        }
    }

    /// The stack changes at a time.
    fn change(&mut self, time: u64) {
        let context = self.open.last().copied().unwrap_or(ContextId::ROOT);
        match self.running.replace((context, time)) {
            Some((last, since)) if time > since => {
                let pushed = self.samples.push([last.0.into(), time - since]);
                self.note(pushed);
            }
            Some(_) => {}
            None => self.first = time,
        }
    }

    fn marker(&mut self, name: &str, kind: MarkerKind, span: (u64, u64), data: &serde_json::Value) {
        let mut data = data.clone();
        data["type"] = kind.name().into();
        let data = data.to_string();
        let head = [self.format.strings.marker(name), span.0, span.1, data.len() as u64];
        let pushed = self.markers.push(head.into_iter().chain(data.bytes().map(u64::from)));
        self.note(pushed);
    }

    /// An operation of input or output begins or ends.
    fn transfer(&mut self, time: u64, instant: &Instant<'_>) {
        let number = |name: &str| {
            let found = instant.arguments.iter().find(|it| it.0 == name);
            found.and_then(|it| if let Value::Unsigned(number) = it.1 { Some(number) } else { None })
        };
        let handle = number("handle").unwrap_or(0);
        let key = (handle, number("matchingId").unwrap_or(0));
        match &*instant.name {
            "IoOperationBegin" => drop(self.transfers.insert(key, (time, number("mode").unwrap_or(0)))),
            "IoOperationComplete" | "IoOperationCancelled" => {
                let (start, mode) = self.transfers.remove(&key).unwrap_or((time, 0));
                let bytes = number("bytesResult").filter(|bytes| *bytes != u64::MAX).unwrap_or(0);
                let data = json!({ "bytes": bytes, "handle": handle, "mode": mode });
                self.marker(TRANSFER, MarkerKind::Transfer, (start, time), &data);
            }
            _ => {}
        }
    }
}

impl Track for Thread<'_> {
    fn begin(&mut self, _out: &mut Vec<u8>, time: u64, region: RegionRef) {
        let parent = self.open.last().copied().unwrap_or(ContextId::ROOT);
        match self.contexts.child(parent, self.format.trace.same_region(region)) {
            Ok(context) => self.open.push(context),
            Err(error) => {
                self.open.push(parent);
                self.note(Err(error.into()));
            }
        }
        self.change(time);
    }

    fn end(&mut self, _out: &mut Vec<u8>, time: u64, _region: RegionRef) {
        self.open.pop();
        self.change(time);
    }

    fn instant(&mut self, _out: &mut Vec<u8>, time: u64, instant: &Instant<'_>) {
        let kind = MarkerKind::of(instant);
        let mut data = serde_json::Map::new();
        for (name, value) in &instant.arguments {
            data.insert((*name).to_owned(), json_of(value));
        }
        match kind {
            MarkerKind::Transfer => self.transfer(time, instant),
            MarkerKind::Message => {
                // The name ends with the rank.
                let (name, rank) = instant.name.rsplit_once(' ').unwrap_or((&instant.name, ""));
                data.insert("rank".to_owned(), rank.parse::<u64>().ok().into());
                self.marker(name, kind, (time, time), &data.into());
            }
            MarkerKind::Collective => {
                let start = data.remove("begin_ns").and_then(|start| start.as_u64()).unwrap_or(time);
                self.marker(&instant.name, kind, (start.min(time), time), &data.into());
            }
            MarkerKind::Event => {
                let fields: Vec<_> = data.iter().map(|(name, value)| format!("{name} {value}")).collect();
                self.marker(&instant.name, kind, (time, time), &json!({ "fields": fields.join(", ") }));
            }
        }
    }

    fn counter(&mut self, _out: &mut Vec<u8>, time: u64, metric: &MetricMember, value: Value) {
        let value = match value {
            Value::Integer(number) => number as f64,
            Value::Unsigned(number) => number as f64,
            Value::Double(number) if number.is_finite() => number,
            _ => 0.0,
        };
        let format = self.format;
        let new = || Counter { metric: *metric, last: 0.0, values: Column::new(format) };
        let counter = self.counters.entry(metric.id).or_insert_with(new);
        let before = std::mem::replace(&mut counter.last, value);
        let is_difference = counting(metric) == Counting::Relative;
        let change = if is_difference { value } else { value - before };
        let pushed = counter.values.push([time, change.to_bits()]);
        self.note(pushed);
    }

    fn finish(&mut self, pieces: &mut Pieces<'_>, time: u64) -> Result<(), Error> {
        self.change(time);
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let trace = self.format.trace;
        let (place, main) = self.format.threads.get(&self.location.id).copied().unwrap_or_default();
        let process = self.format.processes.get(&self.location.group).copied().unwrap_or(0);
        let out = pieces.of(Section::Track);
        out.extend_from_slice(
            b"\n{\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,",
        );
        out.extend_from_slice(b"\"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[],\"name\":");
        string(out, &trace.location_name(self.location));
        let ids = format!(
            ",\"isMainThread\":{},\"showMarkersInTimeline\":true,\"pid\":\"{process}\",\"tid\":{},\"processName\":",
            place == main,
            place + 1
        );
        out.extend_from_slice(ids.as_bytes());
        string(out, &trace.location_group_name(self.location.group));
        out.push(b',');
        self.write_samples(pieces)?;
        self.write_markers(pieces)?;
        self.write_tables(pieces);
        self.write_counters(pieces)
    }
}
