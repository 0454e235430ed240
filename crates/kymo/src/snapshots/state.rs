//! The records that are active at a time: regions that were entered and not left, messages that
//! were sent and not received, the last values of metrics, and so on.
//!
//! A record is identified by the number of its event in the order of time, so that the records of a
//! location are written in that order. Events of OpenMP in the general records count as those of
//! the older records, and calling contexts as their regions, as in libotf2.

use std::collections::{BTreeMap, HashMap};

use kymo_otf2::attributes::Attribute;
use kymo_otf2::enums::{MetricMode, Paradigm, Type};
use kymo_otf2::events::Event;
use kymo_otf2::read::TimedRecord;
use kymo_otf2::references::{MetricRef, RegionRef};
use kymo_otf2::snapshots::{self as snap, Snapshot};
use kymo_otf2::value::{MetricValue, Timestamp};

use super::collectives::Collectives;
use super::messages::Messages;
use crate::check::definitions::DefinitionIndex;

/// The most records of a location that wait for other locations, and the most of all other kinds.
const MOST: usize = 1 << 16;
/// The bits of a metric's mode that state how values relate to each other.
const VALUE_BITS: u8 = 0x0F;

/// The number of an event in the order of time.
pub(super) type Order = u64;

/// A record of a location, by its place among the locations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) location: usize,
    pub(super) order: Order,
}

/// Something that is active.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) time: u64,
    pub(super) attributes: Vec<Attribute>,
    pub(super) content: HeldContent,
}

/// The content of a record.
#[derive(Debug)]
pub(super) enum HeldContent {
    Record(Snapshot<'static>),
    Metric(MetricRef, Vec<MetricValue>),
}

/// The state of all locations.
pub(super) struct SnapshotState<'d> {
    definitions: &'d DefinitionIndex<'d>,
    /// The ids of the locations.
    ids: &'d [u64],
    locations: Vec<Location>,
    messages: Messages<'d>,
    collectives: Collectives<'d>,
    /// The records of tasks, which may be completed elsewhere.
    tasks: HashMap<u64, Key>,
    order: Order,
    left_out: u64,
}

/// The state of a location.
#[derive(Debug, Default)]
struct Location {
    /// The records that end on this location.
    own: BTreeMap<Order, Held>,
    /// The records that wait for other locations.
    waiting: BTreeMap<Order, Held>,
    /// The open calls, preceded by one for the records outside of all calls.
    calls: Vec<Call>,
    outside: Call,
    /// The number of open calls that are too deep to be kept.
    deeper: u64,
    measurement: Option<Order>,
    forks: Vec<Option<Order>>,
    locks: Vec<(u32, Order)>,
    switches: HashMap<u64, Order>,
    metrics: HashMap<u32, Order>,
    /// Collective operations that have begun here.
    begun: Vec<Order>,
}

/// A call, and the last value of each parameter in it.
#[derive(Debug, Default)]
struct Call {
    order: Option<Order>,
    parameters: Vec<(u32, Order)>,
}

impl<'d> SnapshotState<'d> {
    /// Creates the state before the first event. `ids` are the ids of the locations, sorted.
    pub(super) fn new(definitions: &'d DefinitionIndex<'d>, ids: &'d [u64]) -> Self {
        Self {
            definitions,
            ids,
            locations: ids.iter().map(|_| Location::default()).collect(),
            messages: Messages::new(definitions),
            collectives: Collectives::new(definitions, ids),
            tasks: HashMap::new(),
            order: 0,
            left_out: 0,
        }
    }

    /// Returns the active records of a location, in the order of time.
    pub(super) fn active(&self, location: usize) -> Vec<&Held> {
        let Some(location) = self.locations.get(location) else { return Vec::new() };
        let mut all: Vec<_> = location.own.iter().chain(&location.waiting).collect();
        all.sort_unstable_by_key(|&(order, _)| order);
        all.into_iter().map(|(_, held)| held).collect()
    }

    /// Returns the number of records that exceeded the limits.
    pub(super) fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Takes the next event in the order of time.
    pub(super) fn event(&mut self, location: usize, event: &TimedRecord<'_, Event<'_>>) {
        self.order += 1;
        if location >= self.locations.len() {
            return;
        }
        let time = Timestamp(event.time);
        match &event.record {
            Event::Enter(it) => self.enter(location, event, Some(it.region)),
            Event::CallingContextEnter(it) => {
                let context = self.definitions.contexts.get(&it.calling_context.0);
                self.enter(location, event, context.map(|it| it.region));
            }
            Event::Leave(_) | Event::CallingContextLeave(_) => self.leave(location),
            Event::MeasurementOnOff(it) => {
                let record =
                    snap::MeasurementOnOff { orig_event_time: time, measurement_mode: it.measurement_mode };
                let new = self.hold(location, event, HeldContent::Record(record.into()));
                let old = std::mem::replace(&mut self.locations[location].measurement, new);
                self.drop_own(location, old);
            }
            Event::ParameterString(it) => {
                let record = snap::ParameterString {
                    orig_event_time: time,
                    parameter: it.parameter,
                    string: it.string,
                };
                self.parameter(location, event, it.parameter.0, record.into());
            }
            Event::ParameterInt(it) => {
                let record =
                    snap::ParameterInt { orig_event_time: time, parameter: it.parameter, value: it.value };
                self.parameter(location, event, it.parameter.0, record.into());
            }
            Event::ParameterUnsignedInt(it) => {
                let record = snap::ParameterUnsignedInt {
                    orig_event_time: time,
                    parameter: it.parameter,
                    value: it.value,
                };
                self.parameter(location, event, it.parameter.0, record.into());
            }
            Event::Metric(it) => self.metric(location, event, it.metric, it.metric_values.iter().collect()),
            _ => self.threads(location, event),
        }
    }

    /// Takes the begin of a call. That of an unknown calling context has no record.
    fn enter(&mut self, location: usize, event: &TimedRecord<'_, Event<'_>>, region: Option<RegionRef>) {
        let here = &mut self.locations[location];
        if here.calls.len() >= MOST {
            here.deeper += 1;
            self.left_out += 1;
            return;
        }
        let order = region.and_then(|region| {
            let record = snap::Enter { orig_event_time: Timestamp(event.time), region };
            self.hold(location, event, HeldContent::Record(record.into()))
        });
        self.locations[location].calls.push(Call { order, parameters: Vec::new() });
    }

    fn leave(&mut self, location: usize) {
        let here = &mut self.locations[location];
        if let Some(deeper) = here.deeper.checked_sub(1) {
            here.deeper = deeper;
            return;
        }
        let Some(call) = here.calls.pop() else { return };
        for order in call.order.into_iter().chain(call.parameters.into_iter().map(|(_, order)| order)) {
            here.own.remove(&order);
        }
    }

    fn parameter(
        &mut self,
        location: usize,
        event: &TimedRecord<'_, Event<'_>>,
        parameter: u32,
        record: Snapshot<'static>,
    ) {
        let Some(new) = self.hold(location, event, HeldContent::Record(record)) else { return };
        let here = &mut self.locations[location];
        let call = here.calls.last_mut().unwrap_or(&mut here.outside);
        let old = match call.parameters.iter_mut().find(|(other, _)| *other == parameter) {
            Some((_, order)) => Some(std::mem::replace(order, new)),
            None => {
                call.parameters.push((parameter, new));
                None
            }
        };
        self.drop_own(location, old);
    }

    fn metric(
        &mut self,
        location: usize,
        event: &TimedRecord<'_, Event<'_>>,
        metric: MetricRef,
        mut values: Vec<MetricValue>,
    ) {
        let here = &self.locations[location];
        let before = here.metrics.get(&metric.0).and_then(|order| here.own.get(order));
        if let Some(Held { content: HeldContent::Metric(_, before), .. }) = before {
            self.add_relative(metric.0, before, &mut values);
        }
        let new = self.hold(location, event, HeldContent::Metric(metric, values));
        let metrics = &mut self.locations[location].metrics;
        let old = new.and_then(|new| metrics.insert(metric.0, new));
        self.drop_own(location, old);
    }

    /// Adds the earlier values to those that are relative.
    fn add_relative(&self, metric: u32, before: &[MetricValue], values: &mut [MetricValue]) {
        let instance = self.definitions.instances.get(&metric);
        let class = self.definitions.classes.get(&instance.map_or(metric, |it| it.metric_class.0));
        let members = class.into_iter().flat_map(|class| class.metric_members.iter());
        for ((member, before), value) in members.zip(before).zip(values) {
            let mode = self
                .definitions
                .members
                .get(&member.0)
                .map_or(MetricMode::ABSOLUTE_POINT, |it| it.metric_mode);
            if mode.0 & VALUE_BITS != MetricMode::RELATIVE_POINT.0 & VALUE_BITS || before.type_ != value.type_
            {
                continue;
            }
            value.bits = match value.type_ {
                Type::DOUBLE => (f64::from_bits(before.bits) + f64::from_bits(value.bits)).to_bits(),
                _ => before.bits.wrapping_add(value.bits),
            };
        }
    }

    /// Takes events of forks, locks and tasks.
    fn threads(&mut self, location: usize, event: &TimedRecord<'_, Event<'_>>) {
        let time = Timestamp(event.time);
        match &event.record {
            Event::OmpFork(it) => self.fork(location, event, it.number_of_requested_threads),
            Event::ThreadFork(it) if it.model == Paradigm::OPENMP => {
                self.fork(location, event, it.number_of_requested_threads);
            }
            Event::OmpJoin(_) => self.join(location),
            Event::ThreadJoin(it) if it.model == Paradigm::OPENMP => self.join(location),
            Event::OmpAcquireLock(it) => self.acquire(location, event, it.lock_id, it.acquisition_order),
            Event::ThreadAcquireLock(it) if it.model == Paradigm::OPENMP => {
                self.acquire(location, event, it.lock_id, it.acquisition_order);
            }
            Event::OmpReleaseLock(it) => self.release(location, it.lock_id),
            Event::ThreadReleaseLock(it) if it.model == Paradigm::OPENMP => {
                self.release(location, it.lock_id)
            }
            Event::OmpTaskCreate(it) => {
                let record = snap::OmpTaskCreate { orig_event_time: time, task_id: it.task_id };
                if let Some(order) = self.hold(location, event, HeldContent::Record(record.into())) {
                    let old = self.tasks.insert(it.task_id, Key { location, order });
                    self.drop_key(old);
                }
            }
            Event::OmpTaskSwitch(it) => {
                let record = snap::OmpTaskSwitch { orig_event_time: time, task_id: it.task_id };
                let new = self.hold(location, event, HeldContent::Record(record.into()));
                let switches = &mut self.locations[location].switches;
                let old = new.and_then(|new| switches.insert(it.task_id, new));
                self.drop_own(location, old);
            }
            Event::OmpTaskComplete(it) => {
                let old = self.locations[location].switches.remove(&it.task_id);
                self.drop_own(location, old);
                let old = self.tasks.remove(&it.task_id);
                self.drop_key(old);
            }
            _ => self.communication(location, event),
        }
    }

    fn fork(
        &mut self,
        location: usize,
        event: &TimedRecord<'_, Event<'_>>,
        number_of_requested_threads: u32,
    ) {
        let record = snap::OmpFork { orig_event_time: Timestamp(event.time), number_of_requested_threads };
        let order = self.hold(location, event, HeldContent::Record(record.into()));
        if self.locations[location].forks.len() < MOST {
            self.locations[location].forks.push(order);
        }
    }

    fn join(&mut self, location: usize) {
        let old = self.locations[location].forks.pop().flatten();
        self.drop_own(location, old);
    }

    fn acquire(
        &mut self,
        location: usize,
        event: &TimedRecord<'_, Event<'_>>,
        lock_id: u32,
        acquisition_order: u32,
    ) {
        let record =
            snap::OmpAcquireLock { orig_event_time: Timestamp(event.time), lock_id, acquisition_order };
        if let Some(order) = self.hold(location, event, HeldContent::Record(record.into())) {
            self.locations[location].locks.push((lock_id, order));
        }
    }

    fn release(&mut self, location: usize, lock_id: u32) {
        let locks = &mut self.locations[location].locks;
        let Some(last) = locks.iter().rposition(|&(other, _)| other == lock_id) else { return };
        let (_, order) = locks.remove(last);
        self.drop_own(location, Some(order));
    }

    /// Takes events of messages and collective operations.
    fn communication(&mut self, location: usize, event: &TimedRecord<'_, Event<'_>>) {
        let id = self.ids[location];
        let orig_event_time = Timestamp(event.time);
        match &event.record {
            Event::MpiSend(it) => {
                let &kymo_otf2::events::MpiSend { receiver, communicator, msg_tag, msg_length } = it;
                let record = snap::MpiSend { orig_event_time, receiver, communicator, msg_tag, msg_length };
                let key = self.wait(location, event, record.into());
                let ended = self.messages.message(id, &event.record, key);
                self.drop_keys(ended);
            }
            Event::MpiIsend(it) => {
                let &kymo_otf2::events::MpiIsend { receiver, communicator, msg_tag, msg_length, request_id } =
                    it;
                let record = snap::MpiIsend {
                    orig_event_time,
                    receiver,
                    communicator,
                    msg_tag,
                    msg_length,
                    request_id,
                };
                let key = self.wait(location, event, record.into());
                let ended = self.messages.message(id, &event.record, key);
                self.drop_keys(ended);
            }
            Event::MpiIsendComplete(it) => {
                let record = snap::MpiIsendComplete { orig_event_time, request_id: it.request_id };
                let key = self.wait(location, event, record.into());
                let ended = self.messages.send_completes(it.request_id, key);
                self.drop_keys(ended);
            }
            Event::MpiRecv(it) => {
                let &kymo_otf2::events::MpiRecv { sender, communicator, msg_tag, msg_length } = it;
                let record = snap::MpiRecv { orig_event_time, sender, communicator, msg_tag, msg_length };
                let key = self.wait(location, event, record.into());
                let ended = self.messages.message(id, &event.record, key);
                self.drop_keys(ended);
            }
            Event::MpiIrecvRequest(it) => {
                let record = snap::MpiIrecvRequest { orig_event_time, request_id: it.request_id };
                let key = self.wait(location, event, record.into());
                let ended = self.messages.receive_is_posted(it.request_id, key);
                self.drop_keys(ended);
            }
            Event::MpiIrecv(it) => {
                let &kymo_otf2::events::MpiIrecv { sender, communicator, msg_tag, msg_length, request_id } =
                    it;
                let record =
                    snap::MpiIrecv { orig_event_time, sender, communicator, msg_tag, msg_length, request_id };
                let key = self.wait(location, event, record.into());
                let ended = self.messages.message(id, &event.record, key);
                self.drop_keys(ended);
            }
            Event::MpiProbe(_) | Event::MpiMrecv(_) | Event::MpiImrecvRequest(_) | Event::MpiImrecv(_) => {
                let key = Key { location, order: self.order };
                let ended = self.messages.probed(id, &event.record, key);
                self.drop_keys(ended);
            }
            Event::MpiRequestCancelled(it) => {
                let ended = self.messages.cancelled(location, it.request_id);
                self.drop_keys(ended);
            }
            Event::MpiCollectiveBegin(_) => {
                let key = self.wait(location, event, snap::MpiCollectiveBegin { orig_event_time }.into());
                let begun = &mut self.locations[location].begun;
                begun.push(key.order);
                if begun.len() > MOST {
                    begun.remove(0);
                }
            }
            Event::MpiCollectiveEnd(it) => {
                let &kymo_otf2::events::MpiCollectiveEnd {
                    collective_op,
                    communicator,
                    root,
                    size_sent,
                    size_received,
                } = it;
                let record = snap::MpiCollectiveEnd {
                    orig_event_time,
                    collective_op,
                    communicator,
                    root,
                    size_sent,
                    size_received,
                };
                let begin = self.locations[location].begun.pop();
                let end = self.wait(location, event, record.into());
                let records = begin.map(|order| Key { location, order }).into_iter().chain([end]);
                let ended = self.collectives.ended(location, communicator.0, records);
                self.drop_keys(ended);
            }
            _ => {}
        }
    }
}

/// Records.
impl SnapshotState<'_> {
    /// Adds a record that ends on its location. Returns its order, unless there are too many.
    fn hold(
        &mut self,
        location: usize,
        event: &TimedRecord<'_, Event<'_>>,
        content: HeldContent,
    ) -> Option<Order> {
        let own = &mut self.locations[location].own;
        // The calls alone may be that many.
        if own.len() >= 2 * MOST {
            self.left_out += 1;
            return None;
        }
        own.insert(self.order, held(event, content));
        Some(self.order)
    }

    /// Adds a record that waits for other locations. If there are too many, the first one is left
    /// out.
    fn wait(
        &mut self,
        location: usize,
        event: &TimedRecord<'_, Event<'_>>,
        record: Snapshot<'static>,
    ) -> Key {
        let key = Key { location, order: self.order };
        let waiting = &mut self.locations[location].waiting;
        waiting.insert(self.order, held(event, HeldContent::Record(record)));
        if waiting.len() > MOST
            && let Some((order, _)) = waiting.pop_first()
        {
            self.left_out += 1;
            self.messages.forget(Key { location, order });
        }
        key
    }

    fn drop_own(&mut self, location: usize, order: Option<Order>) {
        if let Some(order) = order {
            self.locations[location].own.remove(&order);
        }
    }

    fn drop_key(&mut self, key: Option<Key>) {
        if let Some(key) = key {
            self.drop_own(key.location, Some(key.order));
        }
    }

    fn drop_keys(&mut self, ended: Vec<Key>) {
        for Key { location, order } in ended {
            self.locations[location].waiting.remove(&order);
        }
    }
}

fn held(event: &TimedRecord<'_, Event<'_>>, content: HeldContent) -> Held {
    Held { time: event.time, attributes: event.attributes.into_iter().collect(), content }
}
