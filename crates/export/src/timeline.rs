//! The events of a location as begins, ends, instants and counters.

use crate::track::{self, Flow, Instant, Pieces, Section, Track, Value};
use kymo_analysis::calls::{Call, Inside, Task, Visitor};
use kymo_analysis::communication::{CollectivePart, Direction, Flows, MessageEnd, Operation, Operations};
use kymo_analysis::{ContextId, Error, Trace};
use kymo_otf2::enums::Type;
use kymo_otf2::events::{Event, Metric};
use kymo_otf2::references::*;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::mem;

/// The deepest call that viewers show.
const DEEPEST: usize = 512;

/// Passes the events of a location to a track.
pub(crate) struct Timeline<'t> {
    trace: &'t Trace,
    track: Box<dyn Track + 't>,
    pieces: Pieces<'t>,
    operations: Operations<'t>,
    flows: Flows,
    /// The open calls that the track contains: those of the implicit task, then those of the
    /// running one.
    open: Vec<RegionRef>,
    /// The number of calls of the implicit task in `open`.
    implicit: usize,
    /// The calls of tasks that are suspended.
    suspended: HashMap<Task, Vec<RegionRef>>,
    has_started: bool,
    /// The start of the selected time.
    from: u64,
    /// The time of the last event.
    last: u64,
    /// The open calls that are left out.
    too_deep: u64,
    /// The number of calls deeper than viewers show.
    deep: u64,
    /// The number of calls without an enter, and whether the next call is one.
    enclosing: u64,
    is_enclosing: bool,
}

impl<'t> Timeline<'t> {
    pub(crate) fn new(
        trace: &'t Trace,
        location: LocationRef,
        from: u64,
        track: Box<dyn Track + 't>,
        pieces: Pieces<'t>,
    ) -> Self {
        Self {
            trace,
            track,
            pieces,
            operations: Operations::new(trace, location),
            flows: Flows::default(),
            open: Vec::new(),
            implicit: 0,
            suspended: HashMap::new(),
            has_started: false,
            from,
            last: 0,
            too_deep: 0,
            deep: 0,
            enclosing: 0,
            is_enclosing: false,
        }
    }

    /// Completes the track. Returns the numbers of things that were left out.
    pub(crate) fn finish(mut self) -> Result<BTreeMap<Cow<'static, str>, u64>, Error> {
        self.track.finish(&mut self.pieces, self.last)?;
        self.pieces.finish();
        let counts = [
            ("calls deeper than 512 were left out", self.deep),
            ("calls without a start were left out", self.enclosing),
        ];
        Ok(counts.into_iter().filter(|it| it.1 > 0).map(|(what, count)| (what.into(), count)).collect())
    }

    /// Returns a time that is not before the last one.
    fn at(&mut self, time: u64) -> u64 {
        self.last = self.last.max(time);
        self.last
    }

    fn begin(&mut self, time: u64, region: RegionRef) {
        if self.open.len() >= DEEPEST {
            self.too_deep += 1;
            self.deep += 1;
            return;
        }
        self.open.push(region);
        if self.has_started {
            let time = self.at(time);
            self.track.begin(self.pieces.of(Section::Track), time, region);
        }
    }

    fn end(&mut self, time: u64) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let Some(region) = self.open.pop() else { return };
        if self.has_started {
            let time = self.at(time);
            self.track.end(self.pieces.of(Section::Track), time, region);
        }
    }

    fn instant(&mut self, time: u64, name: impl Into<String>, arguments: Vec<(&'static str, Value)>) {
        let name: String = name.into();
        self.pass(time, &Instant { name: name.into(), arguments, flow: None });
    }

    fn pass(&mut self, time: u64, instant: &Instant<'_>) {
        let time = self.at(time);
        self.track.instant(self.pieces.of(Section::Track), time, instant);
    }

    fn message(&mut self, time: u64, end: &MessageEnd) {
        let number = self.flows.number(end);
        let (name, rank, direction) = match end.direction {
            Direction::Send => ("send to rank", end.channel.receiver.rank, track::Direction::Out),
            Direction::Receive => ("receive from rank", end.channel.sender.rank, track::Direction::In),
        };
        let communicator = self.trace.communicator_name(end.channel.communicator).into_owned();
        let arguments = vec![
            ("bytes", Value::Unsigned(end.length)),
            ("tag", Value::Unsigned(end.channel.tag.into())),
            ("communicator", Value::Text(communicator)),
        ];
        let name = format!("{name} {rank}").into();
        self.pass(time, &Instant { name, arguments, flow: Some(Flow { number, direction }) });
    }

    fn collective(&mut self, time: u64, part: &CollectivePart) {
        let arguments = vec![
            ("bytes_sent", Value::Unsigned(part.sent)),
            ("bytes_received", Value::Unsigned(part.received)),
            ("begin_ns", Value::Unsigned(part.start)),
        ];
        self.instant(time, part.operation.to_string(), arguments);
    }

    fn metric(&mut self, time: u64, event: &Metric<'_>) {
        let time = self.at(time);
        let members = self.trace.metric_members(event.metric);
        for (member, value) in members.iter().zip(event.metric_values.iter()) {
            let Some(metric) = self.trace.metric(*member) else { continue };
            let value = match value.type_ {
                Type::DOUBLE => Value::Double(f64::from_bits(value.bits)),
                Type::INT64 => Value::Integer(value.bits as i64),
                _ => Value::Unsigned(value.bits),
            };
            self.track.counter(self.pieces.of(Section::Track), time, metric, value);
        }
    }

    /// Passes an event that is an instant of its own: its name with its fields.
    fn other(&mut self, time: u64, event: &Event<'_>) {
        use kymo_otf2::records::AnyRecord;
        match event {
            Event::Metric(it) => self.metric(time, it),
            // Parts of calls, messages and collective operations.
            Event::CallingContextEnter(_)
            | Event::CallingContextLeave(_)
            | Event::CallingContextSample(_)
            | Event::MpiSend(_)
            | Event::MpiIsend(_)
            | Event::MpiRecv(_)
            | Event::MpiIrecv(_)
            | Event::MpiIsendComplete(_)
            | Event::MpiIrecvRequest(_)
            | Event::MpiMrecv(_)
            | Event::MpiImrecvRequest(_)
            | Event::MpiImrecv(_)
            | Event::MpiRequestTest(_)
            | Event::MpiCollectiveBegin(_)
            | Event::RmaCollectiveBegin(_)
            | Event::NonBlockingCollectiveRequest(_) => {}
            _ => self.instant(time, event.name(), fields(event)),
        }
    }
}

/// Returns the numbers of an event by the names of its fields.
fn fields(event: &Event<'_>) -> Vec<(&'static str, Value)> {
    use kymo_otf2::field::FieldValue;
    use kymo_otf2::records::AnyRecord;
    let mut fields = Vec::new();
    event.visit(&mut |info, value| {
        let value = match value {
            FieldValue::Unsigned(number) => Value::Unsigned(number),
            FieldValue::Signed(number) => Value::Integer(number),
            _ => return,
        };
        let name = info.names.split(' ').next().unwrap_or_default();
        fields.push((name, value));
    });
    fields
}

impl Visitor for Timeline<'_> {
    type Mark = ();

    #[inline]
    fn enter(&mut self, _context: ContextId, region: RegionRef, time: u64, _is_sampled: bool) {
        if mem::take(&mut self.is_enclosing) {
            self.enclosing += 1;
            self.too_deep += 1;
            return;
        }
        self.begin(time, region);
    }

    #[inline]
    fn leave(&mut self, call: &Call, (): (), (): &mut ()) {
        self.end(call.end);
    }

    fn forget(&mut self, (): (), (): &mut ()) {
        self.end(0);
    }

    fn start(&mut self) {
        self.has_started = true;
        let from = self.at(self.from);
        for region in self.open.clone() {
            self.track.begin(self.pieces.of(Section::Track), from, region);
        }
    }

    fn switch(&mut self, time: u64, from: Option<Task>, to: Option<Task>, (): &mut ()) {
        match from {
            None => self.implicit = self.open.len(),
            Some(task) => {
                let calls = self.open.split_off(self.implicit.min(self.open.len()));
                if self.has_started {
                    let time = self.at(time);
                    calls
                        .iter()
                        .rev()
                        .for_each(|region| self.track.end(self.pieces.of(Section::Track), time, *region));
                }
                self.suspended.insert(task, calls);
            }
        }
        if let Some(calls) = to.and_then(|task| self.suspended.remove(&task)) {
            if self.has_started {
                let time = self.at(time);
                calls
                    .iter()
                    .for_each(|region| self.track.begin(self.pieces.of(Section::Track), time, *region));
            }
            self.open.extend(calls);
        }
    }

    fn event(&mut self, time: u64, event: &Event<'_>, _inside: Inside<'_, ()>) {
        let operation = self.operations.event(time, time, event);
        if !self.has_started {
            return;
        }
        match operation {
            Some(Operation::Message(end)) => self.message(time, &end),
            Some(Operation::Collective(part)) => self.collective(time, &part),
            Some(
                Operation::Cancelled { .. }
                | Operation::Posted { .. }
                | Operation::Sent { .. }
                | Operation::Thread(_)
                | Operation::OneSided(_)
                | Operation::File(_),
            )
            | None => self.other(time, event),
        }
    }

    fn enclose(&mut self, _ids: &[ContextId]) {
        self.is_enclosing = true;
    }
}
