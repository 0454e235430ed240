//! The events of a location as rows.

use crate::calls::{CallRows, Row};
use crate::dataset::{self, Value};
use crate::error::Error;
use crate::fields;
use crate::names::{Names, kind};
use crate::sink::Rows;
use kymo_analysis::calls::{Call, Inside, Visitor};
use kymo_analysis::communication::{CollectivePart, Operation, Operations, Scope};
use kymo_analysis::spill::{SpilledRows, Stream};
use kymo_analysis::waits::{CallOperations, CommunicationFacts, EnclosingCall};
use kymo_analysis::{CommunicationFunctions, ContextId, Trace};
use kymo_otf2::enums::IoOperationMode;
use kymo_otf2::events::{Event, Metric};
use kymo_otf2::flags::IoStatusFlag;
use kymo_otf2::records::AnyRecord;
use kymo_otf2::references::*;
use std::collections::HashMap;

/// Collects the rows of a location.
pub(crate) struct Collecting<'t, 'f, 'r> {
    trace: &'t Trace,
    names: &'t Names,
    location: LocationRef,
    rows: &'r mut Rows<'f>,
    pub(crate) calls: CallRows,
    marks: Marks,
    /// The marks of calls before the selected time that are open.
    open: Vec<u64>,
    has_started: bool,
    operations: Operations<'t>,
    call_operations: CallOperations<'t>,
    /// When the selected time begins.
    from: u64,
    waiting: OperationRows<'t>,
    io: HashMap<(IoHandleRef, u64), Begun>,
    offsets: HashMap<IoHandleRef, u64>,
    wants_events: bool,
    /// Whether the fields of events are wanted, which take longer than all other columns.
    wants_fields: bool,
    /// Whether a table is wanted to which [`other`](Self::other) adds rows.
    wants_others: bool,
    pub(crate) failure: Option<Error>,
}

/// The tables whose rows are single events.
const OTHERS: [&dataset::Dataset; 7] = [
    &dataset::METRICS,
    &dataset::THREADS,
    &dataset::TASKS,
    &dataset::LOCKS,
    &dataset::RMA,
    &dataset::PARAMETERS,
    &dataset::SAMPLES,
];

/// The marks of calls: their numbers, from 1 on; 0 is outside all calls.
#[derive(Debug, Default)]
struct Marks {
    /// The calls that are open when the selected time begins.
    survivors: Vec<u64>,
    /// The number of calls before the selected time.
    before: u64,
}

impl Marks {
    /// Returns the row of a mark.
    fn row_of(&self, mark: u64) -> Option<u64> {
        let number = mark.checked_sub(1)?;
        match number.checked_sub(self.before) {
            Some(number) => Some(number + self.survivors.len() as u64),
            None => self.survivors.binary_search(&mark).ok().map(|place| place as u64),
        }
    }

    /// Returns a call whose number is that of its row plus 1; 0 outside all calls.
    fn with_row(&self, call: EnclosingCall) -> EnclosingCall {
        EnclosingCall { call: self.row_of(call.call).map_or(0, |row| row + 1), ..call }
    }
}

/// The operations that wait for other locations, as rows.
#[derive(Debug)]
struct OperationRows<'t> {
    stream: Stream<'t>,
    failure: Option<kymo_analysis::Error>,
}

impl OperationRows<'_> {
    fn push(&mut self, time: u64, operation: &Operation, call: EnclosingCall) {
        if let Err(error) = self.stream.push(call.to_row(time, operation)) {
            self.failure.get_or_insert(error);
        }
    }
}

/// An operation of input or output in progress.
#[derive(Debug, Clone, Copy)]
struct Begun {
    time: u64,
    mode: IoOperationMode,
    bytes: u64,
}

/// Returns the value, or nothing for OTF2's undefined number of 32 bits.
fn defined(number: u32) -> Value {
    if number == u32::MAX { Value::None } else { number.into() }
}

/// Converts a time or a duration, which are less than 2⁶³ ns = 292 years.
fn time(nanoseconds: u64) -> Value {
    Value::Integer(i64::try_from(nanoseconds).unwrap_or(i64::MAX))
}

/// Converts a number of bytes or an id, which may use all bits.
fn bits(number: u64) -> Value {
    Value::Integer(number as i64)
}

impl<'t, 'f, 'r> Collecting<'t, 'f, 'r> {
    pub(crate) fn new(
        trace: &'t Trace,
        functions: &'t CommunicationFunctions,
        names: &'t Names,
        location: LocationRef,
        rows: &'r mut Rows<'f>,
        calls: CallRows,
        stream: Stream<'t>,
    ) -> Self {
        Self {
            trace,
            names,
            location,
            wants_events: rows.wants(&dataset::EVENTS),
            wants_fields: rows.wants_column(&dataset::EVENTS, "fields"),
            wants_others: OTHERS.iter().any(|dataset| rows.wants(dataset)),
            rows,
            calls,
            marks: Marks::default(),
            open: Vec::new(),
            has_started: false,
            operations: Operations::new(trace, location),
            call_operations: CallOperations::new(functions),
            from: 0,
            waiting: OperationRows { stream, failure: None },
            io: HashMap::new(),
            offsets: HashMap::new(),
            failure: None,
        }
    }

    /// Begins the selected time at `from`.
    pub(crate) fn since(self, from: u64) -> Self {
        Self { from, ..self }
    }

    /// Returns the calls, the operations that wait for other locations, and why rows are missing.
    pub(crate) fn into_parts(mut self) -> (CallRows, Result<(SpilledRows, CommunicationFacts), Error>) {
        let Self { call_operations, marks, waiting, .. } = &mut self;
        let facts = call_operations
            .finish(|time, operation, call| waiting.push(time, operation, marks.with_row(call)));
        let facts = CommunicationFacts { finalize: facts.finalize.map(|call| marks.with_row(call)), ..facts };
        let failure = self.failure.or(self.waiting.failure.map(Error::from));
        let rows = match failure {
            Some(failure) => Err(failure),
            None => self.waiting.stream.finish().map_err(Error::from),
        };
        (self.calls, rows.map(|rows| (rows, facts)))
    }

    fn push<const N: usize>(&mut self, dataset: &'static dataset::Dataset, row: [Value; N]) {
        if let Err(error) = self.rows.push(dataset, row) {
            self.failure.get_or_insert(error);
        }
    }

    fn here(&self) -> Value {
        bits(self.location.0)
    }

    fn operation(&mut self, now: u64, operation: Operation, inside: &Inside<'_, u64>) {
        if let Operation::Collective(part) = &operation {
            self.collective(now, part);
        }
        let Self { call_operations, marks, waiting, .. } = self;
        call_operations.operation(now, now, operation, inside, |time, operation, call| {
            waiting.push(time, operation, marks.with_row(call));
        });
    }

    fn collective(&mut self, now: u64, part: &CollectivePart) {
        let communicator = match part.scope {
            Scope::Communicator(id) => self.names.communicator(id),
            Scope::Window(id) => self.names.window(id),
        };
        // The special values of the root are larger than any rank.
        let root = i32::try_from(part.root).ok().map(i64::from);
        let row = [
            self.here(),
            time(part.start),
            time(now.saturating_sub(part.start)),
            self.names.collective(part.operation),
            communicator,
            root.into(),
            bits(part.sent),
            bits(part.received),
            part.instance.map(|it| it.key() >> 1).into(),
        ];
        self.push(&dataset::COLLECTIVES, row);
    }

    fn metric(&mut self, now: u64, event: &Metric<'_>) {
        use kymo_otf2::enums::Type;
        let members = self.trace.metric_members(event.metric);
        for (member, value) in members.iter().zip(event.metric_values.iter()) {
            let (integer, double) = match value.type_ {
                Type::DOUBLE => (Value::None, Value::Double(f64::from_bits(value.bits))),
                Type::INT64 => (Value::Integer(value.bits as i64), Value::None),
                _ => match i64::try_from(value.bits) {
                    Ok(number) => (Value::Integer(number), Value::None),
                    Err(_) => (Value::None, Value::Double(value.bits as f64)),
                },
            };
            let row = [self.here(), time(now), self.names.metric(*member), integer, double];
            self.push(&dataset::METRICS, row);
        }
    }

    fn input_output(&mut self, now: u64, event: &Event<'_>) {
        match event {
            Event::IoCreateHandle(it) => {
                // Where a file ends to which is appended is not recorded.
                match it.status_flags.contains(IoStatusFlag::APPEND) {
                    true => drop(self.offsets.remove(&it.handle)),
                    false => drop(self.offsets.insert(it.handle, 0)),
                }
            }
            Event::IoDestroyHandle(it) => drop(self.offsets.remove(&it.handle)),
            Event::IoSeek(it) => drop(self.offsets.insert(it.handle, it.offset_result)),
            Event::IoOperationBegin(it) => {
                let begun = Begun { time: now, mode: it.mode, bytes: it.bytes_request };
                self.io.insert((it.handle, it.matching_id), begun);
            }
            Event::IoOperationCancelled(it) => drop(self.io.remove(&(it.handle, it.matching_id))),
            Event::IoOperationComplete(it) => {
                let begun = self.io.remove(&(it.handle, it.matching_id));
                if let Some(begun) = begun.filter(|_| self.has_started) {
                    self.transfer(now, it.handle, begun, it.bytes_result);
                }
            }
            _ => {}
        }
    }

    fn transfer(&mut self, now: u64, handle: IoHandleRef, begun: Begun, done: u64) {
        let offset = self.offsets.get(&handle).copied();
        if let Some(offset) = self.offsets.get_mut(&handle).filter(|_| done != u64::MAX) {
            *offset = offset.saturating_add(done);
        }
        let operation = match begun.mode {
            IoOperationMode::READ => kind("read"),
            IoOperationMode::WRITE => kind("write"),
            _ => kind("flush"),
        };
        let file = self.trace.io_handle(handle).map_or(IoFileRef::UNDEFINED, |it| it.file);
        let row = [
            self.here(),
            time(begun.time),
            time(now.saturating_sub(begun.time)),
            operation,
            handle.0.into(),
            self.names.file(file),
            begun.bytes.into(),
            done.into(),
            offset.into(),
        ];
        self.push(&dataset::IO, row);
    }

    fn thread(&mut self, now: u64, name: &str, team: CommRef, threads: Option<u32>, sequence: Option<u64>) {
        let team = self.names.communicator(team);
        let row = [self.here(), time(now), kind(name), team, threads.into(), sequence.into()];
        self.push(&dataset::THREADS, row);
    }

    fn task(&mut self, now: u64, name: &str, team: CommRef, creator: Option<u32>, task: u64) {
        let team = self.names.communicator(team);
        let row = [self.here(), time(now), kind(name), team, creator.into(), bits(task)];
        self.push(&dataset::TASKS, row);
    }

    fn lock(&mut self, now: u64, name: &str, lock: u64, order: Option<u32>) {
        let row = [self.here(), time(now), kind(name), bits(lock), order.into()];
        self.push(&dataset::LOCKS, row);
    }

    fn rma(&mut self, now: u64, name: &str, window: RmaWinRef, remote: Value, numbers: [Option<u64>; 3]) {
        let [sent, received, matching] = numbers.map(Value::from);
        let window = self.names.window(window);
        self.push(
            &dataset::RMA,
            [self.here(), time(now), kind(name), window, remote, sent, received, matching],
        );
    }

    fn parameter(&mut self, now: u64, id: ParameterRef, number: Value, text: Value) {
        let row = [self.here(), time(now), self.names.parameter(id), number, text];
        self.push(&dataset::PARAMETERS, row);
    }

    /// Adds the row of an event to the table of all events.
    fn event_row(&mut self, now: u64, event: &Event<'_>) {
        let region = match event {
            Event::Enter(it) => Some(it.region),
            Event::Leave(it) => Some(it.region),
            Event::CallingContextEnter(it) => self.region_of(it.calling_context),
            Event::CallingContextLeave(it) => self.region_of(it.calling_context),
            Event::CallingContextSample(it) => self.region_of(it.calling_context),
            _ => None,
        };
        let region = region.map_or(Value::None, |region| self.names.region(region));
        let fields = match event {
            Event::Enter(_) | Event::Leave(_) => Value::None,
            _ if !self.wants_fields => Value::None,
            _ => Value::Text(fields::json(event)),
        };
        let row = [self.here(), time(now), Value::Name(event.id().into()), region, fields];
        self.push(&dataset::EVENTS, row);
    }

    fn region_of(&self, id: CallingContextRef) -> Option<RegionRef> {
        self.trace.calling_context(id).map(|it| it.region)
    }

    /// Adds the row of an event that is a row of its own.
    fn other(&mut self, now: u64, event: &Event<'_>) {
        let none = CommRef::UNDEFINED;
        match event {
            Event::Metric(it) => self.metric(now, it),
            Event::OmpFork(it) => {
                self.thread(now, "fork", none, Some(it.number_of_requested_threads), None);
            }
            Event::ThreadFork(it) => {
                self.thread(now, "fork", none, Some(it.number_of_requested_threads), None);
            }
            Event::OmpJoin(_) | Event::ThreadJoin(_) => self.thread(now, "join", none, None, None),
            Event::ThreadTeamBegin(it) => self.thread(now, "team begin", it.thread_team, None, None),
            Event::ThreadTeamEnd(it) => self.thread(now, "team end", it.thread_team, None, None),
            Event::ThreadCreate(it) => {
                self.thread(now, "create", it.thread_contingent, None, Some(it.sequence_count));
            }
            Event::ThreadBegin(it) => {
                self.thread(now, "begin", it.thread_contingent, None, Some(it.sequence_count));
            }
            Event::ThreadWait(it) => {
                self.thread(now, "wait", it.thread_contingent, None, Some(it.sequence_count));
            }
            Event::ThreadEnd(it) => {
                self.thread(now, "end", it.thread_contingent, None, Some(it.sequence_count));
            }
            Event::OmpTaskCreate(it) => self.task(now, "create", none, None, it.task_id),
            Event::OmpTaskSwitch(it) => self.task(now, "switch", none, None, it.task_id),
            Event::OmpTaskComplete(it) => self.task(now, "complete", none, None, it.task_id),
            Event::ThreadTaskCreate(it) => {
                let task = it.generation_number.into();
                self.task(now, "create", it.thread_team, Some(it.creating_thread), task);
            }
            Event::ThreadTaskSwitch(it) => {
                let task = it.generation_number.into();
                self.task(now, "switch", it.thread_team, Some(it.creating_thread), task);
            }
            Event::ThreadTaskComplete(it) => {
                let task = it.generation_number.into();
                self.task(now, "complete", it.thread_team, Some(it.creating_thread), task);
            }
            Event::OmpAcquireLock(it) => {
                self.lock(now, "acquire", it.lock_id.into(), Some(it.acquisition_order));
            }
            Event::OmpReleaseLock(it) => {
                self.lock(now, "release", it.lock_id.into(), Some(it.acquisition_order));
            }
            Event::ThreadAcquireLock(it) => {
                self.lock(now, "acquire", it.lock_id.into(), Some(it.acquisition_order));
            }
            Event::ThreadReleaseLock(it) => {
                self.lock(now, "release", it.lock_id.into(), Some(it.acquisition_order));
            }
            Event::ParameterInt(it) => self.parameter(now, it.parameter, it.value.into(), Value::None),
            Event::ParameterUnsignedInt(it) => {
                self.parameter(now, it.parameter, it.value.into(), Value::None);
            }
            Event::ParameterString(it) => {
                let text = self.trace.string(it.string).map_or(Value::None, Value::from);
                self.parameter(now, it.parameter, Value::None, text);
            }
            Event::CallingContextSample(it) => self.sample(now, it),
            _ => self.one_sided(now, event),
        }
    }

    fn sample(&mut self, now: u64, it: &kymo_otf2::events::CallingContextSample) {
        let region = self.region_of(it.calling_context);
        let row = [
            self.here(),
            time(now),
            region.map_or(Value::None, |region| self.names.region(region)),
            it.calling_context.0.into(),
            defined(it.unwind_distance),
            it.interrupt_generator.0.into(),
        ];
        self.push(&dataset::SAMPLES, row);
    }

    fn one_sided(&mut self, now: u64, event: &Event<'_>) {
        let none = Value::None;
        match event {
            Event::RmaPut(it) => {
                self.rma(now, "put", it.win, it.remote.into(), [Some(it.bytes), None, Some(it.matching_id)]);
            }
            Event::RmaGet(it) => {
                self.rma(now, "get", it.win, it.remote.into(), [None, Some(it.bytes), Some(it.matching_id)]);
            }
            Event::RmaAtomic(it) => {
                let numbers = [it.bytes_sent, it.bytes_received, it.matching_id].map(Some);
                self.rma(now, "atomic", it.win, it.remote.into(), numbers);
            }
            Event::RmaOpCompleteBlocking(it) => {
                self.rma(now, "complete blocking", it.win, none, [None, None, Some(it.matching_id)]);
            }
            Event::RmaOpCompleteNonBlocking(it) => {
                self.rma(now, "complete non-blocking", it.win, none, [None, None, Some(it.matching_id)]);
            }
            Event::RmaOpCompleteRemote(it) => {
                self.rma(now, "complete remote", it.win, none, [None, None, Some(it.matching_id)]);
            }
            Event::RmaOpTest(it) => self.rma(now, "test", it.win, none, [None, None, Some(it.matching_id)]),
            Event::RmaGroupSync(it) => self.rma(now, "group sync", it.win, none, [None; 3]),
            Event::RmaSync(it) => self.rma(now, "sync", it.win, it.remote.into(), [None; 3]),
            Event::RmaWaitChange(it) => self.rma(now, "wait change", it.win, none, [None; 3]),
            Event::RmaRequestLock(it) => {
                self.rma(now, "request lock", it.win, it.remote.into(), [None, None, Some(it.lock_id)]);
            }
            Event::RmaAcquireLock(it) => {
                self.rma(now, "acquire lock", it.win, it.remote.into(), [None, None, Some(it.lock_id)]);
            }
            Event::RmaTryLock(it) => {
                self.rma(now, "try lock", it.win, it.remote.into(), [None, None, Some(it.lock_id)]);
            }
            Event::RmaReleaseLock(it) => {
                self.rma(now, "release lock", it.win, it.remote.into(), [None, None, Some(it.lock_id)]);
            }
            Event::RmaWinCreate(it) => self.rma(now, "window create", it.win, none, [None; 3]),
            Event::RmaWinDestroy(it) => self.rma(now, "window destroy", it.win, none, [None; 3]),
            _ => {}
        }
    }
}

impl Visitor for Collecting<'_, '_, '_> {
    /// The number of the call plus 1; 0 outside all calls and for calls that only samples have
    /// seen.
    type Mark = u64;

    #[inline]
    fn enter(&mut self, _context: ContextId, region: RegionRef, time: u64, is_sampled: bool) -> u64 {
        if is_sampled {
            return 0;
        }
        let mark = if self.has_started {
            self.calls.push() - self.marks.survivors.len() as u64 + self.marks.before + 1
        } else {
            self.marks.before += 1;
            self.open.push(self.marks.before);
            self.marks.before
        };
        let Self { call_operations, marks, waiting, has_started, .. } = self;
        call_operations.enter(mark, region, time, *has_started, |time, operation, call| {
            waiting.push(time, operation, marks.with_row(call));
        });
        mark
    }

    #[inline]
    fn leave(&mut self, call: &Call, mark: u64, outer: &mut u64) {
        let Self { call_operations, marks, waiting, .. } = self;
        call_operations.leave(call, mark, *outer, |time, operation, call| {
            waiting.push(time, operation, marks.with_row(call));
        });
        let Some(number) = self.marks.row_of(mark) else { return };
        let row = Row {
            time: call.start,
            duration: call.duration,
            exclusive: call.exclusive,
            parent: self.marks.row_of(*outer).map_or(0, |row| row + 1),
            context: call.context.0,
            epoch: self.calls.epoch(),
            depth: call.depth as u32,
        };
        self.calls.complete(number, row);
    }

    fn forget(&mut self, mark: u64, _outer: &mut u64) {
        // Calls end in the reverse order, except those of other tasks.
        if let Some(place) = self.open.iter().rposition(|it| *it == mark) {
            self.open.remove(place);
        }
        self.call_operations.forget(mark);
    }

    fn start(&mut self) {
        self.has_started = true;
        self.marks.survivors = std::mem::take(&mut self.open);
        for _ in &self.marks.survivors {
            self.calls.push();
        }
        let Self { call_operations, marks, waiting, from, .. } = self;
        call_operations.start(*from, |time, operation, call| {
            waiting.push(time, operation, marks.with_row(call));
        });
    }

    #[inline]
    fn record(&mut self, now: u64, event: &Event<'_>) {
        if self.wants_events {
            self.event_row(now, event);
        }
    }

    fn event(&mut self, now: u64, event: &Event<'_>, inside: Inside<'_, u64>) {
        let began = self.call_operations.began(now, &inside);
        let operation = self.operations.event(now, began, event);
        self.input_output(now, event);
        if !self.has_started {
            // Later receives, or the end of an epoch, may belong to it.
            if let Some(operation) = operation.filter(Operation::concerns_later) {
                self.waiting.push(now, &operation, EnclosingCall::unselected(inside.region, now));
            }
            return;
        }
        // Messages and collective operations have tables of their own.
        let has_table = matches!(operation, Some(Operation::Message(_) | Operation::Collective(_)));
        if !has_table && self.wants_others {
            self.other(now, event);
        }
        if let Some(operation) = operation {
            self.operation(now, operation, &inside);
        }
    }

    fn enclose(&mut self, ids: &[ContextId]) {
        if self.has_started {
            self.calls.enclose(ids);
        }
    }
}
