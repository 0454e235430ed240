//! Perfetto's format: a file of packets in protocol buffers.
//!
//! Each location is a packet sequence with its own clock, which counts nanoseconds from packet to
//! packet, and its own names. Messages are instants with flows; metrics are counters with a track
//! for each metric of a location. Field numbers are those of Perfetto's `TracePacket`.

use crate::track::{Direction, Format, Instant, Pieces, Track, Value};
use kymo_analysis::index::Index;
use kymo_analysis::{Error, Location, MetricMember, Trace};
use kymo_otf2::references::{LocationGroupRef, MetricMemberRef, RegionRef};
use std::collections::HashMap;

/// Writes Perfetto's format.
#[derive(Debug)]
pub struct Perfetto<'t> {
    trace: &'t Trace,
    /// The facts about the whole trace.
    description: String,
    /// The numbers of the processes, from 1, by location group.
    processes: HashMap<LocationGroupRef, u64>,
}

impl<'t> Perfetto<'t> {
    /// Prepares the format. The description becomes that of the root of all tracks.
    pub fn new(trace: &'t Trace, description: String) -> Self {
        let mut processes = HashMap::new();
        for location in trace.locations() {
            let number = processes.len() as u64 + 1;
            processes.entry(location.group).or_insert(number);
        }
        Self { trace, description, processes }
    }

    fn process(&self, group: LocationGroupRef) -> u64 {
        self.processes.get(&group).copied().unwrap_or(0)
    }
}

/// The clock of nanoseconds since boot, to which those of sequences refer.
const BOOT_CLOCK: u64 = 6;
/// The clock of a sequence.
const OWN_CLOCK: u64 = 64;
/// Uuids of threads and counters begin here, after those of processes.
const FIRST_THREAD: u64 = 1 << 32;
const FIRST_COUNTER: u64 = 1 << 48;

/// Appends a number as a varint.
#[inline]
fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a field with a number.
#[inline]
fn number(out: &mut Vec<u8>, field: u64, value: u64) {
    varint(out, field << 3);
    varint(out, value);
}

/// Appends a field of 64 bits.
fn fixed(out: &mut Vec<u8>, field: u64, value: u64) {
    varint(out, field << 3 | 1);
    out.extend_from_slice(&value.to_le_bytes());
}

/// Appends a field with bytes.
fn bytes(out: &mut Vec<u8>, field: u64, value: &[u8]) {
    varint(out, field << 3 | 2);
    varint(out, value.len() as u64);
    out.extend_from_slice(value);
}

/// Appends a field with a message.
fn message(out: &mut Vec<u8>, field: u64, fill: impl FnOnce(&mut Vec<u8>)) {
    let mut inner = Vec::new();
    fill(&mut inner);
    bytes(out, field, &inner);
}

/// Appends a packet with the descriptor of a track.
fn descriptor(out: &mut Vec<u8>, fill: impl FnOnce(&mut Vec<u8>)) {
    message(out, 1, |packet| {
        number(packet, 8, 0);
        number(packet, 10, u32::MAX.into());
        message(packet, 60, fill);
    });
}

impl Format for Perfetto<'_> {
    fn head(&self) -> Vec<u8> {
        let mut out = Vec::new();
        descriptor(&mut out, |track| {
            number(track, 1, 0);
            bytes(track, 14, self.description.as_bytes());
            number(track, 19, 1);
            number(track, 20, 1);
        });
        let mut processes: Vec<_> = self.processes.iter().collect();
        processes.sort_by_key(|(_, number)| **number);
        for (group, id) in processes {
            descriptor(&mut out, |track| {
                number(track, 1, *id);
                message(track, 3, |process| {
                    number(process, 1, *id);
                    bytes(process, 6, self.trace.location_group_name(*group).as_bytes());
                });
                number(track, 12, *id);
            });
        }
        for (place, location) in self.trace.locations().iter().enumerate() {
            let place = place as u64;
            descriptor(&mut out, |track| {
                number(track, 1, FIRST_THREAD + place);
                message(track, 4, |thread| {
                    number(thread, 1, self.process(location.group));
                    number(thread, 2, place + 1);
                    bytes(thread, 5, self.trace.location_name(location).as_bytes());
                });
                number(track, 12, place);
            });
        }
        out
    }

    fn track<'f>(&'f self, _location: &'f Location, place: usize) -> Box<dyn Track + 'f> {
        Box::new(Sequence {
            trace: self.trace,
            place: place as u64,
            own_field: own_field(place as u64 + 1),
            time: 0,
            has_started: false,
            begins: Index::default(),
            names: 0,
            counters: HashMap::new(),
            packet: Vec::new(),
            inner: Vec::new(),
        })
    }

    fn tail(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// The packet sequence of a location.
struct Sequence<'f> {
    trace: &'f Trace,
    place: u64,
    /// The time of the last packet.
    time: u64,
    has_started: bool,
    /// The field that names the sequence in each packet.
    own_field: Piece,
    /// The events that begin calls, by region.
    begins: Index<Piece>,
    /// The number of names so far.
    names: u64,
    /// The tracks of counters.
    counters: HashMap<MetricMemberRef, u64>,
    /// Room for a packet, and for a message in it.
    packet: Vec<u8>,
    inner: Vec<u8>,
}

/// A few bytes of a packet.
#[derive(Debug, Clone, Copy)]
struct Piece {
    bytes: [u8; PIECE],
    length: usize,
}

/// Room for two fields with numbers of 32 bits in a message.
const PIECE: usize = 16;

impl Piece {
    fn of(bytes: &[u8]) -> Self {
        let mut piece = Self { bytes: [0; PIECE], length: bytes.len() };
        piece.bytes[..bytes.len()].copy_from_slice(bytes);
        piece
    }
}

/// The field with the number of the sequence.
fn own_field(number_of: u64) -> Piece {
    let mut field = Vec::new();
    number(&mut field, 10, number_of);
    Piece::of(&field)
}

/// The field with a track event that begins or ends a call.
fn call_field(fill: impl FnOnce(&mut Vec<u8>)) -> Piece {
    let mut field = Vec::new();
    message(&mut field, 11, fill);
    Piece::of(&field)
}

/// The types of track events.
const BEGIN: u64 = 1;
const INSTANT: u64 = 3;
const COUNTER: u64 = 4;
/// The field with the event that ends the innermost call.
const END: Piece = Piece { bytes: [0x5A, 2, 9 << 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], length: 4 };

impl Sequence<'_> {
    fn id(&self) -> u64 {
        self.place + 1
    }

    /// Appends the first packet: the clock and the track of all others.
    #[cold]
    fn start(&mut self, out: &mut Vec<u8>, time: u64) {
        (self.has_started, self.time) = (true, time);
        let clock = |snapshot: &mut Vec<u8>, id: u64, is_incremental: bool| {
            message(snapshot, 1, |clock| {
                number(clock, 1, id);
                number(clock, 2, time);
                if is_incremental {
                    number(clock, 3, 1);
                }
            });
        };
        message(out, 1, |packet| {
            number(packet, 10, self.id());
            // The state of the sequence is cleared.
            number(packet, 13, 1);
            message(packet, 6, |snapshot| {
                clock(snapshot, OWN_CLOCK, true);
                clock(snapshot, BOOT_CLOCK, false);
                number(snapshot, 2, BOOT_CLOCK);
            });
            message(packet, 59, |defaults| {
                message(defaults, 11, |event| number(event, 11, FIRST_THREAD + self.place));
                number(defaults, 58, OWN_CLOCK);
            });
        });
    }

    /// Appends a packet with a track event.
    #[inline]
    fn event(&mut self, out: &mut Vec<u8>, time: u64, fill: impl FnOnce(&mut Vec<u8>)) {
        if !self.has_started {
            self.start(out, time);
        }
        self.packet.clear();
        number(&mut self.packet, 8, time - self.time);
        number(&mut self.packet, 10, self.place + 1);
        self.time = time;
        self.inner.clear();
        fill(&mut self.inner);
        bytes(&mut self.packet, 11, &self.inner);
        bytes(out, 1, &self.packet);
    }

    /// Appends a packet with a field that is known: most packets begin or end calls.
    #[inline]
    fn call(&mut self, out: &mut Vec<u8>, time: u64, field: &Piece) {
        // Everything is written to one place with room to spare, and the rest is cut.
        let mut packet = [0_u8; 2 + 11 + 2 * PIECE];
        packet[2] = 8 << 3;
        let mut end = 3;
        let mut rest = time - self.time;
        while rest >= 0x80 {
            packet[end] = rest as u8 | 0x80;
            (rest, end) = (rest >> 7, end + 1);
        }
        packet[end] = rest as u8;
        end += 1;
        for piece in [&self.own_field, field] {
            packet[end..end + PIECE].copy_from_slice(&piece.bytes);
            end += piece.length;
        }
        packet[0] = 1 << 3 | 2;
        packet[1] = (end - 2) as u8;
        self.time = time;
        out.extend_from_slice(&packet[..end]);
    }

    /// Appends the name of a region, and returns the event that begins a call of it.
    #[cold]
    fn define(&mut self, out: &mut Vec<u8>, time: u64, region: RegionRef) -> Piece {
        if !self.has_started {
            self.start(out, time);
        }
        self.names += 1;
        let new = self.names;
        message(out, 1, |packet| {
            number(packet, 10, self.place + 1);
            number(packet, 13, 2);
            message(packet, 12, |interned| {
                message(interned, 2, |name| {
                    number(name, 1, new);
                    bytes(name, 2, self.trace.region_name(region).as_bytes());
                });
            });
        });
        let begin = call_field(|event| {
            number(event, 9, BEGIN);
            number(event, 10, new);
        });
        self.begins.insert(region.0.into(), begin);
        begin
    }

    /// Returns the track of a counter, which is described at its first use.
    fn counter_track(&mut self, out: &mut Vec<u8>, metric: &MetricMember) -> u64 {
        let new = FIRST_COUNTER + (self.place << 20) + self.counters.len() as u64;
        let (trace, place) = (self.trace, self.place);
        *self.counters.entry(metric.id).or_insert_with(|| {
            descriptor(out, |track| {
                number(track, 1, new);
                bytes(track, 2, trace.string(metric.name).unwrap_or_default().as_bytes());
                number(track, 5, FIRST_THREAD + place);
                message(track, 8, |counter| {
                    bytes(counter, 6, trace.string(metric.unit).unwrap_or_default().as_bytes());
                });
            });
            new
        })
    }
}

fn argument(event: &mut Vec<u8>, name: &str, value: &Value) {
    message(event, 4, |annotation| {
        match value {
            Value::Unsigned(value) => number(annotation, 3, *value),
            Value::Integer(value) => number(annotation, 4, *value as u64),
            Value::Double(value) => fixed(annotation, 5, value.to_bits()),
            Value::Text(value) => bytes(annotation, 6, value.as_bytes()),
        }
        bytes(annotation, 10, name.as_bytes());
    });
}

impl Track for Sequence<'_> {
    fn begin(&mut self, out: &mut Vec<u8>, time: u64, region: RegionRef) {
        let begin = match self.begins.get(region.0.into()) {
            Some(begin) => *begin,
            None => self.define(out, time, region),
        };
        self.call(out, time, &begin);
    }

    fn end(&mut self, out: &mut Vec<u8>, time: u64, _region: RegionRef) {
        // A call that ends has begun in this sequence.
        self.call(out, time, &END);
    }

    fn instant(&mut self, out: &mut Vec<u8>, time: u64, instant: &Instant<'_>) {
        self.event(out, time, |event| {
            instant.arguments.iter().for_each(|(name, value)| argument(event, name, value));
            number(event, 9, INSTANT);
            bytes(event, 23, instant.name.as_bytes());
            match instant.flow {
                Some(flow) if flow.direction == Direction::Out => fixed(event, 47, flow.number),
                Some(flow) => fixed(event, 48, flow.number),
                None => {}
            }
        });
    }

    fn counter(&mut self, out: &mut Vec<u8>, time: u64, metric: &MetricMember, value: Value) {
        let track = self.counter_track(out, metric);
        self.event(out, time, |event| {
            number(event, 9, COUNTER);
            number(event, 11, track);
            match value {
                Value::Integer(value) => number(event, 30, value as u64),
                Value::Unsigned(value) => match i64::try_from(value) {
                    Ok(value) => number(event, 30, value as u64),
                    Err(_) => fixed(event, 44, (value as f64).to_bits()),
                },
                Value::Double(value) => fixed(event, 44, value.to_bits()),
                Value::Text(_) => {}
            }
        });
    }

    fn finish(&mut self, _out: &mut Pieces<'_>, _time: u64) -> Result<(), Error> {
        Ok(())
    }
}
