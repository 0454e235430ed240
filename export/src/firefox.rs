//! The processed profile of the Firefox Profiler, version 59, in which each thread has tables of
//! its own. The profiler upgrades older versions when it opens them.
//!
//! Calls are samples whose weight is the time until the stack changes, so call tree and flame graph
//! show true times. Messages, collective operations, input and output and other events are markers,
//! metrics are counters. Columns of a table follow one another, so they wait in a [`Spill`].

use crate::json::{integer, string};
use crate::track::{Format, Instant, Pieces, Section, Track, Value};
use kymo_analysis::profile::{Counting, counting};
use kymo_analysis::spill::{Rows, Spill, Stream};
use kymo_analysis::{Class, ContextId, Contexts, Error, Location, MetricMember, Selection, Trace};
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::events::Event;
use kymo_otf2::records::Decode;
use kymo_otf2::references::*;
use serde_json::json;
use std::collections::{BTreeMap, HashMap};

/// Writes the Firefox Profiler's format.
#[derive(Debug)]
pub struct Firefox<'t> {
    trace: &'t Trace,
    facts: Vec<(String, String)>,
    spill: Spill,
    strings: Strings,
    /// The place of each location among the threads, and that of the first one of its process.
    threads: HashMap<LocationRef, (usize, usize)>,
    /// The numbers of the processes, from 1.
    processes: HashMap<LocationGroupRef, u64>,
}

/// The strings of all threads, and where they are.
#[derive(Debug)]
struct Strings {
    all: Vec<String>,
    regions: HashMap<RegionRef, u64>,
    files: HashMap<RegionRef, u64>,
    markers: HashMap<String, u64>,
}

/// The number of threads that are shown at first.
const VISIBLE: usize = 16;
/// The time between samples that the profiler assumes where it needs one, in milliseconds.
const INTERVAL: f64 = 0.001;

impl<'t> Firefox<'t> {
    /// Prepares the format for these locations.
    ///
    /// # Errors
    ///
    /// If the definitions cannot be read.
    pub fn new(trace: &'t Trace, selection: &Selection, facts: Vec<(String, String)>) -> Result<Self, Error> {
        let (mut threads, mut processes) = (HashMap::new(), HashMap::new());
        let mut first = HashMap::new();
        for (place, (_, location)) in selection.of_all_parts(trace).into_iter().enumerate() {
            let number = processes.len() as u64 + 1;
            processes.entry(location.group).or_insert(number);
            let first = *first.entry(location.group).or_insert(place);
            threads.insert(location.id, (place, first));
        }
        let strings = Strings::of(trace)?;
        Ok(Self { trace, facts, spill: Spill::default(), strings, threads, processes })
    }

    fn meta(&self) -> serde_json::Value {
        let categories = Class::ALL.map(
            |class| json!({ "name": title(class.name()), "color": color(class), "subcategories": ["Other"] }),
        );
        let entry =
            |(name, value): &(String, String)| json!({ "label": name, "format": "string", "value": value });
        json!({
            "interval": INTERVAL,
            "startTime": self.trace.clock().date().map_or(0, |date| date / 1_000_000),
            "processType": 0,
            "product": "Kymo",
            "importedFrom": "OTF2",
            "stackwalk": 1,
            "version": 30,
            "preprocessedProfileVersion": 59,
            "symbolicated": true,
            "usesOnlyOneStackType": true,
            "sourceCodeIsNotOnSearchfox": true,
            "keepProfileThreadOrder": true,
            "initialVisibleThreads": (0..self.threads.len().min(VISIBLE)).collect::<Vec<_>>(),
            "categories": categories,
            "markerSchema": Kind::ALL.map(Kind::schema),
            "extra": [{ "label": "Trace", "entries": self.facts.iter().map(entry).collect::<Vec<_>>() }],
        })
    }
}

impl Strings {
    fn of(trace: &Trace) -> Result<Self, Error> {
        let mut strings =
            Self { all: Vec::new(), regions: HashMap::new(), files: HashMap::new(), markers: HashMap::new() };
        let mut known = HashMap::new();
        let mut place_of = |all: &mut Vec<String>, text: String| {
            *known.entry(text.clone()).or_insert_with(|| {
                all.push(text);
                all.len() as u64 - 1
            })
        };
        trace.archive().each_global_definition(|definition| {
            if let kymo_otf2::definitions::GlobalDefinition::Region(it) = definition {
                let name = trace.region_name(it.id).into_owned();
                strings.regions.insert(it.id, place_of(&mut strings.all, name));
                if let Some(file) = trace.string(it.source_file) {
                    strings.files.insert(it.id, place_of(&mut strings.all, file.to_owned()));
                }
            }
            Ok::<_, Error>(())
        })?;
        let unknown = trace.region_name(RegionRef::UNDEFINED).into_owned();
        strings.regions.insert(RegionRef::UNDEFINED, place_of(&mut strings.all, unknown));
        let events = (0..=u8::MAX).filter_map(Event::name_of).map(str::to_owned);
        let collectives = CollectiveOp::VALUES.iter().map(ToString::to_string);
        let own = [MESSAGES[0], MESSAGES[1], OTHER, TRANSFER].map(str::to_owned);
        for name in own.into_iter().chain(collectives).chain(events) {
            let place = place_of(&mut strings.all, name.clone());
            strings.markers.insert(name, place);
        }
        Ok(strings)
    }

    fn region(&self, region: RegionRef) -> u64 {
        let unknown = || self.regions.get(&RegionRef::UNDEFINED);
        self.regions.get(&region).or_else(unknown).copied().unwrap_or(0)
    }

    fn marker(&self, name: &str) -> u64 {
        self.markers.get(name).or_else(|| self.markers.get(OTHER)).copied().unwrap_or(0)
    }
}

/// The names of markers that are not those of events.
const MESSAGES: [&str; 2] = ["send to rank", "receive from rank"];
const TRANSFER: &str = "input or output";
const OTHER: &str = "event";

/// What a marker shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Message,
    Collective,
    Transfer,
    Event,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Message, Self::Collective, Self::Transfer, Self::Event];

    fn of(instant: &Instant<'_>) -> Self {
        let has = |name: &str| instant.arguments.iter().any(|it| it.0 == name);
        match () {
            () if instant.flow.is_some() => Self::Message,
            () if has("begin_ns") => Self::Collective,
            () if instant.name.starts_with("IoOperation") => Self::Transfer,
            () => Self::Event,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Message => "Message",
            Self::Collective => "Collective",
            Self::Transfer => "Transfer",
            Self::Event => "Event",
        }
    }

    fn schema(self) -> serde_json::Value {
        let bytes = |key: &str, label: &str| json!({ "key": key, "label": label, "format": "bytes" });
        let other =
            |key: &str, label: &str, format: &str| json!({ "key": key, "label": label, "format": format });
        let fields = match self {
            Self::Message => vec![
                other("rank", "Rank", "integer"),
                bytes("bytes", "Bytes"),
                other("tag", "Tag", "integer"),
                other("communicator", "Communicator", "string"),
            ],
            Self::Collective => vec![bytes("bytes_sent", "Sent"), bytes("bytes_received", "Received")],
            Self::Transfer => vec![
                bytes("bytes", "Bytes"),
                other("handle", "Handle", "integer"),
                other("mode", "Mode", "integer"),
            ],
            Self::Event => vec![other("fields", "Fields", "string")],
        };
        let display: &[&str] = match self {
            Self::Transfer => &["marker-chart", "marker-table", "timeline-overview"],
            _ => &["marker-chart", "marker-table"],
        };
        json!({ "name": self.name(), "display": display, "fields": fields })
    }
}

fn title(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn category(class: Class) -> u64 {
    Class::ALL.iter().position(|it| *it == class).unwrap_or(0) as u64
}

/// The first class is the default category, which must be grey.
fn color(class: Class) -> &'static str {
    match class {
        Class::Computation => "grey",
        Class::Communication => "orange",
        Class::Threading => "blue",
        Class::InputOutput => "green",
        Class::Memory => "purple",
        Class::Accelerator => "yellow",
        Class::Measurement => "red",
    }
}

impl Format for Firefox<'_> {
    fn head(&self) -> Vec<u8> {
        let mut out = b"{\"meta\":".to_vec();
        out.extend_from_slice(self.meta().to_string().as_bytes());
        let sources = json!({ "length": self.sources().len(), "id": vec![(); self.sources().len()], "filename": self.sources() });
        let shared = json!({ "stringArray": self.strings.all, "sources": sources });
        out.extend_from_slice(b",\n\"libs\":[],\"pages\":[],\"shared\":");
        out.extend_from_slice(shared.to_string().as_bytes());
        out.extend_from_slice(b",\n\"threads\":[");
        out
    }

    fn track<'f>(&'f self, location: &'f Location, _number: usize) -> Box<dyn Track + 'f> {
        Box::new(Thread {
            format: self,
            location,
            contexts: Contexts::new(),
            open: Vec::new(),
            running: None,
            first: 0,
            samples: Column::new(self),
            markers: Column::new(self),
            transfers: HashMap::new(),
            counters: BTreeMap::new(),
            failure: None,
        })
    }

    fn separator(&self) -> &'static [u8] {
        b","
    }

    fn middle(&self) -> Vec<u8> {
        b"],\n\"counters\":[".to_vec()
    }

    fn tail(&self) -> Vec<u8> {
        b"\n]}\n".to_vec()
    }
}

impl Firefox<'_> {
    /// Returns the strings of the source files, in their order.
    fn sources(&self) -> Vec<u64> {
        let mut files: Vec<_> = self.strings.files.values().copied().collect();
        files.sort_unstable();
        files.dedup();
        files
    }
}

/// Rows that become columns.
#[derive(Debug)]
struct Column<'f> {
    stream: Stream<'f>,
    length: u64,
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
struct Thread<'f> {
    format: &'f Firefox<'f>,
    location: &'f Location,
    contexts: Contexts,
    open: Vec<ContextId>,
    /// The stack since the last change, and the time of that.
    running: Option<(ContextId, u64)>,
    /// The time of the first sample.
    first: u64,
    /// Stacks, and how long they stayed.
    samples: Column<'f>,
    /// Names, kinds, starts, ends, and data as bytes.
    markers: Column<'f>,
    /// The starts and modes of operations of input and output that are not complete.
    transfers: HashMap<(u64, u64), (u64, u64)>,
    counters: BTreeMap<MetricMemberRef, Counter<'f>>,
    failure: Option<Error>,
}

/// The values of a metric: times and what was counted since the value before.
struct Counter<'f> {
    metric: MetricMember,
    last: f64,
    values: Column<'f>,
}

impl Thread<'_> {
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

    fn marker(&mut self, name: &str, kind: Kind, span: (u64, u64), data: &serde_json::Value) {
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
                self.marker(TRANSFER, Kind::Transfer, (start, time), &data);
            }
            _ => {}
        }
    }
}

/// Returns a number or text as JSON.
fn json_of(value: &Value) -> serde_json::Value {
    match value {
        Value::Integer(number) => json!(number),
        Value::Unsigned(number) => json!(number),
        Value::Double(number) => json!(number),
        Value::Text(text) => json!(text),
    }
}

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
    rows: &mut Rows,
    pieces: &mut Pieces<'_>,
    section: Section,
    mut cell: impl FnMut(&mut Vec<u8>, &mut kymo_analysis::spill::Row<'_>),
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
fn marker_row(row: &mut kymo_analysis::spill::Row<'_>) -> ([u64; 3], Vec<u8>) {
    let [name, start, end, length] = [(); 4].map(|()| row.number());
    ([name, start, end], (0..length).map(|_| row.number() as u8).collect())
}

impl Thread<'_> {
    fn write_samples(&mut self, pieces: &mut Pieces<'_>) -> Result<(), Error> {
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

    fn write_markers(&mut self, pieces: &mut Pieces<'_>) -> Result<(), Error> {
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
    fn write_tables(&self, pieces: &mut Pieces<'_>) {
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

    fn write_counters(&mut self, pieces: &mut Pieces<'_>) -> Result<(), Error> {
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

impl Track for Thread<'_> {
    fn begin(&mut self, _out: &mut Vec<u8>, time: u64, region: RegionRef) {
        let parent = self.open.last().copied().unwrap_or(ContextId::ROOT);
        match self.contexts.child(parent, self.format.trace.same_region(region)) {
            Ok(context) => self.open.push(context),
            Err(error) => {
                self.open.push(parent);
                self.note(Err(error));
            }
        }
        self.change(time);
    }

    fn end(&mut self, _out: &mut Vec<u8>, time: u64, _region: RegionRef) {
        self.open.pop();
        self.change(time);
    }

    fn instant(&mut self, _out: &mut Vec<u8>, time: u64, instant: &Instant<'_>) {
        let kind = Kind::of(instant);
        let mut data = serde_json::Map::new();
        for (name, value) in &instant.arguments {
            data.insert((*name).to_owned(), json_of(value));
        }
        match kind {
            Kind::Transfer => self.transfer(time, instant),
            Kind::Message => {
                // The name ends with the rank.
                let (name, rank) = instant.name.rsplit_once(' ').unwrap_or((&instant.name, ""));
                data.insert("rank".to_owned(), rank.parse::<u64>().ok().into());
                self.marker(name, kind, (time, time), &data.into());
            }
            Kind::Collective => {
                let start = data.remove("begin_ns").and_then(|start| start.as_u64()).unwrap_or(time);
                self.marker(&instant.name, kind, (start.min(time), time), &data.into());
            }
            Kind::Event => {
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
